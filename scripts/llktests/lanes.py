# SPDX-License-Identifier: Apache-2.0
"""Bugs of 2026, re-created in the job: `scripts/llk lanes [NUMBER ...]`.

For each of bugs.py a test of the suite runs as it is shipped and with the fix undone in a scratch
copy, with all that `tensix-gdb llk --ci` observes: its result, races and all checks; kernels that
are reported or wrong run in seeds of `random`, too. What comes without the fix and not with it is
the bug, and says which lane of the job finds it. Exit status 0 if each ends as bugs.py has it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from scripts.llktests.bug import Bug
from scripts.llktests.bugs import BUGS
from scripts.llktests.judged.counts import NONE, verdict
from scripts.llktests.undo import kind, number_among, said, scratched
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.llk.failing import TIMED_OUT
from tensix_gdb.gdbstub.llk.job.command import OBSERVED
from tensix_gdb.gdbstub.llk.job.suspicious import run_seeds
from tensix_gdb.gdbstub.llk.running import NOT_FOR_US, Choice, Outcome, run
from tensix_gdb.gdbstub.llk.suite import CannotPrepare, Suite
from tensix_gdb.gdbstub.llk.tree import add_llk_option, file_of, suite_of

BLOCK = Generated("lanes", "scripts/llk lanes --write", MANUAL / "llk-bugs-2026.md")
SEEDS = 20  # as of the job
TEST = "test"
SHOWN, LONGEST = 1, 100  # reports of a bug in the table; letters of a reason
SENTENCE = re.compile(r"assert |\w*(Error|Exception)\b")
Report = dict[str, Any]
TITLES = (
    "| | bug | test | lane | what the job says without the fix | with the fix |",
    "|--:|---|---|---|---|---|",
)


@dataclass
class Form:
    """The tests of a bug, with its fix or without: how many ran, why the first of the wrong ones is
    wrong, all reports, and what seeds say of the first kernel that is suspicious."""

    ran: int = 0
    wrong: int = 0
    why: str = ""
    reports: list[Report] = field(default_factory=list)
    seeds: dict[str, Any] = field(default_factory=dict)


@dataclass
class Found:
    """Both forms."""

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
    def lanes(self) -> list[str]:
        """The lanes that find the bug: `test`, then verdicts and checks of new reports."""
        test = [TEST] if self.undone.wrong and not self.shipped.wrong else []
        return [*test, *dict.fromkeys(kind(one) for one in self.new)]

    @property
    def left(self) -> list[Report]:
        """Reports with the fix that have no verdict in the lists of judged reports."""
        return [one for one in self.shipped.reports if verdict(one) == NONE]

    def is_as(self, bug: Bug) -> bool:
        """True if the lanes are those that the list has, and the shipped tree has nothing new."""
        expected = set(bug.lanes) <= set(self.lanes) if bug.lanes else not self.lanes
        return expected and self.shipped.ran > 0 and not self.shipped.wrong


def shipped_of(suite: Suite, bugs: Sequence[Bug]) -> dict[int, Form]:
    """Run the tests of bugs as they are shipped, those with the same choice in one run."""
    groups: dict[tuple[Any, ...], list[Bug]] = {}
    for bug in bugs:
        groups.setdefault((bug.variants, bug.words, bug.arch), []).append(bug)
    found = {}
    for group in groups.values():
        tests = list(dict.fromkeys(bug.test for bug in group))
        with scratched(suite, ()) as copy:
            outcomes = run(copy, [*tests, *group[0].words], _choice(group[0]))
            for bug in group:
                found[bug.number] = _form(bug, outcomes)
    return found


def undone_of(suite: Suite, bug: Bug, seeds: int) -> Form:
    """Run the test of a bug without its fix, and what is suspicious in so many seeds."""
    with scratched(suite, bug.edits) as copy, _kept() as folder:
        outcomes = run(copy, [bug.test, *bug.words], _choice(bug), str(folder))
        form = _form(bug, outcomes)
        suspicious = next((one for one in outcomes if _has_to_be_run(one)), None)
        if seeds and suspicious is not None:
            form.seeds = run_seeds(suspicious, folder, seeds)
        return form


@contextmanager
def _kept() -> Iterator[Path]:
    """A folder for what kernels begin with."""
    with tempfile.TemporaryDirectory(prefix="llk-kept-") as name:
        yield Path(name)


def _choice(bug: Bug) -> Choice:
    return Choice(bug.variants, "1", "latency", "compiled", OBSERVED, bug.arch)


def _form(bug: Bug, outcomes: Sequence[Outcome]) -> Form:
    own = [one for one in outcomes if file_of(one.test) == file_of(bug.test)]
    ran = [one for one in own if one.outcome not in ("skipped", "not run")]
    if not ran:
        why = next((one.why() for one in own), "no test")
        return Form(why=f"{bug.test} has not run: {why}")
    wrong = [one for one in ran if not one.passed]
    broken = next((one.why() for one in wrong if NOT_FOR_US.search(one.reason)), "")
    if broken:
        raise CannotPrepare(f"{bug.number}: {bug.test} is not compiled: {broken}")
    reports = [report for one in ran for report in one.races]
    return Form(len(ran), len(wrong), wrong[0].why() if wrong else "", reports)


def _has_to_be_run(one: Outcome) -> bool:
    ordered = (report for report in one.races if not report["check"] or report["check"][0] == "S")
    return bool(one.cycles) and (not one.passed or any(ordered))


def table(rows: Sequence[Found]) -> str:
    """Count what is found, and return a row for each bug."""
    return "\n".join([f"{_counted(rows)}\n", *TITLES, *(_row(row) for row in rows)]) + "\n"


def _counted(rows: Sequence[Found]) -> str:
    found = [row for row in rows if row.lanes]
    alone = sum(row.lanes == [TEST] for row in found)
    silent = sum(TEST not in row.lanes for row in found)
    wrong = sum(row.shipped.wrong for row in rows)
    return (
        f"A lane of the job finds {len(found)} of {len(rows)}: {alone} the test alone, {silent} a "
        f"report alone, while the test passes, and {len(found) - alone - silent} both. With the "
        f"fix, {wrong or 'none'} of their tests fail{'s' if wrong < 2 else ''}."
    )


def _row(row: Found) -> str:
    bug = next(one for one in BUGS if one.number == row.number)
    lanes = ", ".join(row.lanes) or f"none: {bug.why_not}"
    others = f", {len(row.shipped.reports)} other reports" if row.shipped.reports else ""
    chip = "" if bug.arch == "blackhole" else " (Wormhole)"
    cells = (
        f"{bug.number}",
        f"{bug.what} ({bug.links})",
        f"`{bug.test}`{chip}",
        lanes,
        "; ".join(_words(row)) or "nothing",
        f"passed{others}" if not row.shipped.wrong else f"{row.shipped.wrong} fail",
    )
    return f"| {' | '.join(cells)} |"


def _words(row: Found) -> Iterator[str]:
    """Yield what is said without the fix: the test's reason, then a report of each kind."""
    if row.undone.wrong and not row.shipped.wrong:
        reason = _reason(row.undone.why)
        count = f"{row.undone.wrong} of {row.undone.ran} fail"
        yield f"{count}: {reason}" if reason else count
    of_kind: dict[str, list[Report]] = {}
    for one in row.new:
        of_kind.setdefault(kind(one), []).append(one)
    for several in of_kind.values():
        more = f" and {len(several) - SHOWN} more" if len(several) > SHOWN else ""
        yield said(several[0], short=True) + more


