# SPDX-License-Identifier: Apache-2.0
"""Hangs under ttnn (scripts/examples/ttnn/hangs), without ttnn: their edits, and the sentence."""

from __future__ import annotations

import queue
import time

import pytest

from scripts.examples.ttnn.hangs import __main__ as hangs
from scripts.examples.ttnn.hangs.kernels import COMPUTE, FOUR_TILES, ONE_TILE, READ, WRITE, Hang

SOURCES = {"read": READ, "write": WRITE, "compute": COMPUTE}


@pytest.mark.parametrize("hang", [*ONE_TILE, *FOUR_TILES], ids=lambda hang: hang.name)
def test_each_changes_a_right_program(hang: Hang) -> None:
    assert bool(hang.body) is (hang in FOUR_TILES)
    assert hang.says
    assert hang.body or hang.edits or hang.pages != (4, 4, 4)
    for kernel, old, new in hang.edits:
        assert SOURCES[kernel].count(old) == 1
        assert old != new


def test_there_are_ten_of_each_and_no_name_twice() -> None:
    assert (len(ONE_TILE), len(FOUR_TILES)) == (10, 10)
    assert len({hang.name for hang in (*ONE_TILE, *FOUR_TILES)}) == 20


def test_a_sentence_has_its_seconds_and_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hangs, "QUIET", 0.01)
    lines: queue.Queue[tuple[float, str]] = queue.Queue()
    now = time.monotonic()
    for after, line in enumerate(("launched\n", "x\n", f"{hangs.TITLE}: ...\n", "  NC polls\n")):
        lines.put((now + after, line))
    assert hangs.sentence(lines) == (2.0, f"{hangs.TITLE}: ...\n  NC polls\n")


def test_a_program_that_says_nothing_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hangs, "QUIET", 0.01)
    monkeypatch.setattr(hangs, "SECONDS", 0.05)
    lines: queue.Queue[tuple[float, str]] = queue.Queue()
    lines.put((time.monotonic(), "launched\n"))
    assert hangs.sentence(lines) == (0.0, "launched\n")
