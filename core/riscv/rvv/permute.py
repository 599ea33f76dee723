# SPDX-License-Identifier: Apache-2.0
"""The instructions that copy elements to other places: gather, slides, compress, scalar moves."""

from tensix_gdb.core.arch.blackhole import F0, T2
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.rvv.configure import eighths, vlmax
from tensix_gdb.core.riscv.rvv.fields import (
    VL,
    VTYPE,
    copied,
    element,
    mask_bit,
    put_element,
    start_copy,
    takes_part,
)
from tensix_gdb.core.riscv.rvv.legal import is_group, overlap, registers
from tensix_gdb.core.riscv.rvv.rows import Kind
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)


def execute(S: View, hart: int, imm: int, kind: int, b: int, operand: int, sew: int) -> int:
    """GATHER to SCALAR_IN, FIRST_ELEMENT; 0 or STOPPED."""
    vd = imm & 31
    vs2 = (imm >> 5) & 31
    vs1 = (imm >> 17) & 31
    vl = S.hart.vector_csr[T2, VL]
    if kind == Kind.SCALAR_IN:
        if not (imm >> 10) & 1 or vs2 != 0:
            return reserved(S, hart)
        if vl > 0:
            put_element(S, vd, 0, sew, b)
        return 0
    if kind == Kind.FIRST_ELEMENT:
        if not (imm >> 10) & 1:
            return reserved(S, hart)
        value = element(S, vs2, 0, sew)
        if (imm >> 22) & 7 == 1:  # OPFVV
            S.hart.x[hart, F0 + vd] = value
        else:
            S.hart.x[hart, vd] = ((value ^ (1 << (sew - 1))) - (1 << (sew - 1))) & 0xFFFFFFFF
            S.hart.x[hart, 0] = 0
        return 0
    if not is_legal(S, imm, kind, operand, sew):
        return reserved(S, hart)
    unmasked = (imm >> 10) & 1
    most = vlmax(S.hart.vector_csr[T2, VTYPE])
    match kind:
        case Kind.GATHER:
            for i in range(vl):
                if takes_part(S, unmasked, i):
                    at = element(S, vs1, i, sew) if operand == 0 else b
                    put_element(S, vd, i, sew, element(S, vs2, at, sew) if at < most else 0)
        case Kind.GATHER16:
            for i in range(vl):
                if takes_part(S, unmasked, i):
                    at = element(S, vs1, i, 16)
                    put_element(S, vd, i, sew, element(S, vs2, at, sew) if at < most else 0)
        case Kind.COMPRESS:
            to = 0
            for i in range(vl):
                if mask_bit(S, vs1, i):
                    put_element(S, vd, to, sew, element(S, vs2, i, sew))
                    to += 1
        case Kind.SLIDE_UP:
            for i in range(vl):
                if i >= b and takes_part(S, unmasked, i):
                    put_element(S, vd, i, sew, element(S, vs2, i - b, sew))
        case Kind.SLIDE_DOWN:
            for i in range(vl):
                if takes_part(S, unmasked, i):
                    put_element(S, vd, i, sew, element(S, vs2, i + b, sew) if i + b < most else 0)
        case Kind.SLIDE1_UP:
            for i in range(vl):
                if takes_part(S, unmasked, i):
                    put_element(S, vd, i, sew, element(S, vs2, i - 1, sew) if i > 0 else b)
        case _:
            for i in range(vl):
                if takes_part(S, unmasked, i):
                    put_element(S, vd, i, sew, element(S, vs2, i + 1, sew) if i + 1 < vl else b)
    return 0


def is_legal(S: View, imm: int, kind: int, operand: int, sew: int) -> int:
    """True if the instruction may name its registers."""
    vd = imm & 31
    vs2 = (imm >> 5) & 31
    vs1 = (imm >> 17) & 31
    lmul = eighths(S.hart.vector_csr[T2, VTYPE])
    unmasked = (imm >> 10) & 1
    if not is_group(vd, lmul) or not is_group(vs2, lmul) or (vd == 0 and not unmasked):
        return 0
    if kind == Kind.SLIDE_DOWN or kind == Kind.SLIDE1_DOWN:
        return 1
    if overlap(vd, lmul, vs2, lmul):
        return 0
    if kind == Kind.COMPRESS:
        return 0 if not unmasked or overlap(vd, lmul, vs1, 8) else 1
    if kind == Kind.GATHER16:
        index_lmul = lmul * 16 // sew
        return 0 if not is_group(vs1, index_lmul) or overlap(vd, lmul, vs1, index_lmul) else 1
    if kind == Kind.GATHER and operand == 0:
        return 0 if not is_group(vs1, lmul) or overlap(vd, lmul, vs1, lmul) else 1
    return 1


def move_group(S: View, hart: int, imm: int) -> int:
    """vmv<nr>r.v: 1, 2, 4 or 8 whole registers, whatever vtype says."""
    vd = imm & 31
    vs2 = (imm >> 5) & 31
    count = ((imm >> 17) & 31) + 1
    if count not in (1, 2, 4, 8) or vd % count or vs2 % count or not (imm >> 10) & 1:
        return reserved(S, hart)
    start_copy(S, vs2, count)
    for i in range(count * 4):
        put_element(S, vd, i, 32, copied(S, i, 32))
    return 0


def reserved(S: View, hart: int) -> int:
    """Stop at an instruction with reserved registers or a reserved mask bit."""
    return fault(S, hart, Fault.RVV_REGISTERS, S.l1.word[S.hart.pc[hart] >> 2], 0)


# A copy is as large as the largest group.
assert registers(64) == 8
