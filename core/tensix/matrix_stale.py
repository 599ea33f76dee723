# SPDX-License-Identifier: Apache-2.0
"""MOVD2B that does not wait for what was just computed, in the schedule `random`.

Dst.md says that an instruction which reads a block of Dst waits for a write of the last four
cycles. LLK says of Blackhole that MOVD2B does not wait for MVMUL, has seen the old data, and puts
a STALLWAIT for the unit between them (llk_math_hadamard.h); behind GAPOOL and GMPOOL it puts none
(llk_math_reduce.h). `latency` does as the page says. In `random` MOVD2B may pass, and then reads
Dst as it was before the first of these writes, so that a program without the wait is found out.

What an instruction overwrites is kept for as long; `S.fpu_pipe.kept` says where.
"""

from core.lanes import lanes
from core.layout import Part, Tag, View, row
from core.tensix.dst import COLUMNS, LOW, row16, row32
from core.tensix.matrix_formats import wide_dst

PLACES = 8  # more than writes of the last four cycles
BLOCK = 8
ROWS = 2 * BLOCK  # of DstBits that a block of Dst32b takes

_A = Tag.ARCHITECTURAL

# fmt: off
STALE = Part("fpu_stale", (
    row("next",      "u8",  (),                      _A, "the place that is used next"),
    row("at",        "u16", (PLACES, ROWS),          _A, "rows of DstBits that are kept"),
    row("count",     "u8",  PLACES,                  _A, "how many"),
    row("undefined", "u16", (PLACES, ROWS),          _A, "as in Dst"),
    row("bits",      "u16", (PLACES, ROWS, COLUMNS), _A, "as in Dst"),
))
# fmt: on


def keep(S: View, thread: int, block: int) -> int:
    """Keep a block before it is written; the place."""
    place = S.fpu_stale.next & 7
    S.fpu_stale.next = (place + 1) & 7
    wide = wide_dst(S, thread)
    S.fpu_stale.count[place] = ROWS if wide else BLOCK
    for i in range(BLOCK):
        at = row32(S, thread, block * BLOCK + i) if wide else row16(S, thread, block * BLOCK + i)
        keep_row(S, place, i, at)
        if wide:
            keep_row(S, place, BLOCK + i, at + LOW)
    return place


def keep_row(S: View, place: int, i: int, at: int) -> int:
    """One row of DstBits."""
    S.fpu_stale.at[place, i] = at
    S.fpu_stale.undefined[place, i] = S.dst.undefined[at]
    for j in lanes(COLUMNS):
        S.fpu_stale.bits[place & 7, i & 15, j] = S.dst.bits[at & 0x3FF, j]
    return 0


def exchange(S: View, place: int) -> int:
    """Dst as it was when the place was filled, and what it is now into the place."""
    for i in range(S.fpu_stale.count[place]):
        at = S.fpu_stale.at[place, i]
        undefined = S.dst.undefined[at]
        S.dst.undefined[at] = S.fpu_stale.undefined[place, i]
        S.fpu_stale.undefined[place, i] = undefined
        for j in lanes(COLUMNS):
            bits = S.dst.bits[at & 0x3FF, j]
            S.dst.bits[at & 0x3FF, j] = S.fpu_stale.bits[place & 7, i & 15, j]
            S.fpu_stale.bits[place & 7, i & 15, j] = bits
    return 0
