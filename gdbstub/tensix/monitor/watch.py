# SPDX-License-Identifier: Apache-2.0
"""`monitor watch`: stops after a change by the coprocessor.

watch gpr T1 5          watch cfg THCON_SEC0_REG3_Base_address       watch sem 3
"""

from __future__ import annotations

from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.gate_breakpoints import GateWatch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.places.kinds import KINDS, Owner
from tensix_gdb.core.places.place import NotAPlace, text
from tensix_gdb.core.places.state import owned
from tensix_gdb.core.places.watched import cells_of
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import listed
from tensix_gdb.gdbstub.tensix.monitor_row import place_in, selected


def monitor_watch(machine: Machine, thread: int, words: list[str]) -> str:
    """List what is there, or stop when the coprocessor changes a word."""
    if not words:
        return listed(machine) or "Nothing is watched; `monitor help watch` has the form.\n"
    wanted = watch_of(machine, thread, words)
    try:
        number = machine.gates.add_watch(wanted)
    except ArmedError as problem:
        raise TargetError(str(problem)) from None
    count = len(wanted.words)
    counted = [f"{count} word{'s' * (count != 1)}"] if count else []
    counted += [f"{one.end - one.start} bytes of L1" for one in wanted.ranges]
    return f"Watch {number}: {wanted.text}, {', '.join(counted)}.\n"


def watch_of(machine: Machine, thread: int, words: list[str]) -> GateWatch:
    """Return the watch that the words name; `thread` is GDB's, for words that name none. Without
    a thread or bank, a field of the configuration is that of every bank or thread."""
    place = place_in(words, hart_of(thread))
    is_of_thread = KINDS[place.kind].owner is Owner.THREAD
    is_of_all = place.kind == "cfg" or (is_of_thread and selected(thread) is None)
    try:
        if not is_of_all:
            place = owned(machine, place, hart_of(thread))
        found, ranges = cells_of(machine, place)
    except NotAPlace as problem:
        raise TargetError(str(problem)) from None
    return GateWatch(text(place), found, ranges=ranges)
