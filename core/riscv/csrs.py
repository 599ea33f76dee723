# SPDX-License-Identifier: Apache-2.0
"""Control and status registers of the harts (BabyRISCV/CSRs.md).

`Csr` names them; `peek` reads without side effect, for debuggers; `read` and `write` are
what the CSR instructions do. A number that is not in the table stops the hart: no document says
what happens. V registers exist on T2 only.
"""

import enum

from tensix_gdb.core.arch.blackhole import MISA, MSTATUS, NC, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix import status

COLD = True  # little time of LLVM for it (core/engine/README.md)


class Csr(enum.IntEnum):
    """The numbers, by the names of CSRs.md and of the RISC-V manuals."""

    FCSR = 0x003
    VSTART = 0x008
    VXSAT = 0x009
    VXRM = 0x00A
    MSTATUS = 0x300
    MISA = 0x301
    MCOUNTINHIBIT = 0x320
    MHPMEVENT3 = 0x323
    MHPMEVENT4 = 0x324
    CFG0 = 0x7C0
    PMACFG0 = 0x7C1
    PMACFG1 = 0x7C2
    CFG1 = 0x7C3
    HWA_MASK = 0x7C4
    HWA_CFG = 0x7C5
    VGSRC = 0x7C6
    MCYCLE = 0xB00
    MINSTRET = 0xB02
    MHPMCOUNTER3 = 0xB03
    MHPMCOUNTER4 = 0xB04
    MCYCLEH = 0xB80
    MINSTRETH = 0xB82
    MHPMCOUNTER3H = 0xB83
    MHPMCOUNTER4H = 0xB84
    TT_CFG_QSTATUS = 0xBC0
    TT_CFG_BSTATUS = 0xBC1
    TT_CFG_SSTATUS0 = 0xBC2
    TT_CFG_SSTATUS1 = 0xBC3
    TT_CFG_SSTATUS2 = 0xBC4
    TT_CFG_SSTATUS3 = 0xBC5
    TT_CFG_SSTATUS4 = 0xBC6
    TT_CFG_SSTATUS5 = 0xBC7
    TT_CFG_SSTATUS6 = 0xBC8
    TT_CFG_SSTATUS7 = 0xBC9
    INTP_RESTORE_PC = 0xBCA
    CYCLE = 0xC00
    INSTRET = 0xC02
    VL = 0xC20
    VTYPE = 0xC21
    VLENB = 0xC22
    CYCLEH = 0xC80
    INSTRETH = 0xC82
    MHARTID = 0xF14


CSRS = tuple((csr.value, csr.name.lower()) for csr in Csr)

UNKNOWN = -1
DIS_TT_STATUS_REG = 1 << 29  # cfg0
UNIMPLEMENTED = -2

# Columns of hart.scratch.
MCOUNTINHIBIT = 0
MHPMEVENT3 = 1
MHPMEVENT4 = 2
CFG1 = 3  # followed by hwa_mask, hwa_cfg, vgsrc
SSTATUS0 = 7  # followed by sstatus1 to 7
RESTORE_PC_COPY = 15

PMC_CLR_ON_RD = 1 << 8  # cfg0


def counter_low(count: int, base_lo: int) -> int:
    """Low word of a 64-bit counter that runs `base` ahead of `count`."""
    return ((count & 0xFFFFFFFF) + base_lo) & 0xFFFFFFFF


def counter_high(count: int, base_lo: int, base_hi: int) -> int:
    """High word of the same counter."""
    carry = ((count & 0xFFFFFFFF) + base_lo) >> 32
    return ((count >> 32) + base_hi + carry) & 0xFFFFFFFF


def base_low(count: int, low: int) -> int:
    """Return the base that makes the counter read `low` in its low word."""
    return (low - (count & 0xFFFFFFFF)) & 0xFFFFFFFF


def base_high(count: int, low: int, high: int) -> int:
    """Return the base that makes the counter read `high` in its high word."""
    borrow = 1 if low < (count & 0xFFFFFFFF) else 0
    return (high - (count >> 32) - borrow) & 0xFFFFFFFF


