# SPDX-License-Identifier: Apache-2.0
"""A mesh of chips under ttnn, beside Tenstorrent's simulator built for as many: seconds of the
processor, and memory.

    scripts/bench mesh [--chips N] [--ttsim DIR/libttsim.so] [--times K] [--readme]

The mesh is opened, and adds on all chips; of K runs the best counts. Host and server are apart;
ttsim is in the host's process. Collectives are not compared: ttsim 1.10.0 dies in the fabric's
firmware. `--ttsim` is a build for N chips (of its `make.py`, bh_x2 or bh_x4). `--readme` writes the
table to the manual's chapter.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.benchmark.chip.run import HERE, SECONDS, Row, read_rows
from scripts.benchmark.report import compiled_for
from scripts.ttnntools.prepare import prepare
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.library.command import write_library
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.ttnn.compiler import root_with_compiler
from tensix_gdb.gdbstub.host.ttnn.environment import cache_folder, environment, find_ttnn
from tensix_gdb.gdbstub.llk.suite import CannotPrepare
from tensix_gdb.gdbstub.usage import UsageError

MESHES = {2: (1, 2), 4: (2, 2)}
TILES = "14x10"
OURS, OTHER = "latency", "ttsim"
DESCRIPTOR = "tt_metal/soc_descriptors/blackhole_140_arch.yaml"
BLOCKS = {
    chips: Generated(
        f"mesh of {chips}", f"scripts/bench mesh --chips {chips} --readme", MANUAL / "chips.md"
    )
    for chips in MESHES
}


@dataclass(frozen=True, slots=True)
class Ran:
    """The rows of a simulator; MiB of the host and of the server, 0 where it died before."""

    rows: dict[str, Row]
    host: float = 0
    server: float = 0


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="scripts/bench mesh", description=__doc__)
    parser.add_argument("--chips", type=int, choices=sorted(MESHES), default=2)
    parser.add_argument("--ttsim", type=Path, metavar="LIBRARY", help="for as many chips")
    parser.add_argument("--times", type=int, default=5, metavar="K", help="runs of each row (5)")
    parser.add_argument("--python", metavar="PYTHON", help="one that has ttnn (made otherwise)")
    parser.add_argument("--readme", action="store_true", help="write the table to the manual")
    of = parser.parse_args()
    if of.ttsim is not None and not of.ttsim.is_file():
        parser.error(f"{of.ttsim}: there is no such file")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        python = of.python or str(prepare())
        installed = find_ttnn(python).folder
        root = root_with_compiler(installed, Arch.BLACKHOLE)
    except (CannotPrepare, UsageError) as problem:
        print(f"scripts/bench mesh: {problem}", file=sys.stderr)
        return 1
    found: dict[str, Ran] = {}
    with tempfile.TemporaryDirectory() as name:
        options = SimulatorOptions(tiles=TILES, chips=of.chips, address=AddressOptions(port=0))
        libraries = {OURS: write_library(Path(name) / OURS, options)}
        if of.ttsim is not None:
            libraries[OTHER] = beside_descriptor(of.ttsim, Path(name) / OTHER, installed)
        for column, library in libraries.items():
            variables = environment(library, cache_folder(), TILES, root=root)
            if column == OTHER:  # which knows none
                variables["TT_METAL_DISABLE_SFPLOADMACRO"] = "1"
            found[column] = run(python, variables, of.chips, of.times)
    text = table(found, of.chips)
    print(text)
    if of.readme:
        BLOCKS[of.chips].write(text)
    wrong = [name for name, row in found[OURS].rows.items() if not row.right]
    for each in wrong:
        print(f"fails: {each}", file=sys.stderr)
    return 1 if wrong else 0


def beside_descriptor(library: Path, folder: Path, ttnn: Path) -> Path:
    """Copy a ttsim to where the driver finds the description of its chips beside it."""
    folder.mkdir()
    shutil.copyfile(ttnn / DESCRIPTOR, folder / "soc_descriptor.yaml")
    return Path(shutil.copy(library, folder))


def run(python: str, variables: Mapping[str, str], chips: int, times: int) -> Ran:
    """Run the rows in a process of their own."""
    shape = map(str, MESHES[chips])
    done = subprocess.run(
        [python, str(HERE / "mesh_rows.py"), *shape, str(times)],
        env=dict(variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=SECONDS,
        check=False,
    )
    return read(done.stdout, done.stderr)


def read(said: str, errors: str) -> Ran:
    """Read what mesh_rows.py has printed."""
    lines = said.splitlines()
    memory = [json.loads(line) for line in lines if line.startswith('{"host"')]
    others = [line for line in lines if not line.startswith('{"host"')]
    rows = read_rows(others, f"{errors}\n{said}")
    return Ran(rows, memory[0]["host"], memory[0]["server"]) if memory else Ran(rows)


def table(found: Mapping[str, Ran], chips: int) -> str:
    """Make the table: seconds and MiB, of the host and of the server where that is apart."""
    rows, columns = MESHES[chips]
    head = [f"mesh of {rows}x{columns}", *found]
    lines = [
        f"{datetime.date.today():%d.%m.%Y}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.0f}, "
        f"compiled for {compiled_for()}. {TILES} tiles a chip, slow dispatch; seconds of the "
        "processor, the best run of each row, and the most memory that each process had: host + "
        "server.",
        "",
        f"| {' | '.join(head)} |",
        "|---" + "|--:" * len(found) + "|",
    ]
    for name in next(iter(found.values())).rows:
        cells = [_seconds(ran.rows.get(name)) for ran in found.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    memory = [_pair(ran.host, ran.server, "MiB", 0) if ran.host else "" for ran in found.values()]
    lines.append(f"| memory | {' | '.join(memory)} |")
    return "\n".join(lines) + "\n"


def _seconds(row: Row | None) -> str:
    best = None if row is None else row.best()
    if row is None or best is None or not row.right:
        return "dies" if row is None or not row.runs else "wrong"
    return _pair(best.host, best.server, "s", 3)


def _pair(host: float, server: float, unit: str, digits: int) -> str:
    parts = [f"{one:.{digits}f}" for one in (host, server) if one]
    return f"{' + '.join(parts)} {unit}"


if __name__ == "__main__":
    raise SystemExit(main())
