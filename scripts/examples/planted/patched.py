# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb diagnose --apply` for many kernels with a bug: which of their reports get a diff, and
if the first cause of the page names the guilty line.

`python -m scripts.examples.planted.patched` writes the manual's table. The kernels are the bugs of
the manual and public reports (tests/reports), those on one tile.
"""

from __future__ import annotations

import re
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.examples.planted.bugs import BUGS, LLK_BUGS
from scripts.examples.planted.planting import RUN, Bug, made, typed
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tests.reports import orders, stages, state, vector
from tests.reports.report import ONE, TEMPLATE, Report

MAKER = "python -m scripts.examples.planted.patched"
BLOCK = Generated("patches", MAKER, MANUAL / "patches.md")
OWN = shlex.join([sys.executable, "-m", "tensix_gdb.gdbstub"])
REPORTS = (*state.REPORTS, *vector.REPORTS, *orders.REPORTS, *stages.REPORTS)
COMPILED = "compiled and run in a copy"
IN_ORDER = "all is in order up to there"
NOT_TRIED = "no remedy is tried: "
NOTHING_LEFT = "all is in order, and nothing is left"
# Off unless they are wanted, as some kernels do on purpose what they name.
WANTED = {"tt-llk#1658": "S7", "tt-metal#53504": "S8"}


@dataclass
class Row:
    """Outcome of a kernel."""

    name: str
    what: str
    cause: str = ""  # the first of the page
    place: str = ""  # the guilty line of a public report, and what else names it
    other: str = ""
    is_named: bool = False  # in the first cause
    diffs: list[str] = field(default_factory=list)  # reports with a diff that was compiled and run
    without: list[tuple[str, str]] = field(default_factory=list)  # others, and why
    failed: list[str] = field(default_factory=list)  # a diff that was not compiled: a mistake

    def text(self) -> str:
        """A row of the table."""
        diffs = ", ".join(self.diffs) or "none"
        said = (f"{name}: {why}" if name else why for name, why in self.without)
        why = "; ".join(dict.fromkeys(said))
        named = "" if not self.place else "yes" if self.is_named else f"no; `{self.other}` does"
        cells = (self.name, self.what, self.cause, named, diffs, why or "")
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def read(row: Row, output: str) -> Row:
    """Read what the command has printed."""
    is_first = False
    for line in output.splitlines():
        is_first = is_first and line.startswith(" ")
        if line.startswith(("most likely (", "found (")) and not row.cause:
            row.cause = line.partition("(")[2].partition(")")[0]
            is_first = True
        if is_first and row.place and re.search(rf"{re.escape(row.place)}\b", line):
            row.is_named = True
        if line.startswith(NOT_TRIED):
            row.without.append(("", NOTHING_LEFT if "nothing is left" in line else IN_ORDER))
        name, _, rest = line.partition(": ")
        if rest.startswith("a diff; "):
            (row.diffs if COMPILED in rest else row.failed).append(name)
        elif rest.startswith("not tried; "):
            row.without.append((name.strip(), "no instruction at one place"))
        elif rest.startswith("no diff: "):
            row.without.append((name, rest.removeprefix("no diff: ")))
    return row


def of_bug(bug: Bug, folder: Path) -> Row:
    """Diagnose a bug of the manual."""
    project = made(bug, bug.source, folder)
    is_llk = bug.kernel.endswith(".cpp")
    build = f"{OWN} build {bug.kernel}{'' if is_llk else ' --sfpi none'}"
    command = RUN.replace(" run ", " diagnose ", 1)
    return read(Row(bug.name, bug.title), typed(with_apply(command, build), project))


def of_report(report: Report, folder: Path) -> Row:
    """Diagnose a public report."""
    project = folder / report.id
    typed(f"tensix-gdb new {project}", folder)
    for name, text in report.kernel().items():
        (project / name).write_text(text, "utf-8")
    files = " ".join(report.kernel())
    typed(f"tensix-gdb build {files} --sfpi none", project)
    run = ONE if TEMPLATE not in report.kernel() else f"{RUN} --max-cycles 30000"
    if report.number in WANTED:
        run += f" --races-checks {WANTED[report.number]}"
    command = with_apply(run.replace(" run ", " diagnose ", 1), f"{OWN} build {files} --sfpi none")
    row = Row(report.number, report.what, place=report.place, other=command_of(report))
    return read(row, typed(command, project))


def command_of(report: Report) -> str:
    """The words of the command with which tests/reports has the line named."""
    words = [
        word for word in report.command.split() if word not in ("tensix-gdb", "--dir", "build")
    ]
    given = [at for at, word in enumerate(words) if word in ("--tile", "--expect", "--max-cycles")]
    left = {at for first in given for at in (first, first + 1)}
    return " ".join(word for at, word in enumerate(words) if at not in left)


def with_apply(command: str, build: str) -> str:
    """The command, with a build of its own in a copy."""
    return f"{command} --seeds 0 --apply {shlex.quote(build)}"


def rows(folder: Path, names: Sequence[str] = ()) -> Iterator[Row]:
    """Diagnose all kernels, or those that are named."""
    for bug in (*BUGS, *LLK_BUGS):
        if not names or bug.name in names:
            yield of_bug(bug, folder)
    for report in REPORTS:
        if not names or report.number in names:
            yield of_report(report, folder)


def table(found: Sequence[Row]) -> str:
    """A row for each kernel, after the sums."""
    diffs = sum(len(row.diffs) for row in found)
    kernels = sum(bool(row.diffs) for row in found)
    why = Counter(why for row in found for name, why in row.without if name)
    silent = sum(not row.diffs and all(not name for name, _ in row.without) for row in found)
    lines = [
        f"Of {len(found)} kernels {kernels} get a diff: {diffs} diffs, each compiled and run in a "
        f"copy, with the report gone and the run as before or better. "
        f"{sum(why.values())} reports that a remedy has ended, or that none has, have no diff. "
        f"{silent} kernels have nothing that a wait, a barrier or a restore could change: in their "
        "runs all accesses are in order, and nothing is left by those that end.",
        "",
        f"Of the {sum(bool(row.place) for row in found)} public reports the first cause of the "
        f"page names the guilty line in {sum(row.is_named for row in found)}.",
        "",
        "| kernel | what | first cause | its line is named | reports with a diff | "
        "reports without, and why |",
        "|---|---|---|---|---|---|",
        *(row.text() for row in found),
    ]
    return "\n".join(lines) + "\n"


def main(names: Sequence[str]) -> int:
    """Write the table, or print rows of kernels that are named."""
    with tempfile.TemporaryDirectory() as scratch:
        found = []
        for row in rows(Path(scratch).resolve(), names):
            print(row.text(), flush=True)
            found.append(row)
    if not names:
        BLOCK.write(table(found))
    return 1 if any(row.failed for row in found) else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
