# SPDX-License-Identifier: Apache-2.0
"""Formats of L1: numbers against NumPy, block float against the meaning that its page gives."""

from __future__ import annotations

import math
import random
import struct

import numpy as np
import pytest

from tensix_gdb.core.explain.instruction.block import MANUAL
from tensix_gdb.core.tensix.unpacker.formats import BITS
from tensix_gdb.core.tiles.formats import FORMATS, block, format_named, of_block
from tensix_gdb.core.tiles.npy import Array, ArrayError
from tensix_gdb.core.tiles.tile import bits_of

DICE = random.Random(20)
SPREAD = [DICE.uniform(-2, 2) * 2.0 ** DICE.randrange(-30, 30) for _ in range(1000)]
FLOATS = [name for name, format in FORMATS.items() if not format.is_integer]


def test_fp32_is_numpys() -> None:
    with np.errstate(over="ignore"):
        numbers = [*SPREAD, 1e39, -1e39, 1e-42, math.inf, -0.0]
        wanted = np.array(numbers, np.float64).astype("<f4").view("<u4").tolist()
    assert [FORMATS["fp32"].encode(x) for x in numbers] == wanted


def test_fp16_is_numpys_where_there_is_no_infinity() -> None:
    numbers = [x for x in SPREAD if abs(x) < 65504] + [6e-8, 3e-8, 2.0**-25, -0.0]
    wanted = np.array(numbers).astype("<f2").view("<u2").tolist()
    assert [FORMATS["fp16"].encode(x) for x in numbers] == wanted
    assert FORMATS["fp16"].encode(65536) == 0x7C00  # a number: there is no infinity
    assert FORMATS["fp16"].encode(1e9) == 0x7FFF
    assert FORMATS["fp16"].decode(0xFFFF) == -math.inf


def test_bf16_and_tf32_are_fp32_rounded_to_nearest_even() -> None:
    for name, drop in (("bf16", 16), ("tf32", 13)):
        shift = 16 if name == "bf16" else 0
        for value in SPREAD:
            bits = struct.unpack("<I", struct.pack("<f", value))[0]
            low = bits & ((1 << drop) - 1)
            half = 1 << (drop - 1)
            up = low > half or (low == half and bits >> drop & 1)
            assert FORMATS[name].encode(value) == ((bits >> drop) + up << drop) >> shift
    assert FORMATS["bf16"].encode(math.nan) & 0x7FFF > 0x7F80


@pytest.mark.parametrize("name", FLOATS)
def test_the_nearest_number_is_taken(name: str) -> None:
    """Of what each pattern stands for, none is nearer; block float is left to its own test."""
    format = FORMATS[name]
    bits = 16 if format.is_block else format.bits
    patterns = range(1 << bits) if bits <= 16 else []
    known = sorted({v for v in map(format.decode, patterns) if math.isfinite(v)})
    for value in SPREAD if known else ():
        found = format.decode(format.encode(value))
        if abs(value) > known[-2]:  # the largest pattern of a narrow format stands for more
            assert abs(found) >= known[-2]
            continue
        i = int(np.searchsorted(known, value))
        near = known[max(i - 1, 0) : i + 1]
        assert abs(found - value) == min(abs(each - value) for each in near)


