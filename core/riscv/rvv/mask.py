# SPDX-License-Identifier: Apache-2.0
"""Instructions on masks: logic, counting and finding, what is before the first, iota and index."""

import enum

from tensix_gdb.core.arch.blackhole import T2
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.rvv.configure import eighths
from tensix_gdb.core.riscv.rvv.fields import (
    VL,
    VTYPE,
    mask_bit,
    put_element,
    put_mask_bit,
    takes_part,
)
from tensix_gdb.core.riscv.rvv.legal import is_group, overlap
from tensix_gdb.core.riscv.rvv.permute import reserved
from tensix_gdb.core.riscv.rvv.rows import Kind

COLD = True  # little time of LLVM for it (core/engine/README.md)


class Logic(enum.IntEnum):
    """The low bits of funct6: VMANDN to VMXNOR."""

    ANDN = 0
    AND = 1
    OR = 2
    XOR = 3
    ORN = 4
    NAND = 5
    NOR = 6
    XNOR = 7


def logic(operation: int, a: int, b: int) -> int:
    """Return one bit of the result."""
    value = 0
    match operation:
        case Logic.ANDN | Logic.ORN:
            value = a & (1 - b) if operation == Logic.ANDN else a | (1 - b)
        case Logic.AND | Logic.NAND:
            value = a & b
        case Logic.OR | Logic.NOR:
            value = a | b
        case _:
            value = a ^ b
    return 1 - value if operation > Logic.ORN else value


def execute(S: View, hart: int, imm: int, kind: int, sew: int) -> int:
    """MASK, COUNT to INDEX; 0 or STOPPED."""
    vd = imm & 31
    vs2 = (imm >> 5) & 31
    vs1 = (imm >> 17) & 31
    unmasked = (imm >> 10) & 1
    vl = S.hart.vector_csr[T2, VL]
    if kind == Kind.MASK:
        if not unmasked:
            return reserved(S, hart)
        for i in range(vl):
            a = mask_bit(S, vs2, i)
            put_mask_bit(S, vd, i, logic((imm >> 11) & 7, a, mask_bit(S, vs1, i)))
        return 0
    if kind == Kind.COUNT or kind == Kind.FIND_FIRST:
        S.hart.x[hart, vd] = found(S, vs2, unmasked, kind == Kind.COUNT)
        S.hart.x[hart, 0] = 0
        return 0
    if kind == Kind.IOTA or kind == Kind.INDEX:
        lmul = eighths(S.hart.vector_csr[T2, VTYPE])
        if not is_group(vd, lmul) or (vd == 0 and not unmasked):
            return reserved(S, hart)
        if kind == Kind.IOTA and overlap(vd, lmul, vs2, 8):
            return reserved(S, hart)
        if kind == Kind.INDEX and vs2 != 0:
            return reserved(S, hart)
        count = 0
        for i in range(vl):
            if takes_part(S, unmasked, i):
                put_element(S, vd, i, sew, count if kind == Kind.IOTA else i)
                if kind == Kind.IOTA:
                    count += mask_bit(S, vs2, i)
        return 0
    if vd == vs2 or (vd == 0 and not unmasked):
        return reserved(S, hart)
    seen = 0
    for i in range(vl):
        if takes_part(S, unmasked, i):
            bit = mask_bit(S, vs2, i)
            value = 0
            match kind:
                case Kind.SET_BEFORE:
                    value = 1 if not seen and not bit else 0
                case Kind.SET_ONLY:
                    value = 1 if not seen and bit else 0
                case _:
                    value = 1 if not seen else 0
            put_mask_bit(S, vd, i, value)
            seen = seen | bit
    return 0


def found(S: View, vs2: int, unmasked: int, counts: int) -> int:
    """vcpop.m: how many active bits are set; vfirst.m: the first, all ones if there is none."""
    count = 0
    for i in range(S.hart.vector_csr[T2, VL]):
        if takes_part(S, unmasked, i) and mask_bit(S, vs2, i):
            if not counts:
                return i
            count += 1
    return count if counts else 0xFFFFFFFF
