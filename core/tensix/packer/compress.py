# SPDX-License-Identifier: Apache-2.0
"""Compression: zeros become counters of four bits at the datum before them (Compression.md).

    row starts   0, then after each row how many datums were kept so far; 16 bits each
    datums       32 of them that were kept, then their 32 counters, and so on

The first and the last datum of a row are kept. A row is a PACR, or several where Concat is set.

UNSPECIFIED(Compression.md): the exact logic. Here a zero is a datum of which all bits are 0 after
the late conversion, before block float; a counter counts to 15, and the zero after that is kept.
"""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer.formats import BITS, HAS_EXPONENTS
from tensix_gdb.core.tensix.packer.output import append, end_group, flush
from tensix_gdb.core.tensix.packer.state import DATUMS, ROW_STARTS, ZERO_ROWS

COLD = True  # little time of LLVM for it (core/engine/README.md)

CHUNK = 32  # datums with their counters after them
LONGEST = 15
FLAGS = 32


def compress(S: View, n: int) -> int:
    """`n` datums that are through the late conversion."""
    # What is kept goes through `datum` again when its group is full, so they move out first.
    for i in range(n):
        S.pack.chosen[i] = S.pack.datum[i]
    for i in range(n):
        value = S.pack.chosen[i]
        if value:
            S.pack.row_zero = 0
        if S.pack.in_row and value == 0 and S.pack.zeros < LONGEST:
            S.pack.zeros += 1
        else:
            keep_datum(S)
            S.pack.kept = value
            S.pack.has_kept = 1
            S.pack.in_row = 1
    return 0


def open_streams(S: View) -> int:
    """The first row starts at 0."""
    S.pack.augmented = 0
    S.pack.rows = 0
    S.pack.zero_flags = 0
    S.pack.row_zero = 1
    return append(S, ROW_STARTS, 0, 16)


def keep_datum(S: View) -> int:
    """The datum that waits for its counter goes to its stream."""
    if S.pack.has_kept == 0:
        return 0
    at = S.pack.augmented % CHUNK
    S.pack.counters[at >> 3] |= S.pack.zeros << (4 * (at & 7))
    S.pack.augmented = (S.pack.augmented + 1) & 0xFFFF
    S.pack.zeros = 0
    S.pack.has_kept = 0
    if HAS_EXPONENTS[S.pack.format]:
        S.pack.group[S.pack.grouped] = S.pack.kept
        S.pack.grouped += 1
        if S.pack.grouped == 16:
            end_group(S)
    else:
        append(S, DATUMS, S.pack.kept, BITS[S.pack.format])
    return counters(S) if at == CHUNK - 1 else 0


def counters(S: View) -> int:
    """The counters of 32 datums."""
    for i in range(4):
        append(S, DATUMS, S.pack.counters[i], 32)
        S.pack.counters[i] = 0
    return 0


def end_row(S: View) -> int:
    """The last datum of a row is kept, and where the next row starts is known."""
    if S.pack.in_row == 0:
        return 0
    if S.pack.zeros:
        S.pack.zeros -= 1
        keep_datum(S)
        S.pack.kept = 0
        S.pack.has_kept = 1
    keep_datum(S)
    S.pack.in_row = 0
    if S.pack.row_zero and S.pack.header_flags & ZERO_ROWS and S.pack.rows < FLAGS:
        S.pack.zero_flags |= 1 << S.pack.rows
    S.pack.row_zero = 1
    S.pack.rows = min(S.pack.rows + 1, 255)
    return append(S, ROW_STARTS, S.pack.augmented, 16)


def end(S: View) -> int:
    """The end of a tile: the last 32 datums are filled up and have their counters."""
    end_row(S)
    if S.pack.grouped:
        end_group(S)
    held = S.pack.augmented % CHUNK
    if held:
        for _ in range(held, CHUNK):
            append(S, DATUMS, 0, BITS[S.pack.format])
        counters(S)
    return flush(S)
