# SPDX-License-Identifier: Apache-2.0
"""LLVM's page gfx9_waitcnt.rst, the operand of s_waitcnt: its table of bits, its table of syntax,
its examples. LLVM's assembler itself is the oracle in tests/core/waits/test_gfx9.py.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.explain.instruction.any_machine import explain
from tensix_gdb.core.waits import gfx9
from tensix_gdb.core.waits.wait import WaitError

# fmt: off
# High bits, low bits, counter, value range.
BITS = [
    ("15:14", "3:0",  "vmcnt",   63),
    (None,    "6:4",  "expcnt",  7),
    (None,    "11:8", "lgkmcnt", 15),
]
RESERVED = (7, 12, 13)
SYMBOLS = {"vm_cnt": 1, "exp_cnt": 2, "lgkm_cnt": 3, "cnt": 1 | 2 << 4 | 3 << 8}
# All of its examples as one text.
PROGRAM = """
vm_cnt = 1
exp_cnt = 2
lgkm_cnt = 3
cnt = vm_cnt | (exp_cnt << 4) | (lgkm_cnt << 8)

s_waitcnt cnt
s_waitcnt 1 | (2 << 4) | (3 << 8)                          // the same as above
s_waitcnt vmcnt(1) expcnt(2) lgkmcnt(3)                    // the same as above
s_waitcnt vmcnt(vm_cnt) expcnt(exp_cnt) lgkmcnt(lgkm_cnt)  // the same as above
"""
# Its examples: the first four are "the same as above".
EXAMPLES = [
    ("s_waitcnt cnt",                                               (1, 2, 3)),
    ("s_waitcnt 1 | (2 << 4) | (3 << 8)",                           (1, 2, 3)),
    ("s_waitcnt vmcnt(1) expcnt(2) lgkmcnt(3)",                     (1, 2, 3)),
    ("s_waitcnt vmcnt(vm_cnt) expcnt(exp_cnt) lgkmcnt(lgkm_cnt)",   (1, 2, 3)),
    ("s_waitcnt vmcnt(1)",                                          (1, 7, 15)),
    ("s_waitcnt expcnt(2) lgkmcnt(3)",                              (63, 2, 3)),
    ("s_waitcnt vmcnt(1), expcnt(2), lgkmcnt(3)",                   (1, 2, 3)),
    ("s_waitcnt vmcnt(1) & lgkmcnt_sat(100) & expcnt(2)",           (1, 2, 15)),
]
# fmt: on


@pytest.mark.parametrize(("high", "low", "counter", "largest"), BITS)
def test_bits(high: str | None, low: str, counter: str, largest: int) -> None:
    places = {field.name: field.bits for field in explain("s_waitcnt 0").fields}
    assert places[gfx9.COUNTERS[counter]] == (f"{high}|{low}" if high else low)
    assert gfx9.LARGEST[counter] == largest
    for value in range(largest + 1):
        wait = gfx9.parse(f"s_waitcnt {counter}({value})")
        shifted = (value & 15) | value >> 4 << 14 if counter == "vmcnt" else value
        at = 0 if counter == "vmcnt" else int(low.partition(":")[2])
        others = sum(
            (15 | 3 << 14 if name == "vmcnt" else top) << (0 if name == "vmcnt" else shift)
            for name, top, shift in (("vmcnt", 63, 0), ("expcnt", 7, 4), ("lgkmcnt", 15, 8))
            if name != counter
        )
        assert wait.operand == shifted << at | others


def test_reserved_bits() -> None:
    for bit in range(16):
        wait = gfx9.parse(f"s_waitcnt 1 << {bit}")
        assert wait.unused_bits == (1 << bit if bit in RESERVED else 0)
        assert bool(bit in RESERVED) is any("belong to no counter" in w for w in warnings(wait))


def warnings(wait: gfx9.WaitCount) -> list[str]:
    return explain(hex(wait.encode()), "gfx9").warnings


def test_syntax() -> None:
    """N must not exceed the largest value; the _sat forms take the smaller of both."""
    for _, _, counter, largest in BITS:
        assert gfx9.parse(f"s_waitcnt {counter}({largest})").counts()[counter] == largest
        with pytest.raises(WaitError, match=f"too large value for {counter}"):
            gfx9.parse(f"s_waitcnt {counter}({largest + 1})")
        assert gfx9.parse(f"s_waitcnt {counter}_sat({largest + 1})").counts()[counter] == largest
        assert gfx9.parse(f"s_waitcnt {counter}_sat(1)").counts()[counter] == 1


def test_omitted_fields_are_at_their_maximum() -> None:
    for _, _, counter, _ in BITS:
        counts = gfx9.parse(f"s_waitcnt {counter}(0)").counts()
        assert counts == {**gfx9.LARGEST, counter: 0}


def test_separators_and_order() -> None:
    expected = gfx9.parse("s_waitcnt vmcnt(1) expcnt(2) lgkmcnt(3)")
    for separator in (" ", ",", ", ", "&", " & ", ""):
        for order in (
            ("vmcnt(1)", "expcnt(2)", "lgkmcnt(3)"),
            ("lgkmcnt(3)", "vmcnt(1)", "expcnt(2)"),
        ):
            assert gfx9.parse(f"s_waitcnt {separator.join(order)}") == expected


@pytest.mark.parametrize(("text", "counts"), EXAMPLES)
def test_examples(text: str, counts: tuple[int, ...]) -> None:
    assert tuple(gfx9.parse(text, SYMBOLS).counts().values()) == counts


def test_examples_as_a_program() -> None:
    found = gfx9.assemble(PROGRAM)
    assert [line for line, _ in found] == [7, 8, 9, 10]
    assert [tuple(wait.counts().values()) for _, wait in found] == [(1, 2, 3)] * 4
    for text, sentence in (
        ("a = 1\ns_waitcnt b", "2: expected absolute expression"),
        ("a = 1 1", "1: expected newline"),
        ("\n\ns_waitcnt vmcnt(64)", "3: too large value for vmcnt"),
    ):
        with pytest.raises(WaitError, match=sentence):
            gfx9.assemble(text)
