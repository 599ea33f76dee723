# SPDX-License-Identifier: Apache-2.0
"""The history of a tile or a chip: where it was, and how it gets there again.

    segment 0               segment 1                 segment 2
    kept .. kept .. kept ─┐ kept .. kept ───────────┐ kept .. (the present)
                        input                     input

The execution is deterministic, so between inputs a state is reached again from any state that was
kept (a checkpoint) before it. An input is what a client or host has done while all were stopped:
writes to memory and registers, a hart resumed after its ebreak, other harts frozen. It need not be
reported: when the execution continues (`resume`), the state is compared with the one in which it
came to rest (`suspend`). If they differ, a new segment begins with the state as it is. In the past
inputs are made again, until something is changed there: then what followed is forgotten.
Checkpoints inside a segment are thinned: the older, the fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Generic, TypeVar

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.history.replayable import Goal, Replayable, StateT, StopT, WholePosition
from tensix_gdb.core.history.search import Search
from tensix_gdb.core.history.segments import SEGMENTS, Segment, count, thin
from tensix_gdb.core.machine.loading import Hosted

CHECKPOINTS = 64
SHARE = 8  # run so many times as long as a checkpoint takes before the next one

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Past(Generic[StateT]):
    """The way to where an execution is: the state after each input, and the state there;
    `programs` are of each part the files of a host in each machine, at its end."""

    starts: tuple[StateT, ...]
    here: StateT
    programs: tuple[Sequence[Hosted], ...] = ()


class History(Generic[StateT, StopT]):
    """Records from now on. `checkpoints` is how many are kept, beside those after inputs. For a
    recording `note` gets the state with which each segment begins, none is given up, and each
    segment has the hash of its end."""

    def __init__(
        self,
        whole: Replayable[StateT, StopT],
        checkpoints: int = CHECKPOINTS,
        *,
        note: Callable[[StateT], None] | None = None,
    ) -> None:
        self.whole, self._most, self._note = whole, max(checkpoints, 2), note
        self._segments = [Segment(whole.capture(), self._hosted())]
        self._in = 0  # the segment where it is
        self._rest: StateT | None = self._segments[0].start
        self._present: StateT | None = None  # where it was when it left for the past
        self._due = 0.0
        # Machines with programs of another time than clients have been told of, in order.
        self._others: dict[int, None] = {}
        self.ends_at_programs = False  # a run ends where they become others
        if note is not None:
            note(self._segments[0].start)
        self._search = Search(whole, self._segments, self._go_to, self._keep_state)

    # What there is

    @property
    def past(self) -> bool:
        """True if it is somewhere where it has been already."""
        return self._present is not None and (
            self._in < len(self._segments) - 1 or self.whole.position().before(self.end)
        )

    @property
    def end(self) -> WholePosition:
        """Where the history ends."""
        return self._segments[-1].end

    @property
    def first_cycle(self) -> int:
        """The cycle where the history begins."""
        return self._segments[0].start.at.cycle

    @property
    def last_cycle(self) -> int:
        """The cycle where it ends."""
        return self.end.cycle if self.past else max(self.end.cycle, self.whole.cycle)

    def count(self) -> int:
        """Return the number of checkpoints."""
        return count(self._segments)

    def segments(self) -> Iterator[tuple[StateT, int, str]]:
        """Yield for each segment the state at its start, the cycle at its end, and the hash of all
        state there; "" where a tile was at a stop in the middle of a quantum."""
        self.note_inputs()
        for segment in self._segments:
            yield segment.start, segment.end.cycle, segment.digest

    def programs(self) -> Sequence[Sequence[Hosted]]:
        """Return for each segment the files of a host in each machine, at its end."""
        self.note_inputs()
        return [segment.programs for segment in self._segments]

    def take_other(self) -> int | None:
        """Return a machine of which the programs have become those of another time, each once."""
        number = next(iter(self._others), None)
        if number is not None:
            del self._others[number]
        return number

    def past_of_here(self) -> Past[StateT]:
        """Return, at rest, how the execution has come to where it is."""
        here = self.note_inputs()
        segments = self._segments[: self._in + 1]
        return Past(
            tuple(segment.start for segment in segments),
            here,
            (*(segment.programs for segment in segments[:-1]), self._hosted()),
        )

    # Recording

    def suspend(self) -> None:
        """After it has come to rest: whatever changes from here on is an input."""
        if self._rest is not None:
            return
        segment = self._segments[self._in]
        self._rest = self.whole.capture(segment.checkpoints[-1])
        if not self.past:
            self._present = None
            segment.end = self._rest.at
            segment.digest = self._digest()
            segment.programs = self._hosted()

    def _hosted(self) -> Sequence[Hosted]:
        return [machine.loader.hosted_now() for machine in self.whole.machines]

    def _digest(self) -> str:
        return "" if self._note is None else self.whole.hash()

    def truncate_future(self) -> None:
        """Call this before a run in the past: drop what followed if the state was changed."""
        rest = self._rest
        if rest is None or not self.past:
            return
        changed = self.whole.changed_since(rest)
        if changed is None:
            return
        del self._segments[self._in + 1 :]
        segment = self._segments[self._in]
        segment.cut(rest)
        self._present = None
        if self._note is not None:
            self.whole.restore(rest)
            segment.digest = self._digest()
            self.whole.restore(changed)
        for machine in self.whole.machines:
            machine.host.fork()

    def resume(self) -> None:
        """Call this before a run in the present: note what was changed while it rested."""
        rest, self._rest = self._rest, None
        if rest is not None and not self.past:
            self._begin_segment(rest)

    def _begin_segment(self, rest: StateT) -> StateT:
        """Begin one if something was changed since; what the state is now."""
        changed = self.whole.changed_since(rest)
        if changed is None:
            return rest
        if changed.at.before(rest.at):
            self._segments.clear()  # a reset: nothing leads from there to here
        self._segments.append(Segment(changed, self._hosted()))
        self._in = len(self._segments) - 1
        self._thin()
        if self._note is not None:
            self._note(changed)
        return changed

    def note_inputs(self) -> StateT:
        """At rest: what has been changed until now is part of the history. The state here."""
        self.suspend()
        self.truncate_future()
        assert self._rest is not None
        if not self.past:
            self._rest = self._begin_segment(self._rest)
            self._segments[self._in].digest = self._segments[self._in].digest or self._digest()
        return self._rest

    def add_checkpoint_if_due(self) -> None:
        """After some cycles: keep a checkpoint, unless the last one is recent."""
        start = perf_counter()
        if start < self._due or self.past:
            return
        self._present = None
        segment = self._segments[-1]
        segment.checkpoints.append(self.whole.capture(segment.checkpoints[-1]))
        segment.end = segment.checkpoints[-1].at
        self._thin()
        now = perf_counter()
        self._due = now + SHARE * (now - start)

    def _keep_state(self, state: StateT) -> None:
        """Keep a state of the past: the next time the way is not so far."""
        if self._segments[self._in].insert(state):
            self._thin()

    def _thin(self) -> None:
        """Give up what is more than wanted: of the starts of segments the oldest, and the history
        is shorter then, unless it is recorded for a file."""
        while len(self._segments) > SEGMENTS and self._note is None:
            del self._segments[0]
            self._in -= 1
        thin(self._segments, self._most)

    # Forward through what was recorded

    def run(
        self,
        cycles: int,
        run: Callable[[int], StopT | None] | None = None,
        *,
        rests: bool = True,
    ) -> StopT | None:
        """Run for so many cycles, and keep checkpoints; in the past through what was recorded. By
        `run`, if not as usual, which may come back early. If it does not come to rest, nothing may
        be changed after it before `suspend`."""
        whole, end = self.whole, self.whole.cycle + cycles
        self.truncate_future()
        self.resume()
        stop = None
        while stop is None and (left := end - whole.cycle) > 0:
            left, was = self.cycles_to_input(left), whole.cycle
            if self._others and self.ends_at_programs:
                break
            stop = (run or whole.run)(left)
            self.add_checkpoint_if_due()
            if whole.cycle < was + left:
                break
        if rests:
            self.suspend()
        return stop

    def next_input(self) -> WholePosition | None:
        """Return, in the past, up to where it may run before an input has to be made again."""
        if self._in == len(self._segments) - 1:
            return None
        return self._segments[self._in].end

    def replay_input(self) -> bool:
        """Continue after the input, if it is at one."""
        limit = self.next_input()
        if limit is None or not self.whole.has_reached(limit):
            return False
        self._go_to(self._in + 1, self._segments[self._in + 1].start)
        return True

    def cycles_to_input(self, cycles: int) -> int:
        """Return how many of so many cycles may be run at once: in the past, an input that was made
        there is made again when the execution comes to it. The steps that are armed stay so."""
        while (limit := self.next_input()) is not None:
            left = limit.cycle - self.whole.cycle
            if left > 0:
                return min(cycles, left)
            with self.whole.steps_kept():
                if not self.replay_input():
                    return 1
        return cycles

    def pieces(self, first: int, last: int) -> list[tuple[StateT, int]]:
        """From where, and up to which cycles, a copy has to run to go through the cycles `first` to
        `last`; empty if the history has no cycle `first`."""
        found: list[tuple[StateT, int]] = []
        for segment in self._segments:
            start, end = segment.start.at.cycle, segment.end.cycle
            if found or start <= first <= end:
                before = [one for one in segment.checkpoints if one.at.cycle <= first]
                found.append(
                    (before[-1] if before and not found else segment.start, min(end, last))
                )
            if found and end >= last:
                break
        return found

    # Back

    def _leave(self, *, disarms: bool = False) -> None:
        """Leave the present for the past: note inputs, and where it ends. A search has no use for
        steps that are armed."""
        here = self.note_inputs()
        if not self.past:
            self._present = here
        if disarms:
            for machine in self.whole.machines:
                machine.disarm()

    def _go_to(self, segment: int, state: StateT) -> None:
        self._in, self._rest = segment, None
        programs = self._segments[segment].programs
        for number, hosted in enumerate(programs):
            if self.whole.machines[number].loader.put_back(hosted):
                self._others[number] = None
        self.whole.restore(state)

    def to_start(self) -> None:
        """Go to where the history begins."""
        self._leave()
        self._go_to(0, self._segments[0].start)
        self.suspend()

    def to_present(self) -> None:
        """Go to where the history ends."""
        if self._present is not None and self.past:
            present = self._present
            self._go_to(len(self._segments) - 1, present)
            self._rest, self._present = present, None

    def to_cycle(self, cycle: int) -> bool:
        """Go to the start of a cycle; False when the history has no such cycle. In the past nothing
        is noted before: one that has run on without the history just goes back."""
        if self._present is None:
            self.note_inputs()
        for number in range(len(self._segments) - 1, -1, -1):
            segment = self._segments[number]
            if segment.start.at.cycle <= cycle <= segment.end.cycle:
                if self._present is None:
                    self._present = self._rest
                before = [one for one in segment.checkpoints if one.at.cycle < cycle]
                self._go_to(number, before[-1] if before else segment.start)
                self.whole.run_to(cycle)
                self.suspend()
                return True
        return False

    def step_back(self, hart: int, tensix: int | None = None, tile: int = 0) -> Iterator[bool]:
        """Go to before the last instruction of a hart, or of a Tensix thread if one is named. The
        last answer is False when the history has none, and then it is at its start; True
        meanwhile."""
        self._leave(disarms=True)
        goal = Goal(hart, tensix, tile, 0)
        goal = Goal(hart, tensix, tile, goal.executed(self.whole.position()) - 1)
        yield from self._until_given_up(self._search.back_to(self._in, goal))

    def last_stop(self, wanted: Callable[[StopT], bool]) -> Iterator[StopT | None]:
        """Go to the last breakpoint or watchpoint before here that is `wanted`, and give it; of an
        access by a hart, after it. None until then. At the end it is at the start. If it is given
        up, by an interrupt, it is where no stop is between it and where it was."""
        self._leave(disarms=True)
        yield from self._until_given_up(self._search.last_stop(self._in, wanted))

    def _until_given_up(self, search: Iterator[Answer]) -> Iterator[Answer]:
        """Go back by a search; if it is given up, to where it has missed nothing."""
        assert self._rest is not None
        self._search.begin_at(self._in, self._rest)
        try:
            for answer in search:
                if self._search.seen is None:
                    self.suspend()
                yield answer
        except GeneratorExit:
            if self._search.seen is not None:
                self._go_to(*self._search.seen)
            raise
        finally:
            self.suspend()
