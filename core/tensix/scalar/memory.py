# SPDX-License-Identifier: Apache-2.0
"""Loads and stores of the Scalar Unit: L1 by a pair of GPRs, the tile's devices by an address.

What they read from GPRs they read when they pass the wait gate. A load's GPR is written when the
answer arrives; a store is done where it is processed. Device addresses below TDMA-RISC are
undefined behaviour, and so is an address past the end of L1: both stop.
"""

from tensix_gdb.core.arch.blackhole import MMIO_BASE
from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.operand import GPR
from tensix_gdb.core.isa.schema import Bits, Fixed, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.gpr_use import ANSWER, READ
from tensix_gdb.core.tensix.instruction import WH, Operand, tensix
from tensix_gdb.core.tensix.scalar.pipeline import (
    LOAD_DEVICE,
    LOAD_L1,
    OCCUPIED,
    STORE_DEVICE,
    STORE_L1,
    hold_unit,
    send,
)
from tensix_gdb.core.tensix.scalar.unit import SCALAR

COLD = True  # little time of LLVM for it (core/engine/README.md)

FIRST_DEVICE = 0xFFB11000  # LOADREG.md
SIZES = (16, 4, 2, 1)
INCREMENTS = (0, 2, 4, 16)

# fmt: off
OFFSET = ("offset_half_reg" / Bits(7), "offset_increment" / Bits(2))
STOREIND = ("MemHierSel@23 SizeSel@22 RegSizeSel@21 OffsetIndex@14 AutoIncSpec@12 DataRegIndex@6 "
             "AddrRegIndex@0")
# fmt: on


def offset(S: View, thread: int, half: int, increment: int) -> int:
    """Return a half of a GPR, which is incremented after this use."""
    at = thread * 128 + half
    value = S.gpr.half[at]
    S.gpr.half[at] = (value + INCREMENTS[increment]) & 0xFFFF
    return value


def address(S: View, thread: int, addr_reg: int, half: int) -> int:
    """Return where in L1 the pair of GPRs points, before the offset grows; or STOPPED."""
    addr = S.gpr.word[thread * 64 + addr_reg] * 16 + S.gpr.half[thread * 128 + half]
    addr = addr & MASK32
    if addr >= L1_END[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_OUTSIDE_L1)
    return addr


def send_data(S: View, thread: int, kind: int, addr: int, size: int, reg: int) -> int:
    """Store GPRs."""
    i = send(S, thread, kind, addr & ~(size - 1), size, 0)
    for word in range(4):
        S.thcon.data[i, word] = S.gpr.word[thread * 64 + reg + word] if word * 4 < size else 0
    return hold_unit(S, thread, OCCUPIED, 3)


@SCALAR.instruction(
    "LOADIND", tensix(0x49, "size" / Bits(2), Unused(1), *OFFSET, "result_reg" / Bits(6),
                      "addr_reg" / Bits(6)),
    llk="SizeSel@22 OffsetIndex@14 AutoIncSpec@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=3, latency="3+", page=WH + "LOADIND.md", gprs={"result_reg": ANSWER.sized("size")},
    reads=(uses.L1,),
    summary="Load from L1 to GPRs, which have the data some cycles later.",
)  # fmt: skip
def loadind(
    S: View,
    thread: int,
    size: int,
    offset_half_reg: int,
    offset_increment: int,
    result_reg: int,
    addr_reg: int,
) -> int:
    """LOADIND.md"""
    addr = address(S, thread, addr_reg, offset_half_reg)
    if addr < 0:
        return STOPPED
    offset(S, thread, offset_half_reg, offset_increment)
    count = SIZES[size]
    gpr = result_reg if size else result_reg & 0x3C
    send(S, thread, LOAD_L1, addr & ~(count - 1), count, gpr)
    return hold_unit(S, thread, OCCUPIED, 3)


