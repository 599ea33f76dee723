# SPDX-License-Identifier: Apache-2.0
"""The history of a tile: where it was, and how it gets there again.

    segment 0               segment 1                 segment 2
    mark .. mark .. mark ─┐ mark .. mark ───────────┐ mark .. (the present)
                        input                     input

The execution is deterministic, so between inputs a state is reached again from any mark before it.
An input is what somebody outside has done while the tile stood still: writes to memory and
registers, a hart let go behind its ebreak, who is held. Nobody has to report it: when the tile goes
on, its state is compared with the one in which it came to rest, and if they differ, a new segment
begins with the state as it is. Marks inside a segment are thinned: the older, the fewer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.history.checkpoints import (
    Mark,
    Position,
    Segment,
    position,
    put_back,
    same,
    take,
)
from tensix_gdb.core.history.replay import blind, one, pass_stop, stops
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.host_service import fork
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind

MARKS = 64
SEGMENTS = 1024  # inputs; each takes some pages of memory
SHARE = 8  # run so many times as long as a mark takes before the next one
CAREFUL = 4  # instructions before the wanted one, from which on a hart goes step by step
AT_ONCE = 4  # .ttinsn are one store, at most; every other instruction has a cycle of its own
NEAR = 4096  # instructions before the wanted one, where a mark is left for the next time
PIECE = 1 << 22  # cycles of a replay after which others get their turn
PASSED = (StopKind.BREAK, StopKind.WATCH, StopKind.STEP)


class History:
    """Records from now on. `marks` is how many states are kept, beside those behind inputs."""

    def __init__(self, machine: Machine, marks: int = MARKS) -> None:
        self._machine = machine
        self._most = max(marks, 2)
        self._segments = [Segment([take(machine)])]
        self._in = 0  # the segment where the tile is
        self._rest: Mark | None = self._segments[0].marks[0]
        self._due = 0.0

    # Recording

    @property
    def past(self) -> bool:
        """Is the tile somewhere where it has been already?"""
        last = len(self._segments) - 1
        return self._in < last or position(self._machine).before(self._segments[last].end)

    @property
    def start(self) -> Position:
        """Where the history begins."""
        return self._segments[0].marks[0].at

    @property
    def end(self) -> Position:
        """Where it ends."""
        return self._segments[-1].end

    def count(self) -> int:
        """How many marks there are."""
        return sum(len(segment.marks) for segment in self._segments)

    def rests(self) -> None:
        """The tile has come to rest; whatever changes from here on is an input."""
        if self._rest is None:
            self._rest = take(self._machine, self._segments[self._in].marks[-1])
            if not self.past:
                self._segments[-1].end = self._rest.at

    def rewrites(self) -> None:
        """Has somebody changed the past? Then what followed it is no more."""
        if self._rest is None or not self.past or same(self._machine, self._rest):
            return
        del self._segments[self._in + 1 :]
        segment = self._segments[self._in]
        segment.end = self._rest.at
        segment.marks[1:] = [m for m in segment.marks[1:] if m.at.before(segment.end)]
        fork(self._machine)

    def goes(self) -> None:
        """The tile goes on from here, for good: note what has been changed while it rested."""
        rest, self._rest = self._rest, None
        if rest is None or self.past or same(self._machine, rest):
            return
        fresh = Segment([take(self._machine, rest)])
        if fresh.end.before(rest.at):
            self._segments.clear()  # a reset: nothing leads from there to here
        self._segments.append(fresh)
        self._in = len(self._segments) - 1
        self._thin()

    def ran(self) -> None:
        """Some cycles have passed: time for a mark?"""
        start = perf_counter()
        if start < self._due or self.past:
            return
        segment = self._segments[-1]
        segment.marks.append(take(self._machine, segment.marks[-1]))
        segment.end = segment.marks[-1].at
        self._thin()
        now = perf_counter()
        self._due = now + SHARE * (now - start)

    def _thin(self) -> None:
        """Give up the mark that is least missed: near to others, compared with its age. Starts of
        segments cannot be made again: of these the oldest go, and the history is shorter then."""
        while len(self._segments) > SEGMENTS:
            del self._segments[0]
            self._in = max(self._in - 1, 0)
        while self.count() - len(self._segments) >= self._most:
            now = self.end.cycle
            _, number, i = min(
                ((after - before.at.cycle) / (now - mark.at.cycle + 1), number, i)
                for number, segment in enumerate(self._segments)
                for i, (before, mark, after) in enumerate(
                    zip(segment.marks, segment.marks[1:], segment.behind(), strict=False), 1
                )
            )
            del self._segments[number].marks[i]

    # Forward through what was recorded

    def next_input(self) -> Position | None:
        """In the past: up to where the tile may run before an input has to be made again."""
        if self._in == len(self._segments) - 1:
            return None
        return self._segments[self._in].end

    def make_input(self) -> bool:
        """Go on behind the input, if the tile is at one."""
        limit = self.next_input()
        if limit is None or position(self._machine).before(limit):
            return False
        self._go_to(self._in + 1, self._segments[self._in + 1].marks[0])
        return True

    # Back

    def _go_to(self, segment: int, mark: Mark) -> None:
        self._in, self._rest = segment, None
        put_back(self._machine, mark)

    def to_start(self) -> None:
        """Go to where the history begins."""
        self._go_to(0, self._segments[0].marks[0])
        self.rests()

    def to_present(self) -> None:
        """Go to where the history ends."""
        last = self._segments[-1]
        self._go_to(len(self._segments) - 1, last.marks[-1])
        blind(self._machine, last.end.cycle)
        was = None
        while self.past and position(self._machine) != was:
            was = position(self._machine)
            self._machine.run(1, blind=True)
        self.rests()

    def to_cycle(self, cycle: int) -> bool:
        """Go to the start of a cycle; False when the history has no such cycle."""
        for number in range(len(self._segments) - 1, -1, -1):
            segment = self._segments[number]
            if segment.marks[0].at.cycle <= cycle <= segment.end.cycle:
                marks = [m for m in segment.marks if m.at.cycle < cycle] or segment.marks[:1]
                self._go_to(number, marks[-1])
                blind(self._machine, cycle)
                self.rests()
                return True
        return False

    def step_back(self, hart: int, tensix: int | None = None) -> Iterator[bool]:
        """Go to before the last instruction of a hart, or of a Tensix thread if one is named. The
        last answer is False when the history has none, and then the tile is at its start; True
        meanwhile."""

        def executed(at: Position) -> int:
            return at.retired[hart] if tensix is None else at.passed[tensix]

        wanted = executed(position(self._machine)) - 1
        for number in range(self._in, -1, -1):
            for mark in reversed(self._segments[number].marks):
                if executed(mark.at) <= wanted:
                    self._go_to(number, mark)
                    yield from self._forward(hart, tensix, wanted, executed)
                    self.rests()
                    yield True
                    return
        self.to_start()
        yield False

    def _forward(
        self, hart: int, tensix: int | None, wanted: int, executed: Callable[[Position], int]
    ) -> Iterator[bool]:
        """From the mark where the tile is to where so much was executed."""
        machine = self._machine
        tracer, machine.tracer = machine.tracer, None
        here: Mark | None = None
        most = self._most_at_once(hart, tensix)
        kept = False
        while (left := wanted - executed(position(machine))) > CAREFUL:
            if left > NEAR:
                left -= NEAR // 2
            elif not kept:
                # Who goes back goes back again: the next time it is not so far.
                self._keep_near()
                kept = True
            # In the schedule `sc` a Tensix thread may do in a cycle whatever there is to do.
            here = take(machine, here) if most > CAREFUL else None
            cycle = machine.S.tile.cycle + min(max((left - 1) // most, 1), PIECE)
            blind(machine, cycle)
            if here is not None and executed(position(machine)) > wanted:
                put_back(machine, here)
                break
            if machine.S.tile.cycle < cycle:
                break
            yield True
        while (left := wanted - executed(position(machine))) > 0:
            if left <= AT_ONCE:
                here = take(machine, here)
            if not one(machine, hart, tensix):
                break
        if executed(position(machine)) > wanted and here is not None:
            put_back(machine, here)  # two instructions went at once
        machine.tracer = tracer

    def _most_at_once(self, hart: int, tensix: int | None) -> int:
        """How many instructions may be executed in one cycle, at most."""
        in_order = self._machine.S.schedule.kind == Schedule.SC
        if tensix is not None:
            return 8 * CAREFUL if in_order else 1
        return 1 if in_order or hart in (B, NC) else AT_ONCE

    def _keep_near(self) -> None:
        """A mark where the tile is, in the past."""
        marks = self._segments[self._in].marks
        here = position(self._machine)
        at = next((i for i, mark in enumerate(marks) if not mark.at.before(here)), len(marks))
        if at and (at == len(marks) or here.before(marks[at].at)):
            marks.insert(at, take(self._machine, marks[at - 1]))
            self._thin()

    def last_stop(self, wanted: Callable[[Stop], bool]) -> Iterator[Stop | None]:
        """Go to the last breakpoint or watchpoint before here that is `wanted`, and give it; of an
        access by a hart, behind it. None until then. At the end the tile is at the start."""
        limit = position(self._machine)
        for number in range(self._in, -1, -1):
            marks = self._segments[number].marks
            for mark in reversed(marks):
                if not mark.at.before(limit):
                    continue
                count = 0
                self._go_to(number, mark)
                for stop in stops(self._machine, limit, wanted):
                    count += stop is not None
                    if stop is None:
                        yield None
                if count:
                    self._go_to(number, mark)
                    for stop in stops(self._machine, limit, wanted):
                        count -= stop is not None
                        if not count and stop is not None:
                            break
                        if stop is None:
                            yield None
                    assert stop is not None
                    if stop.kind is StopKind.WATCH and stop.thread is None:
                        pass_stop(self._machine, stop)
                        one(self._machine, stop.hart)
                    self.rests()
                    yield stop
                    return
                limit = mark.at
                self._go_to(number, mark)
                yield None
            limit = self._segments[number - 1].end if number else limit
        self.to_start()
