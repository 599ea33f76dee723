# SPDX-License-Identifier: Apache-2.0
"""Options of commands that observe a run for races."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine
    from tensix_gdb.core.race.state.areas import Buffer

MAX_STATUS = 255
# As the tables of the checks have them, which are not loaded for a text of help. A test compares.
GROUPS = ("init", "leaks", "memory")
DEFAULT = ("S1", "S3", "S4", "S6", "S9", "S10")


def add(command: argparse.ArgumentParser, *, has_status: bool = True) -> None:
    """Add `--races` and what goes with it; `has_status`: the command is about one run."""
    command.add_argument(
        "--races",
        nargs="?",
        choices=("default", "strict"),
        const="default",
        help="report accesses that nothing orders, with both lines and what would order them; "
        "strict: also those that only a promise of no page orders",
    )
    command.add_argument(
        "--check",
        nargs="?",
        type=_groups,
        const="all",
        default=(),
        metavar="NAMES",
        help=f"look for other mistakes: {', '.join(GROUPS)}, separated by commas, or all (without "
        "NAMES, too); init: reads of what nothing has written, leaks: what a kernel leaves "
        "changed, "
        "memory: buffers, stacks, transfers; the options of --races for reports hold for these, "
        "too",
    )
    command.add_argument(
        "--buffer",
        type=_buffer,
        action="append",
        default=[],
        metavar="ADDR+BYTES",
        help="for --check memory: where tiles are in L1, as 0x21000+2048; may be repeated; "
        "tt-metal's circular buffers and the tiles of other options are known",
    )
    command.add_argument(
        "--races-checks",
        type=_checks,
        metavar="NAMES",
        help="the checks of synchronisation that are on: S1 to S12, separated by commas, or all, "
        f"none or default, which is {','.join(DEFAULT)}",
    )
    command.add_argument(
        "--races-local",
        action="store_true",
        help="observe local RAMs, too, as is done on Wormhole: there a load may pass an earlier "
        "store of the same hart; on Blackhole other harts reach them by another address",
    )
    command.add_argument(
        "--races-to",
        action="append",
        default=[],
        metavar="FILE",
        help="write the reports to FILE.sarif, FILE.json or FILE.xml (JUnit); may be repeated"
        + ("" if has_status else "; each run has files of its own, as FILE-1.json"),
    )
    command.add_argument(
        "--races-suppressions",
        action="append",
        default=[],
        metavar="FILE",
        help="reports that do not count: rows `symbol`, `line` or `page`, a pattern, and the "
        "reason; may be repeated",
    )
    command.add_argument(
        "--races-baseline",
        metavar="FILE",
        help="reports that are in this file of --races-to FILE.json do not count",
    )
    if not has_status:
        return
    command.add_argument(
        "--error-exitcode",
        type=_status,
        default=0,
        metavar="N",
        help="exit status if a report counts and nothing else went wrong (default: it is ignored)",
    )


def add_late(command: argparse.ArgumentParser) -> None:
    """Add `--late`."""
    command.add_argument(
        "--late",
        type=_number,
        default=0,
        metavar="N",
        help="then run the program again with the earlier access of report N held until the later "
        "one is over, and say what differs; or that it is proved that it cannot be late",
    )


def add_observed(command: argparse.ArgumentParser) -> None:
    """Add `--races` to a command that serves debuggers."""
    command.add_argument(
        "--races",
        nargs="?",
        choices=("default", "strict"),
        const="default",
        help="observe from the start which accesses nothing orders, and stop at the second one of "
        "each report, as `monitor break race` does",
    )


def observe_served(machine: Machine, arguments: argparse.Namespace) -> None:
    """Carry `--races` out."""
    if arguments.races is None:
        return
    from tensix_gdb.gdbstub.target import TargetError
    from tensix_gdb.gdbstub.tensix.races.witness import observe

    try:
        observe(machine, strict=arguments.races == "strict")
    except TargetError as problem:
        raise UsageError(f"--races: {problem}") from None
    assert machine.runner.races is not None
    machine.runner.races.stops = True


def _number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of a report")
    return int(text)


def _checks(text: str) -> tuple[str, ...]:
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
