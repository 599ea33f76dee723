# SPDX-License-Identifier: Apache-2.0
"""Running a traced tile: takes the changes that core/timeline/record.py has put down, a buffer at a
time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.engine import Entry
from tensix_gdb.core.record.layout import CASTS
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.timeline import record as trace

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine

RUN_TRACED = Entry("run_traced", trace.run_traced, {})
UNKNOWN = 0xFFFFFFFF  # a state that no track has, so that the first one is a change


class Change(NamedTuple):
    """From `cycle` on a track is in another state."""

    cycle: int
    track: int
    a: int
    b: int
    c: int


Sink = Callable[[Sequence[Change]], None]


class Tracer:
    """Gives the changes of a machine to a sink while it runs."""

    def __init__(self, machine: Machine, sink: Sink) -> None:
        self._machine = machine
        self._sink = sink
        self.begin()

    def begin(self) -> None:
        """Everything is a change at first."""
        S = self._machine.S
        S.trace.count = 0
        for track in range(trace.TRACKS):
            # Queues are empty unless they say something else.
            S.trace.last_a[track] = 0 if track >= trace.STREAM_TRACK else UNKNOWN
        for thread in range(THREADS):
            S.trace.passed[thread] = S.passed.count[thread]
        self._learn_functions()

    def _learn_functions(self) -> None:
        """Where functions begin and end, as far as there is room: the same share for each hart."""
        S = self._machine.S
        at = 0
        for hart in range(HARTS):
            S.trace.first[hart] = at
            S.trace.lo[hart] = S.trace.hi[hart] = 0
            bounds: set[int] = set()
            for image in self._machine.images:
                if image.hart == hart:
                    for symbol in image.symbols.values():
                        if symbol.is_function:
                            bounds |= {symbol.addr, symbol.addr + max(symbol.size, 4)}
            for bound in sorted(bounds)[: trace.FUNCTIONS // HARTS]:
                S.trace.start[at] = bound
                at += 1
        S.trace.first[HARTS] = at

    def run(self, cycles: int) -> None:
        """As the machine's own loops, and everything that has changed goes to the sink."""
        machine, S = self._machine, self._machine.S
        end = S.tile.cycle + cycles
        while True:
            before = S.tile.cycle
            machine.engine.call(RUN_TRACED.name, end - before)
            was_full = S.trace.count > trace.EVENTS - trace.TRACKS
            self.take()
            if S.stop.kind != StopKind.NONE or S.tile.cycle >= end or not was_full:
                return

    def take(self) -> None:
        """Hand over what has been put down."""
        rows = self._machine.S.trace
        count = rows.count
        if count:
            record = self._machine.record
            columns = [
                record.row(record.layout.slot("trace", name)).cast(CASTS[kind])[:count].tolist()
                for name, kind in (
                    ("cycle", "i64"),
                    ("track", "u8"),
                    ("a", "u32"),
                    ("b", "u32"),
                    ("c", "u32"),
                )
            ]
            rows.count = 0
            self._sink([Change(*values) for values in zip(*columns, strict=True)])
