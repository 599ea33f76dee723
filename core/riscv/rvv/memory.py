# SPDX-License-Identifier: Apache-2.0
"""Vector loads and stores of T2: by unit, by stride, by index, in segments, of whole registers.

Every address is looked at first, so that an instruction that stops has done nothing; then elements
go in order. Memory is L1, the local RAM of the hart and Dst (Dst.md says that T2 may).

UNSPECIFIED(Dst.md, BabyRISCV/README.md): whether other devices can be reached by vectors; it stops.
UNSPECIFIED(BabyRISCV/InstructionSet.md): elements that are not aligned stop, as scalars do.
"""

from tensix_gdb.core.arch.blackhole import L1_BYTES, T2
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.access import load, store
from tensix_gdb.core.memory.map import Region, region_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.check_access import check_access, refuse
from tensix_gdb.core.riscv.pipeline import l0_cache
from tensix_gdb.core.riscv.rvv.configure import eighths, vlmax, width
from tensix_gdb.core.riscv.rvv.encodings import Mop
from tensix_gdb.core.riscv.rvv.fields import VL, VLEN_BYTES, VTYPE, element, put_element, takes_part
from tensix_gdb.core.riscv.rvv.legal import is_group, may_overlap, overlap, registers
from tensix_gdb.core.riscv.rvv.permute import reserved
from tensix_gdb.core.riscv.table import SIZES
from tensix_gdb.core.stop import WatchKind, fault

COLD = True  # little time of LLVM for it (core/engine/README.md)

# lumop, sumop
UNIT, WHOLE, MASKS, FIRST_FAULT = 0x00, 0x08, 0x0B, 0x10


def access(S: View, hart: int, pc: int, d: int, CHECKED: int, KIND: int) -> int:
    """Execute a vector load or store, as KIND says; the next pc or STOPPED."""
    imm = (d >> 32) & MASK32
    if hart != T2:
        return fault(S, hart, Fault.ILLEGAL_INSTRUCTION, S.l1.word[pc >> 2], 0)
    bits = SIZES[d & 0xFF] * 8
    mop = (imm >> 11) & 3
    lumop = (imm >> 5) & 31
    fields = ((imm >> 14) & 7) + 1
    if (imm >> 13) & 1 or (
        mop == Mop.UNIT_STRIDE and lumop not in (UNIT, WHOLE, MASKS, FIRST_FAULT)
    ):
        return fault(S, hart, Fault.ILLEGAL_INSTRUCTION, S.l1.word[pc >> 2], 0)
    base = S.hart.x[hart, (d >> 16) & 31]
    if mop == Mop.UNIT_STRIDE and lumop == WHOLE:
        # Whole registers, whatever vtype says; stores have one width.
        if KIND == WatchKind.WRITE and bits != 8:
            return fault(S, hart, Fault.ILLEGAL_INSTRUCTION, S.l1.word[pc >> 2], 0)
        if fields not in (1, 2, 4, 8) or (imm & 31) % fields or not (imm >> 10) & 1:
            return reserved(S, hart)
        count = fields * VLEN_BYTES * 8 // bits
        return transfer(S, hart, pc, imm, base, bits, bits, count, 1, 8 * fields, CHECKED, KIND)
    if mop == Mop.UNIT_STRIDE and lumop == MASKS:
        if fields != 1 or bits != 8 or not (imm >> 10) & 1:
            return reserved(S, hart)
        count = (S.hart.vector_csr[T2, VL] + 7) >> 3
        return transfer(S, hart, pc, imm, base, 8, 8, count, 1, 8, CHECKED, KIND)
    vtype = S.hart.vector_csr[T2, VTYPE]
    count = S.hart.vector_csr[T2, VL]
    if vlmax(vtype) == 0 or count > vlmax(vtype):
        return fault(S, hart, Fault.RVV_TYPE, vtype, count)
    sew = width(vtype)
    lmul = eighths(vtype)
    # The width in the word is that of the data, or of the indices, and the data has sew bits.
    data_width = bits if mop in (Mop.UNIT_STRIDE, Mop.STRIDED) else sew
    data_lmul = lmul * data_width // sew
    index_lmul = lmul * bits // sew
    vd = imm & 31
    if not is_group(vd, data_lmul) or fields * registers(data_lmul) > 8:
        return reserved(S, hart)
    if vd + fields * registers(data_lmul) > 32:
        return reserved(S, hart)
    if KIND == WatchKind.READ and vd == 0 and not (imm >> 10) & 1:
        return reserved(S, hart)
    if mop in (Mop.INDEXED_UNORDERED, Mop.INDEXED_ORDERED):
        whole = 8 * fields * registers(data_lmul)
        if not is_group(lumop, index_lmul):
            return reserved(S, hart)
        if (
            KIND == WatchKind.READ
            and fields == 1
            and not may_overlap(vd, data_lmul, data_width, lumop, index_lmul, bits)
        ):
            return reserved(S, hart)
        if KIND == WatchKind.READ and fields > 1 and overlap(vd, whole, lumop, index_lmul):
            return reserved(S, hart)
    return transfer(
        S, hart, pc, imm, base, data_width, bits, count, fields, data_lmul, CHECKED, KIND
    )


