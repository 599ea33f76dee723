# SPDX-License-Identifier: Apache-2.0
"""The reasons why the IR is small: no second copy without a difference, hints to inline for loops
only, no guard where callers know better; and what seldom runs takes little time of LLVM."""

from __future__ import annotations

import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tensix_gdb.core.engine import Entry, jit, lowering, open_engine
from tensix_gdb.core.engine.lower import lower
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tests.core.engine import small, small_cold, small_inlined


def indifferent(S: View, a: int, FLAG: int) -> int:
    """FLAG is handed on at most."""
    S.p.s = a & 0xFF
    return a


def different(S: View, a: int, FLAG: int) -> int:
    """FLAG is in the code."""
    return indifferent(S, a, FLAG) + FLAG


def helper(S: View, a: int) -> int:
    return a & 7


def in_table(S: View, a: int) -> int:
    return helper(S, a) + 1


TABLE = (in_table, helper)


def dispatch_in_loop(S: View, a: int) -> int:
    total = 0
    while total < 100:
        total += TABLE[a & 1](S, a) + 1
    return total


def dispatch_once(S: View, a: int) -> int:
    return TABLE[a & 1](S, a)


def call_in_loop(S: View, a: int) -> int:
    total = 0
    while total < 100:
        total += in_table(S, a) + 1
    return total


def indexed(S: View, at: int) -> int:
    """Needs `at` below 16 before anything else happens."""
    return S.p.w[at]


def hands_on(S: View, at: int) -> int:
    """Needs the same, and later that another is below 8."""
    found = indexed(S, at)
    return found + S.p.b[found]


def known(S: View, a: int) -> int:
    return hands_on(S, a & 15)


def late(S: View, a: int) -> int:
    """May not need it."""
    if S.p.t:
        return indexed(S, a)
    return 0


def often(S: View, a: int) -> int:
    return small_cold.rarely(S, a) + 1 if S.p.t else small_cold.below(a) + a


def defined(*entries: Entry) -> dict[str, int]:
    """Functions, and which attributes they have."""
    text = lower(entries, small.LAYOUT).ir
    found = re.findall(r'^define internal i64 @"?([^"(]*)"?\(.*#(\d) \{$', text, re.M)
    return {name.rsplit(".", 1)[1]: int(number) for name, number in found}


def test_constants_that_make_no_difference_make_no_copy() -> None:
    entries = [Entry(f"e{flag}", different, {"FLAG": flag}) for flag in (0, 1)]
    names = defined(*entries)
    assert len([name for name in names if name.startswith("different")]) == 2
    assert len([name for name in names if name.startswith("indifferent")]) == 1


def test_what_a_dispatch_in_a_loop_reaches_is_to_be_inlined() -> None:
    assert defined(Entry("e", dispatch_in_loop)) == {
        "helper": 2,
        "in_table": 2,
        "dispatch_in_loop": 0,
    }
    assert defined(Entry("e", call_in_loop)) == {"helper": 0, "in_table": 2, "call_in_loop": 0}
    assert set(defined(Entry("e", dispatch_once)).values()) == {0}


def guards(entry: Entry) -> dict[str, int]:
    """Functions, and how many defects each looks for."""
    text = lower([entry], small.LAYOUT).ir
    found = re.findall(r'^define (?:internal )?i64 @"([^"]*)"(.*?)^}', text, re.M | re.S)
    return {name.rsplit(".", 1)[1]: body.count("@defect(") for name, body in found}


def test_a_guard_is_where_least_is_known() -> None:
    """Who calls sees to what is needed at once: nobody, where that is known there."""
    assert guards(Entry("e", known)) == {"indexed": 0, "hands_on": 1, "known": 0, "e": 0}
    assert guards(Entry("e", hands_on)) == {"indexed": 0, "hands_on": 1, "e": 1}
    assert guards(Entry("e", late)) == {"indexed": 0, "late": 1, "e": 0}


