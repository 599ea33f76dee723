# SPDX-License-Identifier: Apache-2.0
"""The L0 data cache of a hart: four lines of L1, not coherent (MemoryOrdering.md, L0 data cache).

A load that hits gets what L1 held when the line was read, whatever others have written since. Own
stores to L1 drop their line; `fence` and atomics drop all of it, and so do accesses that pmacfg0 or
pmacfg1 makes strongly ordered (CSRs.md: as if a `fence` stood before them), and one hit in about
125 unless cfg0.DisLowCachePeriodicFlush says otherwise.

UNSPECIFIED(MemoryOrdering.md): which line a miss replaces. Here the lines are taken in turn.
"""

from tensix_gdb.core.decisions import L0
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES, LINE_BYTES
from tensix_gdb.core.schedule import one_in

DIS_LOW_CASH = 1 << 3  # cfg0: the cache is off
DIS_PERIODIC_FLUSH = 1 << 24
FLUSH_PER_HITS = 125  # "approximately a 0.8% chance"


def lookup(S: View, hart: int, addr: int) -> int:
    """Return the number of the line that holds `addr`, or -1."""
    if S.hart.cfg0[hart] & DIS_LOW_CASH:
        return -1
    wanted = addr & ~(LINE_BYTES - 1)
    for i in range(L0_LINES):
        if S.pipeline.l0_valid[hart, i] and S.pipeline.l0_line[hart, i] == wanted:
            return i
    return -1


def fill(S: View, hart: int, addr: int) -> int:
    """Read the line around `addr` from L1."""
    if S.hart.cfg0[hart] & DIS_LOW_CASH:
        return 0
    i = lookup(S, hart, addr)  # two loads on their way may have missed the same line
    if i < 0:
        i = S.pipeline.l0_next[hart]
        S.pipeline.l0_next[hart] = (i + 1) % L0_LINES
    start = addr & ~(LINE_BYTES - 1)
    S.pipeline.l0_valid[hart, i] = 1
    S.pipeline.l0_line[hart, i] = start
    for word in range(4):
        S.pipeline.l0_word[hart, i, word] = S.l1.word[(start >> 2) + word]
    return 0


def drop_line(S: View, hart: int, addr: int) -> int:
    """An own store to L1: its line is read again when it is next wanted."""
    for i in range(L0_LINES):
        if S.pipeline.l0_line[hart, i] == addr & ~(LINE_BYTES - 1):
            drop(S, hart, i)
    return 0


def drop_all(S: View, hart: int) -> int:
    """fence, atomics, strongly ordered accesses, and now and then a hit."""
    for i in range(L0_LINES):
        drop(S, hart, i)
    return 0


def drop(S: View, hart: int, i: int) -> int:
    """Forget a line and its bytes."""
    S.pipeline.l0_valid[hart, i] = 0
    S.pipeline.l0_line[hart, i] = 0
    for word in range(4):
        S.pipeline.l0_word[hart, i, word] = 0
    return 0


def after_hit(S: View, hart: int) -> int:
    """One hit in FLUSH_PER_HITS drops the whole cache."""
    if not S.hart.cfg0[hart] & DIS_PERIODIC_FLUSH and one_in(S, FLUSH_PER_HITS, L0 + hart):
        return drop_all(S, hart)
    return 0
