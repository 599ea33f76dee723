# SPDX-License-Identifier: Apache-2.0
"""Remedies, tried: of litmus tests with a wait less, of the bugs of bugs.py and of planted/bugs.py,
of programs that use the NoC. `python -m scripts.examples.races.tried` puts the tables into the
manual.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from scripts.examples.planted.bugs import BUGS as PLANTED
from scripts.examples.planted.planting import RUN, made, typed
from scripts.examples.races.bugs import BUGS, CYCLES, Bug, loaded, programs
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.explain.stop import Places
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.table import ALL
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.tried.machine_runs import MachineRuns
from tensix_gdb.gdbstub.order.tried.text import said, verdict_of
from tensix_gdb.gdbstub.order.tried.trial import Tried, try_all
from tests.core.race.test_mutants import CASES
from tests.gdbstub.order.tried import chip_runs, litmus_runs
from tests.machines import observed_tile
from tests.ordering.litmus_files import TESTS

BLOCK = Generated("tried", "python -m scripts.examples.races.tried", MANUAL / "remedies.md")
SUM = re.compile(r"(\d+) of (\d+) reports? ended by a remedy, (\d+) of them by the first")
TRIED = re.compile(r"(\w+ \d+), tried: (.*)")
NOT_PUT = "its remedy is no instruction at one place"


@dataclass
class Sum:
    """Reports that there were, and those that were ended."""

    name: str
    programs: int = 0
    reports: int = 0
    ended: int = 0
    first: int = 0

    def add(self, found: Sequence[Tried]) -> None:
        """Count the reports of a program; one remedy may end several."""
        if not found:
            return
        self.programs += 1
        reports = found[0].base.findings.reports
        ends = [one for one in found if one.ended is not None]
        by_first = {number for one in ends if one.ended is one.tries[0] for number in ended_by(one)}
        self.reports += len(reports)
        self.ended += len({number for one in ends for number in ended_by(one)})
        self.first += len(by_first)

    def row(self) -> str:
        """A row of the table."""
        return f"| {self.name} | {self.programs} | {self.reports} | {self.ended} | {self.first} |"


def ended_by(one: Tried) -> set[int]:
    """Return the numbers of the reports that a remedy has ended."""
    assert one.ended is not None
    return {one.report.number, *one.ended.gone}


def tried_bug(bug: Bug, folder: Path) -> tuple[list[Tried], Places, Machine]:
    """Try the remedies of a bug; the machine is to be closed."""
    machine = loaded(programs(bug, False, folder), Execution(Schedule.LATENCY))
    checks = [name for name in ALL if name in bug.checks]
    runs = MachineRuns(
        machine, lambda one: one.observe_races(strict=bug.strict, checks=checks), CYCLES
    )
    return try_all(runs, runs.base.findings.reports), machine.places, machine


def bugs(folder: Path, total: Sum) -> Iterator[str]:
    """Yield a row for each bug."""
    yield "| | bug | the remedy that ended it | before it, which did not |"
    yield "|--:|---|---|---|"
    for bug in BUGS:
        found, places, machine = tried_bug(bug, folder)
        total.add(found)
        ended, others = [], []
        for one in found:
            failed = [each for each in one.tries if each is not one.ended]
            others += [f"`{each.remedy.text}`" for each in failed]
            if one.ended is not None:
                ended.append(f"{verdict_of(one.report)}: `{said(one.ended, places)}`")
            elif not one.tries:
                ended.append(f"{verdict_of(one.report)}: not tried; {NOT_PUT}")
            else:
                ended.append(f"{verdict_of(one.report)}: none")
        before = "; ".join(dict.fromkeys(others)).replace("|", "\\|") or "none"
        text = "; ".join(ended).replace("|", "\\|")
        yield f"| {bug.number} | {bug.what} | {text} | {before} |"
        machine.close()


def manual(folder: Path, total: Sum) -> Iterator[str]:
    """Yield a row for each bug of the manual, by `run --races --try`."""
    yield "| bug of [bugs](bugs.md) | the reports and what has ended them |"
    yield "|---|---|"
    for bug in PLANTED:
        output = typed(f"{RUN} --races --try", made(bug, bug.source, folder))
        lines = output.splitlines()
        sums = [found for line in lines if (found := SUM.match(line))]
        said = [f"{one[1]}: `{one[2]}`" for one in map(TRIED.match, lines) if one]
        for one in sums:
            total.programs += 1
            total.ended += int(one[1])
            total.reports += int(one[2])
            total.first += int(one[3])
        none = "no report: a wait mends nothing" if not sums else "not tried"
        yield f"| {bug.title} | {'; '.join(said).replace('|', chr(92) + '|') or none} |"


def litmus(total: Sum) -> str:
    """Try remedies of litmus tests with a wait less, and all executions with what has ended the
    reports; return a sentence."""
    whole = {test.name: test for test in TESTS.values()}
    good = explored = 0
    with closing(observed_tile()) as tile, closing(Tile("compiled")) as plain:
        for test in CASES.values():
            found = litmus_runs.tried(tile, test, whole[test.name])
            total.add(found)
            if found and all(one.ended is not None for one in found):
                explored += 1
                good += litmus_runs.keeps(tile, plain, test, found)
    return (
        f"Of {explored} litmus tests with reports that were ended, {good} have no outcome any "
        "more, in all executions, that the test with all its waits does not allow."
    )


def table(folder: Path) -> str:
    """All of it."""
    sums = [
        Sum("litmus tests with a wait less"),
        Sum("bugs of [race-bugs](race-bugs.md)"),
        Sum("programs that use the NoC, on two or three tiles"),
        Sum("bugs of [bugs](bugs.md), which the manual plants"),
    ]
    sentence = litmus(sums[0])
    rows = list(bugs(folder, sums[1]))
    for programs_of in chip_runs.PROGRAMS.values():
        sums[2].add(chip_runs.tried(programs_of))
    planted = list(manual(folder.resolve(), sums[3]))
    head = ["| | with a report | reports | ended | by the first that was tried |"]
    head += ["|---|--:|--:|--:|--:|", *(each.row() for each in sums)]
    return "\n".join([*head, "", sentence, "", *rows, "", *planted]) + "\n"


def main() -> int:
    """Make the tables."""
    with tempfile.TemporaryDirectory() as name:
        BLOCK.write(table(Path(name)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
