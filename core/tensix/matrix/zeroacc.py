# SPDX-License-Identifier: Apache-2.0
"""ZEROACC: rows of Dst become undefined, which the Matrix Unit and packers read as 0; CLREXPHIST.

Blackhole differs from the page in the mode for 16 rows: unless zeroacc_absolute_tile_mode, the
group is counted within a half of Dst (`in_upper_half`). Its fields are those of the assembler
table.
A row of Dst32b is that of the high halves: the valid bit of the low ones stays (regfiles/dst.py).

UNSPECIFIED(ZEROACC.md): whether DEST_ACCESS_CFG moves the rows of these modes. The page has
DstRowValid[Row] of a single row and of 16 rows of Dst16b without Adj16, and Adj32 of a single row
of Dst32b. Tenstorrent's simulator has neither bit. Here a row of ZEROACC is the one that other
instructions mean by its number: LLK clears with remap_addrs on and finds the same tiles on cards as
without (tt-metal#55251, #54776), which holds only if ZEROACC is moved as well.
UNSPECIFIED(ZEROACC.md): a single row of Dst32b is the page's and the simulator's. Tests of others
on two Blackhole cards say that it is DstRowValid[Row] then, without Adj32, and that an odd AddrMod
makes it eight rows; both are alone, and LLK's workaround clears single rows with ADDR_MOD_1.

UNSPECIFIED(ZEROACC.md): Revert, undefined behaviour in every mode (commit bd8c22a; older pages had
one row without it). LLK uses it with the modes for 16 rows to mark rows as defined again, which
have their old contents then; with the other modes it stops.
"""

from tensix_gdb.core.arch.blackhole import SoftReset
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import WH, tensix
from tensix_gdb.core.tensix.matrix.formats import (
    FORMAT_WORD,
    FP32_BIT,
    INT8_BIT,
    config,
    dst_row_of,
)
from tensix_gdb.core.tensix.matrix.unit import MATRIX, ZEROACC
from tensix_gdb.core.tensix.packer.four.images import clear_histograms
from tensix_gdb.core.tensix.packer.state import clear_histogram
from tensix_gdb.core.tensix.regfiles.dst import ROWS, forget, recall, row16, row32
from tensix_gdb.core.tensix.regfiles.rwc import apply_addr_mod

ONE_ROW, ROWS_16, HALF_OF_DST = 0, 1, 2  # clear_mode; 3 is all of it
HALF_ROWS = ROWS // 2
CLEAR_HISTOGRAM = (clear_histogram, clear_histograms)  # by chip
_ABSOLUTE = config_fields(Arch.BLACKHOLE)["DEST_ACCESS_CFG_zeroacc_absolute_tile_mode"]
ABSOLUTE_WORD, ABSOLUTE_BIT = _ABSOLUTE.word, _ABSOLUTE.low


@MATRIX.instruction(
    "ZEROACC", tensix(0x10, Unused(3), "clear_mode" / Bits(2), "use_dst_32b" / Bits(1),
                      "revert" / Bits(1), "addr_mod" / Bits(3), Unused(4), "imm10" / Bits(10)),
    arch=Arch.BLACKHOLE, page=WH + "ZEROACC.md",
    llk="clear_mode@19 use_32_bit_mode@18 clear_zero_flags@17 addr_mode@14 where@0",
    reads=(uses.ROW_COUNTERS, uses.SAMPLED),
    writes=(uses.DST.effect(uses.Effect.CLEAR), uses.ROW_COUNTERS),
    summary=ZEROACC,
)  # fmt: skip
def zeroacc(
    S: View,
    thread: int,
    clear_mode: int,
    use_dst_32b: int,
    revert: int,
    addr_mod: int,
    imm10: int,
) -> int:
    """ZEROACC.md"""
    if S.tile_control.soft_reset & SoftReset.DST:
        return 0
    if revert and clear_mode != ROWS_16:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    if clear_mode == ONE_ROW:
        clear_row(S, thread, imm10)
        return apply_addr_mod(S, thread, addr_mod)
    if clear_mode == ROWS_16:
        clear_group(S, thread, imm10 & 0xFF, use_dst_32b, revert)
        return apply_addr_mod(S, thread, addr_mod)
    return clear_large(S, clear_mode, imm10)


