# SPDX-License-Identifier: Apache-2.0
"""Dropping bits with rounding.

Two kinds exist. `nearest_even` is that of the multiply-add and of SFPCAST. The other compares what
is dropped with a threshold of 23 bits, and rounds away from zero if it is not smaller: NEAREST
(ties away from zero), TOWARD_ZERO, or 23 random bits for stochastic rounding. That "not smaller"
should have been "larger" is a bug of the hardware, which TOWARD_ZERO and stochastic rounding show
(SFPSTOCHRND_FloatFloat.md, Packers/FormatConversion.md).
"""

THRESHOLD_BITS = 23
NEAREST = 0x400000
TOWARD_ZERO = 0x7FFFFF


def stochastic(random: int) -> int:
    """Return the threshold that a random number of 32 bits gives."""
    return random & 0x7FFFFF


def nearest_even(x: int, bits: int) -> int:
    """x without its low `bits` bits (at least 1), to the nearest, ties to even."""
    half = (1 << (bits - 1)) - 1
    return (x + half + ((x >> bits) & 1)) >> bits


def nearest_away(x: int, bits: int) -> int:
    """x without its low `bits` bits (at least 1), to the nearest, ties away from zero."""
    return (x + (1 << (bits - 1))) >> bits


def against(x: int, bits: int, threshold: int) -> int:
    """x without its low `bits` bits (1 to 23), one more if they are not below the threshold."""
    dropped = x & ((1 << bits) - 1)
    return (x >> bits) + (1 if dropped >= threshold >> (THRESHOLD_BITS - bits) else 0)


def fp32_mantissa(x: int, drop: int, threshold: int) -> int:
    """FP32 with `drop` bits of its mantissa rounded away and left 0 (SFPSTOCHRND_FloatFloat.md).

    13 leaves TF32, 16 BF16, 17 the E8M6 of packers. Zeros and denormals become +0, NaN becomes
    infinity with its sign, and so may a finite number, if it is rounded up.
    """
    exponent = (x >> 23) & 0xFF
    if exponent == 0:
        return 0
    if exponent == 255:
        return x & 0xFF800000
    return against(x, drop, threshold) << drop


def fp16_mantissa(x: int, drop: int, threshold: int) -> int:
    """FP16 of the coprocessor with `drop` bits of its mantissa rounded away (4 leaves E5M6).

    Zeros and denormals become +0 (Packers/FormatConversion.md, "Rounding").
    UNSPECIFIED(Packers/FormatConversion.md): what becomes of the largest exponent when rounding
    carries out of it; there is no infinity to go to, so the largest number with the bits left.
    """
    if x & 0x7C00 == 0:
        return 0
    rounded = against(x & 0x7FFF, drop, threshold) << drop
    if rounded > 0x7FFF:
        rounded = 0x7FFF & (-1 << drop)
    return (x & 0x8000) | rounded


def fp32_to_magnitude(x: int, threshold: int) -> int:
    """Return the magnitude of FP32 rounded to an integer, below 2**17 (SFPSTOCHRND_FloatInt.md).

    From 2**16 on, NaN included, it is 2**16: every clamp that follows is smaller. What is below
    one half is 0 whatever the threshold.
    """
    exponent = ((x >> 23) & 0xFF) - 127
    if exponent < -1:
        return 0
    if exponent >= 16:
        return 0x10000
    mantissa = 0x800000 | (x & 0x7FFFFF)
    scaled = mantissa << exponent if exponent >= 0 else mantissa >> 1
    return (scaled >> 23) + (1 if scaled & 0x7FFFFF >= threshold else 0)


def magnitude_shifted(magnitude: int, shift: int, threshold: int) -> int:
    """Return a magnitude of 31 bits, shifted right by 0 to 31, rounded (SFPSTOCHRND_IntInt.md)."""
    scaled = (magnitude << 23) >> shift
    return (scaled >> 23) + (1 if scaled & 0x7FFFFF >= threshold else 0)
