# SPDX-License-Identifier: Apache-2.0
"""The samples of a server (sampled.py), by row and by cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.benchmark.chip.run import OPEN, Row
from scripts.benchmark.chip.sampled import PYTHON


@dataclass(frozen=True, slots=True)
class Sample:
    """Seconds of the processor that had been used up to a time of the clock, and what for."""

    at: float
    used: float
    cause: str
    function: str


@dataclass(frozen=True, slots=True)
class Share:
    """A row's seconds of the server, by cause; those of Python also by function."""

    row: str
    causes: Counter[str]
    functions: Counter[str]

    def of_all(self, cause: str) -> float:
        """The part of all that a cause has."""
        return self.causes[cause] / (sum(self.causes.values()) or 1)


def read_samples(path: Path) -> list[Sample]:
    """Read the file; its last line may be half a one."""
    samples = []
    for line in path.read_text("utf-8").splitlines():
        parts = line.split("\t")
        if len(parts) == 4:
            samples.append(Sample(float(parts[0]), float(parts[1]), parts[2], parts[3]))
    return samples


def shares_of(samples: Iterable[Sample], rows: Mapping[str, Row]) -> list[Share]:
    """Give each sample to the row in which it was taken."""
    samples = list(samples)
    shares = []
    for row in rows.values():
        causes: Counter[str] = Counter()
        functions: Counter[str] = Counter()
        for run in row.runs[-1:] if row.name == OPEN else row.runs:
            for sample in samples:
                if run.begin < sample.at <= run.end:
                    causes[sample.cause] += sample.used  # type: ignore[assignment]
                    if sample.cause == PYTHON:
                        functions[sample.function] += sample.used  # type: ignore[assignment]
        if causes:
            shares.append(Share(row.name, causes, functions))
    return shares
