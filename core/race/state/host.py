# SPDX-License-Identifier: Apache-2.0
"""The host's writes to L1: loaded files, bytes, what a driver writes.

It is noted whether or not a check is on, because files are loaded before a check is switched on.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.race.fields import L1_CELLS, LINE_BYTES
from tensix_gdb.core.record.record import Record

CELL = 4  # bytes of a mask in `written`
_WHOLE = (0xFFFF).to_bytes(CELL, "little")


class HostWrites:
    """Bytes of L1 that did not come from the tile."""

    def __init__(self, record: Record) -> None:
        row = record.row(record.layout.slot("state", "written"))
        self._row = row[L1_CELLS * CELL : (L1_CELLS + L1_BYTES // LINE_BYTES) * CELL]

    def forget_writes(self) -> None:
        """The tile gets power: nothing is written."""
        self._row[:] = bytes(len(self._row))

    def note(self, first: int, end: int) -> None:
        """The host has written these bytes."""
        end = min(end, L1_BYTES)
        while first < end:
            line, at = divmod(first, LINE_BYTES)
            if at == 0 and end - first >= LINE_BYTES:
                count = (end - first) // LINE_BYTES
                self._row[line * CELL : (line + count) * CELL] = _WHOLE * count
                first += count * LINE_BYTES
                continue
            size = min(LINE_BYTES - at, end - first)
            place = slice(line * CELL, (line + 1) * CELL)
            mask = int.from_bytes(self._row[place], "little") | ((1 << size) - 1) << at
            self._row[place] = mask.to_bytes(CELL, "little")
            first += size
