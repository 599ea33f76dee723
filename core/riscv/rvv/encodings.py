# SPDX-License-Identifier: Apache-2.0
"""The words of V: few rows, each for many instructions (InstructionSet.md).

A packed word (core/riscv/decode.py) has one byte for its op, so a row here is a whole format. What
the word says besides is its immediate:

    arithmetic   funct3 | vs1, rs1 or imm | funct6 | vm | vs2 | vd
    memory       nf | mew | mop | vm | lumop, rs2 or vs2 | vd, v3

Scalar registers are named in the row too, so that the pipeline waits for them; rs2 of strided loads
and stores is not, because it is a register there only.
"""

import enum

from tensix_gdb.core.isa.schema import Bits, Encoding, Fixed, Part, word32
from tensix_gdb.core.riscv.encoding import Form, Group

RVV = Group("BabyRISCV/InstructionSet.md")

OP_V = 0x57
LOAD_FP = 0x07
STORE_FP = 0x27
WIDTHS = {8: 0, 16: 5, 32: 6}


class Mop(enum.IntEnum):
    """The addressing of elements."""

    UNIT_STRIDE = 0
    INDEXED_UNORDERED = 1
    STRIDED = 2
    INDEXED_ORDERED = 3


def _arithmetic(funct3: int, source: Part) -> Encoding:
    """funct6 | vm | vs2 | source | funct3 | vd | OP-V"""
    return word32(
        "imm[16:5]" / Bits(12), source, Fixed(funct3, 3), "imm[4:0]" / Bits(5), Fixed(OP_V, 7)
    )


def _memory(opcode: int, width: int) -> Encoding:
    """nf | mew | mop | vm | lumop | rs1 | width | vd | opcode"""
    return word32(
        "imm[16:5]" / Bits(12), "rs1" / Bits(5), Fixed(WIDTHS[width], 3), "imm[4:0]" / Bits(5),
        Fixed(opcode, 7),
    )  # fmt: skip


# fmt: off
_VS1 = "imm[21:17]" / Bits(5)
RVV.row("v.ivv", _arithmetic(0, _VS1), Form.VECTOR)
RVV.row("v.fvv", _arithmetic(1, _VS1), Form.VECTOR)
RVV.row("v.mvv", _arithmetic(2, _VS1), Form.VECTOR)
RVV.row("v.ivi", _arithmetic(3, _VS1), Form.VECTOR)
RVV.row("v.ivx", _arithmetic(4, "rs1" / Bits(5)), Form.VECTOR)
RVV.row("v.fvf", _arithmetic(5, "frs1" / Bits(5)), Form.VECTOR)
RVV.row("v.mvx", _arithmetic(6, "rs1" / Bits(5)), Form.VECTOR)
RVV.row("vsetvli", word32(Fixed(0, 1), "imm" / Bits(11), "rs1" / Bits(5), Fixed(7, 3),
                          "rd" / Bits(5), Fixed(OP_V, 7)), Form.VSETVLI)
RVV.row("vsetivli", word32(Fixed(3, 2), "imm[14:5]" / Bits(10), "imm[4:0]" / Bits(5), Fixed(7, 3),
                           "rd" / Bits(5), Fixed(OP_V, 7)), Form.VSETIVLI)
RVV.row("vsetvl", word32(Fixed(0x40, 7), "rs2" / Bits(5), "rs1" / Bits(5), Fixed(7, 3),
                         "rd" / Bits(5), Fixed(OP_V, 7)), Form.VSETVL)
for _width in WIDTHS:
    RVV.row(f"v.load{_width}", _memory(LOAD_FP, _width), Form.VECTOR_LOAD, size=_width // 8)
    RVV.row(f"v.store{_width}", _memory(STORE_FP, _width), Form.VECTOR_STORE, size=_width // 8)
# fmt: on
