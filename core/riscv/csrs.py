# SPDX-License-Identifier: Apache-2.0
"""Control and status registers of the harts (BabyRISCV/CSRs.md).

The table `CSRS` names them; `peek` reads without side effect, for debuggers; `read` and `write` are
what the CSR instructions do. A number that is not in the table stops the hart: no document says
what happens. V registers exist on T2 only.
"""

from tensix_gdb.core.arch.blackhole import MISA, MSTATUS, NC, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix import status

SELDOM = True  # little time of LLVM for it (core/engine/README.md)

# fmt: off
CSRS: tuple[tuple[int, str], ...] = (
    (0x003, "fcsr"), (0x008, "vstart"), (0x009, "vxsat"), (0x00A, "vxrm"),
    (0x300, "mstatus"), (0x301, "misa"), (0x320, "mcountinhibit"),
    (0x323, "mhpmevent3"), (0x324, "mhpmevent4"),
    (0x7C0, "cfg0"), (0x7C1, "pmacfg0"), (0x7C2, "pmacfg1"), (0x7C3, "cfg1"),
    (0x7C4, "hwa_mask"), (0x7C5, "hwa_cfg"), (0x7C6, "vgsrc"),
    (0xB00, "mcycle"), (0xB02, "minstret"), (0xB03, "mhpmcounter3"), (0xB04, "mhpmcounter4"),
    (0xB80, "mcycleh"), (0xB82, "minstreth"), (0xB83, "mhpmcounter3h"), (0xB84, "mhpmcounter4h"),
    (0xBC0, "tt_cfg_qstatus"), (0xBC1, "tt_cfg_bstatus"),
    (0xBC2, "tt_cfg_sstatus0"), (0xBC3, "tt_cfg_sstatus1"), (0xBC4, "tt_cfg_sstatus2"),
    (0xBC5, "tt_cfg_sstatus3"), (0xBC6, "tt_cfg_sstatus4"), (0xBC7, "tt_cfg_sstatus5"),
    (0xBC8, "tt_cfg_sstatus6"), (0xBC9, "tt_cfg_sstatus7"), (0xBCA, "intp_restore_pc"),
    (0xC00, "cycle"), (0xC02, "instret"), (0xC20, "vl"), (0xC21, "vtype"), (0xC22, "vlenb"),
    (0xC80, "cycleh"), (0xC82, "instreth"), (0xF14, "mhartid"),
)
# fmt: on

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
    """The base that makes the counter read `low` in its low word."""
    return (low - (count & 0xFFFFFFFF)) & 0xFFFFFFFF


def base_high(count: int, low: int, high: int) -> int:
    """The base that makes the counter read `high` in its high word."""
    borrow = 1 if low < (count & 0xFFFFFFFF) else 0
    return (high - (count >> 32) - borrow) & 0xFFFFFFFF


def peek(S: View, hart: int, number: int) -> int:
    """The value of a CSR, or UNKNOWN or UNIMPLEMENTED."""
    match number:
        case 0x003:
            return S.hart.fcsr[hart]
        case 0x300:
            return MSTATUS
        case 0x301:
            return MISA
        case 0x320:
            return S.hart.scratch[hart, MCOUNTINHIBIT]
        case 0x323 | 0x324:
            return S.hart.scratch[hart, MHPMEVENT3 + number - 0x323]
        case 0x7C0:
            return S.hart.cfg0[hart]
        case 0x7C1 | 0x7C2:
            return S.hart.pmacfg[hart, number - 0x7C1]
        case 0x7C3 | 0x7C4 | 0x7C5 | 0x7C6:
            return S.hart.scratch[hart, CFG1 + number - 0x7C3]
        case 0xB00 | 0xC00:
            return counter_low(S.tile.cycle, S.hart.cycle_lo[hart])
        case 0xB80 | 0xC80:
            return counter_high(S.tile.cycle, S.hart.cycle_lo[hart], S.hart.cycle_hi[hart])
        case 0xB02 | 0xC02:
            return counter_low(S.hart.retired[hart], S.hart.instret_lo[hart])
        case 0xB82 | 0xC82:
            return counter_high(
                S.hart.retired[hart], S.hart.instret_lo[hart], S.hart.instret_hi[hart]
            )
        case 0xB03 | 0xB04:
            return S.hart.hpm[hart, (number - 0xB03) * 3]
        case 0xB83 | 0xB84:
            return S.hart.hpm[hart, (number - 0xB83) * 3 + 1]
        case 0xBC0 | 0xBC1:
            return tensix_status(S, hart, number)
        case 0xBC2 | 0xBC3 | 0xBC4 | 0xBC5 | 0xBC6 | 0xBC7 | 0xBC8 | 0xBC9:
            # On T0..T2 they show NoC overlay streams, which are not there yet.
            if hart == B or hart == NC:
                return S.hart.scratch[hart, SSTATUS0 + number - 0xBC2]
            return UNIMPLEMENTED
        case 0xBCA:
            return S.hart.scratch[hart, RESTORE_PC_COPY]
        case 0xF14:
            return 0
        case 0x008 | 0x009 | 0x00A | 0xC20 | 0xC21 | 0xC22:
            return peek_vector(S, hart, number)
        case _:
            return UNKNOWN


