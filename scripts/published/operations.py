# SPDX-License-Identifier: Apache-2.0
"""Operations of ttnn beside device times of Blackhole cards: `scripts/silicon ttnn`.

The times are in ttnn.csv, as tt-metal publishes them: from the first kernel's beginning to the last
one's end. The program runs on an emulated chip in `latency,links`, and the same is taken from its
runs: of each case the second launch. Nothing was fitted to them.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("ttnn.csv")
PROGRAM = ROOT / "scripts/examples/ttnn/two_readers.py"
LAUNCHES = 2  # of each case
ROWS = 10  # of tiles: a chip of fewer has other ports of DRAM than a card
MHZ = 1350  # of a card
WIDTH = 130
LIMITS = (0.02, 0.05, 0.1)
WANTED = 0.9  # of the cases, within the last limit


class CannotRun(Exception):
    """The program has not run; one sentence."""


@dataclass(frozen=True, slots=True)
class Case:
    """Words of the program, and a card's time."""

    words: str
    silicon: float
    source: str

    @property
    def grid(self) -> tuple[int, int]:
        """Columns and rows of tiles."""
        width, height = self.words.rpartition(",")[2].split("x")
        return int(width), int(height)


@dataclass(frozen=True, slots=True)
class Found:
    """A case, and ours in nanoseconds."""

    case: Case
    ours: float

    @property
    def error(self) -> float:
        return abs(self.ours / self.case.silicon - 1)


def listed() -> list[Case]:
    """Return all of them; lines that begin with # are comments."""
    lines = (line for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#"))
    return [Case(r["case"], float(r["nanoseconds"]), r["source"]) for r in csv.DictReader(lines)]


def measure(cases: Sequence[Case], runs: Path) -> list[Found]:
    """Run the program once with all cases; its runs are in a file then."""
    width = max(case.grid[0] for case in cases)
    command = [ROOT / "scripts/ttnn", "--tiles", f"{width}x{ROWS}", "--schedule", "latency,links"]
    command += ["--runs", runs, "--kernel-times", "--", PROGRAM, *(case.words for case in cases)]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise CannotRun(f"{PROGRAM.name} ends with status {done.returncode}: {done.stderr[-300:]}")
    return read(cases, runs)


def read(cases: Sequence[Case], runs: Path) -> list[Found]:
    """Return the times of these cases, from a file with the runs of every tile."""
    cycles: dict[int, list[int]] = defaultdict(list)
    for line in runs.read_text("utf-8").splitlines():
        run = json.loads(line)
        for began_and_ended in run.get("harts", {}).values():
            cycles[run["program"]] += began_and_ended
    if len(cycles) != LAUNCHES * len(cases):
        raise CannotRun(f"{runs} has {len(cycles)} launches, and not {LAUNCHES * len(cases)}")
    times = [(max(one) - min(one)) * 1000 / MHZ for _, one in sorted(cycles.items())]
    second = times[LAUNCHES - 1 :: LAUNCHES]
    return [Found(case, time) for case, time in zip(cases, second, strict=True)]


def shown(found: Sequence[Found]) -> Table:
    """A table of all."""
    table = Table("case", "a card", "ours", "ratio", "source")
    for one in found:
        ratio = f"{one.ours / one.case.silicon:.3f}"
        figures = f"{one.case.silicon:.0f} ns", f"{one.ours:.0f} ns", ratio
        table.add_row(one.case.words, *figures, one.case.source)
    return table


def summary(found: Sequence[Found]) -> str:
    """One sentence about all of them."""
    errors = [one.error for one in found]
    parts = ", ".join(f"{sum(e <= limit for e in errors)} within {limit:.0%}" for limit in LIMITS)
    return f"{len(errors)} device times, median error {median(errors):.1%}, {parts}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says. Status 1 if too few are near."""
    parser = argparse.ArgumentParser(prog="silicon ttnn", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="cases with this in their words")
    arguments = parser.parse_args(argv)
    cases = [case for case in listed() if arguments.only in case.words]
    if not cases:
        print(f"silicon: no case has {arguments.only}", file=sys.stderr)
        return 2
    try:
        with tempfile.TemporaryDirectory() as scratch:
            found = measure(cases, Path(scratch) / "runs")
    except CannotRun as problem:
        print(f"silicon: {problem}", file=sys.stderr)
        return 2
    Console(width=WIDTH).print(shown(found))
    print(summary(found))
    near = sum(one.error <= LIMITS[-1] for one in found)
    return 0 if near >= WANTED * len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
