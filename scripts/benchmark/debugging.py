# SPDX-License-Identifier: Apache-2.0
"""The cost of debugging, beside QEMU: on the wire and through GDB.

Both servers run the same program and are measured in turn, so that a slow moment of the machine is
not one's alone; a figure is the median of ROUNDS.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from scripts.benchmark import cpus, raw, servers
from scripts.benchmark.report import IN_TIME, Report
from scripts.benchmark.reverse import reverse
from scripts.benchmark.servers import Server
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

ROUNDS = 5
BLOCK = Generated("debugging", "scripts/bench debugging --readme", MANUAL / "speed.md")
GDB = "gdb-multiarch"
GDB_SECONDS = 60
OF_QEMU = 1.0
INTERRUPT_MS = {"compiled": 1.0, "reference": 20.0}
# Through GDB; what is better when there is less of it.
GDB_UNITS = {
    "attach": "ms",
    "stepi": "per s",
    "next": "per s",
    "breakpoint hit": "per s",
    "false condition": "per s",
    "watch hit": "per s",
    "dump": "MB/s",
    "restore": "MB/s",
    "Ctrl-C": "ms",
}
LESS_IS_BETTER = ("attach", "Ctrl-C")

Figures = dict[tuple[str, str], list[float]]  # by server and measure


def main() -> int:
    """Print everything; 1 when a target is missed. `--readme` keeps the figures in the manual."""
    options = argparse.ArgumentParser(prog="scripts/bench debugging", description=__doc__)
    options.add_argument("--readme", action="store_true", help="put the figures into the manual")
    cpus.add_option(options)
    arguments = options.parse_args()
    if (settings := cpus.in_turn("scripts.benchmark.debugging", arguments)) is not None:
        return settings
    console = Console(width=None if sys.stdout.isatty() else 100)
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        rows = debugging(console, Path(folder), report)
    console.print(report.table)
    load = f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; medians of {ROUNDS} runs."
    console.print(load)
    if arguments.readme:
        lines = [load, "", "| | unit | tile | QEMU | of QEMU |", "|---|---|--:|--:|--:|"]
        BLOCK.write("\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows), ""]))
    return 1 if report.missed else 0


def debugging(console: Console, folder: Path, report: Report) -> list[tuple[str, ...]]:
    """Print both tables and add the targets to the report; all rows."""
    figures: Figures = {}
    through_gdb: Figures = {}
    ours, theirs = servers.tile_program(folder), servers.board_program(folder)
    with console.status("debugging"):
        with servers.tile(ours) as tile, servers.board(theirs) as board:
            for _ in range(ROUNDS):
                for measure in raw.MEASURES:
                    for server in (tile, board):
                        if server is tile or measure.in_qemu:
                            add(figures, server, measure.name, measure.of(server))
        for _ in range(ROUNDS):
            # Both fresh: the program has to be at its start.
            with servers.tile(ours) as tile, servers.board(theirs) as board:
                for server in (tile, board):
                    for name, value in in_gdb(server, folder).items():
                        add(through_gdb, server, name, value)
        back = reverse(folder, report)
        with servers.tile(ours, "reference") as tile:
            slow = statistics.median(raw.INTERRUPT.of(tile) for _ in range(ROUNDS))
    units = {measure.name: measure.unit for measure in raw.MEASURES}
    wire = list(rows_of(units, figures, report, "wire"))
    in_it = list(rows_of(GDB_UNITS, through_gdb, report, "GDB"))
    for title, rows in (("on the wire", wire), (f"through {GDB}", in_it)):
        shown = Table("", "unit", "tile", "QEMU", "of QEMU", title=f"Debugging, {title}")
        for row in rows:
            shown.add_row(*row)
        console.print(shown)
    fast = statistics.median(figures["tile", "Ctrl-C"])
    for engine, value in (("compiled", fast), ("reference", slow)):
        limit = INTERRUPT_MS[engine]
        report.add(
            *(f"Ctrl-C, {engine} engine", f"{limit} ms", f"{value:.2f} ms"), value <= limit, IN_TIME
        )
    slow_row = ("wire: Ctrl-C, reference engine", "ms", f"{slow:.2f}", "", "")
    named = [(f"wire: {row[0]}", *row[1:]) for row in wire]
    return [*named, slow_row, *back, *((f"GDB: {row[0]}", *row[1:]) for row in in_it)]


def add(figures: Figures, server: Server, name: str, value: float) -> None:
    """Note one value."""
    figures.setdefault((server.name, name), []).append(value)


def rows_of(
    units: Mapping[str, str], figures: Figures, report: Report, where: str
) -> Iterator[tuple[str, ...]]:
    """The medians side by side; every ratio is a target."""
    for name, unit in units.items():
        ours = statistics.median(figures["tile", name])
        if ("QEMU", name) not in figures:
            yield name, unit, f"{ours:,.2f}", "has none", ""
            continue
        theirs = statistics.median(figures["QEMU", name])
        ratio = theirs / ours if name in LESS_IS_BETTER else ours / theirs
        yield name, unit, f"{ours:,.2f}", f"{theirs:,.2f}", f"{ratio:.2f}"
        met = ratio >= OF_QEMU
        report.add(
            f"{where}: {name}, of QEMU",
            f"{OF_QEMU:.2f}",
            f"{ratio:.2f}",
            met,
            "of QEMU, the same asked",
        )


def in_gdb(server: Server, folder: Path) -> dict[str, float]:
    """The figures that a GDB gets."""
    environment = {
        **os.environ,
        "BENCH_PORT": str(server.port),
        "BENCH_ELF": str(server.place.elf),
        "BENCH_BUFFER": str(server.place.buffer),
        "BENCH_IMAGE": str(folder / "image"),
    }
    script = Path(__file__).with_name("inside.py")
    done = subprocess.run(
        [GDB, "-nx", "-nh", "-batch", "-x", str(script)],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=GDB_SECONDS,
    )
    for line in done.stdout.splitlines():
        if line.startswith("FIGURES "):
            found: dict[str, float] = json.loads(line.removeprefix("FIGURES "))
            return found
    raise RuntimeError(f"GDB on {server.name} gave no figures:\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    raise SystemExit(main())
