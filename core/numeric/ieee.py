# SPDX-License-Identifier: Apache-2.0
"""The harts' floating-point operations besides arithmetic, by IEEE 754 and the F extension.

Comparing, the smaller and the larger, classes, signs, conversions to and from integers and between
formats. Denormals are numbers here: InstructionSet.md has only sums, products and multiply-add
treat them as zeros. Conversions round to the nearest, ties to even, or toward zero (`truncated`,
which only BF16 has).

A format is given by EXPONENT and MANTISSA, its numbers of bits.
"""

from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.numeric.fma import INFINITY, NAN, SIGN, is_nan

LEAST_INT = 0x80000000
LARGEST_INT = 0x7FFFFFFF


def key(x: int) -> int:
    """FP32 as an integer that is in the same order; -0 and 0 are equal."""
    return -(x & 0x7FFFFFFF) if x & SIGN else x


def equal(x: int, y: int) -> int:
    """feq.s: 1 if x = y; 0 for NaNs."""
    return (is_nan(x) == 0) & (is_nan(y) == 0) & (key(x) == key(y))


def less(x: int, y: int) -> int:
    """flt.s: 1 if x < y; 0 for NaNs."""
    return (is_nan(x) == 0) & (is_nan(y) == 0) & (key(x) < key(y))


def less_or_equal(x: int, y: int) -> int:
    """fle.s: 1 if x <= y; 0 for NaNs."""
    return (is_nan(x) == 0) & (is_nan(y) == 0) & (key(x) <= key(y))


def smaller(x: int, y: int) -> int:
    """fmin.s: a NaN gives way to a number, and -0 is below 0."""
    if is_nan(x):
        return NAN if is_nan(y) else y
    if is_nan(y):
        return x
    if key(x) == key(y):
        return x | y
    return x if key(x) < key(y) else y


def larger(x: int, y: int) -> int:
    """fmax.s"""
    if is_nan(x):
        return NAN if is_nan(y) else y
    if is_nan(y):
        return x
    if key(x) == key(y):
        return x & y
    return x if key(x) > key(y) else y


def classified(x: int, EXPONENT: int, MANTISSA: int) -> int:
    """fclass: one of ten bits."""
    exponent = (x >> MANTISSA) & ((1 << EXPONENT) - 1)
    mantissa = x & ((1 << MANTISSA) - 1)
    negative = x >> (EXPONENT + MANTISSA)
    if exponent == (1 << EXPONENT) - 1:
        if mantissa:
            return 1 << 9 if mantissa >> (MANTISSA - 1) else 1 << 8
        return 1 << 0 if negative else 1 << 7
    if exponent:
        return 1 << 1 if negative else 1 << 6
    if mantissa:
        return 1 << 2 if negative else 1 << 5
    return 1 << 3 if negative else 1 << 4


def dropped(value: int, bits: int, truncated: int) -> int:
    """`value`, not negative, without its low `bits` bits, rounded; `bits` may be 0."""
    if bits == 0:
        return value
    if bits > 62:
        return 0
    kept = value >> bits
    if truncated:
        return kept
    rest = value - (kept << bits)
    half = 1 << (bits - 1)
    return kept + (1 if rest > half or (rest == half and kept & 1) else 0)


def composed(
    sign: int, value: int, scale: int, truncated: int, EXPONENT: int, MANTISSA: int
) -> int:
    """Return the number of a format that is nearest to value * 2**scale; `value` has at most 33
    bits."""
    if value == 0:
        return sign << (EXPONENT + MANTISSA)
    bias = (1 << (EXPONENT - 1)) - 1
    # The exponent of the last bit to keep; no smaller than that of denormals.
    last = max(int.bit_length(value) - 1 + scale - MANTISSA, 1 - bias - MANTISSA)
    shift = last - scale
    mantissa = dropped(value, shift, truncated) if shift >= 0 else value << -shift
    # A mantissa that has become one bit longer carries into the exponent, as does the implicit 1.
    result = ((last + bias + MANTISSA - 1) << MANTISSA) + mantissa
    return (sign << (EXPONENT + MANTISSA)) | min(result, ((1 << EXPONENT) - 1) << MANTISSA)


def from_integer(x: int, is_signed: int, truncated: int, EXPONENT: int, MANTISSA: int) -> int:
    """fcvt.s.w and the like: a 32-bit integer to a format."""
    value = s32(x) if is_signed else x
    return composed(1 if value < 0 else 0, abs(value), 0, truncated, EXPONENT, MANTISSA)


def rounded_magnitude(x: int, truncated: int) -> int:
    """Return the magnitude of FP32 rounded to an integer; 2**32 or more for what is out of
    range."""
    exponent = (x >> 23) & 255
    if exponent >= 159:
        return 1 << 32
    mantissa = (x & 0x7FFFFF) | (0x800000 if exponent else 0)
    if exponent >= 150:
        return mantissa << (exponent - 150)
    return dropped(mantissa, 150 - exponent, truncated)


def to_signed(x: int, truncated: int) -> int:
    """fcvt.w.s: out of range is the nearest that there is, NaN the largest."""
    if is_nan(x):
        return LARGEST_INT
    magnitude = rounded_magnitude(x, truncated)
    if x & SIGN:
        return -min(magnitude, LEAST_INT) & MASK32
    return min(magnitude, LARGEST_INT)


def to_unsigned(x: int, truncated: int) -> int:
    """fcvt.wu.s: negative numbers that do not round to 0 are 0 too, NaN is the largest."""
    if is_nan(x):
        return MASK32
    return 0 if x & SIGN else min(rounded_magnitude(x, truncated), MASK32)


def narrowed(x: int, truncated: int, EXPONENT: int, MANTISSA: int) -> int:
    """FP32 to a format of 16 bits; a NaN becomes the canonical one."""
    exponent = (x >> 23) & 255
    largest = ((1 << EXPONENT) - 1) << MANTISSA
    if is_nan(x):
        return largest | (1 << (MANTISSA - 1))
    if x & 0x7FFFFFFF == INFINITY:
        return ((x >> 31) << 15) | largest
    mantissa = (x & 0x7FFFFF) | (0x800000 if exponent else 0)
    return composed(x >> 31, mantissa, max(exponent, 1) - 150, truncated, EXPONENT, MANTISSA)


def fp16_widened(x: int) -> int:
    """IEEE FP16 to FP32, exactly; a NaN becomes the canonical one."""
    exponent = (x >> 10) & 31
    mantissa = x & 0x3FF
    if exponent == 31:
        return NAN if mantissa else ((x & 0x8000) << 16) | INFINITY
    if exponent == 0:
        return composed(x >> 15, mantissa, -24, 0, 8, 23)
    return ((x & 0x8000) << 16) | ((exponent + 112) << 23) | (mantissa << 13)


def bf16_widened(x: int) -> int:
    """BF16 to FP32, exactly; a NaN becomes the canonical one."""
    return NAN if is_nan(x << 16) else x << 16
