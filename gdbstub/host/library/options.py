# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb simulator`."""

from __future__ import annotations

import argparse
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.usage import UsageError

ALL = "all"  # tiles that the chip has here


@dataclass(frozen=True)
class Tiles(SimulatorOptions):
    """Tiles of which drivers are told nothing but the library's path."""

    tiles: str = option(
        "--tiles",
        default=ALL,
        metavar="WxH",
        help=f"so many columns and rows of tiles (default {ALL}: 14x10, of Wormhole 8x10); "
        "tt-metal takes less than the whole chip with more variables, which are said; each is a "
        "process for GDB",
    )


@dataclass(frozen=True)
class LibraryOptions:
    """Write a folder with a library that ttnn, tt-metal's C++ programs and whatever else uses
    Tenstorrent's driver load as their simulator: TT_METAL_SIMULATOR=DIR/libtensix-gdb.so, and
    nothing else is changed. They run on emulated tiles, and you may attach a debugger meanwhile;
    while you look, they wait."""

    folder: str | None = option(nargs="?", metavar="DIR", help="the folder to write")
    serve: bool = option("--serve", action="store_true", help=argparse.SUPPRESS)
    arch: str | None = tile.arch("the chip that the tiles are of (default: blackhole)")
    life: str | None = option("--life", help=argparse.SUPPRESS)  # simulator/life.py
    finds: str | None = option("--finds", help=argparse.SUPPRESS)  # simulator/runs/found.py
    gdb: str | None = option(
        "--gdb",
        nargs="?",
        const="",
        metavar="GDB",
        help="open a GDB in the terminal of the program that loads the library; the first kernel "
        "waits for it",
    )
    simulator: Tiles = field(default_factory=Tiles)

    def __post_init__(self) -> None:
        if self.serve == (self.folder is not None):
            raise UsageError("name a folder to write, as in `tensix-gdb simulator tiles`")
