# SPDX-License-Identifier: Apache-2.0
"""The arguments of `tensix-gdb check`."""

from __future__ import annotations

from typing import Any

from tensix_gdb.gdbstub.cli.options.instructions import TENSIX
from tensix_gdb.gdbstub.cli.options.tile import typed_elf

DEFAULT_CYCLES = 10_000_000


def add(commands: Any) -> None:
    """Add the command to the subparsers of the command line."""
    check = commands.add_parser(
        "check",
        help="is the order of two lines certain?",
        description="Run programs once in `latency`, and say whether the accesses of two lines can "
        "come in the other order. `no` comes with a witness, and where a T core and its own thread "
        "are meant with all outcomes of what is between, without and with the instruction that "
        "orders them. Exit status 0 for yes, 1 for no, 3 for unknown.",
    )
    check.add_argument(
        "--pair",
        nargs=2,
        required=True,
        metavar="FILE:LINE",
        help="the two lines, in either order",
    )
    check.add_argument(
        "programs", nargs="*", type=typed_elf, metavar="HART=FILE", help="t0=unpack.elf and so on"
    )
    check.add_argument(
        "--dir",
        action="append",
        default=[],
        metavar="DIR",
        help="the programs of a folder, as `run --dir` knows them",
    )
    check.add_argument("--arch", choices=TENSIX, help="the chip (default: blackhole)")
    check.add_argument("--json", action="store_true", help="as JSON, for programs")
    check.add_argument(
        "--max-cycles", type=int, default=DEFAULT_CYCLES, metavar="N", help="give up after so many"
    )
    check.add_argument(
        "--engine", choices=("auto", "compiled", "reference"), default="auto", help="the engine"
    )
