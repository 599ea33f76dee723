# SPDX-License-Identifier: Apache-2.0
"""Breaking a rule at run time names file and line on every engine."""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from tensix_gdb import core
from tensix_gdb.core.engine import EngineDefect, Entry, open_engine
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.machine.entries import FREEZE
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tests.core.engine import broken, small
from tests.vectors import both_engines

# Function, and what the compiled engine says with the argument 70.
ALWAYS = [
    (broken.index, "index 70 is outside p.w[16]"),
    (broken.second_index, "index 70 is outside p.h[3, 4]"),
    (broken.division, "division by zero"),
    (broken.modulo, "division by zero"),
    (broken.left_count, "shift count -70 is negative"),
    (broken.right_count, "shift count -70 is negative"),
    (broken.table_index, "index 70 is outside TABLE[8]"),
    (broken.dispatch_index, "index 70 is outside DISPATCH[3]"),
    (broken.one_entry_dispatch, "index 70 is outside ONE[1]"),
    (broken.index_before_arguments, "index 70 is outside DISPATCH[3]"),
    (broken.first_of_two, "index 70 is outside p.w[16]"),
    (broken.goes_on, "index 70 is outside p.w[16]"),
]
STORES = [
    (broken.store_too_large, 256, "256 does not fit p.b (u8)"),
    (broken.scalar_store_too_large, -1, "-1 does not fit p.s (u32)"),
    (broken.augmented_store, 70, "-65 does not fit p.s (u32)"),
]
OVERFLOWS = [
    (broken.addition, "`+` of 70 and another value leaves signed 64 bits"),
    (broken.negation, "`-` of 0 and another value leaves signed 64 bits"),
    (broken.absolute, "abs of -9223372036854775808 leaves signed 64 bits"),
    (broken.left_shift, "`<<` of 70 leaves signed 64 bits"),
    (broken.division_overflow, "`//` of -9223372036854775808 by -1 leaves signed 64 bits"),
]

Function = Callable[..., int]


@pytest.fixture
def record() -> Record:
    return Record(small.LAYOUT)


def place(function: Function) -> str:
    """`tests/core/engine/broken.py:LINE` of the marked line."""
    lines, first = inspect.getsourcelines(function)
    marked = next(i for i, line in enumerate(lines) if "# HERE" in line)
    return f"tests/core/engine/broken.py:{first + marked}"


def outcome(kind: str, function: Function, record: Record, a: int, *, checked: bool = False) -> str:
    engine = open_engine(kind, [Entry("f", function)], record, checked=checked)
    try:
        return str(engine.call("f", a))
    except EngineDefect as defect:
        return str(defect)
    finally:
        engine.close()


@pytest.mark.parametrize(("function", "said"), ALWAYS, ids=lambda p: getattr(p, "__name__", ""))
def test_defects_of_every_build(function: Function, said: str, record: Record) -> None:
    for checked in (False, True):
        got = outcome("compiled", function, record, 70, checked=checked)
        assert got == f"{place(function)}: {said}"
    assert outcome("reference", function, record, 70).startswith(f"{place(function)}: ")
    with pytest.raises(EngineDefect):
        both_engines(function, record, 70)


@pytest.mark.parametrize(("function", "a", "said"), STORES)
def test_stores_that_do_not_fit(function: Function, a: int, said: str, record: Record) -> None:
    assert outcome("compiled", function, record, a, checked=True) == f"{place(function)}: {said}"
    assert outcome("reference", function, record, a).startswith(f"{place(function)}: ")
    # The build that users run cuts the value off; CI has run the same code checked.
    assert outcome("compiled", function, record, a) == "0"


@pytest.mark.parametrize(("function", "said"), OVERFLOWS, ids=lambda p: getattr(p, "__name__", ""))
def test_leaving_64_bits(function: Function, said: str, record: Record) -> None:
    got = outcome("compiled", function, record, 70, checked=True)
    assert got == f"{place(function)}: {said}"
    assert outcome("compiled", function, record, 70).lstrip("-").isdigit()


@pytest.mark.parametrize("a", [-1, 16, 1 << 40, -(1 << 63), (1 << 63) - 1])
def test_any_wrong_index(a: int, record: Record) -> None:
    assert f"index {a} is outside" in outcome("compiled", broken.index, record, a)
    assert "index" in outcome("reference", broken.index, record, a)


def test_the_callee_is_named(record: Record) -> None:
    expected = f"{place(broken.index)}: index 16 is outside p.w[16]"
    assert outcome("compiled", broken.in_a_callee, record, 16) == expected
    assert outcome("reference", broken.in_a_callee, record, 16).startswith(place(broken.index))


def test_memory_stays_whole(record: Record) -> None:
    """Nothing outside the row is written, whatever the index is."""
    for a in (16, 17, 1000, 1 << 30, -1, -1000):
        ctypes.memset(record.address, 0, record.layout.size)
        outcome("compiled", broken.goes_on, record, a)
        assert (record.S.p.w[0], record.S.p.s) == (77, 1234)
        record.S.p.w[0] = record.S.p.s = 0
        assert not any(ctypes.string_at(record.address, record.layout.size))


def test_an_engine_goes_on_after_a_defect(record: Record) -> None:
    engine = open_engine("compiled", [Entry("f", broken.index)], record)
    for _ in range(2):
        with pytest.raises(EngineDefect):
            engine.call("f", 99)
        assert engine.call("f", 3) == 1
    engine.close()


def test_arguments_are_64_bits(record: Record) -> None:
    assert "leaves signed 64 bits" in outcome("compiled", broken.index, record, 1 << 64)


def test_a_wrong_entry_or_kind(record: Record) -> None:
    with pytest.raises(ValueError, match="choose reference, compiled or auto"):
        open_engine("fast", [], record)
    with pytest.raises(TypeError, match=r"entry f: .* is not a plain function"):
        open_engine("reference", [Entry("f", print)], record)


def test_a_message_names_the_file_as_the_repository_has_it() -> None:
    """A file of the machine is found in `core/`, not below the name of the package."""
    sites = lower([FREEZE], LAYOUT).sites
    assert sites
    for site in sites:
        assert (Path(core.__path__[0]).parent / site.partition(":")[0]).is_file(), site
