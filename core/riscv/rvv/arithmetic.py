# SPDX-License-Identifier: Apache-2.0
"""OP-V: what works element by element, and the way to everything else.

One loop serves all kinds: where elements come from, how wide they are and where results go are
settled before it. The operations themselves are a switch inside (rows.OPERATIONS).
"""

from tensix_gdb.core.arch.blackhole import F0, T2
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.rvv import mask, permute
from tensix_gdb.core.riscv.rvv.configure import eighths, vlmax, width
from tensix_gdb.core.riscv.rvv.fields import (
    VL,
    VLEN_BYTES,
    VTYPE,
    element,
    mask_bit,
    put_element,
    put_mask_bit,
    takes_part,
)
from tensix_gdb.core.riscv.rvv.legal import is_group, may_overlap
from tensix_gdb.core.riscv.rvv.rows import (
    GROUPS,
    IS_FLOAT,
    IS_UNSIGNED,
    KINDS,
    OPERATION,
    OPERATIONS,
    Kind,
    Second,
)
from tensix_gdb.core.riscv.table import ROWS as INSTRUCTIONS
from tensix_gdb.core.riscv.table import Form
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

# By funct3: family and second operand; funct3 7 is vset.
FAMILY = (0, 2, 1, 0, 0, 2, 1, 0)
OPERAND = (
    *(Second.VV, Second.VV, Second.VV, Second.VI),
    *(Second.VX, Second.VF, Second.VX, Second.VV),
)

# From here on vs1 is part of the name.
UNARY_ROWS = 4 * 192
# Places of the fields in the packed immediate (core/riscv/rvv/encodings.py).
VD, VS2, UNMASKED, FUNCT6, VS1, FUNCT3 = 0, 5, 10, 11, 17, 22

FUNCT3_OF = (
    0,
    0,
    *(row.encoding.match >> 12 & 7 if row.form is Form.VECTOR else 0 for row in INSTRUCTIONS),
)


def whole(d: int) -> int:
    """Return all fields of a packed word: a vs1 that is a scalar register stands in a place of its
    own."""
    return ((d >> 32) & 0xFFFFFFFF) | ((d >> 16) & 31) << VS1 | FUNCT3_OF[d & 0xFF] << FUNCT3


def row_of(imm: int) -> int:
    """Return the row of rows.KINDS that an instruction is, by its packed immediate."""
    number = FAMILY[(imm >> FUNCT3) & 7] * 64 + ((imm >> FUNCT6) & 63)
    operand = OPERAND[(imm >> FUNCT3) & 7]
    if operand == Second.VV and GROUPS[number]:
        number = GROUPS[number] + ((imm >> VS1) & 31)
    return 4 * number + operand


def scalar(S: View, hart: int, imm: int, row: int, sew: int) -> int:
    """Return the second operand where it is none of a vector."""
    vs1 = (imm >> VS1) & 31
    value = 0
    match row & 3:
        case Second.VX:
            value = S.hart.x[hart, vs1]
        case Second.VI:
            value = vs1 if IS_UNSIGNED[row] or vs1 < 16 else vs1 - 32
        case Second.VF:
            value = S.hart.x[hart, F0 + vs1]
    return value & ((1 << sew) - 1)


