# SPDX-License-Identifier: Apache-2.0
"""Where the tiles of a chip are: what each of them knows of the others.

Tables are indexed by the number of the chip (core/arch/chips.py).
"""

from __future__ import annotations

from collections.abc import Collection

from tensix_gdb.core.devices.niu import LOGICAL
from tensix_gdb.core.noc.coordinates import (
    AT_OF,
    COLUMNS_OF,
    NOTHING,
    OURSELVES,
    ROWS,
    TENSIX,
)
from tensix_gdb.core.noc.state import NIUS, PLACES
from tensix_gdb.core.record.layout import View

Place = tuple[int, int]  # x and y of NoC 0
# NoC/Coordinates.md: columns of DRAM, and on Blackhole the one of ARC and L2 caches; rows of
# Ethernet tiles, of DRAM and the host.
NOT_TENSIX = ((0, 8, 9), (0, 5))
NOT_TENSIX_ROWS = ((0, 1), (0, 6))
# Row by row.
TENSIX_PLACES = tuple(
    tuple(
        (x, y)
        for y in range(ROWS)
        for x in range(COLUMNS_OF[chip])
        if x not in NOT_TENSIX[chip] and y not in NOT_TENSIX_ROWS[chip]
    )
    for chip in range(len(COLUMNS_OF))
)


def check(places: Collection[Place], chip: int = 0) -> None:
    """ValueError if there can be no Tensix tile."""
    if not places or len(set(places)) != len(places):
        raise ValueError("a chip has one or more tiles, each at a place of its own")
    for place in places:
        if place not in TENSIX_PLACES[chip]:
            raise ValueError(f"there is no Tensix tile at {place[0]}-{place[1]}")


def settle(S: View, here: Place, places: frozenset[Place]) -> None:
    """Tell a tile where it is, and where the others are."""
    S.noc.home = here[0] | here[1] << 6
    for niu in range(NIUS):
        S.niu.word[niu, LOGICAL] = S.noc.home
    chip = int(S.tile.chip)
    columns = COLUMNS_OF[chip]
    for x in range(columns):
        for y in range(ROWS):
            kind = AT_OF[PLACES * chip + x + columns * y]
            if (x, y) in places:
                kind = OURSELVES if (x, y) == here else TENSIX
            elif kind == OURSELVES:  # of a tile that is alone
                kind = NOTHING
            S.noc.chip[x + columns * y] = kind + 1


def place_of(chip: int, niu: int, there: int) -> Place:
    """Return the place in NoC 0 of coordinates of NoC `niu`."""
    return coordinates(chip, niu, (there & 63, there >> 6 & 63))


def coordinates(chip: int, niu: int, place: Place) -> Place:
    """Return the coordinates on NoC `niu` of a place of NoC 0."""
    x, y = place
    return (COLUMNS_OF[chip] - 1 - x, ROWS - 1 - y) if niu else place
