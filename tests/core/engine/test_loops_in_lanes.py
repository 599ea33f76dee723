# SPDX-License-Identifier: Apache-2.0
"""Loops in a loop over lanes, and leading zeros where vectors cannot count them."""

from __future__ import annotations

import re

import pytest

from tensix_gdb.core.engine import Entry, jit
from tensix_gdb.core.engine.compiled import compile_now
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.record.layout import Layout, Part, Tag, View, row
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.processors import NAMES
from tests.vectors import both_engines

NARROW = True  # as the modules of the machine that have such loops

LANES = Part("lane", (
    row("left",   "u16", (8, 16), Tag.ARCHITECTURAL, ""),
    row("right",  "u16", 8,       Tag.ARCHITECTURAL, ""),
    row("sum",    "u32", 16,      Tag.ARCHITECTURAL, ""),
    row("word",   "u32", 32,      Tag.ARCHITECTURAL, ""),
    row("length", "u32", 32,      Tag.ARCHITECTURAL, ""),
))  # fmt: skip
LAYOUT = Layout((*small.LAYOUT.parts, LANES))
HIGHEST = 0x7FFFFFFF


def sums(S: View) -> int:
    """Eight products for each lane."""
    for j in lanes(16):
        total = 0
        for k in range(8):
            total = (total + S.lane.left[k, j] * (S.lane.right[k] & 0xFF)) & 0xFFFF
        S.lane.sum[j] = total
    return S.lane.sum[3]


def lengths(S: View) -> int:
    """Count the bits of each word but for its last one."""
    for i in lanes(32):
        S.lane.length[i] = int.bit_length(S.lane.word[i] & HIGHEST)
    return 0


def optimised(function: object) -> str:
    return str(jit.optimise(lower([Entry("it", function)], LAYOUT).ir, jit.FULL))  # type: ignore[arg-type]


def test_a_loop_in_lanes_leaves_none() -> None:
    record = Record(LAYOUT)
    for k in range(8):
        record.S.lane.right[k] = 0x1235 * (k + 1)
        for j in range(16):
            record.S.lane.left[k, j] = 0xFEED * (16 * k + j + 1) & 0xFFFF
    both_engines(sums, record)


@pytest.mark.usefixtures("processor")
def test_a_loop_in_lanes_becomes_vectors() -> None:
    assert len(re.findall(r"mul[a-z ]* <\d+ x i\d+>", optimised(sums))) >= 8


@pytest.mark.parametrize("by_float", [False, True])
def test_lengths_are_those_of_python(by_float: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "_counts_by_float", lambda: by_float)
    monkeypatch.setattr(jit, "target", lambda: f"leading zeros by floats: {by_float}")
    words = [0, *(w for n in range(31) for w in (1 << n, (2 << n) - 1, (1 << n) + 1, 3 << n >> 1))]
    words += [w >> n for n in range(31) for w in (0x5555_5555, 0x7FFF_FFC0)]
    words += [0] * (-len(words) % 32)
    record = Record(LAYOUT)
    engine = compile_now([Entry("it", lengths)], record)
    for first in range(0, len(words), 32):
        for i, word in enumerate(words[first : first + 32]):
            record.S.lane.word[i] = word
        engine.call("it")
        expected = [(word & HIGHEST).bit_length() for word in words[first : first + 32]]
        assert [record.S.lane.length[i] for i in range(32)] == expected


def test_lengths_are_counted_by_floats_where_nothing_else_counts_them(processor: str) -> None:
    assert ("itofp" in optimised(lengths)) == ("avx512cd" not in NAMES[processor])
