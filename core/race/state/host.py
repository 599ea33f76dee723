# SPDX-License-Identifier: Apache-2.0
"""The host's writes to L1 and local RAM: loaded files, bytes, what a driver writes.

It is noted whether or not a check is on, because files are loaded before a check is switched on.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.memory.map import LOCAL_PLACE
from tensix_gdb.core.race.fields import DST_CELLS, L1_CELLS, LINE_BYTES, LOCAL_CELLS
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.record.record import clear as clear_row

WRITES_KEPT = 1024
CELL = 4  # bytes of a mask in `written`
_WHOLE = (0xFFFF).to_bytes(CELL, "little")


class HostWrites:
    """Bytes of L1 and of local RAM that did not come from the tile."""

    def __init__(self, record: Record) -> None:
        self._ends: dict[int, int] = {}
        row = record.row(record.layout.slot("state", "written"))
        self._l1 = row[L1_CELLS * CELL : (L1_CELLS + L1_BYTES // LINE_BYTES) * CELL]
        self._local = row[LOCAL_CELLS * CELL : DST_CELLS * CELL]

    def forget_writes(self) -> None:
        """The tile gets power: nothing is written."""
        for row in (self._l1, self._local):
            clear_row(row)
        self._ends.clear()

    def note(self, first: int, end: int) -> None:
        """The host has written the bytes at these places (core/memory/map.py)."""
        if first >= LOCAL_PLACE:
            _note(self._local, first - LOCAL_PLACE, end - LOCAL_PLACE)
        else:
            _note(self._l1, first, min(end, L1_BYTES))
            self._note_end(first, end)

    def end_of(self, first: int) -> int | None:
        """Return the end of what the host has written from an address on, if it has begun there
        lately."""
        return self._ends.get(first)

    def _note_end(self, first: int, end: int) -> None:
        """A write that continues where the last one has ended is a part of that."""
        last = next(reversed(self._ends), None)
        if last is not None and self._ends[last] == first:
            first = last
        self._ends.pop(first, None)
        self._ends[first] = end
        if len(self._ends) > WRITES_KEPT:
            del self._ends[next(iter(self._ends))]


def _note(row: memoryview, first: int, end: int) -> None:
    """Mark bytes in the row of their memory."""
    while first < end:
        line, at = divmod(first, LINE_BYTES)
        if at == 0 and end - first >= LINE_BYTES:
            count = (end - first) // LINE_BYTES
            row[line * CELL : (line + count) * CELL] = _WHOLE * count
            first += count * LINE_BYTES
            continue
        size = min(LINE_BYTES - at, end - first)
        place = slice(line * CELL, (line + 1) * CELL)
        mask = int.from_bytes(row[place], "little") | ((1 << size) - 1) << at
        row[place] = mask.to_bytes(CELL, "little")
        first += size
