# SPDX-License-Identifier: Apache-2.0
"""Time of several tiles with a host: it passes only when the host waits.

A host that boots 140 tiles sends tens of thousands of messages; cycles after each of them would be
hours. What takes time on a card is what the host waits for: it reads the same bytes again and
again. So cycles pass after a read that repeats an earlier one with the same answer, when the host
has written nothing in between. They end as soon as these bytes change. After a read of registers,
and a write of those by which harts are debugged, a few pass in any case, because debuggers of the
host command a hart by writing one and look once.

What has passed depends on the messages alone, so the same messages give the same execution.

A host that waits for its own memory sends no messages (host_memory.py). Then the tiles run on until
nothing can move any more, and how far they are when the next message comes depends on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, nullcontext

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.chip.chip import Chip as Tiles
from tensix_gdb.core.engine import EngineDefect
from tensix_gdb.gdbstub.host.bridge.chip import Chip, reads_l1
from tensix_gdb.gdbstub.host.bridge.grid import Core
from tensix_gdb.gdbstub.host.bridge.host_clock import REGISTER_CYCLES, HostClock
from tensix_gdb.gdbstub.host.bridge.messages import Command, Message
from tensix_gdb.gdbstub.host.bridge.runs.log import RunLog
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip

NOTHING = nullcontext()
RISC_DEBUG = range(0xFFB12080, 0xFFB12088)  # RISC_DBG_CNTL_0 and _1
SILENT_CYCLES = 2_000  # between two looks whether the host has sent a message
SLICES_PER_LOOK = 10  # such times between two looks whether anything can move


class ChipClock(HostClock):
    """Time of the tiles of `tiles`, at most `cycles` for each message. `settle` is called when a
    run has ended, perhaps early (core/chip/notice.py)."""

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
        stop_at_fault: bool,
        note: Callable[[str], object] = lambda text: None,
        runs_on: bool = False,
    ) -> None:
        super().__init__(chip, shared, cycles, attach, stop_at_fault=stop_at_fault, note=note)
        self._tiles, self._on_host_gone = tiles, host_has_gone
        self._still, self._slices = False, 0
        self.run_on = self._run_on if runs_on else None
        self._recorded, self._settle = recorded, settle
        self._runs = [run for run in runs if run.is_wanted]
        self._read: dict[tuple[Core, int, int], bytes] = {}  # since the last write

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

    async def _run_on(self) -> bool:
        if self._still or not self.may_run():
            return False
        began = self.now()
        await self.run(SILENT_CYCLES)
        self._slices += 1
        is_look = self._slices % SLICES_PER_LOOK == 0
        self._still = self.now() == began or (is_look and self._tiles.stands_still())
        return True

    async def let_time_pass(self, message: Message, answer: bytes | None) -> bool:
        self._still = False
        if answer is None:
            self._read.clear()
            is_command = message.command is Command.WRITE and message.addr in RISC_DEBUG
            if is_command and message.core in self._chip.tiles and self.may_run():
                await self.run(REGISTER_CYCLES)
                return True
            return False
        key = message.core, message.addr, message.size
        before, self._read[key] = self._read.get(key), answer
        if not self._has_memory(message.core) or not self.may_run():
            return False
        if before == answer:
            await self.run_until_changed(message, answer)
            return True
        if message.core in self._chip.tiles and message.addr >= L1_BYTES:
            await self.run(REGISTER_CYCLES)
            return True
        return False

    def _has_memory(self, core: Core) -> bool:
        """True for a tile, and for DRAM: with TT_METAL_DRAM_BACKED_CQ the host waits for it."""
        return core in self._chip.tiles or core in self._chip.channels

    def _has_taken(self, seconds: float) -> None:
        for log_of_tile in self._runs:
            log_of_tile.seconds += seconds  # of the whole chip

    def _advance(self, cycles: int) -> bool:
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
