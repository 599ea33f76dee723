# SPDX-License-Identifier: Apache-2.0
"""Wormhole's forms of UNPACR and UNPACR_NOP (UNPACR_*.md of Wormhole).

What they do is what Blackhole's do, by the numbers of their chip. UNPACR has another meaning of one
bit, on no page; UNPACR_NOP has other fields.
"""

from collections.abc import Callable

from tensix_gdb.core.devices.overlay import OVERLAY_BASE
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Fixed, Part, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import WH, Arch, F, tensix
from tensix_gdb.core.tensix.regfiles.src import SRC_A
from tensix_gdb.core.tensix.unpacker import config as config
from tensix_gdb.core.tensix.unpacker import nop as unpack_nop
from tensix_gdb.core.tensix.unpacker.context import count_on
from tensix_gdb.core.tensix.unpacker.queue import ALL_ZERO, FLIP
from tensix_gdb.core.tensix.unpacker.start import USE_COUNTER, start
from tensix_gdb.core.tensix.unpacker.unit import (
    POP,
    TO_SOURCE,
    UNPACK,
    flush_cache,
    increment,
    regular,
)

ONE_MESSAGE = 1  # whatever ClearCount is (UNPACR_NOP_OverlayClear.md)


@regular(Arch.WORMHOLE, "rareb_en")
def unpacr_wormhole(
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
    rareb_en: int,
    all_datums_are_zero: int,
    use_context_counter: int,
    row_search: int,
    last: int,
) -> int:
    """UNPACR_Regular.md"""
    if rareb_en:
        return fault_at_gate(S, thread, Fault.TENSIX_WORMHOLE)
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


@increment(Arch.WORMHOLE, "rareb_en")
def unpacr_increment_wormhole(S: View, thread: int, which_unpacker: int) -> int:
    """UNPACR_IncrementContextCounter.md"""
    context = S.unpack.context[which_unpacker, thread]
    return count_on(S, bank_of(S, thread), thread, which_unpacker, context)


@flush_cache(Arch.WORMHOLE, "rareb_en")
def unpacr_flush_cache_wormhole(
    S: View, thread: int, which_unpacker: int, multi_context_mode: int
) -> int:
    """UNPACR_FlushCache.md: there is no cache; rows of compressed data are looked up each time."""
    return 0


def _nop(
    form: str, *parts: Part, page: str, text: str, writes: tuple[uses.StateUse, ...] = ()
) -> Callable[[F], F]:
    return UNPACK.instruction(
        f"UNPACR_NOP.{form}", tensix(0x43, "which_unpacker" / Bits(1), *parts),
        arch=Arch.WORMHOLE, llk="Unpack_block_selection@23 NoOp@0", latency="1+",
        page=f"{WH}UNPACR_NOP_{page}.md", summary=text,
        reads=(uses.SAMPLED,), writes=writes)  # fmt: skip


@_nop(
    "OverlayClear0", Unused(20), Fixed(0, 3), page="OverlayClear", text=POP, writes=(uses.STREAMS,)
)
def unpacr_nop_overlay_clear(S: View, thread: int, which_unpacker: int) -> int:
    """UNPACR_NOP_OverlayClear.md with the stream of ThreadConfig."""
    return overlay_clear(S, thread, which_unpacker, own_stream(S, thread, which_unpacker))


@_nop("OverlayClear3", Unused(1), "which_stream" / Bits(6), Unused(1), "clear_count" / Bits(11),
      Unused(1), Fixed(3, 3), page="OverlayClear", text=POP,
      writes=(uses.STREAMS,))  # fmt: skip
def unpacr_nop_overlay_clear_stream(
    S: View, thread: int, which_unpacker: int, which_stream: int, clear_count: int
) -> int:
    """UNPACR_NOP_OverlayClear.md"""
    stream = which_stream if clear_count else own_stream(S, thread, which_unpacker)
    return overlay_clear(S, thread, which_unpacker, stream)


STREAM_MSG_DATA_CLEAR = 22  # noc_overlay_parameters.h of Wormhole


def own_stream(S: View, thread: int, unpacker: int) -> int:
    """NOC_OVERLAY_MSG_CLEAR_StreamId."""
    return S.config.thread[thread, config.MESSAGE_WORDS[unpacker]] & 0x3F


def overlay_clear(S: View, thread: int, unpacker: int, stream: int) -> int:
    """Store to the stream's STREAM_MSG_DATA_CLEAR."""
    addr = OVERLAY_BASE + (stream << 12) + STREAM_MSG_DATA_CLEAR * 4
    return unpack_nop.store(S, thread, unpacker, addr, ONE_MESSAGE)


@_nop("ZEROSRC", Unused(16), Fixed(0, 1), Unused(1), "wait_like_unpacr" / Bits(1),
      "both_banks" / Bits(1), "negative_inf_src_a" / Bits(1), Fixed(1, 2), page="ZEROSRC",
      text="Fill a source bank, in order with the unpacker's other work.",
      writes=TO_SOURCE)  # fmt: skip
def unpacr_nop_zerosrc(
    S: View,
    thread: int,
    which_unpacker: int,
    wait_like_unpacr: int,
    both_banks: int,
    negative_inf_src_a: int,
) -> int:
    """UNPACR_NOP_ZEROSRC.md: negative infinity is SrcA's alone, and SrcB is zero then."""
    lowest = unpack_nop.NEGATIVE_INFINITY if which_unpacker == SRC_A else unpack_nop.ZERO
    what = lowest if negative_inf_src_a else unpack_nop.ZERO
    return unpack_nop.clear(S, thread, which_unpacker, what, both_banks, wait_like_unpacr, 0)


@_nop("Nop", Unused(20), Fixed(2, 3), page="Nop", text="Occupy the unpacker for one cycle.")
def unpacr_nop_nothing(S: View, thread: int, which_unpacker: int) -> int:
    """UNPACR_NOP_Nop.md"""
    return unpack_nop.nothing(S, thread, which_unpacker)


@_nop("SETREG", "addr_sel" / Bits(1), "addr_mid" / Bits(6), Unused(1), "value11" / Bits(11),
     "accumulate" / Bits(1), Fixed(4, 3), page="SETREG",
     text="Write to the tile's MMIO addresses, in order with the unpacker's other work.",
     writes=(uses.DEVICES, uses.STREAMS, uses.UNPACKERS),
     )  # fmt: skip
def unpacr_nop_setreg(
    S: View,
    thread: int,
    which_unpacker: int,
    addr_sel: int,
    addr_mid: int,
    value11: int,
    accumulate: int,
) -> int:
    """UNPACR_NOP_SETREG.md: with Accumulate and a value of 0 the sum is 0, and nothing is written.

    UNSPECIFIED(TDMA-RISC.md): which bits of RISCV_TDMA_REG_CLK_GATE_EN are SetRegBase (it names
    SetUnpackRegAddr and does not have it), so that no address can be made: the others stop.
    """
    if accumulate and value11 == 0:
        S.unpack.accumulator[which_unpacker] = 0
        return unpack_nop.nothing(S, thread, which_unpacker)
    return fault_at_gate(S, thread, Fault.UNPACK_SETREG)


@_nop("SETDVALID", Unused(20), Fixed(7, 3), page="SETDVALID",
      text="Hand the bank to the Matrix Unit, in order with the unpacker's other work.",
      writes=(uses.BANKS, uses.UNPACKERS),
      )  # fmt: skip
def unpacr_nop_setdvalid(S: View, thread: int, which_unpacker: int) -> int:
    """UNPACR_NOP_SETDVALID.md"""
    return unpack_nop.set_dvalid(S, thread, which_unpacker)
