# SPDX-License-Identifier: Apache-2.0
"""The options of `tensix-gdb seeds`."""

from __future__ import annotations

from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.cli.options import tile
from tensix_gdb.gdbstub.cli.options.declare import option
from tensix_gdb.gdbstub.cli.options.outputs import expected
from tensix_gdb.gdbstub.cli.options.races import MODES, suppressions

SEEDS = "1000"


@dataclass(frozen=True)
class LoadOptions(tile.ProgramOptions):
    """The programs of the tile, which is brought to its beginning in `latency`."""

    elf: tuple[tuple[int, str], ...] = tile.elf("load FILE for a hart; once for each hart")
    engine: str = "auto"
    schedule: str = "latency"


@dataclass(frozen=True)
class WhichOptions:
    """Which runs there are."""

    seeds: str = option(
        "--seeds",
        default=SEEDS,
        metavar="N|A-B",
        help=f"so many seeds from 1 on, or those from A to B (default {SEEDS})",
    )
    schedule: tuple[str, ...] = option(
        "--schedule",
        action="append",
        metavar="SCHEDULE",
        help="random with its options (random,strict, random,no-pauses), each with every seed, or "
        "one execution such as latency or random:7; may be repeated (default: random)",
    )
    vary: tuple[str, ...] = option(
        "--vary",
        action="append",
        metavar="WHERE:A-B[/STEP]",
        help="a run for each length of a pause, as of --pause: T0@kernel.c:35:10-100/10; may be "
        "repeated",
    )
    nop: tuple[str, ...] = option(
        "--nop",
        action="append",
        metavar="THREAD:SITE:FILLER:COUNTS",
        help="a run for each number of NOPs at a site of TT-NOP: unpack:3:tti_nop:54, or "
        "unpack:*:auto:1-100 (`tensix-gdb manual seeds`); may be repeated",
    )
    nop_from: str | None = option(
        "--nop-from",
        metavar="failures.jsonl",
        help="the runs of a file that TT-NOP has written",
    )
    nop_cave: int | None = option(
        "--nop-cave",
        type=lambda text: int(text, 0),
        metavar="ADDR",
        help="where NOPs go in L1, if a program was not linked by the LLK tests (408 bytes)",
    )
    nop_to: str | None = option(
        "--nop-to",
        metavar="failures.jsonl",
        help="write what has failed with NOPs as TT-NOP does",
    )
    guided: bool = option(
        "--guided",
        action="store_true",
        help="let pauses and late requests turn round orders that were seen one way only; every "
        "other run is a seed",
    )
    orders: bool = option(
        "--orders",
        action="store_true",
        help="observe each run, and say which pairs of accesses were seen in both orders",
    )


@dataclass(frozen=True)
class WrongOptions:
    """When a run is wrong."""

    until: str | None = option(
        "--until", metavar="SYMBOL|FILE:LINE|ADDR", help="when a hart comes to this place"
    )
    races: str | None = option(
        "--races",
        nargs="?",
        const="default",
        choices=MODES,
        help="when accesses are reported that nothing orders",
    )
    races_suppressions: tuple[str, ...] = suppressions("reports that do not count; may be repeated")
    check: str | None = option(
        "--check",
        metavar="MODULE:FUNCTION",
        help="when a Python function of a tile at its end returns False or a sentence, or fails an "
        "assertion",
    )
    expect: tuple[str, ...] = expected()
    state: tuple[str, ...] = option(
        "--state",
        action="append",
        metavar="STATE",
        help="tell outcomes apart by this: 0x21000+4096 of L1, T0.a0, gpr, dst; may be repeated",
    )
    same: bool = option(
        "--same", action="store_true", help="when the state of --state is not that of latency"
    )
    max_cycles: int = option(
        "--max-cycles",
        type=int,
        default=0,
        metavar="N",
        help="when it takes more cycles (default: 50 times those of latency, 100000 at least)",
    )


@dataclass(frozen=True)
class HowOptions:
    """The extent and the means of a search."""

    jobs: int = option(
        "--jobs",
        type=int,
        default=0,
        metavar="N",
        help="so many processes (default: one for each processor)",
    )
    on: str | None = option(
        "--on",
        metavar="local|tcp://HOST:PORT",
        help="on a cluster of Dask: one that is started here, or the scheduler at an address",
    )
    stop_after: int = option(
        "--stop-after", type=int, default=0, metavar="N", help="end after N wrong runs"
    )
    to: str | None = option(
        "--to", metavar="FILE", help="write each run to FILE.jsonl or FILE.sqlite"
    )
    resume: bool = option("--resume", action="store_true", help="continue with the file of --to")
    compare: str | None = option(
        "--compare", metavar="FILE", help="say what differs from an earlier search"
    )
    no_smallest: bool = option(
        "--no-smallest", action="store_true", help="do not reduce the first wrong run"
    )


@dataclass(frozen=True)
class SeedsOptions:
    """Run programs in many orders, on all processors or on a cluster, and say how many runs are
    wrong, in how many ways, the first one, and the smallest order that is wrong. A run is wrong if
    it comes to --until, has a fault or a deadlock, a report of --races, or another end than
    --expect, --check, --same or a kept run want. Exit status 1 if any is."""

    load: LoadOptions = field(default_factory=LoadOptions)
    recording: tuple[str, ...] = option(
        "--recording",
        action="append",
        metavar="FILE",
        help="from the beginning of a recording of `run --record-to`",
    )
    kept: tuple[str, ...] = option(
        "--kept",
        action="append",
        metavar="FILE.core|DIR",
        help="a run that `simulator --keep` or `llk --keep` has kept, or all of a folder",
    )
    litmus: tuple[str, ...] = option(
        "--litmus",
        action="append",
        metavar="FILE",
        help="the tests of a .litmus file; a run is wrong if its outcome is not allowed",
    )
    only: str | None = option(
        "--only", metavar="TEXT", help="litmus tests with this text in their names"
    )
    which: WhichOptions = field(default_factory=WhichOptions, metadata={"title": "which runs"})
    wrong: WrongOptions = field(
        default_factory=WrongOptions, metadata={"title": "when a run is wrong"}
    )
    how: HowOptions = field(default_factory=HowOptions, metadata={"title": "how it is searched"})
