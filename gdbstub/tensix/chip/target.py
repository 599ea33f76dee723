# SPDX-License-Identifier: Apache-2.0
"""A chip as a target of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.replayable import ChipHistory
from tensix_gdb.gdbstub.protocol.target import Target
from tensix_gdb.gdbstub.tensix.chip.capabilities import (
    ChipBreakpoints,
    ChipFiles,
    ChipMemory,
    ChipRegisters,
    ChipThreads,
)
from tensix_gdb.gdbstub.tensix.chip.console import ChipConsole
from tensix_gdb.gdbstub.tensix.chip.execution import ChipExecution
from tensix_gdb.gdbstub.tensix.chip.history import RecordedChip
from tensix_gdb.gdbstub.tensix.chip.later import later
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.tensix.chip.corefile import ChipCoreFile
    from tensix_gdb.gdbstub.tensix.chip.monitor import ChipMonitor
    from tensix_gdb.gdbstub.tensix.chip.processes import ChipDocuments, ChipProcesses


def chip_target(
    chip: Chip,
    tiles: Tiles | None = None,
    *,
    record: bool = False,
    history: ChipHistory | None = None,
    has_host: bool = False,
) -> Target:
    """Everything that the protocol can do with several tiles. Each is a process to clients that
    know processes; to others all threads are those of one. `record` begins a history, unless
    it has one. `tiles` are those of the chip, for one that wants to look at them besides. Without a
    host a chip on which nothing can move stops."""
    tiles = tiles or Tiles(chip)
    recorded = RecordedChip(tiles)
    if history is not None:
        recorded.adopt(history)
    elif record:
        recorded.record(True)

    def make_monitor() -> ChipMonitor:
        from tensix_gdb.gdbstub.tensix.chip.monitor import ChipMonitor

        return ChipMonitor(tiles, recorded)

    def make_processes() -> ChipProcesses:
        from tensix_gdb.gdbstub.tensix.chip.processes import ChipProcesses

        return ChipProcesses(tiles, monitor)

    def make_documents() -> ChipDocuments:
        from tensix_gdb.gdbstub.tensix.chip.processes import ChipDocuments

        return ChipDocuments(tiles, processes)

    def make_core_file() -> ChipCoreFile:
        from tensix_gdb.gdbstub.tensix.chip.corefile import ChipCoreFile

        return ChipCoreFile(tiles)

    monitor, processes = later(make_monitor), later(make_processes)
    return Target(
        threads=ChipThreads(tiles),
        registers=ChipRegisters(tiles),
        memory=ChipMemory(tiles),
        execution=ChipExecution(tiles, recorded, has_host=has_host),
        breakpoints=ChipBreakpoints(tiles),
        xfer=later(make_documents),
        monitor=monitor,
        files=ChipFiles(tiles),
        reverse=recorded,
        console=ChipConsole(tiles),
        processes=processes,
        core_file=later(make_core_file),
    )
