# SPDX-License-Identifier: Apache-2.0
"""The differences between the Vector Units of the chips: tables that `S.tile.chip` indexes.

Wormhole has no automatic stalling after the MAD sub-unit (SFPMAD.md, "Instruction scheduling"):
where Blackhole waits for a cycle, software has to put an SFPNOP. It waits after SFPSWAP only.
"""

from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, OPCODES, Sfp

# 1: the gate holds an instruction that wants a result which is a cycle away (VectorUnit.md).
STALLS_FOR_RESULTS = (1, 0)
# SFPLE, SFPGT, SFPMUL24 and SFPARECIP are Blackhole's: opcodes from the first on.
OPCODES_OF = (OPCODES, Sfp.LE - FIRST_OPCODE)
# Bits of SFPLUTFP32's mode that its second copy has, by which the automatic stalling goes.
MODE_COPY = (0, 15)

# SFPSHFT2.md of Wormhole, "Instruction scheduling": what must not execute in the cycle after a
# shuffle of lanes. SFPSHFT2 is here with the modes that are no such shuffle.
_NOT_AFTER_SHUFFLE = (
    *(Sfp.ABS, Sfp.AND, Sfp.CAST, Sfp.DIVP2, Sfp.EXEXP, Sfp.EXMAN, Sfp.IADD, Sfp.LZ, Sfp.MOV),
    *(Sfp.NOT, Sfp.OR, Sfp.SETEXP, Sfp.SETMAN, Sfp.SETSGN, Sfp.SHFT, Sfp.SHFT2, Sfp.STOCHRND),
    Sfp.XOR,
)
NOT_AFTER_SHUFFLE = tuple(
    int(opcode in _NOT_AFTER_SHUFFLE) for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES)
)
# What `vector_pipe.only_nop` says of the cycle after an instruction of two cycles.
AFTER_SWAP, AFTER_SHUFFLE = 1, 2  # only SFPNOP passes; some must not be there, and nothing waits
AFTER_STORE = 3  # nothing passes: an SFPSTORE is in the unit and waits for what it stores
# Of a shuffle of lanes.
TWO_CYCLES = (AFTER_SWAP, AFTER_SHUFFLE)
# The LReg in which Wormhole's SFPSHFT2 finds the lanes of an earlier shuffle (its bug); no
# instruction reaches it, and no row of the record is for one chip alone.
SHUFFLED = 17
