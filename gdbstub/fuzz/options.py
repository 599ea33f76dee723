# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb fuzz`."""

from __future__ import annotations

import argparse
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.llk.options import CHIPS, TreeOptions
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

COUNT, OPERATIONS = 20, 3
SECONDS = 600.0  # of cutting a sequence down
MOST_OPERATIONS = 8


def number(text: str) -> int:
    """Return a number from 1 on."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


@dataclass(frozen=True)
class FuzzOptions:
    """Draw sequences of LLK's operations with shapes, formats and fidelities, run each as one
    kernel against the golden of LLK's own fuser, and cut down what is wrong to a few lines. CASE
    is a sequence that is run instead: a file of the fuser, as --cases writes them. Exit status 1 if
    a sequence is wrong, does not end or faults, 2 if the suite cannot be set up."""

    cases: tuple[str, ...] = option(
        nargs="*", metavar="CASE", help="a sequence to run and cut down"
    )
    count: int = option(
        "--count",
        type=number,
        default=COUNT,
        metavar="N",
        help=f"draw so many sequences (default {COUNT})",
    )
    operations: int = option(
        "--operations",
        type=number,
        default=OPERATIONS,
        metavar="N",
        help=f"of so many operations (default {OPERATIONS})",
    )
    seed: str = option("--seed", default="1", help="which (default 1)")
    arch: str = option(
        "--arch", choices=CHIPS, default="blackhole", help="the chip (default: blackhole)"
    )
    whole: bool = option("--whole", action="store_true", help="cut nothing down")
    seconds: int = option(
        "--seconds",
        type=number,
        default=int(SECONDS),
        metavar="N",
        help=f"cut a sequence down for so long (default {SECONDS:.0f})",
    )
    folder: str | None = option(
        "--cases",
        metavar="DIR",
        help="write what is wrong to DIR, cut down, as tests that the fuser takes",
    )
    json: str | None = option("--json", metavar="FILE", help="write what was run to FILE")

    tree: TreeOptions = field(default_factory=TreeOptions)

    def __post_init__(self) -> None:
        parse_schedule(self.tree.schedule)
        if self.operations > MOST_OPERATIONS:
            raise UsageError(f"--operations: at most {MOST_OPERATIONS}")
