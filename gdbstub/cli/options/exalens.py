# SPDX-License-Identifier: Apache-2.0
"""Arguments of `tensix-gdb core` that read a tile of a card."""

from __future__ import annotations

import argparse

from tensix_gdb.gdbstub.cli.options.tile import typed_elf


def add(core: argparse.ArgumentParser) -> None:
    """Add them."""
    core.add_argument(
        "--from-exalens",
        nargs="?",
        const="0,0",
        metavar="LOCATION",
        help="read a tile of a card through tt-exalens, and write FILE: LOCATION is as tt-exalens "
        "has it (default 0,0). Cores that run are halted one after the other for a moment",
    )
    core.add_argument("-o", dest="output", metavar="FILE", help="the file to write")
    core.add_argument("--device", type=int, default=0, metavar="N", help="which card (default 0)")
    core.add_argument(
        "--simulator", metavar="DIR", help="instead of a card: a folder of `tensix-gdb bridge DIR`"
    )
    core.add_argument("--undisturbed", action="store_true", help="halt no core")
    core.add_argument(
        "--no-local", action="store_true", help="leave local RAM out: it is read word by word"
    )
    core.add_argument(
        "--local-over-noc",
        action="store_true",
        help="read local RAM over the NoC, as --simulator does: at once, and of NC and of cores "
        "that cannot be halted too. On a Blackhole card that can hang the card and its host "
        "(tt-exalens#907)",
    )
    core.add_argument(
        "--no-config",
        action="store_true",
        help="leave the configuration out: it is read word by word",
    )
    core.add_argument("--dst", action="store_true", help="read Dst too: 8192 words")
    core.add_argument(
        "--elf",
        action="append",
        type=typed_elf,
        metavar="HART=FILE",
        help="the program of a hart, for symbols and lines; once for each hart",
    )
