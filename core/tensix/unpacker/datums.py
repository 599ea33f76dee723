# SPDX-License-Identifier: Apache-2.0
"""The loop of UNPACR: datums from L1 to SrcA, SrcB or Dst (UNPACR_Regular.md).

`move` takes one piece of at most 16 datums through it: what is contiguous in L1 and has two
exponents at most. The datums are converted into `unpack.datum` first, then written: a row at once,
or one by one where that is not filled from its start, or upsampling and shifting move them.

A row of SrcA past its 64 rows, which SetOvrdWithAddr makes possible: UNPACR_Regular.md has that
undefined. UNSPECIFIED(UNPACR_Regular.md): it wraps, as Tenstorrent's simulator has it for Blackhole
(and refuses it for Wormhole). The same simulator refuses more than a row of SrcA that starts inside
of what the unpacker fetches in one cycle, where it says writes may be dropped; no page does, and
here they are all made.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.data_format import Format
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tensix.unpacker import queue as queue
from tensix_gdb.core.tensix.unpacker.config import UNSIGNED_INT8, value
from tensix_gdb.core.tensix.unpacker.formats import (
    BITS,
    CONVERT,
    TAKES,
    UNSIGNED,
    convert,
    dst_of_32_bits,
    src_of_bf16,
    src_of_bfp8,
    src_of_fp32_as_tf32,
)
from tensix_gdb.core.tensix.unpacker.queue import DST_16, DST_32, RUN, SRC_A, SRC_B
from tensix_gdb.core.tensix.unpacker.target import FIRST_ROW, ROWS_WITHOUT_OVERRIDE

NO_EXPONENT, OUTSIDE_SRC_A, OUTSIDE_L1 = -1, -2, -3  # what stops in the middle
SECTION = 16 * 16  # where exponents may wrap: at a multiple of 16 bytes, in 16ths of a byte


def move(S: View, unpacker: int, j: int) -> int:
    """Move the next piece; 0, or what is wrong."""
    n = min(RUN, S.unpack.total[j] - S.unpack.done[j])
    if S.unpack.flags[j] & queue.ALL_ZERO:
        for i in range(n):
            S.unpack.datum[i] = 0
    else:
        first = S.unpack.exponent[j]
        second = 0
        split = RUN
        if queue.has_own_exponents(S, j):
            at = S.unpack.exponents[j]
            split = RUN - (at & 15)
            first = S.l1.byte[at >> 4]
            if split < n:
                second = S.l1.byte[next_exponent(S, j, at) >> 4]
        modes = modes_of(S, unpacker, j)
        if CONVERT_RUN[S.unpack.conversion[j]](S, j, n, modes, first, second, split) < 0:
            return NO_EXPONENT
    write(S, unpacker, j, n)
    advance(S, j, n)
    return 0


def modes_of(S: View, unpacker: int, j: int) -> int:
    """Return the modes that matter to a conversion. SrcAUnsigned and SrcBUnsigned count while it
    happens."""
    if S.unpack.in_format[j] != Format.INT8:
        return S.unpack.modes[j]
    return UNSIGNED if value(S, S.unpack.bank[j], UNSIGNED_INT8[unpacker]) else 0


def next_exponent(S: View, j: int, at: int) -> int:
    """Return where the exponent after that of `at` is."""
    after = (at | 15) + 1
    if after % SECTION == 0 and after > S.unpack.limit[j] << 4:
        after -= S.unpack.fifo_size[j] << 4
    return after


def advance(S: View, j: int, n: int) -> int:
    """Addresses of the chunk after this one."""
    done = S.unpack.done[j] + n
    S.unpack.done[j] = done
    at = S.unpack.exponents[j]
    split = RUN - (at & 15)
    S.unpack.exponents[j] = at + n if n < split else next_exponent(S, j, at) + n - split
    bits = BITS[S.unpack.in_format[j]]
    data = S.unpack.data[j] + n * bits
    if done % S.unpack.width[j] == 0:
        data += (S.unpack.stride[j] << 3) - S.unpack.width[j] * bits
        if data > S.unpack.limit[j] << 3:
            data -= S.unpack.fifo_size[j] << 3
    S.unpack.data[j] = data
    return 0


# -- from L1
def convert_run(
    S: View,
    j: int,
    n: int,
    modes: int,
    first: int,
    second: int,
    split: int,
    HOW: Callable[[int, int, int], int],
    WIDTH: int,
) -> int:
    """Convert `n` datums of WIDTH bits from `data` on, by one of the frequent conversions."""
    count = min(n, RUN)
    at = S.unpack.data[j] // WIDTH
    if WIDTH == 32:
        at = max(min(at, L1_BYTES // 4 - count), 0)
        for i in range(count):
            S.unpack.datum[i] = HOW(S.l1.word[at + i], 0, 0)
    elif WIDTH == 16:
        at = max(min(at, L1_BYTES // 2 - count), 0)
        for i in range(count):
            S.unpack.datum[i] = HOW(S.l1.half[at + i], 0, 0)
    else:
        at = max(min(at, L1_BYTES - count), 0)
        for i in range(count):
            S.unpack.datum[i] = HOW(S.l1.byte[at + i], first if i < split else second, 0)
    return 0


def convert_any(S: View, j: int, n: int, modes: int, first: int, second: int, split: int) -> int:
    """Convert `n` datums by whichever conversion; negative if one cannot be."""
    bits = BITS[S.unpack.in_format[j]]
    conversion = S.unpack.conversion[j]
    at = S.unpack.data[j]
    worst = 0
    for i in range(min(n, RUN)):
        exponent = first if i < split else second
        datum = convert(conversion, read_bits(S, at + i * bits, bits), exponent, modes)
        worst = min(worst, datum)
        S.unpack.datum[i] = datum & MASK32
    return worst


def read_bits(S: View, at: int, bits: int) -> int:
    """`bits` bits of L1 from bit `at` on, which is a multiple of that."""
    match bits:
        case 32:
            return S.l1.word[at >> 5]
        case 16:
            return S.l1.half[at >> 4]
    return (S.l1.byte[at >> 3] >> (at & 7)) & ((1 << bits) - 1)


# Each is some code more in the clock loop, so only what kernels use all the time.
_FREQUENT = (src_of_bf16, src_of_fp32_as_tf32, src_of_bfp8, dst_of_32_bits)
CONVERT_RUN = tuple(
    partial(convert_run, HOW=how, WIDTH=width) if how in _FREQUENT else convert_any
    for how, width in zip(CONVERT, TAKES, strict=True)
)


# -- to the registers
def write(S: View, unpacker: int, j: int, n: int) -> int:
    """Write `n` converted datums."""
    out = S.unpack.out[j]
    if n < RUN or out & (RUN - 1) or not S.unpack.flags[j] & queue.PLAIN:
        for i in range(n):
            place(S, unpacker, j, S.unpack.datum[i])
        return 0
    S.unpack.out[j] = (out + RUN) & MASK32
    row = out >> 4
    if unpacker:
        return row_of_src_b(S, (row + S.src.unpack_row[SRC_B, S.unpack.thread[j]]) & 63)
    if S.unpack.target[j] == DST_32:
        return row_of_dst32(S, j, row_in_dst(row))
    if S.unpack.target[j] == DST_16:
        return row_of_dst16(S, j, row_in_dst(row))
    if row < FIRST_ROW:
        return 0
    row = row_of_src_a(S, j, row - FIRST_ROW)
    bank = S.busy.unpack_bank[SRC_A] & 1
    if S.unpack.flags[j] & queue.TRANSPOSE:
        return column_of_src_a(S, bank, row & 0x30, row & 15)
    for column in range(RUN):
        S.src.a[bank, row, column] = S.unpack.datum[column]
    return 0


def row_in_dst(row: int) -> int:
    """Return which row of Dst `row` is."""
    return (row - FIRST_ROW) & (dst.ROWS - 1)


def row_of_src_a(S: View, j: int, row: int) -> int:
    """Return which row of the bank `row` is, after the first four, which go nowhere."""
    if S.unpack.flags[j] & queue.OVERRIDE:
        return row & 63
    return (row + S.src.unpack_row[SRC_A, S.unpack.thread[j]]) & 63


def column_of_src_a(S: View, bank: int, first: int, column: int) -> int:
    """Haloize_mode: a row becomes a column of its 16 rows."""
    for i in range(RUN):
        S.src.a[bank, first + i, column] = S.unpack.datum[i]
    return 0


def row_of_src_b(S: View, row: int) -> int:
    """A whole row."""
    bank = S.busy.unpack_bank[SRC_B] & 1
    for column in range(RUN):
        S.src.b[bank, row, column] = S.unpack.datum[column]
    return 0


def note_defined(S: View, at: int) -> int:
    """Note that an undefined row of Dst will be defined, for a ZEROACC of the same cycle."""
    if S.schedule.kind < Schedule.RANDOM or S.dst.undefined[at] != dst.ALL_COLUMNS:
        return 0
    if S.unpack.defined_in != S.tile.cycle:
        for i in range(queue.DST_ROWS // 32):
            S.unpack.defined[i] = 0
        S.unpack.defined_in = S.tile.cycle
    S.unpack.defined[at >> 5] |= 1 << (at & 31)
    return 0


def row_of_dst16(S: View, j: int, row: int) -> int:
    """Return a whole row."""
    at = dst.row16(S, S.unpack.thread[j], row)
    for column in range(RUN):
        S.dst.bits[at, column] = S.unpack.datum[column] & 0xFFFF
    note_defined(S, at)
    return dst.define16(S, at, dst.ALL_COLUMNS)


def row_of_dst32(S: View, j: int, row: int) -> int:
    """Return a whole row, in two rows of the storage."""
    at = dst.row32(S, S.unpack.thread[j], row)
    for column in range(RUN):
        S.dst.bits[at, column] = S.unpack.datum[column] >> 16
    for column in range(RUN):
        S.dst.bits[at + dst.LOW, column] = S.unpack.datum[column] & 0xFFFF
    note_defined(S, at)
    return dst.define32(S, at, dst.ALL_COLUMNS)


def place(S: View, unpacker: int, j: int, datum: int) -> int:
    """Write one datum, and what upsampling puts after it; 0 or OUTSIDE_SRC_A."""
    out = S.unpack.out[j]
    zeros = S.unpack.zeros[j]
    status = place_at(S, unpacker, j, out, datum)
    if zeros and not S.unpack.flags[j] & queue.INTERLEAVE:
        for i in range(zeros):
            status = min(status, place_at(S, unpacker, j, (out + 1 + i) & MASK32, 0))
    S.unpack.out[j] = (out + 1 + zeros) & MASK32
    return status


def place_at(S: View, unpacker: int, j: int, out: int, datum: int) -> int:
    """Write one datum; 0 or OUTSIDE_SRC_A."""
    thread = S.unpack.thread[j]
    row = out >> 4
    column = out & 15
    if unpacker:
        row = (row + S.src.unpack_row[SRC_B, thread]) & 63
        S.src.b[S.busy.unpack_bank[SRC_B], row, column] = datum
        return 0
    if S.unpack.target[j] == DST_32:
        at = dst.row32(S, thread, row_in_dst(row))
        return dst.write32(S, at, column, datum)
    if S.unpack.target[j] == DST_16:
        at = dst.row16(S, thread, row_in_dst(row))
        return dst.write16(S, at, column, datum)
    if row < FIRST_ROW or column < S.unpack.col_shift[j]:
        return 0
    row -= FIRST_ROW
    column -= S.unpack.col_shift[j]
    if row >= ROWS_WITHOUT_OVERRIDE and not S.unpack.flags[j] & queue.OVERRIDE:
        return OUTSIDE_SRC_A
    row = row_of_src_a(S, j, row)
    if S.unpack.flags[j] & queue.TRANSPOSE:
        S.src.a[S.busy.unpack_bank[SRC_A], (row & 0x30) | column, row & 15] = datum
    else:
        S.src.a[S.busy.unpack_bank[SRC_A], row, column] = datum
    return 0