def _reason(why: str) -> str:
    """Return what a test has said, if it is a sentence: what pytest adds below it is none."""
    if TIMED_OUT.search(why):
        return "it does not end"
    return _short(why) if SENTENCE.match(why) else ""


def _short(reason: str) -> str:
    text = " ".join(reason.replace("|", "/").split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _show(row: Found, bug: Bug) -> bool:
    """Print what came of it; True if it is as the list has it."""
    good = row.is_as(bug)
    print(f"{bug.number} {bug.what} ({bug.links}): {'good' if good else 'NOT as it should be'}")
    for name, form in (("shipped", row.shipped), ("undone", row.undone)):
        print(f"    {name}: {form.wrong} of {form.ran} wrong {_short(form.why)} {form.seeds or ''}")
    print(f"    lanes: {', '.join(row.lanes) or 'none'}; without a verdict: {len(row.left)}")
    for one in row.new:
        print(f"    * {said(one)}")
    sys.stdout.flush()
    return good


def _with_those_of(path: Path | None, rows: Sequence[Found]) -> list[Found]:
    """A row for each bug: of this run, or the last one in the file."""
    found: dict[int, Found] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path else ():
        kept = json.loads(line)
        forms = (Form(**kept[name]) for name in ("shipped", "undone"))
        found[kept["number"]] = Found(kept["number"], *forms)
    found |= {row.number: row for row in rows}
    return [found[bug.number] for bug in BUGS if bug.number in found]


def main(argv: Sequence[str] | None = None) -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(prog="llk lanes", description=__doc__.split("\n\n")[0])
    number = number_among([bug.number for bug in BUGS])
    parser.add_argument("numbers", nargs="*", type=number, metavar="NUMBER", help="default: all")
    parser.add_argument("--seeds", type=int, default=SEEDS, metavar="N", help="default 20")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append a line for each bug")
    parser.add_argument("--none", action="store_true", help="run nothing: for --write with --json")
    parser.add_argument(
        "--write", action="store_true", help="put the table into the manual, with rows of --json"
    )
    add_llk_option(parser)
    arguments = parser.parse_args(argv)
    chosen = [bug for bug in BUGS if not arguments.numbers or bug.number in arguments.numbers]
    rows, good = [], True
    try:
        with suite_of(arguments.llk) as suite:
            shipped = {} if arguments.none else shipped_of(suite, chosen)
            for bug in () if arguments.none else chosen:
                try:
                    form = undone_of(suite, bug, arguments.seeds)
                except CannotPrepare as problem:
                    print(f"{bug.number} {bug.what}: {problem}", flush=True)
                    good = False
                    continue
                row = Found(bug.number, shipped[bug.number], form)
                good &= _show(row, bug)
                rows.append(row)
                if arguments.json is not None:
                    with arguments.json.open("a", encoding="utf-8") as file:
                        print(json.dumps(asdict(row)), file=file)
    except CannotPrepare as problem:
        print(f"llk lanes: {problem}", file=sys.stderr)
        return 2
    if arguments.write:
        BLOCK.write(table(_with_those_of(arguments.json, rows)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
