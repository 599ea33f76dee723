# SPDX-License-Identifier: Apache-2.0
"""A test in many seeds, as one test: `seeds=200` of its marker, or `pytest --tile-seeds 200`; here
or on a cluster (`--tile-on`).

Here the test's function is called again and again, each time with a fresh tile, and with what
depends on the tile set up anew; its other fixtures are made once. On a cluster a worker runs pytest
itself with some of the seeds, so the files of the tests have to be there under the same names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import field
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.order.seeds.tally import percent, wilson
from tensix_gdb.gdbstub.usage import UsageError

RANDOM = re.compile(r"random(:\d+)?(,.*)?")
SHOWN = 12  # seeds
BATCH = 10  # seeds of a batch on a cluster


@dataclass
class Many:
    """The results of all seeds of a test: those that failed, and how."""

    runs: int = 0
    failed: dict[int, str] = field(default_factory=dict)

    def add(self, seed: int, failure: str | None) -> None:
        """Add one more."""
        self.runs += 1
        if failure is not None:
            self.failed[seed] = failure

    @property
    def first(self) -> int | None:
        """The first seed that fails."""
        return min(self.failed, default=None)

    def text(self) -> str:
        """Return the results in a sentence."""
        low, high = wilson(len(self.failed), self.runs)
        if not self.failed:
            return f"{self.runs:,} seeds pass: the rate of failures is below {percent(high)} (95 %)"
        shown = ", ".join(map(str, sorted(self.failed)[:SHOWN]))
        more = f" and {len(self.failed) - SHOWN:,} more" if len(self.failed) > SHOWN else ""
        return (
            f"{len(self.failed):,} of {self.runs:,} seeds fail, "
            f"{percent(len(self.failed) / self.runs)} (95 % interval: {percent(low)} to "
            f"{percent(high)}): {shown}{more}; --tile-seed {self.first} repeats the first"
        )

    def properties(self) -> list[tuple[str, str]]:
        """Return them for a JUnit file."""
        found = [("tile-seeds", str(self.runs)), ("tile-seeds-failed", str(len(self.failed)))]
        if self.failed:
            found.append(("tile-failing-seeds", " ".join(map(str, sorted(self.failed)))))
        return found


def here(seeds: Sequence[int], call: Callable[[int], None], *, skips: type[BaseException]) -> Many:
    """Call the test for each seed; what is skipped ends it."""
    many = Many()
    for seed in seeds:
        try:
            call(seed)
        except (KeyboardInterrupt, SystemExit, skips):
            raise
        except BaseException as problem:
            said = str(problem).partition("\n")[0] or type(problem).__name__
            many.add(seed, said)
        else:
            many.add(seed, None)
    return many


def on_cluster(address: str, node: str, folder: str, schedule: str, seeds: Sequence[int]) -> Many:
    """Let the workers of a cluster run the test. UsageError with a sentence."""
    from tensix_gdb.gdbstub.order.seeds.cluster import gathered

    many = Many()
    batches = [list(seeds[at : at + BATCH]) for at in range(0, len(seeds), BATCH)]
    for found in gathered(
        address, run_here, [(node, folder, schedule, batch) for batch in batches]
    ):
        for seed, failure in found:
            many.add(seed, failure)
    return many


def run_here(
    node: str, folder: str, schedule: str, seeds: Sequence[int]
) -> list[tuple[int, str | None]]:
    """Run one test of a file in some seeds, in this process; what came of each."""
    import pytest

    found: dict[int, str | None] = {}
    wanted = _plain(node)

    class Reports:
        """Takes what pytest reports."""

        def pytest_runtest_logreport(self, report: Any) -> None:
            seed = _seed(report.nodeid)
            if seed is None or _plain(report.nodeid) != wanted:
                return
            if report.failed:
                found[seed] = _message(report)
            elif report.when == "call":
                found.setdefault(seed, None)

    numbers = ",".join(map(str, seeds))
    here_before = os.getcwd()
    os.chdir(folder)
    try:
        with (
            open(os.devnull, "w", encoding="utf-8") as nowhere,
            suppress(SystemExit),
            redirect_stdout(nowhere),
        ):
            words = [node.partition("[")[0], f"--tile-seed={numbers}", f"--rootdir={folder}"]
            words.append(f"--tile-schedule={schedule}")
            pytest.main([*words, "-p", "no:cacheprovider"], plugins=[Reports()])
    finally:
        os.chdir(here_before)
    missing = [seed for seed in seeds if seed not in found]
    if missing:
        raise UsageError(
            f"--tile-on: a worker has no result of {node} in seed {missing[0]}: it has to see the "
            f"same files in {folder}"
        )
    return [(seed, found[seed]) for seed in seeds]


def _message(report: Any) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    said = crash.message if crash is not None else str(report.longrepr)
    return str(said).partition("\n")[0]


def _seed(node: str) -> int | None:
    """Return the seed in the id of a test, `test_a[random:7-wide]`."""
    _, _, rest = node.partition("[random:")
    digits = ""
    for letter in rest:
        if not letter.isdecimal():
            break
        digits += letter
    return int(digits) if digits else None


def _plain(node: str) -> str:
    """Return the id without the schedule."""
    name, bracket, rest = node.partition("[")
    parts = [part for part in rest.rstrip("]").split("-") if part and not RANDOM.fullmatch(part)]
    return f"{name}[{'-'.join(parts)}]" if bracket and parts else name
