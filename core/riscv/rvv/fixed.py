# SPDX-License-Identifier: Apache-2.0
"""Fixed-point operations on elements: saturating, averaging, with the rounding mode of vxrm.

Arguments are those of integer.py. What saturates sets vxsat.
"""

import enum

from tensix_gdb.core.arch.blackhole import T2
from tensix_gdb.core.arch.numbers import sext
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.rvv.fields import VXRM, VXSAT

COLD = True  # little time of LLVM for it (core/engine/README.md)


class Rounding(enum.IntEnum):
    """vxrm, by the names of the V specification."""

    RNU = 0
    RNE = 1
    RDN = 2
    ROD = 3


def rounded(S: View, value: int, bits: int) -> int:
    """value / 2**bits by vxrm; floor for negative numbers."""
    if bits == 0:
        return value
    rest = value & ((1 << bits) - 1)
    half = 1 << (bits - 1)
    kept = value >> bits
    up = 0
    match S.hart.vector_csr[T2, VXRM] & 3:
        case Rounding.RNU:
            up = rest >= half
        case Rounding.RNE:
            up = rest > half or (rest == half and kept & 1 == 1)
        case Rounding.ROD:
            up = rest != 0 and kept & 1 == 0
    return kept + up


def clipped(S: View, value: int, low: int, high: int) -> int:
    """`value` between `low` and `high`; vxsat says that it was not."""
    if low <= value <= high:
        return value
    S.hart.vector_csr[T2, VXSAT] = 1
    return low if value < low else high


def clip_unsigned(S: View, value: int, sew: int) -> int:
    """Into an unsigned element."""
    return clipped(S, value, 0, (1 << sew) - 1)


def clip_signed(S: View, value: int, sew: int) -> int:
    """Into a signed element."""
    return clipped(S, value, -1 << (sew - 1), (1 << (sew - 1)) - 1)


def add_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vsaddu"""
    return clip_unsigned(S, a + b, sew)


def add_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vsadd"""
    return clip_signed(S, sext(a, sew) + sext(b, sew), sew)


def subtract_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vssubu"""
    return clip_unsigned(S, a - b, sew)


def subtract_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vssub"""
    return clip_signed(S, sext(a, sew) - sext(b, sew), sew)


def average_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vaaddu"""
    return rounded(S, a + b, 1)


def average_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vaadd"""
    return rounded(S, sext(a, sew) + sext(b, sew), 1)


def half_difference_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vasubu"""
    return rounded(S, a - b, 1)


def half_difference_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vasub"""
    return rounded(S, sext(a, sew) - sext(b, sew), 1)


def multiply(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vsmul"""
    return clip_signed(S, rounded(S, sext(a, sew) * sext(b, sew), sew - 1), sew)


def scaling_shift(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vssrl"""
    return rounded(S, a, b & (sew - 1))


def scaling_shift_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vssra"""
    return rounded(S, sext(a, sew), b & (sew - 1))


def narrow_clip_unsigned(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vnclipu"""
    return clip_unsigned(S, rounded(S, a, b & (2 * sew - 1)), sew)


def narrow_clip_signed(S: View, a: int, b: int, c: int, sew: int) -> int:
    """vnclip"""
    return clip_signed(S, rounded(S, sext(a, 2 * sew), b & (2 * sew - 1)), sew)
