# SPDX-License-Identifier: Apache-2.0
"""Programs of a few lines for tests of the observer, in the words of litmus tests."""

from __future__ import annotations

from tensix_gdb.core.litmus.text import parse
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Findings
from tests.core.race.observed import observe

COLUMN = 80


def beside(*columns: tuple[str, tuple[str, ...]]) -> list[str]:
    """The lines of several harts, side by side: name and program of each."""
    count = max(len(lines) for _, lines in columns)
    rows = [[name for name, _ in columns]]
    rows += [[lines[i] if i < len(lines) else "" for _, lines in columns] for i in range(count)]
    return [" | ".join(cell.ljust(COLUMN) for cell in row) for row in rows]


def run(tile: Tile, *lines: str, strict: bool = False) -> Findings:
    """The findings of one run of a program."""
    text = "\n".join(["litmus it", *lines, "final X", "allowed 0"])
    return observe(tile, parse(text)[0], strict=strict)[0]
