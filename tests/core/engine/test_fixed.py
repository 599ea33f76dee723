# SPDX-License-Identifier: Apache-2.0
"""Rows that never change while a machine exists: compiled code has their values as constants."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tensix_gdb.core.arch.chips import CHIPS
from tensix_gdb.core.engine import EngineDefect, Entry, Fixed, SubsetError, open_engine
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.engine.plan import Plan, plan_for
from tensix_gdb.core.machine.entries import ENTRIES, fixed_rows
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tests.core.engine import small

WriteModule = Callable[[str, str], ModuleType]
TEXT = """\
def one(S): return 10
def other(S): return 20
def third(S): return 30
ON = (one, other)
OF = (one, other, third, third)

def by_if(S):
    if S.p.n: return other(S)
    return one(S)

def by_table(S): return ON[S.p.n](S)

def by_variable(S):
    chip = S.p.n
    return ON[chip](S)

def by_range(S, a): return OF[(a & 1) + 2 * S.p.n](S)

def stores(S): S.p.n = 1
"""


def fixed(value: int) -> Fixed:
    return (("p", "n", value),)


@pytest.mark.parametrize("name", ["by_if", "by_table", "by_variable"])
@pytest.mark.parametrize(("value", "result"), [(0, 10), (1, 20)])
def test_only_what_the_value_reaches_is_compiled(
    name: str, value: int, result: int, write_module: WriteModule
) -> None:
    entry = Entry("f", getattr(write_module("chips", TEXT), name))
    ir = lower([entry], small.LAYOUT, fixed=fixed(value)).ir
    assert ("chips.one" in ir, "chips.other" in ir) == (value == 0, value == 1)
    assert "switch" not in ir
    record = Record(small.LAYOUT)
    record.S.p.n = value
    assert open_engine("compiled", [entry], record, fixed=fixed(value)).call("f") == result


def test_a_dispatch_has_the_functions_that_its_index_can_be(write_module: WriteModule) -> None:
    entry = Entry("f", write_module("chips", TEXT).by_range)
    ir = lower([entry], small.LAYOUT, fixed=fixed(0)).ir
    assert "chips.one" in ir
    assert "chips.other" in ir
    assert "chips.third" not in ir
    assert "chips.third" in lower([entry], small.LAYOUT, fixed=fixed(1)).ir
    assert "chips.third" in lower([entry], small.LAYOUT).ir


@pytest.mark.parametrize("checked", [False, True])
def test_code_for_another_value_says_so(checked: bool, write_module: WriteModule) -> None:
    entry = Entry("f", write_module("chips", TEXT).by_if)
    record = Record(small.LAYOUT)
    engine = open_engine("compiled", [entry], record, checked=checked, fixed=fixed(1))
    with pytest.raises(EngineDefect, match=r"chips\.py:\d+: p\.n is 0, and this code is for 1"):
        engine.call("f")
    record.S.p.n = 1
    assert engine.call("f") == 20


def test_nothing_stores_to_them(write_module: WriteModule) -> None:
    with pytest.raises(SubsetError, match=r"chips\.py:19:16: p\.n is fixed, and cannot be stored"):
        lower([Entry("f", write_module("chips", TEXT).stores)], small.LAYOUT, fixed=fixed(0))


def test_plans_differ_and_come_to_another_process() -> None:
    plans = [plan_for(ENTRIES, LAYOUT, fixed=rows) for rows in ((), fixed_rows(0), fixed_rows(1))]
    assert len({plan.key(2) for plan in plans}) == len(plans)
    assert [Plan.from_json(plan.to_json()).fixed for plan in plans] == [
        plan.fixed for plan in plans
    ]


def test_the_code_of_a_chip_has_nothing_of_the_other() -> None:
    """The code that only Wormhole's units reach is compiled for Wormhole alone, and the other way
    round."""
    of_chip = [lower(ENTRIES, LAYOUT, fixed=fixed_rows(chip)).ir for chip in range(CHIPS)]
    for function, found in [
        ("devices.backend_config.read", (True, False)),
        ("devices.wormhole.backend_config.read", (False, True)),
        ("packer.start.compresses_wormhole", (False, True)),
    ]:
        assert tuple(function in ir for ir in of_chip) == found, function
