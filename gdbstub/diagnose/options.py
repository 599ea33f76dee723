# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb diagnose`."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.outputs import expected
from tensix_gdb.gdbstub.cli.options.races import buffers, checks_of, suppressions
from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.core.race.state.areas import Buffer

SEEDS = 8
SARIF = ".sarif"


@dataclass(frozen=True)
class HostOptions:
    """The options of a program that has tiles as its device, as `tensix-gdb ttnn` has them."""

    python: str | None = option(
        "--python",
        metavar="PY",
        help="of `-- PROGRAM`: the Python that has ttnn (default: of the active environment, or "
        "python3)",
    )
    tiles: str = option(
        "--tiles",
        default="1x1",
        metavar="WxH",
        help="of `-- PROGRAM`: so many columns and rows of tiles, up to 14x10 (default 1x1)",
    )
    dispatch: str = option(
        "--dispatch",
        choices=("slow", "fast"),
        default="slow",
        help="of `-- PROGRAM`: who gives kernels to the tiles: the host itself (default), or "
        "tt-metal's dispatcher",
    )


@dataclass(frozen=True)
class DiagnoseOptions:
    """Run programs as `run` does, or after `--` a program that uses ttnn or tt-metal as `ttnn`
    does, look for what went wrong, and print one page: the most likely
    cause with its evidence and lines, the remedy, what was ruled out, the next command. Looked at
    are the fault or hang, the expected tiles, races, the checks, where the first wrong datum comes
    from; other orders of events only if that says nothing. Exit status 0 if nothing was found, 1
    with a cause."""

    programs: tile.ProgramOptions = field(default_factory=tile.ProgramOptions)
    kept: str | None = option(
        "--kept",
        metavar="FILE.core",
        help="instead of programs: a run that `simulator --keep` or `llk` has kept",
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
    races_to: str | None = option(
        "--races-to",
        metavar="FILE.sarif",
        help="write the causes to a file, the most likely first, each with its lines, for an "
        "editor or a code host",
    )
    races_checks: tuple[str, ...] | None = option(
        "--races-checks",
        type=checks_of,
        metavar="NAMES",
        help="the checks of synchronisation that are on, as for `run --races`: S7 and S8, which "
        "are off without it, have remedies, too",
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
    host: HostOptions = field(default_factory=HostOptions)
    script: tuple[str, ...] = option(nargs="*", metavar="-- PROGRAM ARGS")

    def __post_init__(self) -> None:
        if self.kept is not None and (self.programs.elf or self.programs.dir):
            raise UsageError("a kept run has its programs in it: leave out --elf and --dir")
        if self.races_to is not None and not self.races_to.endswith(SARIF):
            raise UsageError(f"--races-to {self.races_to}: the name has to end in {SARIF}")
        if self.script:
            self._check_program()
        elif self.host != HostOptions():
            raise UsageError(
                "--python, --tiles and --dispatch are for a program of ttnn: name it after `--`"
            )
        if self.programs.firmware:
            raise UsageError(
                "diagnose runs the program again, and a firmware's host cannot be repeated: type "
                "`tensix-gdb run --firmware DIR --races --check all`"
            )
        if self.kept is not None and self.apply is not None:
            raise UsageError(
                "--apply builds the program anew, and a kept run has the one that was built: type "
                "--patch, and run the host again with what it writes"
            )
        if self.are_tried and self.programs.schedule == "sc":
            raise UsageError("in sc no race is reported, so there is no remedy to try")
        if self.seeds < 0:
            raise UsageError(f"--seeds {self.seeds}: type how many, or 0")

    def _check_program(self) -> None:
        """UsageError for what a program with tiles as its device does not have."""
        programs = self.programs
        names = {
            "--elf and --dir": programs.elf or programs.dir,
            "--kept": self.kept,
            "--bin and --tile": programs.bin or programs.tile,
            "--firmware and --launch": programs.firmware or programs.launch,
            "--expect": self.expect,
            "--races-to": self.races_to,
            "--arch wormhole": programs.arch == "wormhole",
        }
        for name, is_there in names.items():
            if is_there:
                raise UsageError(f"{name}: the program after `--` loads its tiles itself")
        if self.are_tried:
            raise UsageError(
                "remedies are not tried in a program with a host, which cannot be run again from "
                "the middle: type --try with --kept and the run that the page names"
            )

    @property
    def are_tried(self) -> bool:
        """True if remedies are to be tried."""
        return self.tries or self.patch or self.apply is not None
