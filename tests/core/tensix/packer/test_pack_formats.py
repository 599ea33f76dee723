# SPDX-License-Identifier: Apache-2.0
"""The packer's conversions of datums: Packers/FormatConversion.md."""

from __future__ import annotations

import struct

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.core.tensix.packer.packer import (
    BF16,
    BFP2,
    BFP2A,
    BFP4,
    BFP4A,
    BFP8,
    BFP8A,
    FP8,
    FP16,
    FP32,
    INT8,
    INT16,
    INT32,
    OUT,
    TF32,
    bf16_row,
    configure,
    formats,
    fp16_row,
    fp32_row,
    l1,
    pack,
    refused,
)

ONE_ROW = "PACR read_intf_sel=R0, last=1"


def f32(x: float) -> int:
    return int(struct.unpack("<I", struct.pack("<f", x))[0])


def packed32(tile: Machine, values: list[int], size: int, **config: int) -> list[int]:
    """Return what a row of FP32 or INT32 becomes."""
    configure(tile, PCK_DEST_RD_CTRL_Read_32b_data=1, **config)
    fp32_row(tile, 0, values)
    pack(tile, ONE_ROW)
    return l1(tile, size, len(values))


def packed_bf16(tile: Machine, values: list[int], size: int, **config: int) -> list[int]:
    configure(tile, **config)
    bf16_row(tile, 0, values)
    pack(tile, ONE_ROW)
    return l1(tile, size, len(values))


def packed_fp16(tile: Machine, values: list[int], size: int, **config: int) -> list[int]:
    configure(tile, **config)
    fp16_row(tile, 0, values)
    pack(tile, ONE_ROW)
    return l1(tile, size, len(values))


# Zeros, denormals, what rounds up, down and away at 13, 16 and 17 bits, infinity, NaN.
SOME32 = [
    0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x3F800000, 0x3F801000, 0x3F800FFF, 0xBF808000,
    0x3F807FFF, 0x3F810000, 0x3F80FFFF, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFC00000,
]  # fmt: skip


@pytest.mark.parametrize("between", [FP32, INT32])
def test_fp32_as_it_is(tile: Machine, between: int) -> None:
    formats(tile, between, between)
    assert packed32(tile, SOME32, 4) == SOME32


@pytest.mark.parametrize("config", [{"between": TF32}, {"between": FP32, "round": 1}])
def test_fp32_to_tf32(tile: Machine, config: dict[str, int]) -> None:
    formats(tile, config["between"], TF32, PCK_DEST_RD_CTRL_Round_10b_mant=config.get("round", 0))
    configure(tile, THCON_SEC0_REG1_In_data_format=TF32)
    # A denormal that rounds up is a number by then: Tenstorrent's simulator flushes afterwards.
    assert packed32(tile, SOME32, 4) == [
        0, 0, 0, 0x80800000, 0x3F800000, 0x3F802000, 0x3F800000, 0xBF808000,
        0x3F808000, 0x3F810000, 0x3F810000, 0x7F800000, 0x7F800000, 0xFF800000, 0x7F800000,
        0xFF800000,
    ]  # fmt: skip


def test_fp32_to_bf16(tile: Machine) -> None:
    formats(tile, BF16, BF16)
    assert packed32(tile, SOME32, 2) == [
        0, 0, 0, 0x8080, 0x3F80, 0x3F80, 0x3F80, 0xBF81,
        0x3F80, 0x3F81, 0x3F81, 0x7F80, 0x7F80, 0xFF80, 0x7F80, 0xFF80,
    ]  # fmt: skip


@pytest.mark.parametrize("between", [BF16, BFP8])
def test_top_half_of_fp32(tile: Machine, between: int) -> None:
    formats(tile, between, BF16)
    found = packed32(tile, SOME32, 2, PCK_DEST_RD_CTRL_Read_int8=1)
    assert found == [value >> 16 for value in SOME32]


