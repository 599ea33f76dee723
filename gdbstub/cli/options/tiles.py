# SPDX-License-Identifier: Apache-2.0
"""The options of input and output tiles."""

from __future__ import annotations

import argparse


def add_inputs(command: argparse.ArgumentParser) -> None:
    """Add the option of input tiles."""
    command.add_argument(
        "--tile",
        action="append",
        default=[],
        metavar="ADDR=FILE.npy:FORMAT[,rows]",
        help="put an array of NumPy into L1 as tiles of a format (bf16, fp32, bfp8 ...: "
        "`tensix-gdb manual tiles`), or row by row; also after each reset; may be repeated",
    )


def add_expected(command: argparse.ArgumentParser) -> None:
    """Add the option that compares output tiles."""
    command.add_argument(
        "--expect",
        action="append",
        default=[],
        metavar="ADDR=FILE.npy:FORMAT[,rtol[=X]][,atol=Y][,rows]",
        help="at the end compare L1 with an array; exit status 1 and a map of what differs if it "
        "is another one; rtol alone is two units in the last place of 1.0; may be repeated",
    )


def add_outputs(command: argparse.ArgumentParser) -> None:
    """Add the options that compare and write output tiles."""
    add_expected(command)
    command.add_argument(
        "--dump",
        action="append",
        default=[],
        metavar="ADDR=FILE.npy:FORMAT[,32x64][,rows]",
        help="at the end write the tiles at an address as an array of that shape (32x32 without); "
        "may be repeated",
    )
