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

from tensix_gdb.gdbstub.order.report.as_json import json_text
from tensix_gdb.gdbstub.order.report.junit import junit_text
from tensix_gdb.gdbstub.order.report.known import Suppression
from tensix_gdb.gdbstub.order.report.sarif import sarif_text, uri
from tests.gdbstub.order.report.made import (
    LOCATED,
    NOWHERE,
    PLACES,
    RELIED,
    REPORT,
    SAMPLING,
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
    earlier, *way = result["relatedLocations"]
    assert earlier["physicalLocation"]["region"] == {"startLine": 412}
    assert [each["id"] for each in (earlier, *way)] == [1, 2, 3, 4]
    (flow,) = result["codeFlows"]
    assert [each["id"] for each in flow["threadFlows"]] == ["T0", "T0 unpack"]
    first = flow["threadFlows"][1]["locations"][0]["location"]
    assert first["message"]["text"] == "run_kernel"
    assert result["partialFingerprints"] == {"tensixRace/v1": LOCATED.identity}
    assert result["message"]["text"].startswith("RACE 1  write, then read: 40 times")
    assert "suppressions" not in result


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
