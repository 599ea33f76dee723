# SPDX-License-Identifier: Apache-2.0
"""The `Reverse` capability of a chip: one history of all tiles, and the chip's runs through it.

A step back of one hart goes back in the whole chip. In the past everything goes as it went, as in
the history of a tile alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from tensix_gdb.core.chip.chip import ChipStop
from tensix_gdb.core.chip.replayable import ChipHistory, begin_chip_history
from tensix_gdb.core.chip.snapshots import ChipState
from tensix_gdb.gdbstub.protocol.target import Stopped, TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import RecordedPast
from tensix_gdb.gdbstub.tensix.capabilities.stops import stopped
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, tensix_of
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles


class RecordedChip(RecordedPast[ChipState, ChipStop]):
    """A chip that runs through its history, if it has one."""

    def __init__(self, tiles: Tiles) -> None:
        super().__init__(tuple(tiles.chip.tiles.values()))
        self._tiles, self._chip = tiles, tiles.chip
        self._is_for_file = False
        for tile in tiles.all:
            tile.chip_history = self

    def record(self, on: bool) -> None:
        if self._is_for_file:
            raise TargetError("it is recorded for a file (--record-to) until the end")
        super().record(on)

    def _new(self) -> ChipHistory:
        return begin_chip_history(self._chip)

    def record_to_file(self, note: Callable[[ChipState], None]) -> ChipHistory:
        """Record for a file from now on, which gets the start of each segment at once."""
        self._is_for_file = True
        self._history = begin_chip_history(self._chip, note=note)
        return self._history

    # Running

    def run(self, cycles: int, *, lazy: bool = False) -> ChipStop | None:
        """Run the chip as Chip.run does; it does not come to rest by it."""
        run = partial(self._chip.run, lazy=lazy)
        return run(cycles) if self._history is None else self._history.run(cycles, run, rests=False)

    def comes_to_rest(self) -> None:
        """Suspend the history: what changes from here on is a change by a client or a host."""
        if self._history is not None:
            self._history.suspend()

    @contextmanager
    def host_input(self) -> Iterator[None]:
        """Record as an input what a host does."""
        self.comes_to_rest()
        yield

    def take_other(self) -> int | None:
        """Return a tile of which the programs have become those of another time, each once."""
        return None if self._history is None else self._history.take_other()

    # For RecordedPast

    def _check_variables(self) -> None:
        for tile in self._tiles.all:
            if tile.has_breakpoints:
                tile.breakpoints.check_no_variable_is_set()

    def _of(self, thread: int) -> tuple[int, int | None, int]:
        tile, local = self._tiles.of(thread)
        return hart_of(local), tensix_of(local), tile.number

    def _wanted(self, stop: ChipStop) -> bool:
        return self._tiles.by_place[stop.place].breakpoints.would_stop(stop.stop)

    def _stopped(self, stop: ChipStop) -> Stopped:
        tile, shown = self._tiles.by_place[stop.place], stopped(stop.stop)
        return replace(shown, thread=tile.base + shown.thread)
