# SPDX-License-Identifier: Apache-2.0
"""Numbers of a host to the bits of floating-point formats, and back (FloatBitPatterns.md).

Hosts round to nearest, ties to even. What has 5 bits of exponent has no infinity and no NaN in the
coprocessor: its largest pattern stands for infinity and for what is too large.
"""

from __future__ import annotations

import math
import struct

from tensix_gdb.core.numeric.rounding import nearest_even

FP32_MANTISSA = 23
INFINITY = 0x7F800000
FIRST_NOT_FINITE = 2.0**16  # of IEEE's floats with 5 bits of exponent


def fp32_bits(value: float) -> int:
    """FP32."""
    try:
        return int(struct.unpack("<I", struct.pack("<f", value))[0])
    except OverflowError:
        return INFINITY | (0x80000000 if value < 0 else 0)


def fp32_value(bits: int) -> float:
    """Return the number that FP32 stands for."""
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def narrow_bits(value: float, mantissa: int) -> int:
    """Return a float with 8 bits of exponent and this many of mantissa: 7 for BF16, 10 for TF32."""
    bits = fp32_bits(value)
    drop = FP32_MANTISSA - mantissa
    if bits & 0x7FFFFFFF > INFINITY:
        return bits >> drop | 1
    return nearest_even(bits, drop)


def small_bits(value: float, exponent: int, mantissa: int) -> int:
    """Return a float with 4 or 5 bits of exponent. ValueError for a NaN, which it does not have."""
    if math.isnan(value):
        raise ValueError("has no NaN")
    sign = (1 if math.copysign(1, value) < 0 else 0) << (exponent + mantissa)
    largest = (1 << (exponent + mantissa)) - 1
    if math.isinf(value):
        return sign | largest
    bias = (1 << (exponent - 1)) - 1
    power = max(math.frexp(value)[1] - 1, 1 - bias) if value else 1 - bias
    # With the implicit 1 counted, so that a carry goes into the exponent.
    magnitude = round(math.ldexp(abs(value), mantissa - power))
    return sign | min(magnitude + ((power + bias - 1) << mantissa), largest)


def ieee_value(value: float) -> float:
    """Return what a host that reads IEEE 754 finds, where the coprocessor's float with 5 bits of
    exponent has this number: the largest exponent is that of infinity and NaN
    (FloatBitPatterns.md)."""
    if abs(value) < FIRST_NOT_FINITE:
        return value
    return math.copysign(math.inf, value) if abs(value) == FIRST_NOT_FINITE else math.nan


def fp16_value(bits: int) -> float:
    """Return the number that FP16 of the coprocessor stands for."""
    sign = -1.0 if bits & 0x8000 else 1.0
    exponent, mantissa = bits >> 10 & 0x1F, bits & 0x3FF
    if bits & 0x7FFF == 0x7FFF:
        return sign * math.inf
    if exponent == 0:
        return sign * math.ldexp(mantissa, -24)
    return sign * math.ldexp(mantissa | 0x400, exponent - 25)
