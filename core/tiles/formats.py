# SPDX-License-Identifier: Apache-2.0
"""The formats of a datum in L1, by the names that users type.

They are those of FormatConversion.md. Integers are sign and magnitude there; `twos32` and `twos16`
are the same bits as software has them. A format knows a number as the bits of its datum. Block
float makes BF16 of a number first (those with an `a` FP16), and 16 of these share an exponent; that
is done as the packer does it (core/numeric/block.py).
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Sequence
from functools import partial

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.numeric.block import (
    bf16_to_bfp8,
    bfp8_to_bf16,
    bfp8a_to_fp16,
    e5m7_to_bfp8a,
    narrower,
)
from tensix_gdb.core.numeric.formats import bf16_to_fp32, tf32_to_fp32
from tensix_gdb.core.numeric.integers import value_of
from tensix_gdb.core.numeric.rounding import NEAREST
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.unpacker.formats import BITS, E4M3, IS_BFP, fp8_to_fp16
from tensix_gdb.core.tiles.npy import ArrayError
from tensix_gdb.core.tiles.numbers import (
    fp16_value,
    fp32_bits,
    fp32_value,
    ieee_value,
    narrow_bits,
    small_bits,
)

GROUP = 16  # datums of block float with one exponent
_E4M3_LEAST = 2.0**-6


@dataclass(frozen=True)
class TileFormat:
    """A format. `saved` is the type of NumPy that holds its numbers."""

    name: str
    code: Format
    about: str
    encode: Callable[[float], int]
    decode: Callable[[int], float]
    saved: str = "f4"

    @property
    def bits(self) -> int:
        """Bits of a datum in L1."""
        return BITS[self.code]

    @property
    def is_block(self) -> bool:
        """True if 16 datums share an exponent."""
        return bool(IS_BFP[self.code])

    @property
    def is_narrow(self) -> bool:
        """True if an exponent has 5 bits."""
        return self.code in (Format.FP16, Format.FP8, Format.BFP8A, Format.BFP4A, Format.BFP2A)

    def ieee(self, value: float) -> float:
        """Return what NumPy and ttnn find where the coprocessor has this number: they read IEEE
        754."""
        return ieee_value(value) if self.name in ("fp16", "fp8") else value

    def not_finite(self, values: Sequence[float]) -> str:
        """Return a sentence about numbers that are not finite for a host; empty if there are
        none."""
        count = sum(self.ieee(value) != value and not math.isnan(value) for value in values)
        if not count:
            return ""
        return (
            f"{count} of {len(values)} datums are numbers of at least 65536 to the coprocessor, "
            "and infinity or NaN to NumPy and ttnn, which read IEEE 754"
        )

    @property
    def is_integer(self) -> bool:
        """True if its numbers are integers."""
        return self.saved != "f4"

    @property
    def rtol(self) -> float:
        """A relative tolerance that fits: two units in the last place of 1.0. ArrayError where
        numbers have no last place of their own."""
        if self.is_integer or self.is_block:
            why = "has integers" if self.is_integer else "shares an exponent among 16 datums"
            raise ArrayError(f"rtol needs a number, such as rtol=0.01: {self.name} {why}")
        digits = [n for n in range(24) if self.decode(self.encode(1 + 2.0**-n)) == 1 + 2.0**-n]
        return 2.0 ** (1 - digits[-1])


def _integer(least: int, most: int, width: int, signed: bool, value: float) -> int:
    """Return an integer in sign and magnitude, or as it is; ValueError if it does not fit."""
    if not least <= value <= most or value != int(value):
        raise ValueError(f"has the integers from {least} to {most}")
    number = int(value)
    return (1 << (width - 1)) | -number if signed and number < 0 else number & ((1 << width) - 1)


Coder = tuple[Callable[[float], int], Callable[[int], float]]


def _signed(width: int) -> Coder:
    most = (1 << (width - 1)) - 1
    return partial(_integer, -most, most, width, True), lambda bits: value_of(bits, width)


def _unsigned(width: int) -> Coder:
    return partial(_integer, 0, (1 << width) - 1, width, False), int


def _twos(width: int) -> Coder:
    half = 1 << (width - 1)
    encode = partial(_integer, -half, half - 1, width, False)
    return encode, lambda bits: bits - 2 * half if bits & half else bits


def _tf32(value: float) -> int:
    return tf32_to_fp32(narrow_bits(value, 10))


def _bf16(value: float) -> int:
    return narrow_bits(value, 7)


def _bf16_value(bits: int) -> float:
    return fp32_value(bf16_to_fp32(bits))


def _fp16(value: float) -> int:
    return small_bits(value, 5, 10)


def _e5m2(value: float) -> int:
    return small_bits(value, 5, 2)


def _e5m2_value(bits: int) -> float:
    return fp16_value(fp8_to_fp16(bits, 0))


def _e4m3(value: float) -> int:
    """Return the bits of E4M3. A number below 2**-6 has no exponent, so the unpacker takes it for
    0."""
    if abs(value) < _E4M3_LEAST:
        value = math.copysign(_E4M3_LEAST if abs(value) > _E4M3_LEAST / 2 else 0, value)
    return small_bits(value, 4, 3)


def _e4m3_value(bits: int) -> float:
    return fp16_value(fp8_to_fp16(bits if bits & 0x78 else bits & 0x80, E4M3))


# Coders of floats: a number to bits, and back.
_E8 = (_bf16, _bf16_value)
_E5 = (_fp16, fp16_value)
F = Format
# fmt: off
_ALL = (
    TileFormat("fp32",     F.FP32,  "1 + 8 + 23 bits", fp32_bits, fp32_value),
    TileFormat("tf32",     F.TF32,  "1 + 8 + 10 bits, and 13 that are 0", _tf32, fp32_value),
    TileFormat("bf16",     F.BF16,  "1 + 8 + 7 bits (LLK: Float16_b)", *_E8),
    TileFormat("fp16",     F.FP16,  "1 + 5 + 10 bits (LLK: Float16)", *_E5),
    TileFormat("fp8",      F.FP8,   "1 + 5 + 2 bits (LLK: Lf8)", _e5m2, _e5m2_value),
    TileFormat("fp8_e4m3", F.FP8,   "1 + 4 + 3 bits (LLK: Fp8_e4m3)", _e4m3, _e4m3_value),
    TileFormat("bfp8",     F.BFP8,  "1 + 7 bits, exponents of 8 bits (LLK: Bfp8_b)", *_E8),
    TileFormat("bfp4",     F.BFP4,  "1 + 3 bits, exponents of 8 bits (LLK: Bfp4_b)", *_E8),
    TileFormat("bfp2",     F.BFP2,  "1 + 1 bits, exponents of 8 bits (LLK: Bfp2_b)", *_E8),
    TileFormat("bfp8a",    F.BFP8A, "1 + 7 bits, exponents of 5 bits (LLK: Bfp8)", *_E5),
    TileFormat("bfp4a",    F.BFP4A, "1 + 3 bits, exponents of 5 bits (LLK: Bfp4)", *_E5),
    TileFormat("bfp2a",    F.BFP2A, "1 + 1 bits, exponents of 5 bits (LLK: Bfp2)", *_E5),
    TileFormat("int32",    F.INT32, "sign and 31 bits", *_signed(32), saved="i4"),
    TileFormat("int16",    F.INT16, "sign and 15 bits", *_signed(16), saved="i2"),
    TileFormat("int8",     F.INT8,  "sign and 7 bits", *_signed(8), saved="i1"),
    TileFormat("uint32",   F.INT32, "32 bits", *_unsigned(32), saved="u4"),
    TileFormat("uint16",   F.INT16, "16 bits", *_unsigned(16), saved="u2"),
    TileFormat("uint8",    F.INT8,  "8 bits, with Src?Unsigned or Read_unsigned", *_unsigned(8),
               saved="u1"),
    TileFormat("twos32",   F.INT32, "32 bits in two's complement", *_twos(32), saved="i4"),
    TileFormat("twos16",   F.INT16, "16 bits in two's complement", *_twos(16), saved="i2"),
)
# fmt: on
FORMATS = {format.name: format for format in _ALL}
ALIASES = {
    "float32": "fp32", "float16": "fp16", "float16_b": "bf16", "lf8": "fp8",
    **{f"bfp{bits}{b}": f"bfp{bits}" for bits in "842" for b in ("b", "_b")},
}  # fmt: skip


def format_named(name: str) -> TileFormat:
    """Return the format of a name. ArrayError with the names if there is none."""
    key = name.lower()
    key = ALIASES.get(key, key)
    if key not in FORMATS:
        near = difflib.get_close_matches(key, FORMATS, 1)
        meant = f" ({near[0]}?)" if near else ""
        raise ArrayError(f"{name!r} is no format{meant}: type one of {', '.join(FORMATS)}")
    return FORMATS[key]


def block(format: TileFormat, datums: Sequence[int]) -> tuple[int, list[int]]:
    """Return the exponent and the datums of 16 numbers, as BF16 or FP16."""
    if format.is_narrow:
        exponent = max(datum >> 10 & 0x1F for datum in datums)
        eight = [e5m7_to_bfp8a(datum, exponent, NEAREST) for datum in datums]
    else:
        exponent = max(datum >> 7 & 0xFF for datum in datums)
        eight = [bf16_to_bfp8(datum, exponent, NEAREST) for datum in datums]
    return exponent, eight if format.bits == 8 else [narrower(d, format.bits) for d in eight]


def of_block(format: TileFormat, datum: int, exponent: int) -> int:
    """Return a datum of block float as BF16 or FP16; what the page has no result for is 0."""
    eight = datum << (8 - format.bits)
    if format.is_narrow:
        return max(bfp8a_to_fp16(eight, exponent), 0)
    return bfp8_to_bf16(eight, exponent)
