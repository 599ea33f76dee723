# SPDX-License-Identifier: Apache-2.0
"""The times of Blackhole cards by published figures, beside those of the tile.

`scripts/silicon` runs the probes: loops of one instruction, on one core and on three.
`scripts/silicon kernels` runs LLK's performance tests too, or takes their reports from
`--reports DIR`. The figures with their sources are in scripts/published/figures.csv, the split into
halves too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from scripts.published.compare import Beside, run_probes, summary
from scripts.published.figures import HALVES, figures

WIDTH = 130
SHOWN = 0.02  # of the series: rows that are off by more


def _table(title: str, rows: Sequence[Beside]) -> Table:
    table = Table("figure", "silicon", "ours", "ratio", "source", "note", title=title)
    for row in rows:
        figure = row.figure
        name = f"{figure.id} {figure.run_type}".strip()
        decimals = 2 if figure.kind == "kernel" else 0
        silicon = f"{figure.silicon:.{decimals}f}"
        if figure.runs:
            silicon += f" ({figure.lowest:.0f} to {figure.highest:.0f})"
        table.add_row(
            *(name, silicon, f"{row.ours:.{decimals}f}"),
            *(f"{row.ratio:.3f}", figure.source, figure.note),
        )
    return table


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says. Status 1 if the half that was kept out misses its limits."""
    parser = argparse.ArgumentParser(prog="silicon", description=__doc__.split("\n\n")[0])
    parser.add_argument("what", nargs="?", choices=("probes", "kernels"), default="probes")
    parser.add_argument(
        "--reports", type=Path, metavar="DIR", help="reports of `scripts/llk perf`, not run again"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="figures with this in their id")
    parser.add_argument("--all", action="store_true", help="list every figure of the series too")
    arguments = parser.parse_args(argv)
    chosen = [one for one in figures() if arguments.only in one.id]
    rows = run_probes(chosen)
    if arguments.what == "kernels" or arguments.reports:
        from scripts.published.kernels import CannotMeasure, measure

        try:
            rows += measure(chosen, arguments.reports)
        except CannotMeasure as problem:
            print(f"silicon: {problem}", file=sys.stderr)
            return 2
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    ended = 0
    for half in HALVES:
        own = [row for row in rows if row.figure.half == half]
        if not own:
            continue
        listed = own if half != "series" or arguments.all else [r for r in own if r.error > SHOWN]
        console.print(_table(half, listed))
        total = summary(own)
        console.print(total.text(half))
        if half == "kept" and (total.median > 0.1 or total.within[0.25] < 0.9 * total.count):
            ended = 1
    return ended


if __name__ == "__main__":
    sys.exit(main())
