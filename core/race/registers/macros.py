# SPDX-License-Identifier: Apache-2.0
"""Stores that SFPLOADMACRO has scheduled: accesses to rows of Dst of their own (SFPLOADMACRO.md).

    SFPLOADMACRO begins ── its load ── so many cycles, or instructions ── the store is made

Nothing that its thread waits for meanwhile holds such a store, so it begins with the clock of its
macro. It ends with the youngest instruction of the Vector Unit that has begun when it is made: what
waits for that (C11) has waited for the store, which the unit had before. One that counts
instructions stands in their order; one that counts cycles comes before or after those that have
begun since the macro, as a stall between them decides. That matters if one of these is at the same
rows and columns. The shadow has the last number of all reads of a block of rows, so otherwise a
store would seem to meet those of its neighbours.
"""

from tensix_gdb.core.race.clocks import copy, reach
from tensix_gdb.core.race.fields import (
    MACROS,
    MACROS_KEPT,
    SCRATCH,
    VECTOR_KEPT,
    pc_of,
)
from tensix_gdb.core.race.lines import Line, of_thread
from tensix_gdb.core.race.registers import dst
from tensix_gdb.core.race.shadow import WRITE
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.regfiles.dst import LOW
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.macro import (
    AT_SHIFT,
    BY_INSTRUCTIONS,
    MOD0_SHIFT,
    PLACES,
    STORING,
)
from tensix_gdb.core.tensix.vector.state import COLUMNS

COLD = True  # little time of LLVM for it (core/engine/README.md)

HART_AND_THREAD = 0x1F  # of the key of a site


def begun(S: View, thread: int, site: int) -> int:
    """SFPLOADMACRO has passed its gate: if it stores, keep its clock until that is made."""
    at = S.fifo.head[thread, C]
    scheduled = 0
    pc = S.fifo.pc[thread, C, at]
    for place in range(PLACES):
        if (
            S.macro.kind[STORING, place]
            and S.macro.thread[STORING, place] == thread
            and S.macro.pc[STORING, place] == pc
        ):
            scheduled = 1
    if scheduled == 0:
        return 0
    i = S.race.macros & (MACROS_KEPT - 1)
    S.race.macros = (S.race.macros + 1) & (MACROS_KEPT - 1)
    dst.vector_knows(S, thread)
    copy(S, MACROS + i, SCRATCH)
    S.race.macro_site[i] = site
    S.race.macro_number[i] = S.race.ends[thread, Line.VECTOR]
    return 0


def stores(S: View) -> int:
    """A scheduled store is about to be made: its columns, by what they store."""
    thread = S.macro.thread[STORING, 0]
    i = oldest(S, thread)
    if i < 0:
        return 0  # from before the tile was observed
    line = of_thread(thread, Line.VECTOR)
    number = S.race.macro_number[i]
    end = S.race.ends[thread, Line.VECTOR]
    S.race.macro_number[i] = 0
    before = 0
    for column in range(COLUMNS):
        operands = S.macro.operands[STORING, 0, column]
        if operands == 0 or operands == before:
            continue
        before = operands
        form = address.resolve(S, thread, (operands >> MOD0_SHIFT) & 15)
        at = (operands >> AT_SHIFT) & 0x3FF
        wide = (dst.WIDE_STORES >> form) & 1
        first = address.first_of_four(S, thread, at, wide)
        columns = 2 if (at >> 1) & 1 else 1
        counts = S.macro.kind[STORING, 0] == BY_INSTRUCTIONS
        known = number if not counts and meets(S, thread, number, first, columns) else end
        copy(S, SCRATCH, MACROS + i)
        reach(S, SCRATCH, line, known)
        site = S.race.macro_site[i]
        dst.rows(S, first, 4, columns, WRITE, SCRATCH, line, end, site)
        if wide:
            dst.rows(S, first + LOW, 4, columns, WRITE, SCRATCH, line, end, site)
    return 0


def meets(S: View, thread: int, number: int, first: int, columns: int) -> int:
    """True if an instruction that has begun since the one of this number is at the same place."""
    end = S.race.ends[thread, Line.VECTOR]
    if end - number >= VECTOR_KEPT:
        return 1
    for later in range(number + 1, end + 1):
        if S.race.vector_rows[thread, later & (VECTOR_KEPT - 1)] == dst.packed(
            later, first, columns
        ):
            return 1
    return 0


def oldest(S: View, thread: int) -> int:
    """Return the oldest macro of the store in place 0, by its instruction; -1 if it is not kept."""
    who = S.macro.hart[STORING, 0] | (thread + 1) << 3
    for n in range(MACROS_KEPT):
        i = (S.race.macros + n) & (MACROS_KEPT - 1)
        key = S.race.site[S.race.macro_site[i]]
        if (
            S.race.macro_number[i]
            and key & HART_AND_THREAD == who
            and pc_of(key) == S.macro.pc[STORING, 0]
        ):
            return i
    return -1
