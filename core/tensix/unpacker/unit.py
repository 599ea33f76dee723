# SPDX-License-Identifier: Apache-2.0
"""Unpackers (Unpackers/README.md): L1 to SrcA, SrcB or Dst, and what is sequenced with that.

UNPACR has three forms by its fixed bits. UNPACR_NOP has forms too; those of Blackhole, which are
here, are described by the assembler table only. Wormhole's are in wormhole.py.
"""

from collections.abc import Callable

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.isa.masks import Block
from tensix_gdb.core.isa.operand import ALWAYS, FLAG, HEX, PLAIN, Choice, Name
from tensix_gdb.core.isa.schema import Bits, Fixed, Part, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import WH, YAML, Arch, F, Group, Operand, Unit, tensix
from tensix_gdb.core.tensix.unpacker import nop as unpack_nop
from tensix_gdb.core.tensix.unpacker.context import count_on
from tensix_gdb.core.tensix.unpacker.queue import ALL_ZERO, FLIP
from tensix_gdb.core.tensix.unpacker.start import USE_COUNTER, start

# fmt: off
WHICH = Choice(always=True, names=(
    Name("UNP0", 0, (), "Unpacker 0 (SrcA, Dst)"), Name("UNP1", 1, (), "Unpacker 1 (SrcB)"),
))
CLEAR_VALUE = Choice(always=True, names=(
    Name("ZERO", 0, ("CLR_SRC_0", "UNP_CLRSRC_ZERO"), "zero"),
    Name("NEGINF", 1, ("CLR_SRC_NEGINF", "UNP_CLRSRC_NEGINF"), "negative infinity"),
    Name("ONE", 2, ("CLR_SRC_1", "UNP_CLRSRC_ONE"), "one"),
    Name("IMM", 3, ("CLR_SRC_IMM", "UNP_CLRSRC_IMM"), "UNP_NOP_REG_CLR_VAL"),
))

# A bank that is handed over, where the thread's next rows begin, and Clr_to1_fmt_Ctrl for that.
HANDED = (uses.BANKS, uses.UNPACKERS)
VALID = tuple(use.when("clr_to1_fmt_ctrl", unpack_nop.ONLY_SET_DVALID) for use in HANDED)
# SrcA or SrcB, as the unpacker is.
TO_SOURCE = (uses.SRC_A.unless_set("which_unpacker"), uses.SRC_B.if_set("which_unpacker"))

UNPACK = Group(Unit.UNPACKER, blocked_by=Block.B0 | Block.B3, ttsync=11, operands={
    "which_unpacker":       Operand(WHICH, "which unpacker"),
    "ch1_y_inc":            Operand(PLAIN, "added to Y of channel 1 afterwards"),
    "ch1_z_inc":            Operand(PLAIN, "added to Z of channel 1 afterwards"),
    "ch0_y_inc":            Operand(PLAIN, "added to Y of channel 0 afterwards"),
    "ch0_z_inc":            Operand(PLAIN, "added to Z of channel 0 afterwards"),
    "context_number":       Operand(PLAIN, "set of configuration, or what to add to the counter"),
    "context_adc":          Operand(PLAIN, "thread that has the address counters"),
    "multi_context_mode":   Operand(FLAG, "use context_number and context_adc"),
    "flip_src":             Operand(FLAG, "hand the bank to the Matrix Unit when done"),
    "srcb_bcast":           Operand(FLAG, "write the row to eight rows of SrcB"),
    "rareb_en":             Operand(FLAG, "LLK: rarefy SrcB; on no page"),
    "all_datums_are_zero":  Operand(FLAG, "write zeros"),
    "use_context_counter":  Operand(FLAG, "take the context from the counter and count on"),
    "row_search":           Operand(FLAG, "look rows up in compressed data"),
    "last":                 Operand(FLAG, "LLK: last of a tile; on no page"),
    "clear_count":          Operand(ALWAYS, "messages to clear"),
    "which_stream":         Operand(ALWAYS, "NoC overlay stream"),
    "negative_inf_src_a":   Operand(FLAG, "SrcA becomes negative infinity, not zero"),
    "both_banks":           Operand(FLAG, "both banks, not only the unpacker's"),
    "wait_like_unpacr":     Operand(FLAG, "wait for the unpacker's bank, not the Matrix Unit's"),
    "accumulate":           Operand(FLAG, "add to the accumulator and write that"),
    "value11":              Operand(HEX, "the value to write or add"),
    "addr_mid":             Operand(HEX, "bits 17:12 of the address"),
    "addr_sel":             Operand(ALWAYS, "which configured base address"),
    "src_clr_val_ctrl":     Operand(CLEAR_VALUE, "what the bank is filled with"),
    "bank_clr_ctrl":        Operand(FLAG, "both banks"),
    "stall_clr_cntrl":      Operand(FLAG, "wait for the unpacker's bank, not the Matrix Unit's"),
    "clr_to1_fmt_ctrl":     Operand(PLAIN, "3: only set the bank valid"),
    "set_dvalid":           Operand(FLAG, "hand the bank to the Matrix Unit when done"),
    "msg_clr_cnt":          Operand(ALWAYS, "messages to clear"),
    "stream_id":            Operand(ALWAYS, "NoC overlay stream"),
    "reg_addr_hi":          Operand(PLAIN, "bit 1 of the register's address"),
    "reg_addr_lo":          Operand(PLAIN, "bit 0 of the register's address"),
})



