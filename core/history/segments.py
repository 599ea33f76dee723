# SPDX-License-Identifier: Apache-2.0
"""The segments of a history: each begins with an input, and has the states that are kept of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic

from tensix_gdb.core.history.replayable import StateT, WholePosition
from tensix_gdb.core.machine.loading import Hosted

SEGMENTS = 1024  # inputs; each takes some pages of memory


class Segment(Generic[StateT]):
    """A part of the history without inputs: checkpoints, the first at its start, and where it
    ends. `digest` hashes the state at its end, if that is wanted. `programs` are the files of a
    host in each machine, at its end: by those of an earlier launch its lines are found."""

    def __init__(self, first: StateT, programs: Sequence[Hosted] = ()) -> None:
        self.checkpoints = [first]
        self.end: WholePosition = first.at
        self.digest = ""
        self.programs = programs

    @property
    def start(self) -> StateT:
        """The state at its start."""
        return self.checkpoints[0]

    def cut(self, end: StateT) -> None:
        """End it here, and forget what comes after."""
        self.end, self.digest = end.at, ""
        later = self.checkpoints[1:]
        self.checkpoints[1:] = [
            one for one in later if one.at.cycle <= end.at.cycle and one.at.before(end.at)
        ]

    def insert(self, state: StateT) -> bool:
        """Add a state at its place; False if there is one of this moment."""
        there = self.checkpoints
        i = next((i for i, one in enumerate(there) if not one.at.before(state.at)), len(there))
        if not i or (i < len(there) and not state.at.before(there[i].at)):
            return False
        there.insert(i, state)
        return True

    def gaps(self) -> Iterator[tuple[int, int, int]]:
        """Give of each checkpoint but the first the cycle of the one before, its own, and the cycle
        of the next one, or where the segment ends."""
        cycles = [checkpoint.at.cycle for checkpoint in self.checkpoints]
        after = [*cycles[2:], max(self.end.cycle, cycles[-1])]
        return zip(cycles, cycles[1:], after, strict=False)


def count(segments: list[Segment[StateT]]) -> int:
    """Count the states that are kept."""
    return sum(len(segment.checkpoints) for segment in segments)


def thin(segments: list[Segment[StateT]], most: int) -> None:
    """Give up the checkpoints that are least missed: near to others, compared with their age. The
    starts of segments cannot be made again, and are not counted."""
    while count(segments) - len(segments) >= most:
        now = segments[-1].end.cycle
        _, number, i = min(
            ((after - before) / (now - cycle + 1), number, i)
            for number, segment in enumerate(segments)
            for i, (before, cycle, after) in enumerate(segment.gaps(), 1)
        )
        del segments[number].checkpoints[i]
