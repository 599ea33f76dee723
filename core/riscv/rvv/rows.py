# SPDX-License-Identifier: Apache-2.0
"""Every arithmetic instruction of V that T2 has (InstructionSet.md), as rows.

An instruction is named by its family (funct3: integer, mask and multiply, floating point), funct6
and, where vs1 is part of the name, that. A row says with which second operands it exists, its kind
(which registers it reads and writes) and its operation. Divisions, square roots and reciprocals
have no row.

UNSPECIFIED(BabyRISCV/InstructionSet.md): conversions with `rtz` in their name have no rounding mode
to be ignored; they truncate.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.riscv.rvv import fixed as x
from tensix_gdb.core.riscv.rvv import floating as f
from tensix_gdb.core.riscv.rvv import integer as i

Operation = Callable[..., int]


class Kind(enum.IntEnum):
    """The operands and results of an instruction; sew is the element width that vtype sets."""

    NONE = 0
    PLAIN = 1  # element by element
    COMPARE = 2  # a mask comes out
    CARRY = 3  # v0 holds carries
    CARRY_OUT = 4  # a mask comes out, carries in v0 unless vm is set
    MERGE = 5  # v0 chooses; a move if vm is set
    WIDE = 6  # the result is twice as wide
    WIDE_W = 7  # so is vs2
    NARROW = 8  # vs2 is twice as wide
    REDUCE = 9
    REDUCE_WIDE = 10
    MASK = 11
    GATHER = 12
    GATHER16 = 13
    SLIDE_UP = 14
    SLIDE_DOWN = 15
    SLIDE1_UP = 16
    SLIDE1_DOWN = 17
    COMPRESS = 18
    SCALAR_IN = 19
    EXTEND_2 = 20
    EXTEND_4 = 21
    MOVE_GROUP = 22
    FIRST_ELEMENT = 23  # to x or f
    COUNT = 24
    FIND_FIRST = 25
    SET_BEFORE = 26
    SET_ONLY = 27
    SET_INCLUDING = 28
    IOTA = 29
    INDEX = 30


class Second(enum.IntEnum):
    """The second operand: a vector, x register, immediate or f register."""

    VV = 0
    VX = 1
    VI = 2
    VF = 3


# Second operands, one bit each; and whether the immediate is unsigned.
VV, VX, VI, VF, UNSIGNED = 1, 2, 4, 8, 16
FAMILIES = "IMF"
# Groups in which vs1 is part of the name: (family, funct6) and its place after the others.
UNARY = {
    ("F", 0x12): 192,
    ("F", 0x13): 224,
    ("M", 0x12): 256,
    ("M", 0x14): 288,
    ("M", 0x10): 320,
    ("F", 0x10): 352,
}
NUMBERS = 384


@dataclass(frozen=True, slots=True)
class Row:
    """One instruction under all its second operands."""

    name: str
    number: int
    operands: int
    kind: Kind
    operation: Operation


ROWS: list[Row] = []


def _row(
    family: str, funct6: int, name: str, operands: str, kind: Kind, op: Operation, vs1: int = -1
) -> None:
    bits = {"v": VV, "x": VX, "i": VI, "u": VI | UNSIGNED, "f": VF}
    number = FAMILIES.index(family) * 64 + funct6 if vs1 < 0 else UNARY[family, funct6] + vs1
    ROWS.append(Row(name, number, sum(bits[letter] for letter in operands), kind, op))


# fmt: off
K = Kind
for _funct6, _name, _operands, _kind, _op in (
    (0x00, "vadd", "vxi", K.PLAIN, i.add), (0x02, "vsub", "vx", K.PLAIN, i.subtract),
    (0x03, "vrsub", "xi", K.PLAIN, i.reverse_subtract),
    (0x04, "vminu", "vx", K.PLAIN, i.minu), (0x05, "vmin", "vx", K.PLAIN, i.mins),
    (0x06, "vmaxu", "vx", K.PLAIN, i.maxu), (0x07, "vmax", "vx", K.PLAIN, i.maxs),
    (0x09, "vand", "vxi", K.PLAIN, i.and_), (0x0A, "vor", "vxi", K.PLAIN, i.or_),
    (0x0B, "vxor", "vxi", K.PLAIN, i.xor), (0x0C, "vrgather", "vxu", K.GATHER, i.second),
    (0x0E, "vslideup", "xu", K.SLIDE_UP, i.second),
    (0x0F, "vslidedown", "xu", K.SLIDE_DOWN, i.second),
    (0x10, "vadc", "vxi", K.CARRY, i.add_carry),
    (0x11, "vmadc", "vxi", K.CARRY_OUT, i.carry_out),
    (0x12, "vsbc", "vx", K.CARRY, i.subtract_borrow),
    (0x13, "vmsbc", "vx", K.CARRY_OUT, i.borrow_out),
    (0x17, "vmerge", "vxi", K.MERGE, i.second),
    (0x18, "vmseq", "vxi", K.COMPARE, i.equal), (0x19, "vmsne", "vxi", K.COMPARE, i.not_equal),
    (0x1A, "vmsltu", "vx", K.COMPARE, i.less_unsigned),
    (0x1B, "vmslt", "vx", K.COMPARE, i.less_signed),
    (0x1C, "vmsleu", "vxi", K.COMPARE, i.at_most_unsigned),
    (0x1D, "vmsle", "vxi", K.COMPARE, i.at_most_signed),
    (0x1E, "vmsgtu", "xi", K.COMPARE, i.more_unsigned),
    (0x1F, "vmsgt", "xi", K.COMPARE, i.more_signed),
    (0x20, "vsaddu", "vxi", K.PLAIN, x.add_unsigned),
    (0x21, "vsadd", "vxi", K.PLAIN, x.add_signed),
    (0x22, "vssubu", "vx", K.PLAIN, x.subtract_unsigned),
    (0x23, "vssub", "vx", K.PLAIN, x.subtract_signed),
    (0x25, "vsll", "vxu", K.PLAIN, i.shift_left), (0x27, "vsmul", "vx", K.PLAIN, x.multiply),
    (0x28, "vsrl", "vxu", K.PLAIN, i.shift_right),
    (0x29, "vsra", "vxu", K.PLAIN, i.shift_right_signed),
    (0x2A, "vssrl", "vxu", K.PLAIN, x.scaling_shift),
    (0x2B, "vssra", "vxu", K.PLAIN, x.scaling_shift_signed),
    (0x2C, "vnsrl", "vxu", K.NARROW, i.narrow_shift),
    (0x2D, "vnsra", "vxu", K.NARROW, i.narrow_shift_signed),
    (0x2E, "vnclipu", "vxu", K.NARROW, x.narrow_clip_unsigned),
    (0x2F, "vnclip", "vxu", K.NARROW, x.narrow_clip_signed),
    (0x30, "vwredsumu", "v", K.REDUCE_WIDE, i.sum_of_wide),
    (0x31, "vwredsum", "v", K.REDUCE_WIDE, i.sum_of_wide_signed),
):
    _row("I", _funct6, _name, _operands, _kind, _op)

for _funct6, _name, _operands, _kind, _op in (
    (0x00, "vredsum", "v", K.REDUCE, i.add), (0x01, "vredand", "v", K.REDUCE, i.and_),
    (0x02, "vredor", "v", K.REDUCE, i.or_), (0x03, "vredxor", "v", K.REDUCE, i.xor),
    (0x04, "vredminu", "v", K.REDUCE, i.minu), (0x05, "vredmin", "v", K.REDUCE, i.mins),
    (0x06, "vredmaxu", "v", K.REDUCE, i.maxu), (0x07, "vredmax", "v", K.REDUCE, i.maxs),
    (0x08, "vaaddu", "vx", K.PLAIN, x.average_unsigned),
    (0x09, "vaadd", "vx", K.PLAIN, x.average_signed),
    (0x0A, "vasubu", "vx", K.PLAIN, x.half_difference_unsigned),
    (0x0B, "vasub", "vx", K.PLAIN, x.half_difference_signed),
    (0x0E, "vslide1up", "x", K.SLIDE1_UP, i.second),
    (0x0F, "vslide1down", "x", K.SLIDE1_DOWN, i.second),
    (0x10, "vmv.s", "x", K.SCALAR_IN, i.second),
    (0x17, "vcompress", "v", K.COMPRESS, i.second),
    (0x18, "vmandn", "v", K.MASK, i.second), (0x19, "vmand", "v", K.MASK, i.second),
    (0x1A, "vmor", "v", K.MASK, i.second), (0x1B, "vmxor", "v", K.MASK, i.second),
    (0x1C, "vmorn", "v", K.MASK, i.second), (0x1D, "vmnand", "v", K.MASK, i.second),
    (0x1E, "vmnor", "v", K.MASK, i.second), (0x1F, "vmxnor", "v", K.MASK, i.second),
    (0x24, "vmulhu", "vx", K.PLAIN, i.multiply_high_unsigned),
    (0x25, "vmul", "vx", K.PLAIN, i.multiply),
    (0x26, "vmulhsu", "vx", K.PLAIN, i.multiply_high_mixed),
    (0x27, "vmulh", "vx", K.PLAIN, i.multiply_high),
    (0x29, "vmadd", "vx", K.PLAIN, i.multiply_add),
    (0x2B, "vnmsub", "vx", K.PLAIN, i.multiply_subtract),
    (0x2D, "vmacc", "vx", K.PLAIN, i.accumulate),
    (0x2F, "vnmsac", "vx", K.PLAIN, i.accumulate_negative),
    (0x30, "vwaddu", "vx", K.WIDE, i.add), (0x31, "vwadd", "vx", K.WIDE, i.wide_add_signed),
    (0x32, "vwsubu", "vx", K.WIDE, i.subtract),
    (0x33, "vwsub", "vx", K.WIDE, i.wide_subtract_signed),
    (0x34, "vwaddu", "vx", K.WIDE_W, i.add),
    (0x35, "vwadd", "vx", K.WIDE_W, i.wider_add_signed),
    (0x36, "vwsubu", "vx", K.WIDE_W, i.subtract),
    (0x37, "vwsub", "vx", K.WIDE_W, i.wider_subtract_signed),
    (0x38, "vwmulu", "vx", K.WIDE, i.wide_multiply_unsigned),
    (0x3A, "vwmulsu", "vx", K.WIDE, i.wide_multiply_mixed),
    (0x3B, "vwmul", "vx", K.WIDE, i.multiply),
    (0x3C, "vwmaccu", "vx", K.WIDE, i.wide_accumulate_unsigned),
    (0x3D, "vwmacc", "vx", K.WIDE, i.wide_accumulate),
    (0x3E, "vwmaccus", "x", K.WIDE, i.wide_accumulate_us),
    (0x3F, "vwmaccsu", "vx", K.WIDE, i.wide_accumulate_su),
):
    _row("M", _funct6, _name, _operands, _kind, _op)

for _funct6, _name, _operands, _kind, _op in (
    (0x00, "vfadd", "vf", K.PLAIN, f.add), (0x01, "vfredusum", "v", K.REDUCE, f.sum_up),
    (0x02, "vfsub", "vf", K.PLAIN, f.subtract), (0x03, "vfredosum", "v", K.REDUCE, f.sum_up),
    (0x04, "vfmin", "vf", K.PLAIN, f.smaller), (0x05, "vfredmin", "v", K.REDUCE, f.smaller),
    (0x06, "vfmax", "vf", K.PLAIN, f.larger), (0x07, "vfredmax", "v", K.REDUCE, f.larger),
    (0x08, "vfsgnj", "vf", K.PLAIN, f.with_sign),
    (0x09, "vfsgnjn", "vf", K.PLAIN, f.with_other_sign),
    (0x0A, "vfsgnjx", "vf", K.PLAIN, f.with_product_sign),
    (0x0E, "vfslide1up", "f", K.SLIDE1_UP, i.second),
    (0x0F, "vfslide1down", "f", K.SLIDE1_DOWN, i.second),
    (0x10, "vfmv.s", "f", K.SCALAR_IN, i.second), (0x17, "vfmerge", "f", K.MERGE, i.second),
    (0x18, "vmfeq", "vf", K.COMPARE, f.equal), (0x19, "vmfle", "vf", K.COMPARE, f.at_most),
    (0x1B, "vmflt", "vf", K.COMPARE, f.less), (0x1C, "vmfne", "vf", K.COMPARE, f.not_equal),
    (0x1D, "vmfgt", "f", K.COMPARE, f.more), (0x1F, "vmfge", "f", K.COMPARE, f.at_least),
    (0x24, "vfmul", "vf", K.PLAIN, f.multiply),
    (0x27, "vfrsub", "f", K.PLAIN, f.reverse_subtract),
    (0x28, "vfmadd", "vf", K.PLAIN, f.madd), (0x29, "vfnmadd", "vf", K.PLAIN, f.nmadd),
    (0x2A, "vfmsub", "vf", K.PLAIN, f.msub), (0x2B, "vfnmsub", "vf", K.PLAIN, f.nmsub),
    (0x2C, "vfmacc", "vf", K.PLAIN, f.macc), (0x2D, "vfnmacc", "vf", K.PLAIN, f.nmacc),
    (0x2E, "vfmsac", "vf", K.PLAIN, f.msac), (0x2F, "vfnmsac", "vf", K.PLAIN, f.nmsac),
):
    _row("F", _funct6, _name, _operands, _kind, _op)

_row("I", 0x0E, "vrgatherei16", "v", K.GATHER16, i.second)
_row("I", 0x27, "vmvr", "i", K.MOVE_GROUP, i.second)
for _family, _funct6, _vs1, _name, _kind, _op in (
    ("M", 0x10, 0, "vmv.x.s", K.FIRST_ELEMENT, i.second),
    ("M", 0x10, 16, "vcpop.m", K.COUNT, i.second),
    ("M", 0x10, 17, "vfirst.m", K.FIND_FIRST, i.second),
    ("F", 0x10, 0, "vfmv.f.s", K.FIRST_ELEMENT, i.second),
    ("M", 0x12, 4, "vzext.vf4", K.EXTEND_4, i.first),
    ("M", 0x12, 5, "vsext.vf4", K.EXTEND_4, i.signed_from_quarter),
    ("M", 0x12, 6, "vzext.vf2", K.EXTEND_2, i.first),
    ("M", 0x12, 7, "vsext.vf2", K.EXTEND_2, i.signed_from_half),
    ("M", 0x14, 1, "vmsbf.m", K.SET_BEFORE, i.second),
    ("M", 0x14, 2, "vmsof.m", K.SET_ONLY, i.second),
    ("M", 0x14, 3, "vmsif.m", K.SET_INCLUDING, i.second),
    ("M", 0x14, 16, "viota.m", K.IOTA, i.second), ("M", 0x14, 17, "vid.v", K.INDEX, i.second),
    ("F", 0x12, 0, "vfcvt.xu.f.v", K.PLAIN, f.to_unsigned),
    ("F", 0x12, 1, "vfcvt.x.f.v", K.PLAIN, f.to_signed),
    ("F", 0x12, 2, "vfcvt.f.xu.v", K.PLAIN, f.from_unsigned),
    ("F", 0x12, 3, "vfcvt.f.x.v", K.PLAIN, f.from_signed),
    ("F", 0x12, 6, "vfcvt.rtz.xu.f.v", K.PLAIN, f.truncated_unsigned),
    ("F", 0x12, 7, "vfcvt.rtz.x.f.v", K.PLAIN, f.truncated_signed),
    ("F", 0x12, 10, "vfwcvt.f.xu.v", K.WIDE, f.from_unsigned),
    ("F", 0x12, 11, "vfwcvt.f.x.v", K.WIDE, f.from_signed_half),
    ("F", 0x12, 16, "vfncvt.xu.f.w", K.NARROW, f.to_unsigned_half),
    ("F", 0x12, 17, "vfncvt.x.f.w", K.NARROW, f.to_signed_half),
    ("F", 0x12, 22, "vfncvt.rtz.xu.f.w", K.NARROW, f.truncated_unsigned_half),
    ("F", 0x12, 23, "vfncvt.rtz.x.f.w", K.NARROW, f.truncated_signed_half),
    ("F", 0x13, 16, "vfclass.v", K.PLAIN, f.classified),
):
    _row(_family, _funct6, _name, "v", _kind, _op, _vs1)
# fmt: on

# (number, second operand) -> row; two names may share a number.
SECONDS = (VV, VX, VI, VF)
BY_NUMBER = {(row.number, bit): row for row in ROWS for bit in SECONDS if row.operands & bit}
assert len(BY_NUMBER) == sum((row.operands & 15).bit_count() for row in ROWS)

# What `arithmetic.py` runs on: by 4 * number + second operand (VV 0, VX 1, VI 2, VF 3).
OPERATIONS = tuple(dict.fromkeys(row.operation for row in ROWS))
_TABLE = [BY_NUMBER.get((n >> 2, 1 << (n & 3))) for n in range(4 * NUMBERS)]
KINDS = tuple(int(row.kind) if row else 0 for row in _TABLE)
OPERATION = tuple(OPERATIONS.index(row.operation) if row else 0 for row in _TABLE)
IS_UNSIGNED = tuple(int(bool(row and row.operands & UNSIGNED)) for row in _TABLE)
# What floating-point instructions need: elements of 32 bits, or where it says so of 16 (2).
IS_FLOAT = tuple(
    0
    if row is None or n >> 2 < 128 or 256 <= n >> 2 < 352
    else 2
    if row.kind in (Kind.WIDE, Kind.NARROW)
    else 1
    for n, row in enumerate(_TABLE)
)
# Of each family (0 I, 1 M, 2 F) and funct6 where its group by vs1 begins, or 0.
GROUPS = tuple(UNARY.get((FAMILIES[n >> 6], n & 63), 0) for n in range(192))
