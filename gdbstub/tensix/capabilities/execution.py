# SPDX-License-Identifier: Apache-2.0
"""Running the machine for a client: which threads go on, in slices of about equal time.

Threads that an action does not name are held: harts stop issuing, nothing passes the gate of a
Tensix thread (unless a hart that goes on waits for the coprocessor), and the machine goes on. A
step that cannot be completed (the hart is in reset, nothing comes to the gate, who is waited for is
held) ends by itself after `step_limit` cycles and says so.

A change by the coprocessor of what a client watches is reported after it. GDB takes it for a stop
before, and steps the thread over what it expects to change the value: that step is over at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from time import perf_counter

from tensix_gdb.core.arch.blackhole import HARTS, T0, THREADS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.core.explain.gate_stop import origin
from tensix_gdb.core.history.checkpoints import pass_pauses, pauses_passed
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.target import Action, ResumeKind, Signal, Stopped
from tensix_gdb.gdbstub.tensix.blocked.why import in_words
from tensix_gdb.gdbstub.tensix.capabilities import interruptible as pieces
from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import TileCalls
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.stops import stopped
from tensix_gdb.gdbstub.tensix.capabilities.threads import (
    HART_THREADS,
    THREAD_IDS,
    hart_of,
    name_of,
    running,
    tensix_of,
    tensix_state,
    thread_of,
    thread_of_tensix,
)

SMALLEST_SLICE, LARGEST_SLICE = 16, 1 << 24  # cycles
FIRST_SLICE = 64
BELL_SECONDS = 0.00001  # between two looks at the bell, which take a twelfth of that
# Of a slice while a history is kept: the first step back runs so much again.
RECORDED_SECONDS = 0.004
PASSED_IN_A_SLICE = 16  # conditions or commands of breakpoints that were dealt with here
STEP_LIMIT = 1_000_000  # cycles that a step may take
_CONTINUE = ResumeKind.CONTINUE  # most threads at most times
LOOK_AFTER = 4096  # cycles of a Tensix thread's step, after which it may be known to be in vain


@lru_cache(maxsize=256)
def _not_among(going: frozenset[int]) -> tuple[list[int], list[int]]:
    """Harts and Tensix threads that are held while these go on."""
    return (
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
        is_full: Callable[[], bool] = pieces.never,
    ) -> None:
        self._machine = machine
        self._calls = calls
        self._console_is_full = is_full
        self._breakpoints = breakpoints
        self._recorded = history
        self._back: Iterator[Stopped | None] | None = None
        self._slice = FIRST_SLICE
        self._going: frozenset[int] = frozenset()
        self._passed = [0] * THREADS  # instructions past each gate when the run began
        self._stepping: dict[int, int] = {}  # thread: how much it had executed
        self._ranging = False
        self._stepped = 0
        self._bell: Callable[[], object] | None = None
        self._is_full = pieces.never  # has as much been printed as may be in a slice
        self._piece = SMALLEST_SLICE  # cycles between two looks at it
        self._reported: int | None = None  # the thread whose next step is over already
        self.step_limit = STEP_LIMIT
        # Debuggers want the pc at the ebreak that they hit; hardware has it after.
        self.ebreak_behind = False

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
        past = self._enter()
        passing = pauses_passed(machine) if past else ()
        self._is_over(going, steps)
        self._going = frozenset(going)
        self._passed = machine.S.passed.count.raw.tolist()
        machine.disarm()
        if not past:
            harts, threads = _not_among(self._going)
            machine.hold(harts)
            machine.gates.hold(threads)
        self._stepping.clear()
        self._ranging = any([action.kind is ResumeKind.RANGE for _, action in steps])
        self._stepped = 0
        harts = [hart_of(thread) for thread in going if tensix_of(thread) is None]
        if past:
            harts = [hart for hart in harts if not machine.S.hart.paused[hart]]
        machine.passing.resume_all(harts)
        for thread, action in steps:
            number = tensix_of(thread)
            self._stepping[thread] = self._executed(thread)
            if number is None:
                machine.step(hart_of(thread), action.start, action.end)
            else:
                machine.gates.step(number, action.start, action.end)
        pass_pauses(machine, passing)
        if self._recorded.history is not None:
            self._recorded.history.goes()

    def _go_back(self, thread: int, *, step: bool) -> None:
        self._reported = None
        self._stepping.clear()
        self._going = frozenset({thread})
        self._back = self._recorded.back(thread, step=step)

    def _enter(self) -> bool:
        """True if this is a run in the past, where everything goes as it went."""
        history = self._recorded.history
        if history is None:
            return False
        history.rests()
        history.rewrites()
        history.make_input()
        return history.past

    def _is_over(self, going: Sequence[int], steps: Sequence[tuple[int, Action]]) -> None:
        """True if this is the step over a change that was reported; with anything else wanted it is
        not."""
        if self._reported is not None:
            alone = len(going) == 1 and [action.kind for _, action in steps] == [ResumeKind.STEP]
            if not alone or self._reported not in going:
                self._reported = None

    def _executed(self, thread: int) -> int:
        number = tensix_of(thread)
        if number is None:
            return int(self._machine.S.hart.retired.raw[hart_of(thread)])
        return int(self._machine.S.passed.count[number])

    def advance(self, seconds: float, bell: Callable[[], object] | None = None) -> Stopped | None:
        self._machine.engine.poll()
        if self._recorded.history is not None:
            seconds = min(seconds, RECORDED_SECONDS)
        self._bell, self._is_full = bell, self._console_is_full
        self._piece = max(int(self._slice * BELL_SECONDS / seconds), SMALLEST_SLICE)
        start, before = perf_counter(), self.clock()
        stop = self._run(self._slice)
        if stop is None and self.clock() - before == self._slice:
            self._adapt(seconds, perf_counter() - start)
        self._bell, self._is_full = None, pieces.never
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
        if self._back is not None:
            told = next(self._back)
            if told is not None:
                self._back = None
            return told
        if self._reported is not None:
            thread, self._reported = self._reported, None
            self._let_go()
            return Stopped(thread)
        if self._stepping:
            cycles = min(cycles, max(self.step_limit - self._stepped, 1))
            if self._tensix_step() is not None:
                cycles = min(cycles, LOOK_AFTER - self._stepped % LOOK_AFTER)
        history = self._recorded.history
        if history is not None:
            cycles = self._to_input(cycles)
        start = self.clock()
        for _ in range(PASSED_IN_A_SLICE):
            try:
                left = start + cycles - self.clock()
                stop = pieces.run(machine, left, self._bell, self._piece, self._is_full)
            except EngineDefect as defect:
                return self._defect(defect)
            if stop is not None and stop.kind is StopKind.CALL and self._calls is not None:
                request = self._call()
                if request:
                    return Stopped(thread_of(stop.hart), request=request)
                continue
            if stop is None or not self._breakpoints.passed(stop):
                break
            if stop.thread is None:
                machine.resume_from(stop.hart)
            if self._breakpoints.budget.was_large or (self._bell is not None and self._bell()):
                stop = None
                break
        else:
            stop = None
        if history is not None:
            history.ran()
        if stop is None:
            return self._step_that_hangs(self.clock() - start)
        return self._stopped(stop)

    def _call(self) -> str:
        """What the client is asked at a call; empty when the run goes on."""
        history = self._recorded.history
        if history is not None:
            if history.make_input():
                return ""
            history.rests()
        return "" if self._calls is None else self._calls.begin()

    def _stopped(self, stop: Stop) -> Stopped:
        number = self._tensix_step()
        dead = stop.kind in (StopKind.STANDSTILL, StopKind.ALL_PAUSED)
        in_vain = dead and (self._ranging or number is not None)
        if stop.kind is StopKind.ALL_PAUSED and number is not None:
            return self._in_vain(number, "no hart can go on")
        self._let_go()
        if self.ebreak_behind and stop.kind is StopKind.EBREAK:
            self._machine.write_pc(stop.hart, (stop.pc + 4) & MASK32)
        # Without a signal: GDB would take it for the end of one of many steps, and go on for ever.
        told = stopped(in_words(self._machine, stop))
        if stop.kind is StopKind.EXIT and self._recorded.history is None:
            # With a history there is more to do: the stop is one to go back from.
            told = replace(told, exited=stop.code)
        if stop.kind is StopKind.ALL_PAUSED and told.thread not in self._going:
            told = replace(told, thread=min(self._going, default=told.thread))
        if in_vain:
            thread = told.thread if number is None else thread_of_tensix(number)
            told = replace(told, thread=thread, signal=Signal.NONE)
        elif dead:
            told = replace(told, idle=True)
        if stop.thread is not None and stop.kind is StopKind.WATCH and stop.addr is not None:
            told = self._breakpoints.as_seen(told)
            self._reported = told.thread
        return told

    def _to_input(self, cycles: int) -> int:
        """In the past, an input that was made there is made again when the tile comes to it, and
        the steps that are armed stay so."""
        history, debug = self._recorded.history, self._machine.S.debug
        assert history is not None
        rows = (debug.stepping.raw, debug.step_lo.raw, debug.step_hi.raw)
        armed = [bytes(row) for row in rows]
        limit = history.next_input()
        if limit is not None and self.clock() >= limit.cycle and history.make_input():
            for row, kept in zip(rows, armed, strict=True):
                memoryview(row).cast("B")[:] = kept
            limit = history.next_input()
        return cycles if limit is None else max(min(cycles, limit.cycle - self.clock()), 1)

    def _let_go(self) -> None:
        if self._recorded.history is not None:
            self._recorded.history.rests()
            if self._recorded.past:
                return
        self._machine.hold([])
        self._machine.gates.hold([])

    def _tensix_step(self) -> int | None:
        """The Tensix thread that makes a step, if one does."""
        for thread in self._stepping:
            number = tensix_of(thread)
            if number is not None:
                return number
        return None

    def _defect(self, defect: EngineDefect) -> Stopped:
        """The emulator did what it must not. The tile is left as it is, to be looked at."""
        hart = int(self._machine.S.stop.hart)
        self._machine.disarm()
        self._let_go()
        return Stopped(
            thread_of(hart if hart < HARTS else 0),
            Signal.ABRT,
            text=f"A defect of the emulator, please report it: {defect}. `monitor reset` starts "
            "over.",
        )

    def _adapt(self, seconds: float, taken: float) -> None:
        """Make the next slice take about `seconds`; at most eight times the last one, because a
        short slice is measured badly."""
        wanted = int(self._slice * min(seconds / max(taken, 1e-7), 8))
        self._slice = max(SMALLEST_SLICE, min(wanted, LARGEST_SLICE))

    def running(self) -> Sequence[int]:
        return running(self._machine, self._going, self._stepping, self._passed)

    def _step_that_hangs(self, cycles: int) -> Stopped | None:
        """End a step whose thread has executed nothing in `step_limit` cycles.

        Looked at every `step_limit` cycles of the step and never between, so that it ends at the
        same cycle whatever slices it runs in. Whether a Tensix thread waits in vain is looked at
        every LOOK_AFTER cycles.
        """
        if not self._stepping:
            return None
        self._stepped += cycles
        number = self._tensix_step()
        if self._stepped < self.step_limit:
            if number is not None and not self._stepped % LOOK_AFTER and self._starves(number):
                return self._in_vain(number, f"in {self._stepped} cycles nothing came to its gate")
            return None
        machine = self._machine
        executed = {thread: self._executed(thread) for thread in self._stepping}
        if executed != self._stepping:
            # A range step moves; it may take as long as it likes.
            self._stepping, self._stepped = executed, 0
            return None
        if number is not None:
            return self._in_vain(number, f"in {self._stepped} cycles nothing passed its gate")
        thread = next(iter(self._stepping))
        machine.disarm()
        self._let_go()
        return Stopped(
            thread,
            text=f"{name_of(thread)} executed nothing in {self._stepped} cycles: it is "
            f"{machine.hart_state(hart_of(thread))}; `monitor step-limit` changes how long a step "
            "waits",
        )

    def _starves(self, number: int) -> bool:
        """True if a Tensix thread has nothing in its queues, and its T core nothing to push."""
        S, hart = self._machine.S, T0 + number
        idle = not S.hart.issuing[hart] and not S.stream.busy[hart]
        return idle and not origin(S, number).queued

    def _in_vain(self, number: int, why: str) -> Stopped:
        """End a Tensix thread's step without a signal: GDB goes on stepping while the line is the
        same, and here nothing would ever change that."""
        thread = thread_of_tensix(number)
        machine = self._machine
        state = tensix_state(machine, number)
        hart = machine.hart_state(T0 + number)
        alone = len(self._going) == 1
        machine.disarm()
        self._let_go()
        text = f"The step of {name_of(thread)} ends: {why}: {state}"
        if not origin(machine.S, number).queued:
            text += f"; {name_of(hart_of(thread) + 1)}, which feeds it, is {hart}"
        text += ". `monitor why` says more."
        if alone:
            other = hart_of(thread) + 1
            text += (
                " All other threads are held: GDB does so with scheduler-locking, and to step over "
                f"a breakpoint at the pc; with `thread {other}` selected all go on."
            )
        return Stopped(thread, Signal.NONE, text=text)

    def interrupt(self, thread: int) -> Stopped:
        self._back = None
        self._machine.disarm()
        self._let_go()
        return Stopped(thread or THREAD_IDS[0], Signal.INT)
