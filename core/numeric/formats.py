# SPDX-License-Identifier: Apache-2.0
"""One floating-point format into another, without rounding (FloatBitPatterns.md).

What has 5 exponent bits has no infinities and no NaNs inside the coprocessor: its largest pattern
stands for what is too large. The harts are different, their FP16 is that of IEEE 754; they use
`ieee.py`. A denormal is 0 to all arithmetic, so most conversions leave nothing of it but the sign.
"""

# The largest FP16 of the coprocessor, which it makes of what is too large to represent.
FP16_LARGEST = 0x7FFF


# -- more bits: nothing is lost
def bf16_to_fp32(x: int) -> int:
    """BF16 to FP32."""
    return x << 16


def tf32_to_fp32(x: int) -> int:
    """TF32 (19 bits) to FP32."""
    return x << 13


def bf16_to_tf32(x: int) -> int:
    """BF16 to TF32 (19 bits)."""
    return x << 3


def fp16_to_fp32_immediate(x: int) -> int:
    """FP16 to FP32 as SFPLOADI does it: the exponent is rebiased whatever it is (SFPLOADI.md)."""
    return ((x & 0x8000) << 16) | ((((x >> 10) & 0x1F) + 112) << 23) | ((x & 0x3FF) << 13)


def fp16_to_fp32(x: int) -> int:
    """FP16 to FP32, a denormal to another denormal (SFPLOAD.md, Packers/FormatConversion.md)."""
    exponent = (x >> 10) & 0x1F
    rebias = 112 if exponent else 0
    return ((x & 0x8000) << 16) | ((exponent + rebias) << 23) | ((x & 0x3FF) << 13)


def fp16_to_fp32_with_infinity(x: int) -> int:
    """FP16 to FP32, its largest pattern to infinity (SFPLOAD.md with ENABLE_FP16A_INF)."""
    if x & FP16_LARGEST == FP16_LARGEST:
        return ((x & 0x8000) << 16) | 0x7F800000
    return fp16_to_fp32(x)


def e5m2_to_fp16(x: int) -> int:
    """FP8 (e5m2) to FP16."""
    return x << 8


def e4m3_to_fp16(x: int) -> int:
    """FP8 (e4m3) to FP16: the exponent is rebiased from 7 to 15.

    UNSPECIFIED(FloatBitPatterns.md): the pages know e5m2 only; Blackhole's configuration has
    Pac_LF8_4b_exp and Unp_LF8_4b_exp besides. As everywhere in the coprocessor every pattern with
    an exponent is a number, and those without are 0 with their sign.
    """
    exponent = (x >> 3) & 0xF
    if exponent == 0:
        return (x & 0x80) << 8
    return ((x & 0x80) << 8) | ((exponent + 8) << 10) | ((x & 7) << 7)


# -- fewer bits: cut off
def fp32_flushed(x: int) -> int:
    """FP32 with a denormal made 0, the sign kept."""
    return x if x & 0x7F800000 else x & 0x80000000


def bf16_flushed(x: int) -> int:
    """BF16 with a denormal made 0, the sign kept."""
    return x if x & 0x7F80 else x & 0x8000


def fp16_flushed(x: int) -> int:
    """FP16 with a denormal made 0, the sign kept."""
    return x if x & 0x7C00 else x & 0x8000


def fp32_to_tf32(x: int) -> int:
    """FP32 to TF32 (19 bits): the low 13 bits of the mantissa are cut off, nothing else."""
    return x >> 13


def fp32_to_bf16(x: int) -> int:
    """FP32 to BF16: the low 16 bits of the mantissa are cut off, a denormal is made 0.

    So do SFPSTORE and the unpackers; packers keep a denormal in `x >> 16` where nothing narrows.
    """
    return fp32_flushed(x) >> 16


def fp32_to_fp16(x: int) -> int:
    """FP32 to FP16 as SFPSTORE does it: too small is 0, too large the largest, the rest is cut."""
    sign = (x >> 16) & 0x8000
    exponent = ((x >> 23) & 0xFF) - 112
    if exponent <= 0:
        return sign
    if exponent > 31:
        return sign | FP16_LARGEST
    return sign | (exponent << 10) | ((x >> 13) & 0x3FF)


def fp32_to_fp16_late(x: int) -> int:
    """FP32 to FP16 as unpackers and the late conversion of packers do it.

    They make 0 what is at most 2**-15, and mishandle what is between 2**-15 and 2**-14
    (Packers/FormatConversion.md). UNSPECIFIED(Packers/FormatConversion.md): how; here as if the
    exponent, which is 0 then, were cut off like any other, which leaves a denormal with the same
    mantissa; 2**-15 itself has no mantissa and becomes 0. UNPACR_Regular.md calls its conversion
    FP32ToFP16 and does not show it; it is taken to be the same.
    """
    sign = (x >> 16) & 0x8000
    exponent = ((x >> 23) & 0xFF) - 112
    if exponent < 0:
        return sign
    if exponent > 31:
        return sign | FP16_LARGEST
    return sign | (exponent << 10) | ((x >> 13) & 0x3FF)


def fp16_to_e5m2(x: int) -> int:
    """FP16 to FP8 (e5m2): the low 8 bits of the mantissa are cut off."""
    return x >> 8


def fp16_to_e4m3(x: int) -> int:
    """FP16 to FP8 (e4m3): too small is 0, too large the largest (see e4m3_to_fp16)."""
    sign = (x >> 8) & 0x80
    exponent = ((x >> 10) & 0x1F) - 8
    if exponent <= 0:
        return sign
    if exponent > 15:
        return sign | 0x7F
    return sign | (exponent << 3) | ((x >> 7) & 7)
