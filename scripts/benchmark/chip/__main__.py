# SPDX-License-Identifier: Apache-2.0
"""A chip of 140 tiles under ttnn, beside Tenstorrent's simulator: seconds of the processor, and
where they go.

    scripts/bench ttnn [--ttsim DIR/libttsim.so] [--times K] [--readme] [ROW...]

Each row is an operation with its result read back, in the schedules `latency` and `sc` and on a
ttsim of your own, one after the other in one run; of K runs the best counts. Host and server are
apart; ttsim is in the host's process. A second run in `latency` has a sampler in the server
(sampled.py). `--readme` writes the tables to the manual's chapter.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from scripts.benchmark import cpus
from scripts.benchmark.chip.run import FAILS, Row, Simulated, run_rows, sampled_folder
from scripts.benchmark.chip.shares import read_samples, shares_of
from scripts.benchmark.chip.tables import BLOCK, ROWS, profile_table, table
from scripts.llktests.suite import CannotPrepare
from scripts.ttnntools.prepare import prepare
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.ttnn.compiler import root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import cache_folder, environment, find_ttnn
from tensix_gdb.gdbstub.usage import UsageError

TILES = "14x10"
TTSIM = "ttsim"
SCHEDULES = ("latency", "sc")


def main() -> int:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(prog="scripts/bench ttnn", description=__doc__)
    parser.add_argument("--ttsim", type=Path, metavar="LIBRARY", help="libttsim.so for Blackhole")
    parser.add_argument("--times", type=int, default=5, metavar="K", help="runs of each row (5)")
    parser.add_argument("--python", metavar="PYTHON", help="one that has ttnn (made otherwise)")
    parser.add_argument("--readme", action="store_true", help="write the tables to the manual")
    parser.add_argument("rows", nargs="*", metavar="ROW", help='such as "add 64" (default: all)')
    cpus.add_option(parser)
    of = parser.parse_args()
    known = [row.name for row in ROWS]
    for name in of.rows:
        if name not in known:
            parser.error(f"there is no row {name!r}; there are {', '.join(known)}")
    if of.ttsim is not None and not of.ttsim.is_file():
        parser.error(f"{of.ttsim}: there is no such file")
    status = cpus.in_turn("scripts.benchmark.chip", of)
    if status is not None:
        return status
    # As where it is installed: compiled modules are kept.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        python = of.python or str(prepare())
        root = root_with_compiler(find_ttnn(python).folder)
    except (CannotPrepare, UsageError) as problem:
        print(f"scripts/bench ttnn: {problem}", file=sys.stderr)
        return 1
    names = [name for name in (of.rows or known) if name != known[0]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        columns: dict[str, dict[str, Row]] = {}
        for schedule in SCHEDULES:
            library = write_library(folder / schedule, _options(schedule))
            one = Simulated(
                schedule, python, environment(library, cache_folder(), TILES, root=root)
            )
            columns[schedule] = run_rows(one, names, of.times)
        if of.ttsim is not None:
            variables = environment(of.ttsim.resolve(), cache_folder(), TILES, root=root)
            columns[TTSIM] = run_rows(Simulated(TTSIM, python, variables), names, of.times)
        library, samples = sampled_folder(folder / "sampled", _options(SCHEDULES[0]))
        variables = environment(library, cache_folder(), TILES, root=root)
        profiled = run_rows(Simulated("sampled", python, variables), names, of.times)
        shares = shares_of(read_samples(samples), profiled)
    text = table(columns) + "\n" + profile_table(shares)
    print(text)
    if of.readme:
        BLOCK.write(text)
    wrong = [
        f"{row.name} ({column})"
        for column, rows in columns.items()
        for row in rows.values()
        if not row.right and column != TTSIM
    ]
    for each in wrong:
        print(f"{FAILS}: {each}", file=sys.stderr)
    return 1 if wrong else 0


def _options(schedule: str) -> SimulatorOptions:
    return SimulatorOptions(tiles=TILES, schedule=schedule, address=AddressOptions(port=0))


if __name__ == "__main__":
    raise SystemExit(main())
