# SPDX-License-Identifier: Apache-2.0
"""The MAD sub-unit in the model: multiply-add, tables of coefficients, products of integers.

`multiply_add` follows Miscellaneous/FMA: a product of 28 bits whose last one is sticky, aligned
with the addend and rounded once; denormals are 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.core.tensix.vector.pages import MAG, SIGN, Bools, Wide, Words, exponent, u32, wide

ONE, INFINITY, NAN = 0x3F800000, 0x7F800000, 0x7FC00000


def sticky(values: Wide, by: Wide) -> Wide:
    """Shift right; the last bit also says if a bit was lost, unless all of them were."""
    kept = values >> by
    return kept | ((kept << by != values) & (kept != 0))


def multiply_add(x: Words, y: Words, z: Words) -> Words:
    """x * y + z in FP32."""
    a, b, c = (np.where(exponent(v) > 0, wide(v) & 0x7FFFFF | 1 << 23, 0) for v in (x, y, z))
    product_exponent = exponent(x) + exponent(y) - 127
    product = a * b >> 20 | (a * b & 0xFFFFF != 0)
    product = np.where(product_exponent < 0, 0, product)
    product_exponent = np.where(product == 0, 0, product_exponent)
    top = np.maximum(product_exponent, exponent(z))
    negative = (x ^ y) >= SIGN
    total = sticky(product, np.minimum(top - product_exponent, 31)) * np.where(negative, -1, 1)
    total += sticky(c << 3, np.minimum(top - exponent(z), 31)) * np.where(z >= SIGN, -1, 1)
    size = abs(total)
    length = np.frexp(size.astype(np.float64))[1].astype(np.int64)
    power = top + length - 27
    # A denormal result is shifted by one more bit, however small it is.
    tall = size << (30 - length - (power <= 0))
    rest = tall & 63
    result = (np.maximum(power, 1) - 1 << 23) + (tall >> 6)
    result += (rest > 32) | ((rest == 32) & (tall >> 6 & 1 == 1))
    result = np.where((result < 1 << 23) | (total == 0), 0, np.minimum(result, INFINITY))
    sign = np.where(total == 0, negative & (z >= SIGN), total < 0)
    large = product_exponent >= 255
    result = np.where(large, INFINITY, result) | np.where(large, negative, sign) * 0x80000000
    return u32(np.where(special(x, y, z), not_finite(x, y, z), result))


def special(*operands: Words) -> Bools:
    """True where an operand is infinite or no number."""
    return np.asarray(np.maximum.reduce([exponent(v) for v in operands]) == 255)


def not_finite(x: Words, y: Words, z: Words) -> Wide:
    """The same where `special`. A finite product that is too large is not infinite here."""
    nan = np.maximum.reduce([wide(v & MAG) for v in (x, y, z)]) > INFINITY
    for one, other in ((x, y), (y, x)):
        nan |= (one & MAG == INFINITY) & (exponent(other) == 0)
    infinite = np.maximum(wide(x & MAG), wide(y & MAG)) == INFINITY
    sign = (x ^ y) & SIGN
    nan |= infinite & (z & MAG == INFINITY) & (sign != z & SIGN)
    return np.where(nan, NAN, np.where(z & MAG == INFINITY, wide(z), wide(sign) | INFINITY))


def multiply_24(a: Words, b: Words, z: Words, upper: bool) -> Words:
    """Mul24ShiftAdd of SFPMUL24.md."""
    x, y = wide(a) & 0x7FFFFF, wide(b) & 0x7FFFFF
    product = x * y >> 23 if upper else x * y & 0x7FFFFF
    e = exponent(z)
    top = np.maximum(129, e)
    by = (top - e) & 31
    full = ((1 << 23) + (wide(z) & 0x7FFFFF)) << 3
    moved = product >> ((top - 129) & 31)
    kept = full >> by
    total = moved + kept + (((kept << by) ^ full > 0xFFFF) << 16) & 0x7FFFFF
    return u32(np.where(e == 0, product, np.where(kept == 0, moved, total)))


def fp32(value: npt.ArrayLike) -> Words:
    return np.asarray(value, np.float32).view(np.uint32)


def small_entry(x: Words) -> Words:
    """Eight bits: sign, three bits of a negative exponent, four of mantissa; 0xFF is 0."""
    x = x & np.uint32(0xFF)
    value = (1 + (x & 15) / 16) / 2.0 ** (x >> 4 & 7)
    return fp32(np.where(x == 0xFF, 0, np.where(x & 0x80, -value, value)))


def entry(x: Words) -> Words:
    """Sixteen bits: FP16, whose largest exponent stands for 0 with its sign and mantissa."""
    x = wide(x) & 0xFFFF
    value = (1 + (x & 0x3FF) / 1024) * 2.0 ** ((x >> 10 & 31) - 15.0)
    zero = x >> 15 << 31 | (x & 0x3FF) << 13
    return np.where(x >> 10 & 31 == 31, u32(zero), fp32(np.where(x >> 15, -value, value)))


def coefficients(lregs: Words, opcode: int, mode: int) -> tuple[Words, Words]:
    """SFPLUT.md and SFPLUTFP32.md: what |LReg[3]| is multiplied with, and what is added."""
    size = lregs[3] & MAG
    two, three, four = (int(fp32(v)) for v in (2, 3, 4))
    place = (size >= np.uint32(ONE)).astype(int) + (size >= np.uint32(two))
    here = np.arange(size.size)
    first, second = lregs[place, here], lregs[4 + place, here]
    if opcode == 0x73:
        return small_entry(first >> np.uint32(8)), small_entry(first)
    if mode & 2 == 0:
        return first, second
    if mode & 10 == 10:
        return entry(first >> np.uint32(16)), entry(first)
    ends = [int(fp32(v)) for v in (0.5, 1, 1.5, 2)] + [four if mode & 1 else three]
    upper = np.sum([size >= np.uint32(end) for end in ends], axis=0) & 1
    half = (upper * 16).astype(np.uint32)
    return entry(first >> half), entry(second >> half)
