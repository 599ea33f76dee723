# SPDX-License-Identifier: Apache-2.0
"""All that a job has found: what its three files and its lines for a terminal are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.llk.job.findings import NEW, Finding
from tensix_gdb.gdbstub.llk.job.inputs import TESTS, Tree
from tensix_gdb.gdbstub.llk.job.store import Result
from tensix_gdb.gdbstub.llk.tree import file_of
from tensix_gdb.gdbstub.order.report.text import plural


@dataclass
class Failure:
    """A test that did not pass, and whether that is news."""

    chip: str
    result: Result
    state: str
    reason: str  # of a row that suppresses it


@dataclass
class Job:
    """A job that has ended."""

    tree: Tree
    results: dict[str, list[Result]] = field(default_factory=dict)  # by chip
    findings: list[Finding] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    unused: Sequence[str] = ()  # suppressions that nothing has needed
    notes: list[str] = field(default_factory=list)
    compiler: str = ""
    seconds: float = 0.0

    @property
    def news(self) -> list[Finding]:
        """The findings that count."""
        return [one for one in self.findings if one.state == NEW]

    @property
    def failed(self) -> list[Failure]:
        """The failures that count."""
        return [one for one in self.failures if one.state == NEW]

    @property
    def is_good(self) -> bool:
        """True if nothing is news, and there was something to look at."""
        return any(self.results.values()) and not self.news and not self.failed

    def all_results(self) -> Iterator[tuple[str, Result]]:
        """Yield each result with its chip."""
        for chip, results in self.results.items():
            for result in results:
                yield chip, result

    def counts(self) -> dict[str, int]:
        """Return how many tests there are, and of these how many of each kind."""
        results = [result for _, result in self.all_results()]
        return {
            "tests": len(results),
            "passed": sum(one.passed and one.outcome != "skipped" for one in results),
            "skipped": sum(one.outcome == "skipped" for one in results),
            "failed": sum(not one.passed for one in results),
            "run": sum(not one.kept for one in results),
            "same_elfs": sum(one.kept == "elfs" for one in results),
            "kept": sum(one.kept == "files" for one in results),
        }

    def lines(self) -> Iterator[str]:
        """Yield what a terminal shows."""
        yield from self.notes
        for one in self.failed:
            yield f"FAILED  {one.chip}  {one.result.test}"
            yield f"    {one.result.why()}"
            yield from (f"    {line}" for line in seeds_lines(one.result.seeds))
            if one.result.diagnose and not one.result.kept:
                yield f"    why: `{one.result.diagnose}`"
        for finding in self.news:
            yield f"{finding.chip}: {finding.text}"
            yield f"    In {said_tests(finding.tests)}"
            yield from (f"    {line}" for line in seeds_lines(finding.seeds))
        yield from (f"{row}: nothing has needed this row" for row in self.unused)
        yield self.summary()

    def summary(self) -> str:
        """Return the last line."""
        of = self.counts()
        known = len(self.findings) - len(self.news)
        return (
            f"{plural(of['tests'], 'test')}: {of['passed']} passed, {of['skipped']} skipped, "
            f"{of['failed']} failed; {of['run']} run, {of['same_elfs']} with the same ELF files, "
            f"{of['kept']} kept; {plural(len(self.news), 'new report')}, {known} known; "
            f"{self.seconds:.1f} s"
        )


def said_tests(tests: Sequence[str]) -> str:
    """Name the first of some tests, and say how many more there are."""
    more = f" and {len(tests) - 1} more" if len(tests) > 1 else ""
    return f"{tests[0]}{more}"


def seeds_lines(seeds: object) -> Iterator[str]:
    """Say what runs in other orders have shown."""
    if isinstance(seeds, dict) and seeds:
        if seeds.get("problem"):
            yield f"seeds: {seeds['problem']}"
        elif seeds["wrong"]:
            wrong = f"{seeds['wrong']} of {seeds['runs']} end otherwise"
            yield f"seeds: {wrong}, first {seeds['first']}: {seeds['how']}"
        else:
            yield f"seeds: all {seeds['runs']} end as in latency"


def file_name(tree: Tree, test: str) -> str:
    """Return the name of a test's file in the tree."""
    path = tree.llk / TESTS / file_of(test)
    return tree.name_of(path) or f"{TESTS}/{file_of(test)}"
