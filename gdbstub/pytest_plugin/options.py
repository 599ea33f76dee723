# SPDX-License-Identifier: Apache-2.0
"""The plugin's options on the command line of pytest."""

import pytest


def add_options(parser: pytest.Parser) -> None:
    """Add them, in a group of their own."""
    group = parser.getgroup("tensix-gdb", "breakpoint tests on an emulated Tensix tile")
    group.addoption(
        "--tile-engine",
        choices=("auto", "compiled", "reference"),
        default="auto",
        help="engine of the `tile` fixture (default: auto)",
    )
    group.addoption(
        "--tile-schedule",
        action="append",
        metavar="SCHEDULE",
        help="run every test with a tile in this schedule (sc, latency, random:SEED), instead of "
        "that of its marker; may be repeated",
    )
    group.addoption(
        "--tile-seed",
        action="append",
        metavar="SEEDS",
        help="run every test with a tile in random:SEED for these seeds: 7, or 3,7, or 0-99",
    )
    group.addoption(
        "--tile-seeds",
        type=int,
        metavar="N",
        help="run every test with a tile in random:1 to random:N, as one test that says which "
        "seeds fail",
    )
    group.addoption(
        "--tile-on",
        metavar="local|tcp://HOST:PORT",
        help="tests of many seeds (--tile-seeds, or seeds= of their markers): on a cluster of Dask",
    )
    group.addoption(
        "--tile-races",
        nargs="?",
        const="default",
        choices=("default", "strict"),
        help="fail every test with a tile, in a schedule with time, in which nothing orders two "
        "accesses; strict: also if only a promise of no page does",
    )
    group.addoption(
        "--tile-races-suppressions",
        action="append",
        default=[],
        metavar="FILE",
        help="reports that do not count (tensix-gdb manual races); may be repeated",
    )
    group.addoption(
        "--tile-check",
        metavar="NAMES",
        help="fail every test with a tile, in a schedule with time, in which one of these finds "
        "something: init, leaks, memory, stages, separated by commas, or all",
    )
    group.addoption(
        "--tile-serve",
        action="store_true",
        help="after a failed test, wait for a debugger to look at its tile",
    )
    group.addoption(
        "--tile-pictures",
        metavar="DIR",
        help="draw the tile of each failed test, as it is, into DIR/TEST.svg",
    )
    group.addoption(
        "--tile-share",
        metavar="DIR",
        help="write DIR/TEST.html for each failed test with a tile: the page with the last events "
        "of its run, which anyone opens without installing anything",
    )
