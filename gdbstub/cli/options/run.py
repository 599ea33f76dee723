# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb run`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option, option_values
from tensix_gdb.gdbstub.cli.options.host import ConsoleOptions
from tensix_gdb.gdbstub.cli.options.outputs import PICTURES, HtmlOptions, TileOptions
from tensix_gdb.gdbstub.cli.options.races import LateRaceFlags
from tensix_gdb.gdbstub.usage import UsageError

OF_ONE_RUN = (
    *("--until", "--trace", "--core", "--record-to", "--coverage", "--tensix-coverage"),
    *("--profile", "--firmware", "--semihosting", "--dprint"),
)


@dataclass(frozen=True)
class RunOptions:
    """Run until every hart has paused at an ebreak or ecall, or a fault, or what --until or
    --max-cycles says; then say why. With --firmware: until it is initialised, and with --launch
    until the kernels are done. Exit status 0 when all paused, --until was reached, or the firmware
    says so; 1 for a fault, too many cycles or a tile that is not as --expect wants it; with
    --semihosting that of the first program that ends with another status than 0."""

    programs: tile.ProgramOptions = field(default_factory=tile.ProgramOptions)
    host: ConsoleOptions = field(default_factory=ConsoleOptions)
    from_core: str | None = option(
        "--from",
        metavar="FILE",
        help="instead of programs: continue from a core file, also from one of a card "
        "(`tensix-gdb core --from-exalens`), and say what is assumed of what it has not; a run "
        "that `llk` or `simulator` has kept is over where its host has seen the end",
    )
    until: str | None = option(
        "--until", metavar="SYMBOL|FILE:LINE|ADDR", help="stop when a hart is about to execute this"
    )
    max_cycles: int = option(
        "--max-cycles",
        type=tile.cycles,
        default=tile.DEFAULT_CYCLES,
        metavar="N",
        help=f"give up after so many cycles (default {tile.DEFAULT_CYCLES})",
    )
    seeds: str | None = option(
        "--seeds",
        metavar="N|A-B",
        help="then run the program again in random:SEED for N seeds, or those from A to B, and say "
        "which go wrong, and at which place a wait mends them; exit status 1 if any does",
    )
    trace: str | None = option(
        "--trace",
        metavar="FILE",
        help="write a timeline of harts, wait gates, units and queues: for ui.perfetto.dev and "
        "chrome://tracing, or as lines of text if FILE ends in .txt",
    )
    tiles: TileOptions = field(default_factory=TileOptions)
    counts: tile.CountOptions = field(default_factory=tile.CountOptions)
    races: LateRaceFlags = field(default_factory=LateRaceFlags)
    record_to: str | None = tile.record_to()
    core_out: str | None = option(
        "--core",
        metavar="FILE",
        help="write the tile as it is at the end (a fault, a deadlock, all paused) as a core file: "
        "for GDB, and for `tensix-gdb serve --core FILE`",
    )
    picture: str | None = option(
        "--picture",
        metavar="FILE",
        help=f"draw the tile as it is at the end: {PICTURES}; with --until, where it has stopped",
    )
    page: HtmlOptions = field(default_factory=HtmlOptions)
    web: int | None = tile.web()

    def __post_init__(self) -> None:
        programs = self.programs
        if self.web is not None and programs.firmware:
            raise UsageError(
                "run --web is of programs: type `tensix-gdb serve --firmware DIR --web`"
            )
        if self.web is not None and self.seeds is not None:
            raise UsageError("--web shows one run: leave out --seeds")
        if self.seeds is not None:
            self._check_alone("--seeds runs the program many times", "--late")
            if programs.schedule == "sc":
                raise UsageError(
                    "--seeds: in the schedule sc nothing takes time; leave out --schedule sc"
                )
        if again := self.races.again:
            self._check_alone(f"{again} runs the program again", "--seeds")
        loads = (programs.elf, programs.dir, programs.firmware, programs.bin)
        if self.from_core is not None and any(loads):
            raise UsageError("a core file has its programs in it: leave out --elf, --dir and --bin")

    def _check_alone(self, why: str, another: str) -> None:
        """UsageError for options that are about one run."""
        values = option_values(self)
        for name in (*OF_ONE_RUN, another):
            if values[name]:
                raise UsageError(f"{why}: leave out {name}")

    @property
    def may_run_again(self) -> bool:
        """True if a second run would do nothing again that is outside of the tile."""
        return not (self.programs.firmware or self.host.semihosting or self.host.dprint)

    @property
    def may_be_kept(self) -> bool:
        """True if the run is kept when it fails: nothing but its programs takes part in it."""
        others = self.counts.are_wanted or self.trace or self.web is not None
        return self.may_run_again and not others