def regular(arch: Arch, bcast: str) -> Callable[[F], F]:
    return UNPACK.instruction(
        "UNPACR.Regular",
        tensix(opcodes.UNPACR, "which_unpacker" / Bits(1), "ch1_y_inc" / Bits(2),
               "ch1_z_inc" / Bits(2),
               "ch0_y_inc" / Bits(2), "ch0_z_inc" / Bits(2), Unused(1), Fixed(0, 1),
               "context_number" / Bits(3), "context_adc" / Bits(2), "multi_context_mode" / Bits(1),
               "flip_src" / Bits(1), bcast / Bits(1), "all_datums_are_zero" / Bits(1),
               "use_context_counter" / Bits(1), "row_search" / Bits(1), Fixed(0, 1),
               "last" / Bits(1)),
        arch=arch, llk=_llk(bcast), latency="2+", page=WH + "UNPACR_Regular.md",
        reads=(
            uses.L1, uses.ADDRESS_COUNTERS.of_thread("context_adc"), uses.SAMPLED, uses.BANKS,
            uses.UNPACKERS),
        writes=(
            *TO_SOURCE, uses.DST.unless_set("which_unpacker"),
            uses.ADDRESS_COUNTERS.of_thread("context_adc"), uses.BANKS, uses.UNPACKERS),
        summary="Move datums from L1 to SrcA, SrcB or Dst.")


def increment(arch: Arch, bcast: str) -> Callable[[F], F]:
    return UNPACK.instruction(
        "UNPACR.IncrementContextCounter",
        tensix(opcodes.UNPACR, "which_unpacker" / Bits(1), Unused(9), Fixed(1, 1), Unused(11),
               Fixed(0, 1), Unused(1)),
        arch=arch, llk=_llk(bcast), latency="1+", page=WH + "UNPACR_IncrementContextCounter.md",
        writes=(uses.UNPACKERS,),
        summary="Count the context counter on.")


def flush_cache(arch: Arch, bcast: str) -> Callable[[F], F]:
    return UNPACK.instruction(
        "UNPACR.FlushCache",
        tensix(opcodes.UNPACR, "which_unpacker" / Bits(1), Unused(15),
               "multi_context_mode" / Bits(1), Unused(5), Fixed(1, 1), Unused(1)),
        arch=arch, llk=_llk(bcast), latency="1+", page=WH + "UNPACR_FlushCache.md",
        summary="Forget the cached row addresses of compressed data.")


def _llk(bcast: str) -> str:
    return ("Unpack_block_selection@23 AddrMode@15 CfgContextCntInc@13 CfgContextId@10 "
            "AddrCntContextId@8 OvrdThreadId@7 SetDatValid@6 " + bcast + "@5 ZeroWrite2@4 "
            "AutoIncContextID@3 RowSearch@2 SearchCacheFlush@1 Last@0")


# fmt: on
@regular(Arch.BLACKHOLE, "srcb_bcast")
def unpacr(
    S: View,
    thread: int,
    which_unpacker: int,
    ch1_y_inc: int,
    ch1_z_inc: int,
    ch0_y_inc: int,
    ch0_z_inc: int,
    context_number: int,
    context_adc: int,
    multi_context_mode: int,
    flip_src: int,
    srcb_bcast: int,
    all_datums_are_zero: int,
    use_context_counter: int,
    row_search: int,
    last: int,
) -> int:
    """UNPACR_Regular.md"""
    if srcb_bcast:
        return fault_at_gate(S, thread, Fault.UNPACK_BROADCAST)
    increments = ch1_y_inc << 6 | ch1_z_inc << 4 | ch0_y_inc << 2 | ch0_z_inc
    modes = (FLIP if flip_src else 0) | (ALL_ZERO if all_datums_are_zero else 0)
    modes |= USE_COUNTER if use_context_counter else 0
    wrong = start(
        S,
        thread,
        which_unpacker,
        increments,
        context_number,
        context_adc,
        multi_context_mode,
        modes,
        row_search,
    )
    return fault_at_gate(S, thread, wrong) if wrong else 0


@increment(Arch.BLACKHOLE, "srcb_bcast")
def unpacr_increment_context_counter(S: View, thread: int, which_unpacker: int) -> int:
    """UNPACR_IncrementContextCounter.md"""
    context = S.unpack.context[which_unpacker, thread]
    return count_on(S, bank_of(S, thread), thread, which_unpacker, context)


@flush_cache(Arch.BLACKHOLE, "srcb_bcast")
def unpacr_flush_cache(S: View, thread: int, which_unpacker: int, multi_context_mode: int) -> int:
    """UNPACR_FlushCache.md: there is no cache; rows of compressed data are looked up each time."""
    return 0


