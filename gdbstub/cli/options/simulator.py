# SPDX-License-Identifier: Apache-2.0
"""`bridge` and `ttnn`: tiles that a driver starts as its simulator."""

from __future__ import annotations

import argparse
from typing import Any

from tensix_gdb.gdbstub.cli.options import races as race_arguments
from tensix_gdb.gdbstub.cli.options import tile as options
from tensix_gdb.gdbstub.cli.options import web as web_arguments
from tensix_gdb.gdbstub.usage import DEFAULT_SCHEDULE

DEFAULT_CYCLES_PER_MESSAGE = 2_000


def add_bridge(commands: argparse._SubParsersAction[Any]) -> None:
    """Add `bridge`."""
    bridge = commands.add_parser(
        "bridge",
        help="be the simulator of Tenstorrent's own tools",
        description="Write a simulator directory for tt-umd, tt-exalens and the LLK tests. Where "
        "they are given it, they load and start kernels on an emulated tile, and you may attach a "
        "debugger meanwhile; while you look, they wait.",
    )
    bridge.add_argument("folder", nargs="?", metavar="DIR", help="the directory to write")
    bridge.add_argument("--connect", metavar="URL", help="what DIR/run.sh does: serve the driver")
    bridge.add_argument(
        "--arch",
        choices=("blackhole", "wormhole"),
        help="the chip that the tile is of (default: blackhole); of Wormhole, one tile",
    )
    bridge.add_argument("--life", help=argparse.SUPPRESS)  # bridge/life.py
    _simulator(bridge)


def add_ttnn(commands: argparse._SubParsersAction[Any]) -> None:
    """Add `ttnn`."""
    ttnn = commands.add_parser(
        "ttnn",
        help="run a Python program that uses ttnn on the emulated tile",
        description="Run SCRIPT.py with ARGS by a Python that has ttnn; its device is an emulated "
        "tile. Standard output and the exit status are the script's; a line on standard error says "
        "how to attach a GDB while it runs.",
    )
    ttnn.add_argument(
        "--python",
        metavar="PY",
        help="the Python that has ttnn (default: of the active environment, or python3)",
    )
    ttnn.add_argument(
        "--gdb",
        nargs="?",
        const="",
        metavar="GDB",
        help="open a GDB in this terminal; the first kernel waits for it",
    )
    ttnn.add_argument(
        "--dispatch",
        choices=("slow", "fast"),
        default="slow",
        help="who gives kernels to the tiles: the host itself (default), or tt-metal's dispatcher "
        "on tiles of another column",
    )
    _simulator(ttnn)
    ttnn.add_argument("script", nargs="*", metavar="-- SCRIPT.py ARGS")


def _simulator(bridge: argparse.ArgumentParser) -> None:
    """Add the options of tiles that a driver starts."""
    bridge.add_argument(
        "--tiles",
        default="1x1",
        metavar="WxH",
        help="so many columns and rows of tiles, up to 14x10, the whole chip (default 1x1); each "
        "is a process for GDB",
    )
    bridge.add_argument(
        "--stop-at-entry",
        action="store_true",
        help="when T0, T1 or T2 leaves reset, wait for a debugger",
    )
    bridge.add_argument(
        "--stop-at-fault", action="store_true", help="at a fault, wait for a debugger"
    )
    web_arguments.add(bridge)
    bridge.add_argument(
        "--runs",
        metavar="FILE",
        help="append a line to FILE for each run of kernels: cycles, instructions, seconds",
    )
    bridge.add_argument(
        "--keep",
        metavar="DIR",
        help="write a core file into DIR for each run of kernels, as the tile was before it, and "
        "the message of the host that began it",
    )
    bridge.add_argument(
        "--cycles",
        type=options.cycles,
        default=DEFAULT_CYCLES_PER_MESSAGE,
        metavar="N",
        help="run so many cycles after each message of the host "
        f"(default {DEFAULT_CYCLES_PER_MESSAGE})",
    )
    options.threads(bridge)
    options.record(bridge)
    options.stop_at_end(bridge)
    bridge.add_argument(
        "--elf",
        action="append",
        type=options.typed_elf,
        metavar="HART=FILE",
        help="the program that the host loads for a hart, for its symbols: for debuggers, in "
        "sentences and in what is counted. When the hart leaves reset it is compared with what is "
        "in L1; of a pattern (in quotes) the newest file that is there is taken",
    )
    bridge.add_argument(
        "--kernel-cache",
        metavar="DIR",
        help="where tt-metal keeps what it compiles: kernels and firmware are recognised there, "
        "and need no --elf (default: TT_METAL_CACHE, else ~/.cache)",
    )
    options.counted(bridge)
    race_arguments.add(bridge, has_status=False)
    options.engine(bridge, DEFAULT_SCHEDULE)
    options.faults(bridge)
    options.pauses(bridge)
    options.address(bridge)
