# SPDX-License-Identifier: Apache-2.0
"""Races of LLK's history: one run reports each at its lines, and nothing with its fix."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.examples.races.bugs import BLOCK, BUGS, SOURCE, Bug, kind, programs, reports
from tensix_gdb.core.race.checks.table import DEFAULT


@pytest.fixture(autouse=True)
def compiler(tool: Callable[[str], str]) -> None:
    tool("riscv64-unknown-elf-gcc")


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: str(bug.number))
def test_one_run_reports_it(bug: Bug, tmp_path: Path) -> None:
    found = reports(bug, programs(bug, False, tmp_path))
    assert bug.says in [kind(one) for one in found]
    assert set(bug.checks) <= {kind(one) for one in found}
    for one in found:
        for side in one.sides:
            assert re.match(r"bugs\.c:\d+ \w+$", side.place)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: str(bug.number))
def test_with_its_fix_nothing_is_reported(bug: Bug, tmp_path: Path) -> None:
    elfs = programs(bug, True, tmp_path)
    assert reports(bug, elfs) == []
    assert reports(bug, elfs, DEFAULT) == []


def test_the_table_has_every_bug() -> None:
    rows = [line for line in BLOCK.read().splitlines() if re.match(r"\| \d", line)]
    assert len(rows) == len(BUGS) >= 10
    text = SOURCE.read_text("utf-8")
    for bug, row in zip(BUGS, rows, strict=True):
        assert bug.what in row
        assert f"BUG == {bug.number} " in text
        _, _, said, fixed, _ = row.strip("| ").split(" | ")
        assert bug.says in said
        assert fixed == "nothing"
