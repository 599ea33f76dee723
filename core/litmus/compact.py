# SPDX-License-Identifier: Apache-2.0
"""States of a litmus run, small: the words of the record that ever differ from the start.

A record is a hundred KiB, but a test of a few operations changes a few hundred bytes of it. Which
ones is not known beforehand: `Compact` has a list of pieces of the record and, after each cycle,
compares everything else with the start; what has changed becomes a further piece. A state is the
bytes of the pieces without those at the end that are as at the start, so that more pieces leave
states as they are.

Two states that differ only in when they were reached are one: MONOTONE rows are put back to what
they were at the start, also the cycle, and a cycle kept in a TIMING row counts from the present
one: those gone by are all the same.
"""

from __future__ import annotations

from core.layout import Tag
from core.riscv.pipeline import NEVER
from core.state import Record

WORD = 8
NEAR = 16  # words: two ranges that are no further apart are one
WORTHWHILE = 3 / 4  # so few pieces have to be left for it to be worth starting again


class Compact:
    """Reads and writes the part of a record that differs between the states of one test."""

    def __init__(self, record: Record) -> None:
        layout = record.layout
        self._record = record
        # Cycle 1, so that a cycle gone by can be 0, as in a row that nobody has written.
        record.S.tile.cycle = 1
        self._state = record.raw_state()
        self._start = bytes(self._state)
        self._times = {
            at
            for slot in layout.storage(Tag.TIMING)
            if slot.field.kind == "i64"
            for at in range(slot.offset, slot.offset + slot.field.size, WORD)
        }
        self._put_back = [
            slice(slot.offset, slot.offset + slot.field.size)
            for slot in layout.storage(Tag.MONOTONE)
        ]
        self._known: set[int] = set()
        self._pieces: list[slice] = []
        self._initial: list[bytes] = []
        self._clocks: list[memoryview] = []

    def load(self, kept: bytes) -> None:
        """Make the record, which is as at the start, the state that was kept."""
        at = 0
        state = self._state
        for piece in self._pieces:
            if at == len(kept):
                return
            end = at + piece.stop - piece.start
            state[piece] = kept[at:end]
            at = end

    def take(self) -> bytes:
        """The state of the record after a cycle; leaves the record as at the start."""
        state, start = self._state, self._start
        for piece in self._put_back:
            state[piece] = start[piece]
        for clock in self._clocks:
            due = clock[0]
            if 0 < due < NEVER:
                clock[0] = due - 1
        kept = [bytes(state[piece]) for piece in self._pieces]
        for piece, before in zip(self._pieces, self._initial, strict=True):
            state[piece] = before
        if bytes(state) != start:
            kept += self._grow()
        while kept and kept[-1] == self._initial[len(kept) - 1]:
            kept.pop()
        return b"".join(kept)

    def _grow(self) -> list[bytes]:
        """Further pieces; what they hold now."""
        now, before = (memoryview(side).cast("q") for side in (bytes(self._state), self._start))
        fresh = [at for at, (new, old) in enumerate(zip(now, before, strict=True)) if new != old]
        # Pieces do not overlap: what another one holds is as at the start here.
        return [self._add(first, end) for first, end in _runs(fresh, self._known)]

    def merge(self) -> bool:
        """Make fewer pieces of those that are near; False if it is not worth it.

        Afterwards, states that were taken before mean nothing.
        """
        runs = _runs(sorted(self._known), set())
        if len(runs) > WORTHWHILE * len(self._pieces):
            return False
        self._known, self._pieces, self._initial, self._clocks = set(), [], [], []
        for first, end in runs:
            self._add(first, end)
        return True

    def _add(self, first: int, end: int) -> bytes:
        """The words from `first` to `end` as a new piece; what it holds now."""
        piece = slice(first * WORD, end * WORD)
        self._known.update(range(first, end))
        self._pieces.append(piece)
        self._initial.append(self._start[piece])
        for at in range(piece.start, piece.stop, WORD):
            if at in self._times:
                clock = self._state[at : at + WORD].cast("q")
                self._clocks.append(clock)
                if 0 < clock[0] < NEVER:
                    clock[0] -= 1
        held = bytes(self._state[piece])
        self._state[piece] = self._start[piece]
        return held


def _runs(words: list[int], apart: set[int]) -> list[tuple[int, int]]:
    """Ranges around words, near ones together unless one of `apart` is between them."""
    runs = [(at, at + 1) for at in words[:1]]
    for at in words[1:]:
        first, end = runs[-1]
        if at - end <= NEAR and apart.isdisjoint(range(end, at)):
            runs[-1] = first, at + 1
        else:
            runs.append((at, at + 1))
    return runs
