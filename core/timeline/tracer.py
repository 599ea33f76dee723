# SPDX-License-Identifier: Apache-2.0
"""Give the changes that core/timeline/record.py has put down to a sink, a buffer at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.engine import Entry
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.record.layout import CASTS
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.timeline import record as trace

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
    """Gives the changes of a tile to a sink, by the functions of `images`, while RUN_TRACED runs
    it: that entry comes back when its buffer is full, and `hand_over_events` empties it."""

    def __init__(
        self, record: Record, images: Sequence[Image], sink: Sink, *, places: bool = False
    ) -> None:
        """With `places` the sink is given where harts and instructions of units are, too."""
        self._record, self._images, self._sink = record, images, sink
        self._notes_places = places
        self.begin_trace()

    def begin_trace(self) -> None:
        """Everything is a change at first."""
        S = self._record.S
        S.trace.count = 0
        S.trace.places = int(self._notes_places)
        for track in range(trace.TRACKS):
            # Queues are empty unless they say something else.
            is_count = trace.STREAM_TRACK <= track < trace.PLACE_TRACK
            S.trace.last_a[track] = 0 if is_count else UNKNOWN
        for i, place in enumerate(
            zip(trace.PERF_BANK, trace.PERF_KIND, trace.PERF_SELECT, strict=True)
        ):
            S.trace.counted[i] = S.perf.count[place]
        for thread in range(THREADS):
            S.trace.passed[thread] = S.passed.count[thread]
        self._learn_functions()

    def _learn_functions(self) -> None:
        """Note where functions begin and end, as far as there is room: the same share for each
        hart."""
        S = self._record.S
        at = 0
        for hart in range(HARTS):
            S.trace.first[hart] = at
            S.trace.lo[hart] = S.trace.hi[hart] = 0
            bounds: set[int] = set()
            for image in self._images:
                if image.hart == hart:
                    for symbol in image.symbols.values():
                        if symbol.is_function:
                            bounds |= {symbol.addr, symbol.addr + max(symbol.size, 4)}
            for bound in sorted(bounds)[: trace.FUNCTIONS // HARTS]:
                S.trace.start[at] = bound
                at += 1
        S.trace.first[HARTS] = at

    def hand_over_events(self) -> None:
        """Hand over what has been put down."""
        rows = self._record.S.trace
        count = rows.count
        if count:
            record = self._record
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
