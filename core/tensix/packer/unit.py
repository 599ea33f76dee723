# SPDX-License-Identifier: Apache-2.0
"""Packer (PACR.md): Dst to L1. Blackhole has one with four read interfaces, Wormhole has four, with
instructions of their own (four/unit.py).

An instruction that passes the wait gate starts here (start.py); its datums go through
passes.py and output.py when the packer comes to it (pipeline.py).
"""

from tensix_gdb.core.arch.blackhole import MMIO_BASE
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, FLAG, HEX, PLAIN, Choice, Name
from tensix_gdb.core.isa.operand import Bits as Names
from tensix_gdb.core.isa.schema import Bits, Fixed, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import (
    BH,
    YAML,
    Arch,
    Catch,
    Group,
    Operand,
    Status,
    Unit,
    tensix,
)
from tensix_gdb.core.tensix.packer import addresses as pack_source
from tensix_gdb.core.tensix.packer import start as pack_start
from tensix_gdb.core.tensix.packer.config import SETREG

RESET_CONTEXT, KEEP_CONTEXT = 2, 3  # of ctxt_ctrl
FIRST_DEVICE, END_OF_DEVICES = 0xFFB11000, 0xFFB80000  # PACR_SETREG.md

# fmt: off
ADDR_MOD = Choice(names=tuple(Name(f"ADDR_MOD_{i}", i) for i in range(4)))
PAD = Choice(names=(
    Name("NONE", 0, ("NO_ROW_PAD_ZERO",), "no padding"),
    Name("ALL", 1, ("ROW_PAD_ZERO_ALL_PACR",), "every row"),
    Name("NO_CONCAT", 2, ("ROW_PAD_ZERO_NO_CONCAT_PACR",), "every row unless concat"),
    Name("LAST", 3, ("ROW_PAD_ZERO_LAST_PACR",), "every row if last"),
    Name("ALL_16", 5, ("ROW_PAD_ZERO_ALL_PACR_16DATUM_ALGN",), "to 16 datums"),
    Name("NO_CONCAT_16", 6, ("ROW_PAD_ZERO_NO_CONCAT_PACR_16DATUM_ALGN",),
         "to 16 datums unless concat"),
    Name("LAST_16", 7, ("ROW_PAD_ZERO_LAST_PACR_16DATUM_ALGN",), "to 16 datums if last"),
))
CONTEXT_CONTROL = Choice(names=(
    Name("NONE", 0, ("NO_CTXT_CTRL",), "cfg_context is used"),
    Name("TRACKED", 1, ("RTL_FLOPS_CTXT_SEL",), "the tracked context is used and counted"),
    Name("RESET", 2, ("RTL_FLOPS_CTXT_RST_AND_NOP",), "only reset the tracked context"),
    Name("TRACKED_KEEP", 3, ("RTL_FLOPS_CTXT_SEL_NO_RST",), "as TRACKED, without its reset"),
))
INTERFACES = Names(names=tuple(Name(f"R{i}", 1 << i, (), f"read interface {i}") for i in range(4)))
PACKERS = Names(names=tuple(Name(f"P{i}", 1 << i, (), f"packer {i}") for i in range(4)))

PACK = Group(Unit.PACKER, blocked_by=Block.B0 | Block.B2, latency="1+", operands={
    "cfg_context":      Operand(PLAIN, "which set of configuration"),
    "row_pad_zero":     Operand(PAD, "where zeros are added"),
    "dst_access_mode":  Operand(FLAG, "read rows of Dst 16 apart instead of neighbours"),
    "addr_mod":         Operand(ADDR_MOD, "how the packers' address counters advance"),
    "addr_cnt_context": Operand(PLAIN, "thread that has the address counters, with ovrd_thread_id"),
    "zero_write":       Operand(FLAG, "write zeros"),
    "read_intf_sel":    Operand(INTERFACES, "which read interfaces; 0 means all four"),
    "packer_mask":      Operand(PACKERS, "which packers; 0 means packer 0"),
    "ovrd_thread_id":   Operand(FLAG, "do not use the issuing thread's address counters"),
    "concat":           Operand(FLAG, "the next PACR continues this row"),
    "ctxt_ctrl":        Operand(CONTEXT_CONTROL, "which context is used"),
    "flush":            Operand(FLAG, "flush the buffers before L1; in PACR_SETREG: set it"),
    "last":             Operand(FLAG, "flush the buffers; the next PACR starts anew"),
    "addr_sel":         Operand(ALWAYS, "which configured base address"),
    "value10":          Operand(HEX, "the value to write"),
    "addr_mid":         Operand(HEX, "bits 17:12 of the address"),
    "push":             Operand(FLAG, "write; set it"),
    "disable_stall":    Operand(FLAG, "do not stall the packer meanwhile"),
    "stream_id":        Operand(HEX, "NoC overlay stream, or bits 17:12 of the address"),
    "value16":          Operand(HEX, "half of the value to write later"),
    "high_half":        Operand(FLAG, "the high half"),
})

# fmt: on


