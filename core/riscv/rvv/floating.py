# SPDX-License-Identifier: Apache-2.0
"""Operations on FP32 elements: `a` of vs2, `b` of vs1 or rs1, `c` of vd.

Arithmetic is that of the scalar instructions (core/numeric/fma.py), comparing and conversions are
core/numeric/ieee.py.
"""

from tensix_gdb.core.numeric import fma, ieee
from tensix_gdb.core.numeric.fma import SIGN
from tensix_gdb.core.record.layout import View

SELDOM = True  # little time of LLVM for it (core/engine/README.md)


def add(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfadd"""
    return fma.add(a, b)


def subtract(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfsub"""
    return fma.subtract(a, b)


def reverse_subtract(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfrsub"""
    return fma.subtract(b, a)


def multiply(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfmul"""
    return fma.multiply(a, b)


def madd(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfmadd: b * c + a"""
    return fma.fma(b, c, a)


def nmadd(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfnmadd: -(b * c) - a"""
    return fma.fma(b ^ SIGN, c, a ^ SIGN)


def msub(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfmsub: b * c - a"""
    return fma.fma(b, c, a ^ SIGN)


def nmsub(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfnmsub: -(b * c) + a"""
    return fma.fma(b ^ SIGN, c, a)


def macc(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfmacc: b * a + c"""
    return fma.fma(b, a, c)


def nmacc(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfnmacc: -(b * a) - c"""
    return fma.fma(b ^ SIGN, a, c ^ SIGN)


def msac(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfmsac: b * a - c"""
    return fma.fma(b, a, c ^ SIGN)


def nmsac(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfnmsac: -(b * a) + c"""
    return fma.fma(b ^ SIGN, a, c)


def smaller(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfmin"""
    return ieee.smaller(a, b)


def larger(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfmax"""
    return ieee.larger(a, b)


def with_sign(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfsgnj"""
    return (a & 0x7FFFFFFF) | (b & SIGN)


def with_other_sign(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfsgnjn"""
    return (a & 0x7FFFFFFF) | (~b & SIGN)


def with_product_sign(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfsgnjx"""
    return a ^ (b & SIGN)


def equal(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmfeq"""
    return ieee.equal(a, b)


def not_equal(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmfne"""
    return 1 - ieee.equal(a, b)


def less(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmflt"""
    return ieee.less(a, b)


def at_most(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmfle"""
    return ieee.less_or_equal(a, b)


def more(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmfgt"""
    return ieee.less(b, a)


def at_least(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmfge"""
    return ieee.less_or_equal(b, a)


def sum_up(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfredosum, vfredusum: c + a.

    UNSPECIFIED(BabyRISCV/InstructionSet.md): the order of vfredusum is the hardware's choice; here
    it is that of vfredosum.
    """
    return fma.add(c, a)


def smallest(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfredmin"""
    return ieee.smaller(c, a)


def largest(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfredmax"""
    return ieee.larger(c, a)


def classified(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfclass"""
    return ieee.classified(a, 8, 23)


def to_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfcvt.xu.f.v"""
    return ieee.to_unsigned(a, 0)


def to_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfcvt.x.f.v"""
    return ieee.to_signed(a, 0)


def from_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfcvt.f.xu.v, and from half as many bits."""
    return ieee.from_integer(a, 0, 0, 8, 23)


def from_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfcvt.f.x.v"""
    return ieee.from_integer(a, 1, 0, 8, 23)


def from_signed_half(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfwcvt.f.x.v: from signed 16 bits."""
    return ieee.from_integer(((a ^ 0x8000) - 0x8000) & 0xFFFFFFFF, 1, 0, 8, 23)


def truncated_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfcvt.rtz.xu.f.v"""
    return ieee.to_unsigned(a, 1)


def truncated_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfcvt.rtz.x.f.v"""
    return ieee.to_signed(a, 1)


def to_unsigned_half(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfncvt.xu.f.w: to unsigned 16 bits."""
    return min(ieee.to_unsigned(a, 0), 0xFFFF)


def to_signed_half(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfncvt.x.f.w: to signed 16 bits."""
    return clamped_half(ieee.to_signed(a, 0))


def truncated_unsigned_half(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfncvt.rtz.xu.f.w"""
    return min(ieee.to_unsigned(a, 1), 0xFFFF)


def truncated_signed_half(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vfncvt.rtz.x.f.w"""
    return clamped_half(ieee.to_signed(a, 1))


def clamped_half(x: int) -> int:
    """A signed word into 16 bits, saturated."""
    return min(max((x ^ SIGN) - SIGN, -0x8000), 0x7FFF)
