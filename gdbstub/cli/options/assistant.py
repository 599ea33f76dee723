# SPDX-License-Identifier: Apache-2.0
"""The arguments of `tensix-gdb mcp`."""

from __future__ import annotations

import argparse
from typing import Any

SECONDS = 60
MAX_SECONDS = 3600


def add(commands: Any) -> None:
    """Add the command to the subparsers of the command line."""
    mcp = commands.add_parser(
        "mcp",
        help="serve an AI assistant by the Model Context Protocol",
        description="Serve one assistant at standard input and output. It may load and run ELF "
        "files on an emulated tile, ask why the tile stands still, look at registers, state and "
        "source, have instructions explained and small programs explored. It reads files below the "
        "folders of --root alone, and writes none.",
    )
    mcp.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder that may be read, with all below it; may be repeated (default: none)",
    )
    mcp.add_argument(
        "--seconds",
        type=_seconds,
        default=SECONDS,
        metavar="N",
        help=f"interrupt a call after so many seconds (default {SECONDS})",
    )


def _seconds(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_SECONDS}")
    return int(text)
