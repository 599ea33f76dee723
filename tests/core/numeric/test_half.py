# SPDX-License-Identifier: Apache-2.0
"""FP16 and BF16 of the harts: every operand of 16 bits, against exact arithmetic and `struct`."""

from __future__ import annotations

import math
import random
import struct
from fractions import Fraction

import pytest

from tensix_gdb.core.numeric import half, ieee
from tensix_gdb.core.numeric.half import BF16, BOX, NEAREST
from tests.core.numeric.sweep import sweep

COUNT = 1 << 16
BOXED = [BOX | x for x in range(COUNT)]
FP16 = 0
MODES = (FP16, BF16, BF16 | NEAREST)
STREAM = random.Random(12)


def value(x: int, mode: int) -> float:
    """Return the number of 16 bits, denormals and all."""
    if mode & BF16:
        return float(struct.unpack("<f", (x << 16).to_bytes(4, "little"))[0])
    return float(struct.unpack("<e", x.to_bytes(2, "little"))[0])


def all_of(function: object, mode: int) -> list[int]:
    return sweep(function, BOXED, [mode] * COUNT)  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", MODES)
def test_widened(mode: int) -> None:
    for x, wide in enumerate(all_of(half.widened, mode)):
        number = value(x, mode)
        if math.isnan(number):
            assert wide == 0x7FC00000
        else:
            assert wide.to_bytes(4, "little") == struct.pack("<f", number)


@pytest.mark.parametrize("mode", MODES)
def test_to_integers(mode: int) -> None:
    signed, unsigned = all_of(half.to_signed, mode), all_of(half.to_unsigned, mode)
    for x in range(COUNT):
        number = value(x, mode)
        if math.isnan(number):
            assert (signed[x], unsigned[x]) == (0x7FFFFFFF, 0xFFFFFFFF)
            continue
        if math.isinf(number):
            whole = (1 if number > 0 else -1) << 40
        else:
            whole = math.trunc(number) if mode == BF16 else round(number)
        assert signed[x] == min(max(whole, -(1 << 31)), (1 << 31) - 1) & 0xFFFFFFFF
        assert unsigned[x] == min(max(whole, 0), 0xFFFFFFFF)


@pytest.mark.parametrize("mode", MODES)
def test_classes(mode: int) -> None:
    mantissa = 7 if mode & BF16 else 10
    least = value(1 << mantissa, mode)
    for x, kind in enumerate(all_of(half.classified, mode)):
        number = value(x, mode)
        if math.isnan(number):
            expected = 9 if x >> (mantissa - 1) & 1 else 8
        else:
            size = abs(number)
            rank = 0 if math.isinf(size) else 1 if size >= least else 2 if size else 3
            expected = rank if x >> 15 else 7 - rank
        assert kind == 1 << expected


def test_every_sum_with_a_few() -> None:
    """fadd.h, fmul.h, fmin.h, flt.h of every FP16 with some others."""
    for other in (0xB555, 0x0400, 0x7BFF, 0x7C00):
        b = value(other, FP16)
        others, modes = [BOX | other] * COUNT, [FP16] * COUNT
        sums = sweep(half.add, BOXED, others, modes)
        products = sweep(half.multiply, BOXED, others, modes)
        less = sweep(half.less, BOXED, others, modes)
        smaller = sweep(half.smaller, BOXED, others, modes)
        for x in range(COUNT):
            a = value(x, FP16)
            assert less[x] == (a < b)
            if not math.isnan(a) and not math.isnan(b):
                assert smaller[x] & 0xFFFF in (x, other)
                assert value(smaller[x] & 0xFFFF, FP16) == min(a, b)
            if x & 0x7C00 == 0:
                a = math.copysign(0.0, a)
            for got, exact in ((sums[x], a + b), (products[x], a * b)):
                assert got == BOX | packed(exact), f"{x:04x}, {other:04x}"