def test_fp32_to_e8m6(tile: Machine) -> None:
    formats(tile, BFP8, BF16)
    assert packed32(tile, SOME32, 2) == [
        0, 0, 0, 0x8080, 0x3F80, 0x3F80, 0x3F80, 0xBF80,
        0x3F80, 0x3F82, 0x3F80, 0x7F80, 0x7F80, 0xFF80, 0x7F80, 0xFF80,
    ]  # fmt: skip


def test_fp32_to_bf16_late_only(tile: Machine) -> None:
    formats(tile, FP32, BF16)
    assert packed32(tile, SOME32, 2) == [
        0, 0, 0, 0, 0x3F80, 0x3F80, 0x3F80, 0xBF80,
        0x3F80, 0x3F81, 0x3F80, 0x7F7F, 0x7F80, 0xFF80, 0x7F80, 0xFFC0,
    ]  # fmt: skip


# To FP16: 2**-15 and below are 0, between there and 2**-14 a denormal is left, 2**17 is too large.
NARROWING = [
    f32(1.0), f32(-1.5), f32(65504.0), f32(130944.0), f32(131072.0), f32(-1e30), 0x7F800000,
    f32(2.0**-14), f32(2.0**-15), f32(-(2.0**-16)), f32(1.5 * 2.0**-15), 0x80000001, 0, 0x80000000,
    0x3F801FFF, f32(-(2.0**-140)),
]  # fmt: skip
AS_FP16 = [
    0x3C00, 0xBE00, 0x7BFF, 0x7FFE, 0x7FFF, 0xFFFF, 0x7FFF,
    0x0400, 0x0000, 0x8000, 0x0200, 0x8000, 0, 0x8000, 0x3C00, 0x8000,
]  # fmt: skip


def test_fp32_to_fp16_late(tile: Machine) -> None:
    formats(tile, FP32, FP16)
    assert packed32(tile, NARROWING, 2) == AS_FP16


def test_fp32_to_fp16_early(tile: Machine) -> None:
    formats(tile, FP16, FP16)
    found = packed32(tile, NARROWING, 2, PCK_DEST_RD_CTRL_Round_10b_mant=1)
    # Rounded first, and the sign of what has no exponent is gone.
    changed = {9: 0x8000, 11: 0, 13: 0, 14: 0x3C01, 15: 0}
    assert found == [changed.get(i, value) for i, value in enumerate(AS_FP16)]


def test_fp32_to_fp8(tile: Machine) -> None:
    formats(tile, FP32, FP8)
    assert packed32(tile, NARROWING, 1) == [value >> 8 for value in AS_FP16]


def test_fp32_to_e4m3(tile: Machine) -> None:
    formats(tile, FP16, FP8, THCON_SEC0_REG1_Pac_LF8_4b_exp=1)
    values = [f32(1.0), f32(-1.875), f32(1.9375), f32(480.0), f32(512.0), f32(2.0**-6), f32(0.01)]
    found = packed32(tile, [*values, *[0] * 9], 1, PCK_DEST_RD_CTRL_Round_10b_mant=1)
    assert found[:7] == [0x38, 0xBF, 0x3F, 0x7F, 0x7F, 0x08, 0x00]


SOME_BF16 = [
    0x0000, 0x8000, 0x0001, 0x807F, 0x3F80, 0x3F81, 0xBF83, 0x7F7F, 0x7F80, 0xFF80, 0x7F81, 0xFFFF,
    0x0080, 0x8081, 0x4049, 0xC2F7,
]  # fmt: skip


def test_bf16(tile: Machine) -> None:
    formats(tile, BF16, BF16)
    changed = {1: 0, 2: 0, 3: 0, 10: 0x7F80, 11: 0xFF80}
    expected = [changed.get(i, value) for i, value in enumerate(SOME_BF16)]
    assert packed_bf16(tile, SOME_BF16, 2) == expected
    assert packed_bf16(tile, SOME_BF16, 2, PCK_DEST_RD_CTRL_Read_int8=1) == SOME_BF16


