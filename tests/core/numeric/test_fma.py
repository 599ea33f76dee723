# SPDX-License-Identifier: Apache-2.0
"""The multiply-add against results of its page, against exact arithmetic, and what it promises."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from tensix_gdb.core.numeric import fma
from tests.core.numeric.sweep import sweep
from tests.core.numeric.test_formats import number

GOLDEN = Path(__file__).with_name("fma.txt")
STREAM = random.Random(10)


def test_results_of_the_page() -> None:
    lines = [line.split() for line in GOLDEN.read_text().splitlines() if line[0] != "#"]
    x, y, z, want = ([int(line[i], 16) for line in lines] for i in range(4))
    assert sweep(fma.fma, x, y, z) == want
    assert len(want) == 1500


def test_operands_of_a_golden_line_matter() -> None:
    """The file would notice: other readings of the page give other results on it."""
    lines = [[int(n, 16) for n in line.split()] for line in GOLDEN.read_text().splitlines()[5:]]
    finite = [n for n in lines if all(v >> 23 & 255 != 255 for v in n)]
    fused = sum(exact(x, y, z) != r for x, y, z, r in finite)
    separate = sum(fma.add(fma.multiply(x, y), z) != r for x, y, z, r in finite)
    assert fused > 10
    assert separate > 100


def exact(x: int, y: int, z: int) -> int:
    """x * y + z rounded once: what a fused operation gives, denormals flushed."""
    value = number(x, 8, 23) * number(y, 8, 23) + number(z, 8, 23)
    if value == 0:
        return (x ^ y) & z & 0x80000000 if number(z, 8, 23) == 0 else 0
    return rounded(value, 8, 23)


def rounded(value: Fraction, exponent_bits: int, mantissa_bits: int) -> int:
    """The nearest number of a format, ties to even, denormals flushed after rounding."""
    bias = (1 << (exponent_bits - 1)) - 1
    sign = int(value < 0) << (exponent_bits + mantissa_bits)
    value = abs(value)
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if Fraction(2) ** exponent > value:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    mantissa = round(value / Fraction(2) ** (exponent - mantissa_bits))
    result = ((exponent + bias - 1) << mantissa_bits) + mantissa
    largest = ((2 << exponent_bits - 1) - 1) << mantissa_bits
    return sign | (min(result, largest) if result >= 1 << mantissa_bits else 0)


def words(exponents: range, count: int) -> list[int]:
    """Random FP32, half of them with few bits in the mantissa."""
    found = []
    for _ in range(count):
        mantissa = STREAM.getrandbits(23)
        if STREAM.getrandbits(1):
            mantissa &= -1 << STREAM.randrange(23)
        found.append(
            STREAM.getrandbits(1) << 31 | STREAM.choice(exponents) << 23 | mantissa & 0x7FFFFF
        )
    return found


def test_adding_zero_and_multiplying_by_one_are_exact() -> None:
    """The page: a standalone add or multiply, handling of denormals notwithstanding."""
    for exponents in (range(64, 190), range(115, 140)):
        x, y = words(exponents, 4000), words(exponents, 4000)
        sums = sweep(fma.add, x, y)
        differences = sweep(fma.subtract, x, y)
        products = sweep(fma.multiply, x, y)
        for i, (a, b) in enumerate(zip(x, y, strict=True)):
            p, q = number(a, 8, 23), number(b, 8, 23)
            assert sums[i] == (rounded(p + q, 8, 23) if p + q else 0)
            assert differences[i] == (rounded(p - q, 8, 23) if p - q else 0)
            assert products[i] == rounded(p * q, 8, 23)


def test_as_the_host_adds_and_multiplies() -> None:
    """Another opinion on ordinary numbers: doubles are wide enough to round once."""
    x, y = words(range(90, 160), 3000), words(range(90, 160), 3000)
    for i, (p, q) in enumerate(zip(floats(x), floats(y), strict=True)):
        assert fma.add(x[i], y[i]).to_bytes(4, "little") == struct.pack("<f", p + q)
        assert fma.multiply(x[i], y[i]).to_bytes(4, "little") == struct.pack("<f", p * q)


def floats(patterns: list[int]) -> Iterator[float]:
    return (struct.unpack("<f", p.to_bytes(4, "little"))[0] for p in patterns)


INF, MINUS, NAN, ONE, TINY = 0x7F800000, 0xFF800000, 0x7FC00000, 0x3F800000, 0x00800000
SPECIAL = [
    (NAN | 1, ONE, ONE, NAN),
    (ONE, 0xFFC00000, ONE, NAN),
    (ONE, ONE, 0x7F800001, NAN),
    (INF, 0, ONE, NAN),
    (0x80000001, MINUS, ONE, NAN),
    (INF, ONE, MINUS, NAN),
    (INF, ONE, INF, INF),
    (INF, 0xBF800000, ONE, MINUS),
    (ONE, ONE, MINUS, MINUS),
    # A product that is too large is infinite, and yet does not make a NaN of an infinite addend.
    (0x7F000000, 0x40800000, 0xFF7FFFFF, INF),
    (0x7F000000, 0x40800000, MINUS, MINUS),
    # One that is too small is nothing.
    (TINY, 0x3F000000, ONE, ONE),
    (TINY, 0xBF000000, 0x80000000, 0x80000000),
    # Denormals are zeros with a sign, on both sides.
    (0x807FFFFF, ONE, 0x80000000, 0x80000000),
    (0x007FFFFF, ONE, 0x80000000, 0),
    (ONE, 0x00C00000, 0x80800000, 0),
    (ONE, 0x80C00000, 0x00800000, 0x80000000),
    # x - x
    (ONE, ONE, 0xBF800000, 0),
    # (1 + 2**-23)**2 - 1 - 2**-22 is 2**-46; the last bit of a product, 2**-26, stands for it.
    (0x3F800001, 0x3F800001, 0xBF800002, 0x32800000),
    # A little less than half the smallest normal number: it becomes that number, by a right shift
    # that is too short.
    (0x3FB764E9, 0x00CDC087, 0x80E6CB76, 0x00800000),
]


def test_special_cases() -> None:
    x, y, z, want = (list(column) for column in zip(*SPECIAL, strict=True))
    got = sweep(fma.fma, x, y, z)
    assert [f"{g:08x}" for g in got] == [f"{w:08x}" for w in want]
    assert [fma.is_nan(w) for w in (NAN, 0xFF800001, INF, MINUS, 0)] == [1, 1, 0, 0, 0]
