# SPDX-License-Identifier: Apache-2.0
"""What debugging costs, beside QEMU: on the wire and through GDB.

Both servers run the same program and are measured in turn, so that a slow moment of the machine is
not one's alone; a figure is the median of ROUNDS.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.table import Table

from scripts.benchmark import raw, servers
from scripts.benchmark.report import Report
from scripts.benchmark.servers import Server

ROUNDS = 5
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


def debugging(console: Console, folder: Path, report: Report) -> None:
    """Print both tables and add the targets to the report."""
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
        with servers.tile(ours, "reference") as tile:
            slow = statistics.median(raw.INTERRUPT.of(tile) for _ in range(ROUNDS))
    units = {measure.name: measure.unit for measure in raw.MEASURES}
    console.print(table("Debugging, on the wire", units, figures, report, "wire"))
    console.print(table(f"Debugging, through {GDB}", GDB_UNITS, through_gdb, report, "GDB"))
    fast = statistics.median(figures["tile", "Ctrl-C"])
    for engine, value in (("compiled", fast), ("reference", slow)):
        limit = INTERRUPT_MS[engine]
        report.add(f"Ctrl-C, {engine} engine", f"{limit} ms", f"{value:.2f} ms", value <= limit)


def add(figures: Figures, server: Server, name: str, value: float) -> None:
    """Note one value."""
    figures.setdefault((server.name, name), []).append(value)


def table(
    title: str, units: Mapping[str, str], figures: Figures, report: Report, where: str
) -> Table:
    """The medians side by side; every ratio is a target."""
    shown = Table("", "unit", "tile", "QEMU", "of QEMU", title=title)
    for name, unit in units.items():
        ours = statistics.median(figures["tile", name])
        if ("QEMU", name) not in figures:
            shown.add_row(name, unit, f"{ours:,.2f}", "has none", "")
            continue
        theirs = statistics.median(figures["QEMU", name])
        ratio = theirs / ours if name in LESS_IS_BETTER else ours / theirs
        shown.add_row(name, unit, f"{ours:,.2f}", f"{theirs:,.2f}", f"{ratio:.2f}")
        met = ratio >= OF_QEMU
        report.add(f"{where}: {name}, of QEMU", f"{OF_QEMU:.2f}", f"{ratio:.2f}", met)
    return shown


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
