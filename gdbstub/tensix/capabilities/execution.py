# SPDX-License-Identifier: Apache-2.0
"""Run the machine for a client: which threads run, in slices of about equal time.

Threads that an action does not name are frozen: harts stop issuing, nothing passes the gate of a
Tensix thread (unless a hart that runs waits for the coprocessor), and the machine continues.
step_guard.py ends steps that cannot be completed, stop_filter.py decides which stops are the
client's.

A change by the coprocessor of what a client watches is reported after it. GDB takes it for a stop
before, and steps the thread over what it expects to change the value: that step is over at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from time import perf_counter

from tensix_gdb.core.arch.blackhole import HARTS, SOFT_RESET_HARTS, THREADS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.history.checkpoints import pauses_stepped_over, step_over_pauses
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import OnStop, RunLimits
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Signal, Stopped
from tensix_gdb.gdbstub.tensix.blocked.why import describe_stop
from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import ClientConsole, TileCalls
from tensix_gdb.gdbstub.tensix.capabilities.program_ends import ProgramEnds
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.slice_size import SliceSize
from tensix_gdb.gdbstub.tensix.capabilities.step_guard import StepGuard
from tensix_gdb.gdbstub.tensix.capabilities.stop_filter import StopFilter
from tensix_gdb.gdbstub.tensix.capabilities.stops import stopped
from tensix_gdb.gdbstub.tensix.capabilities.threads import (
    HART_THREADS,
    THREAD_IDS,
    hart_of,
    name_of,
    running,
    tensix_of,
    thread_of,
    thread_of_tensix,
)

# Of a slice while a history is kept: the first step back runs so much again.
RECORDED_SECONDS = 0.004
HELD_CYCLES = 1 << 16  # more than an instruction of the coprocessor takes
_CONTINUE = ResumeKind.CONTINUE  # most threads at most times


@lru_cache(maxsize=256)
def _partition(going: frozenset[int]) -> tuple[list[int], list[int], list[int]]:
    """Split the threads: running harts, frozen harts, frozen Tensix threads."""
    return (
        [hart_of(thread) for thread in HART_THREADS if thread in going],
        [hart_of(thread) for thread in HART_THREADS if thread not in going],
        [i for i in range(THREADS) if thread_of_tensix(i) not in going],
    )


class TileExecution:
    """The `Execution` capability."""

    def __init__(
        self,
        machine: Machine,
        breakpoints: HartBreakpoints,
        history: TileHistory,
        calls: TileCalls | None = None,
        console: ClientConsole | None = None,
        *,
        stop_at_end: bool = True,
    ) -> None:
        self._machine = machine
        self._breakpoints = breakpoints
        self._recorded = history
        self._calls = calls
        self._ask_client = None if calls is None else self._begin_call
        self._is_console_full = None if console is None else console.is_full
        # Looked at in each run: memory, and no path through the record.
        S = machine.S
        self._paused, self._passed_now = S.hart.paused.raw, S.passed.count.raw
        self._cycle = machine.record.row(machine.record.layout.slot("tile", "cycle")).cast("q")
        skipped = machine.record.layout.slot("polling", "skipped")
        self._skipped = machine.record.row(skipped).cast("q")
        self._ends = ProgramEnds(machine, console, stop=stop_at_end)
        self.awaits_host = False
        self._back: Iterator[Stopped | None] | None = None
        self._going: frozenset[int] = frozenset()
        self._passed = [0] * THREADS  # instructions past each gate when the run began
        self._reported: int | None = None  # the thread with a next step that is over already
        # While no hart can issue: how many instructions had passed, and since which cycle.
        self._quiet: tuple[int, int] | None = None
        self.slice = SliceSize()
        self.steps = StepGuard(machine, self.release)
        # Debuggers want the pc at the ebreak that they hit; hardware has it after.
        self.ebreak_behind = False

    # Resuming

    def resume(self, actions: Mapping[int, Action]) -> None:
        machine = self._machine
        going, steps = [], []
        for thread, action in actions.items():
            do = action.kind
            if do is _CONTINUE:
                going.append(thread)
            elif do is ResumeKind.REVERSE_CONTINUE or do is ResumeKind.REVERSE_STEP:
                self._go_back(thread, step=do is ResumeKind.REVERSE_STEP)
                return
            elif do is not ResumeKind.STOP:
                going.append(thread)
                steps.append((thread, action))
        past = self._recorded.enter()
        pauses = pauses_stepped_over(machine) if past else ()
        self._forget_reported(going, steps)
        self._going = frozenset(going)
        self._passed = self._passed_now.tolist()
        machine.disarm()
        harts, frozen, held = _partition(self._going)
        if not past:
            machine.freeze(frozen)
            machine.gates.freeze(held)
        if past:
            harts = [hart for hart in harts if not machine.S.hart.paused[hart]]
        elif not self._ends.stop and any(self._paused):
            stepped = {hart_of(thread) for thread, _ in steps}
            harts = [hart for hart in harts if hart in stepped or not self._ends.is_over(hart)]
        machine.step_over.resume_all(harts)
        self.steps.guard_steps(steps)
        for thread, action in steps:
            number = tensix_of(thread)
            if number is None:
                machine.step(hart_of(thread), action.start, action.end)
            else:
                machine.gates.step(number, action.start, action.end)
        step_over_pauses(machine, pauses)
        if self._recorded.history is not None:
            self._recorded.history.resume()

    def _go_back(self, thread: int, *, step: bool) -> None:
        self._reported = None
        self.steps.guard_steps(())
        self._going = frozenset({thread})
        self._back = self._recorded.back(thread, step=step)

    def _forget_reported(self, going: Sequence[int], steps: Sequence[tuple[int, Action]]) -> None:
        """Keep the change that was reported only for the step over it."""
        if self._reported is not None:
            alone = len(going) == 1 and [action.kind for _, action in steps] == [ResumeKind.STEP]
            if not alone or self._reported not in going:
                self._reported = None

    # Running

    def advance(
        self, seconds: float, should_stop: Callable[[], object] | None = None
    ) -> Stopped | None:
        self._machine.engine.poll()
        if self._recorded.history is not None:
            seconds = min(seconds, RECORDED_SECONDS)
        cycles = self.slice.cycles
        poll = self.slice.poll_cycles(seconds)
        start = perf_counter()
        while True:
            before, skipped = self._cycle[0], self._skipped[0]
            stop = self._run(RunLimits(cycles, should_stop, poll, self._is_console_full))
            taken = perf_counter() - start
            if stop is not None or self._cycle[0] - before != cycles:
                return stop
            if self._skipped[0] == skipped:
                self.slice.adapt(seconds, taken)
                return stop
            # It polls: the size of a slice remains that of a tile that works.
            if taken > seconds or (should_stop is not None and should_stop()):
                return stop

    def advance_to(
        self, clock: int, should_stop: Callable[[], object] | None = None
    ) -> Stopped | None:
        while (left := clock - self.clock()) > 0:
            stop = self._run(RunLimits(left, should_stop))
            if stop is not None or (should_stop is not None and should_stop()):
                return stop
        return None

    def clock(self) -> int:
        return self._cycle[0]

    def running(self) -> Sequence[int]:
        return running(self._machine, self._going, self.steps.threads, self._passed)

    def interrupt(self, thread: int) -> Stopped:
        self._back = None
        self.release()
        return Stopped(thread or THREAD_IDS[0], Signal.INT)

    def _run(self, limits: RunLimits) -> Stopped | None:
        """Run within limits, or for as many cycles as are left for a step."""
        if self._back is not None:
            back = next(self._back)
            if back is not None:
                self._back = None
            return back
        if self._reported is not None:
            thread, self._reported = self._reported, None
            self._let_go()
            return Stopped(thread)
        limits.cycles = self.steps.cycles_left(limits.cycles)
        history = self._recorded.history
        if history is not None:
            limits.cycles = history.cycles_to_input(limits.cycles)
        limits.obvious = False
        limits.on_stop = decide = StopFilter(
            self._machine, self._breakpoints, self._ask_client, limits.should_stop, self._passes
        )
        start = self._cycle[0]
        try:
            stop = self._machine.run_within(limits).stop
        except EngineDefect as defect:
            return self._defect(defect)
        if self._calls is not None:
            self._ends.tell_exits()
        if decide.request and stop is not None:
            return Stopped(thread_of(stop.hart), request=decide.request)
        if history is not None:
            history.add_checkpoint_if_due()
        self.awaits_host = stop is not None and self._only_host_can_go_on(stop)
        if self.awaits_host:
            return None
        if stop is None:
            if self._only_held_could_move():
                return self._stopped(self._held_alone())
            return self.steps.after(self._cycle[0] - start, alone=len(self._going) == 1)
        return self._stopped(stop)

    def _only_held_could_move(self) -> bool:
        """True if for HELD_CYCLES no hart could issue and nothing has passed a gate, while Tensix
        threads are frozen for a client: what is in flight waits for these."""
        S = self._machine.S
        if S.tile.issuing or not any(S.gate_stop.held.raw) or self._machine.host.is_present:
            self._quiet = None
            return False
        passed = sum(self._passed_now)
        if self._quiet is None or self._quiet[0] != passed:
            self._quiet = passed, self._cycle[0]
        return self._cycle[0] - self._quiet[1] >= HELD_CYCLES

    def _held_alone(self) -> Stop:
        stop = self._machine.reports.all_paused()
        held = [i for i in range(THREADS) if self._machine.S.gate_stop.held[i]]
        names = ", ".join(name_of(thread_of_tensix(i)) for i in held)
        self._quiet = None
        return replace(stop, text=f"{stop.text}; held for the client: {names}")

    def judge(self, stop: Stop) -> Stopped | None:
        """Decide about a stop that others than this class have run to; None if the tile
        continues."""
        decide = StopFilter(self._machine, self._breakpoints, None, None, self._passes)
        if decide(stop) is not OnStop.END:
            return None
        return self._stopped(stop)

    def _only_host_can_go_on(self, stop: Stop) -> bool:
        """True if a host has all harts in reset, and no client steps. In the past the run ends."""
        reset = int(self._machine.S.tile_control.soft_reset)
        return (
            stop.kind is StopKind.ALL_PAUSED
            and self._machine.host.is_present
            and reset & SOFT_RESET_HARTS == SOFT_RESET_HARTS
            and not self.steps.threads
            and not self._recorded.past
        )

    @property
    def stop_at_end(self) -> bool:
        """True if the end of a hart's program stops all harts."""
        return self._ends.stop

    @stop_at_end.setter
    def stop_at_end(self, stops: bool) -> None:
        self._ends.stop = stops

    def _passes(self, stop: Stop) -> bool:
        """True if the run continues, because the program that has ended is not stepped. A history
        stops at each end, so that the client can go back from it."""
        if stop.kind not in (StopKind.EBREAK, StopKind.ECALL):
            return False
        if self._recorded.history is not None or thread_of(stop.hart) in self.steps.threads:
            return False
        return self._ends.passes(stop)

    def _begin_call(self) -> str:
        """Begin a call. Return what the client is asked; empty when the run continues."""
        history = self._recorded.history
        if history is not None:
            if history.replay_input():
                return ""
            history.suspend()
        return "" if self._calls is None else self._calls.begin_call()

    # Stopping

    def _stopped(self, stop: Stop) -> Stopped:
        """End the run at a stop of the machine."""
        number = self.steps.tensix
        dead = stop.kind in (StopKind.STANDSTILL, StopKind.ALL_PAUSED)
        if stop.kind is StopKind.ALL_PAUSED and number is not None:
            alone = len(self._going) == 1
            return self.steps.in_vain(number, "no hart can continue", alone=alone)
        self._let_go()
        if self.ebreak_behind and stop.kind is StopKind.EBREAK:
            self._machine.write_pc(stop.hart, (stop.pc + 4) & MASK32)
        shown = stopped(describe_stop(self._machine, stop))
        if not self._ends.stop and (ended := self._ends.text(stop)):
            shown = replace(shown, text=ended)
        if stop.kind is StopKind.EXIT and self._recorded.history is None:
            # With a history there is more to do: the stop is one to go back from.
            shown = replace(shown, exited=stop.code)
        if stop.kind is StopKind.ALL_PAUSED:
            shown = replace(shown, thread=self._thread_at_rest(shown.thread))
        if dead and self.steps.threads:
            # Without a signal: after a SIGTRAP GDB takes the next of many steps.
            if number is not None:
                shown = replace(shown, thread=thread_of_tensix(number))
            elif stop.kind is StopKind.STANDSTILL:
                shown = replace(shown, thread=self.steps.threads[0])
            shown = replace(shown, signal=Signal.NONE)
        if dead and not self.steps.is_in_vain():
            shown = replace(shown, idle=True)
        is_watched = stop.kind is StopKind.WATCH and stop.addr is not None
        if is_watched and (stop.thread is not None or stop.is_over):
            shown = self._breakpoints.as_seen(shown)
            self._reported = shown.thread
        return shown

    def _thread_at_rest(self, thread: int) -> int:
        """Choose the thread to report of all that have paused: `thread`, unless it did not run
        or is in reset, while another one did and is not."""
        in_reset = self._machine.S.hart.in_reset
        going = [candidate for candidate in sorted(self._going) if not in_reset[hart_of(candidate)]]
        return thread if thread in going else min(going or self._going, default=thread)

    def _defect(self, defect: EngineDefect) -> Stopped:
        """The emulator did what it must not. The tile is left as it is, to be looked at."""
        hart = int(self._machine.S.stop.hart)
        self.release()
        return Stopped(
            thread_of(hart if hart < HARTS else 0),
            Signal.ABRT,
            text=f"A defect of the emulator, please report it: {defect}. `monitor reset` starts "
            "over.",
        )

    def release(self) -> None:
        """End the run: forget armed steps, and let all threads go."""
        self._machine.disarm()
        self._let_go()

    def _let_go(self) -> None:
        """Freeze no thread any more; in the past threads stay frozen as they were."""
        if self._recorded.history is not None:
            self._recorded.history.suspend()
        if self._recorded.past:
            return
        self._machine.freeze([])
        self._machine.gates.freeze([])
