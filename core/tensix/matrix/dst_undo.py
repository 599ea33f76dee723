# SPDX-License-Identifier: Apache-2.0
"""Rows of Dst that an instruction of the Matrix Unit is about to write, to be kept as they are."""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.matrix.dst_before import keep_row
from tensix_gdb.core.tensix.matrix.dst_rows import ROW
from tensix_gdb.core.tensix.matrix.formats import dst_row_of, moved_format, wide_dst
from tensix_gdb.core.tensix.matrix.moves import FORMAT_TF32, allowed_columns, wide_movb2d
from tensix_gdb.core.tensix.regfiles.dst import ALL_COLUMNS, LOW, row16, row32
from tensix_gdb.core.tensix.regfiles.src import SRC_A, SRC_B
from tensix_gdb.core.tensix.table import FIRST, ROWS

# How many rows an instruction writes, by number of row.
EIGHT, FOUR, BROADCAST, FROM_A, FROM_B = 1, 2, 3, 4, 5
_KINDS = {
    **dict.fromkeys(("DOTPV", "ELWMUL", "ELWADD", "ELWSUB"), EIGHT),
    **dict.fromkeys(("GAPOOL", "GMPOOL"), FOUR),
    **dict.fromkeys(("MOVA2D", "MOVDBGA2D"), FROM_A),
    "MVMUL": BROADCAST,
    "MOVB2D": FROM_B,
}
KINDS = (*(0,) * FIRST, *(_KINDS.get(row.mnemonic, 0) for row in ROWS))


def keep_dst(S: View, place: int, thread: int, number: int, word: int) -> int:
    """The instruction is about to write Dst: keep what is there."""
    kind = KINDS[number]
    S.fpu_stale.columns[place] = ALL_COLUMNS
    if kind == FOUR:
        return keep_rows(S, place, thread, word, 0x3FC, 4, 1, wide_dst(S, thread))
    if kind == EIGHT or (kind == BROADCAST and not field(word, number, 2)):
        return keep_rows(S, place, thread, word, 0x3F8, 8, 1, wide_dst(S, thread))
    if kind == BROADCAST:
        return keep_rows(S, place, thread, word, 0x400 - 7, 4, 2, wide_dst(S, thread))
    S.fpu_stale.columns[place] = allowed_columns(S)
    source = SRC_A if kind == FROM_A else SRC_B
    wide = 1 if moved_format(S, thread, source) == FORMAT_TF32 or field(word, number, 0) else 0
    if kind == FROM_B and wide_movb2d(S, thread):
        wide = 1
    if field(word, number, 3 if kind == FROM_A else 4):
        return keep_rows(S, place, thread, word, 0x3F8, 8, 1, wide)
    if kind == FROM_B and field(word, number, 3):
        return keep_rows(S, place, thread, word, 0x3FC, 4, 1, wide)
    return keep_rows(S, place, thread, word, 0x3FF, 1, 1, wide)


def keep_rows(
    S: View, place: int, thread: int, word: int, mask: int, count: int, step: int, wide: int
) -> int:
    """`count` rows of Dst, `step` apart, from the one that the instruction means on."""
    first = dst_row_of(S, thread, word & 0x3FF) & mask
    S.fpu_stale.count[place] = 2 * count if wide else count
    more = 2 if step == 1 and count >= 4 else 0  # as in `read_rows`
    for group in range(count >> more):
        i = group << more
        row = first + i * step
        at = row32(S, thread, row) if wide else row16(S, thread, row)
        for k in range(1 << more):
            keep_row(S, place, i + k, (at + k) & ROW)
            if wide:
                keep_row(S, place, count + i + k, ((at + k) & ROW) + LOW)
    return 0
