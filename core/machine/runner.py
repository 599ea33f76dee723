# SPDX-License-Identifier: Apache-2.0
"""Run the tile within limits: the one loop around the engine.

Runner.run                 recorder on; at rest already? report the stop
  Runner.advance           until a limit, or a stop that nothing below deals with
    engine.call            clock.run or clock.run_timed, in one of their instances
    host                   NoC requests outside the tile, semihosting, the observer
    faults                 those that a policy ignores; suspicions of a deadlock
    limits.on_stop         breakpoints with conditions or commands of a client
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.clock.polling import WORTH_WATCHING
from tensix_gdb.core.clock.polling_rows import OFF, PROVED
from tensix_gdb.core.clock.timed import quiescent
from tensix_gdb.core.clock.watchdog import MAX_LOOKS
from tensix_gdb.core.counting.counts import Counts
from tensix_gdb.core.debug.breakpoints import Armed
from tensix_gdb.core.debug.gate_breakpoints import GateArmed
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.devices.debug.samples import PENDING_SAMPLE
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.faults.policy import Policies, skip_fault
from tensix_gdb.core.machine.deadlock import is_dead
from tensix_gdb.core.machine.entries import REMEMBER, RUN, RUN_CHECKED, RUN_TIMED, RUN_TIMED_CHECKED
from tensix_gdb.core.machine.host_service import Host, Observer
from tensix_gdb.core.machine.looks import next_look, only_polls
from tensix_gdb.core.machine.run import (
    AT_CONSOLE_FULL,
    AT_CYCLES,
    AT_FAULTS_IGNORED,
    AT_SHOULD_STOP,
    AT_STOP,
    AT_YIELD,
    End,
    OnStop,
    RunEnd,
    RunLimits,
)
from tensix_gdb.core.machine.stop_report import StopReports
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.recording.recorder import Recorder
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import AT_GATE, BY_REQUEST, Stop, StopKind, stop
from tensix_gdb.core.timeline.tracer import RUN_TRACED, Tracer
from tensix_gdb.core.translate.translations import Translations

if TYPE_CHECKING:
    from tensix_gdb.core.race.observer import Observer as RaceObserver

# Compared after every engine call; a member of an enumeration takes several times as long.
_STEP, _FAULT, _STANDSTILL, _OUTSIDE, _CALL = map(
    int,
    (StopKind.STEP, StopKind.FAULT, StopKind.STANDSTILL, StopKind.OUTSIDE, StopKind.CALL),
)
_OBVIOUS = tuple(map(int, (StopKind.BREAK, StopKind.WATCH, StopKind.STEP)))
_NO_LIMIT = RunLimits(0)
# After a proof, with a host that writes to the tile: each of its messages may end the deadlock, and
# none of them as a rule, so that a proof after 512 cycles is one for each few messages.
LOOKS_WITH_HOST = 6
MAX_IGNORED_FAULTS = 256  # in one run; each takes some microseconds


class Runner:
    """Runs one tile. `tracer`, `counts`, `recorder` and `races` are None unless they are
    wanted."""

    def __init__(
        self,
        record: Record,
        memory: Access,
        host: Host,
        armed: Armed,
        gates: GateArmed,
        faults: Policies,
        reports: StopReports,
    ) -> None:
        self._record, self._memory, self._host = record, memory, host
        self._armed, self._gates = armed, gates
        self._faults, self._reports = faults, reports
        self._S = record.S
        self._kind = record.row(record.layout.slot("stop", "kind")).cast("I")
        self._cycle = record.row(record.layout.slot("tile", "cycle")).cast("q")
        self._polling = record.row(record.layout.slot("polling", "state"))
        self._look = record.row(record.layout.slot("polling", "look")).cast("q")
        self.tracer: Tracer | None = None
        self.counts: Counts | None = None
        self.recorder: Recorder | None = None
        self.races: RaceObserver | None = None
        # True of firmware that has done all it was told: that it waits for more is no hang.
        self.waits_for_work: Callable[[], bool] = lambda: False
        self.translations: Translations | None = None

    def run(self, engine: Engine, limits: RunLimits) -> RunEnd:
        """Run within limits; with a recorder, as one step of the recording."""
        recorder = self.recorder
        if recorder is None:
            return self._run(engine, limits)
        recorder.resume()
        try:
            return self._run(engine, limits)
        finally:
            recorder.suspend()

    def _run(self, engine: Engine, limits: RunLimits) -> RunEnd:
        l1 = self._gates.l1
        if limits.armed and l1.came():
            return RunEnd(End.STOP, self._reports.report_stop(in_words=limits.in_words))
        if self.at_rest():
            return RunEnd(End.STOP, self._reports.all_paused())
        l1.is_off = not limits.armed
        try:
            end = self.advance(engine, limits)
        finally:
            l1.is_off = False
        if end is AT_STOP:
            return RunEnd(End.STOP, self._reports.report_stop(in_words=limits.in_words))
        # With time, harts that have paused may have stores that still had to be processed.
        if end.end is not End.STOP and self.at_rest():
            return RunEnd(End.STOP, self._reports.all_paused())
        return end

    def at_rest(self) -> bool:
        """True if no hart can issue, and nothing is under way."""
        if self._S.tile.issuing or int(self._S.tile.pending) & PENDING_SAMPLE:
            return False
        return bool(quiescent(self._S))

    def advance(self, engine: Engine, limits: RunLimits, *, checked: bool = False) -> RunEnd:
        """Run within limits, and leave the stop that ends the run in the record, unreported.
        `checked` looks for whatever the record has armed, even where this class knows of none."""
        cycle, kind, observer = self._cycle, self._kind, self._host.observer
        is_full, should_stop = limits.is_console_full, limits.should_stop
        tracer = self.tracer if limits.traced else None
        if tracer is not None:
            should_stop = None  # a traced slice is short, and each call of the tracer takes long
        name = self._prepare(engine, limits, checked)
        end = cycle[0] + limits.cycles
        ignored = 0
        translations = self._translations_for(engine)
        polling, look = self._polling, self._look
        polling[0], look[0] = OFF, 0 if limits.cycles >= WORTH_WATCHING else NEVER
        looks = observer is None and not self._host.is_present
        while True:
            start = cycle[0]
            limit = due = min(end, next_look(start)) if looks else end
            if observer is not None:
                limit = min(limit, (start // observer.period + 1) * observer.period)
            # Where all harts poll, all of it takes no longer than a look at the client.
            if should_stop is not None and polling[0] != PROVED:
                limit = min(limit, start + limits.poll_cycles)
            if is_full is not None and is_full():
                kind[0] = 0
                return AT_CONSOLE_FULL
            if translations is not None:
                limit = min(limit, start + translations.before_call(start))
            engine.call(name, limit - start)
            if tracer is not None:
                tracer.hand_over_events()
            if kind[0]:
                polling[0] = OFF
                if self._is_served(engine) and not self._gates.l1.came():
                    continue
                if self._is_spurious_stop(engine):
                    ignored += 1
                    if ignored > MAX_IGNORED_FAULTS:
                        return AT_FAULTS_IGNORED
                else:
                    ended = self._at_stop(limits)
                    if ended is not None:
                        return ended
                    ignored, name = 0, self._prepare(engine, limits, checked)
                if cycle[0] >= end or self.at_rest():
                    return AT_CYCLES
                continue
            if cycle[0] < limit:
                if self.at_rest():
                    return AT_CYCLES
                continue  # the tracer's buffer was full
            if observer is not None and limit % observer.period == 0:
                self._observe(observer)
                polling[0] = OFF
            if looks and limit == due and self._only_polls(engine, start, limit):
                ended = self._at_stop(limits)
                if ended is not None:
                    return ended
                polling[0], name = OFF, self._prepare(engine, limits, checked)
            if limit == end:
                return AT_CYCLES
            if should_stop is not None and should_stop():
                return AT_SHOULD_STOP

    # For core/chip, which calls the engine itself

    def is_watched(self) -> bool:
        """True if the tile has to be run by `run`: something takes part in its runs."""
        takes_part = self.tracer, self.recorder, self._host.observer, self._host.calls
        return any(each is not None for each in takes_part)

    def entry(self, engine: Engine) -> str:
        """Return the entry to call, until something is armed or disarmed."""
        return self._prepare(engine, _NO_LIMIT, checked=False)

    def after_stop(self, engine: Engine) -> Stop | None:
        """Deal with what has ended a call of the engine; the stop, unless the run continues."""
        self._polling[0] = OFF
        if self._is_served(engine):
            if not self._gates.l1.came():
                return None
        elif self._is_spurious_stop(engine):
            return None
        self._at_stop(_NO_LIMIT)
        return self._reports.report_stop()

    def _translations_for(self, engine: Engine) -> Translations | None:
        """Return those of the tile, where they are of use: compiled code calls them, in `sc`."""
        if self._S.schedule.kind == Schedule.SC and engine.kind == "compiled":
            return self.translations
        return None

    def _prepare(self, engine: Engine, limits: RunLimits, checked: bool) -> str:
        """Choose the entry that looks for what is armed, and for no more."""
        S = self._S
        if limits.armed:
            checked = checked or self._armed.anything() or self._gates.anything()
        else:
            checked = checked or self._armed.steps() or self._gates.holds()
        if self.counts is not None:
            self.counts.learn_images()
        checked = checked or self.counts is not None or S.counted.on > 0
        checked = checked or S.pause_place.left > 0 or self.races is not None or S.hold.on > 0
        if S.gate.next and (S.gate_watch.cells or S.l1_watch.ranges):
            # In the middle of a cycle: what was written from outside is no change.
            engine.call(REMEMBER.name)
        if self.tracer is not None and limits.traced:
            return RUN_TRACED.name
        if S.schedule.kind == Schedule.SC:
            return RUN_CHECKED.name if checked else RUN.name
        return RUN_TIMED_CHECKED.name if checked else RUN_TIMED.name

    # Stops after which a run continues

    def _is_served(self, engine: Engine) -> bool:
        """True if the run ended at something that the host has done now. The answer to a call is an
        input in the middle of a run."""
        kind = self._kind[0]
        if kind == _OUTSIDE:
            return self._host.move_data(engine)
        if kind != _CALL or self._host.calls is None:
            return False
        recorder = self.recorder
        if recorder is not None:
            recorder.suspend()
        continues = self._host.answer()
        if recorder is not None and continues:
            recorder.resume()
        return continues

    def _observe(self, observer: Observer) -> None:
        """Let the observer see the tile. What it changes is an input, as an answer is."""
        recorder = self.recorder if observer.has_work() else None
        if recorder is not None:
            recorder.suspend()
        observer.observe()
        if recorder is not None:
            recorder.resume()

    def _at_stop(self, limits: RunLimits) -> RunEnd | None:
        """Let the client decide about a stop, if it wants to; None if the run continues. What the
        client changes is an input."""
        recorded = self._S.stop
        if self._kind[0] == _STEP and recorded.stream < AT_GATE:
            self._S.debug.stepping[recorded.hart] = 0
        if limits.on_stop is None:
            return AT_STOP
        if self.recorder is not None:
            self.recorder.suspend()
        is_obvious = self._kind[0] in _OBVIOUS and recorded.stream < BY_REQUEST
        stop = self._reports.report_stop(in_words=limits.obvious or not is_obvious)
        decision = limits.on_stop(stop)
        if decision is OnStop.END:
            return RunEnd(End.STOP, stop)
        if decision is OnStop.YIELD:
            return AT_YIELD
        if self.recorder is not None:
            self.recorder.resume()
        return None

    def _is_spurious_stop(self, engine: Engine) -> bool:
        """True if what ended the run is no reason to stop; it is forgotten then."""
        S, kind = self._S, self._kind[0]
        if kind == _STANDSTILL:
            if is_dead(engine, self._record, self._memory, has_host=self._host.is_present):
                S.tile.backoff = self._patience_after_proof()
                return False
            S.tile.backoff = min(S.tile.backoff + 1, MAX_LOOKS)
            self._kind[0] = 0
            return True
        return kind == _FAULT and self._skip_fault()

    def _only_polls(self, engine: Engine, start: int, now: int) -> bool:
        """Stop the tile if it is proved, in a cycle for a look, that all that is left in it are
        harts that poll."""
        if now != next_look(start):
            return False
        S = self._S
        hart = only_polls(S, self._memory)
        if hart == HARTS or self.waits_for_work():
            return False
        if not is_dead(engine, self._record, self._memory):
            return False
        stop(S, hart, StopKind.STANDSTILL, 0, 0)
        return True

    def _patience_after_proof(self) -> int:
        if not self._host.is_present:
            return 0
        # In `sc` four cycles in which nothing moves are suspicious, with time some hundred.
        return MAX_LOOKS if self._S.schedule.kind == Schedule.SC else LOOKS_WITH_HOST

    def _skip_fault(self) -> bool:
        """Step over the fault that has ended the run, if its policy is not to stop."""
        recorded = self._S.stop
        if not self._faults.skips(recorded.code):
            return False
        hart, pc, code = recorded.hart, recorded.pc, recorded.code
        known = (code, hart, pc) in self._faults.places
        text = "" if known else self._reports.explain_fault(hart, pc, code)
        self._faults.note(self._S, hart, pc, code, text)
        skip_fault(self._S)
        recorded.kind = StopKind.NONE
        return True
