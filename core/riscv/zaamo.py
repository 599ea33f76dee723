# SPDX-License-Identifier: Apache-2.0
"""Zaamo (BabyRISCV/InstructionSet.md): what becomes of the word in L1, given its old value.

`aq` and `rl` are accepted and make no difference: every AMO acts as if both were set. There is no
`lr.w` and no `sc.w`.
"""

from tensix_gdb.core.arch.numbers import MASK32, s32
from tensix_gdb.core.riscv.encoding import Form, Group, amo_type

ZAAMO = Group("BabyRISCV/InstructionSet.md")


@ZAAMO.instruction("amoadd.w", amo_type(0x00), Form.AMO, size=4)
def amoadd(old: int, operand: int) -> int:
    """Sum."""
    return (old + operand) & MASK32


@ZAAMO.instruction("amoswap.w", amo_type(0x01), Form.AMO, size=4)
def amoswap(old: int, operand: int) -> int:
    """Return the operand."""
    return operand


@ZAAMO.instruction("amoxor.w", amo_type(0x04), Form.AMO, size=4)
def amoxor(old: int, operand: int) -> int:
    """Bits that differ."""
    return old ^ operand


@ZAAMO.instruction("amoor.w", amo_type(0x08), Form.AMO, size=4)
def amoor(old: int, operand: int) -> int:
    """Bits of either."""
    return old | operand


@ZAAMO.instruction("amoand.w", amo_type(0x0C), Form.AMO, size=4)
def amoand(old: int, operand: int) -> int:
    """Bits of both."""
    return old & operand


@ZAAMO.instruction("amomin.w", amo_type(0x10), Form.AMO, size=4)
def amomin(old: int, operand: int) -> int:
    """Return the smaller, signed."""
    return old if s32(old) < s32(operand) else operand


@ZAAMO.instruction("amomax.w", amo_type(0x14), Form.AMO, size=4)
def amomax(old: int, operand: int) -> int:
    """Return the larger, signed."""
    return old if s32(old) > s32(operand) else operand


@ZAAMO.instruction("amominu.w", amo_type(0x18), Form.AMO, size=4)
def amominu(old: int, operand: int) -> int:
    """Return the smaller, unsigned."""
    return min(old, operand)


@ZAAMO.instruction("amomaxu.w", amo_type(0x1C), Form.AMO, size=4)
def amomaxu(old: int, operand: int) -> int:
    """Return the larger, unsigned."""
    return max(old, operand)
