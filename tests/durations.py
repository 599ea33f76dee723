# SPDX-License-Identifier: Apache-2.0
"""The cost of the tests: measured in every run, printed by folder, kept in tests/durations.txt.

`python -m tests.durations` writes that table from the last whole runs of both forms on this
machine; tests/forms.py chooses by it. Measure on a machine that does nothing else. Seconds are
those of all workers together: `clock`, as a clock on the wall shows them, and `processor`, of the
test and of what it starts and waits for, which other work on the machine changes little. `case` is
the processor's time of one case of a function, without the case that took longest: the first one
often compiles what all need. It is of the long form if that was run, which has more of them.
"""

from __future__ import annotations

import json
import resource
import sys
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).resolve().parent
TABLE = HERE / "durations.txt"
LISTED = 0.5  # seconds from which a test function has a row of its own

HEAD = """\
# What the tests of the short form cost, by `python -m tests.durations` (tests/README.md).
# {count} tests; of all workers together {clock:.0f} s by the clock, {processor:.0f} s of processor.
#
#   tests    clock  processor    case
"""


class Durations:
    """A plugin of pytest: measures in the workers, sums where their reports arrive."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._before = _spent()
        self.tests: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Any:
        self._before = _spent()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        report = yield
        now = _spent()
        report.processor = now - self._before
        self._before = now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        mine = self.tests[report.nodeid]
        mine[0] += report.duration
        mine[1] += getattr(report, "processor", 0.0)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if len(self.tests) < 2:
            return
        folders: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
        for name, (clock, processor) in self.tests.items():
            for folder in (_folder(name), "all"):
                row = folders[folder]
                row[0] += 1
                row[1] += clock
                row[2] += processor
        terminalreporter.section("seconds of all workers: tests, clock, processor")
        by_cost = sorted(folders.items(), key=lambda pair: -pair[1][1])
        for folder, (count, clock, processor) in by_cost[:30]:
            terminalreporter.write_line(f"{count:7.0f} {clock:8.1f} {processor:8.1f}  {folder}")

    def pytest_sessionfinish(self) -> None:
        cache = getattr(self._config, "cache", None)
        if cache is not None and not hasattr(self._config, "workerinput"):
            whole = not (self._config.getoption("keyword") or self._config.getoption("markexpr"))
            whole = whole and self._config.args_source.name != "ARGS"
            form = "all" if self._config.getoption("all") else "short"
            cache.set(f"durations/{form if whole else 'part'}", self.tests)


def _spent() -> float:
    """Seconds of processor of this process, and of its children that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


def _folder(name: str) -> str:
    """The first two folders below tests/ of a test."""
    parts = name.partition("::")[0].split("/")[1:-1]
    return "/".join(parts[:2]) or "tests"


Tests = dict[str, list[float]]  # seconds by the clock, and of processor, of each test


def files() -> dict[str, float]:
    """Seconds of processor of each file of tests, as the table has them."""
    return {words[4]: float(words[2]) for words in _rows() if "::" not in words[4]}


@cache
def of_a_case() -> dict[str, float]:
    """Seconds of processor of a case of each test function that has a row of its own."""
    return {words[4]: float(words[3]) for words in _rows() if "::" in words[4]}


def _rows() -> list[list[str]]:
    if not TABLE.exists():
        return []
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [line.split(None, 4) for line in lines if line and not line.startswith("#")]


def table(short: Tests, long: Tests) -> str:
    """The table as text: a row for each file, and below it one for each of its slow functions."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for name, (clock, processor) in short.items():
        for row in (sums[name.partition("::")[0]], sums[name.partition("[")[0]]):
            row[0] += 1
            row[1] += clock
            row[2] += processor
    cases: dict[str, list[float]] = defaultdict(list)
    for name, (_, processor) in {**short, **long}.items():
        cases[name.partition("[")[0]].append(processor)
    slow = {name for name, all_of in cases.items() if sum(all_of) >= LISTED}
    text = HEAD.format(
        count=len(short),
        clock=sum(clock for clock, _ in short.values()),
        processor=sum(processor for _, processor in short.values()),
    )
    for name in sorted({name for name in sums if "::" not in name} | slow):
        count, clock, processor = sums.get(name, (0, 0.0, 0.0))
        case = _of_one(cases[name]) if name in slow else 0.0
        text += f"{count:9.0f} {clock:8.1f} {processor:10.1f} {case:7.2f}  {name}\n"
    return text


def _of_one(cases: list[float]) -> float:
    """Seconds of one case, without the longest if there are several."""
    ordered = sorted(cases)[: max(1, len(cases) - 1)]
    return sum(ordered) / len(ordered)


def main() -> None:
    kept = HERE.parent / ".pytest_cache" / "v" / "durations"
    if not (kept / "short").exists():
        sys.exit("durations: no run of the whole short form is kept here: run scripts/test first")
    short, long = (
        json.loads((kept / form).read_text(encoding="utf-8")) if (kept / form).exists() else {}
        for form in ("short", "all")
    )
    TABLE.write_text(table(short, long), encoding="utf-8")


if __name__ == "__main__":
    main()
