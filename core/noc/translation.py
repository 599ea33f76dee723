# SPDX-License-Identifier: Apache-2.0
"""Coordinates of a Wormhole as its own firmware lets programs have them (WormholeB0
NoC/Coordinates.md, Coordinate Translation).

The firmware fills two tables of each NIU and turns translation on before a driver comes. Up to 15
coordinates stay as they are, those of either NoC; from 16 on they are the same on both: first the
columns and rows that have no Tensix tiles, then the others in their order. No row is fused off.
"""

from tensix_gdb.core.devices.niu import LOGICAL, NIUS
from tensix_gdb.core.devices.niu import translate as turn_on
from tensix_gdb.core.noc.coordinates import COLUMNS_OF, ROWS, home
from tensix_gdb.core.noc.wormhole import ENTRIES, X_TABLE, Y_TABLE
from tensix_gdb.core.record.layout import View

FIRST = 16  # of the coordinates that are translated
# The page's two tables: the column and the row of NoC 0 of each, from FIRST on.
COLUMNS = (0, 5, 1, 2, 3, 4, 6, 7, 8, 9)
ROWS_OF = (0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11)
assert sorted(COLUMNS) == list(range(COLUMNS_OF[1]))
assert sorted(ROWS_OF) == list(range(ROWS))


def translated(x: int, y: int) -> tuple[int, int]:
    """Return the translated coordinates of a place of NoC 0."""
    return FIRST + COLUMNS.index(x), FIRST + ROWS_OF.index(y)


def untranslated(x: int, y: int) -> tuple[int, int]:
    """Return the coordinates of NoC 0 of what a request of NoC 0 names."""
    return _entry(0, COLUMNS, COLUMNS_OF[1], x), _entry(0, ROWS_OF, ROWS, y)


def _entry(niu: int, table: tuple[int, ...], size: int, number: int) -> int:
    """Return an entry of a table: of 32 and above there is none, and they stay."""
    if number < FIRST or number >= ENTRIES:
        return number
    if number - FIRST >= len(table):
        return 0
    there = table[number - FIRST]
    return size - 1 - there if niu else there


def translate(S: View) -> None:
    """Turn translation on, as the firmware of either chip does before programs run."""
    if S.tile.chip:
        here = home(S, 0)
        x, y = translated(here & 63, here >> 6)
        for niu in range(NIUS):
            for first, table, size in (
                (X_TABLE, COLUMNS, COLUMNS_OF[1]),
                (Y_TABLE, ROWS_OF, ROWS),
            ):
                for word in range(ENTRIES // 8):
                    entries = (_entry(niu, table, size, 8 * word + i) for i in range(8))
                    value = sum(entry << 4 * i for i, entry in enumerate(entries))
                    S.niu.word[niu, first + word] = value
            S.niu.word[niu, LOGICAL] = x | y << 6
    turn_on(S)
