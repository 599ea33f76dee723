# SPDX-License-Identifier: Apache-2.0
"""The functional models that several operations share, over arrays of uint32.

From the SFP* pages of Blackhole. tests/core/tensix/vector has a whole instruction's model where it
is called; nothing here imports the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tensix_gdb.core.tensix.vector import address
from tests.core.tensix.vector.dst import loaded, stored
from tests.core.tensix.vector.multiply import coefficients, multiply_add
from tests.core.tensix.vector.pages import (
    MAG,
    MANTISSA,
    SIGN,
    Bools,
    Case,
    Words,
    cast,
    exponent,
    less,
    shifted,
    signed,
    stoch_rnd,
    u32,
    wide,
    with_exponent,
)

NEAREST, ZERO = "RoundMode::Nearest", "RoundMode::Zero"
ROUNDINGS = {NEAREST: 0, ZERO: 2}
Model = Callable[..., Any]


def word(value: float) -> int:
    """An FP32 as a word."""
    return int(np.float32(value).view(np.uint32))


def case_of(c: Words, word: int, b: Words | None = None) -> Case:
    flags = np.ones(c.shape, bool)
    return Case(word, c if b is None else b, c, c, flags, flags, np.zeros_like(c), c)


def absolute_float(a: Words) -> Words:
    """SFPABS.md: -NaN stays."""
    return np.where(a > np.uint32(0xFF800000), a, a & MAG).astype(np.uint32)


def set_exponent(a: Words, new: Any) -> Words:
    return with_exponent(a, np.broadcast_to(np.asarray(new, np.int64), a.shape))


def add_exponent(a: Words, k: int) -> Words:
    """SFPDIVP2.md: infinity and NaN stay."""
    e = exponent(a)
    return with_exponent(a, np.where(e == 255, e, e + k))


def set_mantissa(a: Words, new: Words) -> Words:
    return (a & ~MANTISSA) | (new & MANTISSA)


def set_sign(a: Words, of: Words) -> Words:
    return (a & MAG) | (of & SIGN)


def smaller(a: Words, b: Words) -> Words:
    """SFPSWAP.md: the order of sign and magnitude, also of floats."""
    return np.where(less(b, a), b, a).astype(np.uint32)


def larger(a: Words, b: Words) -> Words:
    return np.where(less(b, a), a, b).astype(np.uint32)


def rounded(mode: int) -> Model:
    """SFPSTOCHRND_FloatFloat.md and _FloatInt.md by their Mod1."""
    return lambda a, rounding: stoch_rnd(case_of(a, ROUNDINGS[rounding] << 21 | mode))[0]


def descaled(mode: int) -> Model:
    """SFPSTOCHRND_IntInt.md, with a number or an LReg."""

    def run(a: Words, by: Any, rounding: str) -> Words:
        word = ROUNDINGS[rounding] << 21 | mode
        if isinstance(by, int):
            return stoch_rnd(case_of(a, word | by << 16 | 8))[0]
        return stoch_rnd(case_of(a, word, by))[0]

    return run


def to_sign_magnitude(a: Words) -> Words:
    """SFPCAST_IntInt.md."""
    return cast(case_of(a, 3))[0]


def from_sign_magnitude(a: Words) -> Words:
    """Of sfpi_lib.h: the magnitude, subtracted from 0 where the sign is set."""
    return np.where(a & SIGN, u32(-wide(a & MAG)), a).astype(np.uint32)


def to_float(a: Words) -> Words:
    """SFPCAST_IntFloat.md, of the sign and magnitude."""
    return cast(case_of(to_sign_magnitude(a), 0))[0]


def by_table(opcode: int, mode: int, entries: int) -> Model:
    """SFPLUT.md and SFPLUTFP32.md, for tables as `tables` draws them."""

    def run(a: Words, table: tuple[int, ...], sign: str) -> Words:
        lregs = np.zeros((8, *a.shape), np.uint32)
        for lreg, word in zip((0, 1, 2, 4, 5, 6), table, strict=False):
            lregs[lreg] = word
        lregs[3] = a
        slope, offset = coefficients(lregs, opcode, mode)
        out = multiply_add(slope, a & MAG, offset)
        return set_sign(out, a) if sign == "Retain" else out

    assert entries in (3, 6)
    return run


# Formats of Dst: Mod0 of SFPLOAD and SFPSTORE, and True if sfpi_funcs.h makes sign and magnitude of
# a vInt for it and back.
FORMATS = {
    **{"F32": (address.FP32, False), "F16a": (address.FP16, False), "F16b": (address.BF16, False)},
    **{"I32": (address.INT32, False), "U16": (address.UINT16, False)},
    **{"SM32": (address.INT32, True), "SM16": (address.INT16, True), "SM8": (address.INT8, True)},
}


def through(form: str, a: Words) -> Words:
    """SFPSTORE.md and then SFPLOAD.md."""
    mode, converted = FORMATS[form]
    high, low = stored(mode, to_sign_magnitude(a) if converted else a)
    found = loaded(mode, high, np.zeros_like(a) if low is None else low, a)
    return from_sign_magnitude(found) if converted else found


def rotated(a: Words) -> Words:
    """SFPSHFT2.md: by one lane within each eight."""
    return np.roll(a.reshape(-1, 8), 1, axis=1).reshape(-1)


def moved(a: Words) -> Words:
    """SFPSHFT2.md: likewise, with 0 in the first lane of each eight."""
    out = rotated(a)
    out[::8] = 0
    return out


def everywhere(a: Words, number: int) -> Words:
    """One number in all lanes."""
    return np.full_like(a, number & 0xFFFFFFFF)


def shift(a: Words, by: int, *, arithmetic: bool) -> Words:
    """SFPSHFT.md with a constant: to the right where it is negative."""
    return shifted(a, np.full(a.shape, by, np.int64), arithmetic)


def low_product(a: Words, b: Words) -> Words:
    """SFPMUL24.md."""
    return u32((wide(a) & 0x7FFFFF) * (wide(b) & 0x7FFFFF) & 0x7FFFFF)


def high_product(a: Words, b: Words) -> Words:
    """SFPMUL24.md with UPPER."""
    return u32((wide(a) & 0x7FFFFF) * (wide(b) & 0x7FFFFF) >> 23)


def clamp(a: Words, bound: float) -> Words:
    """Of sfpi_lib.h: the smaller of the size and the bound, with the sign."""
    return set_sign(smaller(absolute_float(a), everywhere(a, word(bound))), a)


def less_float(a: Words, b: Words) -> Bools:
    """SFPGT.md: the total order of floats, in which -0 is below +0 and NaN are at both ends."""
    return less(a, b)


def less_by_difference(a: Words, b: Words) -> Bools:
    """SFPIADD.md: the sign of a difference, also of vUInt. sfpi.h says of it that the compiler
    presumes the operands to be near each other."""
    return signed(u32(wide(a) - wide(b))) < 0
