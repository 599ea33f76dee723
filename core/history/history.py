# SPDX-License-Identifier: Apache-2.0
"""The history of a tile: where it was, and how it gets there again.

    segment 0               segment 1                 segment 2
    kept .. kept .. kept ─┐ kept .. kept ───────────┐ kept .. (the present)
                        input                     input

The execution is deterministic, so between inputs a state is reached again from any state that was
kept (a checkpoint) before it. An input is what a client or host has done while the tile stood
still: writes to memory and registers, a hart resumed after its ebreak, other harts frozen. It need
not be reported: when the tile goes on (`resume`), its state is compared with the one in which it
came to rest (`suspend`), and if they differ, a new segment begins with the state as it is.
Checkpoints inside a segment are thinned: the older, the fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from tensix_gdb.core.history.checkpoints import (
    Checkpoint,
    Position,
    Segment,
    capture,
    is_unchanged,
    position,
    restore,
)
from tensix_gdb.core.history.replay import (
    AT_ONCE,
    CAREFUL,
    SLICE_CYCLES,
    execute_one,
    identity,
    most_at_once,
    run_again,
    run_to_cycle,
    step_over,
    stops,
)
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind

CHECKPOINTS = 64
SEGMENTS = 1024  # inputs; each takes some pages of memory
SHARE = 8  # run so many times as long as a checkpoint takes before the next one
NEAR = 4096  # instructions before the wanted one, where a checkpoint is left for the next time


class HistoryDefect(Exception):
    """A part of the history, run again, does not do what it did: a defect of ours."""


class History:
    """Records from now on. `checkpoints` is how many are kept, beside those after inputs."""

    def __init__(self, machine: Machine, checkpoints: int = CHECKPOINTS) -> None:
        self._machine = machine
        self._most = max(checkpoints, 2)
        self._segments = [Segment([capture(machine)])]
        self._in = 0  # the segment where the tile is
        self._rest: Checkpoint | None = self._segments[0].checkpoints[0]
        self._left: Checkpoint | None = None  # the state in which the tile was when it went on
        # While the last stop is looked for: all that is after this has been seen.
        self._searched: tuple[int, Checkpoint] | None = None
        self._due = 0.0

    # Recording

    @property
    def past(self) -> bool:
        """True if the tile is somewhere where it has been already."""
        is_last = self._in == len(self._segments) - 1
        return not is_last or position(self._machine).before(self.end)

    @property
    def start(self) -> Position:
        """Where the history begins."""
        return self._segments[0].checkpoints[0].at

    @property
    def end(self) -> Position:
        """Where it ends."""
        return self._segments[-1].end

    @property
    def first_cycle(self) -> int:
        """The cycle where it begins."""
        return self.start.cycle

    @property
    def last_cycle(self) -> int:
        """The cycle where it ends."""
        return self.end.cycle

    def count(self) -> int:
        """How many checkpoints there are."""
        return sum(len(segment.checkpoints) for segment in self._segments)

    def suspend(self) -> None:
        """After the tile has come to rest: whatever changes from here on is an input."""
        if self._rest is None:
            self._rest = capture(self._machine, self._segments[self._in].checkpoints[-1])
            if not self.past:
                self._segments[-1].end = self._rest.at

    def truncate_future(self) -> None:
        """Before the tile goes on in the past: if it was changed there, drop what followed."""
        if self._rest is None or not self.past or is_unchanged(self._machine, self._rest):
            return
        del self._segments[self._in + 1 :]
        segment = self._segments[self._in]
        segment.end = self._rest.at
        later = segment.checkpoints[1:]
        segment.checkpoints[1:] = [
            checkpoint for checkpoint in later if checkpoint.at.before(segment.end)
        ]
        self._machine.host.fork()

    def resume(self) -> None:
        """Before the tile goes on for good: note what was changed while it rested."""
        rest, self._rest = self._rest, None
        self._left = rest
        if rest is None or self.past or is_unchanged(self._machine, rest):
            return
        fresh = Segment([capture(self._machine, rest)])
        self._left = fresh.checkpoints[0]
        if fresh.end.before(rest.at):
            self._segments.clear()  # a reset: nothing leads from there to here
        self._segments.append(fresh)
        self._in = len(self._segments) - 1
        self._thin()

    def add_checkpoint_if_due(self) -> None:
        """After some cycles: keep a checkpoint, unless the last one is recent."""
        start = perf_counter()
        if start < self._due or self.past:
            return
        segment = self._segments[-1]
        segment.checkpoints.append(capture(self._machine, segment.checkpoints[-1]))
        segment.end = segment.checkpoints[-1].at
        self._thin()
        now = perf_counter()
        self._due = now + SHARE * (now - start)

    def _thin(self) -> None:
        """Give up the checkpoint that is least missed: near to others, compared with its age.
        Starts of segments cannot be made again: of these the oldest go, and the history is shorter
        then."""
        while len(self._segments) > SEGMENTS:
            del self._segments[0]
            self._in = max(self._in - 1, 0)
        while self.count() - len(self._segments) >= self._most:
            now = self.end.cycle
            _, number, i = min(
                ((after - before) / (now - cycle + 1), number, i)
                for number, segment in enumerate(self._segments)
                for i, (before, cycle, after) in enumerate(segment.gaps(), 1)
            )
            del self._segments[number].checkpoints[i]

    # Forward through what was recorded

    def next_input(self) -> Position | None:
        """In the past: up to where the tile may run before an input has to be made again."""
        if self._in == len(self._segments) - 1:
            return None
        return self._segments[self._in].end

    def replay_input(self) -> bool:
        """Go on after the input, if the tile is at one."""
        limit = self.next_input()
        if limit is None or position(self._machine).before(limit):
            return False
        self._go_to(self._in + 1, self._segments[self._in + 1].checkpoints[0])
        return True

    def pieces(self, first: int, last: int) -> list[tuple[Checkpoint, int]]:
        """From where, and up to which cycles, another tile has to run to go through the cycles
        `first` to `last`; empty if the history has no cycle `first`."""
        found: list[tuple[Checkpoint, int]] = []
        for segment in self._segments:
            start, end = segment.checkpoints[0].at.cycle, segment.end.cycle
            if found or start <= first <= end:
                before = [
                    checkpoint
                    for checkpoint in segment.checkpoints
                    if not found and checkpoint.at.cycle <= first
                ]
                found.append(((before or segment.checkpoints)[-1 if before else 0], min(end, last)))
            if found and end >= last:
                break
        return found

    # Back

    def _go_to(self, segment: int, checkpoint: Checkpoint) -> None:
        self._in, self._rest = segment, None
        restore(self._machine, checkpoint)

    def to_start(self) -> None:
        """Go to where the history begins."""
        self._go_to(0, self._segments[0].checkpoints[0])
        self.suspend()

    def to_present(self) -> None:
        """Go to where the history ends."""
        last = self._segments[-1]
        self._go_to(len(self._segments) - 1, last.checkpoints[-1])
        run_to_cycle(self._machine, last.end.cycle)
        was = None
        while self.past and position(self._machine) != was:
            was = position(self._machine)
            run_again(self._machine, 1, armed=False, in_words=False)
        self.suspend()

    def to_cycle(self, cycle: int) -> bool:
        """Go to the start of a cycle; False when the history has no such cycle."""
        for number in range(len(self._segments) - 1, -1, -1):
            segment = self._segments[number]
            if segment.checkpoints[0].at.cycle <= cycle <= segment.end.cycle:
                before = [
                    checkpoint for checkpoint in segment.checkpoints if checkpoint.at.cycle < cycle
                ]
                self._go_to(number, before[-1] if before else segment.checkpoints[0])
                run_to_cycle(self._machine, cycle)
                self.suspend()
                return True
        return False

    def step_back(self, hart: int, tensix: int | None = None) -> Iterator[bool]:
        """Go to before the last instruction of a hart, or of a Tensix thread if one is named. The
        last answer is False when the history has none, and then the tile is at its start; True
        meanwhile."""

        def executed(at: Position) -> int:
            return at.retired[hart] if tensix is None else at.passed[tensix]

        wanted = executed(position(self._machine)) - 1
        here = self._in, self._here()
        for number in range(self._in, -1, -1):
            for checkpoint in reversed(self._segments[number].checkpoints):
                if executed(checkpoint.at) <= wanted:
                    self._go_to(number, checkpoint)
                    try:
                        yield from self._forward(hart, tensix, wanted, executed)
                    except GeneratorExit:  # an interrupt: it has not gone back
                        self._go_to(*here)
                        raise
                    finally:
                        self.suspend()
                    yield True
                    return
        self.to_start()
        yield False

    def _forward(
        self, hart: int, tensix: int | None, wanted: int, executed: Callable[[Position], int]
    ) -> Iterator[bool]:
        """Go from the checkpoint where the tile is to where so much was executed."""
        machine = self._machine
        here: Checkpoint | None = None
        there = self._segments[self._in].checkpoints[0]
        most = most_at_once(machine, hart, tensix)
        kept = False
        while (left := wanted - executed(position(machine))) > CAREFUL:
            if left > NEAR:
                left -= NEAR // 2
            elif not kept:
                # A client that goes back goes back again: the next time it is not so far.
                self._keep_near()
                kept = True
            # In the schedule `sc` a Tensix thread may do in a cycle whatever there is to do.
            here = capture(machine, here or there) if most > CAREFUL else None
            cycle = machine.S.tile.cycle + min(max((left - 1) // most, 1), SLICE_CYCLES)
            run_to_cycle(machine, cycle)
            if here is not None and executed(position(machine)) > wanted:
                restore(machine, here)
                break
            if machine.S.tile.cycle < cycle:
                break
            yield True
        while (left := wanted - executed(position(machine))) > 0:
            if most > 1 and left <= AT_ONCE:
                here = capture(machine, here or there)
            if not execute_one(machine, hart, tensix):
                break
        if executed(position(machine)) > wanted and here is not None:
            restore(machine, here)  # two instructions went at once

    def _here(self) -> Checkpoint:
        """The state of the tile before it goes back."""
        if self._left is not None and self._left.at == position(self._machine):
            return self._left
        return capture(self._machine, self._segments[self._in].checkpoints[-1])

    def _keep_near(self) -> None:
        """Keep a checkpoint where the tile is, in the past."""
        there = self._segments[self._in].checkpoints
        here = position(self._machine)
        at = next(
            (i for i, checkpoint in enumerate(there) if not checkpoint.at.before(here)), len(there)
        )
        if at and (at == len(there) or here.before(there[at].at)):
            there.insert(at, capture(self._machine, there[at - 1]))
            self._thin()

    def last_stop(self, wanted: Callable[[Stop], bool]) -> Iterator[Stop | None]:
        """Go to the last breakpoint or watchpoint before here that is `wanted`, and give it; of an
        access by a hart, after it. None until then. At the end the tile is at the start. If it is
        given up, by an interrupt, the tile is where no stop is between it and where it was."""
        self._searched = self._in, self._here()
        try:
            yield from self._to_last_stop(wanted)
        except GeneratorExit:
            if self._searched is not None:
                self._go_to(*self._searched)
            raise
        finally:
            self._searched = None
            self.suspend()

    def _to_last_stop(self, wanted: Callable[[Stop], bool]) -> Iterator[Stop | None]:
        limit = position(self._machine)
        for number in range(self._in, -1, -1):
            for checkpoint in reversed(self._segments[number].checkpoints):
                if not checkpoint.at.before(limit):
                    continue
                last: tuple[object, ...] | None = None
                self._go_to(number, checkpoint)
                for stop in stops(self._machine, limit, wanted):
                    if stop is None:
                        yield None
                    else:
                        last = identity(self._machine, stop)
                if last is not None:
                    # `wanted` is not asked again: a condition may give another answer then.
                    self._go_to(number, checkpoint)
                    for stop in stops(self._machine, limit, lambda stop: True):
                        if stop is None:
                            yield None
                        elif identity(self._machine, stop) == last:
                            break
                    else:
                        raise HistoryDefect(f"the stop {last} does not come again")
                    assert stop is not None
                    is_watch = stop.kind is StopKind.WATCH
                    if is_watch and stop.thread is None and not stop.is_over:
                        step_over(self._machine, stop)
                        execute_one(self._machine, stop.hart)
                    self._searched = None
                    self.suspend()
                    yield stop
                    return
                limit = checkpoint.at
                self._searched = number, checkpoint
                self._go_to(number, checkpoint)
                yield None
            limit = self._segments[number - 1].end if number else limit
        self.to_start()
