# SPDX-License-Identifier: Apache-2.0
"""The findings and failures that are no news: suppressed by a row with a reason, or in a baseline.

Both files are in the tree that is tested, and change with it:

    .tensix-gdb/llk-suppressions     rows as of `--races-suppressions`, and of two kinds more
    .tensix-gdb/llk-baseline.json    what `--write-baseline` has written

    check  K1                          each init writes it
    test   test_topk.py::test_topk*    tt-metal#12345: fails on cards, too
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Sequence
from dataclasses import field
from pathlib import Path
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.llk.job.findings import KNOWN, NEW, SUPPRESSED, Finding
from tensix_gdb.gdbstub.order.report.known import KINDS, Suppression, read_suppressions
from tensix_gdb.gdbstub.usage import UsageError

FOLDER = ".tensix-gdb"
ROWS, BASELINE = "llk-suppressions", "llk-baseline.json"
FORMAT = 1


@dataclass
class Known:
    """All that is no news, and the rows that were of use."""

    rows: Sequence[Suppression] = ()
    reports: frozenset[tuple[str, str]] = frozenset()  # chip, identity
    tests: frozenset[tuple[str, str]] = frozenset()  # chip, name
    used: set[Suppression] = field(default_factory=set)

    def judge(self, finding: Finding) -> None:
        """Say of a finding whether it is news."""
        for row in self.rows:
            if _fits(row, finding):
                self.used.add(row)
                finding.state, finding.reason = SUPPRESSED, row.reason
                return
        is_known = (finding.chip, finding.identity) in self.reports
        finding.state = KNOWN if is_known else NEW

    def of_test(self, chip: str, test: str) -> tuple[str, str]:
        """Say of a test that fails whether it is news, and why not."""
        for row in self.rows:
            if row.kind == "test" and fnmatch.fnmatchcase(test, _as_name(row.pattern)):
                self.used.add(row)
                return SUPPRESSED, row.reason
        return (KNOWN if (chip, test) in self.tests else NEW), ""

    @property
    def unused(self) -> list[Suppression]:
        """The rows that nothing has needed."""
        return [row for row in self.rows if row not in self.used]


def _as_name(pattern: str) -> str:
    """Names of tests have brackets, which are no sets of letters."""
    return pattern.replace("[", "[[]")


def _fits(row: Suppression, finding: Finding) -> bool:
    sides = finding.sides
    match row.kind:
        case "test":
            return False
        case "check":
            names = [finding.rule]
        case "page":
            names = [str(finding.document["page"])]
        case "symbol":
            names = [step["function"] for side in sides for step in side["chain"]]
        case "line":
            names = [_line(step) for side in sides for step in side["chain"]]
        case _:
            files = [[step["file"] for step in side["chain"]] for side in sides]
            short = [[Path(name).name for name in each] for each in files]
            return all(
                bool(fnmatch.filter([*whole, *last], row.pattern))
                for whole, last in zip(files, short, strict=True)
            )
    return any(fnmatch.fnmatchcase(name, row.pattern) for name in names)


def _line(step: dict[str, Any]) -> str:
    return f"{Path(step['file']).name}:{step['line']}"


def known_of(root: Path, rows: str | None, baseline: str | None) -> Known:
    """Read both files, the named ones or those of the tree. UsageError if one is wrong."""
    found = Known()
    own = root / FOLDER / ROWS
    if rows is not None or own.is_file():
        found.rows = read_suppressions(rows or str(own), (*KINDS, "check", "test"))
    path = baseline_of(root, baseline)
    if baseline is not None or path.is_file():
        found.reports, found.tests = _read_baseline(path)
    return found


def baseline_of(root: Path, given: str | None) -> Path:
    """Return where the baseline is."""
    return Path(given) if given is not None else root / FOLDER / BASELINE


def _read_baseline(path: Path) -> tuple[frozenset[tuple[str, str]], frozenset[tuple[str, str]]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["format"] != FORMAT:
            raise UsageError(f"{path}: is of another version; write it anew by --write-baseline")
        reports = frozenset((str(one["chip"]), str(one["identity"])) for one in found["reports"])
        tests = frozenset((str(one["chip"]), str(one["test"])) for one in found["tests"])
    except OSError as problem:
        raise UsageError(f"{path}: cannot be read: {problem.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: is not what --write-baseline writes") from None
    return reports, tests


def write_baseline(
    path: Path, findings: Sequence[Finding], failures: Sequence[tuple[str, str]]
) -> None:
    """Write what was found: a row for each, in an order that does not change, so that a change of
    the file is one of its rows. UsageError if it cannot be written."""
    reports = sorted(
        ({"chip": one.chip, "identity": one.identity, "what": one.what} for one in findings),
        key=lambda row: (row["what"], row["chip"], row["identity"]),
    )
    tests = [{"chip": chip, "test": test} for chip, test in sorted(failures)]
    text = json.dumps({"format": FORMAT, "reports": reports, "tests": tests}, indent=1)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{path}: cannot be written: {problem.strerror}") from None
