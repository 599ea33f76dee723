# SPDX-License-Identifier: Apache-2.0
"""The order of the two sides of a report in their program, if that has one.

A report is of two accesses as they were processed, and one hart may have made both: a load that is
emitted before what an instruction does that was pushed earlier. Of a T core and its own thread the
observer counts pushes (core/race/heard.py). Of other pairs, such as a load and a request of an NIU,
the code says it: the one at the lower address comes first if no loop is around both and no
function ends between them. What is not certain counts as it was processed.
"""

from __future__ import annotations

from tensix_gdb.core.race.findings import Access
from tensix_gdb.core.race.harts.polls import BRANCHES, decoded
from tensix_gdb.core.race.harts.uses import JAL, JALR
from tensix_gdb.core.race.heard import LATER_FIRST, ORDERED
from tensix_gdb.core.record.layout import View

MOST = 4096  # instructions that are looked through
RA = 1


def is_later_first(S: View, earlier: Access, later: Access, heard: int) -> bool:
    """True if the side that was processed later comes first in the program of the hart that has
    made both; `heard` is what the record has of the report."""
    if earlier.outside or later.outside or earlier.hart != later.hart:
        return False
    if heard & ORDERED:
        return bool(heard & LATER_FIRST)
    if earlier.thread is not None and later.thread is not None:
        return False
    return later.pc < earlier.pc and _is_straight(S, later.pc, earlier.pc)


def _is_straight(S: View, first: int, last: int) -> bool:
    """True if code runs from `first` to `last` once in each call of its function."""
    end = 4 * len(S.l1.word)  # a litmus test has little of it
    for at in range(first, min(first + 4 * MOST, end), 4):
        d = decoded(S, at)
        op, rd, base = d & 0xFF, d >> 8 & 31, d >> 16 & 31
        if op == JALR and rd == 0 and base == RA:
            return at >= last
        if op == JALR and rd == 0:
            return False
        if BRANCHES[op] or (op == JAL and rd == 0):
            target = (at + (d >> 32)) & 0xFFFFFFFF
            if at >= last and target <= first:
                return False
            if at < last and op == JAL and not first <= target <= last:
                return False
    return False
