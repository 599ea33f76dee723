# SPDX-License-Identifier: Apache-2.0
"""Undefined rows of Dst: they are loaded and followed, and stop where they decide."""

from __future__ import annotations

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.regfiles import dst
from tests.core.tensix.drive import ends, refused
from tests.core.tensix.programs import word as assembled
from tests.core.tensix.vector.macros import (
    LOAD_0,
    MAD,
    STORE,
    TIMES_L4,
    configure,
    datum,
    fill,
    step,
)
from tests.core.tensix.vector.pages import bits
from tests.core.tensix.vector.running import FULL, fresh, index_of, run_one
from tests.vectors import both_engines

FIRST_ROW = 0xFF  # the lanes of row 0
LOAD = "SFPLOAD vd=L{}, mod0=BF16"
STORE_AT = "SFPSTORE vd=L{}, mod0=BF16, imm10={}"


def without_row_0() -> Record:
    """A record in which row 0 of Dst16b is undefined, and holds something all the same."""
    record = fresh()
    for row in range(64):
        for column in range(16):
            record.S.dst.bits[row, column] = 0x007F  # 1.0
    both_engines(dst.forget, record, 0)
    return record


def run(record: Record, *texts: str) -> int:
    """The code of the last fault."""
    for text in texts:
        one = assembled(text)
        both_engines(run_one, record, one, index_of(one))
    return int(record.S.stop.code)


def undefined(record: Record, number: int) -> int:
    return int(record.S.vector.undefined[number])


def test_an_undefined_row_is_loaded_as_0_and_marked() -> None:
    record = without_row_0()
    assert run(record, LOAD.format(1)) == 0
    S = record.S
    assert [S.vector.lreg[1, lane] for lane in range(32)] == [0] * 8 + [bits(1.0)] * 24
    assert undefined(record, 1) == FIRST_ROW
    # Another load of the LReg ends that, and so does a constant.
    assert run(record, "SFPLOAD vd=L1, mod0=BF16, imm10=4", LOAD.format(2)) == 0
    assert (undefined(record, 1), undefined(record, 2)) == (0, FIRST_ROW)
    assert run(record, "SFPLOADI vd=L2, mod0=LOWER, imm16=1") == 0
    assert undefined(record, 2) == 0


def test_a_lane_that_is_off_is_not_loaded() -> None:
    record = without_row_0()
    record.S.vector.use_flags = FULL
    record.S.vector.flags = FULL & ~3
    run(record, LOAD.format(1))
    assert undefined(record, 1) == FIRST_ROW & ~3


# fmt: off
# An instruction, LRegs whose row 0 is undefined, LRegs that it leaves so: lanes.
FOLLOWED = [
    ("SFPMAD va=L1, vb=L10, vc=L9, vd=2",            {1: FIRST_ROW}, {2: FIRST_ROW}),
    ("SFPMAD va=L3, vb=L1, vc=L9, vd=2",             {1: FIRST_ROW}, {2: FIRST_ROW}),
    ("SFPMAD va=L3, vb=L10, vc=L1, vd=2",            {1: FIRST_ROW}, {2: FIRST_ROW}),
    ("SFPMAD va=L3, vb=L10, vc=L9, vd=1",            {1: FIRST_ROW}, {1: 0}),
    ("SFPARECIP vc=L1, vd=2",                        {1: FIRST_ROW}, {2: FIRST_ROW}),
    ("SFPARECIP vb=L1, vc=L3, vd=2",                 {1: FIRST_ROW}, {2: 0}),
    ("SFPARECIP vb=L1, vc=L3, vd=2, mod1=COND_RECIP", {1: FIRST_ROW}, {2: FIRST_ROW}),
    ("SFPSETSGN imm1=1, vc=L3, vd=1, mod1=ARG_IMM",  {1: FIRST_ROW}, {1: 0}),
    ("SFPIADD imm12=1, vc=L3, vd=1, mod1=5",         {1: FIRST_ROW}, {1: 0}),
    ("SFPSHFT imm12=1, vc=L1, vd=2, mod1=ARG_IMM",   {1: FIRST_ROW}, {2: 0}),
    ("SFPSHFT vc=L1, vd=2",                          {1: FIRST_ROW}, {2: FIRST_ROW}),
    ("SFPSWAP vc=L1, vd=2",                          {1: FIRST_ROW}, {1: 0, 2: FIRST_ROW}),
    ("SFPSWAP vc=L1, vd=2, mod1=VEC_MIN_MAX",        {1: FIRST_ROW}, {1: FIRST_ROW, 2: FIRST_ROW}),
    ("SFPSWAP vc=L10, vd=1, mod1=VEC_MIN_MAX",       {1: FIRST_ROW}, {1: FIRST_ROW, 10: 0}),
    ("SFPTRANSP",                                    {1: FIRST_ROW}, {0: 0xFF00, 1: 0}),
    ("SFPTRANSP",                                    {6: 0xFF00},    {5: 0xFF0000, 6: 0}),
    ("SFPSHFT2 vc=L1, vd=2, mod1=SUBVEC_SHFLROR1",   {1: 0x181},     {2: 0x203}),
    ("SFPSHFT2 vc=L1, vd=2, mod1=SUBVEC_SHFLSHR1",   {1: 0x181},     {2: 0x202}),
    ("SFPSHFT2 mod1=SUBVEC_CHAINED_COPY4", {0: 0x1200, 2: 1}, {0: 0, 1: 1, 2: 0, 3: 0x12}),
    ("SFPLUT vd=L5",                                 {3: 1, 0: 2},   {5: 3}),
    ("SFPLUTFP32 vd=5",                              {6: 1, 7: 2},   {5: 1}),
    ("SFPCONFIG vd=11",                          {0: 0x101},     {11: 0x01010101}),
    ("SFPMUL va=L3, vb=L10, vc=L9, vd=2, mod1=INDIRECT_VA", {7: 1, 0: 2}, {2: 3}),
]
# fmt: on


