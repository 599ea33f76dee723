# SPDX-License-Identifier: Apache-2.0
"""Turn the stop that the record has into the `Stop` that debuggers see."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, B
from tensix_gdb.core.debug.breakpoints import Armed
from tensix_gdb.core.debug.gate_breakpoints import GateArmed
from tensix_gdb.core.debug.resume import StepOver
from tensix_gdb.core.explain.gate_stop import explain_gate, explain_request
from tensix_gdb.core.explain.stop import Places, explain, hart_state
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import AT_GATE, BY_REQUEST, IN_UNPACKER, Stop, StopKind, WatchKind

if TYPE_CHECKING:
    from tensix_gdb.core.race.observer import Observer as RaceObserver

# Looked at for each stop: an enum is found in its class in several times as long.
_KINDS = {int(kind): kind for kind in StopKind}
# A tile stops at the same places again and again, and stops never change.
_stop = lru_cache(maxsize=256)(Stop)


class StopReports:
    """Reports the stops of one tile."""

    def __init__(
        self, S: View, armed: Armed, gates: GateArmed, step_over: StepOver, places: Places
    ) -> None:
        self._S = S
        self._armed, self._gates, self._step_over = armed, gates, step_over
        self._places = places
        self.races: RaceObserver | None = None

    def report_stop(self, *, in_words: bool = True) -> Stop:
        """Report the stop that has ended a run, so that its hart steps over it when it resumes;
        without its text if that is not wanted."""
        stop = self.now(in_words=in_words)
        assert stop is not None
        if stop.thread is None and not stop.is_over:
            self._step_over.note(stop.hart, stop.pc, stop.kind)
        return stop

    def now(self, *, in_words: bool = True) -> Stop | None:
        """Return why the tile has stopped; None when it runs, or was only told to halt."""
        recorded = self._S.stop
        kind, hart, pc = _KINDS[recorded.kind], recorded.hart, recorded.pc
        if kind is StopKind.NONE:
            return None
        if kind is StopKind.RACE:
            return self._at_race()
        if recorded.stream == BY_REQUEST:
            return self._of_request(in_words)
        if recorded.stream >= AT_GATE:
            return self._at_gate(kind, self._thread(), in_words)
        addr: int | None = None
        access: WatchKind | None = None
        if kind is StopKind.WATCH:
            addr, access = self._armed.watched(recorded.b)
        elif kind is StopKind.FAULT:
            addr = recorded.a & 0xFFFFFFFF
        stop = _stop(kind, hart, pc, addr, access, recorded.code)
        if not in_words:
            return stop
        return replace(stop, text=explain(self._S, stop, self._places))

    def _thread(self) -> int:
        """Return the Tensix thread that a stop at a gate is about, or one in an unpacker."""
        recorded = self._S.stop
        if recorded.stream >= IN_UNPACKER:
            return int(recorded.b >> 32)
        return int(recorded.stream) - AT_GATE

    def _at_race(self) -> Stop | None:
        """Report the second access of a new report, with both lines."""
        recorded = self._S.stop
        if self.races is None:
            return None
        report = self.races.report_at(recorded.a)
        sides = [
            f"{side.agent} {side.instruction} in cycle {side.first}, "
            f"{self._places.at(side.hart, side.pc)}"
            for side in (report.earlier, report.later)
        ]
        text = (
            f"{report.verdict.name} {report.number}: {report.words} of {report.place.name}, and "
            f"nothing orders them:\n    {sides[0]}\n    {sides[1]}"
        )
        stream = recorded.stream
        thread = stream - AT_GATE if stream >= AT_GATE else None
        return Stop(StopKind.RACE, recorded.hart, recorded.pc, text=text, thread=thread)

    def _at_gate(self, kind: StopKind, thread: int, in_words: bool) -> Stop:
        """Report a stop of a Tensix thread, which no hart has to step over."""
        recorded = self._S.stop
        addr: int | None = None
        access: WatchKind | None = None
        if kind is StopKind.WATCH:
            watch = self._gates.watches[self._gates.watch_number(recorded.a)]
            addr, access = watch.addr, watch.kind
        elif kind is StopKind.FAULT:
            addr = recorded.a & 0xFFFFFFFF
        stop = Stop(kind, recorded.hart, recorded.pc, addr, access, recorded.code, thread=thread)
        if not in_words:
            return stop
        if kind is StopKind.FAULT:
            return replace(stop, text=explain(self._S, stop, self._places))
        return replace(stop, text=explain_gate(self._S, stop, self._places, self._gates))

    def _of_request(self, in_words: bool) -> Stop:
        """Report an access to watched bytes that a request has made, which is over."""
        recorded = self._S.stop
        watch = self._gates.watches[self._gates.watch_number(recorded.a)]
        hart, pc = recorded.hart, recorded.pc
        stop = Stop(StopKind.WATCH, hart, pc, watch.addr, watch.kind, is_over=True)
        if not in_words:
            return stop
        return replace(stop, text=explain_request(self._S, stop, self._places, self._gates))

    def explain_fault(self, hart: int, pc: int, code: int) -> str:
        """Explain a fault that no client is stopped for."""
        return explain(self._S, Stop(StopKind.FAULT, hart, pc, code=code), self._places)

    def all_paused(self) -> Stop:
        """Report that no hart can continue, and why."""
        states = (
            f"{HART_NAMES[hart]} {hart_state(self._S, hart, self._places)}" for hart in range(HARTS)
        )
        text = f"no hart can continue: {'; '.join(states)}"
        return Stop(StopKind.ALL_PAUSED, B, int(self._S.hart.pc[B]), text=text)
