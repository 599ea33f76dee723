# SPDX-License-Identifier: Apache-2.0
"""Format conversions of the unpackers once more: sign, exponent and mantissa, put together."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

NAMES = {
    "FP32": 0, "FP16": 1, "BFP8a": 2, "BFP4a": 3, "TF32": 4, "BF16": 5, "BFP8": 6, "BFP4": 7,
    "INT32": 8, "INT16": 9, "FP8": 10, "BFP2a": 11, "INT8": 14, "BFP2": 15,
}  # fmt: skip
SIZES = {
    "BFP2": Fraction(1, 4), "BFP2a": Fraction(1, 4), "BFP4": Fraction(1, 2),
    "BFP4a": Fraction(1, 2), "BFP8": Fraction(1), "BFP8a": Fraction(1), "FP8": Fraction(1),
    "INT8": Fraction(1), "FP16": Fraction(2), "BF16": Fraction(2), "INT16": Fraction(2),
    "FP32": Fraction(4), "TF32": Fraction(4), "INT32": Fraction(4),
}  # fmt: skip


@dataclass
class Formats:
    """The settings that a conversion depends on."""

    given: str = "BF16"
    wanted: str = ""
    to_dst: bool = False
    unsigned: bool = False
    e4m3: bool = False

    @property
    def out(self) -> str:
        return self.wanted or self.given


def convert(u: Formats, datum: int, exponent: int) -> int:
    """A datum of L1 as it is in the register, by the fields of the number."""
    if u.out in ("INT32", "FP32") or (u.out == "TF32" and u.to_dst):
        high = datum >> 16
        return _joined(high >> 15, high & 0x7F, high >> 7 & 0xFF, 7, 8) << 16 | datum & 0xFFFF
    if u.given == "INT16":
        return datum if u.to_dst else (datum & 0xFF00) << 3 | datum & 0xFF
    sign, exp, man, man_bits, narrow = _fields(u, datum, exponent)
    if u.to_dst:
        kept = 10 if narrow else 7
        return _joined(sign, man >> man_bits - kept, exp, kept, 15 - kept)
    return (
        sign << 18 | (man >> man_bits - 10 if man_bits >= 10 else man << 10 - man_bits) << 8 | exp
    )


def _joined(sign: int, man: int, exp: int, man_bits: int, exp_bits: int) -> int:
    return sign << man_bits + exp_bits | man << exp_bits | exp


def _fields(u: Formats, datum: int, shared: int) -> tuple[int, int, int, int, bool]:
    """Sign, exponent, mantissa, bits of the mantissa, and whether the exponent has 5 bits."""
    if u.given == "FP32":
        sign, exp, man = datum >> 31, datum >> 23 & 0xFF, datum & 0x7FFFFF
        if u.out == "BF16":
            return sign, exp, (man if exp else 0) >> 16, 7, False
        if u.out == "TF32":
            return sign, exp, man >> 13, 10, False
        exp -= 112
        if exp < 0:
            return sign, 0, 0, 10, True
        return (sign, 31, 0x3FF, 10, True) if exp > 31 else (sign, exp, man >> 13, 10, True)
    if u.given == "BF16":
        return datum >> 15, datum >> 7 & 0xFF, datum & 0x7F, 7, False
    if u.given == "FP16":
        return datum >> 15, datum >> 10 & 31, datum & 0x3FF, 10, True
    if u.given == "FP8":
        kept = 3 if u.e4m3 else 2
        exp, man = datum >> kept & 0x7F >> kept, (datum & (1 << kept) - 1) << 10 - kept
        if datum & 0x7F == 0x7F:
            man = 0x3FF
        return datum >> 7, exp + 8 if u.e4m3 and exp else exp, man, 10, True
    if u.given == "INT8":
        magnitude = datum if u.unsigned else datum & 0x7F
        return 0 if u.unsigned else datum >> 7, 16 if magnitude else 0, magnitude, 10, True
    bits = int(SIZES[u.given] * 8)
    narrow = u.given.endswith("a")
    sign, magnitude = datum >> bits - 1, datum & (1 << bits - 1) - 1
    if magnitude == 0:
        return sign, (31 if narrow else 255) if sign else 0, 0, 10 if narrow else 7, narrow
    exp = shared - (bits - 1 - magnitude.bit_length()) & 0xFF
    man = magnitude << 8 - magnitude.bit_length() & 0x7F  # 7 bits behind the leading 1
    return sign, exp, man << 3 if narrow else man, 10 if narrow else 7, narrow
