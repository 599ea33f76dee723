# SPDX-License-Identifier: Apache-2.0
"""Every construct of the subset on both engines, with the values where mistakes hide."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tensix_gdb.core.engine import EngineDefect, Entry, open_engine
from tensix_gdb.core.record.record import Record
from tests.core.engine import small
from tests.vectors import both_engines

LEAST, MOST = -(1 << 63), (1 << 63) - 1
EDGES = (
    0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 65, 127, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 32,
    MOST - 1, MOST, LEAST, LEAST + 1, -1, -2, -3, -7, -8, -64, -0x80000000,
)  # fmt: skip
SMALL = (0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 12, 20, 100, -1, -2, -3, -5, -7, -11)

Function = Callable[..., int]


def in_64(value: int) -> bool:
    return LEAST <= value <= MOST


@pytest.fixture
def record() -> Record:
    made = Record(small.LAYOUT)
    for i in range(16):
        made.S.p.w[i] = 0x01020304 * (i + 1)
    return made


# Functions of one operation: it leaves 64 bits exactly if the result does.
SINGLE = (
    small.add, small.subtract, small.multiply, small.floor_divide, small.modulo, small.shift_left,
    small.shift_right, small.shift_right_by_70, small.shift_left_by_5, small.divide_by_minus_1,
)  # fmt: skip


@pytest.mark.parametrize("function", small.ARITHMETIC, ids=lambda f: f.__name__)
def test_arithmetic_at_the_edges(function: Function, record: Record) -> None:
    """Python's result, or a defect where there is none in 64 bits; never a wrong number."""
    for a, b in itertools.product(EDGES, EDGES):
        if b > 1 << 20 and function is small.shift_left:
            continue  # Python would need the memory
        try:
            expected = function(a, b)
        except (ZeroDivisionError, ValueError):
            with pytest.raises(EngineDefect):
                both_engines(function, record, a, b)
            continue
        overflow = False
        try:
            assert both_engines(function, record, a, b) == expected
        except AssertionError as problem:
            # The reference does not notice, so the engines differ, and the message says why.
            overflow = "leaves signed 64 bits" in str(problem)
            if not overflow:
                raise
        if function in SINGLE:
            assert overflow is not in_64(expected), (a, b)
        else:
            assert overflow or in_64(expected), (a, b)


@pytest.mark.parametrize("function", small.ARITHMETIC, ids=lambda f: f.__name__)
def test_unchecked_arithmetic_wraps(function: Function, record: Record) -> None:
    """The build that users run gives Python's result where there is one in 64 bits."""
    engine = open_engine("compiled", [Entry("f", function)], record)
    for a, b in itertools.product(EDGES, EDGES):
        if b > 1 << 20 and function is small.shift_left:
            continue
        try:
            expected = function(a, b)
        except (ZeroDivisionError, ValueError):
            with pytest.raises(EngineDefect):
                engine.call("f", a, b)
            continue
        wrapped = ((expected - LEAST) & ((1 << 64) - 1)) + LEAST
        assert engine.call("f", a, b) == wrapped, (a, b)
    engine.close()


@pytest.mark.parametrize("function", small.CONDITIONS, ids=lambda f: f.__name__)
def test_conditions(function: Function, record: Record) -> None:
    for a, b in itertools.product(SMALL, SMALL):
        assert both_engines(function, record, a, b) == function(a, b)


@pytest.mark.parametrize("function", [small.loops, small.ranges], ids=lambda f: f.__name__)
def test_loops(function: Function, record: Record) -> None:
    for a, b in itertools.product(range(40), range(-3, 9)):
        assert both_engines(function, record, a, b) == function(a, b)


def test_range_at_the_ends_of_64_bits(record: Record) -> None:
    assert both_engines(small.range_ends, record, LEAST, MOST) == small.range_ends(LEAST, MOST)
    assert both_engines(small.range_ends, record, 5, 5) == small.range_ends(5, 5)


@pytest.mark.parametrize("function", small.STATEFUL, ids=lambda f: f.__name__)
def test_state(function: Function, record: Record) -> None:
    """Order of evaluation, short circuits, rows, aliases, dispatch: seen in the record."""
    for a, b in itertools.product(SMALL, SMALL):
        both_engines(function, record, abs(a), abs(b))


def test_order_is_pythons(record: Record) -> None:
    """Against a log written down by hand, not against the other engine."""
    both_engines(small.order, record, 6, 8)
    log = [int(record.S.p.log[i]) for i in range(record.S.p.n)]
    assert log == [8, 6, 3, 6, 1, 2, 4, 8, 6, 8, 2, 6, 8]


def test_constants_choose_the_instance(record: Record) -> None:
    assert both_engines(small.with_constants, record, 5, 2, 0, small.subtract) == 3
    assert both_engines(small.with_constants, record, 5, 2, 1, small.subtract) == 5
    assert both_engines(small.with_constants, record, 5, 2, 0, small.add) == 7
    assert both_engines(small.DISPATCH[1], record, 9, 2) == 5
    assert record.S.p.t == 5


@pytest.mark.parametrize("kind", ["reference", "compiled"])
def test_a_function_that_returns_nothing_gives_0(kind: str, record: Record) -> None:
    engine = open_engine(kind, [Entry("f", small.nothing)], record)
    assert engine.call("f") == 0
    assert record.S.p.n == 1
    assert engine.kind == kind
    engine.close()


def test_vectors_notice_a_difference(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixture itself fails when engines differ (here: the compiled one keeps the old table)."""
    assert both_engines(small.tables, record, 1, 1) > 0
    monkeypatch.setattr(small, "TABLE", (7, 7, 7, 7, 7, 7, 7, 7))
    with pytest.raises(AssertionError, match=r"compiled .*, reference"):
        both_engines(small.tables, record, 1, 1)


def test_vectors_notice_a_different_record(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    both_engines(small.nothing, record)
    monkeypatch.setattr(small.nothing, "__code__", writes_elsewhere.__code__)
    with pytest.raises(AssertionError, match=r"records differ: p\.w from byte 12"):
        both_engines(small.nothing, record)


def writes_elsewhere(S: Any) -> None:
    S.p.n = (S.p.n + 1) & 0xFF
    S.p.w[3] = 1
