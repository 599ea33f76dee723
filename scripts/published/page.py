# SPDX-License-Identifier: Apache-2.0
"""The tables of the manual's chapter about cards: `python -m scripts.published.page` measures anew.

The probes are run. With `--kernels` LLK's performance tests are run too (four minutes);
`--reports DIR` takes them from reports of `scripts/llk perf`. Without either there are no kernels.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.published.compare import Beside, run_probes, summary
from scripts.published.figures import HALVES, figures
from scripts.published.kernels import measure
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated

BLOCK = Generated("silicon", "python -m scripts.published.page --kernels", MANUAL / "silicon.md")
WIDTH = 100
LIMIT = 0.02  # of the series: rows that are off by more are listed
NAMES = {
    "series": "Each probe on one core and on three, at 32 to 128 rounds. Where the card's own runs "
    "of one program differ by more than 2 %, its range is in brackets, and ours is off by what it "
    "is outside of it. Listed is what is off by more than 2 %",
    "kept": "The half that was kept out",
    "fit": "The other half",
    "fitted": "What constants were fitted to",
}


def rows_of(rows: Sequence[Beside]) -> Iterator[str]:
    """A table."""
    yield "| figure | silicon | ours | ratio | source | note |"
    yield "|---|--:|--:|--:|---|---|"
    for row in rows:
        figure = row.figure
        decimals = 2 if figure.kind == "kernel" else 0
        silicon = f"{figure.silicon:.{decimals}f}"
        if figure.runs:
            silicon += f" ({figure.lowest:.0f} to {figure.highest:.0f})"
        cells = (
            *(f"{figure.id} {figure.run_type}".strip(), silicon),
            *(f"{row.ours:.{decimals}f}", f"{row.ratio:.3f}", figure.source, figure.note),
        )
        yield "| " + " | ".join(cells) + " |"


def page(rows: Sequence[Beside]) -> str:
    """All tables, as Markdown."""
    lines: list[str] = []
    for half in HALVES:
        own = [row for row in rows if row.figure.half == half]
        if own and half in NAMES:
            listed = own if half != "series" else [row for row in own if row.error > LIMIT]
            said = f"{NAMES[half]}. {summary(own).text(half).capitalize()}."
            lines += [textwrap.fill(said, WIDTH), ""]
            lines += [*rows_of(listed), ""] if listed else []
    return "\n".join(lines)


def main() -> None:
    """Write the page."""
    options = argparse.ArgumentParser(prog="python -m scripts.published.page")
    options.add_argument("--kernels", action="store_true", help="run LLK's performance tests too")
    options.add_argument("--reports", type=Path, metavar="DIR", help="of `scripts/llk perf`")
    arguments = options.parse_args()
    rows = run_probes(figures())
    if arguments.kernels or arguments.reports is not None:
        rows += measure(figures(), arguments.reports)
    BLOCK.write(page(rows))


if __name__ == "__main__":
    main()
