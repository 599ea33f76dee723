# SPDX-License-Identifier: Apache-2.0
"""Options of commands that observe a run for races."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option

if TYPE_CHECKING:
    from tensix_gdb.core.race.state.areas import Buffer

MODES = ("default", "strict")
MAX_STATUS = 255
# As the tables of the checks have them, which are not loaded for a text of help. A test compares.
GROUPS = ("init", "leaks", "memory", "stages")
DEFAULT = ("S1", "S3", "S4", "S6", "S9", "S10")


def _number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a report")
    return int(text)


def checks_of(text: str) -> tuple[str, ...]:
    from tensix_gdb.core.race.checks.table import parse_checks

    try:
        return parse_checks(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _groups(text: str) -> tuple[str, ...]:
    from tensix_gdb.core.race.state.table import parse_groups

    try:
        return parse_groups(text)
    except ValueError as problem:
        raise argparse.ArgumentTypeError(str(problem)) from None


def _buffer(text: str) -> Buffer:
    from tensix_gdb.core.race.state.areas import Buffer  # it loads what reads ELF files

    first, plus, size = text.partition("+")
    try:
        if not plus:
            raise ValueError(f"{text!r} is no buffer: ADDR+BYTES, as 0x21000+2048")
        return Buffer(f"at {int(first, 0):#x}", int(first, 0), int(size, 0))
    except ValueError as problem:
        said = str(problem)
        if "literal" in said:
            said = f"{text!r} is no buffer: ADDR+BYTES, as 0x21000+2048"
        raise argparse.ArgumentTypeError(said) from None


def _status(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= MAX_STATUS:
        raise argparse.ArgumentTypeError(f"{text!r} is no exit status from 0 to {MAX_STATUS}")
    return int(text)


def observed() -> Any:
    """`--races` of a command that serves debuggers."""
    return option(
        "--races",
        nargs="?",
        choices=MODES,
        const="default",
        help="observe from the start which accesses nothing orders, and stop at the second one of "
        "each report, as `monitor break race` does",
    )


def buffers() -> Any:
    """Declare the option that names where tiles are."""
    return option(
        "--buffer",
        type=_buffer,
        action="append",
        metavar="ADDR+BYTES",
        help="for --check memory: where tiles are in L1, as 0x21000+2048; may be repeated; "
        "tt-metal's circular buffers and the tiles of other options are known",
    )


def suppressions(text: str) -> Any:
    """Declare the option that names files of reports that do not count."""
    return option("--races-suppressions", action="append", metavar="FILE", help=text)


def _files(more: str = "") -> Any:
    return option(
        "--races-to",
        action="append",
        metavar="FILE",
        help="write the reports to FILE.sarif, FILE.json or FILE.xml (JUnit); may be repeated"
        + more,
    )


@dataclass(frozen=True)
class RaceFlags:
    """`--races` and what goes with it, of a command that runs kernels many times."""

    races: str | None = option(
        "--races",
        nargs="?",
        choices=MODES,
        const="default",
        help="report accesses that nothing orders, with both lines and what would order them; "
        "strict: also those that only a promise of no page orders",
    )
    check: tuple[str, ...] = option(
        "--check",
        nargs="?",
        type=_groups,
        const="all",
        default=(),
        metavar="NAMES",
        help=f"look for other mistakes: {', '.join(GROUPS)}, separated by commas, or all (without "
        "NAMES, too); init: reads of what nothing has written, leaks: what a kernel leaves "
        "changed, memory: buffers, stacks, transfers, stages: what one unit writes in one format "
        "and another reads in another; the options of --races for reports hold for these, too",
    )
    buffer: tuple[Buffer, ...] = buffers()
    races_checks: tuple[str, ...] | None = option(
        "--races-checks",
        type=checks_of,
        metavar="NAMES",
        help="the checks of synchronisation that are on: S1 to S12, separated by commas, or all, "
        f"none or default, which is {','.join(DEFAULT)}",
    )
    races_local: bool = option(
        "--races-local",
        action="store_true",
        help="observe local RAMs, too, as is done on Wormhole: there a load may pass an earlier "
        "store of the same hart; on Blackhole other harts reach them by another address",
    )
    races_to: tuple[str, ...] = _files("; each run has files of its own, as FILE-1.json")
    races_suppressions: tuple[str, ...] = suppressions(
        "reports that do not count: rows `symbol`, `line` or `page`, a pattern, and the "
        "reason; may be repeated"
    )
    races_baseline: str | None = option(
        "--races-baseline",
        metavar="FILE",
        help="reports that are in this file of --races-to FILE.json do not count",
    )

    @property
    def mode(self) -> str | None:
        """The mode in which races are observed: `default` or `strict`; None if they are not."""
        return self.races

    @property
    def status(self) -> int:
        """The exit status for reports that count; 0 leaves it as it is."""
        return 0


@dataclass(frozen=True)
class RunRaceFlags(RaceFlags):
    """The same of a command that is about one run."""

    races_to: tuple[str, ...] = _files()
    error_exitcode: int = option(
        "--error-exitcode",
        type=_status,
        default=0,
        metavar="N",
        help="exit status if a report counts and nothing else went wrong (default: it is ignored)",
    )

    @property
    def status(self) -> int:
        return self.error_exitcode


@dataclass(frozen=True)
class LateRaceFlags(RunRaceFlags):
    """The same of a command that can run again."""

    late: int = option(
        "--late",
        type=_number,
        default=0,
        metavar="N",
        help="then run the program again with the earlier access of report N held until the later "
        "one is over, and say what differs; or that it is proved that it cannot be late",
    )

    tries: bool = option(
        "--try",
        action="store_true",
        help="then put the remedy of each report into the program, run it again, and say whether "
        "that ends the report, how the run ends, and how many cycles it takes; what the report "
        "names first, then others",
    )

    patch: bool = option(
        "--patch",
        action="store_true",
        help="then write each remedy that ends its report, when it is tried, as a diff of the "
        "source, with the macros that the source has",
    )
    apply: str | None = option(
        "--apply",
        metavar="COMMAND",
        help="write such a diff only if it is right: COMMAND builds a copy of the folder with it, "
        "as in --apply 'tensix-gdb build add.c', and the report has to be gone there",
    )

    @property
    def are_tried(self) -> bool:
        """True if remedies are to be tried."""
        return self.tries or self.patch or self.apply is not None

    @property
    def again(self) -> str:
        """The option that wants more runs; empty if none does."""
        if self.late:
            return "--late"
        if self.apply is not None:
            return "--apply"
        return "--patch" if self.patch else "--try" if self.tries else ""

    @property
    def mode(self) -> str | None:
        return self.races or ("default" if self.again else None)
