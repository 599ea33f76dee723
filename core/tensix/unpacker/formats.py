# SPDX-License-Identifier: Apache-2.0
"""The conversions of datums by the unpackers (UNPACR_Regular.md, Unpackers/FormatConversion.md).

    conversion_of(in_format, out_format, to_dst)    which one, NO_CONVERSION where there is none
    convert(conversion, bits, exponent, modes)      bits of L1 to a datum of SrcA, SrcB or Dst

From FP32 there is a choice of formats; everything else is what it is, and OutDataFormat has to be
equal to InDataFormat, or BFP8 for BFP4 and BFP2 into SrcA and SrcB. The result is in the layout of
its destination (core/numeric/layouts.py).

UNSPECIFIED(Unpackers/FormatConversion.md): BFP4 and BFP2 with an OutDataFormat of BFP8, which the
page leaves undefined as every pair of different formats but those from FP32; its model adds that
OutDataFormat has no meaning there. LLK's matmul_custom_compressed changes InDataFormat alone from
tile to tile, and compares its result on cards: the datum is converted by its InDataFormat.

Of 8-bit floats the page has e5m2 alone. UNSPECIFIED(Unpackers/FormatConversion.md): Blackhole's
Unp_LF8_4b_exp makes them e4m3, which LLK sets for Fp8_e4m3. As Tenstorrent's simulator has it for
Blackhole: the exponent is rebiased from 7 to 15, one of 0 stays 0 with its mantissa after it, and
of both formats the pattern of ones alone gets ones after its mantissa too.
"""

from __future__ import annotations

from collections.abc import Callable

from tensix_gdb.core.numeric.block import bfp8_to_bf16, bfp8a_to_fp16
from tensix_gdb.core.numeric.formats import fp32_to_bf16, fp32_to_fp16_late, fp32_to_tf32
from tensix_gdb.core.numeric.layouts import (
    bf16_to_dst16,
    bf16_to_src,
    fp16_to_dst16,
    fp16_to_src,
    fp32_to_dst32,
    int16_to_src,
    tf32_to_src,
)
from tensix_gdb.core.tensix.data_format import Format

