# SPDX-License-Identifier: Apache-2.0
"""The manual's table of long runs, made of their files."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from scripts.llktests.whole import page
from scripts.llktests.whole.ledger import FileOfSuite, Ledger
from tensix_gdb.core.explain.instruction.block import MANUAL, Generated
from tensix_gdb.gdbstub.llk.running import Outcome


def outcome(test: str, said: str, **more: list[str]) -> Outcome:
    return dataclasses.replace(Outcome(test, said, "", 1.0, 100), **more)  # type: ignore[arg-type]


def written(folder: Path, chip: str, outcomes: dict[str, list[Outcome]], **more: str) -> Path:
    path = folder / f"{chip}.jsonl"
    ledger = Ledger(path, {"chip": chip, **more})
    for name, found in outcomes.items():
        ledger.collected(name, 10)
        for one in found:
            ledger.add(name, one)
    ledger.close()
    return path


def test_a_row_has_both_chips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manual = tmp_path / "page.md"
    block = Generated("long runs", page.BLOCK.maker, manual)
    manual.write_text(f"head\n{block.begin}{block.end}\n")
    monkeypatch.setattr(page, "BLOCK", block)
    faults = ["T0 at 0x10: MissingSpecification: no page says it."]
    of_blackhole = {
        "test_a.py": [outcome("test_a.py::a[1]", "passed"), outcome("test_a.py::a[2]", "skipped")],
        "test_b.py": [
            outcome("test_b.py::b[1]", "passed", faults=faults),
            outcome("test_b.py::b[2]", "passed", faults=faults),
        ],
    }
    of_wormhole = {"test_a.py": [outcome("test_a.py::a[1]", "passed")]}
    paths = [
        written(tmp_path, "blackhole", of_blackhole),
        written(tmp_path, "wormhole", of_wormhole),
    ]
    assert page.main([str(path) for path in paths]) == 1
    text = block.read().splitlines()
    assert text[0].startswith("| file | Blackhole: tests | passed | skipped | wrong | Wormhole: ")
    assert text[2] == "| all | 20 | 1 | 1 | 2 | 10 | 1 | 0 | 0 |"
    assert text[3] == "| `test_a.py` | 10 | 1 | 1 | 0 | 10 | 1 | 0 | 0 |"
    assert text[4] == "| `test_b.py` | 10 | 0 | 0 | 2 | | | | |"
    assert text[-1] == (
        "Blackhole, `test_b.py::b`, fault (`[1]`, `[2]`): MissingSpecification: no page says it."
    )
    assert page.main([str(paths[1])]) == 0
    paths[0].unlink()
    kernels = written(tmp_path, "blackhole", of_wormhole, kernels="all")
    assert page.main([str(kernels), str(paths[1])]) == 0
    text = block.read().splitlines()
    assert "| Blackhole: kernels |" in text[0]
    assert "| Wormhole: tests |" in text[0]
    said = "1 kernels observed: 0 reports of 0 kinds; nothing in 1 kernels"
    assert text[-5:] == ["Blackhole:", "", "```", said, "```"]


def test_a_file_that_is_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert page.main([str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl cannot be read" in capsys.readouterr().err


def test_the_manual_has_a_row_for_each_file() -> None:
    rows = [line for line in page.BLOCK.read().splitlines() if line.startswith("| `")]
    assert len(rows) > 100
    assert page.BLOCK.page == MANUAL / "llk-whole.md"
    assert page.numbers([FileOfSuite()]) == (0, 0, 0, 0)
