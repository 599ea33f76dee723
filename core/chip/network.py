# SPDX-License-Identifier: Apache-2.0
"""The links of a chip and its channels of DRAM (core/links), as its traffic uses them.

What has left a tile enters in the order of time, whenever something is due: a request is at another
tile a quantum later at the earliest, so what has left before a cycle is known then. So nothing
depends on how a run is cut. Until a packet is known to arrive its request is due when it would
arrive if nothing else came in its way, and is looked at again then.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache

from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.engine import Engine, Entry, open_engine
from tensix_gdb.core.links import flow
from tensix_gdb.core.links.state import (
    CHANNELS,
    DRAM_READ,
    DRAM_WRITE,
    LAYOUT,
    MULTICAST,
    NET,
    PLAIN,
    RESERVING,
)
from tensix_gdb.core.noc.coordinates import DRAM_0, HOST, TENSIX, at, home
from tensix_gdb.core.noc.request import (
    ATOMIC,
    BROADCAST,
    BYTE_ENABLE,
    INLINE,
    KIND,
    LINKED,
    PATH_RESERVE,
    READ,
    XY,
    target,
)
from tensix_gdb.core.noc.state import NIUS, SLOTS
from tensix_gdb.core.record.record import Record

ENTRIES = (
    Entry("enter", flow.enter),
    Entry("advance", flow.advance),
    Entry("bound", flow.bound),
)
_STATE = tuple(
    LAYOUT.slot("net", field.name) for field in NET.fields if field.name not in ("event", "size")
)


@cache
def _compiled() -> Engine:
    """Return compiled code, made once in a process."""
    return open_engine("compiled", ENTRIES, Record(LAYOUT))


def _rows(end: End) -> tuple[memoryview, ...]:
    """Return NOC_CTRL, both coordinates and the length of each slot, and when it has left."""
    layout = end.record.layout
    words = [end.record.row(layout.slot("noc", name)) for name in ("ctrl", "targ_at", "ret_at")]
    longs = [end.record.row(layout.slot("noc", name)) for name in ("length", "left")]
    return (*(row.cast("I") for row in words), *(row.cast("q") for row in longs))


class Network:
    """A packet has the number of its request: (tile * NIUS + niu) * SLOTS + slot."""

    def __init__(self, ends: Sequence[End], engine: str | Engine) -> None:
        self._ends = ends
        self.record = Record(LAYOUT)
        is_compiled = engine == "compiled" or not isinstance(engine, str)
        kind = _compiled() if is_compiled else engine
        self._engine = open_engine(kind, ENTRIES, self.record)
        row = self._row
        self.flies, self._at = row("flies"), row("at").cast("q")
        self._count, self._arrived = row("count").cast("I"), row("arrived").cast("H")
        for end in ends:
            end.S.noc.links = 1
        # Raw rows: a packet enters in a few steps of Python.
        self._rows = [_rows(end) for end in ends]
        self._homes = [tuple(int(home(end.S, niu)) for niu in range(NIUS)) for end in ends]
        self._kinds: dict[tuple[int, int, int], int] = {}  # what is where, by tile, NIU, place

    def _row(self, name: str) -> memoryview:
        return self.record.row(LAYOUT.slot("net", name))

    def close(self) -> None:
        """Give up the engine's background work."""
        self._engine.close()

    # Packets

    def advance(self, fresh: Iterable[int], now: int) -> None:
        """Take what has left the tiles of `fresh`, and do what comes before a cycle."""
        for number in fresh:
            noc = self._ends[number].S.noc
            for niu in range(NIUS):
                slots = int(noc.fresh[niu])
                while slots:
                    slot = slots.bit_length() - 1
                    slots ^= 1 << slot
                    self._enter(number, niu, slot)
                noc.fresh[niu] = 0
        self._engine.call("advance", now)
        for i in range(self._count[0]):
            packet = self._arrived[i]
            self._ends[packet // (NIUS * SLOTS)].dues[packet % (NIUS * SLOTS)] = self._at[packet]

    def _enter(self, number: int, niu: int, slot: int) -> None:
        """A request has left its NIU."""
        ctrls, targ_at, ret_at, length, left = self._rows[number]
        at_slot = niu * SLOTS + slot
        ctrl, size, how = ctrls[at_slot], length[at_slot], PLAIN
        there = (targ_at if target(ctrl) else ret_at)[at_slot]
        here = self._homes[number][niu]
        if ctrl & BROADCAST:
            before = ctrls[niu * SLOTS + (slot - 1) % SLOTS]
            holds = ctrl & PATH_RESERVE and not before & LINKED
            how = (RESERVING if holds else MULTICAST) | (16 if ctrl & XY else 0)
        else:
            key = number, niu, there
            place = self._kinds.get(key)
            if place is None:
                S = self._ends[number].S
                place = self._kinds[key] = int(at(S, niu, there & 63, there >> 6))
            if place != TENSIX:
                channel = CHANNELS if place == HOST else place - DRAM_0
                how = (DRAM_READ if ctrl & KIND == READ else DRAM_WRITE) | channel << 5
                there |= here << 12
        if ctrl & (INLINE | BYTE_ENABLE) or ctrl & KIND == ATOMIC:
            size = 1
        elif ctrl & KIND == READ and how == PLAIN:
            size = 0
        packet = NIUS * SLOTS * number + at_slot
        self._engine.call("enter", packet, left[at_slot], here, there, size, how)

    def answer(self, number: int, niu: int, slot: int, there: int) -> None:
        """The data of a read leaves a tile; it arrives when `due` says at the earliest."""
        S = self._ends[number].S
        packet = (number * NIUS + niu) * SLOTS + slot
        size = int(S.noc.length[niu, slot])
        arguments = int(S.tile.cycle), there & 0xFFF, int(home(S, niu)), size, PLAIN
        self._engine.call("enter", packet, *arguments)

    def bound(self, packet: int, now: int) -> int:
        """Return a cycle after `now` before which a packet that is under way does not arrive."""
        return self._engine.call("bound", packet, now)

    def left(self, packet: int) -> int:
        """Return the cycle in which a multicast has left, its whole tree before it."""
        return self._at[packet]

    # Whole states

    def state(self) -> bytes:
        """Return all state, to be hashed: events in their order."""
        digest = hashlib.blake2b(digest_size=16)
        for slot in _STATE:
            digest.update(self.record.row(slot))
        size = int(self.record.S.net.size)
        events = self._row("event").cast("q")[:size].tolist()
        digest.update(repr(sorted(events)).encode("ascii"))
        return digest.digest()

    def snapshot(self) -> bytes:
        """Copy it."""
        return self.record.state()

    def restore(self, snapshot: bytes) -> None:
        """Put a copy back."""
        self.record.restore(memoryview(snapshot))
