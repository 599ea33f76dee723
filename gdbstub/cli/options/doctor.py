# SPDX-License-Identifier: Apache-2.0
"""The arguments of `doctor`."""

from __future__ import annotations

from typing import Any


def add(commands: Any) -> None:
    """Add the command to the subparsers of the command line."""
    doctor = commands.add_parser(
        "doctor",
        help="say what is missing here, and the command that mends it",
        description="Look at what commands need: the compiler of the tile (llvmlite) and what it "
        "has compiled, the cache, GDB, a compiler for kernels, LLK's headers, optional packages. "
        "Exit status 0 if everything is there that most commands need, 1 if something is missing.",
    )
    doctor.add_argument(
        "--compile",
        nargs="?",
        const="",
        metavar="NAME",
        help="compile for this processor what is not in the cache, so that no command waits for "
        "it: everything, or builds with such a name, as `--compile origin`",
    )
    doctor.add_argument("--json", action="store_true", help="write what was found as JSON")
