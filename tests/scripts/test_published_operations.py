# SPDX-License-Identifier: Apache-2.0
"""Device times of ttnn's operations beside a card's (scripts/published/operations.py)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from scripts.published import operations
from scripts.published.operations import MHZ, CannotRun, listed, main, read, summary


def test_each_case_is_there_once_and_has_a_source() -> None:
    cases = listed()
    assert max(Counter(case.words for case in cases).values()) == 1
    assert all(case.source and case.silicon > 0 for case in cases)
    assert {case.grid for case in cases} == {(1, 1), (8, 1), (8, 2), (8, 4), (8, 8)}


def test_of_each_case_the_second_launch_counts(tmp_path: Path) -> None:
    """Over all harts of all tiles; a launch of firmware alone is none."""
    file, cases = tmp_path / "runs", listed()[:2]
    lines = [{"tile": "1-2", "cycles": 9}]
    for program, factor in enumerate((1, 1.04, 1, 0.8)):
        cycles = cases[program // 2].silicon * MHZ / 1000 * factor
        lines.append({"program": program, "harts": {"B": [100, 200], "T0": [90, 300]}})
        lines.append({"program": program, "harts": {"B": [95, 90 + cycles]}})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert summary(read(cases, file)) == (
        "2 device times, median error 12.0%, 0 within 2%, 1 within 5%, 1 within 10%"
    )
    with pytest.raises(CannotRun, match="4 launches, and not 6"):
        read(listed()[:3], file)


def test_a_program_that_ends_badly_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    program = tmp_path / "scripts/ttnn"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho no device >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(operations, "ROOT", tmp_path)
    assert main(["--only", "nc,1,"]) == 2
    assert "two_readers.py ends with status 3: no device" in capsys.readouterr().err
    assert main(["--only", "nothing"]) == 2
    assert "no case has nothing" in capsys.readouterr().err
