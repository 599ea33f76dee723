# SPDX-License-Identifier: Apache-2.0
"""The operation of an instruction word, for those that SFPLOADMACRO has scheduled.

Their VB, VC and VD come from SFPLOADMACRO, the rest from the word.
"""

from tensix_gdb.core.arch.numbers import sext
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector import field
from tensix_gdb.core.tensix.vector.lanes import Operation
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, OPCODES, Sfp
from tensix_gdb.core.tensix.vector.operations import (
    approximate,
    conditional,
    configure,
    convert,
    integer,
    lut,
    mad,
    move,
    swap,
)


def nothing(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """SFPNOP, and what no sub-unit but that of loads and stores executes."""
    return 0


# By opcode: the operation, and where its constant is: first bit, bits, negative if signed.
_TABLE: dict[int, tuple[Operation, int, int]] = {
    Sfp.LUT: (lut.look_up, 0, 0),
    Sfp.MULI: (mad.multiply_by, 8, 16),
    Sfp.ADDI: (mad.add_to, 8, 16),
    Sfp.DIVP2: (field.scale, 12, -12),
    Sfp.EXEXP: (field.get_exponent, 0, 0),
    Sfp.EXMAN: (field.get_mantissa, 0, 0),
    Sfp.IADD: (integer.add, 12, -12),
    Sfp.SHFT: (integer.shift, 12, -12),
    Sfp.SETCC: (conditional.set_by_zero, 12, 1),
    Sfp.MOV: (move.move, 0, 0),
    Sfp.ABS: (field.absolute, 0, 0),
    Sfp.AND: (integer.bit_and, 0, 0),
    Sfp.OR: (integer.bit_or, 0, 0),
    Sfp.NOT: (integer.bit_not, 0, 0),
    Sfp.LZ: (integer.count_zeros, 0, 0),
    Sfp.SETEXP: (field.set_exponent, 12, 8),
    Sfp.SETMAN: (field.set_mantissa, 12, 12),
    Sfp.MAD: (mad.multiply_add, 16, 4),
    Sfp.ADD: (mad.multiply_add, 16, 4),
    Sfp.MUL: (mad.multiply_add, 16, 4),
    Sfp.PUSHC: (conditional.push, 0, 0),
    Sfp.POPC: (conditional.pop, 0, 0),
    Sfp.SETSGN: (field.set_sign, 12, 1),
    Sfp.ENCC: (conditional.enable, 12, 2),
    Sfp.COMPC: (conditional.otherwise, 0, 0),
    Sfp.TRANSP: (move.transpose, 0, 0),
    Sfp.XOR: (integer.bit_xor, 0, 0),
    Sfp.STOCHRND: (convert.reduce, 16, 7),
    Sfp.CAST: (convert.cast, 0, 0),
    Sfp.CONFIG: (configure.configure, 8, 16),
    Sfp.SWAP: (swap.swap, 0, 0),
    Sfp.SHFT2: (move.shuffle, 12, -12),
    Sfp.LUTFP32: (lut.look_up_wide, 0, 0),
    Sfp.LE: (conditional.at_most, 0, 0),
    Sfp.GT: (conditional.greater, 0, 0),
    Sfp.MUL24: (mad.multiply_24, 16, 4),
    Sfp.ARECIP: (approximate.approximate, 0, 0),
}
# What Wormhole has instead; it has no others but these and those above.
_WORMHOLE: dict[int, tuple[Operation, int, int]] = {
    Sfp.LUT: (lut.look_up_flushed, 0, 0),
    Sfp.MULI: (mad.multiply_by_flushed, 8, 16),
    Sfp.ADDI: (mad.add_to_flushed, 8, 16),
    **dict.fromkeys((Sfp.MAD, Sfp.ADD, Sfp.MUL), (mad.multiply_add_flushed, 16, 4)),
    Sfp.LUTFP32: (lut.look_up_wide_flushed, 0, 0),
    Sfp.POPC: (conditional.pop_wormhole, 0, 0),
    Sfp.STOCHRND: (convert.reduce_wormhole, 16, 6),
    Sfp.SHFT2: (move.shuffle_wormhole, 12, -12),
    **dict.fromkeys((Sfp.LE, Sfp.GT, Sfp.MUL24, Sfp.ARECIP), (nothing, 0, 0)),
}
# Bits of its mode that Wormhole reads, where they are fewer.
_FEWER: dict[int, int] = {
    **dict.fromkeys((Sfp.MAD, Sfp.ADD, Sfp.MUL), mad.INDIRECTION),
    **dict.fromkeys((Sfp.MULI, Sfp.ADDI), mad.INDIRECT_VD),
    **dict.fromkeys((Sfp.SHFT, Sfp.CAST), 1),
    **dict.fromkeys((Sfp.AND, Sfp.OR, Sfp.PUSHC), 0),
}
# By chip, then opcode.
_ROWS = [
    table.get(FIRST_OPCODE + i, (nothing, 0, 0))
    for table in (_TABLE, _TABLE | _WORMHOLE)
    for i in range(OPCODES)
]
MOD1_MASK = (*(15,) * OPCODES, *(_FEWER.get(FIRST_OPCODE + i, 15) for i in range(OPCODES)))
OPERATIONS = tuple(row[0] for row in _ROWS)
IMM_SHIFT = tuple(row[1] for row in _ROWS)
IMM_MASK = tuple((1 << abs(row[2])) - 1 for row in _ROWS)
IMM_SIGN = tuple(-row[2] if row[2] < 0 else 0 for row in _ROWS)


def operate(S: View, word: int, vb: int, vc: int, vd: int) -> int:
    """Execute a word with other operands than its own; 0 or the code of a fault."""
    opcode = word >> 24
    index = opcode - FIRST_OPCODE
    if index < 0 or index >= OPCODES:
        return Fault.VECTOR_MACRO
    index += OPCODES * S.tile.chip
    imm = (word >> IMM_SHIFT[index]) & IMM_MASK[index]
    if IMM_SIGN[index]:
        imm = sext(imm, IMM_SIGN[index])
    mod1 = (word >> 16 if opcode == Sfp.LUT else word) & MOD1_MASK[index]
    return OPERATIONS[index](S, vb, vc, vd, imm, mod1)
