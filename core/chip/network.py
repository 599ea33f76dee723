# SPDX-License-Identifier: Apache-2.0
"""The links of a chip and its channels of DRAM (core/links), as its traffic uses them.

What has left a tile enters in the order of time, between two quanta: a request is at another tile a
quantum later at the earliest, so what has left before a cycle is known then. So nothing depends on
how a run is cut. Until a packet is known to arrive its request is the links' (`noc.held`). Compiled
code does this without Python (core/links/settle.py), `settle` does the same with any engine; tests
hold both together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache

from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.engine import Engine, Entry, open_engine
from tensix_gdb.core.engine.compiled import CompiledEngine
from tensix_gdb.core.links import bound, flow, settle, tile
from tensix_gdb.core.links.state import LAYOUT, NET, PACKETS, PLAIN, TILES
from tensix_gdb.core.noc.coordinates import home
from tensix_gdb.core.noc.order import NEVER
from tensix_gdb.core.noc.state import HELD, NIUS, PENDING_NOC, SLOTS
from tensix_gdb.core.record.layout import Tag
from tensix_gdb.core.record.record import Record

ENTRIES = (
    Entry("enter", flow.enter),
    Entry("advance", flow.advance),
    Entry("bound", bound.bound),
    Entry("soonest", settle.soonest),
    Entry("settle", settle.settle),
)
_STATE = tuple(
    LAYOUT.slot("net", field.name)
    for field in NET.fields
    if field.tag is not Tag.DERIVED and field.name not in ("event", "size")
)
_TILE = NIUS * SLOTS


@cache
def _compiled(chip: int) -> Engine:
    """Return compiled code for a kind of chip, made once in a process."""
    return open_engine("compiled", ENTRIES, Record(LAYOUT), fixed=(("net", "chip", chip),))


class Network:
    """A packet has the number of its request: (tile * NIUS + niu) * SLOTS + slot."""

    def __init__(self, ends: Sequence[End], engine: str | Engine) -> None:
        self._ends = ends
        self.record = Record(LAYOUT)
        chip = int(ends[0].S.tile.chip)
        self.record.S.net.chip = chip
        is_compiled = engine == "compiled" or not isinstance(engine, str)
        kind = _compiled(chip) if is_compiled else engine
        self._engine = open_engine(kind, ENTRIES, self.record)
        row = self._row
        self._at, self._flying = row("at").cast("q"), row("flying").cast("H")
        self._count, self._arrived = row("count").cast("I"), row("arrived").cast("H")
        for end in ends:
            end.S.noc.links = 1

    def _row(self, name: str) -> memoryview:
        return self.record.row(LAYOUT.slot("net", name))

    def close(self) -> None:
        """Give up the engine's background work."""
        self._engine.close()

    def between(self, leave: int, told: int) -> tuple[int, int, tuple[int, ...]]:
        """Return the record's address, the code to be called between two quanta, and the words of
        its last argument; `leave` and `told` are code of the tiles (core/links/tile.py)."""
        assert isinstance(self._engine, CompiledEngine)
        net, address = self.record.address, self._engine.address
        return net, address("settle"), (net, address("enter"), leave, told)

    # Packets

    def settle(self, now: int) -> int:
        """Take what has left the tiles, and do what comes before a cycle. Return one after it
        before which no packet is there of which it is not known."""
        for number, end in enumerate(self._ends):
            if end.S.tile.pending & PENDING_NOC:
                self._leave(number)
        self._engine.call("advance", now)
        for packet in self._arrived[: self._count[0]]:
            tile.told(self._ends[packet // _TILE].S, packet % _TILE, self._at[packet])
        flying = (number for number, count in enumerate(self._flying) if count)
        return min((self._engine.call("soonest", each, now) for each in flying), default=NEVER)

    def _leave(self, number: int) -> None:
        """As `leave` of core/links/tile.py."""
        S = self._ends[number].S
        for niu in range(NIUS):
            slots, S.noc.fresh[niu] = int(S.noc.fresh[niu]), 0
            for slot in range(SLOTS):
                if slots >> slot & 1:
                    ends = int(home(S, niu)), int(tile.ends_of(S, niu, slot))
                    what = int(tile.size_of(S, niu, slot)), int(tile.how_of(S, niu, slot))
                    packet = (number * NIUS + niu) * SLOTS + slot
                    self._engine.call("enter", packet, int(S.noc.left[niu, slot]), *ends, *what)

    def answer(self, number: int, niu: int, slot: int, there: int) -> None:
        """The data of a read leaves a tile; the links say when it arrives."""
        S = self._ends[number].S
        packet = (number * NIUS + niu) * SLOTS + slot
        size = int(S.noc.length[niu, slot])
        arguments = int(S.tile.cycle), there & 0xFFF, int(home(S, niu)), size, PLAIN
        self._engine.call("enter", packet, *arguments)
        S.noc.held[niu, slot] = HELD

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
        """Put a copy back, and count again what is derived from it."""
        self.record.restore(memoryview(snapshot))
        flies = self._row("flies").tobytes()
        for number in range(TILES):
            self._flying[number] = sum(flies[number * _TILE : (number + 1) * _TILE])
        self._row("bound")[:] = bytes(8 * PACKETS)  # asked for again
        self._count[0] = 0