@pytest.mark.parametrize("name", ["bfp8", "bfp4", "bfp2", "bfp8a", "bfp4a", "bfp2a"])
def test_block_float_means_what_the_page_says(name: str) -> None:
    """FloatBitPatterns.md: Mag/2**6 * 2**(Exp-127), and the same for narrower magnitudes."""
    format = FORMATS[name]
    magnitude_bits = format.bits - 1
    bias = 15 if format.is_narrow else 127
    for exponent in (bias - 6, bias, bias + 3):
        for datum in range(1 << format.bits):
            sign = -1 if datum >> magnitude_bits else 1
            magnitude = datum & ((1 << magnitude_bits) - 1)
            value = format.decode(of_block(format, datum, exponent))
            if magnitude:
                assert value == sign * magnitude * 2.0 ** (exponent - bias - magnitude_bits + 1)
    group = [float(x) for x in range(-8, 8)]
    exponent, datums = block(format, [format.encode(x) for x in group])
    assert exponent == bias + 3  # that of -8
    step = 2.0 ** (3 - magnitude_bits + 1)
    for value, datum in zip(group, datums, strict=True):
        assert abs(format.decode(of_block(format, datum, exponent)) - value) < step


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [("int8", -127, 127), ("uint8", 0, 255), ("int16", -32767, 32767), ("twos16", -32768, 32767),
     ("uint32", 0, 2**32 - 1), ("int32", -(2**31) + 1, 2**31 - 1), ("twos32", -(2**31), 2**31 - 1)],
)  # fmt: skip
def test_integers_and_their_limits(name: str, least: int, most: int) -> None:
    format = FORMATS[name]
    for value in (least, most, 0, 1):
        assert format.decode(format.encode(value)) == value
    for wrong in (least - 1, most + 1, 0.5, math.nan, math.inf):
        with pytest.raises(ValueError, match=f"has the integers from {least} to {most}"):
            format.encode(wrong)


def test_the_bits_are_those_of_the_unpacker() -> None:
    assert {format.code: format.bits for format in FORMATS.values()} == {
        format.code: BITS[format.code] for format in FORMATS.values()
    }


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(ArrayError) as caught:
        bits_of(FORMATS["int8"], Array((2, 2), [1, 2, 3, 300]))
    assert str(caught.value) == "has 300 at [1, 1], and int8 has the integers from -127 to 127"


def test_names() -> None:
    assert format_named("Float16_b") is FORMATS["bf16"]
    assert format_named("BFP8_b") is FORMATS["bfp8"]
    with pytest.raises(ArrayError, match=r"'bf-16' is no format \(bf16\?\): type one of fp32, "):
        format_named("bf-16")


@pytest.mark.parametrize(
    ("name", "digits"),
    [("fp32", 23), ("tf32", 10), ("bf16", 7), ("fp16", 10), ("fp8", 2), ("fp8_e4m3", 3)],
)
def test_the_relative_tolerance_is_two_units_in_the_last_place(name: str, digits: int) -> None:
    assert FORMATS[name].rtol == 2.0 ** (1 - digits)
    assert f"{FORMATS[name].rtol:g}" in (MANUAL / "tiles.md").read_text("utf-8")


def test_formats_without_a_last_place_have_no_relative_tolerance() -> None:
    for format in FORMATS.values():
        if format.is_integer or format.is_block:
            with pytest.raises(ArrayError, match=f"rtol needs a number.*: {format.name} "):
                _ = format.rtol


@pytest.mark.parametrize(("name", "width", "kind"), [("fp16", 16, "<u2"), ("fp8", 8, "<u1")])
def test_what_hosts_read_is_ieees(name: str, width: int, kind: str) -> None:
    """Every pattern of FP16 and E5M2, as NumPy reads it."""
    format = FORMATS[name]
    patterns = np.arange(1 << width)
    found = np.array([format.ieee(format.decode(int(bits))) for bits in patterns])
    halves = (patterns << (16 - width)).astype("<u2").view("<f2").astype("f8")
    np.testing.assert_array_equal(found, halves)
    beyond = int((~np.isfinite(halves)).sum())
    said = format.not_finite([format.decode(int(bits)) for bits in patterns])
    assert said.startswith(f"{beyond} of {1 << width} datums are numbers of at least 65536")


@pytest.mark.parametrize("name", ["fp32", "bf16", "tf32", "fp8_e4m3", "bfp8", "bfp8a"])
def test_other_formats_are_read_alike(name: str) -> None:
    values = [1.0, 65536.0, 98304.0, math.inf, math.nan]
    assert FORMATS[name].not_finite(values) == ""
