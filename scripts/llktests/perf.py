# SPDX-License-Identifier: Apache-2.0
"""LLK's performance tests on our tile, as they are shipped: `scripts/llk perf [FILE ...]`.

The suite writes its own reports; they are copied to `--to`. Then there is a table of cycles per
tile, and with `--counters` (the suite's --enable-perf-counters) one of utilisations, as in
tt-metal#56320: what the tile has counted in each run, by the formulas of tt-metal's guide.
`--against FILE` puts the suite's report of a card beside ours: a CSV file with the same columns.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import statistics
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tensix_gdb.core.perf.metrics import METRICS
from tensix_gdb.gdbstub.llk.running import Choice, Outcome, finished, joined, started
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of

VARIANTS = 3
WIDTH = 160
TEST_SECONDS = 600  # five kernels each, and a loop that backs off for a million cycles
RUN_TYPES = ("L1_TO_L1", "UNPACK_ISOLATE", "MATH_ISOLATE", "PACK_ISOLATE", "L1_CONGESTION")
MEAN = re.compile(r"mean\((\w+(?:\[\w+\])?)\)$")
MARKER, ZONE = "marker", "TILE_LOOP"
# The columns of tt-metal#56320's table.
SHOWN = {
    "fpu_utilization_pct": "FPU util", "pack_utilization_pct": "packer util",
    "unpack_thread_stall_pct": "T0 stall", "math_thread_stall_pct": "T1 stall",
    "pack_thread_stall_pct": "T2 stall", "l1_unpacker_util_pct": "L1 unpacker port",
    "l1_tdma_bundle_util_pct": "L1 TDMA bundle",
}  # fmt: skip
Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of ours and the one of the other report."""

    variant: str
    run_type: str
    ours: float
    theirs: float

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


def rows_of(path: Path, zone: str = ZONE) -> list[Row]:
    """The rows of a report that are about the measured loop, or another zone."""
    with path.open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row.get(MARKER) == zone]


def variant_of(row: Row) -> dict[str, str]:
    """Return the columns that name a row: those before the marker, without sizes of code, which
    depend on the compiler."""
    names = list(row)
    before = names[: names.index(MARKER)]
    return {name: row[name] for name in before if not name.startswith("TEXT_SIZE")}


def means(row: Row) -> dict[str, float]:
    """Cycles by run type."""
    found = ((MEAN.match(name), value) for name, value in row.items())
    return {match[1]: float(value) for match, value in found if match and value}


def compare(ours: Sequence[Row], theirs: Sequence[Row]) -> list[Compared]:
    """Figures of the variants that both reports have: the same values in all columns that both
    reports have before the marker."""
    found = []
    for row in ours:
        mine = variant_of(row)
        for other in theirs:
            yours = variant_of(other)
            if any(yours[name] != value for name, value in mine.items() if name in yours):
                continue
            figures = means(other)
            text = ", ".join(mine.values())
            found += [
                Compared(text, run_type, value, figures[run_type])
                for run_type, value in means(row).items()
                if figures.get(run_type)
            ]
    return found


