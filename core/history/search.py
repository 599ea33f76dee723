# SPDX-License-Identifier: Apache-2.0
"""Find a moment of a history: the last instruction of a hart, the last stop.

Each is reached from a state before it. Of a chip all tiles are at the same cycle there; only at a
stop the others may be up to a quantum ahead of the one that has stopped, as in any run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Generic

from tensix_gdb.core.history.replay import nothing_counted, step_over
from tensix_gdb.core.history.replayable import Goal, Replayable, StateT, StopT, WholePosition
from tensix_gdb.core.history.segments import Segment
from tensix_gdb.core.stop import StopKind

# Stops after which others get their turn too: to find out whether one is wanted takes time.
MAX_STOPS = 16


class HistoryDefect(Exception):
    """A part of the history, run again, does not do what it did: a defect of ours."""


class Search(Generic[StateT, StopT]):
    """Goes back through `segments`; `go_to` goes to a state of one of them, and `keep` keeps one
    for the next search."""

    def __init__(
        self,
        whole: Replayable[StateT, StopT],
        segments: Sequence[Segment[StateT]],
        go_to: Callable[[int, StateT], None],
        keep: Callable[[StateT], None],
    ) -> None:
        self._whole, self._segments = whole, segments
        self._go_to, self._keep = go_to, keep
        # Where to go if it is given up: all that is after this has been seen. None at its end.
        self.seen: tuple[int, StateT] | None = None

    def begin_at(self, number: int, state: StateT) -> None:
        """Begin where it is."""
        self.seen = number, state

    def back_to(self, number: int, goal: Goal) -> Iterator[bool]:
        """Go back to a goal; the last answer is False where the history has none."""
        limit = self._whole.position()
        for segment in range(number, -1, -1):
            for state in reversed(self._segments[segment].checkpoints):
                if goal.left(state.at) >= 0:
                    self._go_to(segment, state)
                    yield from self._whole.forward(goal, state, limit, self._keep)
                    self.seen = None
                    yield True
                    return
            limit = self._segments[segment].start.at
        self._to_start()
        yield False

    def _to_start(self) -> None:
        self.seen = None
        self._go_to(0, self._segments[0].start)

    def last_stop(self, number: int, wanted: Callable[[StopT], bool]) -> Iterator[StopT | None]:
        """Go to the last stop before here that is wanted, and give it; None until then."""
        limit = self._whole.position()
        for segment in range(number, -1, -1):
            for state in reversed(self._segments[segment].checkpoints):
                if not state.at.before(limit):
                    continue
                last: tuple[object, ...] | None = None
                self._go_to(segment, state)
                for stop in self._stops(limit, wanted):
                    if stop is None:
                        yield None
                    else:
                        last = self._identity(stop)
                if last is not None:
                    yield from self._stop_found(segment, state, limit, last)
                    return
                limit = state.at
                self.seen = segment, state
                self._go_to(segment, state)
                yield None
            limit = self._segments[segment - 1].end if segment else limit
        self._to_start()

    def _stop_found(
        self, segment: int, state: StateT, limit: WholePosition, last: tuple[object, ...]
    ) -> Iterator[StopT | None]:
        """Go from a state to the stop that was found, and give it; None until then. Whether it is
        wanted is not asked again: a condition may give another answer then."""
        self._go_to(segment, state)
        for stop in self._stops(limit, lambda stop: True):
            if stop is None:
                yield None
            elif self._identity(stop) == last:
                _, one = self._whole.stop_of(stop)
                if one.kind is StopKind.WATCH and one.thread is None and not one.is_over:
                    self._whole.finish_access(stop)
                self.seen = None
                yield stop
                return
        raise HistoryDefect(f"the stop {last} does not come again")

    def _identity(self, stop: StopT) -> tuple[object, ...]:
        """Return what tells a stop, where it is now, from all others of its segment."""
        tile, one = self._whole.stop_of(stop)
        at = self._whole.position().of(tile)
        return tile, at, one.kind, one.hart, one.thread, one.pc, one.addr, one.access

    def _stops(
        self, limit: WholePosition, wanted: Callable[[StopT], bool]
    ) -> Iterator[StopT | None]:
        """Give what stops it before a position of its segment; None now and then."""
        whole, asked = self._whole, 0
        was: object = None
        while (here := whole.position()).before(limit):
            with ExitStack() as meanwhile:
                for machine in whole.machines:
                    meanwhile.enter_context(nothing_counted(machine))
                stop = whole.run_again(max(limit.cycle - here.cycle, 1))
            if stop is None:
                yield None
                continue
            tile, one = whole.stop_of(stop)
            there, at = limit.of(tile), whole.position().of(tile)
            if one.kind in (StopKind.BREAK, StopKind.WATCH):
                # Skip an access that has not happened yet at the limit.
                done = one.kind is StopKind.BREAK or one.thread is not None or one.is_over
                done = done or at.retired[one.hart] < there.retired[one.hart]
                if done and at.before(there):
                    if wanted(stop):
                        yield stop
                    asked += 1
                    if asked % MAX_STOPS == 0:
                        yield None
                step_over(whole.machines[tile], one)
            elif one.kind is StopKind.GATE:
                # The instruction is at its gate: it is in the past when it has been issued.
                if at.before(there) and wanted(stop):
                    yield stop
            elif self._identity(stop) == was:
                return  # nothing continues from there
            was = self._identity(stop)
