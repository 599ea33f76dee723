# SPDX-License-Identifier: Apache-2.0
"""The operation of an instruction word, for those that SFPLOADMACRO has scheduled.

Their VB, VC and VD come from SFPLOADMACRO, the rest from the word.
"""

from tensix_gdb.core.arch.numbers import sext
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector import field
from tensix_gdb.core.tensix.vector.lanes import Operation
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
from tensix_gdb.core.tensix.vector.reads import FIRST_OPCODE, LUT, OPCODES


def nothing(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """SFPNOP, and what no sub-unit but that of loads and stores executes."""
    return 0


# By opcode: the operation, and where its constant is: first bit, bits, negative if signed.
_TABLE: dict[int, tuple[Operation, int, int]] = {
    0x73: (lut.look_up, 0, 0),
    0x74: (mad.multiply_by, 8, 16),
    0x75: (mad.add_to, 8, 16),
    0x76: (field.scale, 12, -12),
    0x77: (field.get_exponent, 0, 0),
    0x78: (field.get_mantissa, 0, 0),
    0x79: (integer.add, 12, -12),
    0x7A: (integer.shift, 12, -12),
    0x7B: (conditional.set_by_zero, 12, 1),
    0x7C: (move.move, 0, 0),
    0x7D: (field.absolute, 0, 0),
    0x7E: (integer.bit_and, 0, 0),
    0x7F: (integer.bit_or, 0, 0),
    0x80: (integer.bit_not, 0, 0),
    0x81: (integer.count_zeros, 0, 0),
    0x82: (field.set_exponent, 12, 8),
    0x83: (field.set_mantissa, 12, 12),
    0x84: (mad.multiply_add, 16, 4),
    0x85: (mad.multiply_add, 16, 4),
    0x86: (mad.multiply_add, 16, 4),
    0x87: (conditional.push, 0, 0),
    0x88: (conditional.pop, 0, 0),
    0x89: (field.set_sign, 12, 1),
    0x8A: (conditional.enable, 12, 2),
    0x8B: (conditional.otherwise, 0, 0),
    0x8C: (move.transpose, 0, 0),
    0x8D: (integer.bit_xor, 0, 0),
    0x8E: (convert.reduce, 16, 7),
    0x90: (convert.cast, 0, 0),
    0x91: (configure.configure, 8, 16),
    0x92: (swap.swap, 0, 0),
    0x94: (move.shuffle, 12, -12),
    0x95: (lut.look_up_wide, 0, 0),
    0x96: (conditional.at_most, 0, 0),
    0x97: (conditional.greater, 0, 0),
    0x98: (mad.multiply_24, 16, 4),
    0x99: (approximate.approximate, 0, 0),
}
_ROWS = [_TABLE.get(FIRST_OPCODE + i, (nothing, 0, 0)) for i in range(OPCODES)]
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
    imm = (word >> IMM_SHIFT[index]) & IMM_MASK[index]
    if IMM_SIGN[index]:
        imm = sext(imm, IMM_SIGN[index])
    mod1 = (word >> 16 if opcode == LUT else word) & 15
    return OPERATIONS[index](S, vb, vc, vd, imm, mod1)
