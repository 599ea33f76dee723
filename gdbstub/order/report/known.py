# SPDX-License-Identifier: Apache-2.0
"""The reports that are no news: suppressed by a file of rows, or in a baseline.

A row of a suppression file has three columns, and the third may not be empty:

    symbol  _llk_unpack_A_      the hardware team says that UNPACR takes it at its gate
    line    llk_pack.h:412      tt-metal#12345
    page    *ZEROSRC.md         this kernel clears both banks itself

A symbol is a function on the way to either side, a line `FILE:LINE` of it, a file one that both
sides come from, a page that of the report. `*` and `?` stand for other text. A baseline is a file
of `--races-to FILE.json`. The rows of SHIPPED are for reports about tt-metal's own firmware.
"""

from __future__ import annotations

import fnmatch
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.race.findings import Findings
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.usage import UsageError

KINDS = ("symbol", "line", "file", "page")
SHIPPED = Path(__file__).with_name("firmware.suppressions")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One row."""

    kind: str
    pattern: str
    reason: str
    where: str  # FILE:LINE
    is_shipped: bool = False  # it came with this program

    def fits(self, one: Located) -> bool:
        """True if the report is meant."""
        if self.kind == "file":
            files = [[line.rpartition(":")[0] for line in side.lines()] for side in one.sides]
            return all(bool(fnmatch.filter(each, self.pattern)) for each in files)
        if self.kind == "page":
            names = [one.report.page]
        elif self.kind == "line":
            names = [line for side in one.sides for line in side.lines()]
        else:
            names = [symbol for side in one.sides for symbol in side.symbols()]
        return any(fnmatch.fnmatchcase(name, self.pattern) for name in names)

    def __str__(self) -> str:
        return f"{self.where}: {self.kind} {self.pattern}"


UNKNOWN = Suppression("program", "*", "of programs that are not known", "")


@dataclass(frozen=True, slots=True)
class Judged:
    """A report; `suppression` and `is_known` say why it does not count."""

    located: Located
    suppression: Suppression | None
    is_known: bool

    @property
    def counts(self) -> bool:
        """True if it is news."""
        return self.suppression is None and not self.is_known


@dataclass(frozen=True, slots=True)
class Judgement:
    """All of a run: what was found, judged, and the suppressions that no report needed."""

    findings: Findings
    reports: tuple[Judged, ...]
    unused: tuple[Suppression, ...]

    @property
    def new(self) -> list[Judged]:
        """The reports that count."""
        return [one for one in self.reports if one.counts]


def judge(
    findings: Findings,
    reports: Sequence[Located],
    suppressions: Sequence[Suppression] = (),
    baseline: frozenset[str] = frozenset(),
    *,
    unknown: bool = True,
) -> Judgement:
    """Say of each report whether it is news. Without `unknown`, one of programs that are not known
    is none: a firmware's own synchronisation is not recognised by its addresses alone."""
    used: set[Suppression] = set()
    judged = []
    for one in reports:
        fitting = [each for each in suppressions if each.fits(one)]
        used.update(fitting)
        first = fitting[0] if fitting else None
        if first is None and not unknown and not any(side.is_known for side in one.sides):
            first = UNKNOWN
        judged.append(Judged(one, first, one.identity in baseline))
    unused = tuple(each for each in suppressions if each not in used and not each.is_shipped)
    return Judgement(findings, tuple(judged), unused)


def read_suppressions(path: str, kinds: Sequence[str] = KINDS) -> list[Suppression]:
    """Return the rows of a file. UsageError with file and line if one is wrong."""
    rows = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        kind, pattern, reason = [*line.split(None, 2), "", "", ""][:3]
        where = f"{path}:{number}"
        if kind not in kinds:
            raise UsageError(f"{where}: a row begins with {', '.join(kinds[:-1])} or {kinds[-1]}")
        if not reason.strip():
            raise UsageError(f"{where}: the reason is missing: {kind}, a pattern, and why")
        rows.append(Suppression(kind, pattern, reason.strip(), where))
    return rows


def firmware_rows() -> list[Suppression]:
    """Return the rows for tt-metal's firmware."""
    return [replace(row, is_shipped=True) for row in read_suppressions(str(SHIPPED))]


def read_baseline(path: str) -> frozenset[str]:
    """Return the identities of the reports in a file of `--races-to`."""
    try:
        document = json.loads(_text(path))
        return frozenset(str(report["identity"]) for report in document["races"])
    except (ValueError, KeyError, TypeError):
        raise UsageError(f"{path}: is no file of `--races-to FILE.json`") from None


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it is no text"
        raise UsageError(f"{path}: cannot be read: {reason}") from None
