# SPDX-License-Identifier: Apache-2.0
"""Running the machine for a client: which harts issue, in slices of about equal time.

Threads that an action does not name are held: they stop issuing and the machine goes on. A step
that cannot be completed (the hart is in reset, or waits for one that is held) ends by itself after
`step_limit` cycles and says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter

from core.arch.blackhole import HART_NAMES
from core.arch.numbers import MASK32
from core.engine import EngineDefect
from core.machine import Machine
from core.stop import StopKind
from gdbstub.target import Action, Do, Signal, Stopped
from gdbstub.tensix.breakpoints import HartBreakpoints
from gdbstub.tensix.stops import stopped
from gdbstub.tensix.threads import THREAD_IDS, hart_of, thread_of
from gdbstub.tensix.why import in_words

SMALLEST_SLICE, LARGEST_SLICE = 16, 1 << 24  # cycles
FIRST_SLICE = 64
PASSED_IN_A_SLICE = 16  # breakpoints whose conditions or commands were dealt with here
STEP_LIMIT = 1_000_000  # cycles that a step may take


class HartExecution:
    """The `Execution` capability."""

    def __init__(self, machine: Machine, breakpoints: HartBreakpoints) -> None:
        self._machine = machine
        self._breakpoints = breakpoints
        self._slice = FIRST_SLICE
        self._stepping: dict[int, int] = {}
        self._stepped = 0
        self.step_limit = STEP_LIMIT
        # Debuggers want the pc at the ebreak that they hit; hardware has it behind.
        self.ebreak_behind = False

    def resume(self, actions: Mapping[int, Action]) -> None:
        machine = self._machine
        going = {thread: act for thread, act in actions.items() if act.do is not Do.HOLD}
        machine.disarm()
        machine.hold([hart_of(thread) for thread in THREAD_IDS if thread not in going])
        self._stepping.clear()
        self._stepped = 0
        for thread, action in going.items():
            hart = hart_of(thread)
            machine.resume_from(hart)
            if action.do is Do.CONTINUE:
                continue
            self._stepping[hart] = int(machine.S.hart.retired[hart])
            machine.step(hart, action.start, action.end)

    def advance(self, seconds: float) -> Stopped | None:
        self._machine.engine.poll()
        start, before = perf_counter(), self.clock()
        stop = self._run(self._slice)
        if stop is None and self.clock() - before == self._slice:
            self._adapt(seconds, perf_counter() - start)
        return stop

    def advance_to(self, clock: int) -> Stopped | None:
        while (left := clock - self.clock()) > 0:
            stop = self._run(left)
            if stop is not None:
                return stop
        return None

    def clock(self) -> int:
        return int(self._machine.S.tile.cycle)

    def _run(self, cycles: int) -> Stopped | None:
        """Run so many cycles, or as many as are left for a step; fewer when breakpoints were
        passed on the way, so that a slice stays short."""
        machine = self._machine
        if self._stepping:
            cycles = min(cycles, max(self.step_limit - self._stepped, 1))
        start = self.clock()
        for _ in range(PASSED_IN_A_SLICE):
            try:
                stop = machine.run(start + cycles - self.clock())
            except EngineDefect as defect:
                return self._defect(defect)
            if stop is None or not self._breakpoints.passed(stop):
                break
            machine.resume_from(stop.hart)
        else:
            stop = None
        if stop is None:
            return self._step_that_hangs(self.clock() - start)
        machine.hold([])
        if self.ebreak_behind and stop.kind is StopKind.EBREAK:
            machine.write_pc(stop.hart, (stop.pc + 4) & MASK32)
        return stopped(in_words(machine, stop))

    def _defect(self, defect: EngineDefect) -> Stopped:
        """The emulator did what it must not. The tile is left as it is, to be looked at."""
        hart = int(self._machine.S.stop.hart)
        self._machine.disarm()
        self._machine.hold([])
        return Stopped(
            thread_of(hart if hart < len(THREAD_IDS) else 0),
            Signal.ABRT,
            text=f"A defect of the emulator, please report it: {defect}. `monitor reset` starts "
            "over.",
        )

    def _adapt(self, seconds: float, taken: float) -> None:
        """Make the next slice take about `seconds`; at most eight times the last one, because a
        short slice is measured badly."""
        wanted = int(self._slice * min(seconds / max(taken, 1e-7), 8))
        self._slice = max(SMALLEST_SLICE, min(wanted, LARGEST_SLICE))

    def _step_that_hangs(self, cycles: int) -> Stopped | None:
        """End a step whose hart has executed nothing in `step_limit` cycles.

        Looked at every `step_limit` cycles of the step and never between, so that it ends at the
        same cycle whatever slices it runs in.
        """
        if not self._stepping:
            return None
        self._stepped += cycles
        if self._stepped < self.step_limit:
            return None
        machine = self._machine
        retired = {hart: int(machine.S.hart.retired[hart]) for hart in self._stepping}
        if retired != self._stepping:
            # A range step moves; it may take as long as it likes.
            self._stepping, self._stepped = retired, 0
            return None
        hart = next(iter(self._stepping))
        machine.disarm()
        machine.hold([])
        return Stopped(
            thread_of(hart),
            text=f"{HART_NAMES[hart]} executed nothing in {self._stepped} cycles: it is "
            f"{machine.hart_state(hart)}; `monitor step-limit` changes how long a step waits",
        )

    def interrupt(self, thread: int) -> Stopped:
        """Stop where it is. The client's thread is shown if it runs, otherwise one that does."""
        machine = self._machine
        machine.disarm()
        issuing = [t for t in THREAD_IDS if machine.S.hart.issuing[hart_of(t)]]
        machine.hold([])
        shown = thread if thread in issuing or not issuing else issuing[0]
        return Stopped(shown or THREAD_IDS[0], Signal.INT)
