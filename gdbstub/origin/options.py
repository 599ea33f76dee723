# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb origin`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_CYCLES, ProgramOptions, json
from tensix_gdb.gdbstub.usage import UsageError

CYCLES = 400  # core/origin/query.py


@dataclass(frozen=True)
class OriginOptions:
    """Run programs to their end, or play a recording, and say of a place what wrote it last, in
    which cycle, from which line, and what it was made of, back to stores and to what the host put
    there. PLACE is 0x21000 or 0x21000:2 (bytes of L1), $lreg3.f[7], dst 16.4, src a 1 3, cfg NAME,
    gpr T1 5, reg T0 a0, or local T0 0xffb00010."""

    place: tuple[str, ...] = option(nargs="*", metavar="PLACE", help="what is asked for")
    recording: str | None = option(
        "--recording", metavar="FILE", help="a file of --record-to, instead of programs"
    )
    of_tile: str | None = option(
        "--of-tile", metavar="X-Y", help="of a recording of several tiles: the tile of PLACE"
    )
    last: int | None = option(
        "--last",
        type=int,
        metavar="N",
        help="of a recording of several tiles: look at its last N cycles, and at those before them "
        "up to where the host has changed something; quicker, and nothing older is known",
    )
    until_first_nan: bool = option(
        "--until-first-nan",
        action="store_true",
        help="instead of a place: the first NaN that Dst, an LReg or a source bank has at the end "
        "of a cycle",
    )
    diff: str | None = option(
        "--diff",
        metavar="ADDR=FILE.npy:FORMAT[,rtol[=X]][,atol=Y][,rows]",
        help="instead of a place: the first datum of L1 that is not as in FILE, as for --expect",
    )
    json: bool = json("print the tree for programs")
    settings: bool = option(
        "--settings",
        action="store_true",
        help="name all settings that had a part in it, also counters and those never written",
    )
    brief: bool = option(
        "--brief",
        action="store_true",
        help="values and their writers only, a line for each step",
    )
    cycles: int = option(
        "--cycles",
        type=int,
        default=CYCLES,
        metavar="N",
        help=f"look at so many cycles of the past at most (default {CYCLES})",
    )
    max_cycles: int = option(
        "--max-cycles", type=int, default=DEFAULT_CYCLES, metavar="N", help="of the run, at most"
    )
    programs: ProgramOptions = field(default_factory=ProgramOptions)

    def __post_init__(self) -> None:
        if sum((bool(self.place), self.until_first_nan, self.diff is not None)) != 1:
            raise UsageError(
                "ask one thing: a place such as 0x21000 or dst 16.4, or --until-first-nan, or "
                "--diff 0x40000=golden.npy:bf16"
            )
        if self.last is not None and (self.recording is None or self.last < 1):
            raise UsageError("--last is for the end of a --recording, in cycles: 1 or more")
        if self.recording is not None and (self.programs.elf or self.programs.dir):
            raise UsageError("a recording has its programs in it: leave out --elf and --dir")
