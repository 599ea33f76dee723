# SPDX-License-Identifier: Apache-2.0
"""Lines from a gate to a semaphore or the mutexes go between boxes, and cross no text."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from tensix_gdb.gdbstub.pages.picture.held import PLAN, path_to
from tensix_gdb.gdbstub.pages.picture.plan import Box

TARGETS = [*(f"semaphore-{number}" for number in range(8)), "mutexes"]


def is_in(box: Box, x: float, y: float) -> bool:
    return box.x < x < box.x + box.width and box.y < y < box.y + box.height


@pytest.mark.parametrize("gate", ["gate-0", "gate-1", "gate-2"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_line_is_in_no_box(gate: str, target: str) -> None:
    path = path_to(PLAN[gate], PLAN[target])
    points = [(int(x), int(y)) for x, y in re.findall(r"(\d+),(\d+)", path)]
    assert len(points) > 4
    for (x1, y1), (x2, y2) in pairwise(points):
        for part in range(101):
            at = x1 + (x2 - x1) * part / 100, y1 + (y2 - y1) * part / 100
            assert [box.id for box in PLAN.values() if is_in(box, *at)] == []
    x, y = points[-1]
    assert (x, y) == (PLAN[target].x + PLAN[target].width // 2, PLAN[target].y)


@pytest.mark.parametrize("hart", ["hart-0", "hart-3", "hart-4"])
@pytest.mark.parametrize("other", ["hart-1", "hart-2"])
def test_a_line_between_harts_is_in_no_box(hart: str, other: str) -> None:
    for start, end in ((hart, other), (other, hart)):
        path = path_to(PLAN[start], PLAN[end])
        points = [(int(x), int(y)) for x, y in re.findall(r"(\d+),(\d+)", path)]
        for (x1, y1), (x2, y2) in pairwise(points):
            for part in range(101):
                at = x1 + (x2 - x1) * part / 100, y1 + (y2 - y1) * part / 100
                assert [box.id for box in PLAN.values() if is_in(box, *at)] == []


def test_lines_of_two_gates_are_apart() -> None:
    first, second = (path_to(PLAN[f"gate-{number}"], PLAN["mutexes"]) for number in (1, 2))
    assert set(first.split()[2:-1]).isdisjoint(second.split()[2:-1])
