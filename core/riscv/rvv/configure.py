# SPDX-License-Identifier: Apache-2.0
"""vsetvli, vsetivli, vsetvl: how many elements of which width (V extension, chapter 6).

UNSPECIFIED(BabyRISCV/InstructionSet.md): there is no vill bit, and no page says what becomes of a
setting that the hart cannot have (elements of 64 bits, the reserved LMUL, a fraction that holds no
element). It stops, both here and where an instruction uses one that a CSR write has made.
UNSPECIFIED(V extension): vl for a length between one and two times the largest; the largest.
"""

import enum

from tensix_gdb.core.arch.blackhole import T2
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.rvv.fields import VL, VLEN_BYTES, VTYPE
from tensix_gdb.core.stop import fault

COLD = True  # little time of LLVM for it (core/engine/README.md)


class Lmul(enum.IntEnum):
    """The low three bits of vtype; fractions follow the reserved one."""

    M1 = 0
    M2 = 1
    M4 = 2
    M8 = 3
    RESERVED = 4
    MF8 = 5
    MF4 = 6
    MF2 = 7


def eighths(vtype: int) -> int:
    """LMUL in eighths: 1 to 64, 0 for the reserved one."""
    match vtype & 7:
        case Lmul.M1 | Lmul.M2 | Lmul.M4 | Lmul.M8:
            return 8 << (vtype & 3)
        case Lmul.RESERVED:
            return 0
        case _:
            return 1 << ((vtype & 7) - Lmul.MF8)


def width(vtype: int) -> int:
    """Return the element width, 8 to 1024 as it stands there."""
    return 8 << ((vtype >> 3) & 7)


def vlmax(vtype: int) -> int:
    """Return how many elements a group has; 0 for a vtype that does not exist."""
    sew = width(vtype)
    lmul = eighths(vtype)
    # A fraction must still hold an element as wide as the widest one's share (ELEN 32).
    if sew > 32 or sew > 4 * lmul:
        return 0
    return VLEN_BYTES * lmul // sew


def set_type(S: View, hart: int, rd: int, rs1: int, avl: int, vtype: int) -> int:
    """Set vtype and vl; the new vl, or STOPPED. `avl` counts if rs1 or rd is not x0."""
    most = vlmax(vtype)
    if most == 0 or vtype >> 8:
        return fault(S, hart, Fault.RVV_TYPE, vtype, 0)
    if rs1 == 0:
        avl = most if rd else S.hart.vector_csr[T2, VL]
    vl = min(avl, most)
    S.hart.vector_csr[T2, VTYPE] = vtype
    S.hart.vector_csr[T2, VL] = vl
    return vl


def vsetvli(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """vtype from the word, the length from rs1."""
    return configure(S, hart, pc, d, (d >> 16) & 31, S.hart.x[hart, (d >> 16) & 31], d >> 32)


def vsetivli(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """vtype and the length from the word."""
    return configure(S, hart, pc, d, 1, (d >> 32) & 31, d >> 37)


def vsetvl(S: View, hart: int, pc: int, d: int, CHECKED: int) -> int:
    """vtype from rs2, the length from rs1."""
    length = S.hart.x[hart, (d >> 16) & 31]
    return configure(S, hart, pc, d, (d >> 16) & 31, length, S.hart.x[hart, (d >> 24) & 31])


def configure(S: View, hart: int, pc: int, d: int, rs1: int, avl: int, vtype: int) -> int:
    """Set vl and vtype, and rd to the new vl; the next pc or STOPPED."""
    if hart != T2:
        return fault(S, hart, Fault.ILLEGAL_INSTRUCTION, S.l1.word[pc >> 2], 0)
    vl = set_type(S, hart, (d >> 8) & 31, rs1, avl, vtype & 0xFFFFFFFF)
    if vl < 0:
        return vl
    S.hart.x[hart, (d >> 8) & 31] = vl
    S.hart.x[hart, 0] = 0
    return pc + 4
