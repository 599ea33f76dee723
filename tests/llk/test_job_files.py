# SPDX-License-Identifier: Apache-2.0
"""The files of a job: SARIF as the standard and code scanning want it, JUnit, the page, a baseline
and suppressions of the tree."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tensix_gdb.gdbstub.llk.job.findings import KNOWN, NEW, SUPPRESSED
from tensix_gdb.gdbstub.llk.job.junit import junit_text
from tensix_gdb.gdbstub.llk.job.known import FOLDER, ROWS, baseline_of, known_of, write_baseline
from tensix_gdb.gdbstub.llk.job.page import page_text
from tensix_gdb.gdbstub.llk.job.report import Job
from tensix_gdb.gdbstub.llk.job.sarif import sarif_text
from tensix_gdb.gdbstub.llk.job.suspicious import MOST, counted, suspicious
from tensix_gdb.gdbstub.usage import UsageError
from tests.llk.made_job import NOWHERE, PACK, TEST, UNPACK, job_of, race, result, tree_at

SEEDS = {"runs": 20, "wrong": 3, "first": "random:7", "how": "result (3)"}
OTHER = "test_other.py::test_it"


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A race of two tests, a check without lines, a test that fails, one that is kept."""
    tree = tree_at(tmp_path)
    nowhere = race("2b", "S3", earlier=NOWHERE, later=NOWHERE)
    results = [
        result(races=[race(), nowhere], seeds=SEEDS),
        result(OTHER, "failed", races=[race()], reason="E   assert\x00 <False>"),
        result("test_other.py::test_kept", kept="files"),
        result("test_other.py::test_skipped", "skipped", reason="Skipped: not on this chip"),
    ]
    return job_of(tree, results)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from _objects(each)


# What sarif-schema-2.1.0.json requires of each kind of object that is written, by a property which
# only that kind has here; and the values that it allows.
REQUIRED = {
    "runs": {"version", "runs"},
    "driver": {"driver"},
    "results": {"tool"},
    "semanticVersion": {"name"},
    "shortDescription": {"id"},
    "ruleIndex": {"message"},
    "justification": {"kind"},
}
ALLOWED = {
    "level": {"none", "note", "warning", "error"},
    "baselineState": {"new", "unchanged", "updated", "absent"},
    "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
}


def test_sarif_is_what_the_standard_requires(job: Job) -> None:
    document = json.loads(sarif_text(job, "1.2.3"))
    assert document["version"] == "2.1.0"
    kinds = set()
    for one in _objects(document):
        for name, required in REQUIRED.items():
            if name in one:
                kinds.add(name)
                assert required <= one.keys()
        for name, allowed in ALLOWED.items():
            assert name not in one or one[name] in allowed
        assert one.get("startLine", 1) >= 1
        if "message" in one:
            assert one["message"]["text"]
    assert kinds == REQUIRED.keys() - {"justification"}
    (run,) = document["runs"]
    for one in run["results"]:
        numbers = [each["id"] for each in one.get("relatedLocations", ())]
        assert len(numbers) == len(set(numbers))
        assert min(numbers, default=0) >= 0


def test_sarif_is_what_code_scanning_takes(job: Job) -> None:
    """It refuses a result without a file, and wants files of the repository."""
    (run,) = json.loads(sarif_text(job, "1.2.3"))["runs"]
    driver = run["tool"]["driver"]
    for one in run["results"]:
        assert driver["rules"][one["ruleIndex"]]["id"] == one["ruleId"]
        (place,) = one["locations"]
        artifact = place["physicalLocation"]["artifactLocation"]
        assert (job.tree.root / artifact["uri"]).is_file()
        assert one["partialFingerprints"]["primaryLocationLineHash"].endswith(":1")
    hashes = [one["partialFingerprints"]["primaryLocationLineHash"] for one in run["results"]]
    assert len(set(hashes)) == len(hashes) == 3
    assert run["automationDetails"]["id"] == "tensix-gdb-llk/blackhole/"