@SCALAR.instruction(
    "STOREIND.L1", tensix(0x66, Fixed(1, 1), "size" / Bits(2), *OFFSET, "data_reg" / Bits(6),
                          "addr_reg" / Bits(6)),
    llk=STOREIND, ttsync=3, latency="3+", page=WH + "STOREIND_L1.md",
    gprs={"data_reg": READ.sized("size")},
    writes=(uses.L1,),
    summary="Store from GPRs to L1.",
)  # fmt: skip
def storeind_l1(
    S: View,
    thread: int,
    size: int,
    offset_half_reg: int,
    offset_increment: int,
    data_reg: int,
    addr_reg: int,
) -> int:
    """STOREIND_L1.md: the offset grows before the data are read, which matters if they are one."""
    addr = address(S, thread, addr_reg, offset_half_reg)
    if addr < 0:
        return STOPPED
    offset(S, thread, offset_half_reg, offset_increment)
    gpr = data_reg if size else data_reg & 0x3C
    return send_data(S, thread, STORE_L1, addr, SIZES[size], gpr)


@SCALAR.instruction(
    "STOREIND.MMIO", tensix(0x66, Fixed(1, 2), Unused(1), *OFFSET, "data_reg" / Bits(6),
                            "addr_reg" / Bits(6)),
    llk=STOREIND, ttsync=3, latency="3+", page=WH + "STOREIND_MMIO.md",
    operands={"addr_reg": Operand(GPR, "address in MMIO, see the page")},
    writes=(uses.DEVICES, uses.STREAMS),
    summary="Store a GPR to the tile's MMIO addresses.",
)  # fmt: skip
def storeind_mmio(
    S: View, thread: int, offset_half_reg: int, offset_increment: int, data_reg: int, addr_reg: int
) -> int:
    """STOREIND_MMIO.md: the store comes before the offset grows."""
    base = S.gpr.word[thread * 64 + addr_reg]
    addr = MMIO_BASE + ((base + (S.gpr.half[thread * 128 + offset_half_reg] >> 4)) & 0xFFFFC)
    if addr < FIRST_DEVICE:
        return fault_at_gate(S, thread, Fault.TENSIX_NO_DEVICE)
    send_data(S, thread, STORE_DEVICE, addr, 4, data_reg)
    offset(S, thread, offset_half_reg, offset_increment)
    return 0


@SCALAR.instruction(
    "STOREREG", tensix(0x67, "data_reg" / Bits(6), "addr_lo" / Bits(18)),
    llk="TdmaDataRegIndex@18 RegAddr@0", ttsync=5, latency="3+", page=WH + "STOREREG.md",
    writes=(uses.DEVICES, uses.STREAMS),
    summary="Store a GPR to the tile's MMIO addresses.",
)  # fmt: skip
def storereg(S: View, thread: int, data_reg: int, addr_lo: int) -> int:
    """STOREREG.md"""
    addr = (MMIO_BASE + (addr_lo << 2)) & MASK32
    if addr < FIRST_DEVICE:
        return fault_at_gate(S, thread, Fault.TENSIX_NO_DEVICE)
    return send_data(S, thread, STORE_DEVICE, addr, 4, data_reg)


@SCALAR.instruction(
    "LOADREG", tensix(0x68, "result_reg" / Bits(6), "addr_lo" / Bits(18)),
    llk="TdmaDataRegIndex@18 RegAddr@0", ttsync=6, latency="3+", page=WH + "LOADREG.md",
    gprs={"result_reg": ANSWER},
    reads=(uses.DEVICES, uses.STREAMS),
    summary="Load from the tile's MMIO addresses to a GPR, which has the data some cycles later.",
)  # fmt: skip
def loadreg(S: View, thread: int, result_reg: int, addr_lo: int) -> int:
    """LOADREG.md"""
    addr = (MMIO_BASE + (addr_lo << 2)) & MASK32
    if addr < FIRST_DEVICE:
        return fault_at_gate(S, thread, Fault.TENSIX_NO_DEVICE)
    send(S, thread, LOAD_DEVICE, addr, 4, result_reg)
    return hold_unit(S, thread, OCCUPIED, 3)
