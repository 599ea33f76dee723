# SPDX-License-Identifier: Apache-2.0
"""LLK's performance tests beside published cycles of Blackhole cards: `scripts/silicon llk`.

The figures are in llk.csv, each with its thread. They are compiled by SFPI from the LLK that is
kept, which is newer than most of them: where a kernel was written anew since, `changed` says so and
the figure is listed, but not counted. Until tt-metal#54806, of 29 August 2026, the suite left
gathering on: a T core pushes up to four neighbouring .ttinsn in a cycle then. Figures of before are
run so, in a scratch copy without that change.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from scripts.llktests import perf
from scripts.llktests.scratch import Edit, scratch
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of

FILE = Path(__file__).with_name("llk.csv")
WIDTH = 130
MEDIAN, NINE_OF_TEN = 0.05, 0.15  # errors that are wanted
LIMITS = (0.05, 0.1, 0.15)
_TYPES = r"(?s)ALL_PERF_RUN_TYPES = \[.*?\]"
_GATHERING = Edit("tests/helpers/include/boot.h", r"(?m)^ {4}configure_gathering\(\);", "")


@dataclass(frozen=True, slots=True)
class Row:
    """A published figure. `choose` is pytest's -k, `columns` are those of its row of the report."""

    id: str
    file: str
    choose: str
    columns: tuple[tuple[str, str], ...]
    run_type: str
    gathering: bool
    silicon: float
    source: str
    changed: str


@dataclass(frozen=True, slots=True)
class Found:
    """A figure, and ours."""

    row: Row
    ours: float

    @property
    def error(self) -> float:
        return abs(self.ours / self.row.silicon - 1)


def listed() -> list[Row]:
    """Return all of them; lines that begin with # are comments."""
    lines = (line for line in FILE.read_text("utf-8").splitlines() if not line.startswith("#"))
    rows = []
    for row in csv.DictReader(lines):
        pairs = (pair.partition("=") for pair in row["columns"].split())
        columns = tuple((name, value) for name, _, value in pairs)
        rows.append(Row(
            *(row["id"], row["file"], row["choose"], columns, row["run_type"]),
            row["gathering"] == "on", float(row["silicon"]), row["source"], row["changed"],
        ))  # fmt: skip
    return rows


def measured(rows: Sequence[Row], suite: Suite, to: Path) -> Iterator[Found]:
    """Run the tests of the figures, one file and state of gathering at a time."""
    for key in dict.fromkeys((row.file, row.gathering) for row in rows):
        own = [row for row in rows if (row.file, row.gathering) == key]
        folder = to / f"{Path(key[0]).stem}-{'gathering' if key[1] else 'as-shipped'}"
        types = dict.fromkeys(row.run_type.partition("[")[0] for row in own)
        named = ", ".join(f"PerfRunType.{name}" for name in types)
        edits = [
            Edit(
                "tests/python_tests/helpers/perf/core.py", _TYPES, f"ALL_PERF_RUN_TYPES = [{named}]"
            )
        ]
        # Beside the suite, whose files are linked.
        beside = suite.root.parent
        with tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=beside) as temporary:
            changed = scratch(suite, [*edits, *[_GATHERING] * key[1]], Path(temporary))
            choose = " or ".join(f"({text})" for text in dict.fromkeys(r.choose for r in own))
            options = argparse.Namespace(
                variants=0, seed="1", runtime=False, only=choose, counters=False, to=folder,
                against=None,
            )  # fmt: skip
            perf.run_file(changed, key[0], options, Console(width=WIDTH, quiet=True))
        yield from read(own, to)


def read(rows: Sequence[Row], folder: Path) -> Iterator[Found]:
    """Yield the figures that reports in a folder have: those of `--to`."""
    for row in rows:
        state = "gathering" if row.gathering else "as-shipped"
        stem = Path(row.file).stem
        report = folder / f"{stem}-{state}" / f"{stem}.post.csv"
        if not report.exists():
            continue
        for one in perf.rows_of(report):
            named = perf.variant_of(one)
            if all(_same(named.get(name, ""), value) for name, value in row.columns):
                ours = perf.means(one).get(row.run_type)
                if ours is not None:
                    yield Found(row, ours)
                    break


def _same(ours: str, wanted: str) -> bool:
    """True if a column has a value, with or without the name of its enumeration."""
    return ours in (wanted, ours.rpartition(".")[0] + "." + wanted)


def shown(found: Sequence[Found]) -> Table:
    """A table, by source."""
    table = Table("figure", "run type", "a card", "ours", "ratio", "source", "changed since")
    for one in found:
        row = one.row
        figures = (f"{row.silicon:.2f}", f"{one.ours:.2f}", f"{one.ours / row.silicon:.3f}")
        table.add_row(row.id, row.run_type, *figures, row.source, row.changed)
    return table


def summary(found: Sequence[Found]) -> str:
    """One sentence about those that count."""
    errors = [one.error for one in found]
    parts = ", ".join(f"{sum(e <= limit for e in errors)} within {limit:.0%}" for limit in LIMITS)
    return (
        f"{len(errors)} figures of unchanged kernels, median error "
        f"{statistics.median(errors):.1%}, {parts}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says. Status 1 if the limits are missed."""
    parser = argparse.ArgumentParser(prog="silicon llk", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="figures with this in their id")
    parser.add_argument("--to", type=Path, metavar="DIR", help="keep the suite's reports there")
    parser.add_argument(
        "--reports", type=Path, metavar="DIR", help="reports of `--to`, nothing is run"
    )
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    rows = [row for row in listed() if arguments.only in row.id]
    if arguments.reports:
        found = list(read(rows, arguments.reports))
    else:
        try:
            with suite_of(arguments.llk) as suite, tempfile.TemporaryDirectory() as temporary:
                found = list(measured(rows, suite, arguments.to or Path(temporary)))
        except CannotPrepare as problem:
            print(f"silicon llk: {problem}", file=sys.stderr)
            return 2
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    console.print(shown(found))
    counted = [one for one in found if not one.row.changed]
    if not counted:
        console.print("no figure of an unchanged kernel was measured")
        return 2
    console.print(summary(counted))
    near = sum(one.error <= NINE_OF_TEN for one in counted)
    is_near = statistics.median(one.error for one in counted) <= MEDIAN
    return 0 if is_near and near >= 0.9 * len(counted) else 1


if __name__ == "__main__":
    sys.exit(main())
