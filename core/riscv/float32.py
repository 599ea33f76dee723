# SPDX-License-Identifier: Apache-2.0
"""F as these harts have it (BabyRISCV/InstructionSet.md): FP32 in registers f0 to f31.

Rounding is always to the nearest, ties to even, whatever the instruction or fcsr says; there are
no fdiv.s, fsqrt.s, and no CSRs fflags and frm. Arithmetic is `core.numeric.fma`.

UNSPECIFIED(BabyRISCV/CSRs.md): fcsr "contains the relevant bits" and no page says when hardware
sets the flags in it; here it keeps what software writes. Conversions and comparisons are not in the
page's list of deviations, so they know denormals.
"""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.numeric import fma, ieee
from tensix_gdb.core.numeric.fma import SIGN
from tensix_gdb.core.riscv.encoding import (
    Form,
    Group,
    f4_type,
    f_load_type,
    f_store_type,
    f_to_x_type,
    f_type,
    fcompare_type,
    fround_type,
    x_to_f_type,
)

FLOAT32 = Group("BabyRISCV/InstructionSet.md")
S = 0  # the format FP32 in an encoding

FLOAT32.row("flw", f_load_type(2), Form.LOAD, size=4)
FLOAT32.row("fsw", f_store_type(2), Form.STORE, size=4)


@FLOAT32.instruction("fmadd.s", f4_type(0x43, S), Form.ALU_RRR)
def fmadd(a: int, b: int, c: int) -> int:
    """a * b + c"""
    return fma.fma(a, b, c)


@FLOAT32.instruction("fmsub.s", f4_type(0x47, S), Form.ALU_RRR)
def fmsub(a: int, b: int, c: int) -> int:
    """a * b - c"""
    return fma.fma(a, b, c ^ SIGN)


@FLOAT32.instruction("fnmsub.s", f4_type(0x4B, S), Form.ALU_RRR)
def fnmsub(a: int, b: int, c: int) -> int:
    """-(a * b) + c"""
    return fma.fma(a ^ SIGN, b, c)


@FLOAT32.instruction("fnmadd.s", f4_type(0x4F, S), Form.ALU_RRR)
def fnmadd(a: int, b: int, c: int) -> int:
    """-(a * b) - c"""
    return fma.fma(a ^ SIGN, b, c ^ SIGN)


@FLOAT32.instruction("fadd.s", fround_type(0x00, S), Form.ALU_RR)
def fadd(a: int, b: int) -> int:
    """Sum."""
    return fma.add(a, b)


@FLOAT32.instruction("fsub.s", fround_type(0x01, S), Form.ALU_RR)
def fsub(a: int, b: int) -> int:
    """Difference."""
    return fma.subtract(a, b)


@FLOAT32.instruction("fmul.s", fround_type(0x02, S), Form.ALU_RR)
def fmul(a: int, b: int) -> int:
    """Product."""
    return fma.multiply(a, b)


@FLOAT32.instruction("fsgnj.s", f_type(0x04, S, 0), Form.ALU_RR)
def fsgnj(a: int, b: int) -> int:
    """`a` with the sign of `b`."""
    return (a & 0x7FFFFFFF) | (b & SIGN)


@FLOAT32.instruction("fsgnjn.s", f_type(0x04, S, 1), Form.ALU_RR)
def fsgnjn(a: int, b: int) -> int:
    """`a` with the sign that `b` has not."""
    return (a & 0x7FFFFFFF) | (~b & SIGN)


@FLOAT32.instruction("fsgnjx.s", f_type(0x04, S, 2), Form.ALU_RR)
def fsgnjx(a: int, b: int) -> int:
    """`a` with its sign changed if `b` is negative."""
    return a ^ (b & SIGN)


@FLOAT32.instruction("fmin.s", f_type(0x05, S, 0), Form.ALU_RR)
def fmin(a: int, b: int) -> int:
    """Return the smaller."""
    return ieee.smaller(a, b)


@FLOAT32.instruction("fmax.s", f_type(0x05, S, 1), Form.ALU_RR)
def fmax(a: int, b: int) -> int:
    """Return the larger."""
    return ieee.larger(a, b)


@FLOAT32.instruction("fle.s", fcompare_type(S, 0), Form.ALU_RR)
def fle(a: int, b: int) -> int:
    """a <= b"""
    return ieee.less_or_equal(a, b)


@FLOAT32.instruction("flt.s", fcompare_type(S, 1), Form.ALU_RR)
def flt(a: int, b: int) -> int:
    """a < b"""
    return ieee.less(a, b)


@FLOAT32.instruction("feq.s", fcompare_type(S, 2), Form.ALU_RR)
def feq(a: int, b: int) -> int:
    """a = b"""
    return ieee.equal(a, b)


@FLOAT32.instruction("fcvt.w.s", f_to_x_type(0x18, S, 0, -1), Form.ALU_R1)
def fcvt_w_s(a: int) -> int:
    """To a signed integer."""
    return ieee.to_signed(a, 0)


@FLOAT32.instruction("fcvt.wu.s", f_to_x_type(0x18, S, 1, -1), Form.ALU_R1)
def fcvt_wu_s(a: int) -> int:
    """To an unsigned integer."""
    return ieee.to_unsigned(a, 0)


@FLOAT32.instruction("fcvt.s.w", x_to_f_type(0x1A, S, 0, -1), Form.ALU_R1)
def fcvt_s_w(a: int) -> int:
    """Convert from a signed integer."""
    return ieee.from_integer(a, 1, 0, 8, 23)


@FLOAT32.instruction("fcvt.s.wu", x_to_f_type(0x1A, S, 1, -1), Form.ALU_R1)
def fcvt_s_wu(a: int) -> int:
    """Convert from an unsigned integer."""
    return ieee.from_integer(a, 0, 0, 8, 23)


@FLOAT32.instruction("fmv.w.x", x_to_f_type(0x1E, S, 0, 0), Form.ALU_R1)
@FLOAT32.instruction("fmv.x.w", f_to_x_type(0x1C, S, 0, 0), Form.ALU_R1)
def fmv(a: int) -> int:
    """Return the bits as they are."""
    return a & MASK32


@FLOAT32.instruction("fclass.s", f_to_x_type(0x1C, S, 0, 1), Form.ALU_R1)
def fclass(a: int) -> int:
    """Return the class of the number."""
    return ieee.classified(a, 8, 23)
