# SPDX-License-Identifier: Apache-2.0
"""Formats and layouts: every pattern of 16 and 19 bits, by what number it stands for."""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction

import pytest

from tensix_gdb.core.numeric import formats, layouts
from tests.core.numeric.sweep import sweep

HALVES = range(1 << 16)


def number(x: int, exponent_bits: int, mantissa_bits: int) -> Fraction:
    """Return the number of a pattern, when every exponent but 0 is an ordinary one."""
    sign = -1 if x >> (exponent_bits + mantissa_bits) else 1
    exponent = (x >> mantissa_bits) & ((1 << exponent_bits) - 1)
    mantissa = x & ((1 << mantissa_bits) - 1)
    bias = (1 << (exponent_bits - 1)) - 1
    if exponent == 0:
        return Fraction(0)
    return sign * (1 + Fraction(mantissa, 1 << mantissa_bits)) * Fraction(2) ** (exponent - bias)


PAIRS: list[tuple[Callable[[int], int], Callable[[int], int], int]] = [
    (layouts.bf16_to_dst16, layouts.dst16_to_bf16, 16),
    (layouts.fp16_to_dst16, layouts.dst16_to_fp16, 16),
    (layouts.bf16_to_src, layouts.src_to_bf16, 16),
    (layouts.fp16_to_src, layouts.src_to_fp16, 16),
    (layouts.int16_to_src, layouts.src_to_int16, 16),
    (layouts.dst16_bf16_to_src, layouts.src_to_dst16_bf16, 16),
    (layouts.dst16_fp16_to_src, layouts.src_to_dst16_fp16, 16),
    (layouts.tf32_to_src, layouts.src_to_tf32, 19),
    (layouts.fp32_to_dst32, layouts.dst32_to_fp32, 32),
    (layouts.src_tf32_to_dst32, layouts.dst32_to_src_tf32, 19),
]


@pytest.mark.parametrize(("there", "back", "bits"), PAIRS, ids=lambda v: getattr(v, "__name__", v))
def test_layouts_lose_nothing(
    there: Callable[[int], int], back: Callable[[int], int], bits: int
) -> None:
    for high in range(1 << (bits - 16)) if bits < 32 else (0, 1, 0x3F80, 0x8000, 0xA5A5, 0xFFFF):
        patterns = [high << 16 | low for low in HALVES]
        kept = sweep(there, patterns)
        assert sweep(back, kept) == patterns


def fields(x: int, *widths: int) -> list[int]:
    """The fields of a word from the top."""
    found = []
    for width in reversed(widths):
        found.append(x & ((1 << width) - 1))
        x >>= width
    return found[::-1]


def test_where_the_fields_are() -> None:
    for x in (0x3F81, 0xC2FF, 0x0080, 0xFF7F, 0x1234):
        sign, exponent, mantissa = fields(x, 1, 8, 7)
        assert fields(layouts.bf16_to_dst16(x), 1, 7, 8) == [sign, mantissa, exponent]
        assert fields(layouts.bf16_to_src(x), 1, 7, 3, 8) == [sign, mantissa, 0, exponent]
        sign, exponent, mantissa = fields(x, 1, 5, 10)
        assert fields(layouts.fp16_to_dst16(x), 1, 10, 5) == [sign, mantissa, exponent]
        assert fields(layouts.fp16_to_src(x), 1, 10, 3, 5) == [sign, mantissa, 0, exponent]
        word = x << 16 | 0x9ABC
        sign, exponent, high, low = fields(word, 1, 8, 7, 16)
        assert fields(layouts.fp32_to_dst32(word), 1, 7, 8, 16) == [sign, high, exponent, low]
        assert fields(layouts.int16_to_src(x), 8, 3, 8) == [x >> 8, 0, x & 255]
    assert fields(layouts.int8_to_dst16(1, 5, 16), 1, 10, 5) == [1, 5, 16]
    assert layouts.dst32_to_src_tf32(layouts.fp32_to_dst32(0xC0490FDB)) == layouts.tf32_to_src(
        0xC0490FDB >> 13
    )
    assert layouts.src_to_bf16(layouts.tf32_to_src(0xC0490FDB >> 13)) == 0xC049
    assert layouts.bf16_to_src(0xC049) == layouts.tf32_to_src(0xC049 << 3)


