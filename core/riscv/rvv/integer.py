# SPDX-License-Identifier: Apache-2.0
"""Operations on integer elements: `a` of vs2, `b` of vs1, rs1 or the immediate, `c` of vd.

All come zero-extended from `sew` bits; of a result the low bits are kept, as many as the
destination has. Widening operations get narrow elements, narrowing ones an `a` of twice the width.
`c` is the carry where the instruction has one. Results may be negative.
"""

from tensix_gdb.core.arch.numbers import sext
from tensix_gdb.core.record.layout import View

COLD = True  # little time of LLVM for it (core/engine/README.md)


def add(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a + b"""
    return a + b


def subtract(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a - b"""
    return a - b


def reverse_subtract(S: View, a: int, b: int, c: int, sew: int) -> int:
    """b - a"""
    return b - a


def minu(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Return the smaller, unsigned."""
    return min(a, b)


def mins(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Return the smaller, signed."""
    return min(sext(a, sew), sext(b, sew))


def maxu(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Return the larger, unsigned."""
    return max(a, b)


def maxs(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Return the larger, signed."""
    return max(sext(a, sew), sext(b, sew))


def and_(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a & b"""
    return a & b


def or_(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a | b"""
    return a | b


def xor(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a ^ b"""
    return a ^ b


def shift_left(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a << b"""
    return a << (b & (sew - 1))


def shift_right(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a >> b, zeros coming in."""
    return a >> (b & (sew - 1))


def shift_right_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a >> b, copies of the sign coming in."""
    return sext(a, sew) >> (b & (sew - 1))


def narrow_shift(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vnsrl"""
    return a >> (b & (2 * sew - 1))


def narrow_shift_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vnsra"""
    return sext(a, 2 * sew) >> (b & (2 * sew - 1))


def add_carry(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a + b + carry"""
    return a + b + c


def subtract_borrow(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a - b - borrow"""
    return a - b - c


def carry_out(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Return the carry of a + b + carry."""
    return (a + b + c) >> sew


def borrow_out(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Return the borrow of a - b - borrow."""
    return a - b - c < 0


def equal(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a = b"""
    return a == b


def not_equal(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a != b"""
    return a != b


def less_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a < b"""
    return a < b


def less_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a < b"""
    return sext(a, sew) < sext(b, sew)


def at_most_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a <= b"""
    return a <= b


def at_most_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a <= b"""
    return sext(a, sew) <= sext(b, sew)


def more_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a > b"""
    return a > b


def more_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a > b"""
    return sext(a, sew) > sext(b, sew)


def multiply(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Low half of the product."""
    return sext(a, sew) * sext(b, sew)


def multiply_high(S: View, a: int, b: int, c: int, sew: int) -> int:
    """High half, signed times signed."""
    return (sext(a, sew) * sext(b, sew)) >> sew


def multiply_high_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """High half, unsigned times unsigned: a product of 64 bits needs care."""
    return ((sext(a, sew) * b) >> sew) + (b if sext(a, sew) < 0 else 0)


def multiply_high_mixed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """High half, signed a times unsigned b."""
    return (sext(a, sew) * b) >> sew


def multiply_add(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmadd: b * c + a"""
    return ((sext(b, sew) * sext(c, sew)) & ((1 << sew) - 1)) + a


def multiply_subtract(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vnmsub: -(b * c) + a"""
    return a - ((sext(b, sew) * sext(c, sew)) & ((1 << sew) - 1))


def accumulate(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vmacc: b * a + c"""
    return ((sext(b, sew) * sext(a, sew)) & ((1 << sew) - 1)) + c


def accumulate_negative(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vnmsac: -(b * a) + c"""
    return c - ((sext(b, sew) * sext(a, sew)) & ((1 << sew) - 1))


def wide_add_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a + b, signed."""
    return sext(a, sew) + sext(b, sew)


def wide_subtract_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a - b, signed."""
    return sext(a, sew) - sext(b, sew)


def wider_add_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwadd.w: a, which is wide already, plus signed b."""
    return a + sext(b, sew)


def wider_subtract_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwsub.w: a, which is wide already, minus signed b."""
    return a - sext(b, sew)


def wide_multiply_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Whole product."""
    return a * b


def wide_multiply_mixed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """Whole product of signed a and unsigned b."""
    return sext(a, sew) * b


def wide_accumulate_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwmaccu"""
    return a * b + c


def wide_accumulate(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwmacc"""
    return sext(a, sew) * sext(b, sew) + c


def wide_accumulate_us(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwmaccus: unsigned b times signed a."""
    return sext(a, sew) * b + c


def wide_accumulate_su(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwmaccsu: signed b times unsigned a."""
    return a * sext(b, sew) + c


def second(S: View, a: int, b: int, c: int, sew: int) -> int:
    """b"""
    return b


def sum_of_wide(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwredsumu: c, which is wide, plus a."""
    return c + a


def sum_of_wide_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vwredsum: c, which is wide, plus signed a."""
    return c + sext(a, sew)


def first(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a"""
    return a


def signed_from_half(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a, which has half as many bits, sign-extended."""
    return sext(a, sew >> 1)


def signed_from_quarter(S: View, a: int, b: int, c: int, sew: int) -> int:
    """a, which has a quarter as many bits, sign-extended."""
    return sext(a, sew >> 2)