def peek(S: View, hart: int, number: int) -> int:
    """Return the value of a CSR, or UNKNOWN or UNIMPLEMENTED."""
    match number:
        case Csr.FCSR:
            return S.hart.fcsr[hart]
        case Csr.MSTATUS:
            return MSTATUS
        case Csr.MISA:
            return MISA
        case Csr.MCOUNTINHIBIT:
            return S.hart.scratch[hart, MCOUNTINHIBIT]
        case Csr.MHPMEVENT3 | Csr.MHPMEVENT4:
            return S.hart.scratch[hart, MHPMEVENT3 + number - Csr.MHPMEVENT3]
        case Csr.CFG0:
            return S.hart.cfg0[hart]
        case Csr.PMACFG0 | Csr.PMACFG1:
            return S.hart.pmacfg[hart, number - Csr.PMACFG0]
        case Csr.CFG1 | Csr.HWA_MASK | Csr.HWA_CFG | Csr.VGSRC:
            return S.hart.scratch[hart, CFG1 + number - Csr.CFG1]
        case Csr.MCYCLE | Csr.CYCLE:
            return counter_low(S.tile.cycle, S.hart.cycle_lo[hart])
        case Csr.MCYCLEH | Csr.CYCLEH:
            return counter_high(S.tile.cycle, S.hart.cycle_lo[hart], S.hart.cycle_hi[hart])
        case Csr.MINSTRET | Csr.INSTRET:
            return counter_low(S.hart.retired[hart], S.hart.instret_lo[hart])
        case Csr.MINSTRETH | Csr.INSTRETH:
            return counter_high(
                S.hart.retired[hart], S.hart.instret_lo[hart], S.hart.instret_hi[hart]
            )
        case Csr.MHPMCOUNTER3 | Csr.MHPMCOUNTER4:
            return S.hart.hpm[hart, (number - Csr.MHPMCOUNTER3) * 3]
        case Csr.MHPMCOUNTER3H | Csr.MHPMCOUNTER4H:
            return S.hart.hpm[hart, (number - Csr.MHPMCOUNTER3H) * 3 + 1]
        case Csr.TT_CFG_QSTATUS | Csr.TT_CFG_BSTATUS:
            return tensix_status(S, hart, number)
        case (
            Csr.TT_CFG_SSTATUS0
            | Csr.TT_CFG_SSTATUS1
            | Csr.TT_CFG_SSTATUS2
            | Csr.TT_CFG_SSTATUS3
            | Csr.TT_CFG_SSTATUS4
            | Csr.TT_CFG_SSTATUS5
            | Csr.TT_CFG_SSTATUS6
            | Csr.TT_CFG_SSTATUS7
        ):
            # On T0..T2 they show NoC overlay streams, which are not there yet.
            if hart == B or hart == NC:
                return S.hart.scratch[hart, SSTATUS0 + number - Csr.TT_CFG_SSTATUS0]
            return UNIMPLEMENTED
        case Csr.INTP_RESTORE_PC:
            return S.hart.scratch[hart, RESTORE_PC_COPY]
        case Csr.MHARTID:
            return 0
        case Csr.VSTART | Csr.VXSAT | Csr.VXRM | Csr.VL | Csr.VTYPE | Csr.VLENB:
            return peek_vector(S, hart, number)
        case _:
            return UNKNOWN


def peek_vector(S: View, hart: int, number: int) -> int:
    """Return the CSRs of the V extension.

    UNSPECIFIED(BabyRISCV/CSRs.md): the page does not say that only T2 has them; InstructionSet.md
    gives V to T2 alone, so elsewhere they do not exist.
    """
    if hart != T2:
        return UNKNOWN
    if number == Csr.VSTART:
        return 0
    return S.hart.vector_csr[hart, vector_column(number)]


def vector_column(number: int) -> int:
    """Column of hart.vector_csr: vxsat, vxrm, vl, vtype, vlenb."""
    return number - Csr.VXSAT if number < Csr.VL else number - Csr.VL + 2


def read(S: View, hart: int, number: int) -> int:
    """Read a CSR with its side effects; the value, or STOPPED."""
    value = peek(S, hart, number)
    if value == UNKNOWN:
        return fault(S, hart, Fault.UNKNOWN_CSR, number, 0)
    if value == UNIMPLEMENTED:
        return fault(S, hart, Fault.UNIMPLEMENTED_CSR, number, 0)
    if S.hart.cfg0[hart] & PMC_CLR_ON_RD and (
        number & 0xF7F == Csr.MHPMCOUNTER3 or number & 0xF7F == Csr.MHPMCOUNTER4
    ):
        counter = (number & 0x7F) - 3
        S.hart.hpm[hart, counter * 3 + ((number >> 7) & 1)] = 0
        S.hart.hpm[hart, counter * 3 + 2] = 0
    return value


def tensix_status(S: View, hart: int, number: int) -> int:
    """tt_cfg_qstatus, tt_cfg_bstatus; cfg0 can freeze both. Unfrozen, a write does not last."""
    if S.hart.cfg0[hart] & DIS_TT_STATUS_REG:
        return S.hart.tt_status[hart, number - Csr.TT_CFG_QSTATUS]
    return status.qstatus(S, hart) if number == Csr.TT_CFG_QSTATUS else status.bstatus(S, hart)