@pytest.mark.parametrize("out", [FP32, TF32])
def test_bf16_to_32_bits(tile: Machine, out: int) -> None:
    formats(tile, BF16, out, PCK_DEST_RD_CTRL_Read_int8=1)
    assert packed_bf16(tile, SOME_BF16, 4) == [value << 16 for value in SOME_BF16]


def test_bf16_to_e8m6(tile: Machine) -> None:
    formats(tile, BFP8, BF16)
    assert packed_bf16(tile, SOME_BF16, 2) == [
        0, 0, 0, 0, 0x3F80, 0x3F82, 0xBF84, 0x7F80, 0x7F80, 0xFF80, 0x7F80, 0xFF80,
        0x0080, 0x8082, 0x404A, 0xC2F8,
    ]  # fmt: skip


def test_bf16_to_tf32_to_fp16(tile: Machine) -> None:
    formats(tile, BF16, FP16, PCK_DEST_RD_CTRL_Round_10b_mant=1)
    configure(tile, THCON_SEC0_REG1_In_data_format=TF32)
    found = packed_bf16(tile, [0x3F81, 0xC2F7, 0x8000, 0x7F7F], 2)
    assert found == [0x3C08, 0xD7B8, 0, 0x7FFF]


def test_bf16_to_e4m3(tile: Machine) -> None:
    formats(tile, FP16, FP8, THCON_SEC0_REG1_Pac_LF8_4b_exp=1, PCK_DEST_RD_CTRL_Round_10b_mant=1)
    assert packed_bf16(tile, [0x3F81, 0xBFF0, 0x8000, 0x7F7F], 1) == [0x38, 0xBF, 0x80, 0x7F]


SOME_FP16 = [
    0x0000, 0x8000, 0x0001, 0x83FF, 0x3C00, 0x3C07, 0x3C08, 0xBC18, 0x7BFF, 0x7C00, 0x7FF7, 0x7FFF,
    0xFFFF, 0x0400, 0x8408, 0x5555,
]  # fmt: skip


def test_fp16(tile: Machine) -> None:
    formats(tile, FP16, FP16)
    changed = {1: 0, 2: 0, 3: 0}
    expected = [changed.get(i, value) for i, value in enumerate(SOME_FP16)]
    assert packed_fp16(tile, SOME_FP16, 2) == expected
    assert packed_fp16(tile, SOME_FP16, 2, PCK_DEST_RD_CTRL_Read_int8=1) == SOME_FP16


def test_fp16_to_fp32(tile: Machine) -> None:
    formats(tile, FP16, FP32, PCK_DEST_RD_CTRL_Read_int8=1)
    found = packed_fp16(tile, SOME_FP16, 4)
    assert found[3:8] == [0x807FE000, 0x3F800000, 0x3F80E000, 0x3F810000, 0xBF830000]
    assert found[11:13] == [0x47FFE000, 0xC7FFE000]


def test_fp16_to_bf16(tile: Machine) -> None:
    formats(tile, FP16, BF16, PCK_DEST_RD_CTRL_Read_int8=1)
    found = packed_fp16(tile, SOME_FP16, 2)
    assert found[:8] == [0, 0, 0, 0, 0x3F80, 0x3F80, 0x3F81, 0xBF83]


def test_fp16_to_fp8(tile: Machine) -> None:
    formats(tile, FP8, FP8, PCK_DEST_RD_CTRL_Read_int8=1)
    assert packed_fp16(tile, SOME_FP16, 1) == [value >> 8 for value in SOME_FP16]
    formats(tile, FP16, FP8, PCK_DEST_RD_CTRL_Read_int8=1)
    expected = [value >> 8 if value & 0x7C00 else 0 for value in SOME_FP16]
    assert packed_fp16(tile, SOME_FP16, 1) == expected


