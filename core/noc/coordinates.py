# SPDX-License-Identifier: Apache-2.0
"""The places of tiles on the two networks (BlackholeA0 NoC/Coordinates.md, NoC/README.md).

There are 17 columns and 12 rows; NoC 1 counts both from the other corner. There are the DRAM tiles
and the two PCI Express tiles, which lead to the host's memory. A tile alone is the first Tensix
tile of the chip, and there is nothing else; of several (core/chip), each knows where it is itself
and where the others are.

Wormhole has 10 columns, other places of DRAM and of its one PCI Express tile (WormholeB0
NoC/Coordinates.md), and translates by tables in its NIUs (core/noc/wormhole.py). Tables by chip are
indexed by `S.tile.chip`; names without one are Blackhole's.
"""

from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.noc.state import PLACES
from tensix_gdb.core.record.layout import View

COLUMNS, ROWS = 17, 12  # every chip has 12 rows
COLUMNS_OF = (COLUMNS, 10)
TILE_X, TILE_Y = 1, 2  # the first Tensix tile of the chip
HOME_OF = (TILE_X | TILE_Y << 6, 1 | 1 << 6)  # by chip
FIRST_TENSIX_ROW = 2
# A channel of DRAM has three tiles, which reach the same memory.
_DRAM_ROWS = ((0, 1, 11), (2, 10, 3), (9, 4, 8), (5, 7, 6))
DRAM = tuple(tuple((x, y) for y in rows) for x in (0, 9) for rows in _DRAM_ROWS)
PCIE = ((2, 0), (11, 0))
# The same of Wormhole: a tile of DRAM has both channels of its group.
WORMHOLE_DRAM = (
    ((0, 0), (0, 1), (0, 11)),
    ((0, 5), (0, 6), (0, 7)),
    ((5, 0), (5, 1), (5, 11)),
    ((5, 2), (5, 9), (5, 10)),
    ((5, 3), (5, 4), (5, 8)),
    ((5, 5), (5, 6), (5, 7)),
)
WORMHOLE_PCIE = (0, 3)

# With translation on, ports of channels 0 to 3 are in the first of these columns, from row 12 on.
TRANSLATED_DRAM_X = 17
TRANSLATED_DRAM = tuple(x | y << 6 for tiles in DRAM for x, y in tiles)
TRANSLATED_PCIE, PCIE_0 = 19 | 24 << 6, PCIE[0][0] | PCIE[0][1] << 6

# What is at a place; a channel of DRAM is DRAM_0 and above.
NOTHING, OURSELVES, HOST, DRAM_0 = 0, 1, 2, 3
TENSIX = DRAM_0 + len(DRAM)  # another Tensix tile


def _places() -> tuple[int, ...]:
    places = [NOTHING] * (COLUMNS * ROWS)
    places[TILE_X + COLUMNS * TILE_Y] = OURSELVES
    for x, y in PCIE:
        places[x + COLUMNS * y] = HOST
    for channel, tiles in enumerate(DRAM):
        for x, y in tiles:
            places[x + COLUMNS * y] = DRAM_0 + channel
    return tuple(places)


def _wormhole_places() -> tuple[int, ...]:
    places, columns = [NOTHING] * PLACES, COLUMNS_OF[1]
    places[1 + columns] = OURSELVES
    x, y = WORMHOLE_PCIE
    places[x + columns * y] = HOST
    for group, tiles in enumerate(WORMHOLE_DRAM):
        for x, y in tiles:
            places[x + columns * y] = DRAM_0 + group
    return tuple(places)


AT = _places()
AT_OF = (*AT, *_wormhole_places())  # PLACES for each chip
assert len(AT) == PLACES
HOP_CYCLES = cost(
    "noc.hop", 9, "cycles", "from one router to the next", source="NoC/README.md",
    trust=Trust.PAGE, note="a card: 8.38 for each hop of a round trip (mesham/tt-sim, nocbench)",
)  # fmt: skip
ENDS_CYCLES = cost(
    "noc.ends", 10, "cycles", "from NIU to router and from router to NIU together",
    source="NoC/README.md", trust=Trust.PAGE,
)  # fmt: skip


def at(S: View, niu: int, x: int, y: int) -> int:
    """Return what is at coordinates of NoC `niu`; NOTHING outside the grid."""
    chip = S.tile.chip
    if x >= COLUMNS_OF[chip] or y >= ROWS:
        return NOTHING
    place = x + COLUMNS_OF[chip] * y
    if niu:
        place = COLUMNS_OF[chip] * (ROWS - y) - 1 - x
    there = S.noc.chip[place]
    return there - 1 if there else AT_OF[PLACES * chip + place]


