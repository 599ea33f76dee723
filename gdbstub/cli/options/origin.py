# SPDX-License-Identifier: Apache-2.0
"""Arguments of `tensix-gdb origin`."""

from __future__ import annotations

from typing import Any

from tensix_gdb.gdbstub.cli.options import tile as options

CYCLES = 400  # core/origin/query.py


def add(commands: Any, most: int) -> None:
    """Add the command."""
    origin = commands.add_parser(
        "origin",
        help="say where a value came from: its last write, and what that was made of",
        description="Run programs to their end, or play a recording, and say of a place who wrote "
        "it last, in which cycle, from which line, and what it was made of, back to stores and to "
        "what the host put there. PLACE is 0x21000 or 0x21000:2 (bytes of L1), $lreg3.f[7], "
        "dst 16.4, src a 1 3, cfg NAME, gpr T1 5, reg T0 a0, or local T0 0xffb00010.",
    )
    origin.intermixed = True
    origin.add_argument("place", nargs="*", metavar="PLACE", help="what is asked for")
    origin.add_argument(
        "--recording", metavar="FILE", help="a file of --record-to, instead of programs"
    )
    origin.add_argument(
        "--of-tile", metavar="X-Y", help="of a recording of several tiles: the tile of PLACE"
    )
    origin.add_argument(
        "--until-first-nan",
        action="store_true",
        help="instead of a place: the first NaN that Dst, an LReg or a source bank has at the end "
        "of a cycle",
    )
    origin.add_argument(
        "--diff",
        metavar="ADDR=FILE.npy:FORMAT[,rtol[=X]][,atol=Y][,rows]",
        help="instead of a place: the first datum of L1 that is not as in FILE, as for --expect",
    )
    origin.add_argument("--json", action="store_true", help="print the tree for programs")
    origin.add_argument(
        "--settings",
        action="store_true",
        help="name all settings that had a part in it, also counters and those never written",
    )
    origin.add_argument(
        "--cycles",
        type=int,
        default=CYCLES,
        metavar="N",
        help=f"look at so many cycles of the past at most (default {CYCLES})",
    )
    origin.add_argument(
        "--max-cycles", type=int, default=most, metavar="N", help="of the run, at most"
    )
    options.programs(origin)
    options.more_programs(origin)
