# SPDX-License-Identifier: Apache-2.0
"""The last write to a word of L1, where races or memory are observed: the shadow has it."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.reports import access_of
from tensix_gdb.core.race.fields import L1_CELLS, SITES, SLOTS, STRIDE
from tensix_gdb.core.race.shadow import SITE
from tensix_gdb.core.race.state.stale import last_write as slot_of
from tensix_gdb.gdbstub.tensix.blocked.instructions import place


@dataclass(frozen=True, slots=True)
class LastWrite:
    """An access: `agent` is a hart, a Tensix thread or a NIU; one of another tile has its name."""

    agent: str
    place: str
    cycle: int


def last_write(machine: Machine, addr: int, size: int) -> LastWrite | None:
    """Return the last write to bytes of L1; None where none is known."""
    S, observer = machine.S, machine.runner.races
    if not S.race.on or observer is None:
        return None
    slot = slot_of(S, L1_CELLS + (addr >> 4), (1 << size) - 1 << (addr & 15))
    if slot < 0:
        return None
    site = int(S.race.slot_what[slot]) >> SITE & SITES - 1
    cycle = int(S.tile.cycle) & ~0xFFFFFFFF | int(S.race.slot_when[slot])
    key = int(S.race.site[site])
    if key & 7 >= HARTS:
        return LastWrite("the host or another tile", "", cycle)
    if not key >> 3 & 3 and (tile := key >> 8 & 0xFF):
        # The programs of this tile do not say what is at an address of another one.
        return LastWrite(f"{HART_NAMES[key & 7]} of {observer.tiles[tile - 1]}", "", cycle)
    access = access_of(S, site, cycle, cycle)
    return LastWrite(access.agent, place(machine, access.hart, access.pc), cycle)


def is_unwritten(machine: Machine, addr: int, size: int) -> bool:
    """True if it is known that no instruction has written bytes of L1 since cycle 0."""
    S, observer = machine.S, machine.runner.races
    if observer is None or observer.first_cycle or not S.race.on or S.state.alone:
        return False
    cell = L1_CELLS + (addr >> 4)
    slots = range(cell * STRIDE, cell * STRIDE + SLOTS)
    is_full = all(S.race.slot_at[slot] for slot in slots)  # one may have gone
    return not is_full and slot_of(S, cell, (1 << size) - 1 << (addr & 15)) < 0
