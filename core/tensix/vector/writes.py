# SPDX-License-Identifier: Apache-2.0
"""Which LRegs an instruction writes at the end of its first cycle, and what else is written there.

Two writes of one lane that end in the same cycle are a fault if SFPLOADMACRO has scheduled one of
them (writeback.py). An instruction that writes in its first cycle is asked here before it executes,
as nothing of it may have happened then; one that takes two cycles finds out by itself, before it
keeps its result.
"""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, OPCODES, Sfp
from tensix_gdb.core.tensix.vector.state import (
    ALL,
    CAPTURE_DEFAULT_DEST_INDEX,
    ENABLE_DEST_INDEX,
    EXTRA,
    SECOND,
    any_config,
    enabled,
)
from tensix_gdb.core.tensix.vector.writeback import MASK, meets, meets_scheduled

# Opcodes that write VD in their first cycle, and those that write something else, or sometimes.
_VD = (Sfp.DIVP2, Sfp.EXEXP, Sfp.EXMAN, Sfp.IADD, Sfp.SHFT, Sfp.MOV, Sfp.ABS, Sfp.AND, Sfp.OR,
       Sfp.NOT, Sfp.LZ, Sfp.SETEXP, Sfp.SETMAN, Sfp.SETSGN, Sfp.XOR, Sfp.STOCHRND, Sfp.CAST,
       Sfp.ARECIP)  # fmt: skip
_OTHERS = (
    Sfp.LOAD,
    Sfp.LOADI,
    Sfp.TRANSP,
    Sfp.LOADMACRO,
    Sfp.SHFT2,
    Sfp.LE,
    Sfp.GT,
)
NOTHING, ITS_VD, OTHERS = range(3)
KIND = tuple(
    ITS_VD if opcode in _VD else OTHERS if opcode in _OTHERS else NOTHING
    for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES)
)
WRITABLE = 0xFF | 1 << EXTRA
COMPARISON_TO_VD = 8  # of Mod1 of SFPGT and SFPLE
MOV_ALL_LANES, MOV_RESERVED, LOAD_ALL_LANES = 2, 4, 10


def vd_of(word: int) -> int:
    """Return the field VD of an instruction, where it is as a rule."""
    return (word >> 4) & 15


def written(S: View, word: int, vd: int) -> int:
    """Return the LRegs, a bit each, that the instruction writes in its first cycle; `vd` is its
    VD."""
    kind = KIND[(word >> 24) - FIRST_OPCODE]
    if kind == NOTHING:
        return 0
    return (1 << vd) & WRITABLE if kind == ITS_VD else written_else(S, word, vd)


def written_else(S: View, word: int, vd: int) -> int:
    """The same, for OTHERS."""
    opcode = word >> 24
    mod1 = word & 15
    match opcode:
        case Sfp.LOAD | Sfp.LOADI:
            return loaded(S, opcode, (word >> 20) & 15)
        case Sfp.LOADMACRO:
            return loaded(S, Sfp.LOADMACRO, (word >> 20) & 3 | (word & 1) << 2)
        case Sfp.TRANSP:
            return 0xFF
        case Sfp.LE | Sfp.GT:
            return (1 << vd) & WRITABLE if mod1 & COMPARISON_TO_VD else 0
        case Sfp.SHFT2:
            if mod1 < 2:
                return 0xF
            return (1 << vd) & WRITABLE if mod1 >= 5 else 0
    return 0


def loaded(S: View, opcode: int, vd: int) -> int:
    """Return the registers that a load writes: VD, and the one that captures the datums' source."""
    registers = (1 << vd) & WRITABLE
    captures = any_config(S) >> ENABLE_DEST_INDEX & any_config(S) >> CAPTURE_DEFAULT_DEST_INDEX & 1
    if captures and vd < 4 and opcode != Sfp.LOADI:
        registers |= registers << 4
    return registers


def lanes_of(S: View, word: int) -> int:
    """Return the lanes that it writes, if no column is left out."""
    if word >> 24 == Sfp.MOV and word & 15 & ~MOV_RESERVED == MOV_ALL_LANES:
        return ALL
    if word >> 24 == Sfp.LOAD and (word >> 16) & 15 == LOAD_ALL_LANES:
        return ALL
    return enabled(S)


def meets_another(S: View, numbers: int, where: int) -> int:
    """True if something else writes these LRegs, in these lanes, at the end of this cycle."""
    if meets(S, numbers, where, SECOND):
        return 1
    return meets_executed(S, numbers, where)


def meets_executed(S: View, numbers: int, where: int) -> int:
    """True if what was scheduled for this cycle has written these LRegs, in these lanes."""
    left = S.macro.writers & numbers
    while left:
        number = (int.bit_length(left) - 1) & MASK
        if S.macro.wrote[number] & where:
            return 1
        left ^= 1 << number
    return 0


def gate_meets_another(S: View, word: int) -> int:
    """The same of the instruction at a gate. What a load writes stays, but over results of a
    scheduled MAD; what anything writes stays over those of an earlier MAD of a gate."""
    if KIND[(word >> 24) - FIRST_OPCODE] == NOTHING:
        return 0
    numbers = written(S, word, vd_of(word))
    if numbers & (S.vector_late.due[SECOND] | S.macro.writers) == 0:
        return 0
    opcode = word >> 24
    if opcode == Sfp.LOAD or opcode == Sfp.LOADI or opcode == Sfp.LOADMACRO:
        by_mad = numbers & S.vector_late.by_mad[SECOND]
        return meets_scheduled(S, by_mad, lanes_of(S, word)) if by_mad else 0
    where = lanes_of(S, word)
    return 1 if meets_scheduled(S, numbers, where) else meets_executed(S, numbers, where)


INLINED = (gate_meets_another,)
