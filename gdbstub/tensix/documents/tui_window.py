# SPDX-License-Identifier: Apache-2.0
"""The text of GDB's window `tensix` (gdbstub/inside/tui_window.py).

cycle 562
> T1 math    A 0/29  B 0/8  C 2/8  MVMUL from math.c:54
    held at the gate by STALLWAIT block=B6 wait=C1 since cycle 123: unpacker 0 busy with ...
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import T0, THREAD_NAMES, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.frontend.fifo import CAPACITIES
from tensix_gdb.gdbstub.tensix.blocked.instructions import at_gate, place
from tensix_gdb.gdbstub.tensix.blocked.wait_gate import held_text
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, tensix_of
from tensix_gdb.gdbstub.tensix.monitor.frontend import FIFO_NAMES

WIDTH = max(map(len, THREAD_NAMES))


def window(machine: Machine, thread: int, why: str) -> str:
    """Return the text for a client that has selected a thread; `why` is what `monitor why` says."""
    number = tensix_of(thread)
    selected = hart_of(thread) - T0 if number is None else number
    lines = [f"cycle {machine.S.tile.cycle}"]
    for one in range(THREADS):
        lines += _thread(machine, one, is_selected=one == selected)
    return "\n".join([*lines, "", *why.splitlines()])


def _thread(machine: Machine, thread: int, *, is_selected: bool) -> Iterator[str]:
    counts = machine.S.fifo.count
    fifos = "  ".join(
        f"{name} {counts[thread, fifo]}/{CAPACITIES[fifo]}" for fifo, name in enumerate(FIFO_NAMES)
    )
    instruction = at_gate(machine, thread)
    at = "nothing at the gate"
    if instruction is not None:
        at = f"{instruction.text} from {place(machine, instruction.hart, instruction.pc)}"
    yield f"{'>' if is_selected else ' '} {THREAD_NAMES[thread]:{WIDTH}}  {fifos}  {at}"
    if instruction is not None and (held := held_text(machine, thread)):
        yield f"    {held.removeprefix(instruction.name).strip()}"
