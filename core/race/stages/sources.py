# SPDX-License-Identifier: Apache-2.0
"""F5, F6: the formats of SrcA and SrcB as they were unpacked, and as the Matrix Unit takes them.

An unpacker leaves its format with the bank, and on Blackhole the Matrix Unit takes SrcA for that
unless the thread has it from ALU_FORMAT_SPEC. The arithmetic takes SrcB for floats of SrcA's
family. Moves carry bits, whatever they are, so only arithmetic is asked, and only banks that an
UNPACR has filled.
"""

from tensix_gdb.core.race.fields import SITES
from tensix_gdb.core.race.stages.dst import KINDS, format_of
from tensix_gdb.core.race.stages.fields import By, Kind, add, now
from tensix_gdb.core.race.stages.table import Number
from tensix_gdb.core.race.state.fields import is_kernel
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.instruction import Instruction
from tensix_gdb.core.tensix.matrix import dst_undo
from tensix_gdb.core.tensix.matrix.formats import (
    BF16,
    FP16,
    INT8,
    TF32,
    keeps_denormals,
    moved_format,
    style_of_a,
)
from tensix_gdb.core.tensix.regfiles.src import SRC_A, SRC_B
from tensix_gdb.core.tensix.table import by_number
from tensix_gdb.core.tensix.unpacker import queue

ARITHMETIC = ("ELWADD", "ELWSUB", "ELWMUL", "MVMUL", "DOTPV", "GAPOOL", "GMPOOL")
INT16 = 9  # a data format
EXPONENT = 0xFF  # bits of a datum of SrcA or SrcB


def _computes(row: Instruction) -> int:
    return int(row.mnemonic in ARITHMETIC)


COMPUTES = by_number(_computes)


def unpack_begins(S: View, j: int) -> int:
    """An instruction of an unpacker is at `j` of the queue."""
    filled = S.unpack.kind[j] == queue.MOVE and S.unpack.flags[j] & queue.ALL_ZERO == 0
    S.stages.job[j] = 1 + S.unpack.format[j] if filled else 0
    return 0


def given(S: View, source: int, bank: int, j: int, site: int) -> int:
    """An unpacker has given a bank away: with the instruction that was at `j` of its queue."""
    S.stages.source[source, bank] = S.stages.job[j]
    S.stages.source_site[source, bank] = site
    S.stages.source_at[source, bank] = now(S)
    return 0


def forget(S: View, source: int) -> int:
    """An instruction writes the Matrix Unit's bank."""
    S.stages.source[source, S.busy.matrix_bank[source]] = 0
    return 0


def matrix_begins(S: View, thread: int, number: int, word: int, site: int) -> int:
    """An instruction of the Matrix Unit is at the gate, and has its banks."""
    if dst_undo.KINDS[number]:
        S.stages.taken = format_of(S, thread, number)
    if is_kernel(S, site) == 0:
        return 0
    if COMPUTES[number]:
        style = style_of_a(S, thread)
        for source in range(2):
            computes(S, source, style, site)
    elif dst_undo.KINDS[number] == dst_undo.FROM_A:
        moves(S, thread, SRC_A, field(word, number, 1), 8 if field(word, number, 3) else 1, site)
    elif dst_undo.KINDS[number] == dst_undo.FROM_B:
        moves(S, thread, SRC_B, field(word, number, 1), 4 if field(word, number, 3) else 1, site)
    return 0


def computes(S: View, source: int, style: int, site: int) -> int:
    """Arithmetic takes a bank for datums of a style."""
    bank = S.busy.matrix_bank[source]
    if S.stages.source[source, bank] == 0:
        return 0
    fmt = S.stages.source[source, bank] - 1
    kind = KINDS[fmt]
    read = Kind.E8
    if style == FP16:
        read = Kind.E5
    elif style == INT8:
        read = Kind.I8
    elif style != BF16 and style != TF32:
        return 0
    if kind == 0 or kind == read:
        return 0
    other = S.stages.source_site[source, bank] & (SITES - 1)
    when = S.stages.source_at[source, bank]
    return add(S, Number.F5, site, other, source << 4 | By.MATH, source, fmt, style, when)


def moves(S: View, thread: int, source: int, row: int, count: int, site: int) -> int:
    """A move out of a bank flushes what has no bits in its exponent."""
    bank = S.busy.matrix_bank[source]
    fmt = S.stages.source[source, bank] - 1
    if fmt != INT16 or moved_format(S, thread, source) != INT16 or keeps_denormals(S, thread):
        return 0
    first = row + (S.rwc.src_b[thread] if source else S.rwc.src_a[thread])
    if count > 1:
        first &= 64 - count
    for i in range(count):
        for j in range(16):
            at = (first + i) & 63
            datum = S.src.b[bank, at, j] if source else S.src.a[bank, at, j]
            if datum and datum & EXPONENT == 0:
                other = S.stages.source_site[source, bank] & (SITES - 1)
                when = S.stages.source_at[source, bank]
                detail = source << 4 | By.MOVE
                # As it is in L1: the high byte of 16 bits.
                return add(S, Number.F6, site, other, detail, source, datum >> 3, fmt, when)
    return 0
