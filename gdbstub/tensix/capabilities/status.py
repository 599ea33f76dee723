# SPDX-License-Identifier: Apache-2.0
"""The state of all threads, in a line each, for `monitor status` and `tensix-gdb core`."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, T0, THREADS
from tensix_gdb.core.explain.gate_stop import origin
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.tensix.blocked.polls import polling
from tensix_gdb.gdbstub.tensix.capabilities.threads import (
    name_of,
    strays,
    tensix_state,
    thread_of,
    thread_of_tensix,
)


def thread_lines(machine: Machine, selected: int) -> Iterator[str]:
    """Yield the harts, and the Tensix threads to which something was pushed; `selected` has a
    mark."""
    for hart in range(HARTS):
        mark = "*" if thread_of(hart) == selected else " "
        place = machine.places.at(hart, machine.read_pc(hart))
        count = machine.S.hart.retired[hart]
        state = machine.hart_state(hart).split(" at ")[0]
        if state == "ready" and (found := polling(machine, hart)) is not None:
            state = f"polls {found.brief}"
        place += strays(machine, thread_of(hart))
        pushed = ""
        if T0 <= hart < T0 + THREADS and machine.S.push.count[hart - T0]:
            pushed = f", {machine.S.push.count[hart - T0]} Tensix instructions pushed to it"
        yield (
            f"{mark} {thread_of(hart)} {HART_NAMES[hart]:2}  {state}, pc {place}, "
            f"{count} instructions{pushed}"
        )
    for number in range(THREADS):
        if machine.S.passed.count[number] or origin(machine.S, number).queued:
            own = thread_of_tensix(number)
            mark = "*" if own == selected else " "
            count = machine.S.passed.count[number]
            yield f"{mark} {own} {name_of(own)}  {tensix_state(machine, number)}, {count} passed"
