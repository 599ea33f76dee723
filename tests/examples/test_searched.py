# SPDX-License-Identifier: Apache-2.0
"""The manual's searches are what the commands show, and the guide finds what seeds do not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scripts.examples.c10.searched import BLOCK, shown
from scripts.examples.races import needed
from tests.programs import build


def test_the_manual_shows_what_is_said(tool: Callable[[str], str]) -> None:
    tool(build.GCC)
    assert BLOCK.read() == shown(), f"run `{BLOCK.maker}`"


def test_the_guide_finds_a_race_that_seeds_do_not(
    tool: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool(build.GCC)
    monkeypatch.setattr(needed, "MOST", 60)
    monkeypatch.setattr(needed, "BUGS", [bug for bug in needed.BUGS if bug.number == 5])
    race = next(needed.races(tmp_path))
    with closing(needed.bench_of(race)) as bench:
        assert needed.uniform(bench, 1, "") is None
        assert needed.guided(bench, 1) is not None
    row = next(line for line in needed.BLOCK.read().splitlines() if race.name in line)
    assert "none in 400 | none in 400 |" in row
