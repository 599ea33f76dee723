# SPDX-License-Identifier: Apache-2.0
"""The tiles of a chip by numbers: eight threads each, and one process.

Tile 0 has threads 1 to 8 and is process 1, tile 1 has threads 9 to 16 and is process 2. Within a
tile its threads are 1 to 8, as of a tile alone. What only a tile that is looked at needs is made
when it is, and loaded then: a chip has 140 tiles, a client attaches to few of them, and most hosts
have no client.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import Place, name_of
from tensix_gdb.core.chip.replayable import ChipHistory
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import TileHistory
from tensix_gdb.gdbstub.tensix.capabilities.threads import THREAD_IDS, TileThreads

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
    from tensix_gdb.gdbstub.tensix.capabilities.execution import TileExecution
    from tensix_gdb.gdbstub.tensix.capabilities.files import LoadedFiles
    from tensix_gdb.gdbstub.tensix.capabilities.registers import HartRegisters
    from tensix_gdb.gdbstub.tensix.host.host import HostSide
    from tensix_gdb.gdbstub.tensix.memory import HartMemory
    from tensix_gdb.gdbstub.tensix.monitor.monitor import HartMonitor

STRIDE = len(THREAD_IDS)


class WholeHistory(Protocol):
    """The history of the chip."""

    @property
    def past(self) -> bool:
        """True if the chip is in the past."""

    @property
    def history(self) -> ChipHistory | None:
        """The history, if there is one."""


class PartOfChip(TileHistory):
    """The part of a tile in the chip's history: whether it is in the past."""

    def __init__(self, tile: OneTile) -> None:
        super().__init__(tile.machine, tile.breakpoints)
        self._tile = tile

    @property
    def past(self) -> bool:
        return self._tile.chip_history is not None and self._tile.chip_history.past


class OneTile:
    """One tile of a chip, and what the protocol can do with it, by its own threads."""

    def __init__(self, place: Place, number: int, machine: Machine) -> None:
        self.place, self.number, self.machine = place, number, machine
        self.name = name_of(place)
        self.base = STRIDE * number  # thread N of the tile is thread base + N of the chip
        self.threads = tuple(self.base + thread for thread in THREAD_IDS)
        self.has_execution = self.has_host = self.has_breakpoints = False
        self.chip_history: WholeHistory | None = None

    @cached_property
    def states(self) -> TileThreads:
        """The states of its threads."""
        return TileThreads(self.machine)

    @cached_property
    def registers(self) -> HartRegisters:
        """Its registers."""
        from tensix_gdb.gdbstub.tensix.capabilities.registers import HartRegisters

        return HartRegisters(self.machine)

    @cached_property
    def memory(self) -> HartMemory:
        """Its memory."""
        from tensix_gdb.gdbstub.tensix.memory import HartMemory

        return HartMemory(self.machine)

    @cached_property
    def files(self) -> LoadedFiles:
        """Its programs."""
        from tensix_gdb.gdbstub.tensix.capabilities.files import LoadedFiles

        return LoadedFiles(self.machine)

    @cached_property
    def breakpoints(self) -> HartBreakpoints:
        """The breakpoints and watches in it."""
        from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints

        self.has_breakpoints = True
        return HartBreakpoints(self.machine)

    @cached_property
    def _history(self) -> TileHistory:
        return PartOfChip(self)

    @cached_property
    def execution(self) -> TileExecution:
        """The runs of its threads for clients. The chip runs it."""
        from tensix_gdb.gdbstub.tensix.capabilities.execution import TileExecution

        self.has_execution = True
        return TileExecution(self.machine, self.breakpoints, self._history)

    @cached_property
    def host(self) -> HostSide:
        """The prints that clients see."""
        from tensix_gdb.gdbstub.tensix.host.host import plain_host

        self.has_host = True
        return plain_host(self.machine)

    @cached_property
    def monitor(self) -> HartMonitor:
        """Its commands."""
        from tensix_gdb.gdbstub.tensix.capabilities.restart import TileRestart
        from tensix_gdb.gdbstub.tensix.monitor.monitor import HartMonitor

        restart = TileRestart(self.machine)
        return HartMonitor(self.machine, self.execution, restart, self._history, host=self.host)


class Tiles:
    """All tiles of a chip."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.all = [
            OneTile(place, number, machine)
            for number, (place, machine) in enumerate(chip.tiles.items())
        ]
        self.by_place = {tile.place: tile for tile in self.all}
        self.thread_ids = tuple(range(1, STRIDE * len(self.all) + 1))

    def of(self, thread: int) -> tuple[OneTile, int]:
        """Return the tile of a thread, up to date, and the thread's number there."""
        number, local = divmod(thread - 1, STRIDE)
        self.chip.wake_tile(number)
        return self.all[number], local + 1

    def owner(self, thread: int) -> OneTile:
        """Return the tile of a thread, which may sleep."""
        return self.all[(thread - 1) // STRIDE]

    def look_at_all(self) -> list[OneTile]:
        """Return all tiles, up to date."""
        for number in range(len(self.all)):
            self.chip.wake_tile(number)
        return self.all

    def of_process(self, process: int) -> OneTile:
        """Return the tile that is a process."""
        return self.all[process - 1]

    def process_ids(self) -> Sequence[int]:
        """Return every process."""
        return range(1, len(self.all) + 1)

    def named(self, text: str) -> OneTile:
        """Return the tile `X-Y`, or the one of that process. TargetError for no tile."""
        for tile in self.all:
            if text in (tile.name, str(tile.number + 1)):
                return tile
        first, last = self.all[0], self.all[-1]
        raise TargetError(f"there is no tile {text}: they are {first.name} to {last.name}")
