# SPDX-License-Identifier: Apache-2.0
"""Figures beside ours: run the probes, look up the kernels, sum up each half."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scripts.published.figures import Figure
from scripts.published.probes import PROBES, ROUNDS, rounds


@dataclass(frozen=True, slots=True)
class Beside:
    """A figure, and ours."""

    figure: Figure
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.figure.silicon

    @property
    def error(self) -> float:
        """The error of ours, as a part of silicon's: of the nearest of the card's own runs, and 0
        between two of them."""
        nearest = min(max(self.ours, self.figure.lowest), self.figure.highest)
        return abs(self.ours / nearest - 1)


def run_probes(figures: Iterable[Figure], engine: str = "compiled") -> list[Beside]:
    """Measure each probe once for all of its figures."""
    groups: dict[tuple[str, tuple[int, ...], tuple[int, ...]], list[Figure]] = {}
    for one in figures:
        if one.kind != "kernel":
            n: tuple[int, ...] = (one.n,) if one.kind == "burst" else ROUNDS
            groups.setdefault((one.what, one.threads, n), []).append(one)
    found = []
    for (what, threads, n), own in groups.items():
        cycles = rounds(PROBES[what], threads, n, engine)
        found += [Beside(one, cycles[one.thread, one.n]) for one in own]
    return found


@dataclass(frozen=True, slots=True)
class Summary:
    """The errors of a half's figures: the median, and parts within limits."""

    count: int
    median: float
    within: Mapping[float, int]

    def text(self, half: str) -> str:
        """One sentence."""
        parts = ", ".join(f"{n} within {limit:.0%}" for limit, n in self.within.items())
        return f"{half}: {self.count} figures, median error {self.median:.1%}, {parts}"


LIMITS = (0.02, 0.05, 0.1, 0.25)


def summary(rows: Sequence[Beside]) -> Summary:
    """Of one half, which is not empty."""
    errors = [row.error for row in rows]
    within = {limit: sum(error <= limit for error in errors) for limit in LIMITS}
    return Summary(len(errors), statistics.median(errors), within)
