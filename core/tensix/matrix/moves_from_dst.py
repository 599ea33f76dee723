# SPDX-License-Identifier: Apache-2.0
"""MOVD2A and MOVD2B: rows of Dst into SrcA and SrcB. Undefined datums of Dst are 0.

Columns that BLOCK_DEST_MOV of the Vector Unit's LaneConfig names are left out.

UNSPECIFIED(MOVD2B.md): UseDst32bLo of Dst32b with a SrcAFmt of TF32. The page takes the 13 bits
that TF32 drops. On Blackhole SrcB gets zeros (tt-llk#449, with Tenstorrent's hardware team: a low
half and TF32 do not go together), so MOVD2B gives 0 here. With other formats it gives the low half
while Fp32_enabled is set: LLK broadcasts datums of 32 bits so
(llk_math_eltwise_unary_datacopy.h). There is no report of MOVD2A, which does as its page says;
Tenstorrent's simulator refuses both.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.matrix.by_chip import MOVD2B_LOSES_TF32_LOW
from tensix_gdb.core.tensix.matrix.formats import (
    FORCE_WORD,
    FORMAT_WORD,
    FP16,
    FP32_BIT,
    INT8_BIT,
    KEEP_DST,
    STYLE,
    TF32,
    UNKNOWN,
    ZERO_FLAG_WORD,
    config,
    dst_row_of,
    moved_format,
)
from tensix_gdb.core.tensix.matrix.moves import FORMAT_TF32, allowed_columns
from tensix_gdb.core.tensix.regfiles import src
from tensix_gdb.core.tensix.regfiles.dst import ALL_COLUMNS, LOW, row16, row32
from tensix_gdb.core.tensix.regfiles.rwc import apply_addr_mod


def bring(
    S: View, thread: int, source: int, use_dst_32b_lo: int, move_4_rows: int, dst_row: int
) -> int:
    """Rows of Dst for a source, in its format; how many they are, or STOPPED."""
    kind = moved_format(S, thread, source)
    if from_dst_is_undefined(S, thread, kind, use_dst_32b_lo):
        return fault_at_gate(S, thread, Fault.TENSIX_MOVE_WIDTH)
    first = dst_row_of(S, thread, dst_row)
    count = 1
    if move_4_rows:
        first &= 0x3FC
        count = 4
    get_rows(S, thread, first, count, kind, use_dst_32b_lo)
    if source == src.SRC_B and kind == FORMAT_TF32 and use_dst_32b_lo:
        clear_rows(S, count if MOVD2B_LOSES_TF32_LOW[S.tile.chip] else 0)
    return count


def clear_rows(S: View, count: int) -> int:
    """Zeros into `b`."""
    for i in range(count):
        for j in lanes(16):
            S.fpu.b[i & 7, j] = 0
    return 0


def movd2a(
    S: View,
    thread: int,
    use_dst_32b_lo: int,
    src_row: int,
    addr_mod: int,
    move_4_rows: int,
    dst_row: int,
) -> int:
    """MOVD2A.md"""
    count = bring(S, thread, src.SRC_A, use_dst_32b_lo, move_4_rows, dst_row)
    if count < 0:
        return STOPPED
    to = src_row + S.rwc.src_a[thread]
    if move_4_rows:
        to &= 0x3C
    S.src.last_a_row = to & 0x3F
    bank = S.busy.matrix_bank[src.SRC_A]
    columns = allowed_columns(S)
    for i in range(count):
        for j in lanes(16):
            old = S.src.a[bank & 1, (to + i) & 63, j]
            datum = S.fpu.b[i & 7, j]
            S.src.a[bank & 1, (to + i) & 63, j] = datum if (columns >> j) & 1 else old
    return apply_addr_mod(S, thread, addr_mod)


def movd2b(
    S: View,
    thread: int,
    use_dst_32b_lo: int,
    src_row: int,
    addr_mod: int,
    move_4_rows: int,
    dst_row: int,
) -> int:
    """MOVD2B.md"""
    count = bring(S, thread, src.SRC_B, use_dst_32b_lo, move_4_rows, dst_row)
    if count < 0:
        return STOPPED
    to = src_row + S.rwc.src_b[thread]
    if move_4_rows:
        to &= 0x3C
    S.src.last_a_row = S.rwc.src_a[thread] & 0x3F
    bank = S.busy.matrix_bank[src.SRC_B]
    columns = allowed_columns(S)
    for i in range(count):
        for j in lanes(16):
            old = S.src.b[bank & 1, (to + i) & 63, j]
            datum = S.fpu.b[i & 7, j]
            S.src.b[bank & 1, (to + i) & 63, j] = datum if (columns >> j) & 1 else old
    return apply_addr_mod(S, thread, addr_mod)


def wide_move(S: View, thread: int) -> int:
    """UseDst32b of MOVD2A and MOVD2B."""
    if S.config.thread[thread, FORCE_WORD] & 1:
        return 0
    word = config(S, thread, FORMAT_WORD)
    return word >> FP32_BIT & 1 | word >> INT8_BIT & 1


def from_dst_is_undefined(S: View, thread: int, kind: int, low: int) -> int:
    """True if the page says UndefinedBehaviour: 16 bits of Dst have no low half and no TF32."""
    if STYLE[kind] == UNKNOWN:
        return 1
    return 1 if not wide_move(S, thread) and (low or kind == FORMAT_TF32) else 0


def get_rows(S: View, thread: int, first: int, count: int, kind: int, low: int) -> int:
    """Rows of Dst into `b`, as SrcA and SrcB have datums of format `kind`."""
    flags = 0 if config(S, thread, ZERO_FLAG_WORD) & KEEP_DST else ALL_COLUMNS
    wide = wide_move(S, thread)
    for i in range(count):
        if wide:
            get_wide(S, row32(S, thread, first + i), i, flags, STYLE[kind], low)
        else:
            get_half(S, row16(S, thread, first + i), i, flags, STYLE[kind])
    return 0


def datum_of(half: int, narrow: int) -> int:
    """16 bits of Dst as SrcA and SrcB have BF16, or (`narrow`) FP16."""
    bf16 = (half & 0xFF00) << 3 | half & 0xFF
    fp16 = (half & 0xFFE0) << 3 | half & 0x1F
    return fp16 if narrow else bf16


def get_half(S: View, at: int, i: int, flags: int, style: int) -> int:
    """A row of Dst16b."""
    gone = S.dst.undefined[at] & flags
    for j in lanes(16):
        half = S.dst.bits[at & 0x3FF, j] & (((gone >> j) & 1) - 1)
        S.fpu.b[i & 7, j] = datum_of(half, style == FP16)
    return 0


def get_wide(S: View, at: int, i: int, flags: int, style: int, low: int) -> int:
    """A row of Dst32b. Of TF32 the low half is what TF32 drops of FP32."""
    gone = S.dst.undefined[at] & flags
    for j in lanes(16):
        kept = ((gone >> j) & 1) - 1
        high = S.dst.bits[at & 0x3F7, j] & kept
        rest = S.dst.bits[(at & 0x3F7) + LOW, j] & kept
        datum = datum_of(rest if low else high, style == FP16)
        tf32 = rest & 0x1FFF if low else datum_of(high, 0) | (rest >> 13) << 8
        S.fpu.b[i & 7, j] = tf32 if style == TF32 else datum
    return 0