def test_fp16_to_fp32() -> None:
    for x, wide in zip(HALVES, sweep(formats.fp16_to_fp32, HALVES), strict=True):
        assert number(wide, 8, 23) == number(x, 5, 10)
        assert wide >> 31 == x >> 15
        if 0 < x & 0x7C00 < 0x7C00:
            halves = struct.unpack("<e", x.to_bytes(2, "little"))
            assert struct.pack("<f", *halves) == wide.to_bytes(4, "little")
    with_infinity = sweep(formats.fp16_to_fp32_with_infinity, HALVES)
    plain = sweep(formats.fp16_to_fp32, HALVES)
    assert {x for x in HALVES if with_infinity[x] != plain[x]} == {0x7FFF, 0xFFFF}
    assert with_infinity[0x7FFF] == 0x7F800000
    assert with_infinity[0xFFFF] == 0xFF800000
    immediate = sweep(formats.fp16_to_fp32_immediate, HALVES)
    assert all(immediate[x] == plain[x] for x in HALVES if x & 0x7C00)
    # (1 + Man/2**10) * 2**(Exp - 15) with Exp = 0
    assert number(immediate[0x8201], 8, 23) == -(1 + Fraction(0x201, 1 << 10)) / (1 << 15)


def test_bf16_to_fp32_and_back() -> None:
    wide = sweep(formats.bf16_to_fp32, HALVES)
    assert all(number(w, 8, 23) == number(x, 8, 7) for x, w in zip(HALVES, wide, strict=True))
    assert sweep(formats.fp32_to_bf16, wide) == sweep(formats.bf16_flushed, HALVES)
    assert formats.bf16_flushed(0x807F) == 0x8000
    assert formats.bf16_flushed(0x8080) == 0x8080
    assert formats.fp32_to_bf16(0x7F80FFFF) == 0x7F80
    assert formats.fp32_to_bf16(0x807FFFFF) == 0x8000
    assert formats.fp32_flushed(0x807FFFFF) == 0x80000000
    assert formats.fp32_flushed(0x00800000) == 0x00800000


def test_fp32_to_fp16() -> None:
    # Every exponent, with mantissas around what is kept.
    patterns = [
        sign << 31 | exponent << 23 | mantissa
        for sign in (0, 1)
        for exponent in range(256)
        for mantissa in (0, 1, 0x1FFF, 0x2000, 0x3FFFFF, 0x7FE000, 0x7FFFFF)
    ]
    for x, y in zip(patterns, sweep(formats.fp32_to_fp16, patterns), strict=True):
        value, got = abs(number(x, 8, 23)), abs(number(y, 5, 10))
        assert y >> 15 == x >> 31
        if value < Fraction(1, 1 << 14):
            assert y & 0x7FFF == 0
        elif value >= 1 << 17:
            assert y & 0x7FFF == 0x7FFF
        else:
            assert got <= value < got * (1 + Fraction(1, 1 << 10))
    late = dict(zip(patterns, sweep(formats.fp32_to_fp16_late, patterns), strict=True))
    for x, y in late.items():
        value = abs(number(x, 8, 23))
        if Fraction(1, 1 << 15) < value < Fraction(1, 1 << 14):
            assert y == (x >> 16 & 0x8000) | (x >> 13 & 0x3FF)
        else:
            assert y == formats.fp32_to_fp16(x)


def test_fp8() -> None:
    octets = range(256)
    for x, y in zip(octets, sweep(formats.e5m2_to_fp16, octets), strict=True):
        assert number(y, 5, 10) == number(x, 5, 2)
        assert formats.fp16_to_e5m2(y) == x
    for x, y in zip(octets, sweep(formats.e4m3_to_fp16, octets), strict=True):
        assert number(y, 5, 10) == number(x, 4, 3)
        assert formats.fp16_to_e4m3(y) == (x if x & 0x78 else x & 0x80)
    for x, y in zip(HALVES, sweep(formats.fp16_to_e4m3, HALVES), strict=True):
        value, got = abs(number(x, 5, 10)), abs(number(y, 4, 3))
        assert y >> 7 == x >> 15
        if value < Fraction(1, 1 << 6):
            assert y & 0x7F == 0
        elif value >= 1 << 9:
            assert y & 0x7F == 0x7F
        else:
            assert got <= value < got * Fraction(9, 8)


def test_tf32() -> None:
    for x in (0, 0x3F800000, 0xC0490FDB, 0x7F7FFFFF, 0x00000FFF):
        cut = formats.fp32_to_tf32(x)
        assert formats.tf32_to_fp32(cut) == x & ~0x1FFF
        assert formats.bf16_to_tf32(x >> 16) == cut & ~7
        assert formats.fp16_flushed(0x83FF) == 0x8000
