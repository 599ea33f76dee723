# SPDX-License-Identifier: Apache-2.0
"""Stores merging in the store queue, of depth 4 (MemoryOrdering.md, CSRs.md: cfg0.DisStMerge)."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.pipeline import store_queue
from tests.vectors import both_engines

LINE, LOCAL = 0x8000, 0xFFB00000


def queued(record: Record, *addresses: int) -> list[tuple[int, int]]:
    """Store 1, 2 ... as bytes; of each entry its address and which of its bytes it has."""
    for value, addr in enumerate(addresses, 1):
        assert both_engines(store_queue.append, record, T0, 0x1000, addr, 1, value)
    queue = record.S.pipeline
    entries = range(queue.sq_count[T0])
    return [(int(queue.sq_addr[T0, i]), int(queue.sq_mask[T0, i])) for i in entries]


@pytest.mark.parametrize("first", [LINE + 8, LINE + 4])
@pytest.mark.parametrize("distance", range(-4, 8))
def test_stores_within_four_bytes_of_each_other_merge(first: int, distance: int) -> None:
    bits = 1 << (first & 15), 1 << (first + distance & 15)
    merged = [(LINE, bits[0] | bits[1])]
    apart = [(LINE, bits[0]), (LINE, bits[1])]
    found = queued(Record(LAYOUT), first, first + distance)
    assert found == (merged if abs(distance) <= 4 else apart)


def test_the_distance_is_to_the_last_one() -> None:
    assert queued(Record(LAYOUT), LINE, LINE + 4, LINE + 8) == [(LINE, 0x111)]
    assert queued(Record(LAYOUT), LINE, LINE + 4, LINE + 12) == [(LINE, 0x11), (LINE, 0x1000)]


def test_what_does_not_merge() -> None:
    assert queued(Record(LAYOUT), LINE + 15, LINE + 16) == [(LINE, 0x8000), (LINE + 16, 1)]
    assert queued(Record(LAYOUT), LOCAL, LOCAL + 1) == [(LOCAL, 1), (LOCAL + 1, 1)]
    record = Record(LAYOUT)
    record.S.hart.cfg0[T0] = store_queue.DIS_ST_MERGE
    assert queued(record, LINE, LINE + 1) == [(LINE, 1), (LINE, 2)]
    record = Record(LAYOUT)
    record.S.tile.chip = 1
    assert queued(record, LINE, LINE + 1) == [(LINE, 1), (LINE, 2)]
