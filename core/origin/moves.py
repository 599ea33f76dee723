# SPDX-License-Identifier: Apache-2.0
"""Moves outside the code of a tile: by requests of the NoC from tile to tile, to and from DRAM and
the host's memory, and by packets over cables.

Bytes that a request has moved are stamped with its number among all changes from outside. Where
they have come from is asked in another run to that request: as it is about to move them, their
source has the stamps that it has then. So a run needs no memory for what its requests have moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import PAGE_BYTES
from tensix_gdb.core.noc.carried import WORD, Spot
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.origin.elements import offset_of
from tensix_gdb.core.origin.instrumented.watched import Place
from tensix_gdb.core.origin.memories import (
    FROM_OUTSIDE,
    Holder,
    StampedMemories,
    differing,
)
from tensix_gdb.core.record.record import Record

ETHERNET = "Ethernet registers"  # the unit of an access that is carried out outside a tile's code

REGISTER_BYTES = 4


@dataclass(frozen=True, slots=True)
class Change:
    """A change between two runs, and not by a tile."""

    cycle: int
    since_power_up: bool


@dataclass(frozen=True, slots=True)
class Move:
    """The bytes that a request has moved. Byte i of `to` is made of byte i of `source`, or if it
    is a combination, of all bytes there."""

    cycle: int
    tile: int  # that has made the request
    unit: str  # of it that moves them
    hart: int  # -1: the host has made it
    pc: int
    source: Holder
    source_at: int | None  # None: registers, of which nothing is known
    to: Holder
    to_at: int
    length: int
    other: tuple[Place, ...] = ()  # of a combination, elements of the tile that has made it
    answer_of: int | None = None  # the number of the atomic that it is the answer of
    by_cable: bool = False  # a packet, to the other end of a cable


class Moves:
    """Follows requests through one run after the other. `outsides` are those of each chip; `stamps`
    those of each tile."""

    def __init__(
        self,
        machines: Sequence[Machine],
        outsides: Sequence[Outside],
        stamps: Sequence[memoryview],
    ) -> None:
        self._machines, self._stamps = machines, stamps
        self.memories = StampedMemories(outsides)
        self._tiles = {id(machine.record): tile for tile, machine in enumerate(machines)}
        self._l1 = offset_of("l1", "word", 0)
        self.changes: list[Change | Move] = []
        self._pending: list[Move] = []
        self._registers: tuple[int, bytes] | None = None
        self._loaded: int | None = None  # where a load puts its value, also if that is the same
        self._atomics: dict[tuple[int, int, int, int], int] = {}
        # By the number of a request: what `on_wanted` gets before it moves anything.
        self.at: dict[int, list[Any]] = {}
        self.on_wanted: Callable[[list[Any], Move], None] = lambda wanted, move: None
        # Called with what was moved into a tile: its number, and where in its record.
        self.on_moved: Callable[[int, int, int], None] = lambda tile, start, end: None
        self.after: Callable[[], None] = lambda: None  # all of it was moved
        self.begin_run(is_fresh=False)

    def begin_run(self, *, is_fresh: bool) -> None:
        """A run begins. In a fresh one memory outside the tiles was zero."""
        self.changes.clear()
        self._pending.clear()
        self._atomics.clear()
        self.memories.begin_run(is_fresh=is_fresh)

    # Requests (core/noc/carried.py)

    def moving(
        self, near: Record, niu: int, slot: int, source: Spot, to: Spot, length: int
    ) -> None:
        holder, at = self._spot(near, source, niu, slot)
        self._begin_move(near, niu, slot, holder, at, to, length)

    def combining(
        self, near: Record, niu: int, slot: int, to: Spot, length: int, answer: Spot
    ) -> None:
        holder, _ = self._spot(near, answer, niu, slot)
        key = self._tiles[id(near)], niu, slot, holder
        self._atomics[key] = len(self.changes) + len(self._pending)
        flat = offset_of("noc", "data", niu, slot)
        length_at = offset_of("noc", "length", niu, slot)
        words = ((flat, 4), (length_at, 4))
        to_holder, to_at = self._spot(near, to, niu, slot)
        self._begin_move(near, niu, slot, to_holder, to_at, to, length, other=words)

    def answering(self, near: Record, niu: int, slot: int, far: Record, to: Spot) -> None:
        key = self._tiles[id(near)], niu, slot, self._tiles[id(far)]
        atomic = self._atomics.get(key)
        _, at = self._spot(near, (far, int(near.S.noc.targ[niu, slot]) & ~3), niu, slot)
        self._begin_move(near, niu, slot, self._tiles[id(far)], at, to, 4, answer_of=atomic)

    # Packets, and registers of Ethernet tiles (core/chip/ethernet)

    def carrying(
        self,
        near: Record,
        queue: int,
        hart: int | None,
        pc: int,
        source: int | None,
        to: Spot,
        length: int,
    ) -> None:
        tile = self._tiles[id(near)]
        by = -1 if hart is None else hart
        at = None if source is None else self._l1 + source
        holder, to_at = self._to(near, to, 0, 0)
        self._begin(Move(
            *(int(near.S.tile.cycle), tile, f"TX queue {queue}", by, pc),
            *(tile, at, holder, to_at, length), by_cable=True,
        ))  # fmt: skip

    def serving(self, near: Record, hart: int, pc: int, register: int) -> None:
        tile = self._tiles[id(near)]
        self._registers = tile, bytes(near.raw_state())
        if register:
            self._loaded = offset_of("hart", "x", hart, register)
        self._begin(Move(
            *(int(near.S.tile.cycle), tile, ETHERNET, hart, pc),
            *(tile, None, tile, 0, 0), by_cable=True,
        ))  # fmt: skip

    def _spot(self, near: Record, spot: Spot, niu: int, slot: int) -> tuple[Holder, int | None]:
        """Return a memory, and the offset in it or in the record; None for registers."""
        where, at = spot
        if isinstance(where, int):
            first = self.memories.first_of(self._machines[self._tiles[id(near)]].outside)
            return -1 - where - first, at
        if at == WORD:
            return self._tiles[id(where)], offset_of("noc", "data", niu, slot)
        return self._tiles[id(where)], self._l1 + at if at < L1_BYTES else None

    def _begin_move(
        self,
        near: Record,
        niu: int,
        slot: int,
        source: Holder,
        source_at: int | None,
        to: Spot,
        length: int,
        *,
        other: tuple[Place, ...] = (),
        answer_of: int | None = None,
    ) -> None:
        S, tile = near.S, self._tiles[id(near)]
        holder, at = self._to(near, to, niu, slot)
        hart, pc = int(S.noc.hart[niu, slot]), int(S.noc.pc[niu, slot])
        self._begin(Move(
            *(int(S.tile.cycle), tile, f"NoC {niu}", hart, pc),
            *(source, source_at, holder, at, length), other=other, answer_of=answer_of,
        ))  # fmt: skip

    def _to(self, near: Record, to: Spot, niu: int, slot: int) -> tuple[Holder, int]:
        """Return where a move goes to. Of registers it is seen when they have changed."""
        holder, at = self._spot(near, to, niu, slot)
        if at is None:
            self._registers = holder, bytes(self._machines[holder].record.raw_state())
            return holder, 0
        return holder, at

    def _begin(self, move: Move) -> None:
        if self._pending and self._pending[0].cycle != move.cycle:
            self._pending.clear()  # it has ended in a fault
        number = len(self.changes) + len(self._pending)
        self._pending.append(move)
        if number in self.at:
            self.on_wanted(self.at[number], move)

    def moved(self) -> None:
        for move in self._pending:
            number = len(self.changes)
            self.changes.append(move)
            start, end = move.to_at, move.to_at + move.length
            if move.to < 0:
                self.memories.note(-1 - move.to, start, end, number)
            elif self._registers is not None:
                self._stamp_registers(move.to, FROM_OUTSIDE | number)
            else:
                stamps = self._stamps[move.to]
                stamps[start:end] = memoryview(
                    (FROM_OUTSIDE | number).to_bytes(4, "little") * move.length
                ).cast("I")
                self.on_moved(move.to, start, end)
        self._pending.clear()
        self._registers = self._loaded = None
        self.after()

    def _stamp_registers(self, tile: int, stamp: int) -> None:
        assert self._registers is not None
        old, new = self._registers[1], self._machines[tile].record.raw_state()
        for start, end in differing(
            new, [old[at : at + PAGE_BYTES] for at in range(0, len(old), PAGE_BYTES)]
        ):
            for at in range(start, end):
                self._stamps[tile][at] = stamp
            self.on_moved(tile, start, end)
        if self._loaded is not None:
            for at in range(self._loaded, self._loaded + REGISTER_BYTES):
                self._stamps[tile][at] = stamp
