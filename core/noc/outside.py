# SPDX-License-Identifier: Apache-2.0
"""Memory that the NoC reaches outside the tile: DRAM, and the host's over PCI Express.

It is in pages outside the record (core/memory/pages.py): the run stops where a request needs it,
the data is moved here, and the run goes on.
"""

from __future__ import annotations

from typing import Protocol

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.memory.pages import Pages
from tensix_gdb.core.noc.arrive import outside_l1
from tensix_gdb.core.noc.carried import Follower, Spot
from tensix_gdb.core.noc.coordinates import DRAM, DRAM_0, HOST, at
from tensix_gdb.core.noc.request import KIND, READ
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.stop import StopKind

DRAM_BYTES = 0xFF000000  # of a channel, as tt-metal's description of the chip says
HOST_BYTES = 1 << 63


class Observer(Protocol):
    """Sees what requests do in DRAM (core/race/dram.py)."""

    def moved(
        self, S: View, niu: int, slot: int, memory: int, start: int, length: int, *, changes: bool
    ) -> None:
        """The data of a request has been moved to or from a channel."""

    def host(self, memory: int, start: int, length: int) -> None:
        """The host reads or writes a channel."""


class Outside:
    """All memory outside one tile, zero at first."""

    def __init__(self) -> None:
        self.races: Observer | None = None
        self.follower: Follower | None = None
        self.dram = [Pages(DRAM_BYTES) for _ in DRAM]
        self.host = Pages(HOST_BYTES)

    def memories(self) -> tuple[Pages, ...]:
        """All of it: the channels of DRAM, then the host's."""
        return (*self.dram, self.host)

    def clear(self) -> None:
        """Make all of it zero."""
        for pages in self.memories():
            pages.restore({})

    def serve(self, record: Record, memory: Access) -> bool:
        """Move the data of the request that `S.stop` is about. False with a fault in its place when
        there is no such memory."""
        S: View = record.S
        niu, slot = int(S.stop.a), int(S.stop.b)
        noc = S.noc
        reads = noc.ctrl[niu, slot] & KIND == READ
        there = noc.targ_at[niu, slot] if reads else noc.ret_at[niu, slot]
        far = noc.targ[niu, slot] if reads else noc.ret[niu, slot]
        near = noc.ret[niu, slot] if reads else noc.targ[niu, slot]
        length = int(noc.length[niu, slot])
        place = at(S, niu, there & 63, there >> 6)
        pages = self.host if place == HOST else self.dram[place - DRAM_0]
        if near + length > L1_BYTES or far + length > pages.size:
            outside_l1(S, niu, slot, near if near + length > L1_BYTES else far)
            return False
        l1 = record.row(record.layout.slot("l1", "word"))
        if self.races is not None and place != HOST:
            changes = not reads and pages.read(far, length) != l1[near : near + length]
            self.races.moved(S, niu, slot, place - DRAM_0, far, length, changes=changes)
        if self.follower is not None:
            number = len(self.dram) if place == HOST else place - DRAM_0
            ends: tuple[Spot, Spot] = ((number, int(far)), (record, int(near)))
            source, to = ends if reads else ends[::-1]
            self.follower.moving(record, niu, slot, source, to, length)
        if reads:
            l1[near : near + length] = pages.read(far, length)
            if length:
                memory.forget(near, near + length)
                if memory.written is not None:
                    memory.written(near, near + length)
        else:
            pages.write(far, bytes(l1[near : near + length]))
        noc.outside[niu, slot] = 1
        S.stop.kind = StopKind.NONE
        if self.follower is not None:
            self.follower.moved()
        return True