def untranslated(S: View, niu: int, there: int) -> int:
    """Return the NoC's own coordinates of a tile when translation is on (Coordinate Translation,
    there).

    The rows of Tensix tiles then have the coordinates of NoC 0 on both, and rows 0 and 1 keep their
    own. DRAM has columns 17 and 18; the PCI Express tile in use has a place of its own, and is the
    first one, as on a p150. UNSPECIFIED(BlackholeA0 NoC/Coordinates.md): columns 0 and 9,
    of DRAM, keep their own too where they mean no Tensix tile; drivers of simulators count on it
    (tt-umd), where the page has other coordinates for DRAM.
    """
    x = there & 63
    y = there >> 6
    if TRANSLATED_DRAM_X <= x < TRANSLATED_DRAM_X + 2 and y >= ROWS and y < 2 * ROWS:
        place = TRANSLATED_DRAM[ROWS * (x - TRANSLATED_DRAM_X) + y - ROWS]
        return mirrored(place) if niu else place
    if there == TRANSLATED_PCIE:
        return mirrored(PCIE_0) if niu else PCIE_0
    if niu == 0 or y < FIRST_TENSIX_ROW or y >= ROWS or x >= COLUMNS:
        return there
    place = at(S, niu, x, y)
    if place > OURSELVES and place != TENSIX:
        tile = at(S, 0, x, y)
        if tile != OURSELVES and tile != TENSIX:
            return there
    return (COLUMNS - 1 - x) | (ROWS - 1 - y) << 6


def mirrored(place: int) -> int:
    """Return the coordinates on NoC 1 of a tile with these on NoC 0."""
    return (COLUMNS - 1 - (place & 63)) | (ROWS - 1 - (place >> 6)) << 6


def home(S: View, niu: int) -> int:
    """Our own coordinates as the low bits of an address, x and y of six bits each."""
    here = S.noc.home if S.noc.home else HOME_OF[S.tile.chip]
    if niu:
        return (COLUMNS_OF[S.tile.chip] - 1 - (here & 63)) | (ROWS - 1 - (here >> 6)) << 6
    return here


def way(S: View, niu: int, there: int) -> int:
    """Return cycles from here to the tile at `there` (x and y of six bits each): one direction on
    each axis, around the edge."""
    return cycles_between(S, home(S, niu), there)


def way_back(S: View, niu: int, there: int) -> int:
    """Return cycles from the tile at `there` to here."""
    return cycles_between(S, there, home(S, niu))


def cycles_between(S: View, here: int, there: int) -> int:
    """Return cycles from one tile to another one."""
    columns = ((there & 63) - (here & 63)) % COLUMNS_OF[S.tile.chip]
    rows = ((there >> 6 & 63) - (here >> 6 & 63)) % ROWS
    return ENDS_CYCLES + HOP_CYCLES * (columns + rows)


# Rectangles of a multicast (NoC/MemoryMap.md, NOC_TARG_ADDR, NOC_RET_ADDR): the end in bits 0:11,
# the start in bits 12:23. A span runs from its start in the direction of the NoC, around the edge
# if its end is before its start. What is no Tensix tile has opted out, and so has a tile that its
# own ROUTER_CFG_1 or _3 names. A place without a tile is as if its tile were fused off: it receives
# and acknowledges nothing.

EXCLUDE = 11  # NOC_BRCST_EXCLUDE among the registers of an initiator


def in_span(value: int, start: int, end: int) -> int:
    """True if it is in the span of a rectangle on one axis."""
    if start <= end:
        return 1 if start <= value <= end else 0
    return 1 if value <= end or value >= start else 0


def covers(rectangle: int, x: int, y: int) -> int:
    """True if the rectangle has that place."""
    if not in_span(x, rectangle >> 12 & 63, rectangle & 63):
        return 0
    return in_span(y, rectangle >> 18 & 63, rectangle >> 6 & 63)


def has_tile(S: View, niu: int, rectangle: int) -> int:
    """True if there is a Tensix tile in the rectangle."""
    for x in range(COLUMNS_OF[S.tile.chip]):
        for y in range(ROWS):
            if covers(rectangle, x, y):
                place = at(S, niu, x, y)
                if place == TENSIX or place == OURSELVES:
                    return 1
    return 0
