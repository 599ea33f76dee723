# SPDX-License-Identifier: Apache-2.0
"""Several runs of the catalogue: a line of a table for each grid and dispatch.

python -m scripts.examples.ttnn.catalogue.grids DIR [--macros DIR] [--page FILE]

DIR is that of `catalogue --keep`. `--macros` is another, of the calls that have run again without
TT_METAL_DISABLE_SFPLOADMACRO. Outputs are compared byte by byte with those of one tile by slow
dispatch, and with those of ttsim with the same grid.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from scripts.examples.ttnn.catalogue.page import BLOCK, write_page
from scripts.examples.ttnn.catalogue.rows import VERDICTS, Row, compared, read
from tensix_gdb.gdbstub.host.ttnn.environment import FAST, SLOW

FIRST = f"1x1-{SLOW}"  # with which the others are compared
GRIDS = replace(BLOCK, name="grids of ttnn", maker=f"{BLOCK.maker}.grids")


def table(kept: Path, macros: Path | None) -> str:
    """Return the table, and below it what is not as on one tile, or not right anywhere."""
    heads = ["`--tiles`", "dispatch", "calls", *VERDICTS]
    heads += ["as on 1x1"] + ["right with macros"] * (macros is not None) + ["ttsim"]
    text = f"| {' | '.join(heads)} |\n|---|---|" + "--:|" * (len(heads) - 3) + "---|\n"
    notes = ""
    for name in found(kept):
        rows = read(kept / name / "rows")
        tiles, _, dispatch = name.partition("-")
        cells = [tiles, dispatch, len(rows)]
        cells += [sum(row.verdict == verdict for row in rows) for verdict in VERDICTS]
        same = {row.name: compared(row.name, kept / FIRST, kept / name) for row in rows}
        cells.append(sum(verdict == "equal" for verdict in same.values()))
        notes += _listed(name, "other bytes than on 1x1", same, "differs")
        if macros is not None:
            cells.append(_again(rows, macros / name))
        cells.append(_beside(kept, tiles, rows) if dispatch == SLOW else "")
        text += f"| {' | '.join(map(str, cells))} |\n"
    return f"{text}\n{notes}" if notes else text


def found(kept: Path) -> list[str]:
    """Return the names of the folders with rows, smaller grids and slow dispatch first."""

    def order(name: str) -> tuple[int, ...]:
        tiles, _, dispatch = name.partition("-")
        return (*map(int, tiles.split("x")), dispatch == FAST)

    names = [path.parent.name for path in kept.glob("*x*-*/rows")]
    ours = [name for name in names if name.rpartition("-")[2] in (SLOW, FAST)]
    return sorted(ours, key=order)


def _again(rows: Sequence[Row], folder: Path) -> str:
    """Return how many of those that stopped are right in another folder."""
    right = {row.name for row in read(folder / "rows") if row.verdict == "right"}
    stopped = {row.name for row in rows if row.verdict == "stopped"}
    return f"{len(right & stopped)} of {len(stopped)}"


def _beside(kept: Path, tiles: str, rows: Sequence[Row]) -> str:
    """Return how many of ttsim's outputs are equal, of those that it has."""
    ran = [row.name for row in read(kept / f"ttsim-{tiles}" / "rows") if "seconds" in row.said]
    here = {row.name for row in rows if row.verdict == "right"}
    ours, theirs = kept / f"{tiles}-{SLOW}", kept / f"ttsim-{tiles}"
    both = [name for name in ran if name in here]
    equal = sum(compared(name, ours, theirs) == "equal" for name in both)
    return f"{equal} equal of {len(both)} that it runs" if both else ""


def _listed(name: str, what: str, verdicts: dict[str, str], wanted: str) -> str:
    names = [f"`{each}`" for each, verdict in verdicts.items() if verdict == wanted]
    return f"{name.replace('-', ', ')}: {what}: {', '.join(names)}.\n\n" if names else ""


def main(words: list[str]) -> int:
    """Print the table, or write it to a page."""
    parser = argparse.ArgumentParser(prog="scripts.examples.ttnn.catalogue.grids")
    parser.add_argument("kept", type=Path, metavar="DIR", help="what `--keep` has kept")
    parser.add_argument("--macros", type=Path, metavar="DIR", help="the same with SFPLOADMACRO")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write it to this page")
    options = parser.parse_args(words)
    if not found(options.kept):
        parser.error(f"{options.kept}: there are no rows of the catalogue")
    text = table(options.kept, options.macros)
    print(text, end="")
    if options.page is not None:
        write_page(options.page, text, GRIDS)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
