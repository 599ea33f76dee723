# SPDX-License-Identifier: Apache-2.0
"""RV32I, version 2.1 (BabyRISCV/InstructionSet.md): the base instructions.

Operations take and return words, 0 to 2**32-1; an immediate comes as the word it is extended to.
Instructions that are all form (loads, stores, jumps, fences) have a row and no function.
"""

from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.riscv.encoding import (
    Form,
    Group,
    b_type,
    fence_type,
    i_type,
    j_type,
    r_type,
    s_type,
    shift_type,
    system_type,
    u_type,
)

RV32I = Group("BabyRISCV/InstructionSet.md")

OP = 0x33
OP_IMM = 0x13
LOAD = 0x03
STORE = 0x23
BRANCH = 0x63

# fmt: off
RV32I.row("lui",     u_type(0x37),         Form.LUI)
RV32I.row("auipc",   u_type(0x17),         Form.AUIPC)
RV32I.row("jal",     j_type(0x6F),         Form.JAL)
RV32I.row("jalr",    i_type(0x67, 0),      Form.JALR)
RV32I.row("lb",      i_type(LOAD, 0),      Form.LOAD,  size=1, signed=1)
RV32I.row("lh",      i_type(LOAD, 1),      Form.LOAD,  size=2, signed=1)
RV32I.row("lw",      i_type(LOAD, 2),      Form.LOAD,  size=4)
RV32I.row("lbu",     i_type(LOAD, 4),      Form.LOAD,  size=1)
RV32I.row("lhu",     i_type(LOAD, 5),      Form.LOAD,  size=2)
RV32I.row("sb",      s_type(STORE, 0),     Form.STORE, size=1)
RV32I.row("sh",      s_type(STORE, 1),     Form.STORE, size=2)
RV32I.row("sw",      s_type(STORE, 2),     Form.STORE, size=4)
RV32I.row("fence",   fence_type(0),        Form.FENCE)
# UNSPECIFIED(BabyRISCV/InstructionSet.md): Zifencei is not listed; the Wormhole page has fence.i as
# a nop, and so it is one here.
RV32I.row("fence.i", fence_type(1),        Form.FENCE_I)
RV32I.row("ecall",   system_type(0x000),   Form.ECALL)
RV32I.row("ebreak",  system_type(0x001),   Form.EBREAK)
RV32I.row("mret",    system_type(0x302),   Form.MRET)
# fmt: on


@RV32I.instruction("addi", i_type(OP_IMM, 0), Form.ALU_RI)
@RV32I.instruction("add", r_type(OP, 0, 0x00), Form.ALU_RR)
def add(a: int, b: int) -> int:
    """Sum."""
    return (a + b) & MASK32


@RV32I.instruction("sub", r_type(OP, 0, 0x20), Form.ALU_RR)
def sub(a: int, b: int) -> int:
    """Difference."""
    return (a - b) & MASK32


@RV32I.instruction("slli", shift_type(OP_IMM, 1, 0x00), Form.ALU_RI)
@RV32I.instruction("sll", r_type(OP, 1, 0x00), Form.ALU_RR)
def sll(a: int, b: int) -> int:
    """Shift left by the low five bits of `b`."""
    return (a << (b & 31)) & MASK32


@RV32I.instruction("slti", i_type(OP_IMM, 2), Form.ALU_RI)
@RV32I.instruction("slt", r_type(OP, 2, 0x00), Form.ALU_RR)
def slt(a: int, b: int) -> int:
    """1 if a < b as signed numbers."""
    return s32(a) < s32(b)


@RV32I.instruction("sltiu", i_type(OP_IMM, 3), Form.ALU_RI)
@RV32I.instruction("sltu", r_type(OP, 3, 0x00), Form.ALU_RR)
def sltu(a: int, b: int) -> int:
    """1 if a < b as unsigned numbers."""
    return a < b


@RV32I.instruction("xori", i_type(OP_IMM, 4), Form.ALU_RI)
@RV32I.instruction("xor", r_type(OP, 4, 0x00), Form.ALU_RR)
def xor(a: int, b: int) -> int:
    """Bits that differ."""
    return a ^ b


@RV32I.instruction("srli", shift_type(OP_IMM, 5, 0x00), Form.ALU_RI)
@RV32I.instruction("srl", r_type(OP, 5, 0x00), Form.ALU_RR)
def srl(a: int, b: int) -> int:
    """Shift right by the low five bits of `b`, zeros coming in."""
    return a >> (b & 31)


@RV32I.instruction("srai", shift_type(OP_IMM, 5, 0x20), Form.ALU_RI)
@RV32I.instruction("sra", r_type(OP, 5, 0x20), Form.ALU_RR)
def sra(a: int, b: int) -> int:
    """Shift right by the low five bits of `b`, copies of the sign coming in."""
    return (s32(a) >> (b & 31)) & MASK32


@RV32I.instruction("ori", i_type(OP_IMM, 6), Form.ALU_RI)
@RV32I.instruction("or", r_type(OP, 6, 0x00), Form.ALU_RR)
def or_(a: int, b: int) -> int:
    """Bits of either."""
    return a | b


@RV32I.instruction("andi", i_type(OP_IMM, 7), Form.ALU_RI)
@RV32I.instruction("and", r_type(OP, 7, 0x00), Form.ALU_RR)
def and_(a: int, b: int) -> int:
    """Bits of both."""
    return a & b


@RV32I.instruction("beq", b_type(BRANCH, 0), Form.BRANCH)
def beq(a: int, b: int) -> int:
    """Branch if equal."""
    return a == b


@RV32I.instruction("bne", b_type(BRANCH, 1), Form.BRANCH)
def bne(a: int, b: int) -> int:
    """Branch if not equal."""
    return a != b


@RV32I.instruction("blt", b_type(BRANCH, 4), Form.BRANCH)
def blt(a: int, b: int) -> int:
    """Branch if less, signed."""
    return s32(a) < s32(b)


@RV32I.instruction("bge", b_type(BRANCH, 5), Form.BRANCH)
def bge(a: int, b: int) -> int:
    """Branch if not less, signed."""
    return s32(a) >= s32(b)


@RV32I.instruction("bltu", b_type(BRANCH, 6), Form.BRANCH)
def bltu(a: int, b: int) -> int:
    """Branch if less, unsigned."""
    return a < b


@RV32I.instruction("bgeu", b_type(BRANCH, 7), Form.BRANCH)
def bgeu(a: int, b: int) -> int:
    """Branch if not less, unsigned."""
    return a >= b
