# SPDX-License-Identifier: Apache-2.0
"""What keeps the IR small: no second copy without a difference, hints to inline for loops only."""

from __future__ import annotations

import re

from core.engine import Entry
from core.engine.lower import lower
from core.layout import View
from tests.engine import small


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
