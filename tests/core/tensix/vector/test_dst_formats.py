# SPDX-License-Identifier: Apache-2.0
"""SFPLOAD and SFPSTORE in every format, by the tables of their pages, on both engines."""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tensix.vector import address
from tests.core.tensix.vector.pages import bits
from tests.core.tensix.vector.running import FULL, fresh, index_of, run_one
from tests.vectors import both_engines

LOAD, STORE = 0x70 << 24, 0x72 << 24
ODD = 2  # in Imm10


def word(opcode: int, vd: int, mod0: int, imm10: int = 0) -> int:
    return opcode | vd << 20 | mod0 << 16 | imm10


def run(record: Record, one: int) -> int:
    both_engines(run_one, record, one, index_of(one))
    return int(record.S.stop.code)


def lreg(record: Record, number: int) -> list[int]:
    return [int(record.S.vector.lreg[number, lane]) for lane in range(32)]


def fill(record: Record, value: int) -> None:
    for row in range(64):
        for column in range(16):
            record.S.dst.bits[row, column] = value


# fmt: off
# Format, datum of 16 bits in Dst, what is loaded over 0xAAAABBBB.
LOADED_16 = [
    (address.FP16,      0x000F,                bits(1.0)),      # exponent 15
    (address.FP16,      0x8000 | 1 << 5 | 31,  bits(-65536.0) | 1 << 13),
    (address.FP16,      0x7FFF,                143 << 23 | 0x3FF << 13),
    (address.FP16,      0x0020,                1 << 13),        # another denormal
    (address.BF16,      0x807F,                bits(-1.0)),
    (address.BF16,      0x7FFF,                0x7FFF0000),
    (address.INT8,      0x8000 | 0x1FF << 5,   0x800000FF),
    (address.INT8_COMP, 0x8000 | 0x3FF << 5,   0x800003FF),
    (address.INT16,     0x8005,                0x80000005),
    (address.UINT16,    0x8005,                0x00008005),
    (address.LO16,      0x8005,                0x00008005),
    (address.HI16,      0x8005,                0x80050000),
    (address.LO16_ONLY, 0x8005,                0xAAAA8005),
    (address.HI16_ONLY, 0x8005,                0x8005BBBB),
    (address.ZERO,      0x8005,                0),
]
# Format, what an LReg holds, the datum of 16 bits in Dst.
STORED_16 = [
    (address.FP16,      bits(1.0),       0x000F),
    (address.FP16,      0x7FC00000,      0x7FFF),               # NaN becomes the largest
    (address.FP16,      bits(-1e-20),    0x8000),
    (address.BF16,      0xBF80FFFF,      0x807F),               # towards zero
    (address.BF16,      0x80000001,      0x8000),
    (address.INT8,      0x80000405,      0x8000 | 5 << 5 | 16),
    (address.INT8_COMP, 0x000003FF,      0x3FF << 5 | 16),
    (address.INT16,     0x8000FFFF,      0xFFFF),
    (address.UINT16,    0x12345678,      0x5678),
    (address.LO16_ONLY, 0x12345678,      0x5678),
    (address.HI16_ONLY, 0x12345678,      0x1234),
    (address.ZERO,      0x12345678,      0),
]
WIDE = [
    (address.FP32,      bits(-1.5),      0x8000 | 0x40 << 8 | 0x7F, 0),
    (address.INT32,     0x00000001,      0, 1),
    (address.INT32_SM,  0x80000007,      0x8000, 7),
    (address.INT32_ALL, 0x7FFFFFFF,      0x7FFF, 0xFFFF),
]
# fmt: on


@pytest.mark.parametrize(("mod0", "datum", "value"), LOADED_16)
def test_loads_of_16_bits(mod0: int, datum: int, value: int) -> None:
    record = fresh()
    fill(record, datum)
    for lane in range(32):
        record.S.vector.lreg[2, lane] = 0xAAAABBBB
    assert run(record, word(LOAD, 2, mod0)) == 0
    assert lreg(record, 2) == [value] * 32


def test_the_largest_fp16_is_infinite_if_configured() -> None:
    record = fresh()
    fill(record, 0xFFFF)
    record.S.vector.config[0] = 1  # ENABLE_FP16A_INF
    run(record, word(LOAD, 1, address.FP16))
    assert lreg(record, 1)[:2] == [0xFF800000, 1 << 31 | 143 << 23 | 0x3FF << 13]


