# SPDX-License-Identifier: Apache-2.0
"""The timeline as a file for Perfetto (ui.perfetto.dev) and chrome://tracing.

The Trace Event Format, JSON object form: slices ("X"), counters ("C") and names ("M"). One cycle is
one microsecond there, so that the ruler shows cycles. It is written as it comes: what is kept is
one open slice for each row. TraceEvents makes the events, for others than a file too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TextIO

from tensix_gdb.core.arch.blackhole import HARTS, THREAD_NAMES, THREADS
from tensix_gdb.core.counting.fields import MOVER
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.timeline import record as trace
from tensix_gdb.core.timeline.tracer import Change
from tensix_gdb.gdbstub.tensix.output.timeline import UNIT_NAMES, Words, track_name

HART_ROWS, GATE_ROWS, UNIT_ROWS, COUNTERS, PERF = 1, 2, 3, 4, 5  # processes of the file
PROCESSES = {
    HART_ROWS: "RISC-V harts",
    GATE_ROWS: "Tensix threads at their wait gates",
    UNIT_ROWS: "units",
    COUNTERS: "queues and semaphores",
    PERF: f"performance counters, in {trace.PERIOD} cycles",
}


Event = dict[str, Any]


@dataclass(slots=True)
class _Slice:
    start: int
    name: str
    kind: str
    why: str


class TraceEvents:
    """Gives the events of changes to `put`; `close` ends the slices that are open."""

    def __init__(self, machine: Machine, put: Callable[[Event], None]) -> None:
        self._machine = machine
        self._words = Words(machine)
        self._put = put
        self._open: dict[tuple[int, int], _Slice] = {}
        for process, name in PROCESSES.items():
            self._name("process_name", process, 0, name)
        for hart in range(HARTS):
            self._row(HART_ROWS, hart, track_name(hart))
        for thread in range(THREADS):
            self._row(GATE_ROWS, thread, THREAD_NAMES[thread])
        for unit, name in enumerate(UNIT_NAMES):
            for thread in range(THREADS):
                if unit != MOVER:
                    self._row(UNIT_ROWS, unit * THREADS + thread, f"{name}, {THREAD_NAMES[thread]}")
        self._row(UNIT_ROWS, MOVER * THREADS, UNIT_NAMES[MOVER])

    def changes(self, changes: Sequence[Change]) -> None:
        """Give what has come to its end by these."""
        for change in changes:
            if change.track >= trace.FIFO_TRACK:
                self._count(change)
            elif change.track >= trace.UNIT_TRACK:
                self._unit(change)
            else:
                state = self._words.of(change)
                rows = HART_ROWS if change.track < HARTS else GATE_ROWS
                number = change.track if rows == HART_ROWS else change.track - HARTS
                self._slice(rows, number, change.cycle, state.name, state.kind, state.why)

    def close(self, cycle: int | None = None) -> None:
        """End everything at a cycle; without one, at that which the tile has come to."""
        now = int(self._machine.S.tile.cycle) if cycle is None else cycle
        for process, number in list(self._open):
            self._slice(process, number, now, "", "", "")

    def _unit(self, change: Change) -> None:
        unit = change.track - trace.UNIT_TRACK
        if unit == MOVER:
            name = "requests" if change.a else ""
            self._slice(UNIT_ROWS, unit * THREADS, change.cycle, name, "busy", str(change.a))
            return
        for thread in range(THREADS):
            state = self._words.in_unit(change, thread)
            row = unit * THREADS + thread
            # The row has the thread's name; how many are in it would cut the slice up.
            self._slice(UNIT_ROWS, row, change.cycle, state.name, state.kind, "")

    def _slice(self, process: int, row: int, cycle: int, name: str, kind: str, why: str) -> None:
        """From here on a row shows this, or nothing when `name` is empty."""
        before = self._open.get((process, row))
        if before is not None:
            if (before.name, before.why) == (name, why) and before.kind != "passes":
                before.kind = kind  # an instruction that has come to its gate passes it
                return
            if cycle > before.start:
                event = {
                    "ph": "X", "pid": process, "tid": row, "ts": before.start,
                    "dur": cycle - before.start, "name": before.name, "cat": before.kind,
                }  # fmt: skip
                if before.why:
                    event["args"] = {"what": before.why}
                self._put(event)
            del self._open[process, row]
        if name:
            self._open[process, row] = _Slice(cycle, name, kind, why)

    def _count(self, change: Change) -> None:
        process = COUNTERS if change.track < trace.PERF_TRACK else PERF
        self._put(
            {
                "ph": "C", "pid": process, "tid": 0, "ts": change.cycle,
                "name": track_name(change.track), "args": {"value": change.a},
            }
        )  # fmt: skip

    def _row(self, process: int, row: int, name: str) -> None:
        self._name("thread_name", process, row, name)
        event = {"ph": "M", "pid": process, "tid": row, "name": "thread_sort_index"}
        self._put({**event, "args": {"sort_index": row}})

    def _name(self, what: str, process: int, row: int, name: str) -> None:
        event = {"ph": "M", "pid": process, "tid": row, "name": what, "args": {"name": name}}
        self._put(event)


class ChromeTimeline(TraceEvents):
    """Writes the file, and gives its events to `note`. `close` ends its brackets too, with what
    else the file is to have: `more` is called after the last event."""

    def __init__(
        self, machine: Machine, out: TextIO, note: Callable[[Event], None] | None = None
    ) -> None:
        self._out, self._note = out, note
        self._separator = "\n"
        out.write('{"displayTimeUnit": "ms", "traceEvents": [')
        super().__init__(machine, self._write)

    def close(self, cycle: int | None = None, more: Callable[[], Mapping[str, Any]] = dict) -> None:
        """End everything at a cycle; without one, at that which the tile has come to."""
        super().close(cycle)
        self._out.write("\n]")
        for name, value in more().items():
            self._out.write(f",\n{json.dumps(name)}: {json.dumps(value)}")
        self._out.write("}\n")

    def _write(self, event: Event) -> None:
        self._out.write(self._separator + json.dumps(event))
        self._separator = ",\n"
        if self._note is not None:
            self._note(event)
