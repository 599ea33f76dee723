# SPDX-License-Identifier: Apache-2.0
"""Watched ranges of L1: in the record, where the machine looks (core/memory/l1_watch.py), and what
reaches them from outside its code: data from DRAM, requests of other tiles, the host."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.memory import l1_watch
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.fields import LINE_SHIFT
from tensix_gdb.core.stop import BY_REQUEST, StopKind, WatchKind
from tensix_gdb.core.tensix.gate import requests
from tensix_gdb.core.tensix.gate.requests import BY_OTHERS
from tensix_gdb.core.tensix.gate.watchpoints import CELLS

STEP = 4  # bytes that are compared at a time


@dataclass(frozen=True, slots=True)
class Range:
    """Bytes of L1 from `start` to before `end`."""

    start: int
    end: int
    kind: WatchKind = WatchKind.WRITE

    @property
    def lines(self) -> range:
        """Those of `decoded.line`."""
        return range(self.start >> LINE_SHIFT, (self.end - 1 >> LINE_SHIFT) + 1)


@dataclass(frozen=True, slots=True)
class Who:
    """The maker of a request: `text` of it, and the hart and its pc; B for a host."""

    text: str = "the host"
    hart: int = B
    pc: int = 0


HOST = Who()


class L1Ranges:
    """The ranges of one tile, by number of their watch."""

    def __init__(self, S: View) -> None:
        self._S = S
        self._l1 = S.l1.byte.raw
        self.owners: list[int] = []
        self.lines: tuple[range, ...] = ()
        self.memory: Access | None = None  # that tells of what comes from outside
        self.waiting: list[L1Ranges] = []  # with something that came; of a chip, one for all tiles
        self.is_off = False  # a run that looks for nothing that is armed
        self.who = HOST  # makes what comes from outside now
        self.by = HOST  # of the last stop

    def write(self, ranges: Sequence[tuple[int, Range]]) -> None:
        """Put ranges into the record, each with the number of its watch."""
        table, pending = self._S.l1_watch, self._S.request_watch
        before, self.owners = self.owners, [number for number, _ in ranges]
        # What was noted of a range is of that range in its new place, or of none.
        table.hit = self._place_of(before, int(table.hit))
        kept = self._place_of(before, int(pending.pending) - CELLS)
        pending.pending = CELLS + kept if kept else 0
        for i, (_, one) in enumerate(ranges):
            table.lo[i], table.hi[i], table.kind[i] = one.start, one.end, int(one.kind)
        table.ranges = len(ranges)
        self.lines = tuple(one.lines for _, one in ranges)
        if self.memory is not None:
            self.memory.watched = self if ranges else None
            self.memory.mark(self.lines)

    def _place_of(self, before: list[int], place: int) -> int:
        """1 + where the watch of a range is now, which was range `place - 1`; 0 if it is gone."""
        if not 0 < place <= len(before) or before[place - 1] not in self.owners:
            return 0
        return 1 + self.owners.index(before[place - 1])

    # core/debug/memory.py: Watcher

    def reads(self, addr: int, length: int) -> None:
        """Bytes are about to be read."""
        l1_watch.forget(self._S)
        l1_watch.note_read(self._S, addr, length)
        self.keep_notes()

    def writes(self, addr: int, data: bytes) -> None:
        """Bytes are about to be written."""
        self._note(addr, data)
        self.keep_notes()

    def lands(self, niu: int, slot: int, addr: int, data: bytes) -> None:
        """Data that a request of the tile itself has read from DRAM or the host."""
        self._note(addr, data)
        if self._S.l1_watch.hit and not self.is_off:
            noc = self._S.noc
            requests.keep_noted(self._S, int(noc.hart[niu, slot]), int(noc.pc[niu, slot]), niu)
        l1_watch.forget(self._S)

    def _note(self, addr: int, data: bytes) -> None:
        l1_watch.forget(self._S)
        for i in range(self._S.l1_watch.ranges):
            first = max(int(self._S.l1_watch.lo[i]), addr)
            last = min(int(self._S.l1_watch.hi[i]), addr + len(data))
            if first < last:
                self._write(first, self._l1[first:last], data[first - addr : last - addr])

    def _write(self, at: int, old: bytes | memoryview, new: bytes) -> None:
        """Note the first word that is changed; the first one, if none is."""
        start = next((i for i, (x, y) in enumerate(zip(old, new, strict=True)) if x != y), 0)
        size = min(STEP - (at + start & STEP - 1), len(new) - start)
        value = int.from_bytes(new[start : start + size], "little")
        l1_watch.note_write(self._S, at + start, value, size)

    def keep_notes(self) -> None:
        """Keep what was noted until the tile runs: it stops there then."""
        S = self._S
        if not S.l1_watch.hit or S.request_watch.pending or self.is_off:
            return
        pending = S.request_watch
        pending.pending = CELLS + S.l1_watch.hit
        pending.is_read, pending.addr = S.l1_watch.is_read, S.l1_watch.addr
        pending.size, pending.old, pending.new = S.l1_watch.size, S.l1_watch.old, S.l1_watch.new
        pending.hart, pending.pc, pending.niu = self.who.hart, self.who.pc, BY_OTHERS
        self.by = self.who
        self.waiting.append(self)
        l1_watch.forget(S)

    def came(self) -> bool:
        """True if something came from outside since the last run; `S.stop` has it then."""
        S = self._S
        if not S.request_watch.pending or S.request_watch.niu != BY_OTHERS:
            return False
        if self in self.waiting:
            self.waiting.remove(self)
        which = int(S.request_watch.pending) - 1
        S.request_watch.pending = 0
        S.stop.kind, S.stop.code, S.stop.stream = StopKind.WATCH, 0, BY_REQUEST
        S.stop.hart, S.stop.pc = S.request_watch.hart, S.request_watch.pc
        S.stop.a, S.stop.b = which, S.request_watch.old
        return True
