# SPDX-License-Identifier: Apache-2.0
"""Undefined rows of Dst: they are loaded and followed, and stop where they decide."""

from __future__ import annotations

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tensix.vector.state import (
    BLOCK_DEST_WR_FROM_SFPU,
    BLOCK_SFPU_RD_FROM_DEST,
    CAPTURE_DEFAULT_DEST_INDEX,
    ENABLE_DEST_INDEX,
    ROW_MASK_SHIFT,
)
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
from tests.core.tensix.vector.running import FULL, fresh, index_of, next_cycle, run_one
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


@pytest.mark.parametrize("of", ["the value", "a condition"])
def test_sfpconfig_stops_before_it_writes(of: str) -> None:
    """With XOR: after the fault is counted, columns that were written would be toggled twice."""
    record = fresh()
    S = record.S
    for lane in range(32):
        S.vector.lreg[0, lane] = 0xFFF
    if of == "the value":
        S.vector.undefined[0] = 1 << 5
    else:
        S.vector.use_flags, S.vector.flags, S.vector.flags_undefined = FULL, FULL, 1 << 5
    assert run(record, "SFPCONFIG vd=MISC, mod1=BITWISE_XOR") == Fault.VECTOR_UNDEFINED
    assert [S.vector.misc[column] for column in range(8)] == [0] * 8
    # A mask without the column asks nothing of it.
    assert run(record, "SFPCONFIG vd=MISC, imm16=0x5, mod1=14") == 0
    assert [S.vector.misc[column] for column in range(8)] == [0xFFF] * 2 + [0] * 6


# fmt: off
# Under flags that are undefined in all lanes: an instruction, what LReg n has after it in lanes.
UNDER_A_CONDITION = [
    ("SFPMOV vc=L3, vd=4",                        {4: FULL, 3: 0}),
    ("SFPMOV vc=L3, vd=4, mod1=ALL_LANES_ENABLED", {4: 0}),
    ("SFPMOV vc=15, vd=4, mod1=FROM_SPECIAL",     {4: FULL}),
    ("SFPSWAP vc=L1, vd=2",                       {1: FULL, 2: FULL, 5: 0}),
    ("SFPSWAP vc=L1, vd=2, mod1=VEC_MIN_MAX",     {1: FULL, 2: FULL, 5: 0}),
    ("SFPSWAP vc=L10, vd=2",                      {10: 0, 2: FULL}),
    ("SFPTRANSP",   {0: ~0xFF, 1: ~0xFF00, 4: ~0xFF, 6: ~0xFF0000, 7: ~0xFF000000}),
    ("SFPMUL va=L3, vb=L10, vc=L9, vd=2, mod1=INDIRECT_VD", {0: ~0xF, 1: 0xF, 2: 0}),
    ("SFPLOAD vd=L1, mod0=BF16",                  {1: FULL, 5: 0}),
    ("SFPLOADI vd=L1",                            {1: FULL}),
]
# fmt: on


@pytest.mark.parametrize("flags", [FULL, 0, 0xFFFF0000], ids=["on", "off", "some"])
@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
@pytest.mark.parametrize(
    ("text", "after"), UNDER_A_CONDITION, ids=[row[0] for row in UNDER_A_CONDITION]
)
def test_what_is_written_under_an_undefined_condition(
    text: str, after: dict[int, int], schedule: Schedule, flags: int
) -> None:
    record = fresh()
    S = record.S
    S.schedule.kind = schedule
    S.vector.use_flags, S.vector.flags, S.vector.flags_undefined = FULL, flags, FULL
    for lane in range(4):
        S.vector.lreg[7, lane] = 1
    assert run(record, text) == 0
    for _ in range(3):
        both_engines(next_cycle, record)
    assert {number: undefined(record, number) for number in after} == {
        number: lanes & FULL for number, lanes in after.items()
    }


def test_the_index_that_a_swap_takes_along() -> None:
    """In lanes with an index, LReg[4 + n] goes with LReg[n]; LReg[4] to LReg[7] do not by
    themselves."""
    for schedule in (Schedule.SC, Schedule.LATENCY):
        record = fresh()
        S = record.S
        S.schedule.kind = schedule
        for column in range(4):
            S.vector.config[column] = 1 << ENABLE_DEST_INDEX
        S.vector.undefined[1] = FULL
        assert run(record, "SFPSWAP vc=L1, vd=L0, mod1=VEC_MIN_MAX") == 0
        for _ in range(3):
            both_engines(next_cycle, record)
        found = [undefined(record, number) for number in (0, 1, 4, 5, 6)]
        assert found == [FULL, FULL, 0x0F0F0F0F, 0x0F0F0F0F, 0]


def test_what_lane_config_switches_off_is_off_whatever_its_flag() -> None:
    record = fresh()
    S = record.S
    S.vector.use_flags, S.vector.flags, S.vector.flags_undefined = FULL, FULL, FULL
    for column in range(8):
        S.vector.config[column] = 1 << ROW_MASK_SHIFT
    assert run(record, "SFPLOADI vd=L1", "SFPMAD va=L3, vb=L10, vc=L9, vd=2") == 0
    assert (undefined(record, 1), undefined(record, 2)) == (FULL ^ FIRST_ROW, FULL ^ FIRST_ROW)
    for column in range(8):
        S.vector.config[column] = 1 << BLOCK_DEST_WR_FROM_SFPU | 1 << BLOCK_SFPU_RD_FROM_DEST
    assert run(record, LOAD.format(3), STORE_AT.format(10, 16)) == 0
    assert (undefined(record, 3), S.dst.from_undefined[16]) == (0, 0)


def test_a_load_captures_an_index_where_it_is_to() -> None:
    record = fresh()
    S = record.S
    S.vector.use_flags, S.vector.flags, S.vector.flags_undefined = FULL, FULL, FULL
    for column in range(4):
        S.vector.config[column] = 1 << ENABLE_DEST_INDEX | 1 << CAPTURE_DEFAULT_DEST_INDEX
    S.vector.config[4] = 1 << CAPTURE_DEFAULT_DEST_INDEX
    assert run(record, LOAD.format(1)) == 0
    assert (undefined(record, 1), undefined(record, 5)) == (FULL, 0x0F0F0F0F)


def test_a_result_that_arrives_where_something_may_be_written_over_it() -> None:
    """SFPLOADI in the second cycle of SFPMAD, under a condition that is undefined in one lane."""
    record = fresh()
    S = record.S
    S.schedule.kind = Schedule.LATENCY
    assert run(record, "SFPMAD va=L3, vb=L10, vc=L9, vd=2") == 0
    both_engines(next_cycle, record)
    S.vector.use_flags, S.vector.flags, S.vector.flags_undefined = FULL, 0, 1
    assert run(record, "SFPLOADI vd=L2, imm16=1") == 0
    both_engines(next_cycle, record)
    assert undefined(record, 2) == 1


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
