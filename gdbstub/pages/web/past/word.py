# SPDX-License-Identifier: Apache-2.0
"""The history of a word: when it changed, to what, and which store or unit was about to write it.

A copy of the tile goes through the history again, in a thread, so the tile is not disturbed. It
looks at the word after each cycle. In a longer history it looks after some cycles, and where the
word has changed, after each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, THREAD_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.history.replayable import Replayable
from tensix_gdb.gdbstub.tensix.glance.units import units
from tensix_gdb.gdbstub.tensix.monitor.order import requests_of_hart

MOST_LOOKS = 1 << 16
ANCHOR = 2048  # looks after which the state is kept, to go back to
MOST_CHANGES = 100  # the last ones
WORD = 4  # bytes
STORE, FLOAT_STORE, ATOMIC = 0x23, 0x27, 0x2F  # opcodes of RISC-V
LINE = ~15  # requests to L1 are of lines
WRITERS = ("packer", "mover", "Scalar Unit")  # units that write memory
INPUT = "a client or the host, while the tile was stopped"
OUTSIDE = "the NoC or the host"


@dataclass(frozen=True, slots=True)
class Change:
    """From `cycle` on the word has this value."""

    cycle: int
    value: int
    by: str


@dataclass(frozen=True, slots=True)
class WordHistory:
    """The history of a word: its value `before` the first cycle, and its last changes; `dropped`
    more were before them. A value that lasts for less than `step` cycles may be missing."""

    addr: int
    first: int
    last: int
    step: int
    before: int
    changes: tuple[Change, ...]
    dropped: int


class Walk:
    """Goes through a part of a history with a copy of the tile, and looks at a word."""

    def __init__(self, copy: Replayable[Any, Any], tile: int, hart: int, addr: int) -> None:
        self._whole, self._copy = copy, copy.machines[tile]
        self._hart, self._addr = hart, addr
        self._anchor: Any = None

    def through(self, replay: Replay[Any, Any]) -> WordHistory:
        """Return every change."""
        step = (replay.last - replay.first) // MOST_LOOKS + 1
        found = self._changes(replay, step)
        before = next(found).value
        changes = tuple(found)
        return WordHistory(
            self._addr, replay.first, replay.last, step, before,
            changes[-MOST_CHANGES:], max(len(changes) - MOST_CHANGES, 0),
        )  # fmt: skip

    def _changes(self, replay: Replay[Any, Any], step: int) -> Iterator[Change]:
        """Yield the value at the beginning, then the changes."""
        value: int | None = None
        for checkpoint, end in replay.pieces:
            self._whole.restore(checkpoint)
            self._whole.run_to(replay.first)
            now = self._value()
            if now != value:
                yield Change(self._cycle(), now, INPUT)
                value = now
            looks = 0
            while self._cycle() < end:
                if looks % ANCHOR == 0:
                    self._anchor = self._whole.capture(self._anchor)
                looks += 1
                start = self._cycle()
                self._whole.run_to(min(start + step, end))
                if self._value() != value:
                    for change in self._closely(start, value):
                        yield change
                        value = change.value
                if self._cycle() == start:
                    break  # a fault of the tile: it goes no further

    def _closely(self, start: int, value: int) -> Iterator[Change]:
        """Go through the last cycles one by one."""
        end = self._cycle()
        for cycle in range(start, end):
            self._back_to(cycle)
            by = self._writer()
            self._whole.run_to(cycle + 1)
            now = self._value()
            if now != value:
                yield Change(cycle + 1, now, by)
                value = now

    def _back_to(self, cycle: int) -> None:
        if self._cycle() != cycle:
            assert self._anchor is not None
            self._whole.restore(self._anchor)
            self._whole.run_to(cycle)

    def _cycle(self) -> int:
        return self._whole.cycle

    def _value(self) -> int:
        return int.from_bytes(self._copy.peek(self._hart, self._addr, WORD), "little")

    def _writer(self) -> str:
        """Return the request that may write the word in the next cycle."""
        copy = self._copy
        S = copy.S
        for hart in range(HARTS):
            for line in requests_of_hart(copy, hart):
                kind, at = _parsed(line)
                if kind in ("store", "atomic") and at & LINE == self._addr & LINE:
                    return " ".join(line.split())
            if self._stores_at_once(hart):
                place = copy.places.at(hart, int(copy.read_pc(hart)))
                return f"{HART_NAMES[hart]} store from {place}"
        for i in range(S.thcon.requests):
            if S.thcon.addr[i] & LINE == self._addr & LINE:
                return f"the Scalar Unit for {THREAD_NAMES[S.thcon.owner[i]]}"
        active = [
            f"{unit.name}, {unit.last.split(' ')[0]} of {unit.thread} from {unit.place}"
            for unit in units(copy)
            if unit.threads and unit.name in WRITERS and unit.last
        ]
        return "; or ".join(active) or OUTSIDE

    def _stores_at_once(self, hart: int) -> bool:
        """True if the next instruction of a hart stores to the word: it may do so in this cycle."""
        copy = self._copy
        S = copy.S
        if S.hart.in_reset[hart] or S.hart.paused[hart]:
            return False
        code = int.from_bytes(copy.peek(hart, int(copy.read_pc(hart)), WORD), "little")
        opcode, base = code & 0x7F, int(copy.read_x(hart, code >> 15 & 31))
        if opcode in (STORE, FLOAT_STORE):
            offset = code >> 25 << 5 | code >> 7 & 31
            base += offset - (offset >> 11 << 12)
        return opcode in (STORE, FLOAT_STORE, ATOMIC) and base & 0xFFFFFFFC == self._addr


def _parsed(line: str) -> tuple[str, int]:
    """Return the kind and the address of a request, of `T0  emitted  store to L1 0x00001000 in
    ...`."""
    words = line.replace(",", " ").split()
    kind = next((word for word in words if word in ("store", "load", "atomic")), "")
    at = next((word for word in words[2:] if word.startswith("0x")), "0")
    return kind, int(at, 16)