# fmt: off
_NOP_BH = ("Unpacker_Select@23 Stream_Id@16 Msg_Clr_Cnt@12 Set_Dvalid@8 Clr_to1_fmt_Ctrl@6 "
           "Stall_Clr_Cntrl@5 Bank_Clr_Ctrl@4 Src_ClrVal_Ctrl@2 Unpack_Pop@0")
POP = "Let a stream release data, in order with the unpacker's other work."


def _nop(
    form: str, *parts: Part, text: str, writes: tuple[uses.StateUse, ...] = ()
) -> Callable[[F], F]:
    return UNPACK.instruction(
        f"UNPACR_NOP.{form}", tensix(0x43, "which_unpacker" / Bits(1), *parts),
        arch=Arch.BLACKHOLE, llk=_NOP_BH, latency="1+", page=YAML, summary=text,
        reads=(uses.SAMPLED,), writes=writes)


# fmt: on
@_nop("Pop", Unused(21), Fixed(0, 2), text=POP, writes=(uses.STREAMS,))
def unpacr_nop_pop(S: View, thread: int, which_unpacker: int) -> int:
    """UNPACR_NOP_OverlayClear.md; stream and count are those of NOC_OVERLAY_MSG_CLEAR."""
    return unpack_nop.pop(S, thread, which_unpacker)


@_nop(
    "ClearSrc",
    *(Unused(14), "set_dvalid" / Bits(1), "clr_to1_fmt_ctrl" / Bits(2)),
    *("stall_clr_cntrl" / Bits(1), "bank_clr_ctrl" / Bits(1), "src_clr_val_ctrl" / Bits(2)),
    Fixed(1, 2),
    text="Fill a source bank, in order with the unpacker's other work.",
    writes=(
        *TO_SOURCE,
        *VALID,
        *(use.when("clr_to1_fmt_ctrl", 0).if_set("set_dvalid") for use in HANDED),
    ),
)
def unpacr_nop_clear_src(
    S: View,
    thread: int,
    which_unpacker: int,
    set_dvalid: int,
    clr_to1_fmt_ctrl: int,
    stall_clr_cntrl: int,
    bank_clr_ctrl: int,
    src_clr_val_ctrl: int,
) -> int:
    """UNPACR_NOP_ZEROSRC.md, and what Blackhole has besides."""
    if clr_to1_fmt_ctrl == unpack_nop.ONLY_SET_DVALID:
        return unpack_nop.set_dvalid(S, thread, which_unpacker)
    if clr_to1_fmt_ctrl:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    wrong = unpack_nop.clear(
        S,
        thread,
        which_unpacker,
        src_clr_val_ctrl,
        bank_clr_ctrl,
        stall_clr_cntrl,
        set_dvalid,
    )
    return fault_at_gate(S, thread, wrong) if wrong else 0


@_nop("Nop", Unused(15), "clr_to1_fmt_ctrl" / Bits(2), Unused(4), Fixed(2, 2),
      text="Occupy the unpacker for one cycle, or hand the bank over.",
      writes=VALID)  # fmt: skip
def unpacr_nop(S: View, thread: int, which_unpacker: int, clr_to1_fmt_ctrl: int) -> int:
    """UNPACR_NOP_Nop.md, or UNPACR_NOP_SETDVALID.md."""
    if clr_to1_fmt_ctrl == unpack_nop.ONLY_SET_DVALID:
        return unpack_nop.set_dvalid(S, thread, which_unpacker)
    if clr_to1_fmt_ctrl:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    return unpack_nop.nothing(S, thread, which_unpacker)


@_nop("PopStream", Unused(1), "stream_id" / Bits(6), Unused(1), "msg_clr_cnt" / Bits(3), Unused(9),
      Fixed(3, 3), text=POP, writes=(uses.STREAMS,))  # fmt: skip
def unpacr_nop_pop_stream(
    S: View, thread: int, which_unpacker: int, stream_id: int, msg_clr_cnt: int
) -> int:
    """UNPACR_NOP_OverlayClear.md"""
    return unpack_nop.pop_stream(S, thread, which_unpacker, stream_id, msg_clr_cnt)


@_nop("PopStreamMany", "reg_addr_hi" / Bits(1), "stream_id" / Bits(6), "reg_addr_lo" / Bits(1),
      "msg_clr_cnt" / Bits(11), "accumulate" / Bits(1), Fixed(7, 3), text=POP,
      writes=(uses.DEVICES, uses.STREAMS, uses.UNPACKERS))  # fmt: skip
def unpacr_nop_pop_stream_many(
    S: View,
    thread: int,
    which_unpacker: int,
    reg_addr_hi: int,
    stream_id: int,
    reg_addr_lo: int,
    msg_clr_cnt: int,
    accumulate: int,
) -> int:
    """UNPACR_NOP_SETREG.md"""
    register = reg_addr_hi << 1 | reg_addr_lo
    return unpack_nop.set_register(
        S, thread, which_unpacker, register, stream_id, msg_clr_cnt, accumulate
    )
