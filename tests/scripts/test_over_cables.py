# SPDX-License-Identifier: Apache-2.0
"""The verdicts on races of collectives: what has one, what has none, and the table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.examples.ttnn.over_cables import BLOCK, main, row_of, table

REPORT = {"word": "RACE", "place": "L1 0x15dcb", "earlier": "NC sb send_next_data<0> a.cpp:5"}


@pytest.mark.parametrize(
    ("later", "verdict"),
    [("TX queue 0 sw eth_txq_reg_write tt_eth_api.h:27", "real"), ("TX queue 0 of tile c0.e4", "")],
)
def test_verdicts(later: str, verdict: str) -> None:
    row = row_of({**REPORT, "later": later})
    assert (row.verdict if row is not None else "") == verdict


def side(agent: str, instruction: str, function: str) -> dict[str, Any]:
    step = {"function": function, "file": "/src/a.cpp", "line": 5}
    return {"agent": agent, "instruction": instruction, "chain": [step]}


def written(folder: Path, function: str) -> int:
    report = {
        "text": "RACE 1  write, then read",
        "suppressed": "",
        "place": {"name": "L1 0x15dcb"},
        "earlier": side("NC", "sb", function),
        "later": side("TX queue 0", "sw", "eth_txq_reg_write"),
    }
    (folder / "r-c0.e4-1.json").write_text(json.dumps({"races": [report]}))
    return main([str(folder)])


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 1, "nothing is there to be judged"
    assert written(tmp_path, "send_next_data<0>") == 0
    assert written(tmp_path, "another") == 1
    assert "NC sb another a.cpp:5" in capsys.readouterr().out


def test_the_table_names_what_has_no_verdict() -> None:
    unknown = {**REPORT, "later": "TX queue 0 of tile c0.e4"}
    known = {**REPORT, "later": "TX queue 0 sw eth_txq_reg_write tt_eth_api.h:27"}
    rows = table([known, unknown]).splitlines()[2:]
    assert rows[0].startswith("| 1 | a router stores a header")
    assert rows[1] == "| 1 | the others | not judged | |"
    assert "not judged" not in BLOCK.read()
