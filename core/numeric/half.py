# SPDX-License-Identifier: Apache-2.0
"""The harts' numbers of 16 bits: FP16, or BF16 when cfg0.EnBFloat says so (CSRs.md).

They live in the low half of a register with all ones above; anything else above makes them NaN.
`mode` is (EnBFloatRTNE, EnBFloat), bits 31 and 30 of cfg0: FP16 always rounds to the nearest,
BF16 does with EnBFloatRTNE, and toward zero without.

UNSPECIFIED(BabyRISCV/InstructionSet.md): arithmetic has "the same caveats" as that of FP32, and no
model. Here it is the multiply-add of FP32 on the widened operands, rounded once to 16 bits;
an operand that is denormal in 16 bits is 0, and so is such a result. A result that is too large is
infinite, also when rounding toward zero.
"""

from tensix_gdb.core.numeric import ieee
from tensix_gdb.core.numeric.fma import NAN, ONE, SIGN, finite, not_finite

BOX = 0xFFFF0000
BF16 = 1  # bits of `mode`
NEAREST = 2
FP16_NAN = 0x7E00
BF16_NAN = 0x7FC0


def mode_of(cfg0: int) -> int:
    """Return the two bits of cfg0."""
    return (cfg0 >> 30) & 3


def truncates(mode: int) -> int:
    """True if rounding is toward zero."""
    return mode == BF16


def unboxed(x: int, mode: int) -> int:
    """Return the 16 bits in a register; the canonical NaN when they are not boxed."""
    if x & BOX == BOX:
        return x & 0xFFFF
    return BF16_NAN if mode & BF16 else FP16_NAN


def widened(x: int, mode: int) -> int:
    """Return a register as FP32, exactly."""
    h = unboxed(x, mode)
    return ieee.bf16_widened(h) if mode & BF16 else ieee.fp16_widened(h)


def operand(x: int, mode: int) -> int:
    """Return a register as FP32 for arithmetic: a denormal is 0."""
    h = unboxed(x, mode)
    if mode & BF16:
        return ieee.bf16_widened(h)
    return ieee.fp16_widened(h) if h & 0x7C00 else (h & 0x8000) << 16


def narrowed(x: int, mode: int) -> int:
    """fcvt.h.s: FP32 to 16 bits in a register."""
    if mode & BF16:
        return BOX | ieee.narrowed(x, truncates(mode), 8, 7)
    return BOX | ieee.narrowed(x, 0, 5, 10)


def fma(x: int, y: int, z: int, mode: int) -> int:
    """x * y + z of FP32 operands that 16 bits can hold; the result in a register."""
    if max((x >> 23) & 255, (y >> 23) & 255, (z >> 23) & 255) == 255:
        return narrowed(not_finite(x, y, z), mode)
    if mode == BF16:
        return BOX | finite(x, y, z, 7, 8, 1, 0)
    return BOX | (finite(x, y, z, 7, 8, 0, 0) if mode & BF16 else finite(x, y, z, 10, 5, 0, 0))


def madd(x: int, y: int, z: int, mode: int) -> int:
    """fmadd.h"""
    return fma(operand(x, mode), operand(y, mode), operand(z, mode), mode)


def msub(x: int, y: int, z: int, mode: int) -> int:
    """fmsub.h"""
    return fma(operand(x, mode), operand(y, mode), operand(z, mode) ^ SIGN, mode)


def nmsub(x: int, y: int, z: int, mode: int) -> int:
    """fnmsub.h"""
    return fma(operand(x, mode) ^ SIGN, operand(y, mode), operand(z, mode), mode)


def nmadd(x: int, y: int, z: int, mode: int) -> int:
    """fnmadd.h"""
    return fma(operand(x, mode) ^ SIGN, operand(y, mode), operand(z, mode) ^ SIGN, mode)


def add(x: int, y: int, mode: int) -> int:
    """fadd.h"""
    return fma(operand(x, mode), ONE, operand(y, mode), mode)


def subtract(x: int, y: int, mode: int) -> int:
    """fsub.h"""
    return fma(operand(x, mode), ONE, operand(y, mode) ^ SIGN, mode)


def multiply(x: int, y: int, mode: int) -> int:
    """fmul.h"""
    a = operand(x, mode)
    b = operand(y, mode)
    return fma(a, b, (a ^ b) & SIGN, mode)


def smaller(x: int, y: int, mode: int) -> int:
    """fmin.h"""
    return narrowed(ieee.smaller(widened(x, mode), widened(y, mode)), mode)


def larger(x: int, y: int, mode: int) -> int:
    """fmax.h"""
    return narrowed(ieee.larger(widened(x, mode), widened(y, mode)), mode)


def equal(x: int, y: int, mode: int) -> int:
    """feq.h"""
    return ieee.equal(widened(x, mode), widened(y, mode))


def less(x: int, y: int, mode: int) -> int:
    """flt.h"""
    return ieee.less(widened(x, mode), widened(y, mode))


def less_or_equal(x: int, y: int, mode: int) -> int:
    """fle.h"""
    return ieee.less_or_equal(widened(x, mode), widened(y, mode))


def with_sign(x: int, y: int, mode: int) -> int:
    """fsgnj.h: x with the sign of y."""
    return BOX | (unboxed(x, mode) & 0x7FFF) | (unboxed(y, mode) & 0x8000)


def with_other_sign(x: int, y: int, mode: int) -> int:
    """fsgnjn.h: x with the sign that y has not."""
    return with_sign(x, y, mode) ^ 0x8000


def with_product_sign(x: int, y: int, mode: int) -> int:
    """fsgnjx.h: x with its sign changed if y is negative."""
    return BOX | (unboxed(x, mode) ^ (unboxed(y, mode) & 0x8000))


def classified(x: int, mode: int) -> int:
    """fclass.h"""
    h = unboxed(x, mode)
    return ieee.classified(h, 8, 7) if mode & BF16 else ieee.classified(h, 5, 10)


def to_signed(x: int, mode: int) -> int:
    """fcvt.w.h"""
    return ieee.to_signed(widened(x, mode), truncates(mode))


def to_unsigned(x: int, mode: int) -> int:
    """fcvt.wu.h"""
    return ieee.to_unsigned(widened(x, mode), truncates(mode))


def from_signed(x: int, mode: int) -> int:
    """fcvt.h.w"""
    if mode & BF16:
        return BOX | ieee.from_integer(x, 1, truncates(mode), 8, 7)
    return BOX | ieee.from_integer(x, 1, 0, 5, 10)


def from_unsigned(x: int, mode: int) -> int:
    """fcvt.h.wu"""
    if mode & BF16:
        return BOX | ieee.from_integer(x, 0, truncates(mode), 8, 7)
    return BOX | ieee.from_integer(x, 0, 0, 5, 10)


def moved_out(x: int, mode: int) -> int:
    """fmv.x.h: the 16 bits as they are, sign-extended."""
    h = x & 0xFFFF
    return h | BOX if h & 0x8000 else h


def moved_in(x: int, mode: int) -> int:
    """fmv.h.x"""
    return BOX | (x & 0xFFFF)


assert NAN >> 16 == BF16_NAN
