# SPDX-License-Identifier: Apache-2.0
"""The contents of Dst before the writes that are still under way in the Matrix Unit.

An instruction of the Matrix Unit writes Dst when it passes the gate, so that what comes after it
in the unit finds its operands; but no other unit may see that before its latency is over. So each
place of the pipe (pipeline.py) keeps the rows that its instruction writes as they were before
(dst_undo.py), and a reader from elsewhere that no hardware holds back gets these:

    rewind_writes(S)    Dst as it is without the writes under way
    replay_writes(S)     undo that; what was stored between is lost where a write under way goes

The hardware does wait for the Matrix Unit itself and the packer (Dst.md), which read Dst as it is.
It does not for

    loads and stores of T0 to T2    Dst.md has no word of it: until the pipe is through (C4)
    SFPLOAD, SFPLOADMACRO           three instructions have to stand between (their pages)
    MOVD2B                          Dst.md says that it waits. LLK says of Blackhole that it does
                                    not wait for MVMUL, has seen the old data, and puts a STALLWAIT
                                    between them (llk_math_hadamard.h); after GAPOOL and GMPOOL it
                                    puts none (llk_math_reduce.h). `latency` does as the page says;
                                    in `random` MOVD2B may pass, and then reads what was there
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.tensix.regfiles.dst import COLUMNS

PLACES = 8  # of the pipe
BLOCK = 8
MAX_ROWS = 2 * BLOCK  # of DstBits: a block of Dst32b

_A = Tag.ARCHITECTURAL

# fmt: off
STALE = Part("fpu_stale", (
    row("count",     "u8",  PLACES,                       _A, "rows of DstBits that are kept"),
    row("at",        "u16", (PLACES, MAX_ROWS),          _A, "which"),
    row("columns",   "u16", PLACES,                       _A, "and which columns, a bit each"),
    row("undefined", "u16", (PLACES, MAX_ROWS),          _A, "as in Dst"),
    row("bits",      "u16", (PLACES, MAX_ROWS, COLUMNS), _A, "as in Dst"),
))
# fmt: on


def keep_row(S: View, place: int, i: int, at: int) -> int:
    """Keep one row of DstBits in a place."""
    S.fpu_stale.at[place & 7, i & 15] = at & 0x3FF
    S.fpu_stale.undefined[place & 7, i & 15] = S.dst.undefined[at & 0x3FF]
    for j in lanes(COLUMNS):
        S.fpu_stale.bits[place & 7, i & 15, j] = S.dst.bits[at & 0x3FF, j]
    return 0


def swap_rows(S: View, place: int) -> int:
    """Swap rows of Dst with those that the place keeps."""
    columns = S.fpu_stale.columns[place]
    for i in range(S.fpu_stale.count[place]):
        at = S.fpu_stale.at[place, i]
        other = (S.dst.undefined[at] ^ S.fpu_stale.undefined[place, i]) & columns
        S.dst.undefined[at] ^= other
        S.fpu_stale.undefined[place, i] ^= other
        for j in lanes(COLUMNS):
            bits = S.dst.bits[at & 0x3FF, j]
            kept = S.fpu_stale.bits[place & 7, i & 15, j]
            S.dst.bits[at & 0x3FF, j] = kept if (columns >> j) & 1 else bits
            S.fpu_stale.bits[place & 7, i & 15, j] = bits if (columns >> j) & 1 else kept
    return 0


def rewind_writes(S: View) -> int:
    """Take the writes under way out of Dst, the last one first."""
    for i in range(S.fpu_pipe.count - 1, -1, -1):
        swap_rows(S, (S.fpu_pipe.first + i) & (PLACES - 1))
    return 0


def replay_writes(S: View) -> int:
    """Put the writes under way into Dst again."""
    for i in range(S.fpu_pipe.count):
        swap_rows(S, (S.fpu_pipe.first + i) & (PLACES - 1))
    return 0
