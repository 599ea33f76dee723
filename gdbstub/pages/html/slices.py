# SPDX-License-Identifier: Apache-2.0
"""The timeline of a run as rows of slices, small enough for a page: each text is there once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.timeline.tracer import Change
from tensix_gdb.gdbstub.tensix.output.timeline_chrome import Event, TraceEvents

MOST_SLICES = 400_000


@dataclass(slots=True)
class Timeline:
    """Rows by name; a slice is its start, its length, and the numbers of three texts: what it
    shows, its kind, why."""

    first: int
    last: int
    texts: list[str] = field(default_factory=list)
    rows: list[tuple[str, list[tuple[int, int, int, int, int]]]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return the value that page/run.js takes."""
        return {"first": self.first, "last": self.last, "texts": self.texts, "rows": self.rows}


class Slices:
    """Gathers what a tile does."""

    def __init__(self, machine: Machine) -> None:
        self._events: list[Event] = []
        self._made = TraceEvents(machine, self._events.append)

    def changes(self, changes: Sequence[Change]) -> None:
        """Take what has changed."""
        self._made.changes(changes)

    def timeline(self, first: int, last: int) -> Timeline:
        """Return the slices between two cycles; the last ones of too many."""
        self._made.close(last)
        names: dict[tuple[int, int], str] = {}
        slices: list[Event] = []
        for event in self._events:
            key = event["pid"], event["tid"]
            if event["ph"] == "M" and event["name"] == "thread_name":
                names[key] = event["args"]["name"]
            elif event["ph"] == "X":
                slices.append(event)
        if len(slices) > MOST_SLICES:
            slices = slices[-MOST_SLICES:]
            first = int(slices[0]["ts"])
        timeline = Timeline(first, last)
        texts: dict[str, int] = {}
        rows: dict[tuple[int, int], list[tuple[int, int, int, int, int]]] = {}
        for event in slices:
            what = event.get("args", {}).get("what", "")
            name, kind, why = (
                texts.setdefault(text, len(texts)) for text in (event["name"], event["cat"], what)
            )
            row = rows.setdefault((event["pid"], event["tid"]), [])
            row.append((event["ts"], event["dur"], name, kind, why))
        timeline.texts = list(texts)
        timeline.rows = [(names[key], rows[key]) for key in sorted(rows)]
        return timeline
