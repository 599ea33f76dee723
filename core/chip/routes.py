# SPDX-License-Identifier: Apache-2.0
"""The way to the tiles of a request between tiles, in words that compiled code reads as well
(core/noc/deliver.py): numbers of tiles by coordinates, and copies of broadcasts by slot.

A number is there once it has been asked for, so a chip of which two tiles talk costs no more.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from tensix_gdb.core.chip.places import Place, beside, chip_of, place_of
from tensix_gdb.core.noc.columns import (
    COPY_WORDS,
    ROUTE_COPIES,
    ROUTE_DUE,
    ROUTE_NUMBERS,
    ROUTE_WORDS,
    UNKNOWN,
)
from tensix_gdb.core.noc.deliver import SLOTS_OF_TILE, THERE
from tensix_gdb.core.noc.state import NIUS

NO_TILE = UNKNOWN - 1
_SIDE = THERE + 1


class Copies:
    """Words of the copies of one broadcast."""

    def __init__(self, most: int) -> None:
        self._words = array("q", bytes(8 * (1 + COPY_WORDS * most)))
        self.address = self._words.buffer_info()[0]

    def rows(self) -> list[list[int]]:
        """Return the words of each."""
        words = self._words[1 : 1 + COPY_WORDS * self._words[0]].tolist()
        return [words[at : at + COPY_WORDS] for at in range(0, len(words), COPY_WORDS)]

    def put(self, rows: Sequence[Sequence[int]]) -> None:
        """Keep these."""
        words = array("q", (len(rows), *(word for row in rows for word in row)))
        self._words[: len(words)] = words


class Routes:
    """Those of a chip, or of several; `kind` is that of the chip."""

    def __init__(self, places: Sequence[Place], kind: int) -> None:
        self._places, self._kind = places, kind
        self._tiles = {place: number for number, place in enumerate(places)}
        chips = {chip_of(place) for place in places}
        self._numbers = {chip: array("q", [UNKNOWN]) * (NIUS * _SIDE) for chip in chips}
        slots = SLOTS_OF_TILE * len(places)
        self._copies = array("q", bytes(8 * slots))
        self._due = array("q", bytes(16 * slots))
        self._words = array("q", bytes(8 * ROUTE_WORDS * len(places)))
        copies, due = (each.buffer_info()[0] for each in (self._copies, self._due))
        for number, place in enumerate(places):
            at = ROUTE_WORDS * number
            self._words[at + ROUTE_NUMBERS] = self._numbers[chip_of(place)].buffer_info()[0]
            self._words[at + ROUTE_COPIES] = copies + 8 * SLOTS_OF_TILE * number
            self._words[at + ROUTE_DUE] = due
        self.address = self._words.buffer_info()[0]

    def receiver(self, number: int, niu: int, there: int) -> int:
        """Return the number of the tile at coordinates of a NIU; -1 for none."""
        numbers = self._numbers[chip_of(self._places[number])]
        at = niu * _SIDE + (there & THERE)
        if numbers[at] == UNKNOWN:
            place = beside(place_of(self._kind, niu, there), self._places[number])
            numbers[at] = self._tiles.get(place, NO_TILE)
        return max(numbers[at], -1)

    def follow(self, number: int, at: int, copies: Copies | None) -> None:
        """The broadcast in a slot of a tile has these copies; None: it is over."""
        self._copies[SLOTS_OF_TILE * number + at] = 0 if copies is None else copies.address

    def is_followed(self, number: int, at: int) -> bool:
        """True while its copies are under way."""
        return self._copies[SLOTS_OF_TILE * number + at] != 0

    def forget(self) -> None:
        """No broadcast is under way."""
        self._copies[:] = array("q", bytes(8 * len(self._copies)))
