# SPDX-License-Identifier: Apache-2.0
"""`--web`: the picture of the tile in the browser, beside what a command serves."""

from __future__ import annotations

import argparse

from tensix_gdb.gdbstub.cli.options.tile import typed_port


def add(command: argparse.ArgumentParser) -> None:
    """Add the option."""
    command.add_argument(
        "--web",
        nargs="?",
        type=typed_port,
        const=0,
        metavar="PORT",
        help="show the tile in the browser, live: prints the address of the page, on this machine "
        "only; without PORT, any that is free",
    )
