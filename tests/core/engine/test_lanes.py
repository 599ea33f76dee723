# SPDX-License-Identifier: Apache-2.0
"""Loops over lanes: the same results, and vectors in the machine code."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.engine import Entry, SubsetError, jit
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.record.layout import Layout, Part, Tag, View, row
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.vectors import both_engines

LANES = Part("lane", (
    row("left",  "u16", (4, 16), Tag.ARCHITECTURAL, ""),
    row("right", "u16", (4, 16), Tag.ARCHITECTURAL, ""),
    row("sum",   "u32", 16,      Tag.ARCHITECTURAL, ""),
))  # fmt: skip
LAYOUT = Layout((*small.LAYOUT.parts, LANES))


def with_lanes(S: View, at: int) -> int:
    """A loop that is asked to become vectors."""
    for i in lanes(16):
        product = S.lane.left[at & 3, i] * S.lane.right[at & 3, i]
        S.lane.sum[i] = (S.lane.sum[i] + (product >> 3) if i != 5 else 7) & 0xFFFFFFFF
    return S.lane.sum[3]


def with_range(S: View, at: int) -> int:
    """The same loop, left as it is."""
    for i in range(16):
        product = S.lane.left[at & 3, i] * S.lane.right[at & 3, i]
        S.lane.sum[i] = (S.lane.sum[i] + (product >> 3) if i != 5 else 7) & 0xFFFFFFFF
    return S.lane.sum[3]


def vectors(function: object) -> int:
    ir = lower([Entry("it", function)], LAYOUT).ir  # type: ignore[arg-type]
    return len(re.findall(r"<\d+ x i(?:16|32|64)>", str(jit.optimise(ir, jit.FULL))))


def test_lanes_are_the_same_to_both_engines() -> None:
    records = [Record(LAYOUT), Record(LAYOUT)]
    for record, function in zip(records, (with_lanes, with_range), strict=True):
        for i in range(64):
            record.S.lane.left[i // 16, i % 16] = 0xFFF1 * (i + 1) & 0xFFFF
            record.S.lane.right[i // 16, i % 16] = 0xFEED * (i + 3) & 0xFFFF
        for at in range(4):
            both_engines(function, record, at)
    assert records[0].hash() == records[1].hash()
    assert records[0].S.lane.sum[5] == 7


@pytest.mark.usefixtures("processor")
def test_only_lanes_become_vectors() -> None:
    assert vectors(with_lanes) > 10
    assert vectors(with_range) == 0


def test_another_lanes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(with_lanes.__globals__, "lanes", lambda n: range(n))
    with pytest.raises(SubsetError, match=r"not that of core/engine/lanes\.py"):
        vectors(with_lanes)
