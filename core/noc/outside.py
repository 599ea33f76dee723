# SPDX-License-Identifier: Apache-2.0
"""Memory that the NoC reaches outside the tile: DRAM, and the host's over PCI Express.

It is outside the record (core/memory/segments.py, pages.py): the run stops where a request needs
it, the data is moved here, and the run continues.
"""

from __future__ import annotations

from typing import Protocol

from tensix_gdb.core.arch.chips import L1_END
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.memory.pages import Pages
from tensix_gdb.core.memory.segments import Segments
from tensix_gdb.core.noc.arrive import outside_l1
from tensix_gdb.core.noc.carried import Follower, Spot
from tensix_gdb.core.noc.coordinates import DRAM, DRAM_0, HOST, at
from tensix_gdb.core.noc.dram_data import DRAM_BYTES, DRAM_END, MOVED
from tensix_gdb.core.noc.request import BYTE_ENABLE, FLIT, KIND, READ
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.stop import StopKind

HOST_BYTES = 1 << 63
# By chip: the addresses of the PCI Express tile that lead to the host, the first of them to the
# host's address 0. Wormhole has 4 GiB less 128 KiB of the host at its PCI Express tile
# (PCIExpressTile/README.md): an identity mapping as long as no driver has set regions.
HOST_SPAN = ((0, HOST_BYTES), (0x8_0000_0000, 0x8_FFFE_0000))


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
        self.dram = [Segments(DRAM_BYTES) for _ in DRAM]
        self.host = Pages(HOST_BYTES)

    def memories(self) -> tuple[Pages, ...]:
        """Return all of it: the channels of DRAM, then the host's."""
        return (*self.dram, self.host)

    def clear(self) -> None:
        """Make all of it zero."""
        for pages in self.memories():
            pages.restore({})

    def lead(self, record: Record) -> None:
        """Tell a tile where DRAM is, and its own L1 (core/noc/dram_data.py)."""
        noc = record.S.noc
        noc.l1 = record.address + record.layout.slot("l1", "word").offset
        for channel, segments in enumerate(self.dram):
            noc.dram[channel] = segments.table

    def is_observed(self) -> bool:
        """True if requests for DRAM have to be told to others."""
        return self.races is not None or self.follower is not None

    def serve(self, record: Record, memory: Access, engine: Engine) -> bool:
        """Move the data of the request that `S.stop` is about; `engine` is the tile's. False with a
        fault in its place when there is no such memory."""
        S: View = record.S
        is_plain = not self.is_observed() and memory.watched is None and S.noc.l1
        if is_plain and engine.call("serve") == MOVED:
            return True
        niu, slot = int(S.stop.a), int(S.stop.b)
        noc = S.noc
        ctrl = noc.ctrl[niu, slot]
        reads = ctrl & KIND == READ
        there = noc.targ_at[niu, slot] if reads else noc.ret_at[niu, slot]
        far = noc.targ[niu, slot] if reads else noc.ret[niu, slot]
        near = noc.ret[niu, slot] if reads else noc.targ[niu, slot]
        length = int(noc.length[niu, slot])
        runs = [(0, length)]
        chip, place = S.tile.chip, at(S, niu, there & 63, there >> 6)
        if ctrl & BYTE_ENABLE and not reads:
            near, far, length, runs = near & ~15, far & ~15, FLIT[chip], _enabled(S, niu, slot)
        pages = self.host if place == HOST else self.dram[place - DRAM_0]
        first, end = HOST_SPAN[chip] if place == HOST else (0, DRAM_END[chip])
        if near + length > L1_END[chip] or not first <= far <= end - length:
            outside_l1(S, niu, slot, near if near + length > L1_END[chip] else far)
            return False
        far -= first
        l1 = memory.l1
        for start, size in runs:
            here, away = near + start, far + start
            if self.races is not None and place != HOST:
                changes = not reads and pages.read(away, size) != l1[here : here + size]
                self.races.moved(S, niu, slot, place - DRAM_0, away, size, changes=changes)
            if self.follower is not None:
                number = len(self.dram) if place == HOST else place - DRAM_0
                ends: tuple[Spot, Spot] = ((number, int(away)), (record, int(here)))
                move = ends if reads else ends[::-1]
                self.follower.moving(record, niu, slot, *move, size)
            if not reads:
                pages.write(away, bytes(l1[here : here + size]))
        if reads:
            data = pages.read(far, length)
            if memory.watched is not None:
                memory.watched.lands(niu, slot, near, data)
            l1[near : near + length] = data
            if length:
                memory.drop_decoded(near, near + length)
                if memory.written is not None:
                    memory.written(near, near + length)
        noc.outside[niu, slot] = 1
        S.stop.kind = StopKind.NONE
        if self.follower is not None:
            self.follower.moved()
        return True


def _enabled(S: View, niu: int, slot: int) -> list[tuple[int, int]]:
    """Runs of the bytes that a mask enables, each as its first byte and how many."""
    mask = int(S.noc.length[niu, slot]) & 0xFFFFFFFF | int(S.noc.mask[niu, slot]) << 32
    runs, at_byte = [], 0
    while mask >> at_byte:
        rest = mask >> at_byte
        at_byte += (rest & -rest).bit_length() - 1
        size = (~(mask >> at_byte) & (mask >> at_byte) + 1).bit_length() - 1
        runs.append((at_byte, size))
        at_byte += size
    return runs
