# SPDX-License-Identifier: Apache-2.0
"""Requests to rectangles in which tiles are missing: nothing there receives or acknowledges them.

On a card with fewer tiles than the rectangle a kernel that counts acknowledgements waits for ever,
and one that does not continues without that data. So each line that sends one is noted, once. It is
no state of the chip: going back in time keeps what was noted.

A column without a tile between others is not noted. Cards have such columns (DRAM, ARC, Tensix
columns that are fused off), and a driver's rectangles go over them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tensix_gdb.core.chip.places import TENSIX_PLACES, Place, coordinates
from tensix_gdb.core.noc.broadcast import covers

MOST = 256  # lines of programs that are noted


@dataclass(frozen=True, slots=True)
class OverHole:
    """An instruction at `pc` of a hart of `sender` that has sent something over `missing`."""

    sender: Place
    hart: int
    pc: int
    missing: tuple[Place, ...]


class Holes:
    """Of one chip."""

    def __init__(self, places: Collection[Place], chip: int) -> None:
        self._chip = chip
        columns, rows = {x for x, _ in places}, [y for _, y in places]
        between = {x for x in range(min(columns), max(columns)) if x not in columns}
        self._where = tuple(
            (x, y)
            for x, y in TENSIX_PLACES[chip]
            if (x, y) not in places and not (x in between and min(rows) <= y <= max(rows))
        )
        self.noted: dict[OverHole, None] = {}  # in the order of sending
        self._told = 0

    def note(self, sender: Place, hart: int, pc: int, niu: int, rectangle: int) -> None:
        """A request leaves for a rectangle, in coordinates of NoC `niu`."""
        missing = tuple(
            place
            for place in self._where
            if covers(rectangle, *coordinates(self._chip, niu, place))
        )
        if missing and len(self.noted) < MOST:
            self.noted[OverHole(sender, hart, pc, missing)] = None

    def take_notes(self) -> list[OverHole]:
        """Return the notes since the last call."""
        new, self._told = list(self.noted)[self._told :], len(self.noted)
        return new
