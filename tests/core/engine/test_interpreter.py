# SPDX-License-Identifier: Apache-2.0
"""A processor in the subset: the same on both engines, and fast on the compiled one."""

from __future__ import annotations

import time

import pytest

from tensix_gdb.core.engine import Entry, open_engine
from tensix_gdb.core.record.record import Record
from tests.core.engine import interpreter
from tests.vectors import both_engines


@pytest.fixture
def record() -> Record:
    made = Record(interpreter.LAYOUT)
    for at, word in enumerate(interpreter.PROGRAM):
        made.S.decoded.word[at] = word
    for hart, seed in enumerate((2463534242, 88675123)):
        made.S.cpu.x[hart, 1] = 50
        made.S.cpu.x[hart, 2] = seed
    return made


@pytest.mark.parametrize("checked", [0, 1])
@pytest.mark.parametrize("hart", [0, 1])
def test_program(record: Record, hart: int, checked: int) -> None:
    assert both_engines(interpreter.run, record, hart, 100, checked) == 100
    assert both_engines(interpreter.run, record, hart, 10_000, checked) == 50 * 14 - 100
    assert record.S.cpu.pc[hart] == 14 * 4
    x = s = 0
    x = 2463534242 if hart == 0 else 88675123
    for count in range(50, 0, -1):
        for shift in (13, -17, 5):
            x ^= (x << shift if shift > 0 else x >> -shift) & 0xFFFFFFFF
        s = (s + x * count) & 0xFFFFFFFF
    assert (record.S.cpu.x[hart, 2], record.S.cpu.x[hart, 3]) == (x, s)


def test_breakpoints(record: Record) -> None:
    record.S.decoded.breaks[7] = 2
    assert both_engines(interpreter.run, record, 1, 100, 1) == 7
    assert both_engines(interpreter.run, record, 0, 100, 1) == 100
    assert both_engines(interpreter.run, record, 1, 100, 0) == 100


def test_speed(record: Record) -> None:
    """Hundreds of times the reference; without the dispatch as a switch it is not a tenth."""
    speeds = {}
    for kind, budget in (("reference", 20_000), ("compiled", 20_000_000)):
        engine = open_engine(kind, [Entry("run", interpreter.run, {"CHECKED": 0})], record)
        record.S.cpu.x[0, 1] = 0  # counts down from 2**32
        record.S.cpu.pc[0] = 0
        start = time.process_time()
        assert engine.call("run", 0, budget) == budget
        speeds[kind] = budget / (time.process_time() - start)
        engine.close()
    print({kind: f"{speed / 1e6:.1f} MIPS" for kind, speed in speeds.items()})
    assert speeds["compiled"] > 100 * speeds["reference"]