def test_what_seldom_runs_is_compiled_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TENSIX_GDB_CACHE", str(tmp_path / "objects"))
    entries = [Entry("e", often)]
    hot, seldom = lower(entries, small.LAYOUT).modules
    assert [jit.level_of(each, jit.FULL) for each in (hot, seldom)] == [jit.FULL, jit.COLD]
    assert jit.level_of(seldom, jit.QUICK) == jit.COLD
    names = [re.findall(r'^(define|declare) \w+ i64 @"([^"]*)"', each.text, re.M)
             for each in (hot, seldom)]  # fmt: skip
    here, there = ({name.rsplit(".", 1)[1]: word for word, name in each} for each in names)
    assert here == {"below": "declare", "rarely": "declare", "often": "define"}
    assert there == {"below": "define", "rarely": "define"}
    # LLVM knows: a branch that leads to one of them is unlikely.
    assert "attributes #3 = { nounwind cold }" in hot.text
    said = [re.findall(r"^(?:define|declare) hidden .*\)(.*)$", each.text, re.M)
            for each in (hot, seldom)]  # fmt: skip
    assert said == [[" #3", " #3"], [" #3 {", " #3 {"]]
    records = [Record(small.LAYOUT), Record(small.LAYOUT)]
    for record, kind in zip(records, ("compiled", "reference"), strict=True):
        record.S.p.t = 1
        assert open_engine(kind, entries, record).call("e", 5) == 17
    assert records[0].hash() == records[1].hash()


def calls_large(S: View, a: int) -> int:
    return small_inlined.large(S, a) + small_inlined.large(S, a + 1)


def test_what_a_module_names_is_part_of_its_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where LLVM would leave the calls, because it is large."""
    for named, kind in (((small_inlined.large,), 4), ((), 0)):
        monkeypatch.setattr(small_inlined, "INLINED", named)
        (module,) = lower([Entry("e", calls_large)], small.LAYOUT).modules
        assert defined(Entry("e", calls_large)) == {"large": kind, "calls_large": 0}
    assert "attributes #4 = { nounwind alwaysinline }" in module.text
    monkeypatch.undo()
    records = [Record(small.LAYOUT), Record(small.LAYOUT)]
    for record, engine in zip(records, ("compiled", "reference"), strict=True):
        record.S.p.t = 7
        assert open_engine(engine, [Entry("e", calls_large)], record).call("e", 9) > 0
    assert records[0].hash() == records[1].hash()


def test_what_a_module_names_is_of_that_module() -> None:
    """Another module's function would be taken for granted there, and have no effect."""
    for name, module in sorted(sys.modules.items()):
        named = getattr(module, "INLINED", ())
        if name.startswith("tensix_gdb.core.") and isinstance(named, tuple):
            assert all(function.__module__ == name for function in named)


def test_saying_so_later_is_seen() -> None:
    """The index of what was compiled remembers that a module has said nothing, or something."""
    uses = lower([Entry("e", often)], small.LAYOUT).uses
    assert uses.is_current()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(small_cold, "COLD", False)
        assert not uses.is_current()
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(globals(), "COLD", True)
        assert not uses.is_current()
    assert uses.is_current()


def test_the_modules_of_the_lowering_need_each_other_in_one_direction() -> None:
    """Also where only annotations need them. CycleError names a circle."""
    within = re.compile(
        r"^\s*from tensix_gdb\.core\.engine\.lowering(?:\.(\w+))? import (.*)", re.M
    )
    uses = {
        path.stem: {
            name
            for module, names in within.findall(path.read_text(encoding="utf-8"))
            for name in ([module] if module else names.split(", "))
        }
        for path in Path(lowering.__path__[0]).glob("*.py")
    }
    assert uses["statements"] >= {"threads", "rows", "ranges"}
    assert set(TopologicalSorter(uses).static_order()) == set(uses)
