# SPDX-License-Identifier: Apache-2.0
"""The published figures: `figures.csv`, a row for each, with source and half.

`half` is `series` (probes alone and on three threads), `fit` or `kept` (halves drawn at random
before anything was fitted to either), `fitted` (what constants were fitted to) or `unscored`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("figures.csv")
HALVES = ("series", "fit", "kept", "fitted", "unscored")


@dataclass(frozen=True, slots=True)
class Figure:
    """`silicon` cycles: of `n` rounds of a probe, or for each tile of a kernel. `runs` are those of
    the card's other runs of the same program, where they differ by more than 2 %."""

    id: str
    half: str
    kind: str  # series, probe, burst or kernel
    what: str  # a name of PROBES, or a file of LLK's suite
    variant: str
    run_type: str
    threads: tuple[int, ...]
    thread: int
    n: int
    silicon: float
    source: str
    note: str
    runs: tuple[float, ...] = ()

    @property
    def lowest(self) -> float:
        """The fewest cycles of any of the card's runs."""
        return min(self.silicon, *self.runs) if self.runs else self.silicon

    @property
    def highest(self) -> float:
        """The most cycles of any of the card's runs."""
        return max(self.silicon, *self.runs) if self.runs else self.silicon


def read(lines: Iterable[str]) -> list[Figure]:
    """The figures of a file; lines that begin with # are comments."""
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return [
        Figure(
            *(row["id"], row["half"], row["kind"], row["what"], row["variant"], row["run_type"]),
            tuple(map(int, row["threads"].split())),
            int(row["thread"] or 0),
            int(row["n"] or 0),
            float(row["silicon"]),
            row["source"],
            row["note"],
            tuple(map(float, row["runs"].split())),
        )
        for row in rows
    ]


def figures() -> list[Figure]:
    """All figures."""
    return read(FILE.read_text(encoding="utf-8").splitlines())
