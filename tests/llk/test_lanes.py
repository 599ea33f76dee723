# SPDX-License-Identifier: Apache-2.0
"""Bugs of 2026, their fixes undone: the edits, the table in the manual, and one of them run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from scripts.llktests import lanes, undo
from scripts.llktests.bugs import BUGS, Bug
from scripts.llktests.fixes import FIXES
from scripts.llktests.lanes import BLOCK, Form, Found, shipped_of, table, undone_of
from scripts.llktests.scratch import edited
from tensix_gdb.gdbstub.llk.job.command import OBSERVED
from tensix_gdb.gdbstub.llk.running import Choice, Outcome
from tensix_gdb.gdbstub.llk.suite import LLK, Suite
from tests.core.isa.wheel import text
from tests.llk.test_undo import report


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: str(bug.number))
def test_an_edit_moves_no_line(bug: Bug) -> None:
    now: dict[str, str] = {}
    for edit in bug.edits:
        before = now.get(edit.file) or text(_name(edit.file))
        now[edit.file] = edited(before, edit)
        assert now[edit.file] != before
        assert len(now[edit.file].splitlines()) == len(before.splitlines())


def _name(file: str) -> str:
    return f"{LLK}/{file}".replace("tt-llk/../", "")


def test_no_bug_is_there_twice() -> None:
    assert len(BUGS) >= 20
    assert [bug.number for bug in BUGS] == list(range(1, len(BUGS) + 1))
    links = {link for fix in FIXES for link in fix.links.split(", ")}
    assert not links & {link for bug in BUGS for link in bug.links.split(", ")}
    for bug in BUGS:
        assert not (bug.lanes and bug.why_not)


def found(*new: dict[str, Any], wrong: int = 0, before: int = 0) -> Found:
    same = report("a", 400)
    undone = Form(2, wrong, "AssertionError: 1 | 2" if wrong else "", [same, *new])
    return Found(1, Form(2, before, reports=[same]), undone)


def test_the_lanes_are_those_that_say_something_new() -> None:
    race, check = report("b", 410), report("c", 420, "K1")
    assert found().lanes == []
    assert found(race, race, check).lanes == ["race", "K1"]
    assert found(check, wrong=1).lanes == ["test", "K1"]
    # A test that fails with the fix, too, says nothing about the bug.
    assert found(wrong=1, before=1).lanes == []


def test_a_bug_is_found_where_the_list_says_so() -> None:
    (bug,) = (one for one in BUGS if one.number == 3)
    assert bug.lanes == ("test",)
    assert found(wrong=1).is_as(bug)
    assert not found().is_as(bug)
    assert not found(wrong=1, before=1).is_as(bug)


def test_a_row_says_what_fails_and_what_is_reported() -> None:
    (line,) = _rows(table([found(report("c", 420, "K1"), wrong=1)]))
    assert " | test, K1 | 1 of 2 fail: AssertionError: 1 / 2; K1: sw llk_unpack_A.h:420 " in line
    assert line.endswith(" | passed, 1 other reports |")


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        ("AssertionError: 1 | 2", ": AssertionError: 1 / 2"),
        ("assert False", ": assert False"),
        ("+ where <DataFormat.Float16> = x.output_format", ""),
        ("lib/python3.11/site-packages/pytest_timeout.py:502: Failed", ": it does not end"),
    ],
)
def test_the_reason_of_a_failure(why: str, reason: str) -> None:
    row = found(wrong=1)
    row.undone.why = why
    assert f" | test | 1 of 2 fail{reason} | " in _rows(table([row]))[0]


def test_the_first_sentence_counts_the_lanes() -> None:
    check = report("c", 420, "K1")
    rows = [found(wrong=1), found(check), found(check), found(check, wrong=1), found()]
    assert table(rows).splitlines()[0] == (
        "A lane of the job finds 4 of 5: 1 the test alone, 2 a report alone, while the test "
        "passes, and 1 both. With the fix, none of their tests fails."
    )
    assert table([found(wrong=1, before=1)]).splitlines()[0].endswith("1 of their tests fails.")


def _rows(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r"\| \d", line)]


def test_a_row_of_the_manual_is_as_the_list_has_the_bug() -> None:
    rows = _rows(BLOCK.read())
    bugs = {bug.number: bug for bug in BUGS}
    assert len(rows) == len(BUGS)
    for row in rows:
        number, what, test, lanes, *_ = row.strip("|").split(" | ")
        bug = bugs[int(number)]
        assert what == f"{bug.what} ({bug.links})"
        assert test.startswith(f"`{bug.test}`")
        assert set(bug.lanes) <= set(lanes.split(", ")) if bug.lanes else bug.why_not in lanes


@pytest.mark.parametrize("command", [lanes, undo])
def test_a_number_that_no_bug_has(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["99"])
    assert "there is no bug 99: they are 1 to " in capsys.readouterr().err


def test_what_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of a bug as it is shipped, and without the fix; with all that the job observes."""
    (bug,) = (one for one in BUGS if one.number == 1)
    suite = Suite(tmp_path / "suite", Path("python"))
    for edit in bug.edits:
        (suite.llk / edit.file).parent.mkdir(parents=True, exist_ok=True)
        (suite.llk / edit.file).write_text(text(_name(edit.file)), encoding="utf-8")
    asked = []

    def run(of: Suite, words: list[str], choice: Choice, keep: str = "") -> list[Outcome]:
        texts = [(of.llk / edit.file).read_text("utf-8") for edit in bug.edits]
        asked.append((words, choice.races, texts == [text(_name(e.file)) for e in bug.edits]))
        return [Outcome(f"{bug.test}::one", "passed", "", 1.0, 100)]

    monkeypatch.setattr(lanes, "run", run)
    row = Found(1, shipped_of(suite, [bug])[1], undone_of(suite, bug, 0))
    words = [bug.test, *bug.words]
    assert asked == [(words, OBSERVED, True), (words, OBSERVED, False)]
    assert (row.shipped.ran, row.undone.ran, row.lanes) == (1, 1, [])


@pytest.mark.long("the edits are made in this file without a run")
def test_one_of_them_is_found(suite: Suite) -> None:
    """By its lanes. (test_undo.py has a test as it is shipped, of which nothing is reported.)"""
    (bug,) = (one for one in BUGS if one.number == 1)
    row = Found(1, Form(1), undone_of(suite, bug, 0))
    assert set(bug.lanes) <= set(row.lanes)
