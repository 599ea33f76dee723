# SPDX-License-Identifier: Apache-2.0
"""End steps that cannot be completed: the hart is in reset, nothing comes to the gate, or what the
thread waits for is frozen.

Such a step ends by itself after `limit` cycles, and says so. It is looked at every `limit` cycles
of the step and never between, so that it ends at the same cycle whatever slices it runs in. Whether
a Tensix thread waits in vain is looked at every STARVED_CYCLES.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.explain.gate_stop import origin
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Signal, Stopped
from tensix_gdb.gdbstub.tensix.capabilities.threads import (
    hart_of,
    name_of,
    tensix_of,
    tensix_state,
    thread_of_tensix,
)

STEP_LIMIT = 1_000_000  # cycles that a step may take
STARVED_CYCLES = 4096  # of a Tensix thread's step, after which it may be known to be in vain


class StepGuard:
    """The threads that step, and how long they have. `release` ends what is armed and frozen
    for the step; it is called before the client is told."""

    def __init__(self, machine: Machine, release: Callable[[], None]) -> None:
        self._machine = machine
        self._release = release
        self._executed: dict[int, int] = {}  # thread: how much it had executed
        self._cycles = 0  # since then
        self._ranging = False
        self.limit = STEP_LIMIT

    def guard_steps(self, steps: Sequence[tuple[int, Action]]) -> None:
        """Guard the steps of a run, which are all that there are."""
        self._executed, self._cycles, self._ranging = {}, 0, False
        for thread, action in steps:
            self._executed[thread] = self._count(thread)
            self._ranging = self._ranging or action.kind is ResumeKind.RANGE

    @property
    def threads(self) -> Sequence[int]:
        """The threads that step."""
        return tuple(self._executed)

    @property
    def tensix(self) -> int | None:
        """The Tensix thread that steps, if one does."""
        for thread in self._executed:
            number = tensix_of(thread)
            if number is not None:
                return number
        return None

    def is_in_vain(self) -> bool:
        """True if the client would take a dead tile for the end of one of many steps, and continue
        for ever."""
        return self._ranging or self.tensix is not None

    def cycles_left(self, cycles: int) -> int:
        """Return how many of these cycles may go by until the steps are looked at."""
        if not self._executed:
            return cycles
        cycles = min(cycles, max(self.limit - self._cycles, 1))
        if self.tensix is not None:
            cycles = min(cycles, STARVED_CYCLES - self._cycles % STARVED_CYCLES)
        return cycles

    def after(self, cycles: int, *, alone: bool) -> Stopped | None:
        """Look at the steps after so many cycles; the stop of one that hangs. `alone` says that
        all other threads are frozen."""
        if not self._executed:
            return None
        self._cycles += cycles
        number = self.tensix
        if self._cycles < self.limit:
            if number is not None and not self._cycles % STARVED_CYCLES and self._starves(number):
                why = f"in {self._cycles} cycles nothing came to its gate"
                return self.in_vain(number, why, alone=alone)
            return None
        executed = {thread: self._count(thread) for thread in self._executed}
        if executed != self._executed:
            # A range step moves; it may take as long as it likes.
            self._executed, self._cycles = executed, 0
            return None
        if number is not None:
            why = f"in {self._cycles} cycles nothing passed its gate"
            return self.in_vain(number, why, alone=alone)
        return self._hangs(next(iter(self._executed)))

    def _count(self, thread: int) -> int:
        """Return how many instructions a thread has executed."""
        number = tensix_of(thread)
        if number is None:
            return int(self._machine.S.hart.retired.raw[hart_of(thread)])
        return int(self._machine.S.passed.count[number])

    def _starves(self, number: int) -> bool:
        """True if a Tensix thread has nothing in its queues, and its T core nothing to push."""
        S, hart = self._machine.S, T0 + number
        idle = not S.hart.issuing[hart] and not S.stream.busy[hart]
        return idle and not origin(S, number).queued

    def _hangs(self, thread: int) -> Stopped:
        """End a hart's step, without a signal: GDB would take the next one of many steps."""
        self._release()
        state = self._machine.hart_state(hart_of(thread))
        text = (
            f"{name_of(thread)} executed nothing in {self._cycles} cycles: it is {state}; "
            "`monitor step-limit` changes how long a step waits"
        )
        return Stopped(thread, Signal.NONE, text=text)

    def in_vain(self, number: int, why: str, *, alone: bool) -> Stopped:
        """End a Tensix thread's step without a signal: GDB keeps stepping while the line is the
        same, and here nothing would ever change that."""
        thread = thread_of_tensix(number)
        machine = self._machine
        state = tensix_state(machine, number)
        hart = machine.hart_state(T0 + number)
        self._release()
        text = f"The step of {name_of(thread)} ends: {why}: {state}"
        if not origin(machine.S, number).queued:
            text += f"; {name_of(hart_of(thread) + 1)}, which feeds it, is {hart}"
        text += ". `monitor why` says more."
        if alone:
            other = hart_of(thread) + 1
            text += (
                " All other threads are held: GDB does so with scheduler-locking, and to step over "
                f"a breakpoint at the pc; with `thread {other}` selected all continue."
            )
        return Stopped(thread, Signal.NONE, text=text)
