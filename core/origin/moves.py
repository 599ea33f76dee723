# SPDX-License-Identifier: Apache-2.0
"""Moves by requests of the NoC, outside the code of a tile: from tile to tile, to and from DRAM and
the host's memory.

Bytes that a request has moved are stamped with its number among all changes from outside. Where
they have come from is asked in another run to that request: as it is about to move them, their
source has the stamps that it has then. So a run needs no memory for what its requests have moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages
from tensix_gdb.core.noc.carried import WORD, Spot
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.origin.elements import offset_of
from tensix_gdb.core.origin.instrumented.watched import Place
from tensix_gdb.core.record.record import Record

FROM_OUTSIDE = 1 << 31  # a stamp: with the number of the change
PAGE = PAGE_BYTES

# A tile by its number, or -1 - N: memory N outside the tiles.
Holder = int


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
    niu: int
    hart: int
    pc: int
    source: Holder
    source_at: int | None  # None: registers, of which nothing is known
    to: Holder
    to_at: int
    length: int
    other: tuple[Place, ...] = ()  # of a combination, elements of the tile that has made it
    answer_of: int | None = None  # the number of the atomic that it is the answer of


@dataclass(frozen=True, slots=True)
class Region:
    """A part of memory outside the tiles that a change has written."""

    start: int
    end: int
    number: int


class Moves:
    """Follows requests through one run after the other; `stamps` are those of each tile."""

    def __init__(
        self, machines: Sequence[Machine], outside: Outside, stamps: Sequence[memoryview]
    ) -> None:
        self._machines, self._outside, self._stamps = machines, outside, stamps
        self._tiles = {id(machine.record): tile for tile, machine in enumerate(machines)}
        self._l1 = offset_of("l1", "word", 0)
        self.changes: list[Change | Move] = []
        self._regions: list[list[Region]] = []
        self._known: list[dict[int, bytes]] | None = None
        self._pending: list[Move] = []
        self._registers: tuple[int, bytes] | None = None
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
        memories = self._outside.memories()
        self._regions = [[] for _ in memories]
        self._known = [{} for _ in memories] if is_fresh else self._snapshots()

    def _snapshots(self) -> list[dict[int, bytes]]:
        return [pages.snapshot() for pages in self._outside.memories()]

    # What a host has changed in memory outside the tiles

    def count_as_host(self) -> None:
        """Count all changes from here on, until `number_changes`, as changes by a host."""
        self._known = self._snapshots()

    def has_changed(self) -> bool:
        """True if a host has changed memory outside the tiles."""
        return self._known is not None and any(
            pages.changes(known)
            for pages, known in zip(self._outside.memories(), self._known, strict=True)
        )

    def number_changes(self, number: int) -> None:
        """Give what has changed the number of a change."""
        if self._known is None:
            return
        for at, (pages, known) in enumerate(
            zip(self._outside.memories(), self._known, strict=True)
        ):
            self._note(at, pages, known, number)
        self._known = None

    def changes_to(self, outside: Sequence[dict[int, bytes]], number: int) -> None:
        """Before memory is put into another state: give what differs the number of a change."""
        memories = self._outside.memories()
        for at, (pages, known) in enumerate(zip(memories, outside, strict=True)):
            self._note(at, pages, known, number)

    def _note(self, at: int, pages: Pages, known: dict[int, bytes], number: int) -> None:
        for page, new in pages.changes(known).items():
            old, base = known.get(page, bytes(PAGE_BYTES)), page * PAGE_BYTES
            for start, end in differing(new, [old]):
                self._regions[at].append(Region(base + start, base + end, number))

    # Requests (core/noc/carried.py)

    def moving(
        self, near: Record, niu: int, slot: int, source: Spot, to: Spot, length: int
    ) -> None:
        holder, at = self._spot(source, niu, slot)
        self._begin_move(near, niu, slot, holder, at, to, length)

    def combining(
        self, near: Record, niu: int, slot: int, to: Spot, length: int, answer: Spot
    ) -> None:
        holder, _ = self._spot(answer, niu, slot)
        key = self._tiles[id(near)], niu, slot, holder
        self._atomics[key] = len(self.changes) + len(self._pending)
        flat = offset_of("noc", "data", niu, slot)
        length_at = offset_of("noc", "length", niu, slot)
        words = ((flat, 4), (length_at, 4))
        to_holder, to_at = self._spot(to, niu, slot)
        self._begin_move(near, niu, slot, to_holder, to_at, to, length, other=words)

    def answering(self, near: Record, niu: int, slot: int, far: Record, to: Spot) -> None:
        key = self._tiles[id(near)], niu, slot, self._tiles[id(far)]
        atomic = self._atomics.get(key)
        _, at = self._spot((far, int(near.S.noc.targ[niu, slot]) & ~3), niu, slot)
        self._begin_move(near, niu, slot, self._tiles[id(far)], at, to, 4, answer_of=atomic)

    def _spot(self, spot: Spot, niu: int, slot: int) -> tuple[Holder, int | None]:
        """Return a memory, and the offset in it or in the record; None for registers."""
        where, at = spot
        if isinstance(where, int):
            return -1 - where, at
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
        cycle = int(S.tile.cycle)
        if self._pending and self._pending[0].cycle != cycle:
            self._pending.clear()  # it has ended in a fault
        holder, at = self._spot(to, niu, slot)
        if at is None:
            # Registers: what they are in the record is seen when it has changed.
            self._registers = holder, bytes(self._machines[holder].record.raw_state())
            at = 0
        noc = S.noc
        hart, pc = int(noc.hart[niu, slot]), int(noc.pc[niu, slot])
        number = len(self.changes) + len(self._pending)
        move = Move(
            *(cycle, tile, niu, hart, pc, source, source_at, holder, at, length),
            other=other, answer_of=answer_of,
        )  # fmt: skip
        self._pending.append(move)
        if number in self.at:
            self.on_wanted(self.at[number], move)

    def moved(self) -> None:
        for move in self._pending:
            number = len(self.changes)
            self.changes.append(move)
            start, end = move.to_at, move.to_at + move.length
            if move.to < 0:
                self._regions[-1 - move.to].append(Region(start, end, number))
            elif self._registers is not None:
                self._stamp_registers(move.to, FROM_OUTSIDE | number)
            else:
                stamps = self._stamps[move.to]
                stamps[start:end] = memoryview(
                    (FROM_OUTSIDE | number).to_bytes(4, "little") * move.length
                ).cast("I")
                self.on_moved(move.to, start, end)
        self._pending.clear()
        self._registers = None
        self.after()

    def _stamp_registers(self, tile: int, stamp: int) -> None:
        assert self._registers is not None
        old, new = self._registers[1], self._machines[tile].record.raw_state()
        for start, end in differing(new, [old[at : at + PAGE] for at in range(0, len(old), PAGE)]):
            for at in range(start, end):
                self._stamps[tile][at] = stamp
            self.on_moved(tile, start, end)

    # Memory outside the tiles as something that has stamps

    def stamps_of_memory(self, holder: Holder, start: int, size: int) -> list[int]:
        """Return for each byte the stamp of the last change, or 0."""
        found = [0] * size
        left = set(range(size))
        for region in reversed(self._regions[-1 - holder]):
            for i in [i for i in left if region.start <= start + i < region.end]:
                found[i] = FROM_OUTSIDE | region.number
                left.discard(i)
            if not left:
                break
        return found

    def read_memory(self, holder: Holder, start: int, size: int) -> bytes:
        """Return the bytes that are there now."""
        return self._outside.memories()[-1 - holder].read(start, size)


def differing(state: bytes | memoryview, pages: Sequence[bytes]) -> list[tuple[int, int]]:
    """Runs of bytes that are not the same as in pages."""
    runs: list[tuple[int, int]] = []
    for number, page in enumerate(pages):
        base = PAGE * number
        now = bytes(state[base : base + PAGE])
        if now == page:
            continue
        for i, (x, y) in enumerate(zip(now, page, strict=False), base):
            if x != y:
                if runs and runs[-1][1] == i:
                    runs[-1] = runs[-1][0], i + 1
                else:
                    runs.append((i, i + 1))
    return runs
