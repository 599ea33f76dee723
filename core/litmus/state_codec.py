# SPDX-License-Identifier: Apache-2.0
"""States of a litmus run, small: the words of the record that ever differ from the start.

A record is some hundred KiB, but a test of a few operations changes a few hundred bytes of it.
Which ones is not known beforehand: `Compact` has a list of chunks of the record and, after each
cycle, compares everything else with the start; what has changed becomes a further chunk. A state
is the bytes of the chunks without those at the end that are as at the start, so that more chunks
leave states as they are.

Two states that differ only in when they were reached are one: MONOTONE rows are put back to what
they were at the start, also the cycle, and a cycle kept in a TIMING row counts from the present
one: those gone by are all the same.
"""

from __future__ import annotations

import ctypes

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.litmus.state_chunks import MAX_CHUNKS, MAX_WORDS
from tensix_gdb.core.record.layout import Mark, Tag
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER

WORD = 8
_differ = ctypes.CDLL(None).memcmp
_differ.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t)


class Compact:
    """Reads and writes the part of a record that differs between the states of one test."""

    def __init__(self, record: Record, engine: Engine) -> None:
        layout = record.layout
        self._call = engine.call
        # Cycle 1, so that a cycle gone by can be 0, as in a row that was never written.
        record.S.tile.cycle = 1
        self._state = record.raw_state()
        self._start = bytes(self._state)
        # The two sides of a comparison without a copy; memory stays where it is.
        self._held = (ctypes.c_char * len(self._state)).from_buffer(self._state)
        self._both = (ctypes.addressof(self._held), self._start, len(self._start))
        self._rows = record.S.explorer
        self._kept = record.row(layout.slot("explorer", "kept"))
        record.row(layout.slot("explorer", "start"))[:] = self._start
        self._times = {
            word
            for slot in layout.storage(Tag.TIMING)
            if slot.field.kind == "i64"
            for word in range(slot.offset // WORD, (slot.offset + slot.field.size) // WORD)
        }
        back = [
            word
            for slot in layout.storage()
            if slot.field.tag is Tag.MONOTONE or slot.is_marked(Mark.FOR_PEOPLE)
            for word in range(slot.offset // WORD, -(-(slot.offset + slot.field.size) // WORD))
        ]
        self._rows.backs = len(back)
        for i, word in enumerate(back):
            self._rows.back[i] = word
        self._rows.chunks = self._rows.clocks = 0
        self._words = 0

    def load(self, kept: bytes) -> None:
        """Make the record, which is as at the start, the state that was kept."""
        self._kept[: len(kept)] = kept
        self._call("load", len(kept) // WORD)

    def take_state(self) -> bytes:
        """Return the state of the record after a cycle; leaves the record as at the start."""
        used = self._call("take")
        if _differ(*self._both):
            used = self._grow(used)
        return bytes(self._kept[: used * WORD])

    def _grow(self, used: int) -> int:
        """Further chunks; how many words are kept now."""
        now, before = (memoryview(side).cast("q") for side in (bytes(self._state), self._start))
        fresh = [at for at, (new, old) in enumerate(zip(now, before, strict=True)) if new != old]
        first = fresh[0]
        for at, following in zip(fresh, [*fresh[1:], -1], strict=True):
            if following != at + 1:
                if self._add(first, at + 1):
                    used = self._words
                first = following
        return used

    def _add(self, first: int, end: int) -> bool:
        """Add the words from `first` to `end` as a new chunk; does it differ from the start?"""
        rows, number = self._rows, self._rows.chunks
        assert number < MAX_CHUNKS
        assert self._words + end - first <= MAX_WORDS
        rows.first[number], rows.end[number] = first, end
        rows.chunks = number + 1
        chunk = slice(first * WORD, end * WORD)
        held = self._state[chunk].cast("q")
        for at, word in enumerate(range(first, end)):
            if word in self._times:
                rows.clock[rows.clocks] = word
                rows.clocks += 1
                if 0 < held[at] < NEVER:
                    held[at] -= 1
        kept = slice(self._words * WORD, (self._words + end - first) * WORD)
        self._kept[kept] = self._state[chunk]
        self._words += end - first
        differs = self._kept[kept] != self._start[chunk]
        self._state[chunk] = self._start[chunk]
        return bool(differs)
