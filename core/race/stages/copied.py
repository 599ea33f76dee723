# SPDX-License-Identifier: Apache-2.0
"""The format of data that a hart copies, by loads and stores.

A hart copies where a store has the register of a load that stands before it, and nothing else has
written that in between. A line of L1 has the format then from its first byte on.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.race.fields import pc_of
from tensix_gdb.core.race.harts.polls import BRANCHES, JUMPS, STRAIGHT, decoded
from tensix_gdb.core.race.lines import CLOCKS, LOAD, STORE, Region, of_hart
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.table import FORMS

COLD = True  # little time of LLVM for it (core/engine/README.md)

FURTHEST = 16  # instructions from a load to the store of its value
LOADS = tuple(int(form is Form.LOAD) for form in FORMS)
STORES = tuple(int(form is Form.STORE) for form in FORMS)
# By line of the observer: 1 of those of the harts' loads and stores of L1.
_LINES = {of_hart(hart, Region.L1, way) for hart in range(HARTS) for way in (LOAD, STORE)}
OF_HART = tuple(int(line in _LINES) for line in range(CLOCKS))


def moved(S: View, cell: int, mask: int, writes: int, site: int) -> int:
    """A hart has loaded from a line of L1, or stored to it."""
    key = S.race.site[site]
    hart = key & 7
    if S.stages.moves[site] == 0:
        S.stages.moves[site] = register_moved(S, fetched_at(S, hart, pc_of(key)), writes)
    register = S.stages.moves[site] - 2
    if register <= 0:  # x0 has no value of a load
        if writes:
            S.stages.tile[cell] = 0
        return 0
    if writes == 0:
        S.stages.loaded[hart, register] = S.stages.tile[cell]
        S.stages.loaded_site[hart, register] = S.stages.tile_site[cell]
        S.stages.loaded_at[hart, register] = S.stages.tile_at[cell]
        S.stages.loaded_from[hart, register] = S.stages.tile_from[cell]
        return 0
    form = S.stages.loaded[hart, register]
    if mask & 1:
        S.stages.tile[cell] = form
        S.stages.tile_site[cell] = S.stages.loaded_site[hart, register]
        S.stages.tile_at[cell] = S.stages.loaded_at[hart, register]
        S.stages.tile_from[cell] = S.stages.loaded_from[hart, register]
    elif S.stages.tile[cell] != form:
        S.stages.tile[cell] = 0
    return 0


def register_moved(S: View, pc: int, writes: int) -> int:
    """Return 2 + the register of a load, or of a store of what a load has brought; 1 of another
    instruction. `pc` is the place that it is fetched from."""
    d = decoded(S, pc)
    if writes == 0:
        return 2 + ((d >> 8) & 31) if LOADS[d & 0xFF] else 1
    register = (d >> 24) & 31
    if STORES[d & 0xFF] == 0:
        return 1
    for i in range(1, FURTHEST):
        at = pc - 4 * i
        if at < 0:
            return 1
        d = decoded(S, at)
        op = d & 0xFF
        if BRANCHES[op] or JUMPS[op] or STRAIGHT[op] == 0:
            return 1
        if (d >> 8) & 31 == register:
            return 2 + register if LOADS[op] else 1
    return 1
