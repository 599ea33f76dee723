# SPDX-License-Identifier: Apache-2.0
"""The conditions of breakpoints in the record: to add or remove one touches no others.

core/debug/conditions.py finds a condition by its address: a bucket holds a chain of places, and a
place holds a chain of programs. The programs of one breakpoint are one `Group` in that chain. All
numbers begin at 1, because 0 ends a chain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.conditions import CODE_BYTES, PLACES, PROGRAMS, bucket_of
from tensix_gdb.core.record.layout import View

SMALLEST = 16  # bytes of code that a program takes at least


@dataclass(eq=False, slots=True)
class Group:
    """The programs of one breakpoint, by number, and its neighbours in the chain of its place."""

    programs: list[int]
    before: Group | None = None
    after: Group | None = None


@dataclass(eq=False, slots=True)
class _Place:
    """An address with conditions: its number, and the group that its chain begins with."""

    number: int
    first: Group | None = None


class ConditionTable:
    """Writes the rows of `S.condition`."""

    def __init__(self, S: View) -> None:
        rows = S.condition
        self._rows = rows
        self._code, self._harts = rows.code.raw, rows.harts.raw
        self._start, self._end, self._next = rows.start.raw, rows.end.raw, rows.next.raw
        self._places: dict[int, _Place] = {}
        self._count = 0
        self._place_numbers, self._program_numbers = Numbers(PLACES), Numbers(PROGRAMS)
        self._room = Blocks(CODE_BYTES, SMALLEST)

    def add(self, addr: int, harts: int, programs: Sequence[bytes]) -> Group | None:
        """Add conditions for `harts` (a bit each) at an address; None when there is no room."""
        place = self._places.get(addr)
        if self._program_numbers.left < len(programs) or not (place or self._place_numbers.left):
            return None
        starts: list[int] = []
        for program in programs:
            at = self._room.reserve(len(program))
            if at is None:
                for start, other in zip(starts, programs, strict=False):
                    self._room.give_back(start, len(other))
                return None
            starts.append(at)
        if place is None:
            place = self._places[addr] = self._new_place(addr)
        group = Group([self._program_numbers.reserve() for _ in programs], after=place.first)
        for number, at, program in zip(group.programs, starts, programs, strict=True):
            self._code[at : at + len(program)] = program
            self._start[number], self._end[number] = at, at + len(program)
            self._harts[number] = harts
        for number, following in pairwise(group.programs):
            self._next[number] = following
        self._next[group.programs[-1]] = place.first.programs[0] if place.first else 0
        if place.first is not None:
            place.first.before = group
        place.first = group
        self._rows.place_program[place.number] = group.programs[0]
        self._counts(len(programs))
        return group

    def remove(self, addr: int, group: Group) -> None:
        """Remove a group that `add` has added at the address."""
        place, after = self._places[addr], group.after
        following = after.programs[0] if after else 0
        if after is not None:
            after.before = group.before
        if group.before is not None:
            group.before.after = after
            self._next[group.before.programs[-1]] = following
        else:
            place.first = after
            self._rows.place_program[place.number] = following
        for number in group.programs:
            self._room.give_back(self._start[number], self._end[number] - self._start[number])
            self._program_numbers.give_back(number)
        self._counts(-len(group.programs))
        if place.first is None:
            self._remove_place(addr)

    def decide(self, addr: int, harts: int) -> None:
        """Let conditions decide about these harts at the address; the others stop in any case."""
        place = self._places.get(addr)
        if place is not None:
            self._rows.place_harts[place.number] = harts

    def activate(self) -> None:
        """Let the loop look here if there is anything."""
        self._rows.active = 1 if self._count or self._rows.ignored else 0

    def _counts(self, more: int) -> None:
        self._count += more
        self._rows.count = self._count
        self.activate()

    def _new_place(self, addr: int) -> _Place:
        rows, bucket = self._rows, bucket_of(addr)
        number = self._place_numbers.reserve()
        rows.place_addr[number], rows.place_harts[number] = addr, 0
        rows.place_next[number] = rows.bucket[bucket]
        rows.bucket[bucket] = number
        return _Place(number)

    def _remove_place(self, addr: int) -> None:
        """Remove a place without conditions; only 48 addresses of L1 share its bucket."""
        rows, bucket = self._rows, bucket_of(addr)
        number = self._places.pop(addr).number
        if rows.bucket[bucket] == number:
            rows.bucket[bucket] = rows.place_next[number]
        else:
            at = rows.bucket[bucket]
            while rows.place_next[at] != number:
                at = rows.place_next[at]
            rows.place_next[at] = rows.place_next[number]
        self._place_numbers.give_back(number)


@dataclass(slots=True)
class Numbers:
    """Numbers from 1 to below `end`, each reserved at most once at a time."""

    end: int
    fresh: int = 1
    returned: list[int] = field(default_factory=list)

    @property
    def left(self) -> int:
        return self.end - self.fresh + len(self.returned)

    def reserve(self) -> int:
        """Reserve a number; one has to be left."""
        if self.returned:
            return self.returned.pop()
        self.fresh += 1
        return self.fresh - 1

    def give_back(self, number: int) -> None:
        self.returned.append(number)


class Blocks:
    """A range of bytes in blocks of 2**n: a block is halved to be small enough, and joined with its
    other half when both are free (buddy allocation). `size` and `smallest` are powers of two."""

    def __init__(self, size: int, smallest: int) -> None:
        self._size, self._smallest = size, smallest
        self._free: dict[int, set[int]] = {size: {0}}
        while size > smallest:
            size //= 2
            self._free[size] = set()

    def reserve(self, length: int) -> int | None:
        """Reserve `length` bytes: the offset, or None without room."""
        size = self._block(length)
        block = size
        while not self._free.get(block, True):
            block *= 2
        if block not in self._free:
            return None
        at = self._free[block].pop()
        while block > size:
            block //= 2
            self._free[block].add(at + block)
        return at

    def give_back(self, at: int, length: int) -> None:
        """Free these bytes, and join the block with its other half as often as that is free."""
        size = self._block(length)
        while size < self._size and at ^ size in self._free[size]:
            self._free[size].remove(at ^ size)
            at &= ~size
            size *= 2
        self._free[size].add(at)

    def _block(self, length: int) -> int:
        return max(self._smallest, 1 << max(length - 1, 0).bit_length())
