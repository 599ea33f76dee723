# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb gdb`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.host import HostOptions
from tensix_gdb.gdbstub.cli.options.races import observed


@dataclass(frozen=True)
class GdbOptions:
    """Load ELF files, start GDB in this terminal with the symbols of every file, and attach it.
    What follows -- goes to GDB."""

    programs: tile.ProgramOptions = field(default_factory=tile.ProgramOptions)
    history: tile.HistoryOptions = field(default_factory=tile.HistoryOptions)
    races: str | None = observed()
    stop_at_end: bool = tile.stop_at_end()
    host: HostOptions = field(default_factory=HostOptions)
    processes: bool = tile.processes()
    web: int | None = tile.web()
    gdb: str | None = option(
        "--gdb", metavar="PROGRAM", help="which GDB (found by itself otherwise)"
    )
    gdb_arguments: tuple[str, ...] = option(nargs="*", metavar="GDB-ARGUMENT", help="passed to GDB")
