# SPDX-License-Identifier: Apache-2.0
"""Zba, Zbb and the extras pack, brev8 and grevi (BabyRISCV/InstructionSet.md).

Several names share one word: `zext.h` is `pack` with x0, `rev8` and `brev8` are `grevi` with 24 and
7. Each word has one row, the most general one; `core.assembly.tensix_text` prints and reads the
other names. `grevi` is that of Bitmanip 0.94-draft; `orc.b` is the only `gorci` there is.
"""

from tensix_gdb.core.arch.numbers import MASK32, s32, sext
from tensix_gdb.core.riscv.encoding import Form, Group, r1_type, r_type, shift_type

ZBA_ZBB = Group("BabyRISCV/InstructionSet.md")

OP = 0x33
OP_IMM = 0x13


@ZBA_ZBB.instruction("sh1add", r_type(OP, 2, 0x10), Form.ALU_RR)
def sh1add(a: int, b: int) -> int:
    """2a + b."""
    return ((a << 1) + b) & MASK32


@ZBA_ZBB.instruction("sh2add", r_type(OP, 4, 0x10), Form.ALU_RR)
def sh2add(a: int, b: int) -> int:
    """4a + b."""
    return ((a << 2) + b) & MASK32


@ZBA_ZBB.instruction("sh3add", r_type(OP, 6, 0x10), Form.ALU_RR)
def sh3add(a: int, b: int) -> int:
    """8a + b."""
    return ((a << 3) + b) & MASK32


@ZBA_ZBB.instruction("andn", r_type(OP, 7, 0x20), Form.ALU_RR)
def andn(a: int, b: int) -> int:
    """Bits of `a` that `b` has not."""
    return a & (b ^ MASK32)


@ZBA_ZBB.instruction("orn", r_type(OP, 6, 0x20), Form.ALU_RR)
def orn(a: int, b: int) -> int:
    """Bits of `a` and those that `b` has not."""
    return a | (b ^ MASK32)


@ZBA_ZBB.instruction("xnor", r_type(OP, 4, 0x20), Form.ALU_RR)
def xnor(a: int, b: int) -> int:
    """Bits that are the same."""
    return a ^ b ^ MASK32


@ZBA_ZBB.instruction("clz", r1_type(OP_IMM, 1, 0x600), Form.ALU_R1)
def clz(a: int) -> int:
    """Leading zeros; 32 for 0."""
    count = 0
    while count < 32 and not (a >> (31 - count)) & 1:
        count += 1
    return count


@ZBA_ZBB.instruction("ctz", r1_type(OP_IMM, 1, 0x601), Form.ALU_R1)
def ctz(a: int) -> int:
    """Trailing zeros; 32 for 0."""
    count = 0
    while count < 32 and not (a >> count) & 1:
        count += 1
    return count


@ZBA_ZBB.instruction("cpop", r1_type(OP_IMM, 1, 0x602), Form.ALU_R1)
def cpop(a: int) -> int:
    """Return the number of bits set, counted in pairs, nibbles, bytes."""
    a = a - ((a >> 1) & 0x55555555)
    a = (a & 0x33333333) + ((a >> 2) & 0x33333333)
    a = (a + (a >> 4)) & 0x0F0F0F0F
    return ((a * 0x01010101) >> 24) & 0xFF


@ZBA_ZBB.instruction("sext.b", r1_type(OP_IMM, 1, 0x604), Form.ALU_R1)
def sext_b(a: int) -> int:
    """Low byte, sign-extended."""
    return sext(a & 0xFF, 8) & MASK32


@ZBA_ZBB.instruction("sext.h", r1_type(OP_IMM, 1, 0x605), Form.ALU_R1)
def sext_h(a: int) -> int:
    """Low half, sign-extended."""
    return sext(a & 0xFFFF, 16) & MASK32


@ZBA_ZBB.instruction("min", r_type(OP, 4, 0x05), Form.ALU_RR)
def min_(a: int, b: int) -> int:
    """Return the smaller, signed."""
    return a if s32(a) < s32(b) else b


@ZBA_ZBB.instruction("minu", r_type(OP, 5, 0x05), Form.ALU_RR)
def minu(a: int, b: int) -> int:
    """Return the smaller, unsigned."""
    return min(a, b)


@ZBA_ZBB.instruction("max", r_type(OP, 6, 0x05), Form.ALU_RR)
def max_(a: int, b: int) -> int:
    """Return the larger, signed."""
    return a if s32(a) > s32(b) else b


@ZBA_ZBB.instruction("maxu", r_type(OP, 7, 0x05), Form.ALU_RR)
def maxu(a: int, b: int) -> int:
    """Return the larger, unsigned."""
    return max(a, b)


@ZBA_ZBB.instruction("rol", r_type(OP, 1, 0x30), Form.ALU_RR)
def rol(a: int, b: int) -> int:
    """Rotate left by the low five bits of `b`."""
    return ((a << (b & 31)) | (a >> (-b & 31))) & MASK32


@ZBA_ZBB.instruction("rori", shift_type(OP_IMM, 5, 0x30), Form.ALU_RI)
@ZBA_ZBB.instruction("ror", r_type(OP, 5, 0x30), Form.ALU_RR)
def ror(a: int, b: int) -> int:
    """Rotate right by the low five bits of `b`."""
    return ((a >> (b & 31)) | (a << (-b & 31))) & MASK32


@ZBA_ZBB.instruction("orc.b", r1_type(OP_IMM, 5, 0x287), Form.ALU_R1)
def orc_b(a: int) -> int:
    """Every byte that is not 0 becomes 0xFF."""
    a = a | ((a >> 4) & 0x0F0F0F0F)
    a = a | ((a >> 2) & 0x33333333)
    a = (a | (a >> 1)) & 0x01010101
    return a * 0xFF


@ZBA_ZBB.instruction("pack", r_type(OP, 4, 0x04), Form.ALU_RR)
def pack(a: int, b: int) -> int:
    """Low halves side by side, that of `b` on top."""
    return (a & 0xFFFF) | ((b & 0xFFFF) << 16)


@ZBA_ZBB.instruction("grevi", shift_type(OP_IMM, 5, 0x34), Form.ALU_RI)
def grevi(a: int, control: int) -> int:
    """Swap neighbours of 1, 2, 4, 8, 16 bits, one stage for each bit set in `control`."""
    if control & 1:
        a = ((a & 0x55555555) << 1) | ((a & 0xAAAAAAAA) >> 1)
    if control & 2:
        a = ((a & 0x33333333) << 2) | ((a & 0xCCCCCCCC) >> 2)
    if control & 4:
        a = ((a & 0x0F0F0F0F) << 4) | ((a & 0xF0F0F0F0) >> 4)
    if control & 8:
        a = ((a & 0x00FF00FF) << 8) | ((a & 0xFF00FF00) >> 8)
    if control & 16:
        a = ((a & 0x0000FFFF) << 16) | ((a & 0xFFFF0000) >> 16)
    return a
