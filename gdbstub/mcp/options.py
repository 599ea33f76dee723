# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb mcp`."""

from __future__ import annotations

import argparse

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option

SECONDS = 60
MAX_SECONDS = 3600


def _seconds(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_SECONDS}")
    return int(text)


@dataclass(frozen=True)
class McpOptions:
    """Serve one assistant at standard input and output. It may load and run ELF files on an
    emulated tile, ask why the tile has stopped, look at registers, state and source, have
    instructions explained and small programs explored. It reads files below the folders of --root
    alone, and writes none."""

    root: tuple[str, ...] = option(
        "--root",
        action="append",
        metavar="DIR",
        help="a folder that may be read, with all below it; may be repeated (default: none)",
    )
    seconds: int = option(
        "--seconds",
        type=_seconds,
        default=SECONDS,
        metavar="N",
        help=f"interrupt a call after so many seconds (default {SECONDS})",
    )