def packed(exact: float) -> int:
    """An exact double as FP16: to the nearest even, denormals flushed after rounding."""
    if math.isnan(exact):
        return 0x7E00
    try:
        bits = int.from_bytes(struct.pack("<e", exact), "little")
    except OverflowError:
        return 0xFC00 if exact < 0 else 0x7C00
    if bits & 0x7C00:
        return bits
    # What rounds to the smallest normal number when its exponent is not limited becomes that.
    scaled = struct.unpack("<e", struct.pack("<e", exact * 4))[0] if exact else 0.0
    return bits & 0x8000 | (0x0400 if abs(scaled) >= 2**-12 else 0)


@pytest.mark.parametrize(("exponent", "mantissa"), [(5, 10), (8, 7)])
@pytest.mark.parametrize("truncated", [0, 1])
def test_from_integers_and_from_fp32(exponent: int, mantissa: int, truncated: int) -> None:
    for _ in range(3000):
        word = STREAM.getrandbits(32) >> STREAM.randrange(32)
        got = ieee.from_integer(word, 0, truncated, exponent, mantissa)
        near = closest(Fraction(word), exponent, mantissa, truncated)
        assert got == near, f"{word:#x}"
        pattern = STREAM.getrandbits(1) << 31 | STREAM.randrange(80, 150) << 23
        pattern |= STREAM.getrandbits(23)
        number = Fraction(struct.unpack("<f", pattern.to_bytes(4, "little"))[0])
        got = ieee.narrowed(pattern, truncated, exponent, mantissa)
        assert got == closest(number, exponent, mantissa, truncated), f"{pattern:#x}"


def closest(number: Fraction, exponent: int, mantissa: int, truncated: int) -> int:
    """By looking at what is below and above, denormals included."""
    sign, size = int(number < 0) << 15, abs(number)
    largest = ((1 << exponent) - 1) << mantissa
    low, high = 0, largest
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (
            (middle, high) if magnitude(middle, exponent, mantissa) <= size else (low, middle)
        )
    if truncated and size < magnitude(largest, exponent, mantissa):
        return sign | low
    below, above = (magnitude(n, exponent, mantissa) for n in (low, low + 1))
    if size - below == above - size:
        return sign | (low if low % 2 == 0 else low + 1)
    return sign | (low if size - below < above - size else low + 1)


def magnitude(bits: int, exponent: int, mantissa: int) -> Fraction:
    """The largest exponent as if it were one more ordinary one."""
    field, rest = bits >> mantissa, bits & ((1 << mantissa) - 1)
    bias = (1 << (exponent - 1)) - 1
    whole = rest + (1 << mantissa if field else 0)
    return whole * Fraction(2) ** (max(field, 1) - bias - mantissa)


def of_bf16(exact: Fraction, mode: int) -> int:
    """A number between 1 and 2, or its negative, in eight bits: toward zero, or to nearest even."""
    steps = abs(exact) * 128
    whole = math.floor(steps) if mode == BF16 else round(steps)
    return BOX | (exact < 0) << 15 | 127 << 7 | whole - 128


@pytest.mark.parametrize("mode", [BF16, BF16 | NEAREST])
def test_sums_and_products_of_bf16_are_rounded_as_cfg0_says(mode: int) -> None:
    """All products below 2, and all sums with numbers from 2**-8 to 2**-7, of both signs."""
    for i in range(128):
        for j in range(0, 128, 5):
            for sign in (0, 0x8000):
                a, b = BOX | sign | 127 << 7 | i, BOX | 127 << 7 | j
                small = BOX | sign | 119 << 7 | j
                x, y = Fraction(value(a & 0xFFFF, mode)), Fraction(value(b & 0xFFFF, mode))
                total = x + Fraction(value(small & 0xFFFF, mode))
                if abs(x * y) < Fraction(255, 128):
                    assert half.multiply(a, b, mode) == of_bf16(x * y, mode)
                if abs(total) < Fraction(255, 128):
                    assert half.add(a, small, mode) == of_bf16(total, mode)
