# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb serve`."""

from __future__ import annotations

from dataclasses import dataclass, field

from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.host import HostOptions
from tensix_gdb.gdbstub.cli.options.races import observed


@dataclass(frozen=True)
class ServeOptions:
    """Load ELF files into the harts of a tile, halted at their entries, and wait for debuggers.
    Prints the gdb command that attaches."""

    programs: tile.ProgramOptions = field(default_factory=tile.ProgramOptions)
    address: tile.AddressOptions = field(default_factory=tile.AddressOptions)
    history: tile.HistoryOptions = field(default_factory=tile.HistoryOptions)
    races: str | None = observed()
    stop_at_end: bool = tile.stop_at_end()
    counts: tile.CountOptions = field(default_factory=tile.CountOptions)
    host: HostOptions = field(default_factory=HostOptions)
    processes: bool = tile.processes()
    web: int | None = tile.web()
    ports: bool = option(
        "--ports",
        action="store_true",
        help="one more port for each loaded hart, numbered after --port: a client there sees that "
        "hart alone, as editors with one ELF like it",
    )
    rsp_log: str | None = option(
        "--rsp-log",
        metavar="FILE",
        help="write every packet, readable, to this file; `tensix-gdb replay` plays it",
    )
    core: str | None = option(
        "--core",
        metavar="FILE",
        help="instead of programs: a tile as `run --core` or `monitor core` has written it",
    )
    core_dir: str | None = option(
        "--core-dir",
        metavar="DIR",
        help="let clients write core files into this directory, by `monitor core NAME`",
    )
