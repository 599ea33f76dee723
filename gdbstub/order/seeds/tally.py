# SPDX-License-Identifier: Apache-2.0
"""The results of a search, in numbers and words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.execution import Execution
from tensix_gdb.gdbstub.order.seeds.case import Outcome

Z = 1.959964  # of an interval that has the rate in 95 of 100 cases
SHOWN = 10  # kinds of outcomes


def wilson(wrong: int, runs: int) -> tuple[float, float]:
    """Return the interval of Wilson for a rate: 95 of 100 such intervals have the true one."""
    if not runs:
        return 0.0, 1.0
    share = wrong / runs
    scale = 1 + Z * Z / runs
    middle = (share + Z * Z / (2 * runs)) / scale
    half = Z * math.sqrt(share * (1 - share) / runs + Z * Z / (4 * runs * runs)) / scale
    low = 0.0 if wrong == 0 else max(0.0, middle - half)
    high = 1.0 if wrong == runs else min(1.0, middle + half)
    return low, high


def percent(share: float) -> str:
    """`34.8 %`, with as many digits as tell it from 0."""
    value = 100 * share
    digits = 1 if value >= 1 or value == 0 else min(6, 1 - math.floor(math.log10(value)))
    return f"{value:.{digits}f} %"


@dataclass
class Tally:
    """The outcomes of one program."""

    name: str
    runs: int = 0
    wrong: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    example: dict[str, Outcome] = field(default_factory=dict)  # the first of each kind
    first: Outcome | None = None  # the first wrong one: with the lowest seed
    cycles: int = 0

    def add(self, one: Outcome) -> None:
        """Count a run."""
        self.runs += 1
        self.wrong += one.wrong
        self.cycles += one.cycles
        self.kinds[one.kind] += 1
        known = self.example.get(one.kind)
        if known is None or _place(one) < _place(known):
            self.example[one.kind] = one
        if one.wrong and (self.first is None or _place(one) < _place(self.first)):
            self.first = one

    def lines(self) -> Iterator[str]:
        """Yield the lines of a report."""
        low, high = wilson(self.wrong, self.runs)
        interval = f"{percent(low)} to {percent(high)}"
        if not self.runs:
            yield f"{self.name}: nothing was run"
            return
        if not self.wrong:
            yield (
                f"{self.name}: {self.runs:,} runs, all as wanted: the rate of wrong ones is below "
                f"{percent(high)}, with 95 % confidence"
            )
        else:
            share = percent(self.wrong / self.runs)
            yield (
                f"{self.name}: {self.wrong:,} of {self.runs:,} runs are wrong, {share} "
                f"(95 % interval: {interval})"
            )
        if len(self.kinds) > 1 or self.wrong:
            yield from self._histogram()
        if self.first is not None:
            text = f": {self.first.text}" if self.first.text else ""
            yield f"    first wrong: {self.first}{text}"

    def _histogram(self) -> Iterator[str]:
        kinds = self.kinds.most_common()
        width = len(f"{kinds[0][1]:,}")
        for kind, count in kinds[:SHOWN]:
            bar = "█" * max(1, round(20 * count / self.runs))
            yield f"    {count:>{width},}  {bar:<20}  {kind}, as {self.example[kind]}"
        if len(kinds) > SHOWN:
            rest = sum(count for _, count in kinds[SHOWN:])
            yield f"    {rest:>{width},}  in {len(kinds) - SHOWN:,} more ways"


def _place(one: Outcome) -> tuple[bool, int, str, str]:
    """Return a run's place among others: those without settings first, then by seed."""
    return bool(one.setting), Execution.parse(one.execution).seed, one.execution, one.setting
