# SPDX-License-Identifier: Apache-2.0
"""The arguments of `tensix-gdb litmus`."""

from __future__ import annotations

import argparse
from typing import Any

from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

MAX_SEEDS = 10_000_000


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command."""
    litmus = commands.add_parser(
        "litmus",
        help="run litmus tests: how small programs on several harts may end",
        description="Run every test of the files in every schedule, print how often each outcome "
        "was seen, and compare with the outcomes that the test allows: exhaustive has to give "
        "exactly those. Exit status 1 when something else was seen. core/litmus/README.md says "
        "how a test is written.",
    )
    litmus.add_argument("files", nargs="+", metavar="FILE", help="a .litmus file")
    litmus.add_argument(
        "--schedule",
        action="append",
        type=_schedule,
        metavar="SCHEDULE",
        help="sc, latency, random (many seeds), random:SEED (this one) or exhaustive; may be "
        "repeated (default: all of them)",
    )
    litmus.add_argument(
        "--seeds",
        type=_seeds,
        metavar="N",
        help="seeds of random, 1 to N (default: as many as the test asks for)",
    )
    litmus.add_argument(
        "--only", metavar="TEXT", help="only the tests with this text in their names"
    )
    litmus.add_argument(
        "--outcome",
        metavar='"T0:a0=0 T1:a0=0"',
        help="show cycle by cycle how this outcome comes about: a shortest execution, or with "
        "--schedule random the first seed that gives it",
    )
    litmus.add_argument(
        "--on",
        metavar="local|tcp://HOST:PORT",
        help="let the workers of a Dask cluster run the tests",
    )
    litmus.add_argument(
        "--engine",
        choices=("compiled", "reference"),
        default="compiled",
        help="what runs the tests (default: compiled)",
    )


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