def address(S: View, hart: int, imm: int, base: int, i: int, bits: int, size: int) -> int:
    """Return where the first field of element `i` is; `size` bytes are those of all fields."""
    rs2 = (imm >> 5) & 31
    match (imm >> 11) & 3:
        case Mop.UNIT_STRIDE:
            return (base + i * size) & MASK32
        case Mop.STRIDED:
            return (base + i * S.hart.x[hart, rs2]) & MASK32
        case _:
            return (base + element(S, rs2, i, bits)) & MASK32


def transfer(
    S: View,
    hart: int,
    pc: int,
    imm: int,
    base: int,
    data_width: int,
    bits: int,
    count: int,
    fields: int,
    lmul: int,
    CHECKED: int,
    KIND: int,
) -> int:
    """Move `count` elements of `fields` fields; the next pc or STOPPED."""
    size = data_width >> 3
    unmasked = (imm >> 10) & 1
    # vle*ff.v: what follows the first element is cut off instead of stopping.
    form = (imm >> 5) & 31 if (imm >> 11) & 3 == Mop.UNIT_STRIDE else UNIT
    cuts_off = KIND == WatchKind.READ and form == FIRST_FAULT
    short = count
    for i in range(count):
        if not takes_part(S, unmasked, i):
            continue
        first = address(S, hart, imm, base, i, bits, size * fields)
        for field in range(fields):
            at = (first + field * size) & MASK32
            # An element that is cut off is not accessed, and no watch sees it.
            if cuts_off and i > 0 and check_element(S, hart, at, size, KIND, 0):
                short = i
                break
            problem = check_element(S, hart, at, size, KIND, CHECKED)
            if problem:
                return refuse(S, hart, at, size, KIND, problem)
        if short < count:
            break
    if short < count:
        count = short
        S.hart.vector_csr[T2, VL] = short
    vd = imm & 31
    step = registers(lmul)
    for i in range(count):
        if not takes_part(S, unmasked, i):
            continue
        first = address(S, hart, imm, base, i, bits, size * fields)
        for field in range(fields):
            at = (first + field * size) & MASK32
            if KIND == WatchKind.WRITE:
                if at < L1_BYTES:
                    l0_cache.drop_line(S, hart, at)
                value = element(S, vd + field * step, i, data_width)
                status = store(S, hart, at, size, value, S.hart.pc[hart])
            else:
                status = load(S, hart, at, size, S.hart.pc[hart])
            if status < 0:
                return status
            if KIND == WatchKind.READ:
                put_element(S, vd + field * step, i, data_width, status)
    return pc + 4


def check_element(S: View, hart: int, addr: int, size: int, KIND: int, CHECKED: int) -> int:
    """Return what `check_access` does, or that vectors do not reach the device at `addr`."""
    problem = check_access(S, hart, addr, size, KIND, CHECKED, 0)
    if problem == 0 and region_of(hart, addr) not in (Region.L1, Region.LOCAL, Region.DST):
        return Fault.RVV_DEVICE
    return problem
