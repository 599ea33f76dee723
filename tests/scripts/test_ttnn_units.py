# SPDX-License-Identifier: Apache-2.0
"""ttnn's unit tests by file and by selector, and the catalogue's columns, without ttnn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scripts.examples.ttnn.catalogue.page import BLOCK, columns, figure, write_page
from scripts.examples.ttnn.catalogue.rows import Row, read
from scripts.examples.ttnn.units.__main__ import (
    HERE,
    fault_of,
    main,
    ran_of,
    results_of,
)
from scripts.examples.ttnn.units.inside import chosen
from scripts.examples.ttnn.units.selected import came_of, of_selectors, table

FILE = """
import os, pytest

@pytest.mark.parametrize("n", range(3))
def test_right(n):
    assert n < 3

def test_wrong():
    assert 1 == 2, "one is not two"

def test_left_out():
    pytest.skip("needs eight cards")

def test_ends():
    os._exit(3)

def test_last():
    pass
"""


def ran(folder: Path, done: list[str], **request: Any) -> list[dict[str, Any]]:
    """Run the file with the plugin, and return its lines."""
    lines = folder / "lines"
    lines.touch()
    wanted = {"lines": str(lines), "done": done, "most": 2, "seed": 1, "selectors": []} | request
    (folder / "request").write_text(json.dumps(wanted), "utf-8")
    variables = {**os.environ, "UNITS": str(folder / "request"), "PYTHONPATH": str(HERE)}
    variables["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "inside", "-p", "no:cacheprovider"]
    subprocess.run(
        [*command, "test_a.py"], cwd=folder, env=variables, capture_output=True, check=False
    )
    return [json.loads(line) for line in lines.read_text("utf-8").splitlines()]


def test_a_program_that_ends_is_continued_after_the_test_that_ended_it(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text(FILE, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    lines = ran(tmp_path, [])
    assert lines[0]["collected"] == {"test_a.py": 7}
    first = results_of(lines, "UNPACR: no page says")
    assert [(each.name.partition("::")[2], each.came) for each in first][2:] == [
        ("test_wrong", "failed"),
        ("test_left_out", "skipped"),
        ("test_ends", "stopped"),
    ]
    assert [each.came for each in first[:2]] == ["passed", "passed"], "two variants of three"
    assert "one is not two" in first[2].why
    assert "needs eight cards" in first[3].why
    assert first[4].why == "UNPACR: no page says"
    assert results_of(lines) == first[:4], "a run that was cut off has it to run"
    stopped = {"test": first[4].name, "came": "stopped", "why": first[4].why, "seconds": 0}
    with (tmp_path / "lines").open("a", encoding="utf-8") as out:
        out.write(json.dumps(stopped) + "\n")
    lines = ran(tmp_path, [each.name for each in first])
    results = results_of(lines)
    assert (results[-1].name, results[-1].came) == ("test_a.py::test_last", "passed")
    here, there = ran_of(["test_a.py", "test_b.py"], lines, results, "")
    assert here.row() == "| `test_a.py` | 7 | 6 | 3 | 1 | 1 | 1 |"
    assert there.refused == "it has no tests"


def test_a_file_that_cannot_be_imported_is_named_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("import no_such_module\n", "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (found,) = ran_of(["test_a.py"], ran(tmp_path, []), [], "")
    assert "no_such_module" in found.refused


def test_the_sentence_of_a_fault_may_come_in_the_middle_of_a_line() -> None:
    lines = ["a.py::test tensix-gdb: the 64 tiles are at port 3: gdb\n"]
    assert fault_of(lines) == ""
    assert fault_of([*lines, "b.py::test tensix-gdb: PACR: no page\n", "end\n"]) == "PACR: no page"


def test_variants_are_chosen_by_the_seed_and_the_selectors() -> None:
    names = [f"a.py::test_x[{n}]" for n in range(50)] + ["a.py::test_x_more[0]", "b.py::test_y"]
    few = chosen(names, 3, 1, [])
    assert len(few) == 5
    assert few == chosen(names, 3, 1, [])
    assert few != chosen(names, 3, 2, [])
    assert chosen(names, 99, 1, ["a.py::test_x["]) == names[:50]
    assert chosen(names, 99, 1, ["a.py::test_x"]) == names[:51]


def test_the_smallest_variants_are_those_with_the_smallest_numbers() -> None:
    names = [f"a.py::test_x[{at}]" for at in ("h=64-w=64", "h=32-w=64-eps=1e-05", "h=41-w=31.5")]
    names += ["a.py::test_x[shape=[1, 0, 32, 1]]", "b.py::test_y"]
    assert chosen(names, 1, 1, [], small=True) == [names[3], names[4]]
    assert chosen(names, 2, 1, [], small=True) == [names[2], names[3], names[4]]
    assert len(chosen(names, 9, 1, [], small=True)) == len(names)


CAME = {
    "a.py::test_x[0]": "passed",
    "a.py::test_x[1]": "failed",
    "a.py::test_y[0]": "passed",
    "a.py::test_y[1]": "skipped",
    "b.py::test_z": "skipped",
}
SELECTORS = ["a.py::test_x[", "a.py::test_y[", "b.py::test_z", "b.py::test_w"]


def test_a_selector_has_passed_if_nothing_of_it_failed() -> None:
    counts = of_selectors(SELECTORS, CAME)
    assert counts == {"failed": 1, "passed": 1, "skipped": 1, "not there": 1}
    assert came_of(SELECTORS[0], {**CAME, "a.py::test_x[2]": "stopped"}) == "stopped"


def test_selectors_are_a_table_by_file() -> None:
    selectors = [f"tests/ttnn/unit_tests/operations/{each}" for each in SELECTORS]
    came = {f"tests/ttnn/unit_tests/operations/{name}": each for name, each in CAME.items()}
    assert table(selectors, came).splitlines() == [
        "| file | selectors | passed | failed | stopped | skipped | not there |",
        "|---|--:|--:|--:|--:|--:|--:|",
        "| a.py | 2 | 1 | 1 | 0 | 0 | 0 |",
        "| b.py | 2 | 0 | 0 | 0 | 1 | 1 |",
        "| all | 4 | 1 | 1 | 0 | 1 | 1 |",
    ]


def test_a_summary_runs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, selectors = tmp_path / "lines", tmp_path / "selectors"
    said: list[dict[str, Any]] = [{"collected": {"a.py": 4, "b.py": 2}, "chosen": list(CAME)}]
    said += [{"test": name, "came": came, "why": "", "seconds": 1} for name, came in CAME.items()]
    lines.write_text("".join(json.dumps(line) + "\n" for line in said), "utf-8")
    selectors.write_text("\n".join(SELECTORS), "utf-8")
    words = ["--python", "none", "--tests", str(tmp_path), "--lines", str(lines), "--summary"]
    assert main([*words, "--selectors", str(selectors), "a.py", "b.py"]) == 1
    text = capsys.readouterr().out
    assert "| `a.py` | 4 | 4 | 2 | 1 | 1 | 0 |" in text
    assert text.endswith("| all | 4 | 1 | 1 | 0 | 1 | 1 |\n")


def test_the_time_of_an_operation_has_two_figures() -> None:
    rows = [Row(f"op{n}", {"right": True, "seconds": n / 1100}) for n in range(1, 5)]
    assert [figure(row) for row in rows] == ["0.91", "1.8", "2.7", "3.6"]
    assert figure(Row("slow", {"right": True, "seconds": 12.64})) == "13000"
    assert figure(Row("wrong", {"right": False, "seconds": 1})) == ""
    table = columns(rows, {}).splitlines()
    assert table[2] == "| `op1` | 0.91 | `op2` | 1.8 | `op3` | 2.7 |"
    assert {line.count("|") for line in table} == {7}
    beside = columns(rows, {"op1": "30"}).splitlines()
    assert beside[2] == "| `op1` | 0.91 | 30 | `op2` | 1.8 |  | `op3` | 2.7 |  |"
    assert {line.count("|") for line in beside} == {10}


def test_the_page_of_operations_keeps_what_is_around_its_marks(tmp_path: Path) -> None:
    fresh, marked = tmp_path / "fresh.md", tmp_path / "marked.md"
    block = replace(BLOCK, page=marked)
    marked.write_text(f"# A page\n\n{block.begin}old\n{block.end}\n", "utf-8")
    for path in (fresh, marked):
        write_page(path, "new\n")
    assert fresh.read_text("utf-8") == "new\n"
    assert marked.read_text("utf-8") == f"# A page\n\n{block.begin}new\n{block.end}\n"


def test_rows_of_the_catalogue_are_kept(tmp_path: Path) -> None:
    rows = [Row("abs", {"right": True, "seconds": 0.01}), Row("exp", {}, "PACR: no page")]
    (tmp_path / "rows").write_text("".join(row.line() for row in rows), "utf-8")
    with (tmp_path / "rows").open("a", encoding="utf-8") as out:
        out.write('{"begins": "sin"}\n{"name": "sin", "right": false, "at": "x.py:3"}\n')
    kept = read(tmp_path / "rows")
    assert kept[:2] == rows
    assert [row.verdict for row in kept] == ["right", "stopped", "refused"]
    assert read(tmp_path / "none") == []