def utilisations(runs: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """The mean of each metric that is shown over runs of one type; 0 where nothing was counted."""
    values: dict[str, list[float]] = {key: [] for key in SHOWN}
    for run in runs:
        counts = {name: 0 for metric in METRICS for name in (*metric.of, *metric.over)}
        counts |= run
        for metric in METRICS:
            if metric.key in values:
                values[metric.key].append(metric.value(counts) or 0.0)
    return {key: statistics.mean(found) for key, found in values.items() if found}


def by_run_type(outcomes: Sequence[Outcome]) -> dict[str, list[Mapping[str, int]]]:
    """Return the counts of the runs of each type: a test has one of each, in the order of
    RUN_TYPES. The tile's counts at the end of a run are those of its last zone, the loop."""
    found: dict[str, list[Mapping[str, int]]] = {}
    for outcome in outcomes:
        if len(outcome.perf) == len(RUN_TYPES):
            for run_type, counts in zip(RUN_TYPES, outcome.perf, strict=True):
                found.setdefault(run_type, []).append(counts)
    return found


def _cycles_table(rows: Sequence[Row]) -> Table:
    """A row for each variant, by its number."""
    table = Table("variant", title="cycles per tile")
    types = list(dict.fromkeys(name for row in rows for name in means(row)))
    for run_type in types:
        table.add_column(run_type, justify="right", no_wrap=True)
    for number, row in enumerate(rows, 1):
        values = means(row)
        shown = (f"{values[name]:.2f}" if name in values else "" for name in types)
        table.add_row(str(number), *shown)
    return table


def _variants(rows: Sequence[Row]) -> list[str]:
    """Return the meaning of the table's numbers: the columns that are not the same in all rows."""
    variants = [variant_of(row) for row in rows]
    names = [name for name in variants[0] if len({one.get(name) for one in variants}) > 1]
    return [
        f"{number}: " + ", ".join(f"{name} {one.get(name, '')}" for name in names)
        for number, one in enumerate(variants, 1)
    ]


def _console() -> Console:
    """A table is as wide as it needs where it goes to a file."""
    return Console() if sys.stdout.isatty() else Console(width=WIDTH)


def _counters_table(name: str, runs: Mapping[str, Sequence[Mapping[str, int]]]) -> Table:
    table = Table("test", "variants", "run type", *SHOWN.values(), title="counters, %")
    for run_type, own in runs.items():
        values = utilisations(own)
        table.add_row(name, str(len(own)), run_type, *(f"{values[key]:.1f}" for key in SHOWN))
    return table


def _against_table(compared: Sequence[Compared]) -> Table:
    table = Table("variant", "run type", "ours", "theirs", "ratio", title="beside the other report")
    for one in compared:
        figures = (f"{one.ours:.2f}", f"{one.theirs:.2f}", f"{one.ratio:.3f}")
        table.add_row(one.variant, one.run_type, *figures)
    return table


def _reports(suite: Suite, stem: str) -> list[Path]:
    """The suite's reports of a file. Before ttnn 0.78 there was one folder for all runs."""
    data = suite.llk / "perf_data"
    return sorted((data / "latest").glob(f"*/{stem}*.csv")) or sorted(
        (data / stem).glob(f"{stem}*.csv")
    )


def run_file(suite: Suite, name: str, arguments: argparse.Namespace, console: Console) -> bool:
    """Run a file, keep its reports and show its tables. True if all its tests have passed."""
    choice = Choice(arguments.variants, arguments.seed, "latency", "compiled")
    options = ["--port", "0", "--schedule", choice.schedule, "--engine", choice.engine]
    more = [f"--timeout={TEST_SECONDS}", *([] if arguments.runtime else ["--speed-of-light"])]
    more += ["-k", arguments.only] if arguments.only else []
    more += ["--enable-perf-counters", "--dump-perf-counters"] if arguments.counters else []
    with tempfile.TemporaryDirectory(prefix="llk-perf-") as temporary:
        folder = Path(temporary)
        finished(started(suite, [name, *more], folder, options, choice))
        outcomes = joined(folder)
        said = (folder / "said").read_text(encoding="utf-8", errors="replace")
    tests = [one for one in outcomes if one.outcome != "skipped"]
    for one in tests:
        if not one.passed:
            console.print(f"{one.result}: {one.test}\n    {one.why()}", markup=False)
    if not tests:
        console.print(said[-2000:], markup=False)
        return False
    arguments.to.mkdir(parents=True, exist_ok=True)
    for report in _reports(suite, Path(name).stem):
        shutil.copy(report, arguments.to / report.name)
    post = arguments.to / f"{Path(name).stem}.post.csv"
    if post.exists() and (rows := rows_of(post)):
        console.print(_cycles_table(rows))
        for line in _variants(rows):
            console.print(line, highlight=False, markup=False, soft_wrap=True)
        if arguments.against is not None:
            console.print(_against_table(compare(rows, rows_of(arguments.against))))
    if arguments.counters:
        console.print(_counters_table(name, by_run_type(tests)))
    console.print(f"{sum(one.passed for one in tests)} of {len(tests)} passed; {arguments.to}/")
    return all(one.passed for one in tests)


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk perf", description=__doc__.split("\n\n")[0])
    parser.add_argument(
        "tests",
        nargs="*",
        metavar="FILE",
        default=["perf_matmul.py"],
        help="perf_*.py of the suite; default perf_matmul.py",
    )
    parser.add_argument(
        "--variants",
        type=int,
        default=VARIANTS,
        metavar="N",
        help="of each file; 0 is all (default 3)",
    )
    parser.add_argument("--only", default="", metavar="EXPR", help="pytest's -k: these variants")
    parser.add_argument("--seed", default="1", metavar="TEXT", help="chooses the variants")
    parser.add_argument(
        "--runtime",
        action="store_true",
        help="leave parameters to the run time: no --speed-of-light",
    )
    parser.add_argument("--counters", action="store_true", help="the build that counts")
    parser.add_argument(
        "--to",
        type=Path,
        default=Path("perf_data"),
        metavar="DIR",
        help="where the suite's reports are copied to (default perf_data)",
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="FILE",
        help="a report of the suite (*.post.csv) to compare with",
    )
    add_llk_option(parser)  # fmt: skip
    arguments = parser.parse_args(argv)
    if arguments.against is not None and not arguments.against.is_file():
        print(f"llk perf: {arguments.against} is not there", file=sys.stderr)
        return 2
    try:
        with suite_of(arguments.llk) as suite:
            passed = [run_file(suite, name, arguments, _console()) for name in arguments.tests]
    except CannotPrepare as problem:
        print(f"llk perf: {problem}", file=sys.stderr)
        return 2
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
