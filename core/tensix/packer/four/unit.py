# SPDX-License-Identifier: Apache-2.0
"""Wormhole's PACR and PACR_SETREG (their pages)."""

from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.schema import Bits, Fixed, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import WH, Arch, tensix
from tensix_gdb.core.tensix.packer.four.images import ONLY_PACKER_0
from tensix_gdb.core.tensix.packer.four.set_register import set_register
from tensix_gdb.core.tensix.packer.four.start import start
from tensix_gdb.core.tensix.packer.unit import PACK


@PACK.instruction(
    "PACR", tensix(opcodes.PACR, Unused(7), "addr_mod" / Bits(2), Unused(2), "zero_write" / Bits(1),
                   "packer_mask" / Bits(4), "ovrd_thread_id" / Bits(1), Unused(2),
                   "concat" / Bits(1), Unused(2), "flush" / Bits(1), "last" / Bits(1)),
    arch=Arch.WORMHOLE, ttsync=12, page=WH + "PACR.md",
    llk="AddrMode@15 ZeroWrite@12 PackSel@8 OvrdThreadId@7 Concat@4 Flush@1 Last@0",
    reads=(uses.DST, uses.L1, uses.ADDRESS_COUNTERS, uses.SAMPLED, uses.PACKERS),
    writes=(uses.L1, uses.ADDRESS_COUNTERS, uses.PACKERS),
    summary="Move datums from Dst to L1 with up to four packers.",
)  # fmt: skip
def pacr_wormhole(
    S: View,
    thread: int,
    addr_mod: int,
    zero_write: int,
    packer_mask: int,
    ovrd_thread_id: int,
    concat: int,
    flush: int,
    last: int,
) -> int:
    """PACR.md"""
    packers = packer_mask if packer_mask else ONLY_PACKER_0
    code = start(S, thread, packers, addr_mod, zero_write, ovrd_thread_id, concat, flush, last)
    return fault_at_gate(S, thread, code) if code else 0


@PACK.instruction(
    "PACR_SETREG", tensix(opcodes.PACR_SETREG, Fixed(1, 1), "addr_sel" / Bits(1),
                          "value10" / Bits(10),
                          Fixed(0xF, 4), "addr_mid" / Bits(6), Fixed(1, 1), Unused(1)),
    arch=Arch.WORMHOLE, page=WH + "PACR_SETREG.md",
    llk="Push@23 AddrSel@22 WrData@12 PackSel@8 StreamId@2 Flush@1 Last@0",
    reads=(uses.SAMPLED,), writes=(uses.DEVICES, uses.STREAMS, uses.PACKERS),
    summary="Write to the tile's MMIO addresses, in order with the packers.",
)  # fmt: skip
def pacr_setreg_wormhole(S: View, thread: int, addr_sel: int, value10: int, addr_mid: int) -> int:
    """PACR_SETREG.md"""
    code = set_register(S, thread, addr_sel, value10, addr_mid)
    return fault_at_gate(S, thread, code) if code else 0
