# SPDX-License-Identifier: Apache-2.0
"""The arguments of `tensix-gdb seeds`, and those of searches that other commands share."""

from __future__ import annotations

import argparse
from typing import Any

from tensix_gdb.gdbstub.cli.options import tile as options
from tensix_gdb.gdbstub.cli.options import tiles as tile_arguments

SEEDS = "1000"


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Declare the command."""
    seeds = commands.add_parser(
        "seeds",
        help="search for the order of events in which a program goes wrong",
        description="Run programs in many orders, on all processors or on a cluster, and say how "
        "many runs are wrong, in how many ways, the first one, and the smallest order that is "
        "wrong. A run is wrong if it comes to --until, has a fault or a deadlock, a report of "
        "--races, or another end than --expect, --check, --same or a kept run want. Exit status 1 "
        "if any is.",
    )
    seeds.add_argument(
        "--elf",
        action="append",
        type=options.typed_elf,
        metavar="HART=FILE",
        help="load FILE for a hart; once for each hart",
    )
    options.more_programs(seeds)
    seeds.add_argument(
        "--recording",
        action="append",
        default=[],
        metavar="FILE",
        help="from the beginning of a recording of `run --record-to`",
    )
    seeds.add_argument(
        "--kept",
        action="append",
        default=[],
        metavar="FILE.core|DIR",
        help="a run that `bridge --keep` or `scripts/llk --keep` has kept, or all of a folder",
    )
    seeds.add_argument(
        "--litmus",
        action="append",
        default=[],
        metavar="FILE",
        help="the tests of a .litmus file; a run is wrong if its outcome is not allowed",
    )
    seeds.add_argument("--only", metavar="TEXT", help="litmus tests with this text in their names")
    what = seeds.add_argument_group("which runs")
    what.add_argument(
        "--seeds",
        default=SEEDS,
        metavar="N|A-B",
        help=f"so many seeds from 1 on, or those from A to B (default {SEEDS})",
    )
    what.add_argument(
        "--schedule",
        action="append",
        metavar="SCHEDULE",
        help="random with its options (random,strict, random,no-pauses), each with every seed, or "
        "one execution such as latency or random:7; may be repeated (default: random)",
    )
    what.add_argument(
        "--vary",
        action="append",
        default=[],
        metavar="WHERE:A-B[/STEP]",
        help="a run for each length of a pause, as of --pause: T0@kernel.c:35:10-100/10; may be "
        "repeated",
    )
    what.add_argument(
        "--nop",
        action="append",
        default=[],
        metavar="THREAD:SITE:FILLER:COUNTS",
        help="a run for each number of NOPs at a site of TT-NOP: unpack:3:tti_nop:54, or "
        "unpack:*:auto:1-100 (`tensix-gdb manual seeds`); may be repeated",
    )
    what.add_argument(
        "--nop-from",
        metavar="failures.jsonl",
        help="the runs of a file that TT-NOP has written",
    )
    what.add_argument(
        "--nop-cave",
        type=lambda text: int(text, 0),
        metavar="ADDR",
        help="where NOPs go in L1, if a program was not linked by the LLK tests (408 bytes)",
    )
    what.add_argument(
        "--nop-to",
        metavar="failures.jsonl",
        help="write what has failed with NOPs as TT-NOP does",
    )
    what.add_argument(
        "--guided",
        action="store_true",
        help="let pauses and late requests turn round orders that were seen one way only; every "
        "other run is a seed",
    )
    what.add_argument(
        "--orders",
        action="store_true",
        help="observe each run, and say which pairs of accesses were seen in both orders",
    )
    wrong: Any = seeds.add_argument_group("when a run is wrong")
    wrong.add_argument(
        "--until", metavar="SYMBOL|FILE:LINE|ADDR", help="when a hart comes to this place"
    )
    wrong.add_argument(
        "--races",
        nargs="?",
        const="default",
        choices=("default", "strict"),
        help="when accesses are reported that nothing orders",
    )
    wrong.add_argument(
        "--races-suppressions",
        action="append",
        default=[],
        metavar="FILE",
        help="reports that do not count; may be repeated",
    )
    wrong.add_argument(
        "--check",
        metavar="MODULE:FUNCTION",
        help="when a Python function of a tile at its end returns False or a sentence, or fails an "
        "assertion",
    )
    tile_arguments.add_expected(wrong)
    wrong.add_argument(
        "--state",
        action="append",
        default=[],
        metavar="STATE",
        help="tell outcomes apart by this: 0x21000+4096 of L1, T0.a0, gpr, dst; may be repeated",
    )
    wrong.add_argument(
        "--same", action="store_true", help="when the state of --state is not that of latency"
    )
    wrong.add_argument(
        "--max-cycles",
        type=int,
        default=0,
        metavar="N",
        help="when it takes more cycles (default: 50 times those of latency, 100000 at least)",
    )
    how = seeds.add_argument_group("how it is searched")
    add_where(how)
    how.add_argument(
        "--stop-after", type=int, default=0, metavar="N", help="end after N wrong runs"
    )
    how.add_argument("--to", metavar="FILE", help="write each run to FILE.jsonl or FILE.sqlite")
    how.add_argument("--resume", action="store_true", help="go on with the file of --to")
    how.add_argument("--compare", metavar="FILE", help="say what differs from an earlier search")
    how.add_argument("--no-smallest", action="store_true", help="do not reduce the first wrong run")
    seeds.set_defaults(engine="auto")


def add_where(command: Any) -> None:
    """Add the options of what runs a search."""
    command.add_argument(
        "--jobs",
        type=int,
        default=0,
        metavar="N",
        help="so many processes (default: one for each processor)",
    )
    command.add_argument(
        "--on",
        metavar="local|tcp://HOST:PORT",
        help="on a cluster of Dask: one that is started here, or the scheduler at an address",
    )
