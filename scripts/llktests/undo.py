# SPDX-License-Identifier: Apache-2.0
"""Bugs of LLK's history, re-created: `scripts/llk undo [NUMBER ...]`.

For each of fixes.py a test of the suite runs once as it is shipped, and once with the fix undone in
a scratch copy of LLK. From what the kernels began with (beginning.py) each runs again here, once
observed: what is reported without the fix and not with it is the bug. Then it runs in seeds of
`random` without the observer: how many have a wrong result says whether seeds alone find the bug.
Exit status 0 if each bug is reported where it is expected, and nothing with its fix that has no
verdict (judged.py).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from scripts.llktests.beginning import LATENCY, Beginning
from scripts.llktests.fixes import FIXES, Fix
from scripts.llktests.judged.race_verdicts import row_of, side_of
from scripts.llktests.ordering import Judge, words_of
from scripts.llktests.scratch import scratch
from scripts.llktests.sweep import JUDGES
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.llk.running import Choice, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, suite_of
from tensix_gdb.gdbstub.order.report.as_json import document_of
from tensix_gdb.gdbstub.order.report.known import Judged
from tensix_gdb.gdbstub.order.report.located import located

BLOCK = Generated("undone", "scripts/llk undo --write", MANUAL / "llk-bugs.md")
SEEDS = 50
SHOWN = 2  # reports of a bug in the table
LONGEST = 100_000_000  # cycles that a kernel may take in `latency`
SLOWER, SETTLING = 20, 1_000_000  # cycles of a seed, against those of `latency`
Report = dict[str, Any]


@dataclass
class Form:
    """A test in one form: with the fix, or without."""

    outcome: str = ""
    why: str = ""  # it did not pass
    reports: list[Report] = field(default_factory=list)
    seeds: int = 0
    wrong: int = 0  # of them


@dataclass
class Undone:
    """The results without a fix."""

    number: int
    shipped: Form
    undone: Form

    @property
    def new(self) -> list[Report]:
        """Reports that are there without the fix only, each once. An edit moves no line."""
        before = {said(one) for one in self.shipped.reports}
        texts = {said(one): one for one in self.undone.reports}
        return [one for text, one in texts.items() if text not in before]

    @property
    def left(self) -> list[Report]:
        """Reports with the fix that have no verdict of their own (judged.py)."""
        return [one for one in self.shipped.reports if row_of(one) is None]

    def expected(self, fix: Fix) -> list[Report]:
        """The new ones that are about the bug."""
        return [one for one in self.new if fix.is_said_by(kind(one), *lines(one))]


def kind(report: Report) -> str:
    """`race`, `sampling`, `promised`, or the check."""
    return str(report["check"] or report["verdict"])


def lines(report: Report) -> tuple[str, str]:
    """`INSTRUCTION FILE:LINE FUNCTION` of both sides."""
    return side_of(report["earlier"]), side_of(report["later"])


def undone(suite: Suite, fix: Fix, seeds: range) -> Undone:
    """Run it in both forms."""
    forms = []
    for edits in ((), fix.edits):
        with scratched(suite, edits) as copy:
            forms.append(_form(copy, fix, seeds))
    return Undone(fix.number, *forms)


@contextmanager
def scratched(suite: Suite, edits: Sequence[Any]) -> Iterator[Suite]:
    with tempfile.TemporaryDirectory(prefix="llk-scratch-", dir=suite.root.parent) as name:
        yield scratch(suite, edits, Path(name))


def _form(suite: Suite, fix: Fix, seeds: range) -> Form:
    choice = Choice(fix.variants, fix.seed, "latency", "compiled")
    with tempfile.TemporaryDirectory(prefix="llk-kept-") as name:
        outcomes = [one for one in run(suite, [fix.test], choice, name) if one.cycles]
        if not outcomes:
            raise CannotPrepare(f"{fix.test} has not run; `scripts/llk {fix.test}` says why")
        bad = next((one for one in outcomes if not one.passed), None)
        found = Form(bad.result, bad.why()) if bad else Form("passed")
        for core in sorted(Path(name).glob("*.core")):
            with closing(Beginning(core)) as beginning:
                found.reports += _reports(beginning, fix)
                _in_seeds(found, beginning, JUDGES.get(fix.test), seeds)
    return found


def _reports(beginning: Beginning, fix: Fix) -> Iterator[Report]:
    """List what nothing orders in one run: in `latency`, or in a seed of `random`."""
    machine = beginning.machine

    def begun(machine: Machine) -> None:
        machine.observe_races(strict=fix.strict, checks=fix.checks)

    seed = fix.observed_in
    execution = Execution(Schedule.RANDOM, seed) if seed else LATENCY
    beginning.run(execution, begun=begun, most=LONGEST)
    reports = located(machine.races(), machine.places)
    machine.runner.races = machine.reports.races = None
    machine.S.race.on = 0
    yield from (document_of(Judged(one, None, False)) for one in reports)


def _in_seeds(found: Form, beginning: Beginning, judge: Judge | None, seeds: range) -> None:
    """Run from where a kernel began, without the observer. A judge says of a result with counts
    whether it is right; any other has to be that of `latency`."""
    if not seeds:
        return
    usual = beginning.run(LATENCY, most=LONGEST)
    for seed in seeds:
        most = SLOWER * usual.cycles + SETTLING
        ran = beginning.run(Execution(Schedule.RANDOM, seed), most=most)
        found.seeds += 1
        if judge is not None and not ran.why:
            found.wrong += bool(judge(words_of(ran.result)))
        else:
            found.wrong += bool(ran.why) or ran.result != usual.result


def table(rows: Sequence[Undone]) -> str:
    """A row for each bug."""
    text = ["| | bug | test | reported in one run | in the suite | seeds with a wrong result |",
            "|--:|---|---|---|---|--:|"]  # fmt: skip
    for row in rows:
        fix = next(one for one in FIXES if one.number == row.number)
        kinds = dict.fromkeys(said(one, short=True) for one in row.expected(fix))
        shown = "; ".join(list(kinds)[:SHOWN])
        others = len(row.new) - min(len(kinds), SHOWN)
        more = f"; and {others} more" if others else ""
        more += f" (in `random:{fix.observed_in}`)" if fix.observed_in else ""
        text.append(
            f"| {fix.number} | {fix.what} ({fix.links}) | `{fix.test.partition('[')[0]}` "
            f"| {shown or 'nothing'}{more} | {row.undone.outcome} "
            f"| {row.undone.wrong} of {row.undone.seeds}; {row.shipped.wrong} with the fix |"
        )
    return "\n".join(text) + "\n"


def said(report: Report, *, short: bool = False) -> str:
    """Kind, place and lines; `short`: without arguments of templates."""
    earlier, later = lines(report)
    if short:
        earlier, later = earlier.partition("<")[0], later.partition("<")[0]
    place = "" if report["check"] else f" of {report['place']['name'].partition(' (')[0]}"
    both = earlier if earlier == later else f"{earlier}, then {later}"
    return f"{kind(report)}{place}: {both}"


def _show(row: Undone, fix: Fix) -> bool:
    """Print what came of it; True if it is as it should be."""
    expected = row.expected(fix)
    good = bool(expected) and not row.left
    print(f"{fix.number} {fix.what} ({fix.links}): {'good' if good else 'NOT as it should be'}")
    for name, form in (("shipped", row.shipped), ("undone", row.undone)):
        print(f"    {name}: {form.outcome} {form.why}; wrong in {form.wrong} of {form.seeds} seeds")
    for one in row.left:
        print(f"    with the fix: {said(one)}")
    for one in row.new:
        print(f"    {'*' if one in expected else '-'} {said(one)}")
    sys.stdout.flush()
    return good


def _with_those_of(path: Path | None, rows: Sequence[Undone]) -> list[Undone]:
    """A row for each fix: of this run, or the last one in the file."""
    found: dict[int, Undone] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path else ():
        kept = json.loads(line)
        found[kept["number"]] = Undone(
            kept["number"], Form(**kept["shipped"]), Form(**kept["undone"])
        )
    found |= {row.number: row for row in rows}
    return [found[fix.number] for fix in FIXES if fix.number in found]


def number_among(numbers: Collection[int]) -> Callable[[str], int]:
    """Return what reads one of these numbers from a command line."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) not in numbers:
            first, last = min(numbers), max(numbers)
            all_of_them = ", ".join(map(str, sorted(numbers)))
            which = f"{first} to {last}" if len(numbers) > last - first else all_of_them
            raise argparse.ArgumentTypeError(f"there is no bug {text}: they are {which}")
        return int(text)

    return read


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk undo", description=__doc__.split("\n\n")[0])
    number = number_among([fix.number for fix in FIXES])
    parser.add_argument("numbers", nargs="*", type=number, metavar="NUMBER", help="default: all")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="default 50")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append a line for each bug")
    parser.add_argument(
        "--write", action="store_true", help="put the table into the manual, with rows of --json"
    )
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    chosen = [fix for fix in FIXES if not arguments.numbers or fix.number in arguments.numbers]
    rows, good = [], bool(chosen)
    try:
        with suite_of(arguments.llk) as suite:
            for fix in chosen:
                row = undone(suite, fix, range(1, arguments.seeds + 1))
                good &= _show(row, fix)
                rows.append(row)
                if arguments.json is not None:
                    with arguments.json.open("a", encoding="utf-8") as file:
                        print(json.dumps(asdict(row)), file=file)
    except CannotPrepare as problem:
        print(f"llk undo: {problem}", file=sys.stderr)
        return 2
    if arguments.write:
        BLOCK.write(table(_with_those_of(arguments.json, rows)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
