# SPDX-License-Identifier: Apache-2.0
"""Rounding against exact arithmetic, and the random numbers against their page."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tensix_gdb.core.numeric import prng, rounding
from tests.core.numeric.sweep import sweep
from tests.core.numeric.test_formats import number

HALVES = range(1 << 16)
STREAM = random.Random(8)
RANDOM = [STREAM.getrandbits(32) for _ in range(1 << 14)]


@pytest.mark.parametrize("bits", [1, 3, 8, 13])
def test_nearest(bits: int) -> None:
    even = sweep(rounding.nearest_even, HALVES, [bits] * (1 << 16))
    away = sweep(rounding.nearest_away, HALVES, [bits] * (1 << 16))
    for x in HALVES:
        exact = Fraction(x, 1 << bits)
        assert even[x] == round(exact)  # Python's is to even as well
        assert away[x] == (x + (1 << bits >> 1)) // (1 << bits)
        assert abs(away[x] - exact) <= Fraction(1, 2)


def threshold_of(x: int, threshold: int, bits: int) -> int:
    """Return the page's rule: at least as many discarded as random bits go up."""
    return (x >> bits) + int(x % (1 << bits) >= threshold >> (23 - bits))


def against13(x: int, threshold: int) -> int:
    return rounding.against(x, 13, threshold)


def test_against_a_threshold() -> None:
    thresholds = [rounding.stochastic(r) for r in RANDOM]
    got = sweep(against13, RANDOM, thresholds)
    assert got == [threshold_of(x, t, 13) for x, t in zip(RANDOM, thresholds, strict=True)]
    # NEAREST is ties away from zero; TOWARD_ZERO goes up for the last discarded pattern alone.
    nearest = sweep(against13, HALVES, [rounding.NEAREST] * (1 << 16))
    assert nearest == sweep(rounding.nearest_away, HALVES, [13] * (1 << 16))
    zero = sweep(against13, HALVES, [rounding.TOWARD_ZERO] * (1 << 16))
    assert {x % 8192 for x in HALVES if zero[x] != x >> 13} == {8191}


def bf16_of(x: int, threshold: int) -> int:
    return rounding.fp32_mantissa(x, 16, threshold)


def tf32_of(x: int, threshold: int) -> int:
    return rounding.fp32_mantissa(x, 13, threshold)


def e8m6_of(x: int, threshold: int) -> int:
    return rounding.fp32_mantissa(x, 17, threshold)


@pytest.mark.parametrize(("reduced", "drop"), [(tf32_of, 13), (bf16_of, 16), (e8m6_of, 17)])
def test_mantissa_of_fp32(reduced: object, drop: int) -> None:
    patterns = RANDOM + [sign | e << 23 | m for sign in (0, 1 << 31) for e in range(256)
                         for m in (0, 1, 0x7FFFFF, 1 << (drop - 1), (3 << drop) - 1)]  # fmt: skip
    got = sweep(reduced, patterns, [rounding.NEAREST] * len(patterns))  # type: ignore[arg-type]
    for x, y in zip(patterns, got, strict=True):
        exponent = x >> 23 & 255
        if exponent == 0:
            assert y == 0
            continue
        assert y >> 31 == x >> 31
        assert y & ((1 << drop) - 1) == 0
        if exponent == 255:
            assert y & 0x7FFFFFFF == 0x7F800000
            continue
        step = Fraction(2) ** (exponent - 127 - 23 + drop)
        value = abs(number(x, 8, 23))
        up = (value / step + Fraction(1, 2)).__floor__() * step
        assert abs(number(y, 8, 23)) == up


def test_mantissa_of_fp16() -> None:
    nearest = sweep(e5m6_of, HALVES, [rounding.NEAREST] * (1 << 16))
    for x, y in zip(HALVES, nearest, strict=True):
        assert y & 15 == 0
        if x & 0x7C00 == 0:
            assert y == 0
            continue
        assert y >> 15 == x >> 15
        step = Fraction(2) ** ((x >> 10 & 31) - 15 - 6)
        want = (abs(number(x, 5, 10)) / step + Fraction(1, 2)).__floor__() * step
        assert abs(number(y, 5, 10)) == min(want, number(0x7FF0, 5, 10))


def e5m6_of(x: int, threshold: int) -> int:
    return rounding.fp16_mantissa(x, 4, threshold)


def test_integer_of_fp32() -> None:
    patterns = [r & 0x807FFFFF | (STREAM.randrange(120, 146) << 23) for r in RANDOM]
    got = sweep(rounding.fp32_to_magnitude, patterns, [rounding.NEAREST] * len(patterns))
    for x, y in zip(patterns, got, strict=True):
        value = abs(number(x, 8, 23))
        assert y == (1 << 16 if value >= 1 << 16 else (value + Fraction(1, 2)).__floor__())
    assert rounding.fp32_to_magnitude(0x7FC00000, 0) == 1 << 16
    # SFPSTOCHRND_FloatInt.md names the three numbers that rounding to zero does not round to zero.
    near = [x for x in range(0x3F000000, 0x40400000) if x & 0x3FFFFC == 0x3FFFFC]
    whole = [int(number(x, 8, 23)) for x in near]
    zero = sweep(rounding.fp32_to_magnitude, near, [rounding.TOWARD_ZERO] * len(near))
    wrong = [x for x, z, w in zip(near, zero, whole, strict=True) if z != w]
    assert wrong == [0x3F7FFFFE, 0x3F7FFFFF, 0x3FFFFFFF]


def test_shifted_magnitudes() -> None:
    magnitudes = [r & 0x7FFFFFFF for r in RANDOM]
    shifts = [STREAM.randrange(32) for _ in RANDOM]
    got = sweep(nearest_shift, magnitudes, shifts)
    for x, shift, y in zip(magnitudes, shifts, got, strict=True):
        assert y == (Fraction(x, 1 << shift) + Fraction(1, 2)).__floor__()
    # Rounding to zero is wrong only when more than 22 bits are shifted out (SFPSTOCHRND_IntInt.md).
    zero = sweep(zero_shift, magnitudes, shifts)
    assert all(z == x >> s for x, s, z in zip(magnitudes, shifts, zero, strict=True) if s <= 22)
    assert rounding.magnitude_shifted(0x7FFFFF, 23, rounding.TOWARD_ZERO) == 1


def nearest_shift(magnitude: int, shift: int) -> int:
    return rounding.magnitude_shifted(magnitude, shift, rounding.NEAREST)


def zero_shift(magnitude: int, shift: int) -> int:
    return rounding.magnitude_shifted(magnitude, shift, rounding.TOWARD_ZERO)


def test_random_numbers() -> None:
    def by_the_page(state: int) -> int:
        taps = (state & 0x80200003).bit_count()
        return (~taps << 31 & 0xFFFFFFFF) | state >> 1

    assert sweep(prng.advance, RANDOM) == [by_the_page(r) for r in RANDOM]
    states = [prng.seeded(1234, lane) for lane in range(32)]
    assert len(set(states)) == 32
    assert prng.advance_by(states[31], 62) == states[0]
    assert prng.advance(0) == 1 << 31
    assert prng.advance(0xFFFFFFFF) == 0xFFFFFFFF