def execute(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """Execute an arithmetic instruction of V."""
    imm = whole(d)
    row = row_of(imm)
    kind = KINDS[row]
    if hart != T2 or kind == Kind.NONE:
        return fault(S, hart, Fault.ILLEGAL_INSTRUCTION, S.l1.word[pc >> 2], 0)
    vtype = S.hart.vector_csr[T2, VTYPE]
    if kind == Kind.MOVE_GROUP:
        status = permute.move_group(S, hart, imm)
        return status if status < 0 else pc + 4
    if vlmax(vtype) == 0 or S.hart.vector_csr[T2, VL] > vlmax(vtype):
        return fault(S, hart, Fault.RVV_TYPE, vtype, S.hart.vector_csr[T2, VL])
    sew = width(vtype)
    if (IS_FLOAT[row] == 1 and sew != 32) or (IS_FLOAT[row] == 2 and sew != 16):
        return fault(S, hart, Fault.RVV_FLOAT, sew, 0)
    if kind >= Kind.COUNT or kind == Kind.MASK:
        status = mask.execute(S, hart, imm, kind, sew)
    elif Kind.GATHER <= kind <= Kind.SCALAR_IN or kind == Kind.FIRST_ELEMENT:
        # Places are numbers of 32 bits, however wide the elements are.
        wide = 32 if kind <= Kind.SLIDE_DOWN else sew
        status = permute.execute(S, hart, imm, kind, scalar(S, hart, imm, row, wide), row & 3, sew)
    else:
        status = by_elements(S, hart, imm, kind, row, sew)
    return status if status < 0 else pc + 4


def by_elements(S: View, hart: int, imm: int, kind: int, row: int, sew: int) -> int:
    """PLAIN to REDUCE_WIDE and EXTEND; 0 or STOPPED."""
    vd = imm & 31
    vs2 = (imm >> VS2) & 31
    vs1 = (imm >> VS1) & 31
    unmasked = (imm >> UNMASKED) & 1
    lmul = eighths(S.hart.vector_csr[T2, VTYPE])
    a_width = sew
    d_width = sew
    match kind:
        case Kind.WIDE:
            d_width = 2 * sew
        case Kind.WIDE_W:
            d_width = 2 * sew
            a_width = 2 * sew
        case Kind.NARROW:
            a_width = 2 * sew
        case Kind.REDUCE_WIDE:
            d_width = 2 * sew
        case Kind.EXTEND_2:
            a_width = sew >> 1
        case Kind.EXTEND_4:
            a_width = sew >> 2
    makes_mask = kind == Kind.COMPARE or kind == Kind.CARRY_OUT
    reduces = kind == Kind.REDUCE or kind == Kind.REDUCE_WIDE
    if not is_legal(kind, imm, row, lmul, sew, a_width, d_width):
        return fault(S, hart, Fault.RVV_REGISTERS, S.l1.word[S.hart.pc[hart] >> 2], 0)
    # Carries and the choice of a merge are read from v0, which then masks nothing.
    uses_v0 = kind == Kind.CARRY or kind == Kind.CARRY_OUT or kind == Kind.MERGE
    by_vector = row & 3 == 0 and row < UNARY_ROWS and not reduces
    b = scalar(S, hart, imm, row, sew)
    operation = OPERATION[row]
    ones = (1 << d_width) - 1
    collected = element(S, vs1, 0, d_width) if reduces else 0
    for i in range(VLEN_BYTES):
        S.rvv.bits[i] = S.rvv.byte[vd * 16 + i]
    vl = S.hart.vector_csr[T2, VL]
    for i in range(vl):
        if not uses_v0 and not takes_part(S, unmasked, i):
            continue
        a = element(S, vs2, i, a_width)
        if by_vector:
            b = element(S, vs1, i, sew)
        c = 0
        if uses_v0:
            c = 0 if unmasked else mask_bit(S, 0, i)
            if kind == Kind.MERGE and not unmasked and c == 0:
                put_element(S, vd, i, sew, a)
                continue
        elif reduces:
            b = collected
            c = collected
        elif not makes_mask:
            c = element(S, vd, i, d_width)
        value = OPERATIONS[operation](S, a, b, c, sew)
        if makes_mask:
            at = i >> 3
            S.rvv.bits[at] = (S.rvv.bits[at] & ~(1 << (i & 7)) & 0xFF) | ((value & 1) << (i & 7))
        elif reduces:
            collected = value & ones
        else:
            put_element(S, vd, i, d_width, value)
    if makes_mask:
        for i in range(vl):
            put_mask_bit(S, vd, i, (S.rvv.bits[i >> 3] >> (i & 7)) & 1)
    if reduces and vl > 0:
        put_element(S, vd, 0, d_width, collected)
    return 0


def is_legal(kind: int, imm: int, row: int, lmul: int, sew: int, a_width: int, d_width: int) -> int:
    """True if the instruction may name its registers, with these widths."""
    vd = imm & 31
    vs2 = (imm >> VS2) & 31
    vs1 = (imm >> VS1) & 31
    unmasked = (imm >> UNMASKED) & 1
    if a_width < 8 or a_width > 32 or d_width > 32:
        return 0
    a_lmul = lmul * a_width // sew
    d_lmul = lmul * d_width // sew
    if not is_group(vs2, a_lmul):
        return 0
    reads_vs1 = row & 3 == 0 and row < UNARY_ROWS
    if kind == Kind.REDUCE or kind == Kind.REDUCE_WIDE:
        return 1
    if reads_vs1 and not is_group(vs1, lmul):
        return 0
    if kind == Kind.COMPARE or kind == Kind.CARRY_OUT:
        if reads_vs1 and not may_overlap(vd, 8, 1, vs1, lmul, sew):
            return 0
        return may_overlap(vd, 8, 1, vs2, lmul, sew)
    if not is_group(vd, d_lmul) or (vd == 0 and not unmasked):
        return 0
    if kind == Kind.CARRY and unmasked:
        return 0
    if kind == Kind.MERGE and unmasked and vs2 != 0:
        return 0
    if reads_vs1 and not may_overlap(vd, d_lmul, d_width, vs1, lmul, sew):
        return 0
    return may_overlap(vd, d_lmul, d_width, vs2, a_lmul, a_width)