def test_fp16_to_e5m6_and_e5m7(tile: Machine) -> None:
    formats(tile, BFP8A, FP16)
    assert packed_fp16(tile, SOME_FP16, 2)[3:13] == [
        0x8400, 0x3C00, 0x3C00, 0x3C10, 0xBC20, 0x7C00, 0x7C00, 0x7FF0, 0x7FF0, 0xFFF0,
    ]  # fmt: skip
    found = packed_fp16(tile, SOME_FP16, 2, PCK_DEST_RD_CTRL_Read_int8=1)
    assert found == [value & 0xFFF8 for value in SOME_FP16]


SOME_INT = [
    0, 0x80000000, 1, 0x80000001, 127, 128, 0x80000080, 255, 256, 0x7FFFFFFF, 0xFFFFFFFF, 12, 0x80C,
    0x800008F8, 0x8F8, 0x808,
]  # fmt: skip


@pytest.mark.parametrize(
    ("unsigned", "raw", "shift", "expected"),
    [
        (0, 0, 0, [0, 128, 1, 129, 127, 127, 255, 127, 127, 127, 255, 12, 127, 255, 127, 127]),
        (0, 0, 4, [0, 128, 0, 128, 8, 8, 136, 16, 16, 127, 255, 1, 127, 255, 127, 127]),
        (1, 0, 0, [0, 0, 1, 0, 127, 128, 0, 255, 255, 255, 0, 12, 255, 0, 255, 255]),
        (1, 0, 4, [0, 0, 0, 0, 8, 8, 0, 16, 16, 255, 0, 1, 129, 0, 144, 129]),
        (0, 1, 4, [0, 128, 1, 129, 127, 0, 128, 127, 0, 127, 255, 12, 12, 248, 120, 8]),
        (1, 1, 4, [0, 0, 1, 1, 127, 128, 128, 255, 0, 255, 255, 12, 12, 248, 248, 8]),
    ],
)
def test_int32_to_8_bits(
    tile: Machine, unsigned: int, raw: int, shift: int, expected: list[int]
) -> None:
    formats(
        tile,
        INT8,
        INT8,
        PCK_DEST_RD_CTRL_Read_unsigned=unsigned,
        PCK_DEST_RD_CTRL_Read_int8=raw,
        INT_DESCALE_Enable=1 if shift else 0,
        INT_DESCALE_VALUES_SEC0_Value=shift,
    )
    assert packed32(tile, SOME_INT, 1) == expected


def test_int32_to_16_bits(tile: Machine) -> None:
    formats(tile, INT16, INT16)
    S = tile.record.S
    fp32_row(tile, 0, SOME_INT)
    high = [int(S.dst.bits[0, column]) for column in range(16)]
    assert packed32(tile, SOME_INT, 2) == high


def test_16_bits_to_8(tile: Machine) -> None:
    formats(tile, INT8, INT8, PCK_DEST_RD_CTRL_Read_int8=1)
    assert packed_bf16(tile, SOME_BF16, 1) == [(value >> 8) & 0x80 for value in SOME_BF16]