@pytest.mark.parametrize(("mod0", "value", "datum"), STORED_16)
def test_stores_of_16_bits(mod0: int, value: int, datum: int) -> None:
    record = fresh()
    fill(record, 0x1111)
    for lane in range(32):
        record.S.vector.lreg[3, lane] = value
    run(record, word(STORE, 3, mod0, ODD))
    for row in range(5):
        found = [int(record.S.dst.bits[row, column]) for column in range(16)]
        assert found == ([0x1111, datum] * 8 if row < 4 else [0x1111] * 16)


@pytest.mark.parametrize(("mod0", "value", "high", "low"), WIDE)
def test_32_bits(mod0: int, value: int, high: int, low: int) -> None:
    record = fresh()
    for lane in range(32):
        record.S.vector.lreg[3, lane] = value
    run(record, word(STORE, 3, mod0))
    assert (record.S.dst.bits[0, 0], record.S.dst.bits[8, 0]) == (high, low)
    run(record, word(LOAD, 4, mod0))
    assert lreg(record, 4) == [value] * 32


@pytest.mark.parametrize(
    ("mod0", "high", "low"), [(address.LO16, 0x5678, 0x1234), (address.HI16, 0x1234, 0x5678)]
)
def test_stores_of_opaque_32_bits(mod0: int, high: int, low: int) -> None:
    record = fresh()
    for lane in range(32):
        record.S.vector.lreg[3, lane] = 0x12345678
    run(record, word(STORE, 3, mod0))
    assert (record.S.dst.bits[0, 0], record.S.dst.bits[8, 0]) == (high, low)


def test_fp32_stores_flush_denormals_and_int32_stores_do_not() -> None:
    record = fresh()
    for lane in range(32):
        record.S.vector.lreg[3, lane] = 0x80000001
    run(record, word(STORE, 3, address.FP32))
    run(record, word(LOAD, 4, address.FP32))
    run(record, word(STORE, 3, address.INT32))
    run(record, word(LOAD, 5, address.FP32))
    assert (lreg(record, 4)[0], lreg(record, 5)[0]) == (0x80000000, 0x80000001)


@pytest.mark.parametrize(
    ("fp32", "src_b", "as_if"),
    [
        (1, 1, address.FP32), (0, 0, address.BF16), (0, 1, address.FP16), (0, 2, address.FP16),
        (0, 5, address.BF16), (0, 6, address.BF16), (0, 10, address.FP16), (0, 15, address.BF16),
    ],
)  # fmt: skip
def test_the_format_of_srcb(fp32: int, src_b: int, as_if: int) -> None:
    rng = random.Random(src_b)
    record = fresh()
    for row in range(16):
        for column in range(16):
            record.S.dst.bits[row, column] = rng.getrandbits(16)
    for bank in range(2):
        record.S.config.word[bank, address.ALU] = fp32 << 30 | src_b << 21
    run(record, word(LOAD, 1, address.SRCB))
    run(record, word(LOAD, 2, as_if))
    assert lreg(record, 1) == lreg(record, 2)
    # The override wins.
    for bank in range(2):
        record.S.config.word[bank, address.OVERRIDE_WORD] = 1 << 9 | 1 << 5
    run(record, word(LOAD, 3, address.SRCB))
    run(record, word(LOAD, 4, address.FP32 if fp32 else address.FP16))
    assert lreg(record, 3) == lreg(record, 4)
    # SFPU_DEST_FMT of the thread wins over both, and not over FP32.
    record.S.config.thread[0, address.DEST_FMT] = 1 | 5 << 1
    run(record, word(LOAD, 5, address.SRCB))
    run(record, word(LOAD, 6, address.FP32 if fp32 else address.BF16))
    assert lreg(record, 5) == lreg(record, 6)


