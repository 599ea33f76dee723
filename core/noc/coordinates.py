# SPDX-License-Identifier: Apache-2.0
"""Which tile is where on the two networks (BlackholeA0 NoC/Coordinates.md, NoC/README.md).

There are 17 columns and 12 rows; NoC 1 counts both from the other corner. The emulator has one
Tensix tile, the DRAM tiles and the two PCI Express tiles, which lead to the host's memory; there
is nothing else.
"""

COLUMNS, ROWS = 17, 12
TILE_X, TILE_Y = 1, 2  # the first Tensix tile of the chip
FIRST_TENSIX_ROW = 2
# A channel of DRAM has three tiles, which reach the same memory.
_DRAM_ROWS = ((0, 1, 11), (2, 10, 3), (9, 4, 8), (5, 7, 6))
DRAM = tuple(tuple((x, y) for y in rows) for x in (0, 9) for rows in _DRAM_ROWS)
PCIE = ((2, 0), (11, 0))

# What is at a place; a channel of DRAM is DRAM_0 and above.
NOTHING, OURSELVES, HOST, DRAM_0 = 0, 1, 2, 3


def _places() -> tuple[int, ...]:
    places = [NOTHING] * (COLUMNS * ROWS)
    places[TILE_X + COLUMNS * TILE_Y] = OURSELVES
    for x, y in PCIE:
        places[x + COLUMNS * y] = HOST
    for channel, tiles in enumerate(DRAM):
        for x, y in tiles:
            places[x + COLUMNS * y] = DRAM_0 + channel
    return tuple(places)


AT = _places()
HOP_CYCLES, ENDS_CYCLES = 9, 10  # router to router; NIU to router and router to NIU together


def at(niu: int, x: int, y: int) -> int:
    """What is at coordinates of NoC `niu`."""
    if x >= COLUMNS or y >= ROWS:
        return NOTHING
    if niu:
        return AT[COLUMNS - 1 - x + COLUMNS * (ROWS - 1 - y)]
    return AT[x + COLUMNS * y]


def untranslated(niu: int, there: int) -> int:
    """The NoC's own coordinates of a tile when translation is on (Coordinate Translation, there).

    The rows of Tensix tiles then have the coordinates of NoC 0 on both, and rows 0 and 1 keep their
    own. UNSPECIFIED(BlackholeA0 NoC/Coordinates.md): columns 0 and 9, of DRAM, keep their own too;
    drivers of simulators count on it (tt-umd), where the page has other coordinates for DRAM.
    """
    x = there & 63
    y = there >> 6
    if niu == 0 or y < FIRST_TENSIX_ROW or y >= ROWS or x >= COLUMNS or at(niu, x, y) > OURSELVES:
        return there
    return (COLUMNS - 1 - x) | (ROWS - 1 - y) << 6


def home(niu: int) -> int:
    """Our own coordinates as the low bits of an address, x and y of six bits each."""
    if niu:
        return (COLUMNS - 1 - TILE_X) | (ROWS - 1 - TILE_Y) << 6
    return TILE_X | TILE_Y << 6


def way(niu: int, there: int) -> int:
    """Cycles from here to the tile at `there` (x and y of six bits each): one direction on each
    axis, around the edge."""
    here = home(niu)
    columns = ((there & 63) - (here & 63)) % COLUMNS
    rows = ((there >> 6 & 63) - (here >> 6 & 63)) % ROWS
    return ENDS_CYCLES + HOP_CYCLES * (columns + rows)


def way_back(niu: int, there: int) -> int:
    """Cycles from the tile at `there` to here."""
    here = home(niu)
    columns = ((here & 63) - (there & 63)) % COLUMNS
    rows = ((here >> 6 & 63) - (there >> 6 & 63)) % ROWS
    return ENDS_CYCLES + HOP_CYCLES * (columns + rows)
