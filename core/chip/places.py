# SPDX-License-Identifier: Apache-2.0
"""Where the tiles of a chip are: what each of them knows of the others."""

from __future__ import annotations

from collections.abc import Collection

from tensix_gdb.core.devices.niu import LOGICAL
from tensix_gdb.core.noc.coordinates import (
    AT,
    COLUMNS,
    FIRST_TENSIX_ROW,
    NOTHING,
    OURSELVES,
    ROWS,
    TENSIX,
    TILE_X,
    TILE_Y,
)
from tensix_gdb.core.noc.state import NIUS
from tensix_gdb.core.record.layout import View

Place = tuple[int, int]  # x and y of NoC 0
# NoC/Coordinates.md: columns of DRAM, and the one of ARC and L2 caches.
NOT_TENSIX = (0, 8, 9)


def check(places: Collection[Place]) -> None:
    """ValueError if there can be no Tensix tile."""
    if not places or len(set(places)) != len(places):
        raise ValueError("a chip has one or more tiles, each at a place of its own")
    for x, y in places:
        if x in NOT_TENSIX or not 0 < x < COLUMNS or not FIRST_TENSIX_ROW <= y < ROWS:
            raise ValueError(f"there is no Tensix tile at {x}-{y}")


def settle(S: View, here: Place, places: frozenset[Place]) -> None:
    """Tell a tile where it is, and where the others are."""
    S.noc.home = here[0] | here[1] << 6
    for niu in range(NIUS):
        S.niu.word[niu, LOGICAL] = S.noc.home
    for x in range(COLUMNS):
        for y in range(ROWS):
            kind = AT[x + COLUMNS * y]
            if (x, y) in places:
                kind = OURSELVES if (x, y) == here else TENSIX
            elif (x, y) == (TILE_X, TILE_Y):
                kind = NOTHING
            S.noc.chip[x + COLUMNS * y] = kind + 1


def place_of(niu: int, there: int) -> Place:
    """Return the place in NoC 0 of coordinates of NoC `niu`."""
    x, y = there & 63, there >> 6 & 63
    return (COLUMNS - 1 - x, ROWS - 1 - y) if niu else (x, y)


def coordinates(niu: int, place: Place) -> Place:
    """Return the coordinates on NoC `niu` of a place of NoC 0."""
    x, y = place
    return (COLUMNS - 1 - x, ROWS - 1 - y) if niu else place