@pytest.mark.parametrize(
    ("fp32", "dest_fmt", "as_if"),
    [
        (0, 0, address.BF16),  # not enabled: what is configured of SrcB, which is BF16
        (0, 1 | 1 << 1, address.FP16), (0, 1 | 2 << 1, address.FP16),
        (0, 1 | 5 << 1, address.BF16), (0, 1 | 9 << 1, address.BF16),
        (0, 1 | 10 << 1, address.FP16), (1, 1 | 1 << 1, address.FP32),
    ],
)  # fmt: skip
@pytest.mark.parametrize("override", [0, 1 << 9 | 1 << 5 | 1 << 6], ids=["srcb", "override"])
def test_sfpu_dest_fmt_counts_before_srcb(
    fp32: int, dest_fmt: int, as_if: int, override: int
) -> None:
    """Of the thread that executes, before the override too; SFPLOAD and SFPSTORE alike."""
    record = fresh()
    S = record.S
    for row in range(16):
        for column in range(16):
            S.dst.bits[row, column] = (row * 16 + column) * 0x0101 & 0xFFFF
    for bank in range(2):
        S.config.word[bank, address.ALU] = fp32 << 30 | 5 << 21
        S.config.word[bank, address.OVERRIDE_WORD] = override
    if not dest_fmt and override:
        as_if = address.FP16
    S.config.thread[0, address.DEST_FMT] = dest_fmt
    S.config.thread[1, address.DEST_FMT] = 1 | 5 << 1  # another thread's
    run(record, word(LOAD, 1, address.SRCB))
    run(record, word(LOAD, 2, as_if))
    assert lreg(record, 1) == lreg(record, 2)
    for lane in range(32):
        S.vector.lreg[3, lane] = bits(1.5 + lane)
    run(record, word(STORE, 3, address.SRCB))
    stored = [int(S.dst.bits[row, 0]) for row in range(16)]
    run(record, word(STORE, 3, as_if))
    assert stored == [int(S.dst.bits[row, 0]) for row in range(16)]


def test_where_datums_are() -> None:
    """Rows from counters and offsets; odd columns by an address bit or by LaneConfig."""
    record = fresh()
    S = record.S
    for row in range(1024):
        for column in range(16):
            S.dst.bits[row, column] = row << 4 | column
    S.rwc.dst[0] = 8
    S.config.thread[0, address.MATH_OFFSET] = 64
    S.config.word[0, address.REGW_BASE] = 128
    S.vector.config[3] = 1 << 6  # DEST_RD_COL_EXCHANGE
    run(record, word(LOAD, 1, address.UINT16, 4))
    row = 4 + 8 + 64 + 128
    assert lreg(record, 1) == [
        (row + lane // 8) << 4 | 2 * (lane & 7) | int(lane & 7 == 3) for lane in range(32)
    ]


def test_int32_all_has_a_stack_and_every_lane() -> None:
    record = fresh()
    S = record.S
    S.vector.use_flags = FULL
    S.config.thread[0, address.STACK_INCR] = 16
    run(record, word(STORE, 10, address.INT32_ALL))
    assert S.vector.sp[0] == 16
    run(record, word(LOAD, 5, address.INT32_ALL))
    assert (S.vector.sp[0], lreg(record, 5)) == (0, [bits(1.0)] * 32)


def test_default_indexes() -> None:
    record = fresh()
    for column in range(8):
        record.S.vector.config[column] = 1 << 2 | 1 << 3
    run(record, word(LOAD, 2, address.UINT16, 16 + ODD))
    assert lreg(record, 6) == [(16 + lane // 8) << 4 | 2 * (lane & 7) + 1 for lane in range(32)]


@pytest.mark.parametrize(("bit", "opcode"), [(4, STORE), (5, LOAD)])
def test_blocked(bit: int, opcode: int) -> None:
    record = fresh()
    record.S.vector.config[1] = 1 << bit
    fill(record, 0x1234)
    run(record, word(opcode, 0, address.UINT16))
    if opcode == LOAD:
        assert lreg(record, 0)[:3] == [0x1234, 0, 0x1234]
    else:
        assert [int(record.S.dst.bits[0, column]) for column in (0, 2, 4)] == [0, 0x1234, 0]


def test_what_zeroacc_has_made_undefined() -> None:
    """A load of it gives 0 and marks the lanes; a store of even columns defines those."""
    record = fresh()
    S = record.S
    fill(record, 0x1234)
    for row in range(4):
        both_engines(dst.forget, record, row)
    for imm10 in (0, ODD):
        assert run(record, word(LOAD, 1, address.UINT16, imm10)) == 0
        assert (lreg(record, 1), S.vector.undefined[1]) == ([0] * 32, FULL)
    assert run(record, word(STORE, 9, address.UINT16)) == 0
    assert run(record, word(LOAD, 1, address.UINT16)) == 0
    assert S.vector.undefined[1] == 0
    assert run(record, word(LOAD, 1, address.UINT16, ODD)) == 0
    assert S.vector.undefined[1] == FULL


def test_dst16b_in_dst32b() -> None:
    record = fresh()
    record.S.tile_control.feature_disable = dst.DST16B_IN_DST32B
    for lane in range(32):
        record.S.vector.lreg[3, lane] = 0x1234
    record.S.dst.bits[8, 0] = 0xFFFF
    run(record, word(STORE, 3, address.UINT16))
    assert (record.S.dst.bits[0, 0], record.S.dst.bits[8, 0]) == (0x1234, 0)