def write(S: View, hart: int, number: int, value: int) -> int:
    """Write a CSR; 0 or STOPPED. Read-only ones ignore the write, as CSRs.md has them."""
    if S.hart.in_handler[hart]:
        return fault(S, hart, Fault.CSR_WRITE_IN_HANDLER, number, 0)
    match number:
        case Csr.FCSR:
            S.hart.fcsr[hart] = value & 0xFF
        case Csr.MSTATUS | Csr.MISA | Csr.MHARTID:
            pass
        case Csr.MCOUNTINHIBIT:
            S.hart.scratch[hart, MCOUNTINHIBIT] = value
        case Csr.MHPMEVENT3 | Csr.MHPMEVENT4:
            S.hart.scratch[hart, MHPMEVENT3 + number - Csr.MHPMEVENT3] = value
        case Csr.CFG0:
            if value & ~S.hart.cfg0[hart] & DIS_TT_STATUS_REG:
                S.hart.tt_status[hart, 0] = status.qstatus(S, hart)
                S.hart.tt_status[hart, 1] = status.bstatus(S, hart)
            S.hart.cfg0[hart] = value
        case Csr.PMACFG0 | Csr.PMACFG1:
            S.hart.pmacfg[hart, number - Csr.PMACFG0] = value
        case Csr.CFG1 | Csr.HWA_MASK | Csr.HWA_CFG | Csr.VGSRC:
            S.hart.scratch[hart, CFG1 + number - Csr.CFG1] = value
        case Csr.MCYCLE | Csr.CYCLE:
            set_cycle(S, hart, value, peek(S, hart, Csr.MCYCLEH))
        case Csr.MCYCLEH | Csr.CYCLEH:
            set_cycle(S, hart, peek(S, hart, Csr.MCYCLE), value)
        case Csr.MINSTRET | Csr.INSTRET:
            set_instret(S, hart, value, peek(S, hart, Csr.MINSTRETH))
        case Csr.MINSTRETH | Csr.INSTRETH:
            set_instret(S, hart, peek(S, hart, Csr.MINSTRET), value)
        case Csr.MHPMCOUNTER3 | Csr.MHPMCOUNTER4:
            S.hart.hpm[hart, (number - Csr.MHPMCOUNTER3) * 3] = value
        case Csr.MHPMCOUNTER3H | Csr.MHPMCOUNTER4H:
            S.hart.hpm[hart, (number - Csr.MHPMCOUNTER3H) * 3 + 1] = value
        case (
            Csr.TT_CFG_SSTATUS0
            | Csr.TT_CFG_SSTATUS1
            | Csr.TT_CFG_SSTATUS2
            | Csr.TT_CFG_SSTATUS3
            | Csr.TT_CFG_SSTATUS4
            | Csr.TT_CFG_SSTATUS5
            | Csr.TT_CFG_SSTATUS6
            | Csr.TT_CFG_SSTATUS7
        ):
            if hart != B and hart != NC:
                return fault(S, hart, Fault.UNIMPLEMENTED_CSR, number, 0)
            S.hart.scratch[hart, SSTATUS0 + number - Csr.TT_CFG_SSTATUS0] = value
        case Csr.INTP_RESTORE_PC:
            S.hart.scratch[hart, RESTORE_PC_COPY] = value
        case Csr.TT_CFG_QSTATUS | Csr.TT_CFG_BSTATUS:
            if S.hart.cfg0[hart] & DIS_TT_STATUS_REG:
                S.hart.tt_status[hart, number - Csr.TT_CFG_QSTATUS] = value
        case Csr.VSTART | Csr.VXSAT | Csr.VXRM | Csr.VL | Csr.VTYPE | Csr.VLENB:
            return write_vector(S, hart, number, value)
        case _:
            return fault(S, hart, Fault.UNKNOWN_CSR, number, 0)
    return 0


def write_vector(S: View, hart: int, number: int, value: int) -> int:
    """Write a CSR of the V extension. vstart is read-only zero."""
    if hart != T2:
        return fault(S, hart, Fault.UNKNOWN_CSR, number, 0)
    if number != Csr.VSTART:
        S.hart.vector_csr[hart, vector_column(number)] = value
    return 0


def set_cycle(S: View, hart: int, low: int, high: int) -> int:
    """Make mcycle read as `high`, `low`."""
    S.hart.cycle_lo[hart] = base_low(S.tile.cycle, low)
    S.hart.cycle_hi[hart] = base_high(S.tile.cycle, low, high)
    return 0


def set_instret(S: View, hart: int, low: int, high: int) -> int:
    """Make minstret read as `high`, `low`."""
    S.hart.instret_lo[hart] = base_low(S.hart.retired[hart], low)
    S.hart.instret_hi[hart] = base_high(S.hart.retired[hart], low, high)
    return 0
