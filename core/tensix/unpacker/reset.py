# SPDX-License-Identifier: Apache-2.0
"""The effects of SOFT_RESET_0's bits of unpackers, SrcA and SrcB (SoftReset.md).

bits 0, 1 and 7    the unpackers; all or none of them are to be set
bits 15 and 16     which unit has SrcA, and which has SrcB, with SrcB's data
bits 10, 19 to 22  SrcA's data, in all columns, or in four each

UNSPECIFIED(SoftReset.md): some of the three bits alone; each of them counts as all. While data are
held in reset, writes to them are discarded: here they are lost when the reset ends, which only
a reader in between could tell from it.
"""

from tensix_gdb.core.arch.blackhole import THREADS, SoftReset
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.regfiles.src import BANKS, COLUMNS, ROWS, SRC_A, SRC_B, reset_side
from tensix_gdb.core.tensix.unpacker import queue as queue

COLD = True  # little time of LLVM for it (core/engine/README.md)

SOFT_RESET_A_COLUMNS = 19  # the first of four bits


def change(S: View, entering: int, leaving: int) -> int:
    """These bits of SOFT_RESET_0 are set, those are cleared."""
    if entering & SoftReset.UNPACKERS:
        abort(S)
    if entering & SoftReset.SRC_A:
        reset_side(S, SRC_A)
    if entering & SoftReset.SRC_B:
        reset_side(S, SRC_B)
    either = entering | leaving
    if either & SoftReset.SRC_B:
        for bank in range(BANKS):
            for row in range(ROWS):
                for column in range(COLUMNS):
                    S.src.b[bank, row, column] = 0
    groups = 15 if either & SoftReset.FPU else (either >> SOFT_RESET_A_COLUMNS) & 15
    if groups:
        clear_columns(S, groups)
    return 0


def clear_columns(S: View, groups: int) -> int:
    """Zero columns of SrcA, four for each bit."""
    for bank in range(BANKS):
        for row in range(ROWS):
            for column in range(COLUMNS):
                if (groups >> (column >> 2)) & 1:
                    S.src.a[bank, row, column] = 0
    return 0


def abort(S: View) -> int:
    """UNPACR and UNPACR_NOP in flight are over."""
    S.unpack.addressing = 0
    S.unpack.address_due = 0
    for unpacker in range(queue.UNPACKERS):
        S.unpack.head[unpacker] = 0
        S.unpack.count[unpacker] = 0
        S.unpack.fetched[unpacker] = 0
        for thread in range(THREADS):
            S.busy.unpacker[unpacker, thread] = 0
    for j in range(queue.JOBS):
        S.unpack.kind[j] = queue.NOTHING
        S.unpack.due[j] = 0
    return 0