def test_sarif_shows_both_sides_of_a_race(job: Job) -> None:
    (run,) = json.loads(sarif_text(job, "1.2.3"))["runs"]
    racing, nowhere, failed = run["results"]
    assert (racing["ruleId"], racing["level"]) == ("race", "error")
    place = racing["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == f"tt_metal/tt-llk/{PACK}"
    assert place["region"] == {"startLine": 12}
    earlier, way = racing["relatedLocations"]
    assert earlier["id"] == 1
    assert earlier["physicalLocation"]["artifactLocation"]["uri"].endswith(UNPACK)
    assert way["message"]["text"] == "on the way to sw: run_kernel"
    text = racing["message"]["text"]
    assert text.startswith("RACE 1  write, then read")
    assert text.endswith("[The earlier side](1)")
    assert f"In {TEST} and 1 more" in text
    assert "seeds: 3 of 20 end otherwise, first random:7: result (3)" in text
    assert racing["properties"]["tests"] == [TEST, OTHER]
    shown = nowhere["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert shown == "tt_metal/tt-llk/tests/python_tests/test_unpack_A.py"
    assert nowhere["relatedLocations"] == []
    assert (failed["ruleId"], failed["level"]) == ("test-failed", "error")


def test_a_report_in_a_header_of_the_compiler_is_shown_where_it_is_called(tmp_path: Path) -> None:
    tree = tree_at(tmp_path)
    later = {**race()["later"]}
    later["chain"] = [{"file": "/opt/sfpi/sfpi.h", "line": 3, "function": "f"}, *later["chain"]]
    (finding,) = job_of(tree, [result(races=[race(later=later)])]).findings
    assert finding.later is not None
    assert finding.later.short == "llk_pack.h:12 _llk_pack_<true>"


def test_junit_has_tests_and_reports(job: Job) -> None:
    suites = ET.fromstring(junit_text(job))
    counts = {
        suite.get("name"): tuple(suite.get(key) for key in ("tests", "failures", "skipped"))
        for suite in suites
    }
    assert counts == {
        "blackhole test_unpack_A.py": ("1", "0", "0"),
        "blackhole test_other.py": ("3", "1", "1"),
        "blackhole reports": ("2", "2", "0"),
    }
    times = {case.get("name"): case.get("time") for case in suites.iter("testcase")}
    assert (times["test_unpack[tile:1]"], times["test_kept"]) == ("1.500", "0.000")
    (failure,) = suites.findall("testsuite[@name='blackhole test_other.py']/testcase/failure")
    assert failure.get("message") == "E   assert? <False>"


def test_the_page_is_whole(job: Job) -> None:
    class Whole(HTMLParser):
        """Tags are closed in their order."""

        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []
            self.seen: set[str] = set()

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.seen.add(tag)
            if tag not in ("meta",):
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.open.pop() == tag

    text, page = page_text(job), Whole()
    page.feed(text)
    assert page.open == []
    assert not page.seen & {"script", "link", "img"}
    assert "1 failure, 2 new reports" in text
    assert "a &lt;b&gt; &amp; c" in text
    assert "<code>test_unpack[tile:1]" not in text
    assert f"<code>{TEST}</code>" in text


def test_a_job_in_lines(job: Job) -> None:
    job.failures[0].result.diagnose = "tensix-gdb diagnose --kept a.core"
    lines = list(job.lines())
    assert lines[2] == "    why: `tensix-gdb diagnose --kept a.core`"
    assert lines[0] == f"FAILED  blackhole  {OTHER}"
    assert f"    In {TEST} and 1 more" in lines
    assert lines[-1].startswith(
        "4 tests: 2 passed, 1 skipped, 1 failed; 3 run, 0 with the same ELF files, 1 kept; "
        "2 new reports, 0 known"
    )
    assert not job.is_good
    assert not Job(job.tree).is_good  # nothing was looked at


def test_a_baseline_of_the_tree(job: Job) -> None:
    path = baseline_of(job.tree.root, None)
    write_baseline(path, job.findings, [("blackhole", OTHER)])
    first = path.read_text()
    write_baseline(path, job.findings[::-1], [("blackhole", OTHER)])
    assert path.read_text() == first
    assert ":12" not in first  # lines move
    results = job.results["blackhole"]
    again = job_of(job.tree, results, known_of(job.tree.root, None, None))
    assert again.is_good
    assert {one.state for one in again.findings} == {KNOWN}
    (run,) = json.loads(sarif_text(again, "1"))["runs"]
    assert {one["baselineState"] for one in run["results"]} == {"unchanged"}
    assert "nothing new" in page_text(again)
    more = [*results, result("test_new.py::test", races=[race("3c")])]
    other = job_of(job.tree, more, known_of(job.tree.root, None, None))
    assert [one.identity for one in other.news] == ["3c"]
    assert not other.is_good


def _suppress(job: Job, rows: str) -> Job:
    folder = job.tree.root / FOLDER
    folder.mkdir()
    (folder / ROWS).write_text(rows)
    return job_of(job.tree, job.results["blackhole"], known_of(job.tree.root, None, None))


@pytest.mark.parametrize(
    ("row", "states"),
    [
        ("symbol _llk_unpack_A_", [SUPPRESSED, NEW]),
        ("line llk_pack.h:12", [SUPPRESSED, NEW]),
        ("file */llk_lib/*.h", [SUPPRESSED, NEW]),
        ("file llk_pack.h", [NEW, NEW]),
        ("check S3", [NEW, SUPPRESSED]),
        ("page *MemoryOrdering.md", [SUPPRESSED, SUPPRESSED]),
        (f"test {TEST}", [NEW, NEW]),
    ],
)
def test_suppressions_of_the_tree(job: Job, row: str, states: list[str]) -> None:
    found = _suppress(job, f"# known\n{row}  tt-metal#12345\n")
    assert [one.state for one in found.findings] == states
    assert len(found.failed) == 1
    assert bool(found.unused) is (SUPPRESSED not in states)
    (run,) = json.loads(sarif_text(found, "1"))["runs"]
    said = [one["suppressions"][0] for one in run["results"] if "suppressions" in one]
    reason = {"kind": "external", "justification": "tt-metal#12345"}
    assert said == [reason] * states.count(SUPPRESSED)


def test_a_failing_test_is_suppressed(job: Job) -> None:
    found = _suppress(job, "test test_other.py::*  fails on cards, too\n")
    assert found.failed == []
    assert found.unused == []
    (case,) = (one for one in ET.fromstring(junit_text(found)).iter("testcase")
               if one.get("name") == "test_it")  # fmt: skip
    skipped = case.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "fails on cards, too"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("check S3", "llk-suppressions:1: the reason is missing"),
        ("function a why", "begins with symbol, line, file, page, check or test"),
    ],
)
def test_wrong_suppressions(job: Job, rows: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        _suppress(job, rows)


def test_wrong_baselines(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        known_of(tmp_path, None, str(tmp_path / "none.json"))
    path = tmp_path / "bad.json"
    for text, said in (
        ("[]", "is not what --write-baseline writes"),
        ('{"format": 2}', "is of another version"),
        ('{"format": 1, "reports": [{}], "tests": []}', "is not what --write-baseline writes"),
    ):
        path.write_text(text)
        with pytest.raises(UsageError, match=said):
            known_of(tmp_path, None, str(path))


def test_what_is_suspicious(tmp_path: Path) -> None:
    """The first test of each new report, and tests with a wrong result: not all, and none that did
    not compile."""
    tree = tree_at(tmp_path)
    known = known_of(tree.root, None, None)
    some = {
        "a": result("a", races=[race()]),
        "b": result("b", races=[race()]),
        "c": result("c", "failed"),
        "d": result("d", "failed", reason="a.h:1: error: expected ;"),
    }
    assert suspicious("blackhole", some, known) == ["a", "c"]
    assert suspicious("blackhole", {"a": result("a", races=[race("k", "K1")])}, known) == []
    many = {name: result(name, races=[race(name)]) for name in "abcdefgh"}
    assert len(suspicious("blackhole", many, known)) == MOST


def test_seeds_are_counted() -> None:
    rows = ['{"header": 1}', '{"program": 0, "execution": "random:1", "end": ""}',
            '{"program": 0, "execution": "random:2", "end": "result"}']  # fmt: skip
    assert counted(rows) == {"runs": 2, "wrong": 1, "first": "random:2", "how": "result (1)"}
