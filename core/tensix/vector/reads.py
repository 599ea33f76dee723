# SPDX-License-Identifier: Apache-2.0
"""Which LRegs an instruction reads: as it is, and as the automatic stalling believes (SFPMAD.md).

Both are words of one bit for each LReg. They differ by the hardware's bugs that SFPMAD.md lists.
UNSPECIFIED(SFPMAD.md): whether the logic knows that SFPLOAD and SFPLOADI may keep half of an LReg;
it is taken to.
"""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector.by_chip import MODE_COPY
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, OPCODES, Sfp

EVERY = 0x1FFFF
SEES_A, SEES_B, SEES_C, SEES_D = 1, 2, 4, 8
_LOGIC: dict[int, int] = {
    **dict.fromkeys((Sfp.MAD, Sfp.ADD, Sfp.MUL, Sfp.MUL24), SEES_A | SEES_B | SEES_C),
    **dict.fromkeys((Sfp.STOCHRND, Sfp.ARECIP), SEES_B | SEES_C),
    **dict.fromkeys((Sfp.MULI, Sfp.ADDI), SEES_D),
    **dict.fromkeys((Sfp.SHFT, Sfp.IADD), SEES_C),
    **dict.fromkeys((Sfp.AND, Sfp.OR, Sfp.XOR, Sfp.SETEXP, Sfp.SETMAN, Sfp.SETSGN, Sfp.LE, Sfp.GT),
                    SEES_C | SEES_D),
    **dict.fromkeys((Sfp.LOAD, Sfp.LOADI, Sfp.LOADMACRO, Sfp.STORE, Sfp.LUT, Sfp.LUTFP32, Sfp.NOP,
                     Sfp.PUSHC, Sfp.POPC, Sfp.ENCC, Sfp.COMPC, Sfp.TRANSP, Sfp.SHFT2, Sfp.CONFIG,
                     Sfp.SWAP), 0),
}  # fmt: skip
# The rest are of VC and VD only, and read VC.
LOGIC = tuple(_LOGIC.get(opcode, SEES_C) for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))
_LATE = (Sfp.LUT, Sfp.MULI, Sfp.ADDI, Sfp.MAD, Sfp.ADD, Sfp.MUL, Sfp.SWAP, Sfp.SHFT2, Sfp.LUTFP32,
         Sfp.MUL24)  # fmt: skip
_BY_VD = (Sfp.MULI, Sfp.ADDI, Sfp.MAD, Sfp.ADD, Sfp.MUL, Sfp.MUL24)
NOT_LATE, LATE_VD, LATE_ELSE = range(3)
LATE = tuple(
    LATE_VD if opcode in _BY_VD else LATE_ELSE if opcode in _LATE else NOT_LATE
    for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES)
)
_OVERLOOKED = (Sfp.AND, Sfp.OR, Sfp.IADD, Sfp.SHFT, Sfp.CONFIG, Sfp.SWAP, Sfp.SHFT2, Sfp.LUTFP32)
MAY_BE_OVERLOOKED = tuple(
    int(opcode in _OVERLOOKED) for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES)
)
INDIRECT_VA, INDIRECT_VD = 4, 8
# Of opcodes that are believed to read what up to three fields name: where the fields are, a byte
# each, the same one again where there are fewer, and above them the bits of a word with which it
# reads something else. 0 of all others.
_PLACES = {SEES_A: 16, SEES_B: 12, SEES_C: 8, SEES_D: 4}
_OTHERS = (Sfp.LOAD, Sfp.LOADI, Sfp.STORE, Sfp.LUT, Sfp.LUTFP32, Sfp.TRANSP, Sfp.SHFT2)
_INDIRECT = (Sfp.MAD, Sfp.ADD, Sfp.MUL, Sfp.MUL24)


def _fields(opcode: int, logic: int) -> int:
    places = [place for sees, place in _PLACES.items() if logic & sees]
    if opcode in _OTHERS or not places:
        return 0
    first, second, third = (places * 3)[:3]
    return first | second << 8 | third << 16 | (INDIRECT_VA if opcode in _INDIRECT else 0) << 24


FIELDS = tuple(_fields(FIRST_OPCODE + i, logic) for i, logic in enumerate(LOGIC))
LO16_ONLY, HI16_ONLY, UPPER, LOWER = 14, 15, 8, 10


def with_mode_copy(S: View, word: int) -> int:
    """Return the word with both copies of the mode of SFPLUTFP32, of which Wormhole has one."""
    if word >> 24 != Sfp.LUTFP32:
        return word
    return word | (word & MODE_COPY[S.tile.chip]) << 16


def by_fields(word: int, sees: int) -> int:
    """Return the LRegs that these fields name."""
    registers = 0
    if sees & SEES_A:
        registers |= 1 << ((word >> 16) & 15)
    if sees & SEES_B:
        registers |= 1 << ((word >> 12) & 15)
    if sees & SEES_C:
        registers |= 1 << ((word >> 8) & 15)
    if sees & SEES_D:
        registers |= 1 << ((word >> 4) & 15)
    return registers