# -- block float
BLOCK = [f32(x) >> 16 for x in (1.0, -1.5, 0.5, 0.25, 2.0**-7, -(2.0**-7), 2.0**-9, 1.984375)]
BLOCK = [*BLOCK, *[0] * 8]


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        # 2**-7 is half of the last bit; ties go away from zero. A zero magnitude has no sign.
        (BFP8, bytes([64, 0x80 + 96, 32, 16, 1, 0x81, 0, 127])),
        (BFP4, bytes([0xE4, 0x12, 0x00, 0x70])),
        (BFP2, bytes([0b00001101, 0b01000000])),
    ],
)
def test_block_float(tile: Machine, out: int, expected: bytes) -> None:
    formats(tile, BF16, out, THCON_SEC0_REG1_Exp_section_size=1)
    bf16_row(tile, 0, BLOCK)
    pack(tile, ONE_ROW)
    assert l1(tile, 1, 2) == [127, 0]
    size = len(expected)
    assert bytes(l1(tile, 1, size, OUT + 16)) == expected
    assert l1(tile, 1, 16 - size, OUT + 16 + size) == [0] * (16 - size)


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        (BFP8A, bytes([64, 0x80 + 96, 32, 16, 1, 0x81, 0, 127])),
        (BFP4A, bytes([0xE4, 0x12, 0x00, 0x70])),
        (BFP2A, bytes([0b00001101, 0b01000000])),
    ],
)
@pytest.mark.parametrize("between", [BF16, FP16, BFP8A])
def test_block_float_with_5_bits(tile: Machine, out: int, expected: bytes, between: int) -> None:
    formats(tile, between, out, THCON_SEC0_REG1_Exp_section_size=1)
    if between == BF16:
        bf16_row(tile, 0, BLOCK)
    else:
        half = [0x3C00, 0xBE00, 0x3800, 0x3400, 0x2000, 0xA000, 0x1800, 0x3FF0]
        fp16_row(tile, 0, [*half, *[0] * 8])
    pack(tile, ONE_ROW)
    assert l1(tile, 1, 2) == [15, 0]
    assert bytes(l1(tile, 1, len(expected), OUT + 16)) == expected


def test_a_block_over_several_packs(tile: Machine) -> None:
    formats(tile, BF16, BFP8, THCON_SEC0_REG1_Exp_section_size=1)
    configure(tile, THCON_SEC0_REG1_Downsample_mask=0x0F0F)
    bf16_row(tile, 0, [0x3F80] * 16)
    bf16_row(tile, 1, [0x4080] * 16)
    bf16_row(tile, 2, [0x3F80] * 16)
    pack(tile, "PACR read_intf_sel=R0|R1|R2")
    assert l1(tile, 1, 16, OUT + 16) == [0x10] * 8 + [0x40] * 8
    assert l1(tile, 1, 16, OUT + 32) == [0] * 16
    assert l1(tile, 1, 2) == [0, 0], "the exponents do not fill a block yet"
    pack(tile, "PACR flush=1")
    assert l1(tile, 1, 3) == [129, 127, 0]
    assert l1(tile, 1, 16, OUT + 32) == [0x40] * 8 + [0] * 8


@pytest.mark.parametrize(
    ("between", "given", "out", "config"),
    [
        (FP16, FP16, FP16, {"PCK_DEST_RD_CTRL_Read_32b_data": 1}),
        (INT32, INT32, INT32, {}),
        (FP32, FP32, FP32, {}),
        (BF16, FP16, BF16, {}),
        (BF16, BF16, 12, {}),
        (BF16, BF16, INT16, {}),
        (INT16, INT16, BF16, {}),
        (FP8, FP8, FP8, {}),
        (13, 13, BF16, {}),
        (TF32, TF32, TF32, {"PCK_DEST_RD_CTRL_Read_int8": 1}),
    ],
)
def test_no_such_conversion(
    tile: Machine, between: int, given: int, out: int, config: dict[str, int]
) -> None:
    formats(tile, between, out, **config)
    configure(tile, THCON_SEC0_REG1_In_data_format=given)
    stop = refused(tile, ONE_ROW)
    assert stop.code == Fault.PACR_FORMATS
    assert "no page converts" in stop.text


def test_overridden_intermediate_format(tile: Machine) -> None:
    formats(tile, BF16, BF16)
    configure(tile, ALU_FORMAT_SPEC_REG2_Dstacc=INT8, ALU_FORMAT_SPEC_REG_Dstacc_override=1)
    configure(tile, ALU_FORMAT_SPEC_REG_Dstacc_val=BF16)
    assert packed_bf16(tile, SOME_BF16, 2)[4] == 0x3F80
