# SPDX-License-Identifier: Apache-2.0
"""LLK's performance tests beside published cycles of Blackhole cards: `scripts/silicon llk`.

The figures are in llk.csv, each with its thread. Each is measured with the LLK and the tests of its
day, from the wheel of ttnn of that month (months.py), compiled by SFPI. Two with names that differ
in .before and .after are of one pull request: what counts then is which of them is longer. Where no
wheel has a side it is made of one by rules of replacement (edits.py).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from scripts.llktests import perf
from scripts.published.months import Month, suite_of_month
from tensix_gdb.gdbstub.usage import UsageError

FILE = Path(__file__).with_name("llk.csv")
WIDTH = 130
UNARY = "perf_eltwise_unary_sfpu.py"  # its list of operations was short before ttnn 0.77
MEDIAN, NINE_OF_TEN = 0.05, 0.15  # errors that are wanted
LIMITS = (0.05, 0.1, 0.15)
BEFORE, AFTER = ".before", ".after"


@dataclass(frozen=True, slots=True)
class Row:
    """A published figure. `choose` is pytest's -k, `columns` are those of its row of the report."""

    id: str
    file: str
    choose: str
    columns: tuple[tuple[str, str], ...]
    run_type: str
    marker: str  # the zone: TILE_LOOP, cycles for each tile; INIT, UNINIT, cycles
    runtime: bool  # parameters are left to the run time: no --speed-of-light
    wheel: str  # the version of ttnn that has LLK and its tests as of then
    swapped: str  # files of its tt_metal that another version has as of then
    edited: str  # the rules of edits.py that change it, with spaces between their names
    silicon: float
    source: str


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
            *(row["id"], row["file"], row["choose"], columns, row["run_type"], row["marker"]),
            row["build"] == "runtime", row["wheel"], row["swapped"], row["edited"],
            float(row["silicon"]), row["source"],
        ))  # fmt: skip
    return rows


def measured(rows: Sequence[Row], to: Path) -> Iterator[Found]:
    """Run the tests of the figures, one file of one month at a time."""
    for key in dict.fromkeys(_build(row) for row in rows):
        own = [row for row in rows if _build(row) == key]
        file, runtime, wheel, swapped, edits = key
        types = list(dict.fromkeys(row.run_type.partition("[")[0] for row in own))
        choose = " or ".join(f"({text})" for text in dict.fromkeys(r.choose for r in own))
        options = argparse.Namespace(
            variants=0, seed="1", runtime=runtime, only=choose, counters=False,
            to=_folder(to, own[0]), against=None,
        )  # fmt: skip
        named = dict.fromkeys(value for r in own for name, value in r.columns if name == "mathop")
        operations = [one for one in named if file == UNARY]
        month = Month(wheel, _swapped(swapped), edits.split())
        with suite_of_month(month, file, types, operations) as suite:
            perf.run_file(suite, file, options, Console(width=WIDTH, quiet=True))
        yield from read(own, to)


def _build(row: Row) -> tuple[str, bool, str, str, str]:
    """Return what the rows of one run of the suite have in common."""
    return row.file, row.runtime, row.wheel, row.swapped, row.edited


def _swapped(text: str) -> dict[str, list[str]]:
    """Files by version: `0.74.0:hw/ckernels/a.h` with spaces between them."""
    found: dict[str, list[str]] = {}
    for one in text.split():
        version, _, file = one.partition(":")
        found.setdefault(version, []).append(file)
    return found


def _folder(to: Path, row: Row) -> Path:
    """Return where the suite's reports of a row are kept."""
    parts = [Path(row.file).stem, row.wheel, *["runtime"] * row.runtime]
    parts += [hashlib.sha256(row.swapped.encode()).hexdigest()[:8]] if row.swapped else []
    parts += row.edited.split()
    return to / "-".join(parts)


