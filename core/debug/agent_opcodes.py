# SPDX-License-Identifier: Apache-2.0
"""Operations of agent expressions by number, and what those with two values give.

Numbers are those of the GDB manual's appendix "The GDB Agent Expression Mechanism"; the values are
on the stack of core/debug/conditions.py, which has all other operations. Numbers beyond 62 bits are
left to the complete evaluator.
"""

import enum

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.record.layout import View

SELDOM = True  # little time of LLVM for it (core/engine/README.md)


class Op(enum.IntEnum):
    """Operations, by the manual's names."""

    ADD = 0x02
    SUB = 0x03
    MUL = 0x04
    DIV_SIGNED = 0x05
    DIV_UNSIGNED = 0x06
    REM_SIGNED = 0x07
    REM_UNSIGNED = 0x08
    LSH = 0x09
    RSH_SIGNED = 0x0A
    RSH_UNSIGNED = 0x0B
    TRACE = 0x0C
    TRACE_QUICK = 0x0D
    LOG_NOT = 0x0E
    BIT_AND = 0x0F
    BIT_OR = 0x10
    BIT_XOR = 0x11
    BIT_NOT = 0x12
    EQUAL = 0x13
    LESS_SIGNED = 0x14
    LESS_UNSIGNED = 0x15
    EXT = 0x16
    REF8 = 0x17
    REF16 = 0x18
    REF32 = 0x19
    REF64 = 0x1A
    IF_GOTO = 0x20
    GOTO = 0x21
    CONST8 = 0x22
    CONST16 = 0x23
    CONST32 = 0x24
    CONST64 = 0x25
    REG = 0x26
    END = 0x27
    DUP = 0x28
    POP = 0x29
    ZERO_EXT = 0x2A
    SWAP = 0x2B
    GETV = 0x2C
    SETV = 0x2D
    TRACEV = 0x2E
    TRACENZ = 0x2F
    TRACE16 = 0x30
    PICK = 0x32
    ROT = 0x33
    PRINTF = 0x34


def binary(S: View, op: int, top: int) -> int:
    """Two values give one; the new height of the stack, or -1."""
    if top < 2:
        return -1
    a = S.condition.stack[top - 2]
    b = S.condition.stack[top - 1]
    limit = 1 << 31 if op == Op.MUL else 1 << 62
    if not (-limit < a < limit and -limit < b < limit):
        return -1
    value = 0
    match op:
        case Op.ADD:
            value = a + b
        case Op.SUB:
            value = a - b
        case Op.MUL:
            value = a * b
        case Op.DIV_SIGNED | Op.DIV_UNSIGNED | Op.REM_SIGNED | Op.REM_UNSIGNED:
            # Where signed and unsigned are the same, and rounding is.
            if a < 0 or b <= 0:
                return -1
            value = a // b if op == Op.DIV_SIGNED or op == Op.DIV_UNSIGNED else a % b
        case Op.LSH:
            if a < 0 or a > MASK32 or b < 0 or b > 30:
                return -1
            value = a << b
        case Op.RSH_SIGNED | Op.RSH_UNSIGNED:
            if b < 0 or b > 63 or (a < 0 and op == Op.RSH_UNSIGNED):
                return -1
            value = a >> b
        case Op.BIT_AND:
            value = a & b
        case Op.BIT_OR:
            value = a | b
        case Op.BIT_XOR:
            value = a ^ b
        case Op.EQUAL:
            value = 1 if a == b else 0
        case Op.LESS_SIGNED:
            value = 1 if a < b else 0
        case Op.LESS_UNSIGNED:
            # A negative number is a large one.
            value = 1 if (a < b if (a < 0) == (b < 0) else b < 0) else 0
        case _:
            return -1
    S.condition.stack[top - 2] = value
    return top - 1
