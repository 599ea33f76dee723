# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb diagnose`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.outputs import expected
from tensix_gdb.gdbstub.cli.options.races import buffers, suppressions
from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.core.race.state.areas import Buffer

SEEDS = 8


@dataclass(frozen=True)
class DiagnoseOptions:
    """Run programs as `run` does, look for what went wrong, and print one page: the most likely
    cause with its evidence and lines, the remedy, what was ruled out, the next command. Looked at
    are the fault or hang, the expected tiles, races, the checks, where the first wrong datum comes
    from; other orders of events only if that says nothing. Exit status 0 if nothing was found, 1
    with a cause."""

    programs: tile.ProgramOptions = field(default_factory=tile.ProgramOptions)
    kept: str | None = option(
        "--kept",
        metavar="FILE.core",
        help="instead of programs: a run that `simulator --keep` or `scripts/llk` has kept",
    )
    max_cycles: int = option(
        "--max-cycles",
        type=tile.cycles,
        default=tile.DEFAULT_CYCLES,
        metavar="N",
        help=f"give up after so many cycles (default {tile.DEFAULT_CYCLES})",
    )
    expect: tuple[str, ...] = expected()
    buffer: tuple[Buffer, ...] = buffers()
    races_suppressions: tuple[str, ...] = suppressions(
        "reports that do not count, as for `run --races`; may be repeated"
    )
    seeds: int = option(
        "--seeds",
        type=int,
        default=SEEDS,
        metavar="N",
        help=f"if all else says nothing, run in so many other orders (default {SEEDS}; 0: none)",
    )
    tries: bool = option(
        "--try",
        action="store_true",
        help="put the remedies of the reports into the program, run it again with each, and name "
        "the first that ends its report, with what that run has shown",
    )
    patch: bool = option(
        "--patch",
        action="store_true",
        help="the same, and write each remedy that ends its report as a diff of the source",
    )
    apply: str | None = option(
        "--apply",
        metavar="COMMAND",
        help="write such a diff only if it is right: COMMAND builds a copy of the folder with it, "
        "as in --apply 'tensix-gdb build add.c', and the report has to be gone there",
    )
    everything: bool = option(
        "--all", action="store_true", help="show the evidence of all causes, and not of the first"
    )

    def __post_init__(self) -> None:
        if self.kept is not None and (self.programs.elf or self.programs.dir):
            raise UsageError("a kept run has its programs in it: leave out --elf and --dir")
        if self.programs.firmware:
            raise UsageError(
                "diagnose runs the program again, and a firmware's host cannot be repeated: type "
                "`tensix-gdb run --firmware DIR --races --check all`"
            )
        if self.kept is not None and self.are_tried:
            raise UsageError("remedies are tried in programs from a reset, and not in a kept run")
        if self.are_tried and self.programs.schedule == "sc":
            raise UsageError("in sc no race is reported, so there is no remedy to try")
        if self.seeds < 0:
            raise UsageError(f"--seeds {self.seeds}: type how many, or 0")

    @property
    def are_tried(self) -> bool:
        """True if remedies are to be tried."""
        return self.tries or self.patch or self.apply is not None
