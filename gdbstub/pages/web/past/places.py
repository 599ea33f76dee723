# SPDX-License-Identifier: Apache-2.0
"""Source lines of a timeline: where each hart is in each cycle, and where the last instruction of a
unit comes from.

    {"texts": ["hang.c:11", ...], "rows": {"1-0": [[cycle, number of a text], ...]}}

A row has the name that it has in the Trace Event file, `PID-TID`. From that cycle on it is at that
place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.timeline import record as trace
from tensix_gdb.core.timeline.tracer import Change, Sink
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import HART_ROWS, UNIT_ROWS

MOST_CYCLES = 1 << 16  # in longer timelines a place is less than a point


class Places:
    """Takes the changes of places, and gives others to a sink."""

    def __init__(self, machine: Machine, sink: Sink) -> None:
        self._machine, self._sink = machine, sink
        self._numbers: dict[str, int] = {}
        self._known: dict[tuple[int, int], int] = {}
        self._rows: dict[str, list[tuple[int, int]]] = {}

    def changes(self, changes: Sequence[Change]) -> None:
        """Take them."""
        others = []
        for change in changes:
            if change.track >= trace.PLACE_TRACK:
                self._put(change)
            else:
                others.append(change)
        self._sink(others)

    def _put(self, change: Change) -> None:
        if change.track < trace.UNIT_PLACE_TRACK:
            row = f"{HART_ROWS}-{change.b}"
        else:
            # As TraceEvents numbers the rows of units.
            row = f"{UNIT_ROWS}-{change.track - trace.UNIT_PLACE_TRACK}"
        known = self._known.get(key := (change.b, change.a))
        if known is None:
            text = place(self._machine, change.b, change.a)
            known = self._known[key] = self._numbers.setdefault(text, len(self._numbers))
        places = self._rows.setdefault(row, [])
        if not places or places[-1][1] != known:
            places.append((change.cycle, known))

    def as_json(self) -> dict[str, Any]:
        """Return them for the page."""
        return {"texts": list(self._numbers), "rows": self._rows}
