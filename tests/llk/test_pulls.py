# SPDX-License-Identifier: Apache-2.0
"""Pull requests as cases: what is said of a job, and the rows of the manual."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts.llktests import pulls
from scripts.llktests.bug import Bug
from scripts.llktests.pulls import (
    BLOCK,
    PULLS,
    Job,
    Pull,
    is_mended,
    jobs_of,
    main,
    rows_of,
    said,
)
from scripts.llktests.scratch import Edit
from tensix_gdb.gdbstub.llk.suite import LLK, CannotPrepare, Suite


def result(rule: str, text: str) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": "tt-llk/a/pack.h"}, "region": {"startLine": 7}}
    location = {"physicalLocation": place}
    return {"ruleId": rule, "message": {"text": text}, "locations": [location]}


REPORT = result("K6", "K6 1  a constant is left changed: once  lreg 11\n    seeds: all 4 end alike")
FAILURE = result("test-failed", "test_a.py::t[a|b]: assert 1 == 2")


def test_what_a_job_says() -> None:
    assert said(Job(0, [])) == "nothing"
    assert said(Job(1, [REPORT, FAILURE])) == (
        "1 test fails; K6: a constant is left changed: once lreg 11, `pack.h:7`; "
        "seeds: all 4 end alike"
    )


def test_what_a_pull_request_mends() -> None:
    """A report that is no matter of it may be there before and with it."""
    assert is_mended(Job(1, [REPORT, FAILURE]), Job(1, [REPORT]))
    assert is_mended(Job(1, [REPORT]), Job(0, []))
    assert not is_mended(Job(1, [REPORT]), Job(1, [REPORT]))
    assert not is_mended(Job(1, [REPORT]), Job(1, [FAILURE]))


def test_rows() -> None:
    pull = Pull("tt-metal#56333", Bug(1, "", "", (), ""))
    assert rows_of(pull, [Job(1, [FAILURE]), Job(0, [])]) == [
        "| tt-metal#56333 (1) | before | 1 | 1 test fails |",
        "| | with it | 0 | nothing |",
    ]


def test_the_second_job_has_the_tree_with_the_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "suite" / LLK / "a.h"
    file.parent.mkdir(parents=True)
    file.write_text("fixed", encoding="utf-8")
    seen = []

    def ran(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        tree = Path(command[command.index("--llk") + 1])
        seen.append((tree / "a.h").read_text(encoding="utf-8"))
        reports = Path(command[command.index("--reports") + 1])
        reports.mkdir(exist_ok=True)
        (reports / "results.sarif").write_text(json.dumps({"runs": []}), encoding="utf-8")
        status = 2 if "-x" in command else 0
        return subprocess.CompletedProcess(command, status, "", "a\nb")

    monkeypatch.setattr(pulls.subprocess, "run", ran)
    suite = Suite(tmp_path / "suite", Path("python"))
    bug = Bug(1, "", "", (Edit("a.h", "fixed", "broken"),), "test_a.py")
    assert [job.status for job in jobs_of(suite, Pull("", bug))] == [0, 0]
    assert seen == ["broken", "fixed"]
    open_one = Pull("", bug, fix=(Edit("a.h", "broken", "mended"),))
    assert [job.status for job in jobs_of(suite, open_one)] == [0, 0]
    assert seen[2:] == ["broken", "mended"]
    assert file.read_text(encoding="utf-8") == "fixed"
    broken = Bug(1, "", "", (), "test_a.py", words=("-x",))
    with pytest.raises(CannotPrepare, match="the job of 1 ends with 2: b"):
        list(jobs_of(suite, Pull("", broken)))


def test_the_manual_has_them() -> None:
    rows = [line for line in BLOCK.read().splitlines() if " | before | 1 | " in line]
    assert [row.split(" | ")[0].split()[1] for row in rows] == [pull.link for pull in PULLS]
    assert BLOCK.read().count("| | with it | ") == len(PULLS)


def test_a_number_that_is_no_pull_request(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["2"])
    assert "there is no bug 2: they are 1, 15, 21, 56894\n" in capsys.readouterr().err
