# SPDX-License-Identifier: Apache-2.0
"""Results that are kept from one job to the next: a file for each file of tests and its key.

Of a test several results are kept, one for each state of the files that it depends on: so a branch
that is left and taken again costs nothing. A result that cannot be told by its files is not kept: a
test that did not compile, one that timed out, one of an LLK which does not say what it builds.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.llk.job.findings import with_names
from tensix_gdb.gdbstub.llk.job.inputs import Tree
from tensix_gdb.gdbstub.llk.running import Outcome
from tensix_gdb.gdbstub.replace_file import replace_file
from tensix_gdb.gdbstub.usage import UsageError

MOST_RESULTS, MOST_FILES = 8, 4000  # of a test; of the folder
TIMED_OUT = re.compile(r"Timeout reached|TENSIX TIMED OUT|pytest_timeout|Timeout \(>")
# What a report needs of an outcome.
FIELDS = ("test", "outcome", "reason", "seconds", "cycles", "faults", "elfs")


@dataclass
class Result:
    """All that is known of a test: its outcome, its reports with names of the tree's files, its
    seeds, and whether it was `kept`. Of one that failed, the command that says why."""

    test: str
    outcome: str
    reason: str
    seconds: float
    cycles: int
    faults: list[str]
    elfs: list[str]
    races: list[dict[str, Any]] = field(default_factory=list)
    seeds: dict[str, Any] = field(default_factory=dict)
    deps: list[str] = field(default_factory=list)
    diagnose: str = ""
    is_told: bool = True  # the LLK says what its kernels are made of
    kept: str = ""  # "files" if nothing that it depends on has changed, "elfs" if no ELF file has

    @property
    def passed(self) -> bool:
        """True if a test has passed, or the suite skips it."""
        return self.outcome in ("passed", "skipped") and not self.faults

    def why(self) -> str:
        """Return why it did not pass, in one line."""
        return Outcome(self.test, self.outcome, self.reason, 0.0, faults=self.faults).why()

    def can_be_kept(self) -> bool:
        """True if the files that are known decide it."""
        if self.outcome not in ("passed", "skipped", "failed") or not self.is_told:
            return False
        is_late = self.outcome == "failed" and TIMED_OUT.search(self.reason)
        has_no_kernel = self.outcome != "failed" and not self.elfs and not self.cycles
        return not is_late and (bool(self.deps) or has_no_kernel)


class Store:
    """A folder of results."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, key: str) -> Record:
        """Return what is kept of a file of tests; an empty record if there is nothing."""
        path = self._folder / f"{key}.json"
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            return Record({test: list(results) for test, results in found["tests"].items()})
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return Record({})

    def write(self, key: str, record: Record) -> None:
        """Write it, whole or not at all. UsageError if that cannot be."""
        path = self._folder / f"{key}.json"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            replace_file(path, json.dumps({"tests": record.tests}).encode())
        except OSError as problem:
            raise UsageError(
                f"{self._folder}: results cannot be kept: {problem.strerror}; name another folder "
                "with --results"
            ) from None
        self._forget()

    def _forget(self) -> None:
        """Leave the youngest files."""
        paths = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in paths[:-MOST_FILES]:
            with contextlib.suppress(OSError):
                path.unlink()


@dataclass
class Record:
    """The results of a file of tests, the youngest of each first."""

    tests: dict[str, list[dict[str, Any]]]

    def valid(self, tree: Tree) -> dict[str, Result]:
        """Return the results that hold for the tree as it is."""
        found: dict[str, Result] = {}
        for test, results in self.tests.items():
            for row in results:
                if row["digest"] == tree.digest(row["deps"]):
                    found[test] = _result(row, "files")
                    break
        return found

    def elfs(self, tests: Sequence[str]) -> dict[str, list[str]]:
        """Return the hashes of the ELF files that tests had last, if their result was kept."""
        last = {test: self.tests[test][0] for test in tests}
        return {test: row["elfs"] for test, row in last.items() if row["digest"] and row["elfs"]}

    def last(self, test: str) -> Result:
        """Return the youngest result of a test."""
        return _result(self.tests[test][0], "elfs")

    def add(self, results: Mapping[str, Result], tree: Tree) -> None:
        """Put results at the front. One that cannot be kept holds for no tree, and says that there
        is such a test."""
        for test, result in results.items():
            digest = tree.digest(result.deps) if result.can_be_kept() else ""
            row = {**vars(result), "digest": digest}
            others = [one for one in self.tests.get(test, []) if one["digest"] != digest]
            self.tests[test] = [row, *others][:MOST_RESULTS]


def _result(row: Mapping[str, Any], kept: str) -> Result:
    known = {name: row[name] for name in Result.__dataclass_fields__ if name in row}
    return Result(**{**known, "kept": kept})


def result_of(outcome: Outcome, tree: Tree) -> Result:
    """Return the result of a test that has run, with the names of the tree's files."""
    return Result(
        **{name: getattr(outcome, name) for name in FIELDS},
        races=[with_names(race, tree) for race in outcome.races],
        deps=tree.names_of(outcome.deps),
        is_told=not outcome.unknown,
    )
