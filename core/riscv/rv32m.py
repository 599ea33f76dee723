# SPDX-License-Identifier: Apache-2.0
"""The M extension, version 2.0 (BabyRISCV/InstructionSet.md): multiply and divide.

Products stay within signed 64 bits: signed times anything does, and `mulhu` is made from that.
Division by zero and overflow give what the RISC-V manual's table gives; nothing traps.
"""

from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.riscv.encoding import Form, Group, r_type

RV32M = Group("BabyRISCV/InstructionSet.md")

OP = 0x33
MULDIV = 0x01
SIGN = 0x80000000


@RV32M.instruction("mul", r_type(OP, 0, MULDIV), Form.ALU_RR)
def mul(a: int, b: int) -> int:
    """Low word of the product, the same for signed and unsigned."""
    return (s32(a) * s32(b)) & MASK32


@RV32M.instruction("mulh", r_type(OP, 1, MULDIV), Form.ALU_RR)
def mulh(a: int, b: int) -> int:
    """High word of signed times signed."""
    return ((s32(a) * s32(b)) >> 32) & MASK32


@RV32M.instruction("mulhsu", r_type(OP, 2, MULDIV), Form.ALU_RR)
def mulhsu(a: int, b: int) -> int:
    """High word of signed times unsigned."""
    return ((s32(a) * b) >> 32) & MASK32


@RV32M.instruction("mulhu", r_type(OP, 3, MULDIV), Form.ALU_RR)
def mulhu(a: int, b: int) -> int:
    """High word of unsigned times unsigned: `a` is s32(a), plus 2**32 if its sign bit is set."""
    high = (s32(a) * b) >> 32
    return (high + b if a & SIGN else high) & MASK32


@RV32M.instruction("div", r_type(OP, 4, MULDIV), Form.ALU_RR)
def div(a: int, b: int) -> int:
    """Signed quotient, towards zero; all ones for a division by zero."""
    if b == 0:
        return MASK32
    quotient = abs(s32(a)) // abs(s32(b))
    return (-quotient if (a ^ b) & SIGN else quotient) & MASK32


@RV32M.instruction("divu", r_type(OP, 5, MULDIV), Form.ALU_RR)
def divu(a: int, b: int) -> int:
    """Unsigned quotient; all ones for a division by zero."""
    return a // b if b else MASK32


@RV32M.instruction("rem", r_type(OP, 6, MULDIV), Form.ALU_RR)
def rem(a: int, b: int) -> int:
    """Signed remainder with the sign of `a`; `a` itself for a division by zero."""
    if b == 0:
        return a
    remainder = abs(s32(a)) % abs(s32(b))
    return (-remainder if a & SIGN else remainder) & MASK32


@RV32M.instruction("remu", r_type(OP, 7, MULDIV), Form.ALU_RR)
def remu(a: int, b: int) -> int:
    """Unsigned remainder; `a` itself for a division by zero."""
    return a % b if b else a
