# SPDX-License-Identifier: Apache-2.0
"""Breakpoints of a test: of harts, and at the wait gates of the coprocessor.

What a gate breakpoint may name is what `monitor break gate` understands, what is watched what
`monitor watch` does (gdbstub/tensix).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop as MachineStop
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.threads import thread_of
from tensix_gdb.gdbstub.tensix.monitor.gate_breaks import gate_break
from tensix_gdb.gdbstub.tensix.monitor.watch import watch_of
from tensix_gdb.gdbstub.testing.program import NoSuchPlace

__tracebackhide__ = True  # pytest shows the test's own line

# Asked with the hart, or with the Tensix thread at a gate.
Condition = Callable[[Any], object]


@dataclass(eq=False, slots=True)
class Breakpoint:
    """A breakpoint or watchpoint of a test. `hits` counts the stops, not the false conditions.

    `armed` is its number at the gates; 0 for one of harts.
    """

    place: str
    when: Condition | None
    addresses: tuple[tuple[int, int], ...] = ()
    watched: tuple[int, int, int, str] | None = None
    armed: int = 0
    hits: int = 0
    evaluated: int = field(default=0)

    def applies(self, stop: MachineStop, armed: Sequence[int]) -> bool:
        """True if the machine's stop is one of this breakpoint, which has these numbers at the
        gates."""
        if self.armed or armed:
            return self.armed in armed
        if self.watched is not None:
            # Any hart that touches the bytes: in L1 that may be another one.
            return stop.kind is StopKind.WATCH and stop.addr == self.watched[1]
        return stop.kind is StopKind.BREAK and (stop.hart, stop.pc) in self.addresses

    def holds(self, subject: object) -> bool:
        """True if its condition is true now."""
        self.evaluated += 1
        return self.when is None or bool(self.when(subject))


def armed_numbers(machine: Machine, stop: MachineStop) -> list[int]:
    """Return the numbers of the gate breakpoints or watches that have just stopped the machine."""
    if stop.kind is StopKind.GATE and stop.thread is not None:
        return machine.gates.stopping(stop.thread)
    if stop.kind is StopKind.WATCH and stop.thread is not None:
        return machine.gates.watching(machine.S.stop.a)
    return []


def gate_breakpoint(
    machine: Machine,
    what: Sequence[str],
    thread: int | str | None,
    fields: str,
    nth: int,
    when: Condition | None,
) -> Breakpoint:
    """Arm a breakpoint at the gates."""
    words = list(what)
    if thread is not None:
        words += ["thread", f"T{thread}" if isinstance(thread, int) else thread]
    if nth:
        words += ["nth", str(nth)]
    if fields:
        words += ["if", fields]
    try:
        wanted, _ = gate_break(machine, " ".join(words))
    except TargetError as problem:
        raise NoSuchPlace(str(problem)) from None
    return Breakpoint(wanted.text, when, armed=machine.gates.add_break(wanted))


def gate_watchpoint(machine: Machine, what: str, hart: int, when: Condition | None) -> Breakpoint:
    """Arm a watch of what the coprocessor changes."""
    try:
        wanted = watch_of(machine, thread_of(hart), what.split())
    except TargetError as problem:
        raise NoSuchPlace(str(problem)) from None
    return Breakpoint(wanted.text, when, armed=machine.gates.add_watch(wanted))
