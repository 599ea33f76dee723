# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb replay`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.outputs import HtmlOptions
from tensix_gdb.gdbstub.cli.options.races import RunRaceFlags


@dataclass(frozen=True)
class ReplayOptions:
    """Of a recording (`--record-to`): let a tile run from the same start with the same inputs, and
    compare its states. Of a packet log (`serve --rsp-log`): send what the clients sent, when a
    fresh tile has run as far as it had then, and compare what comes back. Of FILE.core, a run that
    a simulator has kept: let the tile run to where it stood, without its host. Exit status 0 when
    all is the same, 1 otherwise. Without FILE: the last run that has failed, of `tensix-gdb run`, a
    test with the fixture `tile`, `ttnn`, `diagnose -- PROGRAM` or `llk`, with --serve."""

    log: str | None = option(nargs="?", metavar="FILE", help="the file")
    serve: bool = option(
        "--serve",
        action="store_true",
        help="of a recording: then wait for debuggers, which can go back and forth in it",
    )
    web: int | None = tile.web()
    threads: int = tile.threads()
    address: tile.AddressOptions = field(default_factory=tile.AddressOptions)
    elf: tuple[tuple[int, str], ...] = tile.elf()
    engine: str = tile.engine()
    schedule: str | None = tile.schedule(None)
    races: RunRaceFlags = field(default_factory=RunRaceFlags)
    page: HtmlOptions = field(default_factory=HtmlOptions)