def believed(word: int) -> int:
    """Return the registers that the stalling logic takes the instruction to read."""
    opcode = word >> 24
    fields = FIELDS[opcode - FIRST_OPCODE]
    if fields and word & fields >> 24 == 0:
        registers = 1 << (word >> (fields & 31) & 15)
        registers |= 1 << (word >> (fields >> 8 & 31) & 15)
        return registers | 1 << (word >> (fields >> 16 & 31) & 15)
    return believed_else(word)


def believed_else(word: int) -> int:
    """The same, of those that read something else than fields name, or nothing."""
    opcode = word >> 24
    mod1 = word & 15
    upper_vd = 1 << ((word >> 20) & 15)
    match opcode:
        case Sfp.LOAD:
            return upper_vd if (word >> 16) & 15 >= LO16_ONLY else 0
        case Sfp.LOADI:
            mod0 = (word >> 16) & 15
            return upper_vd if mod0 == UPPER or mod0 == LOWER else 0
        case Sfp.STORE:
            return upper_vd
        case Sfp.LUT:
            return 0x8F if (word >> 16) & INDIRECT_VD else 0x0F
        case Sfp.LUTFP32:  # by the copy of its mode
            return EVERY if (word >> 16) & INDIRECT_VD else 0x7F
        case Sfp.TRANSP:
            return 0xFF
        case Sfp.SHFT2:
            if mod1 < 2:
                return 0xF
            if mod1 < 5:
                return 0
            return by_fields(word, SEES_C | SEES_D if mod1 == 5 else SEES_D)
        case Sfp.MAD | Sfp.ADD | Sfp.MUL | Sfp.MUL24:
            if mod1 & INDIRECT_VA:
                return EVERY
    return by_fields(word, LOGIC[opcode - FIRST_OPCODE])


def unread(word: int) -> int:
    """Return those of them that it does not read, as it has a number in their place: for what must
    not come too early where no logic stalls (SFPSHFT.md, SFPSETEXP.md, SFPSTOCHRND_IntInt.md)."""
    mod1 = word & 15
    c = by_fields(word, SEES_C)
    d = by_fields(word, SEES_D)
    match word >> 24:
        case Sfp.SHFT:
            return c & ~d if mod1 & 5 == 1 else 0
        case Sfp.SETEXP | Sfp.SETMAN | Sfp.SETSGN:
            return d & ~c if mod1 & 1 else 0
        case Sfp.STOCHRND:
            return 0 if mod1 & 14 == 4 else by_fields(word, SEES_B) & ~c
    return 0


def overlooked(word: int) -> int:
    """Return the first cycle's reads that the stalling logic does not know: registers."""
    opcode = word >> 24
    if not MAY_BE_OVERLOOKED[opcode - FIRST_OPCODE]:
        return 0
    mod1 = word & 15
    match opcode:
        case Sfp.AND | Sfp.OR:
            return by_fields(word, SEES_B) if mod1 & 1 else 0
        case Sfp.IADD:
            return 0 if mod1 & 1 else by_fields(word, SEES_D)
        case Sfp.SHFT:
            return 0 if mod1 & 5 == 5 else by_fields(word, SEES_D)
        case Sfp.CONFIG:
            return 0 if mod1 & 1 and (word >> 4) & 15 >= 4 else 1
        case Sfp.SWAP:
            return by_fields(word, SEES_C | SEES_D) if mod1 else 0
        case Sfp.SHFT2:
            if mod1 < 2:
                return 0
            if mod1 == 2:
                return by_fields(word, SEES_C) | 0xE
            return by_fields(word, SEES_C if mod1 < 5 else SEES_B)
        case Sfp.LUTFP32:  # the copy of its mode may not say that LReg[7] names VD
            return 1 << 7 if mod1 & ~(word >> 16) & INDIRECT_VD else 0
    return 0


def late_results(word: int) -> int:
    """Return the LRegs that the instruction writes in its second cycle, as the logic believes."""
    kind = LATE[(word >> 24) - FIRST_OPCODE]
    if kind == LATE_VD:
        return late_vd(word)
    return late_else(word) if kind else 0


def late_vd(word: int) -> int:
    """The same, of one of LATE_VD."""
    return EVERY if word & INDIRECT_VD else 1 << (word >> 4 & 15)


def late_else(word: int) -> int:
    """The same, of one of LATE_ELSE."""
    opcode = word >> 24
    mod1 = word & 15
    match opcode:
        case Sfp.LUT:
            mod0 = (word >> 16) & 15
            return EVERY if mod0 & INDIRECT_VD else 1 << ((word >> 20) & 15)
        case Sfp.LUTFP32:
            return EVERY if (word >> 16) & INDIRECT_VD else by_fields(word, SEES_D)
        case Sfp.SWAP:
            return by_fields(word, SEES_C | SEES_D)
        case Sfp.SHFT2:
            if 2 <= mod1 <= 4:
                return 0xF if mod1 == 2 else by_fields(word, SEES_D)
    return 0


def takes_two_cycles(word: int) -> int:
    """After it, the Vector Unit accepts nothing but SFPNOP for a cycle."""
    if word >> 24 == Sfp.SHFT2:
        return 1 if 2 <= word & 15 <= 4 else 0
    return 1 if word >> 24 == Sfp.SWAP else 0


INLINED = (believed, late_results, overlooked)
