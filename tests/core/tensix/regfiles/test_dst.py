# SPDX-License-Identifier: Apache-2.0
"""Where rows of Dst are, what is undefined, and both views of the same storage (Dst.md)."""

from __future__ import annotations

import pytest

from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tensix.vector.address import first_of_four
from tests.forms import rounds, some
from tests.vectors import both_engines

REMAP, SWIZZLE = dst.REMAP_ADDRS, dst.SWIZZLE_32B


@pytest.fixture
def record() -> Record:
    return Record(LAYOUT)


def rotated(r: int) -> int:
    """Adj16 in other words: bits 5, 4, 3 of the row become bits 4, 3, 5."""
    return (r & 0x3C7) | ((r >> 5) & 1) << 4 | ((r >> 4) & 1) << 3 | ((r >> 3) & 1) << 5


@pytest.mark.parametrize("remap", [0, REMAP])
def test_adj16(record: Record, remap: int) -> None:
    for bank in range(2):
        record.S.config.word[bank, dst.ACCESS_WORD] = remap
    asked = some(range(1024), 9)
    rows = [both_engines(dst.row16, record, 0, r) for r in asked]
    assert len(set(rows)) == len(asked)
    assert rows == [rotated(r) if remap else r for r in asked]


# Evaluated by hand from the expressions of Dst.md for single bits of the row.
ADJ32 = {
    0: {1: 1, 2: 2, 4: 4, 8: 16, 16: 32, 32: 64, 256: 512, 512: 512},
    SWIZZLE: {1: 1, 2: 2, 4: 16, 8: 4, 16: 48, 32: 64, 256: 512, 512: 512},
    REMAP: {1: 1, 2: 2, 4: 4, 8: 64, 16: 16, 32: 32, 256: 512, 512: 512},
}


@pytest.mark.parametrize("access", ADJ32)
def test_adj32(record: Record, access: int) -> None:
    for bank in range(2):
        record.S.config.word[bank, dst.ACCESS_WORD] = access
    for row, at in ADJ32[access].items():
        assert both_engines(dst.row32, record, 2, row) == at, row
    asked = some(range(1024), 9)
    both = [both_engines(dst.row32, record, 0, r) for r in asked]
    # Rows of 32 bits are half as many: their number does not have bit 3 of what is asked.
    assert len(set(both)) == (512 if len(asked) == 1024 else len({r & 511 for r in asked}))
    assert not any(at & dst.LOW for at in both)


@pytest.mark.parametrize("wide", [0, 1])
@pytest.mark.parametrize("access", [0, SWIZZLE, REMAP, SWIZZLE | REMAP])
def test_groups_of_four_rows_stay_together(record: Record, access: int, wide: int) -> None:
    """So the Vector Unit asks for the place of the first."""
    for bank in range(2):
        record.S.config.word[bank, dst.ACCESS_WORD] = access
    place = dst.row32 if wide else dst.row16
    for row in range(0, 1024, rounds(9, 5)):
        first = both_engines(first_of_four, record, 0, row, wide)
        assert first + row % 4 == both_engines(place, record, 0, row), row


def test_32_bits_are_two_rows(record: Record) -> None:
    both_engines(dst.write32, record, 32, 5, 0x12345678)
    assert (record.S.dst.bits[32, 5], record.S.dst.bits[40, 5]) == (0x1234, 0x5678)
    assert both_engines(dst.read32, record, 32, 5) == 0x12345678


def test_what_zeroacc_marks_reads_as_0_until_it_is_written(record: Record) -> None:
    both_engines(dst.write32, record, 16, 3, 0xFFFFFFFF)
    both_engines(dst.forget, record, 16)
    assert both_engines(dst.read32, record, 16, 3) == 0
    assert both_engines(dst.undefined, record, 16) == 0xFFFF
    both_engines(dst.write32, record, 16, 3, 7)
    assert both_engines(dst.read32, record, 16, 3) == 7
    assert both_engines(dst.undefined, record, 16) == 0xFFF7, "the other columns still are"
    both_engines(dst.define32, record, 16, dst.ALL_COLUMNS)
    assert both_engines(dst.undefined, record, 16) == 0


HIGH, LOW = 16, 24  # rows of DstBits with the two halves of row 8 of Dst32b


@pytest.mark.parametrize(
    ("forgotten", "written", "wide", "narrow"),
    [
        ((), (), 0x11112222, (0x1111, 0x2222)),
        ((HIGH,), (), 0, (0, 0x2222)),
        ((LOW,), (), 0x11112222, (0x1111, 0)),
        ((HIGH, LOW), (), 0, (0, 0)),
        ((HIGH, LOW), (HIGH,), 0x33332222, (0x3333, 0)),  # defined, with the old low half
        ((HIGH, LOW), (LOW,), 0, (0, 0x3333)),  # still undefined
        ((HIGH, LOW), (LOW, HIGH), 0x33333333, (0x3333, 0x3333)),
        ((HIGH,), (LOW,), 0, (0, 0x3333)),
        ((LOW,), (HIGH,), 0x33332222, (0x3333, 0)),
    ],
)
def test_zeroacc_and_the_other_width(
    forgotten: tuple[int, ...],
    written: tuple[int, ...],
    wide: int,
    narrow: tuple[int, int],
    record: Record,
) -> None:
    """Dst.md, 093af91: Dst32b consults DstRowValid of the high halves' row and of no other."""
    both_engines(dst.write32, record, HIGH, 3, 0x11112222)
    for at in forgotten:
        both_engines(dst.forget, record, at)
    for at in written:
        both_engines(dst.write16, record, at, 3, 0x3333)
    assert both_engines(dst.read32, record, HIGH, 3) == wide
    assert tuple(both_engines(dst.read16, record, at, 3) for at in (HIGH, LOW)) == narrow


def test_32_bits_leave_the_low_row_undefined_for_16(record: Record) -> None:
    """A write of 32 bits makes the high halves' row valid, and no other."""
    for at in (HIGH, LOW):
        both_engines(dst.forget, record, at)
    both_engines(dst.write32, record, HIGH, 3, 0x11112222)
    assert both_engines(dst.read32, record, HIGH, 3) == 0x11112222
    assert both_engines(dst.read16, record, LOW, 3) == 0
    both_engines(dst.recall, record, LOW)
    assert both_engines(dst.read16, record, LOW, 3) == 0x2222


def test_dst16b_in_dst32b(record: Record) -> None:
    """Bit 11 of DBG_FEATURE_DISABLE: rows of 16 bits are the high halves of those of 32."""
    record.S.tile_control.feature_disable = dst.DST16B_IN_DST32B
    assert both_engines(dst.row16, record, 0, 8) == 16
    record.S.dst.bits[24, 1] = 0xABCD
    both_engines(dst.write16, record, 16, 1, 0x1234)
    assert both_engines(dst.read32, record, 16, 1) == 0x12340000
    record.S.dst.bits[24, 2] = 0xABCD
    both_engines(dst.define16, record, 16, 4)
    assert record.S.dst.bits[24, 2] == 0


def test_rows_wrap_around(record: Record) -> None:
    assert both_engines(dst.row16, record, 0, 1024 + 5) == 5
