# SPDX-License-Identifier: Apache-2.0
"""Multiply-add of Wormhole's Vector Unit where it is not Blackhole's, on both engines."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.chips import BLACKHOLE, WORMHOLE
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.numeric.fma import not_finite
from tensix_gdb.core.numeric.fma_wormhole import not_finite_wormhole
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.vector.operations.mad import multiply_add_lanes
from tests.vectors import both_engines

ONE, TWO, MINUS_ONE, HUGE, SMALLEST = 0x3F800000, 0x40000000, 0xBF800000, 0x7F7FFFFF, 0x00800000
INFINITY, MINUS_INFINITY, NAN, MINUS_ZERO = 0x7F800000, 0xFF800000, 0x7FC12345, 0x80000000
BELOW_TWO = 0x3FFFFFFF  # 2 - 2**-23

# x, y, z, and x * y + z on Blackhole and on Wormhole. The second of each was compared with
# Tenstorrent's model when it was written.
CASES = [
    # A zero has no sign on Wormhole, and no result below the smallest normal number.
    (MINUS_ZERO, ONE, MINUS_ZERO, MINUS_ZERO, 0),
    (MINUS_ONE, SMALLEST, 0x00C00000, 0, 0),
    (0x80C00000, ONE, SMALLEST, MINUS_ZERO, 0),
    # Shifted by one for that, it was rounded to a normal number.
    (BELOW_TWO, 0x20000000, 0, 0x20000000 + 0x7FFFFF, 0x207FFFFF),
    (BELOW_TWO, SMALLEST - 0x800000 + 0x00800000, 0, 0x00FFFFFF, 0x00FFFFFF),
    (BELOW_TWO, 0x3F000000, 0, 0x3F7FFFFF, 0x3F7FFFFF),
    # Too large a product counts as an infinity.
    (HUGE, HUGE, MINUS_INFINITY, MINUS_INFINITY, 0x7F800001),
    (HUGE, HUGE, ONE, INFINITY, INFINITY),
    # Bits of operands are in a NaN.
    (NAN, ONE, 0, 0x7FC00000, 0x7F800001),
    (INFINITY, 0, ONE, 0x7FC00000, 0x7F800001 | ONE),
    (ONE, ONE, NAN, 0x7FC00000, 0x7F800001),
    (INFINITY, MINUS_ONE, INFINITY, 0x7FC00000, 0xFF800001),
    (INFINITY, ONE, ONE, INFINITY, INFINITY),
]


@pytest.mark.parametrize("chip", [BLACKHOLE, WORMHOLE], ids=["blackhole", "wormhole"])
def test_where_they_differ(chip: int) -> None:
    record = Record(LAYOUT)
    S = record.S
    for lane, (x, y, z, _, _) in enumerate(CASES):
        S.vector.a[lane], S.vector.b[lane], S.vector.c[lane] = x, y, z
    finish = not_finite_wormhole if chip == WORMHOLE else not_finite
    assert both_engines(multiply_add_lanes, record, finish, int(chip == WORMHOLE)) == 0
    found = [hex(S.vector.d[lane]) for lane in range(len(CASES))]
    assert found == [hex(case[3 + chip]) for case in CASES]
