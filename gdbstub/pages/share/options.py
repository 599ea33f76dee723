# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb share`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option

EVENTS = 2000


@dataclass(frozen=True)
class ShareOptions:
    """Make one file of a recording, of a core file, or of a run of programs, that anyone opens in a
    browser without installing anything: the live page with its last events, forward and back, and
    with values, origins, reports and sources. The file asks nothing of anywhere."""

    file: str | None = option(
        nargs="?",
        metavar="FILE",
        help="a recording or a core file; without one, or with the word `run`: the programs",
    )
    output: str | None = option(
        *("-o", "--output"), metavar="FILE", required=True, help="the file to write, as bug.html"
    )
    events: int = option(
        "--events",
        type=tile.cycles,
        default=EVENTS,
        metavar="N",
        help="the last N cycles have each a state of its own; before them states are at equal "
        f"distances (default {EVENTS})",
    )
    origins: tuple[str, ...] = option(
        "--origin",
        action="append",
        metavar="PLACE",
        help="the file has the origin of this place at the end, as `monitor origin` names it: "
        "`dst 16.4`, `reg T0 a5`, 0x21000; may be repeated",
    )
    no_races: bool = option(
        "--no-races", action="store_true", help="do not run it again to look for races"
    )
    programs: tile.ProgramOptions = field(default_factory=tile.ProgramOptions)
    until: str | None = option(
        "--until", metavar="SYMBOL|FILE:LINE|ADDR", help="of a run: stop it there"
    )
    max_cycles: int = option(
        "--max-cycles",
        type=tile.cycles,
        default=tile.DEFAULT_CYCLES,
        metavar="N",
        help=f"of a run: give up after so many cycles (default {tile.DEFAULT_CYCLES})",
    )
