# SPDX-License-Identifier: Apache-2.0
"""Which LRegs an instruction reads: as it is, and as the automatic stalling believes (SFPMAD.md).

Both are words of one bit for each LReg. They differ by the hardware's bugs that SFPMAD.md lists.
UNSPECIFIED(SFPMAD.md): whether the logic knows that SFPLOAD and SFPLOADI may keep half of an LReg;
it is taken to.
"""

EVERY = 0x1FFFF
LOAD, LOADI, STORE, LUT, MULI, ADDI = range(0x70, 0x76)
IADD, SHFT = 0x79, 0x7A
AND, OR = 0x7E, 0x7F
SETEXP, SETMAN, MAD, ADD, MUL = range(0x82, 0x87)
PUSHC, POPC, SETSGN, ENCC, COMPC, TRANSP, XOR, ROUND, NOP, CAST, CONFIG, SWAP = range(0x87, 0x93)
LOADMACRO, SHFT2, LUTFP32, LE, GT, MUL24, ARECIP = range(0x93, 0x9A)
FIRST_OPCODE, OPCODES = 0x70, 0x2A

SEES_A, SEES_B, SEES_C, SEES_D = 1, 2, 4, 8
_LOGIC = {
    MULI: SEES_D, ADDI: SEES_D, SHFT: SEES_C, IADD: SEES_C, AND: SEES_C | SEES_D,
    OR: SEES_C | SEES_D, SETEXP: SEES_C | SEES_D, SETMAN: SEES_C | SEES_D,
    MAD: SEES_A | SEES_B | SEES_C, ADD: SEES_A | SEES_B | SEES_C, MUL: SEES_A | SEES_B | SEES_C,
    SETSGN: SEES_C | SEES_D, XOR: SEES_C | SEES_D, ROUND: SEES_B | SEES_C,
    LE: SEES_C | SEES_D, GT: SEES_C | SEES_D, MUL24: SEES_A | SEES_B | SEES_C,
    ARECIP: SEES_B | SEES_C, CONFIG: 0, SWAP: 0, NOP: 0, LOADMACRO: 0, PUSHC: 0, POPC: 0, ENCC: 0,
    COMPC: 0, TRANSP: 0, LOAD: 0, LOADI: 0, STORE: 0, LUT: 0, LUTFP32: 0, SHFT2: 0,
}  # fmt: skip
# The rest are of VC and VD only, and read VC.
LOGIC = tuple(_LOGIC.get(opcode, SEES_C) for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))
_LATE = (LUT, MULI, ADDI, MAD, ADD, MUL, SWAP, SHFT2, LUTFP32, MUL24)
MAY_BE_LATE = tuple(int(one in _LATE) for one in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))
INDIRECT_VA, INDIRECT_VD = 4, 8
LO16_ONLY, HI16_ONLY, UPPER, LOWER = 14, 15, 8, 10


def by_fields(word: int, sees: int) -> int:
    """The LRegs that these fields name."""
    found = 0
    if sees & SEES_A:
        found |= 1 << ((word >> 16) & 15)
    if sees & SEES_B:
        found |= 1 << ((word >> 12) & 15)
    if sees & SEES_C:
        found |= 1 << ((word >> 8) & 15)
    if sees & SEES_D:
        found |= 1 << ((word >> 4) & 15)
    return found


def believed(word: int) -> int:
    """What the stalling logic thinks that the instruction reads."""
    opcode = word >> 24
    mod1 = word & 15
    upper_vd = 1 << ((word >> 20) & 15)
    match opcode:
        case 0x70:  # SFPLOAD
            return upper_vd if (word >> 16) & 15 >= LO16_ONLY else 0
        case 0x71:  # SFPLOADI
            mod0 = (word >> 16) & 15
            return upper_vd if mod0 == UPPER or mod0 == LOWER else 0
        case 0x72:  # SFPSTORE
            return upper_vd
        case 0x73:  # SFPLUT
            return 0x8F if (word >> 16) & INDIRECT_VD else 0x0F
        case 0x95:  # SFPLUTFP32, by the copy of its mode
            return EVERY if (word >> 16) & INDIRECT_VD else 0x7F
        case 0x8C:  # SFPTRANSP
            return 0xFF
        case 0x94:  # SFPSHFT2
            if mod1 < 2:
                return 0xF
            if mod1 < 5:
                return 0
            return by_fields(word, SEES_C | SEES_D if mod1 == 5 else SEES_D)
        case 0x84 | 0x85 | 0x86 | 0x98:
            if mod1 & INDIRECT_VA:
                return EVERY
    return by_fields(word, LOGIC[opcode - FIRST_OPCODE])


def overlooked(word: int) -> int:
    """What the instruction reads in its first cycle without the stalling logic knowing."""
    opcode = word >> 24
    mod1 = word & 15
    match opcode:
        case 0x7E | 0x7F:  # SFPAND, SFPOR
            return by_fields(word, SEES_B) if mod1 & 1 else 0
        case 0x79:  # SFPIADD
            return 0 if mod1 & 1 else by_fields(word, SEES_D)
        case 0x7A:  # SFPSHFT
            return 0 if mod1 & 5 == 5 else by_fields(word, SEES_D)
        case 0x91:  # SFPCONFIG
            return 0 if mod1 & 1 and (word >> 4) & 15 >= 4 else 1
        case 0x92:  # SFPSWAP
            return by_fields(word, SEES_C | SEES_D) if mod1 else 0
        case 0x94:  # SFPSHFT2
            if mod1 < 2:
                return 0
            if mod1 == 2:
                return by_fields(word, SEES_C) | 0xE
            return by_fields(word, SEES_C if mod1 < 5 else SEES_B)
    return 0


def late_results(word: int) -> int:
    """The LRegs that the instruction writes in its second cycle, as the logic believes."""
    opcode = word >> 24
    if not MAY_BE_LATE[opcode - FIRST_OPCODE]:
        return 0
    mod1 = word & 15
    match opcode:
        case 0x73:
            mod0 = (word >> 16) & 15
            return EVERY if mod0 & INDIRECT_VD else 1 << ((word >> 20) & 15)
        case 0x95:
            return EVERY if (word >> 16) & INDIRECT_VD else by_fields(word, SEES_D)
        case 0x74 | 0x75 | 0x84 | 0x85 | 0x86 | 0x98:
            return EVERY if mod1 & INDIRECT_VD else by_fields(word, SEES_D)
        case 0x92:
            return by_fields(word, SEES_C | SEES_D)
        case 0x94:
            if 2 <= mod1 <= 4:
                return 0xF if mod1 == 2 else by_fields(word, SEES_D)
    return 0


def takes_two_cycles(word: int) -> int:
    """After it, the Vector Unit accepts nothing but SFPNOP for a cycle."""
    if word >> 24 == SHFT2:
        return 1 if 2 <= word & 15 <= 4 else 0
    return 1 if word >> 24 == SWAP else 0
