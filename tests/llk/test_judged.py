# SPDX-License-Identifier: Apache-2.0
"""Verdicts on the reports of races in LLK's tests: the row of a report, the manual's table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scripts.llktests.judged import check_verdicts_wormhole, checks, shipped
from scripts.llktests.judged import races as judged
from scripts.llktests.judged.race_verdicts import GAP, PROMISE, REAL, ROWS, row_of
from scripts.llktests.judged.race_verdicts_wormhole import ROWS_OF, WORMHOLE
from scripts.llktests.judged.races import BLOCK, BLOCKS
from tensix_gdb.core.ordering.promises import PROMISES
from tensix_gdb.gdbstub.order.report.of_llk import KNOWN


def side(instruction: str, file: str, line: int, function: str) -> dict[str, Any]:
    step = {"file": f"/llk/{file}", "line": line, "function": function}
    plumbing = {"file": "/llk/ckernel_template.h", "line": 1, "function": "run"}
    return {"instruction": instruction, "pc": 0x6000, "chain": [plumbing, step]}


def race(place: str, earlier: dict[str, Any], later: dict[str, Any]) -> dict[str, Any]:
    names = {"identity": place, "text": f"RACE 1 {place}", "check": None}
    names["verdict"] = "race"
    return {"place": {"name": place}, "earlier": earlier, "later": later, **names}


SET = side("SETDMAREG", "cunpack_common.h", 1001, "set_dst_write_addr")
WRITE = side("WRCFG", "cunpack_common.h", 1002, "set_dst_write_addr")


def test_a_report_has_the_row_of_its_lines() -> None:
    row = row_of(race("gpr T0 18", SET, WRITE))
    assert row is not None
    assert (row.verdict, row.page) == (REAL, "tt-isa-documentation#58")
    nowhere = {"instruction": "sw", "pc": 0x61B0, "chain": []}
    done = row_of(race("L1 0x1ffbc", nowhere, nowhere))
    assert done is not None
    assert done.verdict == GAP
    assert row_of(race("gpr T0 18", WRITE, SET)) is None


def test_a_check_has_rows_of_its_own() -> None:
    post = side("sw", "barrier.h", 140, "rendezvous")
    said = race("sem 4", post, post)
    assert row_of(said) is None
    row = row_of({**said, "check": "S1"})
    assert row is not None
    assert (row.verdict, row.check) == (GAP, "S1")


def test_a_report_without_a_row_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "now.json"
    path.write_text(
        json.dumps(
            [{"test": "test_a.py::b", "result": "passed", "races": [race("gpr T0 18", SET, WRITE)]}]
        )
    )
    assert judged.main([str(path)]) == 0
    counted = (
        "Counted in 1 tests of 1 files, 0 of which failed: 1 reports of 1 kinds, in 1 files. "
        "Kinds by word: 1 RACE.\n"
    )
    assert capsys.readouterr().out == f"every report has a verdict\n{counted}"
    path.write_text(
        json.dumps(
            [{"test": "test_a.py::b", "result": "passed", "races": [race("gpr T0 9", SET, WRITE)]}]
        )
    )
    assert judged.main([str(path)]) == 1
    assert capsys.readouterr().out == f"RACE 1 gpr T0 9\n{counted}"


def test_findings_of_state_are_judged_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One run gives both tables."""
    left = {**race("cfg Haloize_mode 0 (word 72)", SET, WRITE), "check": "K1"}
    mixed = [race("gpr T0 18", SET, WRITE), left]
    path = tmp_path / "now.json"
    path.write_text(json.dumps([{"test": "test_a.py::b", "result": "passed", "races": mixed}]))
    assert judged.main([str(path)]) == 0
    assert "1 reports of 1 kinds" in capsys.readouterr().out


def test_the_manual_has_every_row() -> None:
    lines = BLOCK.read().splitlines()
    for row in ROWS:
        (line,) = (line for line in lines if line.startswith(f"| {row.what} |"))
        assert f"| {row.verdict} | {row.why} |" in line
        assert line.endswith(f"| {row.page} |")
        assert row.verdict in (REAL, PROMISE, GAP)


def test_wormhole_has_rows_of_its_own() -> None:
    """Its table has those that it has reports of, and no others."""
    flip = side("SETRWC", "llk_math_eltwise_binary.h", 574, "_llk_math_eltwise_binary_standard_<>")
    move = side("MOVD2B", "cmath_common.h", 169, "move_d2b_fixed_face")
    said = race("src b (the Matrix Unit's bank)", flip, move)
    for check in (None, "S3"):
        found = {**said, "check": check}
        assert row_of(found) is None
        row = row_of(found, ROWS_OF["wormhole"])
        assert row is not None
        assert (row.verdict, row.check) == (REAL, check or "")
    both = race("gpr T0 18", SET, WRITE)
    assert row_of(both, ROWS_OF["wormhole"]) is row_of(both)
    test = {"test": "test_a.py::b", "result": "passed", "races": [said, both]}
    rows = judged.table([test], arch="wormhole").splitlines()[2:]
    assert [line.split(" | ")[1] for line in rows] == ["1", "1"]


def test_the_manual_has_wormholes_verdicts() -> None:
    lines = [line for line in BLOCKS["wormhole"].read().splitlines() if line.startswith("| ")][1:]
    known = {row.what: row for row in ROWS_OF["wormhole"]}
    assert {row.what for row in WORMHOLE} <= {line.split(" | ")[0][2:] for line in lines}
    for line in lines:
        row = known.get(line.split(" | ")[0][2:])
        if row is None:
            break  # the promises
        assert f"| {row.verdict} | {row.why} |" in line


def test_findings_on_wormhole_have_rows_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read = side("UNPACR", "cunpack_common.h", 983, "unpack_to_dest_tile_done")
    found = race("cfg THCON_SEC0_REG3_Base_cntx2_address 0 (word 66)", read, read)
    tests = [{"test": "test_a.py::a", "result": "passed", "races": [{**found, "check": "U1"}]}]
    path = tmp_path / "now.json"
    path.write_text(json.dumps(tests), "ascii")
    assert checks.main([str(path)]) == 1
    assert checks.main([str(path), "--arch", "wormhole"]) == 0
    assert "1 findings of 1 kinds" in capsys.readouterr().out
    text = checks.BLOCKS["wormhole"].page.read_text("utf-8")
    for row in check_verdicts_wormhole.WORMHOLE:
        assert row.why in text.partition(checks.BLOCKS["wormhole"].begin)[2]


def test_promises_are_counted_by_test() -> None:
    promise = {"name": "P2", "source": "a page", "count": 600}
    tests = [
        {"test": "test_a.py::b", "result": "passed", "races": [], "promises": [promise, promise]},
        {"test": "test_a.py::c", "races": [], "promises": []},
    ]
    (p2,) = (each for each in PROMISES if each.name == "P2")
    table = judged.table(tests)
    assert "\n| page | promise | order | where it comes from | of 1 tests | times |\n" in table
    assert f"LLK relies on 1 promises that no page makes: 1 that {p2.page} would have" in table
    assert table.endswith(f"| {p2.page} | P2 | {p2} | a page | 1 | 1,200 |\n")


def test_the_package_has_the_verdicts() -> None:
    """`python -m scripts.llktests.judged.shipped` writes them."""
    assert KNOWN.read_text("utf-8") == shipped.text()
