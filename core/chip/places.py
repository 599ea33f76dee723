# SPDX-License-Identifier: Apache-2.0
"""Where tiles are: what each of them knows of the others on its chip.

A place is a column and a row of NoC 0. Where there are several chips, chip N adds 64 * (N + 1) to
the column, which has 6 bits on a NoC: so a place names its chip, and one of a chip alone is as the
pages have it. `of_chip` and `chip_of` are the only ones that know that number. An Ethernet tile has
64 more in its row, one of Wormhole 128: where one chip has it, the other one has a Tensix tile.

Tables are indexed by the number of the kind of chip (core/arch/chips.py).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

from tensix_gdb.core.noc.coordinates import (
    AT_OF,
    COLUMNS_OF,
    FIRST_TENSIX_ROW,
    NOTHING,
    OURSELVES,
    ROWS,
    TENSIX,
)
from tensix_gdb.core.noc.state import NIUS, PLACES

if TYPE_CHECKING:
    from tensix_gdb.core.record.layout import View

Place = tuple[int, int]  # x and y of NoC 0, with the chip
SIDE = 64  # of a NoC, in coordinates
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
# Ethernet tiles by chip and channel. Those of a Blackhole are here in a column without Tensix
# tiles, in which both NoCs lead to the same tile with the same coordinates when translation is on.
# On the chip they are in row 1, where a request of NoC 1 would need coordinates that no NIU of a
# Tensix tile translates (ethernet/cables.py). A Wormhole's are where they are on the chip.
ETHERNET = (
    tuple((8, SIDE + FIRST_TENSIX_ROW + channel) for channel in range(ROWS - FIRST_TENSIX_ROW)),
    tuple((x, 2 * SIDE + y) for y in (0, 6) for x in (9, 1, 8, 2, 7, 3, 6, 4)),
)
_ETHERNET_ON_NOC = tuple({(x, y % SIDE): (x, y) for x, y in own} for own in ETHERNET)


def of_chip(place: Place, chip: int) -> Place:
    """Return a place of NoC 0 on chip `chip` of several."""
    return place[0] % SIDE + SIDE * (chip + 1), place[1]


def chip_of(place: Place) -> int:
    """Return the number of a place's chip, among several; -1 of a chip alone."""
    return place[0] // SIDE - 1


def on_noc(place: Place) -> Place:
    """Return the place as the NoC of its chip has it."""
    return place[0] % SIDE, place[1] % SIDE


def beside(place: Place, near: Place) -> Place:
    """Return a place of NoC 0 on the chip that `near` is on."""
    return place[0] + near[0] // SIDE * SIDE, place[1]


def name_of(place: Place) -> str:
    """Return its name in sentences: `1-2`, `c1.1-2` of the second of several chips, or `c1.e2` of
    the Ethernet tile of channel 2."""
    x, y = on_noc(place)
    chip = chip_of(place)
    name = f"e{channel_of(place)}" if is_ethernet(place) else f"{x}-{y}"
    return name if chip < 0 else f"c{chip}.{name}"


def is_ethernet(place: Place) -> bool:
    """True if the place is that of an Ethernet tile."""
    return place[1] >= SIDE


def channel_of(place: Place) -> int:
    """Return the channel of an Ethernet tile."""
    x, y = place
    return ETHERNET[y // SIDE - 1].index((x % SIDE, y))


def check(places: Collection[Place], chip: int = 0) -> None:
    """ValueError if there can be no Tensix tile."""
    if not places or len(set(places)) != len(places):
        raise ValueError("a chip has one or more tiles, each at a place of its own")
    if min(map(chip_of, places)) < 0 <= max(map(chip_of, places)):
        raise ValueError("a place of a chip alone, and one of several chips")
    for place in places:
        is_there = chip_of(place) >= 0 and place[1] // SIDE == chip + 1
        if not is_there if is_ethernet(place) else on_noc(place) not in TENSIX_PLACES[chip]:
            x, y = on_noc(place)
            raise ValueError(f"there is no Tensix tile at {x}-{y}")


def settle(S: View, here: Place, places: frozenset[Place]) -> None:
    """Tell a tile where it is, and where the others are."""
    from tensix_gdb.core.devices.niu import LOGICAL  # which loads half of the tile

    x, y = on_noc(here)
    S.noc.home = x | y << 6
    for niu in range(NIUS):
        S.niu.word[niu, LOGICAL] = S.noc.home
    chip = int(S.tile.chip)
    kinds = bytearray(_kinds(chip, here[0] // SIDE, places))
    kinds[x + COLUMNS_OF[chip] * y] = OURSELVES + 1
    S.noc.chip.raw[: len(kinds)] = kinds


@cache
def _kinds(chip: int, near: int, places: frozenset[Place]) -> bytes:
    """Return what each place of a chip has, plus 1, as all of its tiles are told; `near` is by how
    many sides it is from the first one."""
    columns = COLUMNS_OF[chip]
    told = bytearray(columns * ROWS)
    own = {on_noc(place) for place in places if place[0] // SIDE == near}
    for x in range(columns):
        for y in range(ROWS):
            kind = AT_OF[PLACES * chip + x + columns * y]
            if (x, y) in own:
                kind = TENSIX
            elif kind == OURSELVES:  # of a tile that is alone
                kind = NOTHING
            told[x + columns * y] = kind + 1
    return bytes(told)


def place_of(chip: int, niu: int, there: int) -> Place:
    """Return the place in NoC 0 of coordinates of NoC `niu`."""
    place = coordinates(chip, niu, (there & 63, there >> 6 & 63))
    return _ETHERNET_ON_NOC[chip].get(place, place)


def coordinates(chip: int, niu: int, place: Place) -> Place:
    """Return the coordinates on NoC `niu` of a place of NoC 0."""
    x, y = on_noc(place)
    return (COLUMNS_OF[chip] - 1 - x, ROWS - 1 - y) if niu else (x, y)
