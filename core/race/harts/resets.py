# SPDX-License-Identifier: Apache-2.0
"""Soft reset of harts: what one has done before it is held, and what it finds when it is let go.

A store to SOFT_RESET_0 is processed in the region of tile control, and the hart that it lets go
begins after what the storing hart had *used* when it made the store. What that hart has emitted to
other regions without a load that says so is ordered by promise P10 alone.
"""

from tensix_gdb.core.arch.blackhole import (
    HARTS,
    SOFT_RESET_BIT,
    THREADS,
    TILE_CONTROL_BASE,
    B,
)
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering.promises import OLD
from tensix_gdb.core.race.clocks import copy, join, reach
from tensix_gdb.core.race.fields import B_PUSHES, HELD, LET_GO, PAST
from tensix_gdb.core.race.lines import REGIONS, SPARE, STORE, Region, of_hart
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state import changed, contract
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.race.sync import after_thread
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import RETIRE_ORDER_ENTRIES
from tensix_gdb.core.tensix.regfiles.dst import DST16B_IN_DST32B

COLD = True  # little time of LLVM for it (core/engine/README.md)

SOFT_RESET, FEATURES = TILE_CONTROL_BASE + 0x1B0, TILE_CONTROL_BASE + 0x068
REGISTERS = 96


def stored(S: View, hart: int, clock: int) -> int:
    """The oldest request of a hart to tile control is a store, and about to be processed."""
    addr = S.stream.addr[hart, streams.TILE_CONTROL, 0] & ~3
    value = S.stream.data[hart, streams.TILE_CONTROL, 0, 0]
    changed = (value ^ S.tile_control.feature_disable) & DST16B_IN_DST32B
    if addr == FEATURES and changed and S.state.on & Group.MEMORY:
        pc = S.stream.pc[hart, streams.TILE_CONTROL, 0]
        contract.lays_out(S, site_of(S, hart, 0, 0, 0, pc))
    if addr != SOFT_RESET:
        return 0
    for other in range(HARTS):
        held = (value >> SOFT_RESET_BIT[other]) & 1
        if held and not S.hart.in_reset[other]:
            stops(S, other)
        elif not held and S.hart.in_reset[other]:
            starts(S, hart, other, clock)
    return 0


def stops(S: View, hart: int) -> int:
    """A hart is held: what it has made is processed by now, or never will be."""
    changed.forget(S, hart)
    copy(S, HELD + hart, PAST + hart)
    for region in range(REGIONS):
        for way in range(2):
            line = of_hart(hart, region, way)
            if line != SPARE:
                reach(S, HELD + hart, line, S.race.made[hart, region, way])
    return 0


def starts(S: View, by: int, hart: int, clock: int) -> int:
    """A hart is let go by a store that comes after `clock`."""
    past = PAST + hart
    copy(S, past, clock)
    join(S, past, HELD + hart)
    S.race.left[hart] = S.race.stores[hart]
    S.race.settles[hart] = 0
    S.race.pending[hart] = 0
    for entry in range(RETIRE_ORDER_ENTRIES):
        S.race.unused[hart, entry] = 0
    for register in range(REGISTERS):
        S.race.source[hart, register] = 0
    return promise(S, by, hart)


def promise(S: View, by: int, hart: int) -> int:
    """Note what P10 has done by then: old stores to configuration, and what B has pushed."""
    row = LET_GO + hart
    copy(S, row, PAST + hart)
    count = S.race.made[by, Region.CONFIG, STORE]
    tries = 0
    while tries < 8 and count > 0 and S.race.old_cycle[by, 1, count & 7] + OLD > S.tile.cycle:
        count -= 1
        tries += 1
    if tries < 8:
        reach(S, row, of_hart(by, Region.CONFIG, STORE), count)
    if by == B:
        for thread in range(THREADS):
            last = S.race.b_last[thread]
            if last and S.race.b_cycle[thread, (last - 1) & (B_PUSHES - 1)] + OLD <= S.tile.cycle:
                after_thread(S, thread, row)
    return 0


def loaded(S: View, hart: int, clock: int) -> int:
    """The oldest request of a hart to tile control is a load, and was processed: it has seen which
    harts are held."""
    if S.stream.addr[hart, streams.TILE_CONTROL, 0] & ~3 == SOFT_RESET:
        for other in range(HARTS):
            if S.hart.in_reset[other]:
                join(S, clock, HELD + other)
    return 0