@PACK.instruction(
    "PACR", tensix(opcodes.PACR, Unused(1), "cfg_context" / Bits(2), "row_pad_zero" / Bits(3),
                   "dst_access_mode" / Bits(1), "addr_mod" / Bits(2), "addr_cnt_context" / Bits(2),
                   "zero_write" / Bits(1), "read_intf_sel" / Bits(4), "ovrd_thread_id" / Bits(1),
                   Unused(2), "concat" / Bits(1), "ctxt_ctrl" / Bits(2), "flush" / Bits(1),
                   "last" / Bits(1)),
    arch=Arch.BLACKHOLE, ttsync=12, page=BH + "PACR.md",
    llk="CfgContext@21 RowPadZero@18 DstAccessMode@17 AddrMode@15 AddrCntContext@13 ZeroWrite@12 "
        "ReadIntfSel@8 OvrdThreadId@7 Concat@4 CtxtCtrl@2 Flush@1 Last@0",
    reads=(
        uses.DST, uses.L1, uses.ADDRESS_COUNTERS.of_thread("addr_cnt_context"), uses.SAMPLED,
        uses.PACKERS),
    writes=(uses.L1, uses.ADDRESS_COUNTERS.of_thread("addr_cnt_context"), uses.PACKERS),
    summary="Move up to four rows of datums from Dst to L1.",
)  # fmt: skip
def pacr(
    S: View,
    thread: int,
    cfg_context: int,
    row_pad_zero: int,
    dst_access_mode: int,
    addr_mod: int,
    addr_cnt_context: int,
    zero_write: int,
    read_intf_sel: int,
    ovrd_thread_id: int,
    concat: int,
    ctxt_ctrl: int,
    flush: int,
    last: int,
) -> int:
    """PACR.md"""
    if ctxt_ctrl == RESET_CONTEXT:
        S.pack.context = 0
        S.pack.planes = 0
        return 0
    if ctxt_ctrl == KEEP_CONTEXT:
        return fault_at_gate(S, thread, Fault.PACR_CONTEXT)
    counters = pack_source.counters_of(thread, ovrd_thread_id, addr_cnt_context)
    code = pack_start.start(
        S,
        thread,
        S.pack.context if ctxt_ctrl else cfg_context,
        counters,
        addr_mod,
        read_intf_sel,
        dst_access_mode,
        zero_write,
        row_pad_zero,
        ctxt_ctrl,
        concat,
        flush,
        last,
    )
    return fault_at_gate(S, thread, code) if code else 0


# fmt: off
# Blackhole's two forms are in the assembler table only.
_SETREG = "Push@23 ModeSel@22 Unused@12 DisableStall@10 AddrSel@8 StreamId@2 Flush@1 Last@0"
# fmt: on


@PACK.instruction(
    "PACR_SETREG.Write", tensix(opcodes.PACR_SETREG, "push" / Bits(1), Fixed(0, 1), Unused(11),
                                "disable_stall" / Bits(1), "addr_sel" / Bits(2),
                                "stream_id" / Bits(6), "flush" / Bits(1), "last" / Bits(1)),
    arch=Arch.BLACKHOLE, llk=_SETREG, page=YAML,
    reads=(uses.SAMPLED, uses.PACKERS), writes=(uses.DEVICES, uses.STREAMS, uses.PACKERS),
    summary="Write the prepared value to the tile's MMIO addresses, in order with the packer.",
)  # fmt: skip
def pacr_setreg_write(
    S: View,
    thread: int,
    push: int,
    disable_stall: int,
    addr_sel: int,
    stream_id: int,
    flush: int,
    last: int,
) -> int:
    """assembly.yaml; what the address means, PACR_SETREG.md of Wormhole.

    UNSPECIFIED(assembly.yaml): what Push without Flush does, or Flush without Push: nothing, and a
    flush without a register write. DisableStall is for a fault of the hardware that is not here.
    """
    if flush == 0:
        return 0
    word = S.config.word[bank_of(S, thread), SETREG[addr_sel >> 1]]
    reg = (word >> (12 * (addr_sel & 1))) & 0xFFF
    addr = MMIO_BASE + ((reg >> 10) << 18) + (stream_id << 12) + ((reg & 0x3FF) << 2)
    if push and addr < FIRST_DEVICE:
        return fault_at_gate(S, thread, Fault.PACR_SETREG_LOW)
    return pack_start.set_register(S, thread, addr if push and addr < END_OF_DEVICES else 0)


@PACK.instruction(
    "PACR_SETREG.Prepare", tensix(opcodes.PACR_SETREG, "push" / Bits(1), Fixed(1, 1), Unused(3),
                                  "value16" / Bits(16), "high_half" / Bits(1), "flush" / Bits(1),
                                  "last" / Bits(1)),
    arch=Arch.BLACKHOLE, llk=_SETREG, page=YAML,
    writes=(uses.PACKERS,),
    summary="Prepare half of the value that PACR_SETREG.Write will write.",
)  # fmt: skip
def pacr_setreg_prepare(
    S: View, thread: int, push: int, value16: int, high_half: int, flush: int, last: int
) -> int:
    """assembly.yaml"""
    if high_half:
        S.pack.prepared = value16 << 16 | S.pack.prepared & 0xFFFF
    else:
        S.pack.prepared = S.pack.prepared & 0xFFFF0000 | value16
    return 0


# fmt: off
PACK.instruction(
    "TBUFCMD", tensix(0x4B, Unused(24)), llk="", latency="", page=YAML, status=Status.UNDOCUMENTED,
    gate=Catch.UNKNOWN, blocked_by=Block(0),
    summary="Reserved.")
# fmt: on
