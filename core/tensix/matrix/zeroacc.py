# SPDX-License-Identifier: Apache-2.0
"""ZEROACC: rows of Dst become undefined, which the Matrix Unit and packers read as 0; CLREXPHIST.

Blackhole differs from the page in the mode for 16 rows: unless zeroacc_absolute_tile_mode, the
group is counted within the half of Dst that the thread's offset is in (Tenstorrent's headers and
simulator). Its fields are those of the assembler table.

UNSPECIFIED(ZEROACC.md): Revert. LLK uses it with the modes for 16 rows to mark rows as defined
again, which have their old contents then; with the larger modes it stops.
"""

from tensix_gdb.core.arch.blackhole import SoftReset
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
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
from tensix_gdb.core.tensix.packer.state import clear_histogram
from tensix_gdb.core.tensix.regfiles.dst import LOW, ROWS, forget16, forget32, row16, row32
from tensix_gdb.core.tensix.regfiles.rwc import apply_addr_mod

ONE_ROW, ROWS_16, HALF_OF_DST = 0, 1, 2  # clear_mode; 3 is all of it
HALF_ROWS = ROWS // 2
_ABSOLUTE = config_fields(Arch.BLACKHOLE)["DEST_ACCESS_CFG_zeroacc_absolute_tile_mode"]
ABSOLUTE_WORD, ABSOLUTE_BIT = _ABSOLUTE.word, _ABSOLUTE.low


@MATRIX.instruction(
    "ZEROACC", tensix(0x10, Unused(3), "clear_mode" / Bits(2), "use_dst_32b" / Bits(1),
                      "revert" / Bits(1), "addr_mod" / Bits(3), Unused(4), "imm10" / Bits(10)),
    arch=Arch.BLACKHOLE, page=WH + "ZEROACC.md",
    llk="clear_mode@19 use_32_bit_mode@18 clear_zero_flags@17 addr_mode@14 where@0",
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
    if clear_mode == ONE_ROW:
        row = dst_row_of(S, thread, imm10)
        word = config(S, thread, FORMAT_WORD)
        if (word >> FP32_BIT) & 1 or (word >> INT8_BIT) & 1:
            forget32(S, row32(S, thread, row))
        else:
            forget16(S, row16(S, thread, row))
        return apply_addr_mod(S, thread, addr_mod)
    if clear_mode == ROWS_16:
        clear_group(S, thread, imm10 & 0xFF, use_dst_32b, revert)
        return apply_addr_mod(S, thread, addr_mod)
    if revert:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    first = (imm10 & 1) * HALF_ROWS if clear_mode == HALF_OF_DST else 0
    for row in range(first, first + (HALF_ROWS if clear_mode == HALF_OF_DST else ROWS)):
        forget16(S, row)
    return 0


@MATRIX.instruction(
    "CLREXPHIST", tensix(0x21, Unused(24)), llk="", page=WH + "CLREXPHIST.md",
    summary="Clear the packers' exponent histograms.",
)  # fmt: skip
def clrexphist(S: View, thread: int) -> int:
    """CLREXPHIST.md"""
    return clear_histogram(S)


def clear_group(S: View, thread: int, group: int, wide: int, revert: int) -> int:
    """16 rows; groups past the end of Dst are nothing."""
    upper = dst_row_of(S, thread, 0) & (0x300 if wide else 0x200)
    half = HALF_ROWS // (32 if wide else 16)
    if upper and not (S.config.word[0, ABSOLUTE_WORD] >> ABSOLUTE_BIT) & 1:
        group += half
    if group >= 2 * half:
        return 0
    for i in range(16):
        if wide:
            at = row32(S, thread, group * 16 + i)
            if revert:
                S.dst.undefined[at] = 0
                S.dst.undefined[at + LOW] = 0
            else:
                forget32(S, at)
        elif revert:
            S.dst.undefined[row16(S, thread, group * 16 + i)] = 0
        else:
            forget16(S, row16(S, thread, group * 16 + i))
    return 0