def read(rows: Sequence[Row], folder: Path) -> Iterator[Found]:
    """Yield the figures that reports in a folder have: those of `--to`."""
    for row in rows:
        report = _folder(folder, row) / f"{Path(row.file).stem}.post.csv"
        if not report.exists():
            continue
        for one in perf.rows_of(report, row.marker):
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
    table = Table("figure", "run type", "zone", "a card", "ours", "ratio", "source")
    for one in found:
        row = one.row
        figures = (f"{row.silicon:.2f}", f"{one.ours:.2f}", f"{one.ours / row.silicon:.3f}")
        table.add_row(row.id, row.run_type, row.marker, *figures, row.source)
    return table


def summary(found: Sequence[Found]) -> str:
    """One sentence about all of them."""
    errors = [one.error for one in found]
    parts = ", ".join(f"{sum(e <= limit for e in errors)} within {limit:.0%}" for limit in LIMITS)
    return f"{len(errors)} figures, median error {statistics.median(errors):.1%}, {parts}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A figure before a change and after it."""

    before: Found
    after: Found

    @property
    def name(self) -> str:
        return self.before.row.id.removesuffix(BEFORE)

    @property
    def silicon(self) -> float:
        return self.after.row.silicon / self.before.row.silicon - 1

    @property
    def ours(self) -> float:
        return self.after.ours / self.before.ours - 1

    @property
    def agrees(self) -> bool:
        """True if it is the same one that is shorter."""
        return self.silicon * self.ours > 0


def pairs_of(found: Sequence[Found]) -> list[Pair]:
    """The pairs of pull requests of which both are there."""
    named = {one.row.id: one for one in found}
    return [
        Pair(one, named[name.removesuffix(BEFORE) + AFTER])
        for name, one in named.items()
        if name.endswith(BEFORE) and name.removesuffix(BEFORE) + AFTER in named
    ]


def shown_pairs(pairs: Sequence[Pair]) -> Table:
    """A table of what changes have saved."""
    table = Table("pull request's change", "a card", "ours", "the same sign", "source")
    for one in pairs:
        figures = (f"{one.silicon:+.1%}", f"{one.ours:+.1%}", "yes" if one.agrees else "no")
        table.add_row(one.name, *figures, one.after.row.source)
    return table


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says. Status 1 if the limits are missed."""
    parser = argparse.ArgumentParser(prog="silicon llk", description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="figures with this in their id")
    parser.add_argument("--pairs", action="store_true", help="only before and after of changes")
    parser.add_argument("--to", type=Path, metavar="DIR", help="keep the suite's reports there")
    parser.add_argument(
        "--reports", type=Path, metavar="DIR", help="reports of `--to`, nothing is run"
    )
    arguments = parser.parse_args(argv)
    rows = [row for row in listed() if arguments.only in row.id]
    if arguments.pairs:
        rows = [row for row in rows if row.id.endswith((BEFORE, AFTER))]
    if arguments.reports:
        found = list(read(rows, arguments.reports))
    else:
        try:
            with tempfile.TemporaryDirectory() as temporary:
                found = list(measured(rows, arguments.to or Path(temporary)))
        except UsageError as problem:
            print(f"silicon llk: {problem}", file=sys.stderr)
            return 2
    if not found:
        print("silicon llk: no figure was measured", file=sys.stderr)
        return 2
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    console.print(shown(found))
    pairs = pairs_of(found)
    agreeing = sum(one.agrees for one in pairs)
    if pairs:
        console.print(shown_pairs(pairs))
        console.print(f"{agreeing} of {len(pairs)} pairs have the card's sign")
    console.print(summary(found))
    near = sum(one.error <= NINE_OF_TEN for one in found)
    is_near = statistics.median(one.error for one in found) <= MEDIAN
    within = is_near and near >= 0.9 * len(found)
    return 0 if within and agreeing == len(pairs) else 1


if __name__ == "__main__":
    sys.exit(main())
