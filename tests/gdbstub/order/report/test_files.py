# SPDX-License-Identifier: Apache-2.0
"""Races as JSON, SARIF and JUnit XML."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.core.race.findings import FailedWait, Setting
from tensix_gdb.gdbstub.order.report.as_json import json_text
from tensix_gdb.gdbstub.order.report.junit import junit_text
from tensix_gdb.gdbstub.order.report.known import Suppression
from tensix_gdb.gdbstub.order.report.sarif import CAUSE, FAULT, Caused, sarif_text, uri
from tests.gdbstub.order.report.made import (
    CHAIN_OF_STORE,
    FIX,
    LOCATED,
    NOWHERE,
    PLACES,
    RELIED,
    REPORT,
    RUN_KERNEL,
    SAMPLING,
    STORE,
    T0,
    judged,
)

ROW = Suppression("symbol", "none", "asked", "rows:1")
QUIET = Suppression("page", "*", "not <now> & never", "rows:2")


def test_json_has_everything() -> None:
    document = json.loads(json_text(judged(LOCATED, relied=(RELIED,), suppressions=(ROW,)), PLACES))
    (race,) = document["races"]
    assert race["identity"] == LOCATED.identity
    assert race["verdict"] == "race"
    assert race["place"]["index"] == 76
    assert race["later"]["chain"][1] == {
        "function": "_llk_unpack_A_",
        "file": "/home/me/tt-llk/tt_llk_blackhole/llk_lib/llk_unpack_A.h",
        "line": 432,
    }
    assert race["fix"]["would_not"] == ["fence", "STALLWAIT with B6"]
    assert (race["suppressed"], race["known"]) == (None, False)
    assert race["text"].startswith("RACE 1  write, then read: 40 times  cfg THCON")
    (promise,) = document["promises"]
    assert (promise["name"], promise["count"]) == ("P1", 412)
    assert document["unused_suppressions"] == ["rows:1: symbol none"]
    assert document["cycles"] == [10, 2000]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each)


def _sarif(*args: Any, **more: Any) -> dict[str, Any]:
    document = json.loads(sarif_text(judged(*args, **more), "1.2.3"))
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    assert isinstance(run, dict)
    return run


def test_sarif_shows_both_sides() -> None:
    run = _sarif(LOCATED)
    (result,) = run["results"]
    driver = run["tool"]["driver"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "race"
    assert (result["level"], result["baselineState"]) == ("error", "new")
    (later,) = result["locations"]
    place = later["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/llk_lib/llk_unpack_A.h")
    assert place["region"] == {"startLine": 432}
    earlier, remedy, *way = result["relatedLocations"]
    assert earlier["physicalLocation"]["region"] == {"startLine": 412}
    assert earlier["message"]["text"] == "the earlier side: T0 sw, a write"
    assert remedy["physicalLocation"]["region"] == {"startLine": 432}
    assert remedy["message"]["text"] == f"the remedy: {FIX.text}, before this line"
    assert [each["message"]["text"].split(":")[0] for each in way] == [
        "on the way to sw",
        "on the way to UNPACR of a MOP",
        "on the way to UNPACR of a MOP",
    ]
    assert [each["id"] for each in result["relatedLocations"]] == [1, 2, 3, 4, 5]
    (flow,) = result["codeFlows"]
    assert [each["id"] for each in flow["threadFlows"]] == ["T0", "T0 unpack"]
    first = flow["threadFlows"][1]["locations"][0]["location"]
    assert first["message"]["text"] == "run_kernel"
    assert result["partialFingerprints"] == {"tensixRace/v1": LOCATED.identity}
    assert result["message"]["text"].startswith("RACE 1  write, then read: 40 times")
    assert "suppressions" not in result


def test_sarif_shows_what_else_is_at_a_line() -> None:
    """Who has set a field, what has made a MOP, and the wait that orders nothing."""
    setting = Setting("ALU_ACC_CTRL_Fp32_enabled", "0x0", STORE)
    one = replace(
        LOCATED,
        report=replace(
            REPORT,
            settings=(setting, replace(setting, writer=None)),
            failed=FailedWait(T0, 0x6A20, "STALLWAIT", "does not hold UNPACR"),
        ),
        settings=(LOCATED.earlier, None),
        later=replace(LOCATED.later, configured=(RUN_KERNEL,)),
        failed_at="llk_unpack_A.h:412 _llk_unpack_A_",
        failed_step=CHAIN_OF_STORE[0],
    )
    (result,) = _sarif(one)["results"]
    said = {
        each["message"]["text"]: each["physicalLocation"]["region"]["startLine"]
        for each in result["relatedLocations"]
    }
    at = f"{one.earlier.place}, for {RUN_KERNEL.text}"
    assert said[f"the setting: ALU_ACC_CTRL_Fp32_enabled is 0x0: T0  sw  {at}"] == 412
    assert said["the template of UNPACR of a MOP"] == 45
    assert said[f"the wait: The STALLWAIT at {one.failed_at} does not hold UNPACR."] == 412


def test_sarif_has_causes_first() -> None:
    """One that is a report has its lines, and is not there again."""
    judgement = judged(LOCATED, SAMPLING)
    fault = Caused(FAULT, "at a fault", [(RUN_KERNEL, ""), (CHAIN_OF_STORE[0], "pushed here")])
    race = Caused(CAUSE, "most likely: RACE 1", of=judgement.reports[0])
    nowhere = Caused(CAUSE, "somewhere")
    document = json.loads(sarif_text(judgement, "1.2.3", [fault, race, nowhere]))
    results = document["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["fault", "race", "cause", "sampling"]
    assert results[0]["locations"][0]["physicalLocation"]["region"] == {"startLine": 45}
    (pushed,) = results[0]["relatedLocations"]
    assert (pushed["id"], pushed["message"]["text"]) == (1, "pushed here")
    assert results[1]["message"]["text"] == "most likely: RACE 1"
    assert results[1]["relatedLocations"][0]["message"]["text"].startswith("the earlier side")
    assert results[2]["locations"] == []
    rules = document["runs"][0]["tool"]["driver"]["rules"]
    assert all(rules[one["ruleIndex"]]["id"] == one["ruleId"] for one in results)


def test_sarif_of_every_kind() -> None:
    run = _sarif(LOCATED, SAMPLING, NOWHERE)
    assert [one["level"] for one in run["results"]] == ["error", "warning", "note"]
    nowhere = run["results"][2]["locations"][0]["physicalLocation"]
    assert nowhere == {"address": {"absoluteAddress": 0x6A3C, "kind": "instruction"}}
    for one in _objects(run):
        if "startLine" in one:
            assert one["startLine"] >= 1
        if "physicalLocation" in one:
            assert one["physicalLocation"].keys() & {"address", "artifactLocation"}
        if "threadFlows" in one:
            assert all(flow["locations"] for flow in one["threadFlows"])
    assert _sarif()["results"] == []


def test_sarif_knows_what_is_no_news() -> None:
    (known,) = _sarif(LOCATED, baseline=frozenset({LOCATED.identity}))["results"]
    assert known["baselineState"] == "unchanged"
    (quiet,) = _sarif(LOCATED, suppressions=(QUIET,))["results"]
    assert quiet["suppressions"] == [{"kind": "external", "justification": "not <now> & never"}]


def test_names_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert uri("../inc/a b.h") == "../inc/a%20b.h"
    assert uri(str(tmp_path / "src/k.cpp")) == "src/k.cpp"
    assert uri("/opt/x#y.h") == "file:///opt/x%23y.h"


def test_junit() -> None:
    strange = replace(LOCATED, report=replace(REPORT, reason="bell \x07, <tag> & more"))
    text = junit_text(judged(strange, SAMPLING, NOWHERE, baseline=frozenset({SAMPLING.identity})))
    suite = ET.fromstring(text)
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "2", "1")
    failed, known, _ = suite.findall("testcase")
    failure = failed.find("failure")
    assert failure is not None
    assert str(failure.get("message")).startswith("RACE 1  write, then read: 40 times")
    assert "bell ?, <tag> & more" in str(failure.text)
    assert failed.get("classname") == "races.race"
    skipped = known.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "in the baseline"


def test_junit_without_races_is_a_test_that_has_passed() -> None:
    suite = ET.fromstring(junit_text(judged()))
    (case,) = suite.findall("testcase")
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")
    assert (case.get("name"), list(case)) == ("no races", [])
    quiet = ET.fromstring(junit_text(judged(LOCATED, suppressions=(QUIET,))))
    skipped = quiet.find("testcase/skipped")
    assert skipped is not None
    assert skipped.get("message") == "not <now> & never"
