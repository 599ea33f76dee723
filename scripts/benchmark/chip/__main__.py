# SPDX-License-Identifier: Apache-2.0
"""A chip of many tiles under ttnn, beside Tenstorrent's simulator: seconds of the processor, and
where they go.

    scripts/bench ttnn [--arch wormhole] [--ttsim DIR/libttsim.so] [--times K] [--readme] [ROW...]

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
from scripts.benchmark.chip.tables import CHIPS, ROWS, Chip, profile_table, table
from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.isa.architecture import DIALECTS
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.ttnn.compiler import root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import cache_folder, environment, find_ttnn
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.usage import UsageError

TTSIM = "ttsim"
SCHEDULES = ("latency", "sc")


def main() -> int:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(prog="scripts/bench ttnn", description=__doc__)
    parser.add_argument("--ttsim", type=Path, metavar="LIBRARY", help="libttsim.so for the chip")
    parser.add_argument("--arch", choices=CHIPS, default="blackhole", help="the chip")
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
    chip, arch = CHIPS[of.arch], DIALECTS[of.arch].arch
    try:
        python = of.python or str(prepare())
        root = root_with_compiler(find_ttnn(python).folder, arch)
    except (CannotPrepare, UsageError) as problem:
        print(f"scripts/bench ttnn: {problem}", file=sys.stderr)
        return 1
    names = [name for name in (of.rows or known) if name != known[0]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def variables_of(library: Path) -> dict[str, str]:
            return environment(library, cache_folder(), chip.tiles, root=root, arch=arch)

        columns: dict[str, dict[str, Row]] = {}
        for schedule in SCHEDULES:
            library = write_library(folder / schedule, _options(schedule, chip), of.arch)
            one = Simulated(schedule, python, variables_of(library))
            columns[schedule] = run_rows(one, names, of.times)
        if of.ttsim is not None:
            other = Simulated(TTSIM, python, variables_of(of.ttsim.resolve()))
            columns[TTSIM] = run_rows(other, names, of.times)
        options = _options(SCHEDULES[0], chip)
        library, samples = sampled_folder(folder / "sampled", options, of.arch)
        profiled = run_rows(Simulated("sampled", python, variables_of(library)), names, of.times)
        shares = shares_of(read_samples(samples), profiled)
    text = table(columns, chip) + "\n" + profile_table(shares)
    print(text)
    if of.readme:
        chip.block.write(text)
    wrong = [
        f"{row.name} ({column})"
        for column, rows in columns.items()
        for row in rows.values()
        if not row.right and column != TTSIM
    ]
    for each in wrong:
        print(f"{FAILS}: {each}", file=sys.stderr)
    return 1 if wrong else 0


def _options(schedule: str, chip: Chip) -> SimulatorOptions:
    return SimulatorOptions(tiles=chip.tiles, schedule=schedule, address=AddressOptions(port=0))


if __name__ == "__main__":
    raise SystemExit(main())
