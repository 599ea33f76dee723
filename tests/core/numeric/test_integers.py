# SPDX-License-Identifier: Apache-2.0
"""Integers of the coprocessor, and block float, by the numbers that they stand for."""

from __future__ import annotations

import random
import struct
from fractions import Fraction

from tensix_gdb.core.numeric import block, integers
from tensix_gdb.core.numeric.rounding import NEAREST, TOWARD_ZERO
from tests.core.numeric.sweep import sweep
from tests.core.numeric.test_formats import number

HALVES = range(1 << 16)
STREAM = random.Random(9)
WORDS = [0, 1, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF] + [
    STREAM.getrandbits(32) >> STREAM.randrange(32) for _ in range(1 << 13)
]
SIGNED = [w ^ STREAM.getrandbits(1) << 31 for w in WORDS]


def test_twos_complement() -> None:
    plain = sweep(integers.to_twos_complement, HALVES, [16] * (1 << 16))
    for x, y in zip(HALVES, plain, strict=True):
        assert (y ^ 0x8000) - 0x8000 == integers.value_of(x, 16)
    back = sweep(integers.to_sign_magnitude, HALVES, [16] * (1 << 16))
    for x, y in zip(HALVES, back, strict=True):
        value = (x ^ 0x8000) - 0x8000
        assert integers.value_of(y, 16) == max(value, -0x7FFF)
        assert y != 0x8000
    assert sweep(integers.twos_complement32, WORDS) == [
        integers.to_twos_complement(w, 32) for w in WORDS
    ]
    assert sweep(integers.sign_magnitude32, WORDS) == [
        integers.to_sign_magnitude(w, 32) for w in WORDS
    ]
    assert integers.value_of(0x85, 8) == -5
    assert integers.to_twos_complement(0x85, 8) == 0xFB
    assert integers.to_sign_magnitude(0x80, 8) == 0xFF


def test_clamped() -> None:
    got = sweep(integers.clamp_magnitude32, SIGNED, [127] * len(SIGNED))
    for x, y in zip(SIGNED, got, strict=True):
        value = integers.value_of(x, 32)
        assert integers.value_of(y, 32) == max(-127, min(127, value))
        assert y != 0x80000000


def test_leading_zeros() -> None:
    assert sweep(integers.leading_zeros32, WORDS) == [32 - w.bit_length() for w in WORDS]


def test_to_fp32() -> None:
    for x, y in zip(SIGNED, sweep(integers.sign_magnitude32_to_fp32, SIGNED), strict=True):
        value = integers.value_of(x, 32)
        if value:
            assert y.to_bytes(4, "little") == struct.pack("<f", value)
        else:
            assert y == x  # minus zero stays minus zero
    every = [STREAM.getrandbits(32) for _ in SIGNED]
    ups = downs = 0
    got = sweep(integers.sign_magnitude32_to_fp32_stochastic, SIGNED, every)
    for x, y in zip(SIGNED, got, strict=True):
        exact, near = abs(integers.value_of(x, 32)), abs(number(y, 8, 23))
        assert abs(exact - near) < max(1, exact >> 23)
        ups, downs = ups + (near > exact), downs + (near < exact)
    assert min(ups, downs) > 100


def test_block_float_in() -> None:
    octets = range(256)
    for exponent in (0, 1, 7, 8, 100, 127, 255):
        got = sweep(block.bfp8_to_bf16, octets, [exponent] * 256)
        for x, y in zip(octets, got, strict=True):
            magnitude = x & 0x7F
            if magnitude == 0:
                assert y == (0xFF80 if x else 0)
            elif exponent >= 7:
                value = Fraction(magnitude, 64) * Fraction(2) ** (exponent - 127)
                # The exponent 0 of BF16 has no implicit 1, here it would have had one.
                if y & 0x7F80:
                    assert number(y, 8, 7) == (-value if x >> 7 else value)
                assert y >> 15 == x >> 7
    got = sweep(block.bfp8a_to_fp16, octets, [20] * 256)
    for x, y in zip(octets, got, strict=True):
        if x & 0x7F:
            value = Fraction(x & 0x7F, 64) * 32
            assert number(y, 5, 10) == (-value if x >> 7 else value)
    assert block.bfp8a_to_fp16(0x80, 20) == 0xFC00
    assert block.bfp8a_to_fp16(0x01, 5) == -1
    assert block.bfp8a_to_fp16(0x40, 32) == -1


def test_block_float_out() -> None:
    for exponent in (1, 5, 127, 130, 255):
        inside = [x for x in HALVES if x >> 7 & 0xFF <= exponent]
        got = sweep(nearest_bfp8, inside, [exponent] * len(inside))
        for x, y in zip(inside, got, strict=True):
            if x & 0x7F80 == 0 or exponent - (x >> 7 & 0xFF) >= 8:
                continue
            scaled = abs(number(x, 8, 7)) / Fraction(2) ** (exponent - 127 - 6)
            magnitude = min(127, (scaled + Fraction(1, 2)).__floor__())
            assert y == (magnitude | (x >> 8 & 0x80) if magnitude else 0)
    # What fits in 7 bits comes back.
    for x in (0x3F80, 0xBFC0, 0x4040, 0x3F82):
        datum = block.bf16_to_bfp8(x, 0x80, NEAREST)
        want = x if x != 0x3F82 else 0x3F80 if datum == 0x20 else 0x3F84
        assert block.bfp8_to_bf16(datum, 0x80) == want
    assert block.e5m7_to_bfp8a(0x3C00, 15, NEAREST) == 0x40
    assert block.bf16_to_bfp8(0x3FFF, 0x7F, TOWARD_ZERO) == 0x7F
    assert block.bf16_to_bfp8(0x8000, 0x7F, NEAREST) == 0


def nearest_bfp8(x: int, exponent: int) -> int:
    return block.bf16_to_bfp8(x, exponent, NEAREST)


def test_narrower_blocks() -> None:
    for x in range(256):
        for bits in (4, 2):
            y = block.narrower(x, bits)
            top = 1 << (bits - 1)
            assert y & (top - 1) == (x & 0x7F) >> (8 - bits)
            assert y >> (bits - 1) == (x >> 7 if y & (top - 1) else 0)