# By format: bits of a datum in L1, 0 for the two numbers that are no format.
BITS = (32, 16, 8, 4, 32, 16, 8, 4, 32, 16, 8, 2, 0, 0, 8, 2)
IS_BFP = (0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1)
IS_8_BIT_BFP = (0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
# By OutDataFormat: bytes, as a shift, that ADC_Out counts a datum as; and whether Dst is 32 bits.
OUT_SHIFT = (2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0)
IS_32_BIT = (1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)

# `modes`
UNSIGNED = 1  # ALU_FORMAT_SPEC_REG0_SrcAUnsigned, _SrcBUnsigned
E4M3 = 2  # Unp_LF8_4b_exp


def fp8_to_fp16(bits: int, modes: int) -> int:
    """e5m2 or e4m3."""
    largest = 1 if bits & 0x7F == 0x7F else 0
    if modes & E4M3 == 0:
        return bits << 8 | 0xFF * largest
    exponent = (bits >> 3) & 0xF
    rebias = 8 if exponent else 0
    return (bits & 0x80) << 8 | (exponent + rebias) << 10 | (bits & 7) << 7 | 0x7F * largest


def int8_to_fp16(bits: int, modes: int) -> int:
    """Return an 8-bit integer laid over FP16, with 16 as the exponent of all but 0."""
    sign = 0 if modes & UNSIGNED else bits & 0x80
    magnitude = bits - sign
    return sign << 8 | (magnitude | 16 << 10 if magnitude else 0)


# -- into SrcA and SrcB
def src_of_fp32_as_tf32(bits: int, exponent: int, modes: int) -> int:
    return tf32_to_src(fp32_to_tf32(bits))


def src_of_fp32_as_bf16(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_src(fp32_to_bf16(bits))


def src_of_fp32_as_fp16(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_src(fp32_to_fp16_late(bits))


def src_of_bf16(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_src(bits)


def src_of_fp16(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_src(bits)


def src_of_bfp8(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_src(bfp8_to_bf16(bits, exponent))


def src_of_bfp4(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_src(bfp8_to_bf16(bits << 4, exponent))


def src_of_bfp2(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_src(bfp8_to_bf16(bits << 6, exponent))


def src_of_bfpa(bits: int, exponent: int) -> int:
    """-1 where the datum's own exponent does not fit."""
    value = bfp8a_to_fp16(bits, exponent)
    return fp16_to_src(value) if value >= 0 else value


def src_of_bfp8a(bits: int, exponent: int, modes: int) -> int:
    return src_of_bfpa(bits, exponent)


def src_of_bfp4a(bits: int, exponent: int, modes: int) -> int:
    return src_of_bfpa(bits << 4, exponent)


def src_of_bfp2a(bits: int, exponent: int, modes: int) -> int:
    return src_of_bfpa(bits << 6, exponent)


def src_of_fp8(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_src(fp8_to_fp16(bits, modes))


def src_of_int8(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_src(int8_to_fp16(bits, modes))


def src_of_int16(bits: int, exponent: int, modes: int) -> int:
    return int16_to_src(bits)


# -- into Dst
def dst_of_32_bits(bits: int, exponent: int, modes: int) -> int:
    """FP32, TF32 (which means FP32 here) and INT32."""
    return fp32_to_dst32(bits)


def dst_of_fp32_as_bf16(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_dst16(fp32_to_bf16(bits))


def dst_of_fp32_as_fp16(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_dst16(fp32_to_fp16_late(bits))


def dst_of_bf16(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_dst16(bits)


def dst_of_fp16(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_dst16(bits)


def dst_of_bfp8(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_dst16(bfp8_to_bf16(bits, exponent))


def dst_of_bfp4(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_dst16(bfp8_to_bf16(bits << 4, exponent))


def dst_of_bfp2(bits: int, exponent: int, modes: int) -> int:
    return bf16_to_dst16(bfp8_to_bf16(bits << 6, exponent))


def dst_of_bfpa(bits: int, exponent: int) -> int:
    """-1 where the datum's own exponent does not fit."""
    value = bfp8a_to_fp16(bits, exponent)
    return fp16_to_dst16(value) if value >= 0 else value


def dst_of_bfp8a(bits: int, exponent: int, modes: int) -> int:
    return dst_of_bfpa(bits, exponent)


def dst_of_bfp4a(bits: int, exponent: int, modes: int) -> int:
    return dst_of_bfpa(bits << 4, exponent)


def dst_of_bfp2a(bits: int, exponent: int, modes: int) -> int:
    return dst_of_bfpa(bits << 6, exponent)


def dst_of_fp8(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_dst16(fp8_to_fp16(bits, modes))


def dst_of_int8(bits: int, exponent: int, modes: int) -> int:
    return fp16_to_dst16(int8_to_fp16(bits, modes))


def dst_of_int16(bits: int, exponent: int, modes: int) -> int:
    return bits


# InDataFormat, OutDataFormat, into Src, into Dst; None where it is undefined.
Conversion = Callable[[int, int, int], int]
F = Format
# fmt: off
_CONVERSIONS: tuple[tuple[Format, Format, Conversion | None, Conversion | None], ...] = (
    (F.FP32,  F.FP32,  None,                dst_of_32_bits),
    (F.FP32,  F.TF32,  src_of_fp32_as_tf32, dst_of_32_bits),
    (F.FP32,  F.BF16,  src_of_fp32_as_bf16, dst_of_fp32_as_bf16),
    (F.FP32,  F.FP16,  src_of_fp32_as_fp16, dst_of_fp32_as_fp16),
    (F.TF32,  F.TF32,  None,                dst_of_32_bits),
    (F.INT32, F.INT32, None,                dst_of_32_bits),
    (F.BF16,  F.BF16,  src_of_bf16,         dst_of_bf16),
    (F.FP16,  F.FP16,  src_of_fp16,         dst_of_fp16),
    (F.INT16, F.INT16, src_of_int16,        dst_of_int16),
    (F.FP8,   F.FP8,   src_of_fp8,          dst_of_fp8),
    (F.INT8,  F.INT8,  src_of_int8,         dst_of_int8),
    (F.BFP8,  F.BFP8,  src_of_bfp8,         dst_of_bfp8),
    (F.BFP4,  F.BFP4,  src_of_bfp4,         dst_of_bfp4),
    (F.BFP2,  F.BFP2,  src_of_bfp2,         dst_of_bfp2),
    (F.BFP4,  F.BFP8,  src_of_bfp4,         None),
    (F.BFP2,  F.BFP8,  src_of_bfp2,         None),
    (F.BFP8A, F.BFP8A, src_of_bfp8a,        dst_of_bfp8a),
    (F.BFP4A, F.BFP4A, src_of_bfp4a,        dst_of_bfp4a),
    (F.BFP2A, F.BFP2A, src_of_bfp2a,        dst_of_bfp2a),
)
# fmt: on


def none(bits: int, exponent: int, modes: int) -> int:
    """There is no such conversion."""
    return -1


NO_CONVERSION = 0
# Conversion and the bits of a datum that it takes, by number.
_KNOWN = tuple({
    (how, BITS[given]): None
    for given, _, *both in _CONVERSIONS for how in both if how is not None
})  # fmt: skip
CONVERT: tuple[Conversion, ...] = (none, *(how for how, _ in _KNOWN))
TAKES = (0, *(bits for _, bits in _KNOWN))


def convert(conversion: int, bits: int, exponent: int, modes: int) -> int:
    """By number. A function of its own, so that loops do not each contain all conversions."""
    return CONVERT[conversion](bits, exponent, modes)


def _number(given: int, wanted: int, to_dst: int) -> int:
    for in_format, out_format, *both in _CONVERSIONS:
        if (in_format, out_format) == (given, wanted) and both[to_dst] is not None:
            return CONVERT.index(both[to_dst])
    return NO_CONVERSION


NUMBERS = tuple(_number(i >> 5, (i >> 1) & 15, i & 1) for i in range(512))


def conversion_of(in_format: int, out_format: int, to_dst: int) -> int:
    """Return the number of a conversion, NO_CONVERSION where there is none."""
    return NUMBERS[in_format << 5 | out_format << 1 | to_dst]
