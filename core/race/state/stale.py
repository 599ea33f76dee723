# SPDX-License-Identifier: Apache-2.0
"""M11: a load is answered by the L0 data cache, and another agent has written there since the line
was filled (MemoryOrdering.md, L0 data cache: it is not coherent).

A line that is older by some cycles is no mistake by itself: the load might have come earlier. It is
one where the hart has learned of the write before (its clock has reached it), or where the same
load is answered by the same old line again: a loop that waits for the word, without a fence. The
second rule holds only if the line stays: with the periodic flush of cfg0 such a loop ends.
"""

from tensix_gdb.core.race.fields import L1_CELLS, PAST, SITES, SLOTS, STRIDE
from tensix_gdb.core.race.state.fields import add
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.l0_cache import DIS_PERIODIC_FLUSH

WRITES = 1  # core/race/shadow.py, which has the fields of a slot
LINE, SITE, LINE_BITS = 2, 10, 0xFF


def hit(S: View, hart: int, line: int, addr: int, size: int, site: int, polls: int) -> int:
    """A load of a hart has got its bytes from a line of the L0 data cache."""
    shift = (addr & 3) * 8
    mask = (1 << (size * 8)) - 1
    old = (S.pipeline.l0_word[hart, line, (addr >> 2) & 3] >> shift) & mask
    new = (S.l1.word[addr >> 2] >> shift) & mask
    if old == new:
        return 0
    number = S.race.cached_at[hart, line]
    again = S.state.stale_site[hart, line] == site and S.state.stale_fill[hart, line] == number
    S.state.stale_site[hart, line] = site
    S.state.stale_fill[hart, line] = number
    writer = last_write(S, L1_CELLS + (addr >> 4), ((1 << size) - 1) << (addr & 15))
    knows = 0
    other = 0
    since = -1
    if writer >= 0:
        what = S.race.slot_what[writer]
        other = (what >> SITE) & (SITES - 1)
        since = (S.tile.cycle & ~0xFFFFFFFF) | S.race.slot_when[writer]
        if polls == 0:
            at = S.race.slot_at[writer]
            knows = 1 if at <= S.race.clock[PAST + hart, (what >> LINE) & LINE_BITS] else 0
    stays = 1 if again and S.hart.cfg0[hart] & DIS_PERIODIC_FLUSH else 0
    if knows | stays == 0:
        return 0
    i = add(S, Number.M11, site, other, 0, addr, old)
    if i >= 0 and S.found.times[i] == 1:
        S.found.more[i] = new
        S.found.when[i, 2] = since
    return 0


def last_write(S: View, cell: int, mask: int) -> int:
    """Return the slot of the last write to some bytes of a cell; -1 if none is known."""
    last = -1
    for i in range(cell * STRIDE, cell * STRIDE + SLOTS):
        if S.race.slot_at[i] == 0 or S.race.slot_mask[i] & mask == 0:
            continue
        if S.race.slot_what[i] & WRITES and (
            last < 0 or S.race.slot_when[i] >= S.race.slot_when[last]
        ):
            last = i
    return last
