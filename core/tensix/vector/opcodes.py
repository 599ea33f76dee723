# SPDX-License-Identifier: Apache-2.0
"""The opcodes of the Vector Unit's instructions, bits 31:24 of a word (VectorUnit.md)."""

import enum


class Sfp(enum.IntEnum):
    """Sfp.LOAD is the first byte of SFPLOAD; the names are those of the pages."""

    LOAD = 0x70
    LOADI = 0x71
    STORE = 0x72
    LUT = 0x73
    MULI = 0x74
    ADDI = 0x75
    DIVP2 = 0x76
    EXEXP = 0x77
    EXMAN = 0x78
    IADD = 0x79
    SHFT = 0x7A
    SETCC = 0x7B
    MOV = 0x7C
    ABS = 0x7D
    AND = 0x7E
    OR = 0x7F
    NOT = 0x80
    LZ = 0x81
    SETEXP = 0x82
    SETMAN = 0x83
    MAD = 0x84
    ADD = 0x85
    MUL = 0x86
    PUSHC = 0x87
    POPC = 0x88
    SETSGN = 0x89
    ENCC = 0x8A
    COMPC = 0x8B
    TRANSP = 0x8C
    XOR = 0x8D
    STOCHRND = 0x8E
    NOP = 0x8F
    CAST = 0x90
    CONFIG = 0x91
    SWAP = 0x92
    LOADMACRO = 0x93
    SHFT2 = 0x94
    LUTFP32 = 0x95
    LE = 0x96
    GT = 0x97
    MUL24 = 0x98
    ARECIP = 0x99


FIRST_OPCODE = Sfp.LOAD
OPCODES = Sfp.ARECIP - FIRST_OPCODE + 1