def clear_row(S: View, thread: int, imm10: int) -> int:
    """Clear one row, to which counters and offsets are added."""
    row = dst_row_of(S, thread, imm10)
    word = config(S, thread, FORMAT_WORD)
    if (word >> FP32_BIT) & 1 or (word >> INT8_BIT) & 1:
        return forget(S, row32(S, thread, row))
    return forget(S, row16(S, thread, row))


def clear_large(S: View, clear_mode: int, imm10: int) -> int:
    """Clear half of Dst, the upper one if `imm10` is odd, or all of it."""
    first = (imm10 & 1) * HALF_ROWS if clear_mode == HALF_OF_DST else 0
    for row in range(first, first + (HALF_ROWS if clear_mode == HALF_OF_DST else ROWS)):
        forget(S, row)
    return 0


@MATRIX.instruction(
    "ZEROACC", tensix(0x10, Unused(2), "use_dst_32b" / Bits(1), "clear_mode" / Bits(2),
                      "revert" / Bits(1), Unused(1), "addr_mod" / Bits(2), Unused(5),
                      "imm10" / Bits(10)),
    arch=Arch.WORMHOLE, llk="clear_mode@19 AddrMode@15 dst@0", page=WH + "ZEROACC.md",
    reads=(uses.ROW_COUNTERS, uses.SAMPLED),
    writes=(uses.DST.effect(uses.Effect.CLEAR), uses.ROW_COUNTERS),
    summary=ZEROACC,
)  # fmt: skip
def zeroacc_wormhole(
    S: View,
    thread: int,
    use_dst_32b: int,
    clear_mode: int,
    revert: int,
    addr_mod: int,
    imm10: int,
) -> int:
    """ZEROACC.md as it stands: 16 rows are counted from the start of Dst, and Revert is undefined
    behaviour."""
    if S.tile_control.soft_reset & SoftReset.DST:
        return 0
    if revert:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    if clear_mode == ONE_ROW:
        clear_row(S, thread, imm10)
        return apply_addr_mod(S, thread, addr_mod)
    if clear_mode == ROWS_16:
        clear_16(S, thread, imm10 & 0xFF, use_dst_32b, 0)
        return apply_addr_mod(S, thread, addr_mod)
    return clear_large(S, clear_mode, imm10)


@MATRIX.instruction(
    "CLREXPHIST", tensix(0x21, Unused(24)), llk="", page=WH + "CLREXPHIST.md",
    writes=(uses.PACKERS,),
    summary="Clear the packers' exponent histograms.",
)  # fmt: skip
def clrexphist(S: View, thread: int) -> int:
    """CLREXPHIST.md"""
    return CLEAR_HISTOGRAM[S.tile.chip](S)


def clear_group(S: View, thread: int, group: int, wide: int, revert: int) -> int:
    """16 rows, counted within a half of Dst unless zeroacc_absolute_tile_mode."""
    if not (S.config.word[0, ABSOLUTE_WORD] >> ABSOLUTE_BIT) & 1:
        half = HALF_ROWS // (32 if wide else 16)
        group += half if in_upper_half(S, thread, group, wide) else 0
    return clear_16(S, thread, group, wide, revert)


def clear_16(S: View, thread: int, group: int, wide: int, revert: int) -> int:
    """16 rows; groups past the end of Dst are nothing."""
    if group >= ROWS // (32 if wide else 16):
        return 0
    for i in range(16):
        row = group * 16 + i
        at = row32(S, thread, row) if wide else row16(S, thread, row)
        if revert:
            recall(S, at)
        else:
            forget(S, at)
    return 0


def in_upper_half(S: View, thread: int, group: int, wide: int) -> int:
    """True if the group is counted from the middle of Dst.

    The number of a row and that of a group are added: Tenstorrent has measured it on p150b
    (tt-metal#53693; llk_math_eltwise_binary.h works around it). With an offset of 480 group 31 is
    block 31, with 488 or 496 it is block 63; with 496, groups 0 to 15 are right and 16 to 31 are in
    the wrong half. ZEROACC.md has no such mode, and Tenstorrent's simulator looks at the offset
    alone. For a Dst of 32 bits, halves of 256 rows, only shipped code speaks: it never reaches it.
    UNSPECIFIED(ZEROACC.md): the sum beyond 1023, with an offset in the upper half. It has ten bits,
    as the number of a row has, so it is in the lower half again; the other reading is that it stays
    in the upper one.
    """
    return (dst_row_of(S, thread, 0) + group) & (0x300 if wide else 0x200)
