# SPDX-License-Identifier: Apache-2.0
"""The `Reverse` capability of a chip: one history of all tiles, and the chip's runs through it.

A step back of one hart goes back in the whole chip. In the past everything goes as it went, as in
the history of a tile alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from tensix_gdb.core.chip.chip import ChipStop
from tensix_gdb.core.chip.history import ChipHistory
from tensix_gdb.core.chip.snapshots import Kept
from tensix_gdb.gdbstub.target import NOTHING_RECORDED, Stopped, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import BEGIN, COUNTED_AGAIN
from tensix_gdb.gdbstub.tensix.capabilities.stops import stopped
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, tensix_of
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles


class RecordedChip:
    """A chip that runs through its history, if it has one."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles, self._chip = tiles, tiles.chip
        self._history: ChipHistory | None = None
        self._is_for_file = False
        self.bookmarks: dict[str, int] = {}
        for tile in tiles.all:
            tile.chip_history = self

    @property
    def history(self) -> ChipHistory | None:
        """The history."""
        return self._history

    @property
    def past(self) -> bool:
        """True if the chip is in the past."""
        return self._history is not None and self._history.past

    def record(self, on: bool) -> None:
        if self._is_for_file:
            raise TargetError("it is recorded for a file (--record-to) until the end")
        if on and any(m.runner.counts is not None for m in self._chip.tiles.values()):
            raise TargetError(COUNTED_AGAIN)
        self.bookmarks.clear()
        self._history = ChipHistory(self._chip) if on else None

    def record_to_file(self, note: Callable[[Kept], None]) -> ChipHistory:
        """From now on record for a file, which gets the start of each part at once."""
        self._is_for_file = True
        self._history = ChipHistory(self._chip, note=note)
        return self._history

    def adopt(self, history: ChipHistory) -> None:
        """Go back in one that was made before."""
        self._history = history

    def recording(self) -> bool:
        return self._history is not None

    # Running

    def run(self, cycles: int, *, lazy: bool = False) -> ChipStop | None:
        """Run the chip as Chip.run does; it does not come to rest by it."""
        if self._history is None:
            return self._chip.run(cycles, lazy=lazy)
        return self._history.run(cycles, lazy=lazy, rests=False)

    def comes_to_rest(self) -> None:
        """Suspend the history: what changes from here on is a change by a client or a host."""
        if self._history is not None:
            self._history.suspend()

    def goes_on(self) -> None:
        """Before a client's run: pass a change of the past, or forget what followed a new one."""
        if self._history is not None:
            self._history.suspend()
            self._history.truncate_future()
            self._history.pass_change()
            if self._history.past:
                self._check_variables()

    def _check_variables(self) -> None:
        for tile in self._tiles.all:
            if tile.has_breakpoints:
                tile.breakpoints.check_no_variable_is_set()

    @contextmanager
    def host_input(self) -> Iterator[None]:
        """Record as an input what a host does."""
        self.comes_to_rest()
        yield

    def to_present(self) -> None:
        """Return to the present: no client looks at the past any more."""
        if self._history is not None:
            self._history.to_present()

    # Back

    def back(self, thread: int, *, step: bool) -> Iterator[Stopped | None]:
        """Go back; the last answer says why it ends, and None comes before it now and then."""
        if self._history is None:
            raise TargetError(NOTHING_RECORDED)
        if not step:
            self._check_variables()
        self._history.note_changes()
        for tile in self._tiles.look_at_all():
            tile.machine.disarm()
        if step:
            return self._step(self._history, thread)
        return self._to_stop(self._history, thread)

    def _step(self, history: ChipHistory, thread: int) -> Iterator[Stopped | None]:
        tile, local = self._tiles.of(thread)
        outcome = True
        for outcome in history.step_back(tile.place, hart_of(local), tensix_of(local)):
            if not outcome:
                break
            yield None
        yield Stopped(thread) if outcome else Stopped(thread, replaylog=BEGIN)

    def _to_stop(self, history: ChipHistory, thread: int) -> Iterator[Stopped | None]:
        for stop in history.last_stop(self._wanted):
            if stop is not None:
                tile = self._tiles.by_place[stop.place]
                shown = stopped(stop.stop)
                yield replace(shown, thread=tile.base + shown.thread)
                return
            yield None
        yield Stopped(thread, replaylog=BEGIN)

    def _wanted(self, stop: ChipStop) -> bool:
        return self._tiles.by_place[stop.place].breakpoints.would_stop(stop.stop)
