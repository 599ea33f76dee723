# SPDX-License-Identifier: Apache-2.0
"""The verdicts on reports in right operations of ttnn: which row a report has, and the table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.examples.ttnn import judged
from scripts.examples.ttnn.alarms import identity
from scripts.examples.ttnn.judged import BLOCK, ROWS, main, row_of, table

PAD = {
    "text": "RACE 3  write, then read: once",
    "place": {"name": "L1 0x1c489"},
    "earlier": {
        "agent": "B",
        "instruction": "sb",
        "chain": [{"function": "kernel_main", "file": "x/writer_pad_tiled.cpp", "line": 58}],
    },
    "later": {"agent": "NoC 1", "instruction": "sw", "chain": []},
}


def test_a_report_has_a_row() -> None:
    report = identity(PAD)
    assert report["earlier"] == "B sb kernel_main writer_pad_tiled.cpp:58"
    row = row_of(report)
    assert row is not None
    assert row.what.startswith("a hart fills a page")
    assert row_of({**report, "word": "U1"}) is None


def test_the_table_says_what_is_not_judged() -> None:
    reports = [{"operation": "pad", **identity(PAD)}]
    said = {"operations": ["pad", "add"], "tiles": "2x2", "reports": reports}
    assert "Of 2 operations on 2x2 tiles 1 have no report: add." in table(said)
    assert "not judged" not in table(said)
    reports.append({**reports[0], "word": "U1"})
    assert "| | 1 | the others | pad | not judged | |" in table(said)


def test_a_report_without_a_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.json"
    report = {"operation": "pad", **identity(PAD), "word": "U1"}
    file.write_text(json.dumps({"operations": ["pad"], "tiles": "1x1", "reports": [report]}))
    assert main([str(file)]) == 1
    assert "pad: U1 L1 0x1c489" in capsys.readouterr().out


def test_the_manual_has_no_report_without_a_verdict() -> None:
    block = BLOCK.read()
    assert "not judged" not in block
    verdicts = {judged.REAL, judged.PURPOSE, judged.PROMISE}
    assert {row.verdict for row in ROWS} <= verdicts
    rows = [line for line in block.splitlines() if line.startswith("| ")][1:]
    assert all(line.split(" | ")[4] in verdicts for line in rows)
