# SPDX-License-Identifier: Apache-2.0
"""The functional models of the SFP* pages over whole arrays: what the sweeps compare with.

A third implementation, besides the emulator and the model of pages.py, that shares nothing with
either. Arrays are uint32; `Case` has what an instruction reads besides the operand that is swept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint32]
Bools = npt.NDArray[np.bool_]
# The result, and the lane flags where the instruction sets them.
Result = tuple[Words, Bools | None]

SIGN = np.uint32(0x80000000)
MAG = np.uint32(0x7FFFFFFF)
MANTISSA = np.uint32(0x7FFFFF)


@dataclass(frozen=True, slots=True)
class Case:
    """An instruction: its word, the operand of each lane, VD and VB before it, random numbers."""

    word: int
    c: Words
    d: Words
    b: Words
    prng: Words

    def field(self, low: int, width: int) -> int:
        return self.word >> low & ((1 << width) - 1)

    @property
    def mod1(self) -> int:
        return self.word & 15


def u32(values: npt.ArrayLike) -> Words:
    """Any integers, as 32 bits."""
    return (np.asarray(values, np.int64) & 0xFFFFFFFF).astype(np.uint32)


def wide(values: Words) -> npt.NDArray[np.int64]:
    return values.astype(np.int64)


def signed(values: Words) -> npt.NDArray[np.int64]:
    return values.view(np.int32).astype(np.int64)


def imm12(case: Case) -> int:
    value = case.field(12, 12)
    return value - 4096 if value >> 11 else value


def exponent(values: Words) -> npt.NDArray[np.int64]:
    return wide(values >> np.uint32(23)) & 255


def with_exponent(values: Words, new: npt.ArrayLike) -> Words:
    return (values & np.uint32(0x807FFFFF)) | u32(np.asarray(new, np.int64) & 255) << np.uint32(23)


def divp2(case: Case) -> Result:
    old, by = exponent(case.c), case.field(12, 8)
    new = np.where(old == 255, old, old + by) if case.mod1 & 1 else np.full_like(old, by)
    return with_exponent(case.c, new), None


def exexp(case: Case) -> Result:
    out = exponent(case.c) - (0 if case.mod1 & 1 else 127)
    flags = out < 0 if case.mod1 & 2 else np.ones(out.shape, bool)
    return u32(out), ~flags if case.mod1 & 8 else flags


def exman(case: Case) -> Result:
    return (case.c & MANTISSA) | np.uint32(0 if case.mod1 & 1 else 1 << 23), None


def iadd(case: Case) -> Result:
    c, d = wide(case.c), wide(case.d)
    out = u32(c + imm12(case) if case.mod1 & 1 else c - d if case.mod1 & 2 else c + d)
    flags = np.ones(out.shape, bool) if case.mod1 & 4 else signed(out) < 0
    return out, ~flags if case.mod1 & 8 else flags


def shifted(x: Words, by: npt.NDArray[np.int64], arithmetic: bool) -> Words:
    left = wide(x) << (by & 31)
    right = (signed(x) if arithmetic else wide(x)) >> (-by & 31)
    return u32(np.where(by >= 0, left, right))


def shft(case: Case) -> Result:
    if case.mod1 & 1:
        x, by = (case.c if case.mod1 & 4 else case.d), np.full(case.c.shape, imm12(case), np.int64)
    else:
        x, by = case.d, signed(case.c)
    return shifted(x, by, bool(case.mod1 & 2)), None


def shft2(case: Case) -> Result:
    if case.mod1 == 6:
        return shifted(case.c, np.full(case.c.shape, imm12(case), np.int64), False), None
    return shifted(case.b, signed(case.c), False), None


def setcc(case: Case) -> Result:
    c, m = signed(case.c), case.mod1
    if m & 8:
        flags = np.zeros(c.shape, bool)
    elif m & 1:
        flags = np.full(c.shape, bool(case.field(12, 1)))
    else:
        flags = {0: c < 0, 2: c != 0, 4: c >= 0, 6: c == 0}[m & 6]
    return case.d, flags


def mov(case: Case) -> Result:
    return case.c ^ SIGN if case.mod1 == 1 else case.c, None


def absolute(case: Case) -> Result:
    negative = case.c >= SIGN
    if case.mod1 & 1:
        out = np.where(negative & (case.c <= np.uint32(0xFF800000)), case.c & MAG, case.c)
    else:
        out = np.where(negative, u32(-wide(case.c)), case.c)
    return out.astype(np.uint32), None


def logic(operation: Callable[[Words, Words], Words], *, of_vb: bool) -> Callable[[Case], Result]:
    def run(case: Case) -> Result:
        return operation(case.b if of_vb and case.mod1 & 1 else case.d, case.c), None

    return run


def lz(case: Case) -> Result:
    c = case.c & MAG if case.mod1 & 4 else case.c
    out = np.full(c.shape, 32, np.int64)
    for bit in range(32):
        out[(c >> np.uint32(bit)) & 1 == 1] = 31 - bit
    flags = c != 0 if case.mod1 & 2 else np.ones(c.shape, bool)
    return u32(out), ~flags if case.mod1 & 8 else flags


def setexp(case: Case) -> Result:
    m = case.mod1
    new = case.field(12, 8) if m & 1 else exponent(case.d) if m & 2 else wide(case.d) & 255
    return with_exponent(case.c, np.broadcast_to(np.asarray(new), case.c.shape)), None


def setman(case: Case) -> Result:
    new = u32(case.field(12, 12) << 11) if case.mod1 & 1 else case.d & MANTISSA
    return (case.c & ~MANTISSA) | new, None


def setsgn(case: Case) -> Result:
    new = u32(case.field(12, 1) << 31) if case.mod1 & 1 else case.d & SIGN
    return (case.c & MAG) | new, None


def cast(case: Case) -> Result:
    c, m = case.c, case.mod1 & 3
    if m == 2:
        return absolute(Case(0, c, case.d, case.b, case.prng))
    if m == 3:
        return (c & SIGN) | np.where(c & SIGN, u32(-wide(c)), c).astype(np.uint32), None
    size = c & MAG
    zeros = wide(lz(Case(0, size, case.d, case.b, case.prng))[0])
    zeros = np.where(size == 0, 157, zeros)
    norm = u32(wide(size) << (zeros & 31))
    out = wide(c & SIGN) + ((157 - zeros) << 23) + wide(norm >> np.uint32(8))
    if m:
        up = wide(norm) & 0xFE > wide(case.prng) >> 9 & 0xFE
    else:
        up = (norm & 0x80 != 0) & (norm & 0x17F != 0)
    return u32(out + up), None


def stoch_rnd(case: Case) -> Result:
    m = case.mod1 & 7
    rounding = case.field(21, 3)
    bits = wide(case.prng) & 0x7FFFFF
    if rounding in (0, 2):
        bits = np.full(bits.shape, 0x400000 if rounding == 0 else 0x7FFFFF, np.int64)
    c = wide(case.c)
    if m < 2:
        drop = 13 if m == 0 else 16
        low = c & ((1 << drop) - 1)
        out = c - low + np.where(low >= bits >> (23 - drop), 1 << drop, 0)
        out = np.where(exponent(case.c) == 255, c & 0xFF800000, out)
        return u32(np.where(exponent(case.c) == 0, 0, out)), None
    largest = {2: 255, 3: 127, 4: 255, 5: 127, 6: 65535, 7: 32767}[m]
    sign = c & 0x80000000 if m in (3, 5, 7) else np.zeros_like(c)
    if m in (4, 5):
        by = case.field(16, 5) if case.mod1 & 8 else wide(case.b) & 31
        size = (c & 0x7FFFFFFF) << 23 >> by
    else:
        e = exponent(case.c) - 127
        full = 0x800000 | c & 0x7FFFFF
        size = np.where(e >= 0, full << np.clip(e, 0, 16), full >> np.clip(-e, 0, 1))
    out = np.minimum((size >> 23) + (size & 0x7FFFFF >= bits), largest)
    if m not in (4, 5):
        out = np.where(e >= 16, largest, out)
        out = np.where(e < -1, 0, out)
        sign = np.where(e < -1, 0, sign)
    # Magnitude 0 has no sign, but where it never was 0 (FloatInt: at least 2**16).
    return u32(np.where(out == 0, 0, sign) + out), None


def mul24(case: Case) -> Result:
    a, b = wide(case.c) & 0x7FFFFF, wide(case.b) & 0x7FFFFF
    product = a * b >> 23 if case.mod1 & 1 else a * b & 0x7FFFFF
    z, e = case.d, exponent(case.d)
    top = np.maximum(129, e)
    by = (top - e) & 31
    full = ((1 << 23) + (wide(z) & 0x7FFFFF)) << 3
    moved = product >> ((top - 129) & 31)
    kept = full >> by
    total = moved + kept + (((kept << by) ^ full > 0xFFFF) << 16) & 0x7FFFFF
    return u32(np.where(e == 0, product, np.where(kept == 0, moved, total))), None


def less(left: Words, right: Words) -> Bools:
    """By sign and magnitude, where -0 is below +0."""
    a, b = (np.where(x & SIGN, -wide(x & MAG) - 1, wide(x)) for x in (left, right))
    return np.asarray(a < b)


def compare(case: Case) -> Result:
    found = less(case.c, case.d) ^ (case.word >> 24 == 0x96)
    out = np.where(found, np.uint32(0xFFFFFFFF), np.uint32(0)) if case.mod1 & 8 else case.d
    return out, found if case.mod1 & 1 else None


def reciprocal(c: Words) -> Words:
    """The table of SFPARECIP.md, by the middle of each step of 1/128."""
    size = c & MAG
    steps = np.rint(256 / (1 + (np.arange(128) + 0.5) / 128)).astype(np.int64) - 128
    out = (253 - wide(size >> np.uint32(23)) << 23) | steps[wide(size >> np.uint32(16)) & 127] << 16
    out = np.where(size >= 0x7E800000, 0, np.where(size < 0x00800000, 0x7F800000, out))
    return u32(out)


def arecip(case: Case) -> Result:
    if case.mod1 & 3 == 0:
        return reciprocal(case.c) | (case.c & SIGN), None
    return np.where(case.b & SIGN, reciprocal(case.c), case.c).astype(np.uint32), None


BY_OPCODE: dict[int, Callable[[Case], Result]] = {
    **{0x76: divp2, 0x77: exexp, 0x78: exman, 0x79: iadd, 0x7A: shft, 0x7B: setcc, 0x7C: mov},
    **{0x7D: absolute, 0x80: lambda case: (~case.c, None), 0x81: lz, 0x82: setexp, 0x83: setman},
    **{0x7E: logic(np.bitwise_and, of_vb=True), 0x7F: logic(np.bitwise_or, of_vb=True)},
    **{0x89: setsgn, 0x8D: logic(np.bitwise_xor, of_vb=False), 0x8E: stoch_rnd, 0x90: cast},
    **{0x94: shft2, 0x96: compare, 0x97: compare, 0x98: mul24, 0x99: arecip},
}
