# SPDX-License-Identifier: Apache-2.0
"""Reports and cost of a run of one test for each kernel (`scripts/llk whole --kernels`).

The verdicts are those of judged/; a report without one is named. The cost of all kernels follows
from those that have run, as if they were drawn from all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import linear_regression, mean, stdev
from typing import Any

from rich.console import Console

from scripts.llktests.judged import (
    check_verdicts,
    check_verdicts_wormhole,
    race_verdicts,
    race_verdicts_wormhole,
)
from scripts.llktests.whole.kernels import MOST_KERNELS
from scripts.llktests.whole.ledger import FileOfSuite
from tensix_gdb.core.race.state.table import BY_NAME as OF_STATE
from tensix_gdb.gdbstub.llk.running import Outcome

NONE = "not judged"
ROWS = {
    chip: (race_verdicts_wormhole.ROWS_OF[chip], check_verdicts_wormhole.ROWS_OF[chip])
    for chip in ("blackhole", "wormhole")
}
HOUR = 3600
FEWEST = 3  # kernels of which a cost follows


def verdict_of(report: Mapping[str, Any], chip: str) -> str:
    """Return the verdict on a report of a chip."""
    races, checks = ROWS[chip]
    document = dict(report)
    row = (
        check_verdicts.row_of(document, checks)
        if report["check"] in OF_STATE
        else race_verdicts.row_of(document, races)
    )
    return row.verdict if row is not None else NONE


def say_reports(
    run: Mapping[str, str],
    files: Mapping[str, FileOfSuite],
    kernels: Mapping[str, int],
    console: Console,
) -> None:
    """Print the reports by kind and verdict, those without one, and what it has cost; `kernels`
    has how many each file has."""
    if "kernels" not in run:
        return
    counts, unknown = reports_of(run, files)
    for line in (*counts, *unknown, *_cost(files, kernels)):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def reports_of(
    run: Mapping[str, str], files: Mapping[str, FileOfSuite]
) -> tuple[list[str], list[str]]:
    """Return lines that count the reports of a run by kind and verdict, and the texts of those
    without a verdict."""
    ran = [
        (name, one)
        for name, file in files.items()
        for one in file.outcomes.values()
        if one.outcome != "skipped"
    ]
    return _counted(ran, run["chip"])


def _counted(ran: Sequence[tuple[str, Outcome]], chip: str) -> tuple[list[str], list[str]]:
    times: Counter[tuple[str, str]] = Counter()
    kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
    where: dict[tuple[str, str], set[str]] = defaultdict(set)
    unknown: dict[str, tuple[str, str]] = {}
    for name, test in ran:
        for one in test.races:
            key = one["check"] or one["verdict"].upper(), verdict_of(one, chip)
            times[key] += 1
            kinds[key].add(one["identity"])
            where[key].add(name)
            if key[1] == NONE:
                unknown.setdefault(one["identity"], (test.test, one["text"]))
    lines = [
        f"{word}, {said}: {times[word, said]:,} reports of {len(kinds[word, said]):,} kinds "
        f"in {len(where[word, said])} files"
        for word, said in sorted(times)
    ]
    silent = sum(not one.races for _, one in ran)
    lines.append(
        f"{len(ran):,} kernels observed: {times.total():,} reports of "
        f"{len(set().union(*kinds.values())):,} kinds; nothing in {silent:,} kernels"
    )
    return lines, [f"{NONE}: {test}\n{text}" for test, text in unknown.values()]


@dataclass(frozen=True, slots=True)
class Cost:
    """The time that the pieces of a run have taken, in seconds of the processor: `start` for each
    piece, `each` for a kernel beside its test, `test` for a kernel in its test; and twice the
    standard error of what a kernel takes."""

    start: float
    each: float
    test: float
    error: float

    def of(self, kernels: Mapping[str, int]) -> tuple[float, float]:
        """Return the seconds of all kernels of these files, and the error."""
        count = sum(kernels.values())
        pieces = sum(-(-each // MOST_KERNELS) for each in kernels.values())
        return pieces * self.start + count * (self.each + self.test), count * self.error


def cost_of(files: Iterable[FileOfSuite]) -> Cost | None:
    """Return the cost of a kernel and of a piece, by the line through what pieces of different
    sizes have taken; None if too little has run."""
    beside: list[tuple[float, float]] = []
    tests: list[float] = []
    for file in files:
        own = [one.processor for one in file.outcomes.values() if one.outcome != "skipped"]
        tests += own
        if file.cost and own:
            processor = sum(one["processor"] for one in file.cost)
            # Of a file: the pieces that it had, and the kernels of all of them.
            beside.append((len(own) / len(file.cost), (processor - sum(own)) / len(file.cost)))
    sizes = {size for size, _ in beside}
    if len(tests) < FEWEST or len(sizes) < 2:
        return None
    each, start = linear_regression(*zip(*beside, strict=True))
    return Cost(max(start, 0.0), max(each, 0.0), mean(tests), 2 * stdev(tests) / sqrt(len(tests)))


def _cost(files: Mapping[str, FileOfSuite], kernels: Mapping[str, int]) -> list[str]:
    """Return the sentences on the cost: of what has run, and of all kernels."""
    pieces = [one for file in files.values() for one in file.cost]
    count = sum(one["tests"] for one in pieces)
    if not count:
        return []
    processor, seconds, built = (
        sum(one[name] for one in pieces) for name in ("processor", "seconds", "built")
    )
    size = built / count / 1e6
    lines = [
        f"cost: {processor:,.0f} s of the processor in {seconds:,.0f} s for {count:,.0f} kernels "
        f"in {len(pieces):,} pieces; {size:.1f} MB of ELF files a kernel"
    ]
    cost = cost_of(files.values())
    if cost is not None:
        whole, error = cost.of(kernels)
        lines.append(
            f"all {sum(kernels.values()):,} kernels of {len(kernels)} files: {whole / HOUR:.1f} "
            f"hours of the processor, {error / HOUR:.1f} more or less (a kernel takes "
            f"{cost.test:.1f} s in its test, {cost.each:.1f} s beside it, and a piece "
            f"{cost.start:.1f} s to begin); {size * sum(kernels.values()) / 1e3:.1f} GB"
        )
    return lines
