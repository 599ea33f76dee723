# SPDX-License-Identifier: Apache-2.0
"""Requests to rectangles in which tiles are missing: nothing there receives or acknowledges them.

On a card with fewer tiles than the rectangle a kernel that counts acknowledgements waits for ever,
and one that does not continues without that data. So each line that sends one is noted, once. It is
no state of the chip: going back in time keeps what was noted.

A column without a tile between others is not noted. Cards have such columns (DRAM, ARC, Tensix
columns that are fused off), and a driver's rectangles go over them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from tensix_gdb.core.chip.places import TENSIX_PLACES, Place, beside, chip_of, coordinates, on_noc
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.noc.coordinates import covers

MOST = 256  # lines of programs that are noted


@dataclass(frozen=True, slots=True)
class OverHole:
    """An instruction at `pc` of a hart of `sender` that has sent something over `missing`."""

    sender: Place
    hart: int
    pc: int
    missing: tuple[Place, ...]


class Holes:
    """Of all chips: each has tiles of its own."""

    def __init__(self, places: Collection[Place], kind: int) -> None:
        self._kind = kind  # which of CHIPS
        self._where: dict[int, tuple[Place, ...]] = {}  # by chip
        by_chip: dict[int, list[Place]] = {}
        for place in places:
            by_chip.setdefault(chip_of(place), []).append(place)
        for chip, some in by_chip.items():
            missing = self._missing({on_noc(place) for place in some})
            self._where[chip] = tuple(beside(place, some[0]) for place in missing)
        self.noted: dict[OverHole, None] = {}  # in the order of sending
        self._told = 0

    def _missing(self, places: Collection[Place]) -> Iterator[Place]:
        columns, rows = {x for x, _ in places}, [y for _, y in places]
        between = {x for x in range(min(columns), max(columns)) if x not in columns}
        for x, y in TENSIX_PLACES[self._kind]:
            if (x, y) not in places and not (x in between and min(rows) <= y <= max(rows)):
                yield x, y

    def note(self, sender: Place, hart: int, pc: int, niu: int, rectangle: int) -> None:
        """A request leaves for a rectangle, in coordinates of NoC `niu`."""
        there = self._where[chip_of(sender)]
        missing = tuple(
            place for place in there if covers(rectangle, *coordinates(self._kind, niu, place))
        )
        if missing and len(self.noted) < MOST:
            self.noted[OverHole(sender, hart, pc, missing)] = None

    def take_notes(self) -> list[OverHole]:
        """Return the notes since the last call."""
        new, self._told = list(self.noted)[self._told :], len(self.noted)
        return new
