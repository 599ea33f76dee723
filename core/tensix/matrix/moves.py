# SPDX-License-Identifier: Apache-2.0
"""Moves from SrcA and SrcB: MOVA2D, MOVDBGA2D, MOVB2D, MOVB2A, SHIFTXB;
MOVD2A and MOVD2B are in moves_from_dst.py.

Columns that BLOCK_DEST_MOV of the Vector Unit's LaneConfig names are left out. Datums of which the
exponent is 0 are flushed to +0 on their way out of SrcA and SrcB, unless Zero_Flag_disabled_src.

MOVB2D.md is Wormhole's. There only a SrcAFmt of TF32 or UseDst32bLo make Dst one of 32 bits, and
Tenstorrent's simulator has it so for Blackhole. Cards differ: while Fp32_enabled is set, MOVB2D
writes high and low halves (tt-llk#449), and UseDst32bLo is ignored
(llk_math_eltwise_unary_datacopy.h, tt-metal#42948), so LLK clears Fp32_enabled before it writes low
halves. INT8_math_enabled, which stays set when LLK does so for integers, does not count.
UNSPECIFIED(MOVB2D.md): the low halves that it writes then: 0. "Ignored" leaves open whether
UseDst32bLo writes nothing or writes as without it (tt-metal#47038 has seen the values in the high
halves): nothing here.

A SrcAFmt of TF32 with UseDst32bLo corrupts what MOVA2D, MOVDBGA2D and MOVB2D write on Blackhole
(erratum TEN-4245), and is undefined behaviour on the newest pages (MOVA2D.md, commit 545c98a;
MOVB2D.md, commit 812c86b) and in Tenstorrent's simulator. It stops. On Wormhole they have the
result of the older pages, of which the new ones say that it is unlikely to be useful.

A move to low halves alone leaves the high ones as they are in storage, though ZEROACC has made them
undefined, and makes the whole datum defined: LLK has found old data there on cards and moves zeros
to them first (tt-metal#47311). The page reads Dst32b before it writes, which would give 0.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.matrix.by_chip import (
    MOVB2D_DROPS_BITS,
    MOVB2D_IN_32_BITS,
    MOVES_CORRUPT_TF32_LOW,
)
from tensix_gdb.core.tensix.matrix.formats import (
    FORCE_WORD,
    FORMAT_WORD,
    FP16,
    FP32_BIT,
    KEEP,
    STYLE,
    UNKNOWN,
    config,
    dst_row_of,
    format_of,
    keeps_denormals,
    moved_format,
)
from tensix_gdb.core.tensix.regfiles import src
from tensix_gdb.core.tensix.regfiles.dst import ALL_COLUMNS, LOW, define16, define32, row16, row32
from tensix_gdb.core.tensix.regfiles.rwc import apply_addr_mod

FORMAT_TF32 = 4
BITS_OF_STYLE = (*KEEP, src.DATUM)  # of a datum of SrcB
BLOCK_DEST_MOV = 9  # of LaneConfig, two bits


def allowed_columns(S: View) -> int:
    """Columns, a bit each, that BLOCK_DEST_MOV does not block."""
    columns = ALL_COLUMNS
    for lane in range(8):
        columns &= ~((S.vector.config[lane] >> BLOCK_DEST_MOV & 3) << (2 * lane))
    return columns


# -- to Dst
def mova2d(
    S: View,
    thread: int,
    use_dst_32b_lo: int,
    src_row: int,
    addr_mod: int,
    move_8_rows: int,
    dst_row: int,
) -> int:
    """MOVA2D.md, MOVDBGA2D.md"""
    kind = moved_format(S, thread, src.SRC_A)
    if kind == FORMAT_TF32 and use_dst_32b_lo and MOVES_CORRUPT_TF32_LOW[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_MOVE_TF32_LOW)
    to = dst_row_of(S, thread, dst_row)
    row = src_row + S.rwc.src_a[thread]
    if move_8_rows:
        to &= 0x3F8
        row &= 0x38
    S.src.last_a_row = row & 0x3F
    bank = S.busy.matrix_bank[src.SRC_A]
    kept = keeps_denormals(S, thread)
    for i in range(8 if move_8_rows else 1):
        for j in lanes(16):
            S.fpu.b[i & 7, j] = flushed(S.src.a[bank & 1, (row + i) & 63, j], kept)
    put_rows(S, thread, to, 8 if move_8_rows else 1, kind, use_dst_32b_lo, 0)
    return apply_addr_mod(S, thread, addr_mod)


def movb2d(
    S: View,
    thread: int,
    use_dst_32b_lo: int,
    src_row: int,
    addr_mod: int,
    move_4_rows: int,
    broadcast_1_row_to_8: int,
    broadcast_col0: int,
    dst_row: int,
) -> int:
    """MOVB2D.md"""
    to = dst_row_of(S, thread, dst_row)
    row = src_row + S.rwc.src_b[thread]
    count = 1
    kind = moved_format(S, thread, src.SRC_B)
    if kind == FORMAT_TF32 and use_dst_32b_lo and MOVES_CORRUPT_TF32_LOW[S.tile.chip]:
        return fault_at_gate(S, thread, Fault.TENSIX_MOVE_TF32_LOW)
    if broadcast_1_row_to_8:
        count = 8
        to &= 0x3F8
    elif move_4_rows:
        count = 4
        to &= 0x3FC
        row &= 0x3C
    S.src.last_a_row = S.rwc.src_a[thread] & 0x3F
    fetch_b(S, thread, row, count, broadcast_1_row_to_8, broadcast_col0)
    put_rows(S, thread, to, count, kind, use_dst_32b_lo, wide_movb2d(S, thread))
    return apply_addr_mod(S, thread, addr_mod)


def wide_movb2d(S: View, thread: int) -> int:
    """True if it takes Dst for Dst32b."""
    if S.config.thread[thread, FORCE_WORD] & 1:
        return 0
    fp32 = (config(S, thread, FORMAT_WORD) >> FP32_BIT) & 1
    return fp32 & MOVB2D_IN_32_BITS[S.tile.chip]


def fetch_b(S: View, thread: int, first: int, count: int, one_row: int, column0: int) -> int:
    """Rows of SrcB into `b`, flushed.

    UNSPECIFIED(MOVB2D.md): whether bits of a datum that SrcB's format has not are dropped before
    that of SrcA counts. The page drops none. Tenstorrent's simulator does, on both chips; its
    author then found in tests against RTL that these masks seem to be Wormhole's alone and "fully
    removed" in Blackhole (ttsim#14). So Wormhole alone drops them here. Only a datum of TF32, moved
    as TF32 while SrcB's format is a narrower one, can tell.
    """
    bank = S.busy.matrix_bank[src.SRC_B]
    kept = keeps_denormals(S, thread)
    bits = src.DATUM
    if MOVB2D_DROPS_BITS[S.tile.chip]:
        bits = BITS_OF_STYLE[STYLE[format_of(S, thread, src.SRC_B)]]
    for i in range(count):
        at = first if one_row else first + i
        datum = flushed(S.src.b[bank & 1, at & 63, 0], kept) & bits
        for j in lanes(16):
            own = flushed(S.src.b[bank & 1, at & 63, j], kept) & bits
            S.fpu.b[i & 7, j] = datum if column0 else own
    return 0


def flushed(datum: int, kept: int) -> int:
    """Return a datum of SrcA or SrcB on its way out: +0 if all eight bits of its exponent are 0."""
    return datum if datum & 0xFF or kept else 0


def put_rows(S: View, thread: int, first: int, count: int, kind: int, low: int, wide: int) -> int:
    """`b` into rows of Dst; `kind` is SrcAFmt of the page, `low` UseDst32bLo, `wide`: see above."""
    if wide and low and kind != FORMAT_TF32:
        return 0
    columns = allowed_columns(S)
    narrow = STYLE[kind] == FP16 or STYLE[kind] == UNKNOWN
    for i in range(count):
        if kind == FORMAT_TF32 or low or wide:
            at = row32(S, thread, first + i)
            if kind == FORMAT_TF32:
                put_tf32(S, at, i, columns, low)
            elif wide:
                put_half(S, at, i, columns, narrow)
                clear_low(S, at, columns)
            else:
                put_low(S, at, i, columns, narrow)
            define32(S, at, columns)
        else:
            at = row16(S, thread, first + i)
            put_half(S, at, i, columns, narrow)
            define16(S, at, columns)
    return 0


def half_of(datum: int, narrow: int) -> int:
    """16 bits of a datum: without the low mantissa, or (`narrow`) without the high exponent."""
    sixteen = (datum >> 3) & 0xFF00 | datum & 0xFF
    fp16 = (datum >> 3) & 0xFFE0 | datum & 0x1F
    return fp16 if narrow else sixteen


def put_half(S: View, at: int, i: int, columns: int, narrow: int) -> int:
    """A row of Dst16b."""
    for j in lanes(16):
        value = half_of(S.fpu.b[i & 7, j], narrow)
        old = S.dst.bits[at & 0x3FF, j]
        S.dst.bits[at & 0x3FF, j] = value if (columns >> j) & 1 else old
    return 0


def put_tf32(S: View, at: int, i: int, columns: int, low: int) -> int:
    """A row of Dst32b; with `low`, on Wormhole, the low half gets the high one too."""
    for j in lanes(16):
        datum = S.fpu.b[i & 7, j]
        value = half_of(datum, 0)
        rest = ((datum >> 8) & 7) << 13
        rest = rest | value if low else rest
        old = S.dst.bits[at & 0x3F7, j]
        old_low = S.dst.bits[(at & 0x3F7) + LOW, j]
        S.dst.bits[at & 0x3F7, j] = value if (columns >> j) & 1 else old
        S.dst.bits[(at & 0x3F7) + LOW, j] = rest if (columns >> j) & 1 else old_low
    return 0


def put_low(S: View, at: int, i: int, columns: int, narrow: int) -> int:
    """The low halves of a row of Dst32b; the high halves stay."""
    for j in lanes(16):
        value = half_of(S.fpu.b[i & 7, j], narrow)
        old_low = S.dst.bits[(at & 0x3F7) + LOW, j]
        S.dst.bits[(at & 0x3F7) + LOW, j] = value if (columns >> j) & 1 else old_low
    return 0


def clear_low(S: View, at: int, columns: int) -> int:
    """The low halves of a row of Dst32b."""
    for j in lanes(16):
        old_low = S.dst.bits[(at & 0x3F7) + LOW, j]
        S.dst.bits[(at & 0x3F7) + LOW, j] = 0 if (columns >> j) & 1 else old_low
    return 0


# -- from SrcB to SrcA or itself
def movb2a(
    S: View, thread: int, srca_row: int, addr_mod: int, move_4_rows: int, srcb_row: int
) -> int:
    """MOVB2A.md"""
    to = srca_row + S.rwc.src_a[thread]
    row = srcb_row + S.rwc.src_b[thread]
    if move_4_rows:
        to &= 0x3C
        row &= 0x3C
    S.src.last_a_row = to & 0x3F
    bank_a = S.busy.matrix_bank[src.SRC_A]
    bank_b = S.busy.matrix_bank[src.SRC_B]
    columns = allowed_columns(S)
    kept = keeps_denormals(S, thread)
    for i in range(4 if move_4_rows else 1):
        for j in lanes(16):
            datum = flushed(S.src.b[bank_b & 1, (row + i) & 63, j], kept)
            old = S.src.a[bank_a & 1, (to + i) & 63, j]
            S.src.a[bank_a & 1, (to + i) & 63, j] = datum if (columns >> j) & 1 else old
    return apply_addr_mod(S, thread, addr_mod)


def shiftxb(S: View, thread: int, addr_mod: int, shift_in_zero: int, src_row: int) -> int:
    """SHIFTXB.md"""
    bank = S.busy.matrix_bank[src.SRC_B]
    row = (src_row + S.rwc.src_b[thread]) & 0x3F
    first = S.src.b[bank, row, 0]
    for j in range(15):
        S.src.b[bank, row, j] = S.src.b[bank, row, j + 1]
    S.src.b[bank, row, 15] = 0 if shift_in_zero else first
    return apply_addr_mod(S, thread, addr_mod)
