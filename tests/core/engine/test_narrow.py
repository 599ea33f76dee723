# SPDX-License-Identifier: Apache-2.0
"""Arithmetic in 32 bits where ranges allow it: the same results, and no wider lanes."""

from __future__ import annotations

import random
import re
import sys

import pytest

from tensix_gdb.core.engine import Entry, jit
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.record.layout import Layout, Part, Tag, View, row
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.vectors import both_engines

NARROW = True

WORDS = Part("narrow", (
    row("left",  "u32", 16, Tag.ARCHITECTURAL, ""),
    row("right", "u32", 16, Tag.ARCHITECTURAL, ""),
    row("out",   "u32", 16, Tag.ARCHITECTURAL, ""),
))  # fmt: skip
LAYOUT = Layout((*small.LAYOUT.parts, WORDS))


def signed(value: int) -> int:
    """The low 20 bits as two's complement."""
    return ((value & 0xFFFFF) ^ 0x80000) - 0x80000


def in_32_bits(S: View, mask: int) -> int:
    """Each operation that has a form of 32 bits, with values of both signs."""
    keep = -1 if mask else ~0xFFF
    for i in lanes(16):
        a = signed(S.narrow.left[i])
        b = signed(S.narrow.right[i])
        down = min(abs(a - b), 15)
        up = (b - a) & 31
        total = (max(a, b) >> down) - min(a, -b) * 3 + ((a - b) & keep)
        length = int.bit_length(abs(total))
        shifted = (abs(total) << up) & 0xFFFFFF
        picked = shifted | length if total < 0 else length << 3
        S.narrow.out[i] = picked ^ (a & 0xFFFF)
    return S.narrow.out[3]


def test_both_engines_agree() -> None:
    draw, record = random.Random(8), Record(LAYOUT)
    edges = (0, 1, 0x7FFFF, 0x80000, 0x80001, 0xFFFFF, 0xFFFFFFFF, 0x80000000)
    for _ in range(40):
        for i in range(16):
            record.S.narrow.left[i] = draw.choice((*edges, draw.getrandbits(32)))
            record.S.narrow.right[i] = draw.choice((*edges, draw.getrandbits(32)))
        both_engines(in_32_bits, record, draw.randrange(2))


def test_no_lane_is_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    def wide() -> int:
        ir = lower([Entry("it", in_32_bits)], LAYOUT).ir
        return len(re.findall(r"= \w[^\n]*<\d+ x i64>", str(jit.optimise(ir, jit.FULL))))

    narrow = wide()
    monkeypatch.setattr(sys.modules[__name__], "NARROW", False)
    assert narrow < wide() / 3
