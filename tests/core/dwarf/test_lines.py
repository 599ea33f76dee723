# SPDX-License-Identifier: Apache-2.0
"""The line table: which addresses are one line's, at its ends too."""

from __future__ import annotations

import pytest

from tensix_gdb.core.dwarf.lines import LineTable, Row


def table(*rows: tuple[int, int]) -> LineTable:
    """Rows of one file by address and line; line 0 ends a sequence."""
    made = LineTable(None, ())
    made.rows = [Row(addr, "a.c", line, True) for addr, line in rows]
    return made


@pytest.mark.parametrize(
    ("pc", "around"),
    [
        (0x100, (0x100, 0x108)),  # the first two rows are one line
        (0x107, (0x100, 0x108)),
        (0x108, (0x108, 0x110)),
        (0x110, (0x110, 0x118)),  # the same line again, elsewhere
        (0x118, (0x118, 0x11C)),  # behind the end: no line
        (0x0FC, (0x0FC, 0x100)),
    ],
)
def test_the_addresses_of_a_line_around_one(pc: int, around: tuple[int, int]) -> None:
    lines = table((0x100, 5), (0x104, 5), (0x108, 6), (0x110, 5), (0x118, 0))
    assert lines.range_at(pc) == around


def test_the_row_at_an_address() -> None:
    lines = table((0x100, 5), (0x104, 6), (0x104, 7), (0x108, 0), (0x108, 9))
    assert [row.line if (row := lines.at(pc)) else None for pc in (0xFC, 0x100, 0x104, 0x108)] == [
        *(None, 5, 7, 9)
    ]
