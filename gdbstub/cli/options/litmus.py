# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb litmus`."""

from __future__ import annotations

import argparse

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

MAX_SEEDS = 10_000_000


def _schedule(text: str) -> str:
    if text in ("random", "exhaustive"):
        return text
    try:
        parse_schedule(text)
    except UsageError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a schedule: type sc, latency, random, random:SEED or exhaustive"
        ) from None
    return text


def _seeds(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MAX_SEEDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_SEEDS}")
    return int(text)


@dataclass(frozen=True)
class LitmusOptions:
    """Run every test of the files in every schedule, print how often each outcome was seen, and
    compare with the outcomes that the test allows: exhaustive has to give exactly those. Exit
    status 1 when something else was seen. core/litmus/README.md says how a test is written."""

    files: tuple[str, ...] = option(nargs="+", metavar="FILE", help="a .litmus file")
    schedule: tuple[str, ...] = option(
        "--schedule",
        action="append",
        type=_schedule,
        metavar="SCHEDULE",
        help="sc, latency, random (many seeds), random:SEED (this one) or exhaustive; may be "
        "repeated (default: all of them)",
    )
    seeds: int | None = option(
        "--seeds",
        type=_seeds,
        metavar="N",
        help="seeds of random, 1 to N (default: as many as the test asks for)",
    )
    only: str | None = option(
        "--only", metavar="TEXT", help="only the tests with this text in their names"
    )
    outcome: str | None = option(
        "--outcome",
        metavar='"T0:a0=0 T1:a0=0"',
        help="show cycle by cycle how this outcome comes about: a shortest execution, or with "
        "--schedule random the first seed that gives it",
    )
    on: str | None = option(
        "--on",
        metavar="local|tcp://HOST:PORT",
        help="let the workers of a Dask cluster run the tests",
    )
    engine: str = option(
        "--engine",
        choices=("compiled", "reference"),
        default="compiled",
        help="what runs the tests (default: compiled)",
    )
