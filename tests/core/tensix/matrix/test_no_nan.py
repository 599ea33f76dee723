# SPDX-License-Identifier: Apache-2.0
"""FloatBitPatterns.md: the Matrix Unit takes the pattern of a NaN as a number, and makes none."""

from __future__ import annotations

import itertools

import pytest

from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.matrix.accumulate import add_up
from tensix_gdb.core.tensix.matrix.by_chip import DIGITS_OF_MINUS_1

# Infinities, NaNs, the largest numbers, 1 and 0.
OLD = (0x7F800000, 0xFF800000, 0x7FC00000, 0xFFFF0000, 0x7F7F0000, 0xFF7F0000, 0x3F800000, 0)
ADDENDS = tuple(
    itertools.product((0, 1, 127, 254, 255), (0, 0x800000, -0x800000, 0xFFE000, -0xFFE000))
)


@pytest.mark.parametrize("more", DIGITS_OF_MINUS_1)
@pytest.mark.parametrize("wide", [0, 1])
def test_no_sum_is_a_nan(wide: int, more: int) -> None:
    S = Record(LAYOUT).S
    infinite = 0
    triples = itertools.product(OLD, ADDENDS, ADDENDS)
    while columns := tuple(itertools.islice(triples, 16)):
        for j, (old, (e0, v0), (e1, v1)) in enumerate(columns):
            S.fpu.old[0, j] = old
            S.fpu.exp[0, 0, j], S.fpu.exp[1, 0, j] = e0, e1
            S.fpu.value[0, 0, j], S.fpu.value[1, 0, j] = v0 & 0xFFFFFFFF, v1 & 0xFFFFFFFF
        add_up(S, 1, 0, 2, 1, wide, more)
        for j in range(len(columns)):
            word = S.fpu.new[0, j]
            assert word & 0x7FFFFFFF <= 0x7F800000, columns[j]
            infinite += word & 0x7FFFFFFF == 0x7F800000
    assert infinite > 100, "a sum that is too large is infinite"
