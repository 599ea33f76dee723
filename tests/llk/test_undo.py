# SPDX-License-Identifier: Apache-2.0
"""Fixes of LLK's history undone in a scratch copy: the edits, the table, and one of them run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from scripts.llktests import seeds, undo
from scripts.llktests.fixes import FIXES, Fix
from scripts.llktests.ordering import TESTS as ORDERING
from scripts.llktests.scratch import Edit, edited, scratch
from scripts.llktests.undo import BLOCK, Form, Undone, table, undone
from tensix_gdb.gdbstub.llk.running import Choice, Outcome
from tensix_gdb.gdbstub.llk.suite import LLK, CannotPrepare, Suite
from tests.core.isa.wheel import text
from tests.llk.conftest import Once

SOURCE = """\
void other() { wait(); } // wait_for(1) {
inline void wait_for(int n)
{
    /* } */
    puts("}");
    wait();
}
template <int N> void wait_for(int n, int m) const { wait(); wait(); }
int x = wait_for(2);
"""


def test_a_tree_that_is_linked_is_left_as_it_is(tmp_path: Path) -> None:
    """Headers of tt-metal are links to the tree of `--llk DIR`, to which nothing is written."""
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    theirs.mkdir()
    (theirs / "a.h").write_text(SOURCE, encoding="utf-8")
    (ours / LLK).mkdir(parents=True)
    (ours / LLK / "b.h").write_text(SOURCE, encoding="utf-8")
    (ours / LLK).with_name("hw").symlink_to(theirs)
    edits = [Edit("../hw/a.h", "wait", "go"), Edit("b.h", "wait", "go")]
    made = scratch(Suite(ours, Path("python")), edits, tmp_path)
    for edit in edits:
        assert (made.llk / edit.file).read_text("utf-8") == SOURCE.replace("wait", "go")
        assert (ours / LLK / edit.file).read_text("utf-8") == SOURCE


def test_an_edit_is_made_in_the_bodies_of_a_function() -> None:
    assert edited(SOURCE, Edit("a.h", r"wait\(\);", "go();", "wait_for")) == (
        SOURCE.replace('puts("}");\n    wait();', 'puts("}");\n    go();').replace(
            "wait(); wait();", "go(); go();"
        )
    )
    assert edited(SOURCE, Edit("a.h", r"wait\(\);", "go();")).count("go();") == 4


def test_an_undone_fix_that_does_not_compile_is_no_failing_seed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (test,) = (one for one in ORDERING if one.file == "test_experimental_reconfig_escape.py")
    suite = Suite(tmp_path, tmp_path)
    for cycles, good in ((0, False), (100, True)):
        ended = [Outcome("a.py::test", "failed", "error: unused parameter", 1.0, cycles)]
        monkeypatch.setattr(seeds, "run", lambda *given, ended=ended: ended)
        found = seeds.tried(test, seeds.UNDONE, suite, seeds.Seeds(1, 1))
        assert found.good is good
        assert found.problem == ("" if good else "has not run: error: unused parameter")


def test_a_race_of_a_test_itself_is_settled_in_the_next_form() -> None:
    for test in ORDERING:
        failed = [(110, "PACK 255 of 256 times")]
        assert seeds.Tried(test, seeds.AS_SHIPPED, failed=failed).good is bool(test.settle)
        assert not seeds.Tried(test, seeds.SETTLED, failed=failed).good


def test_an_edit_that_changes_nothing_is_refused() -> None:
    with pytest.raises(CannotPrepare, match="there is no function never in it"):
        edited(SOURCE, Edit("a.h", "wait", "", "never"))
    with pytest.raises(CannotPrepare, match="wait_for: 'stay' is not in it"):
        edited(SOURCE, Edit("a.h", "stay", "", "wait_for"))


@pytest.mark.parametrize("fix", FIXES, ids=lambda fix: str(fix.number))
def test_an_edit_moves_no_line(fix: Fix) -> None:
    for edit in fix.edits:
        before = text(f"{LLK}/{edit.file}")
        after = edited(before, edit)
        assert after != before
        assert len(after.splitlines()) == len(before.splitlines())


def report(identity: str, line: int, check: str | None = None) -> dict[str, Any]:
    step = {"file": "/llk/llk_unpack_A.h", "line": line, "function": "_llk_unpack_A_"}
    earlier = {"instruction": "sw", "pc": 0, "chain": [step]}
    later = {"instruction": "UNPACR", "pc": 0, "chain": [{**step, "line": line + 1}]}
    place = {"name": "cfg THCON_SEC0_REG3_Base_address 0 (word 76)"}
    return {"identity": identity, "check": check, "verdict": "race", "place": place,
            "earlier": earlier, "later": later}  # fmt: skip


def test_a_report_that_the_fix_removes_is_the_bug() -> None:
    (fix,) = (fix for fix in FIXES if fix.number == 1)
    same, other = report("a", 400), report("a", 410)
    row = Undone(1, Form("passed", reports=[same]), Form("failed", "", [same, other, other], 20, 3))
    assert row.new == row.expected(fix) == [other]
    assert row.left == [same]
    (line,) = (line for line in table([row]).splitlines() if line.startswith("| 1 |"))
    field = "cfg THCON_SEC0_REG3_Base_address 0"
    assert f"race of {field}: sw llk_unpack_A.h:410 _llk_unpack_A_, then" in line
    assert line.endswith("| failed | 3 of 20; 0 with the fix |")


def test_the_manual_has_every_fix() -> None:
    rows = [line for line in BLOCK.read().splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == len(FIXES) >= 10
    for fix, row in zip(FIXES, rows, strict=True):
        _, what, _, said, *_ = row.strip("|").split(" | ")
        assert what == f"{fix.what} ({fix.links})"
        assert said.startswith(fix.said)


@pytest.mark.long("the edits are made in this file without a run")
def test_one_of_them_is_reported(
    suite: Suite, once: Once, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And the suite's test of it, as shipped in some seeds; without its fix one of them fails."""
    (fix,) = (fix for fix in FIXES if fix.number == 5)
    (test,) = (one for one in ORDERING if one.file == fix.test)
    (edit,) = fix.edits
    whole = (suite.llk / edit.file).read_text("utf-8")

    def run(of: Suite, tests: list[str], choice: Choice, keep: str) -> list[Outcome]:
        shipped = (of.llk / edit.file).read_text("utf-8") == whole
        return once(of, tests, choice, keep, "shipped" if shipped else "undone")

    monkeypatch.setattr(undo, "run", run)
    monkeypatch.setattr(seeds, "run", run)
    found = undone(suite, fix, range(1, 3))
    assert found.shipped.outcome == "passed"
    assert found.left == []
    assert found.expected(fix)
    assert (found.shipped.wrong, found.shipped.seeds) == (0, 2 * fix.variants)
    shipped = seeds.tried(test, seeds.AS_SHIPPED, suite, seeds.Seeds(1, 10))
    assert shipped.good, (shipped.problem, shipped.failed)
    assert (shipped.runs, shipped.latency, shipped.executions) == (1, 1, 10)
    without = Suite(tmp_path, suite.python)  # its run is that of above
    path = without.llk / edit.file
    path.parent.mkdir(parents=True)
    path.write_text(edited(whole, *test.undo), encoding="utf-8")
    failed = seeds.tried(test, seeds.UNDONE, without, seeds.Seeds(1, 10))
    assert failed.good, failed.problem
    assert "of 256 times" in failed.failed[0][1]
