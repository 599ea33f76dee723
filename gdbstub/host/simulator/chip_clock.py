# SPDX-License-Identifier: Apache-2.0
"""Time of several tiles with a host (host_clock.py)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext

from tensix_gdb.core.chip.chip import Chip as Tiles
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.gdbstub.host.simulator.chip import Chip, reads_l1
from tensix_gdb.gdbstub.host.simulator.host_clock import HostClock
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs.log import RunLog
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip

NOTHING = nullcontext()


class ChipClock(HostClock):
    """Time of the tiles of `tiles`, at most `cycles` at a time. `settle` is called when a
    run has ended, perhaps early (core/chip/notice.py); `begin` before a run."""

    def __init__(
        self,
        chip: Chip,
        tiles: Tiles,
        shared: SharedTile,
        cycles: int,
        attach: str,
        recorded: RecordedChip,
        runs: Collection[RunLog],
        host_has_gone: Callable[[], None],
        settle: Callable[[], object],
        *,
        begin: Callable[[], object],
        stop_at_fault: bool,
        note: Callable[[str], object] = lambda text: None,
    ) -> None:
        super().__init__(chip, shared, cycles, attach, stop_at_fault=stop_at_fault, note=note)
        self._tiles, self._on_host_gone = tiles, host_has_gone
        self._recorded, self._settle, self._begin = recorded, settle, begin
        self._runs = [run for run in runs if run.is_wanted]

    def now(self) -> int:
        return self._tiles.cycle

    def host_has_gone(self) -> None:
        self._on_host_gone()

    def host_input(self, message: Message) -> AbstractContextManager[None]:
        if message.command is Command.READ and (
            message.core not in self._chip.tiles or reads_l1(message)
        ):
            return NOTHING
        return self._recorded.host_input() if self._recorded.recording() else NOTHING

    def keeps_inputs(self) -> bool:
        return self._recorded.recording()

    def _is_past(self) -> bool:
        return self._recorded.past

    def _to_present(self) -> None:
        self._recorded.to_present()

    def _has_taken(self, seconds: float) -> None:
        for log_of_tile in self._runs:
            log_of_tile.seconds += seconds  # of the whole chip

    def _advance(self, cycles: int) -> bool:
        self._begin()
        end = self.now() + cycles
        while self.now() < end:
            try:
                stopped = self._recorded.run(end - self.now(), lazy=True)
            except EngineDefect as defect:
                self._lines.say_defect(defect)
                return False
            if stopped is None:
                self._settle()
                continue
            if self._report(stopped.place, stopped.stop):
                return False
        return True
