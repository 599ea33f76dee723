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


# What a value of 20 bits with a sign is made by, before anything is done with it.
OF_THE_SIGN = {"zext", "shl", "ashr", "trunc"}


@pytest.mark.usefixtures("processor")
def test_no_lane_is_wider(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether lanes of 64 bits are worth it is for LLVM's model of a processor to say, and how many
    instructions they are; in lanes of 32 bits every processor has them, and nothing else."""

    def operations(bits: int) -> list[str]:
        ir = str(jit.optimise(lower([Entry("it", in_32_bits)], LAYOUT).ir, jit.FULL))
        return re.findall(rf"= (?:tail )?(\w+)[^\n]*<\d+ x i{bits}>", ir)

    assert set(operations(64)) <= OF_THE_SIGN
    assert set(operations(32)) >= {"add", "sub", "mul", "call", "icmp", "select"}
    monkeypatch.setattr(sys.modules[__name__], "NARROW", False)
    assert not set(operations(32)) >= {"mul", "sub"}
