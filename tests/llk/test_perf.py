# SPDX-License-Identifier: Apache-2.0
"""`scripts/llk perf`: reports of the suite beside each other, and utilisations."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.llktests import perf
from tensix_gdb.gdbstub.llk.running import Outcome

HEAD = "math_fidelity,tile_cnt,TEXT_SIZE(MATH_ISOLATE),marker,mean(L1_TO_L1),std(L1_TO_L1),"
HEAD += "mean(MATH_ISOLATE),mean(L1_CONGESTION[PACK])\n"
OURS = HEAD + "LoFi,8,100,INIT,1,0,1,1\nLoFi,8,100,TILE_LOOP,64.0,0,18.0,\n"
OURS += "HiFi4,8,100,TILE_LOOP,70.0,0,67.5,20.5\n"
THEIRS = HEAD + "HiFi4,8,90,TILE_LOOP,86.0,1.5,66.0,41\nHiFi4,4,90,TILE_LOOP,1,0,1,\n"


def report(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_are_those_of_the_loop(tmp_path: Path) -> None:
    rows = perf.rows_of(report(tmp_path, "ours.csv", OURS))
    assert [row["math_fidelity"] for row in rows] == ["LoFi", "HiFi4"]
    assert perf.means(rows[0]) == {"L1_TO_L1": 64.0, "MATH_ISOLATE": 18.0}
    assert perf.variant_of(rows[0]) == {"math_fidelity": "LoFi", "tile_cnt": "8"}


def test_variants_of_both_reports_are_compared(tmp_path: Path) -> None:
    ours = perf.rows_of(report(tmp_path, "ours.csv", OURS))
    theirs = perf.rows_of(report(tmp_path, "theirs.csv", THEIRS))
    found = perf.compare(ours, theirs)
    assert [(one.run_type, one.ours, one.theirs) for one in found] == [
        ("L1_TO_L1", 70.0, 86.0), ("MATH_ISOLATE", 67.5, 66.0), ("L1_CONGESTION[PACK]", 20.5, 41.0),
    ]  # fmt: skip
    assert found[2].ratio == pytest.approx(0.5)


def test_runs_of_a_test_are_one_of_each_type() -> None:
    counts = [{"FPU cycles": 100, "FPU_COUNTER": 10 * i} for i in range(5)]
    whole = Outcome("test", "passed", "", 1.0, perf=counts)
    cut = Outcome("test", "failed", "", 1.0, perf=counts[:3])
    found = perf.by_run_type([whole, cut, whole])
    assert [len(runs) for runs in found.values()] == [2] * 5
    assert perf.utilisations(found["MATH_ISOLATE"])["fpu_utilization_pct"] == 20.0
    assert perf.utilisations(found["MATH_ISOLATE"])["pack_utilization_pct"] == 0.0


def test_a_report_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert perf.main(["--against", "/nowhere.csv"]) == 2
    assert capsys.readouterr().err == "llk perf: /nowhere.csv is not there\n"