@pytest.mark.parametrize(("text", "before", "after"), FOLLOWED, ids=[row[0] for row in FOLLOWED])
def test_what_is_computed_with_it(text: str, before: dict[int, int], after: dict[int, int]) -> None:
    record = fresh()
    for number, lanes in before.items():
        record.S.vector.undefined[number] = lanes
    assert run(record, text) == 0
    assert {number: undefined(record, number) for number in after} == after


def test_a_condition_on_it_leaves_what_is_written_under_it_undefined() -> None:
    """In its own lane alone, and no longer than the condition holds: v_if of a reciprocal."""
    record = fresh()
    S = record.S
    S.vector.undefined[1] = FIRST_ROW
    assert run(record, "SFPENCC imm2=3, mod1=10", "SFPPUSHC", "SFPSETCC vc=L1, mod1=LREG_GTE0") == 0
    assert S.vector.flags_undefined == FIRST_ROW
    assert run(record, "SFPLOADI vd=L2, imm16=1", "SFPMOV vc=L3, vd=4, mod1=ALL_LANES_ENABLED") == 0
    assert (undefined(record, 2), undefined(record, 4)) == (FIRST_ROW, 0)
    assert run(record, "SFPCOMPC", "SFPLOADI vd=L3, imm16=1") == 0
    assert undefined(record, 3) == FIRST_ROW
    assert run(record, "SFPPOPC", "SFPLOADI vd=L2, imm16=1") == 0
    assert (S.vector.flags_undefined, undefined(record, 2)) == (0, 0)


def test_a_store_marks_dst_and_a_load_takes_the_mark_over() -> None:
    record = without_row_0()
    load = "SFPLOAD vd=L2, mod0=BF16, imm10=16"
    assert run(record, LOAD.format(1), STORE_AT.format(1, 16), load) == 0
    S = record.S
    assert (S.dst.from_undefined[16], S.dst.undefined[16]) == (dst.EVEN_COLUMNS, 0)
    assert undefined(record, 2) == FIRST_ROW
    assert run(record, STORE_AT.format(10, 16)) == 0
    assert S.dst.from_undefined[16] == 0


# fmt: off
DECIDING = [
    ("SFPMUL va=L3, vb=L10, vc=L9, vd=2, mod1=INDIRECT_VD", 7, Fault.VECTOR_UNDEFINED),
    ("SFPCONFIG vd=SEQUENCE0",                        0, Fault.VECTOR_UNDEFINED),
    ("SFPCONFIG vd=0, mod1=IMM16_IS_VALUE",   0, Fault.VECTOR_UNDEFINED),
    ("SFPCONFIG vd=MISC, imm16=1, mod1=IMM16_IS_VALUE", 0, 0),
]
# fmt: on


@pytest.mark.parametrize(("text", "number", "code"), DECIDING, ids=[row[0] for row in DECIDING])
def test_where_it_decides(text: str, number: int, code: int) -> None:
    record = fresh()
    record.S.vector.undefined[number] = 1
    assert run(record, text) == code


def test_a_constant_of_two_halves_may_be_configured() -> None:
    """As LLK's kernels prepare SFPLOADMACRO after they have loaded a tile."""
    record = without_row_0()
    halves = ("SFPLOADI vd=L0, mod0=LOWER, imm16=1", "SFPLOADI vd=L0, mod0=UPPER, imm16=2")
    assert run(record, LOAD.format(0), *halves, "SFPCONFIG vd=SEQUENCE0") == 0
    assert record.S.vector.sequence[0, 0] == 0x20001


def test_a_constant_names_an_lreg_for_an_undefined_value() -> None:
    """As `_calculate_reciprocal_fast_8b_3c_` of LLK copies what it has loaded."""
    record = without_row_0()
    name = "SFPLOADI vd=L7, mod0=USHORT, imm16=1"
    copy = "SFPMAD va=L9, vb=L9, vc=L0, vd=2, mod1=INDIRECT_VD"
    assert run(record, name, LOAD.format(0), copy) == 0
    assert (undefined(record, 1), undefined(record, 2)) == (FIRST_ROW, 0)


def test_what_sfploadmacro_schedules_is_executed(tile: Machine) -> None:
    """As LLK's reciprocal runs over a tile of which a reduction has written some rows alone."""
    fill(tile)
    S = tile.record.S
    for row in (1, 5):
        S.dst.undefined[row] = dst.ALL_COLUMNS
    sequence = step(4, 0, by_vb=True) << MAD | step(3, 2) << STORE
    ends(
        tile,
        *configure(tile, [TIMES_L4], sequence),
        *(LOAD_0.format(i, 2 * i) for i in range(4)),
        "SFPNOP",
    )
    for row in range(16):
        for column in range(16):
            times = 0 if row in (1, 5) else 2 if column % 2 == 0 else 1
            if times or column % 2 == 0:
                assert datum(tile, row, column) == bits(1.5 * times * (row * 16 + column + 1))
    marked = [row for row in range(32) if S.dst.from_undefined[row]]
    assert marked == [1, 5]
    assert S.dst.from_undefined[1] == dst.EVEN_COLUMNS


def test_the_sentence(tile: Machine) -> None:
    tile.record.S.dst.undefined[0] = dst.ALL_COLUMNS
    stop = refused(tile, "SFPLOAD vd=L0, mod0=FP32", "SFPCONFIG vd=MISC")
    assert "UnpredictableValueUsed: SFPCONFIG" in stop.text
    assert "undefined rows of Dst decide" in stop.text