def peek_vector(S: View, hart: int, number: int) -> int:
    """The CSRs of the V extension.

    UNSPECIFIED(BabyRISCV/CSRs.md): the page does not say that only T2 has them; InstructionSet.md
    gives V to T2 alone, so elsewhere they do not exist.
    """
    if hart != T2:
        return UNKNOWN
    if number == 0x008:
        return 0
    return S.hart.vector_csr[hart, vector_column(number)]


def vector_column(number: int) -> int:
    """Column of hart.vector_csr: vxsat, vxrm, vl, vtype, vlenb."""
    return number - 0x009 if number < 0xC20 else number - 0xC20 + 2


def read(S: View, hart: int, number: int) -> int:
    """Read a CSR with its side effects; the value, or STOPPED."""
    value = peek(S, hart, number)
    if value == UNKNOWN:
        return fault(S, hart, Fault.UNKNOWN_CSR, number, 0)
    if value == UNIMPLEMENTED:
        return fault(S, hart, Fault.UNIMPLEMENTED_CSR, number, 0)
    if S.hart.cfg0[hart] & PMC_CLR_ON_RD and (number & 0xF7F == 0xB03 or number & 0xF7F == 0xB04):
        counter = (number & 0x7F) - 3
        S.hart.hpm[hart, counter * 3 + ((number >> 7) & 1)] = 0
        S.hart.hpm[hart, counter * 3 + 2] = 0
    return value


def tensix_status(S: View, hart: int, number: int) -> int:
    """tt_cfg_qstatus, tt_cfg_bstatus; cfg0 can freeze both. Unfrozen, a write does not last."""
    if S.hart.cfg0[hart] & DIS_TT_STATUS_REG:
        return S.hart.tt_status[hart, number - 0xBC0]
    return status.qstatus(S, hart) if number == 0xBC0 else status.bstatus(S, hart)


def write(S: View, hart: int, number: int, value: int) -> int:
    """Write a CSR; 0 or STOPPED. Read-only ones ignore the write, as CSRs.md has them."""
    if S.hart.in_handler[hart]:
        return fault(S, hart, Fault.CSR_WRITE_IN_HANDLER, number, 0)
    match number:
        case 0x003:
            S.hart.fcsr[hart] = value & 0xFF
        case 0x300 | 0x301 | 0xF14:
            pass
        case 0x320:
            S.hart.scratch[hart, MCOUNTINHIBIT] = value
        case 0x323 | 0x324:
            S.hart.scratch[hart, MHPMEVENT3 + number - 0x323] = value
        case 0x7C0:
            if value & ~S.hart.cfg0[hart] & DIS_TT_STATUS_REG:
                S.hart.tt_status[hart, 0] = status.qstatus(S, hart)
                S.hart.tt_status[hart, 1] = status.bstatus(S, hart)
            S.hart.cfg0[hart] = value
        case 0x7C1 | 0x7C2:
            S.hart.pmacfg[hart, number - 0x7C1] = value
        case 0x7C3 | 0x7C4 | 0x7C5 | 0x7C6:
            S.hart.scratch[hart, CFG1 + number - 0x7C3] = value
        case 0xB00 | 0xC00:
            set_cycle(S, hart, value, peek(S, hart, 0xB80))
        case 0xB80 | 0xC80:
            set_cycle(S, hart, peek(S, hart, 0xB00), value)
        case 0xB02 | 0xC02:
            set_instret(S, hart, value, peek(S, hart, 0xB82))
        case 0xB82 | 0xC82:
            set_instret(S, hart, peek(S, hart, 0xB02), value)
        case 0xB03 | 0xB04:
            S.hart.hpm[hart, (number - 0xB03) * 3] = value
        case 0xB83 | 0xB84:
            S.hart.hpm[hart, (number - 0xB83) * 3 + 1] = value
        case 0xBC2 | 0xBC3 | 0xBC4 | 0xBC5 | 0xBC6 | 0xBC7 | 0xBC8 | 0xBC9:
            if hart != B and hart != NC:
                return fault(S, hart, Fault.UNIMPLEMENTED_CSR, number, 0)
            S.hart.scratch[hart, SSTATUS0 + number - 0xBC2] = value
        case 0xBCA:
            S.hart.scratch[hart, RESTORE_PC_COPY] = value
        case 0xBC0 | 0xBC1:
            if S.hart.cfg0[hart] & DIS_TT_STATUS_REG:
                S.hart.tt_status[hart, number - 0xBC0] = value
        case 0x008 | 0x009 | 0x00A | 0xC20 | 0xC21 | 0xC22:
            return write_vector(S, hart, number, value)
        case _:
            return fault(S, hart, Fault.UNKNOWN_CSR, number, 0)
    return 0


def write_vector(S: View, hart: int, number: int, value: int) -> int:
    """Write a CSR of the V extension. vstart is read-only zero."""
    if hart != T2:
        return fault(S, hart, Fault.UNKNOWN_CSR, number, 0)
    if number != 0x008:
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
