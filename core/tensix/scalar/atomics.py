# SPDX-License-Identifier: Apache-2.0
"""Atomics of the Scalar Unit on words of L1.

ATINCGET and ATSWAP are done when their request is sent. ATCAS and ATINCGETPTR stay in the unit
until L1 confirms that they have succeeded, and ask again until it does: the unit belongs to them.
"""

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.gpr_use import ANSWER, READ
from tensix_gdb.core.tensix.instruction import WH, tensix
from tensix_gdb.core.tensix.scalar.pipeline import (
    ADVANCE,
    ASKING,
    COMPARE,
    INCREMENT,
    OCCUPIED,
    SWAP,
    hold_unit,
    send,
)
from tensix_gdb.core.tensix.scalar.unit import SCALAR

COLD = True  # little time of LLVM for it (core/engine/README.md)


def address(S: View, thread: int, addr_reg: int) -> int:
    """Sixteen bytes of L1; or STOPPED."""
    addr = (S.gpr.word[thread * 64 + addr_reg] * 16) & MASK32
    if addr >= L1_END[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_OUTSIDE_L1)
    return addr


@SCALAR.instruction(
    "ATINCGET", tensix(0x61, Unused(5), "int_width" / Bits(5), "ofs" / Bits(2),
                       "in_out_reg" / Bits(6), "addr_reg" / Bits(6)),
    llk="MemHierSel@23 WrapVal@14 Sel32b@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="3+", page=WH + "ATINCGET.md",
    reads=(uses.L1,), writes=(uses.L1,),
    summary="Add to a word of L1 atomically; the GPR has the old value some cycles later.",
)  # fmt: skip
def atincget(S: View, thread: int, int_width: int, ofs: int, in_out_reg: int, addr_reg: int) -> int:
    """ATINCGET.md"""
    addr = address(S, thread, addr_reg)
    if addr < 0:
        return STOPPED
    i = send(S, thread, INCREMENT, addr + ofs * 4, 4, in_out_reg)
    S.thcon.data[i, 0] = S.gpr.word[thread * 64 + in_out_reg]
    S.thcon.data[i, 1] = (2 << int_width) - 1
    return hold_unit(S, thread, OCCUPIED, 3)


@SCALAR.instruction(
    "ATINCGETPTR", tensix(0x62, Unused(1), "no_incr" / Bits(1), "incr_log2" / Bits(4),
                          "int_width" / Bits(4), "ofs" / Bits(2), "result_reg" / Bits(6),
                          "addr_reg" / Bits(6)),
    llk="MemHierSel@23 NoIncr@22 IncrVal@18 WrapVal@14 Sel32b@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="15+", page=WH + "ATINCGETPTR.md", gprs={"result_reg": ANSWER},
    reads=(uses.L1,), writes=(uses.L1,),
    summary="Advance a FIFO's read or write pointer in L1, waiting while empty or full.",
)  # fmt: skip
def atincgetptr(
    S: View,
    thread: int,
    no_incr: int,
    incr_log2: int,
    int_width: int,
    ofs: int,
    result_reg: int,
    addr_reg: int,
) -> int:
    """ATINCGETPTR.md"""
    addr = address(S, thread, addr_reg)
    if addr < 0:
        return STOPPED
    i = send(S, thread, ADVANCE, addr, 4, result_reg)
    S.thcon.data[i, 0] = 0 if no_incr else 1 << incr_log2
    S.thcon.data[i, 1] = int_width
    S.thcon.data[i, 2] = ofs
    return hold_unit(S, thread, ASKING, 15)


@SCALAR.instruction(
    "ATSWAP", tensix(0x63, Unused(1), "single_data_reg" / Bits(1), "mask" / Bits(8), Unused(2),
                     "data_reg" / Bits(6), "addr_reg" / Bits(6)),
    llk="MemHierSel@23 SwapMask@14 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="3+", page=WH + "ATSWAP.md",
    gprs={"data_reg": READ.four_unless("single_data_reg")},
    writes=(uses.L1,),
    summary="Write chosen halves of 16 bytes of L1 atomically; nothing comes back.",
)  # fmt: skip
def atswap(
    S: View, thread: int, single_data_reg: int, mask: int, data_reg: int, addr_reg: int
) -> int:
    """ATSWAP.md"""
    addr = address(S, thread, addr_reg)
    if addr < 0:
        return STOPPED
    i = send(S, thread, SWAP, addr, mask, 0)
    for word in range(4):
        if single_data_reg:
            only = S.gpr.word[thread * 64 + data_reg] if word == data_reg & 3 else 0
            S.thcon.data[i, word] = only
        else:
            S.thcon.data[i, word] = S.gpr.word[thread * 64 + (data_reg & 0x3C) + word]
    return hold_unit(S, thread, OCCUPIED, 3)


@SCALAR.instruction(
    "ATCAS", tensix(0x64, Unused(2), "set_val" / Bits(4), "cmp_val" / Bits(4), "ofs" / Bits(2),
                    Unused(6), "addr_reg" / Bits(6)),
    llk="MemHierSel@23 SwapVal@18 CmpVal@14 Sel32b@12 DataRegIndex@6 AddrRegIndex@0",
    ttsync=1, latency="15+", page=WH + "ATCAS.md",
    reads=(uses.L1,), writes=(uses.L1,),
    summary="Wait until a word of L1 has one value and set it to another, atomically.",
)  # fmt: skip
def atcas(S: View, thread: int, set_val: int, cmp_val: int, ofs: int, addr_reg: int) -> int:
    """ATCAS.md"""
    addr = address(S, thread, addr_reg)
    if addr < 0:
        return STOPPED
    i = send(S, thread, COMPARE, addr + ofs * 4, 0, 0)
    S.thcon.data[i, 0] = cmp_val
    S.thcon.data[i, 1] = set_val
    return hold_unit(S, thread, ASKING, 15)
