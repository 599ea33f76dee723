# SPDX-License-Identifier: Apache-2.0
"""Calls of other records and memory by its address: what CPython does, machine code does."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from tensix_gdb.core.engine import Engine, EngineDefect, Entry, native, open_engine
from tensix_gdb.core.engine.lower import SubsetError, lower
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tests.core.engine import small

KINDS = ("reference", "compiled", "checked")


def opened(kind: str, function: Callable[..., int], record: Record) -> Engine:
    entries, checked = [Entry("f", function)], kind == "checked"
    return open_engine("compiled" if checked else kind, entries, record, checked=checked)


def pair() -> tuple[Record, Record]:
    records = Record(small.LAYOUT), Record(small.LAYOUT)
    for record in records:
        native.reach(record)
    return records


@pytest.mark.parametrize("kind", KINDS)
def test_a_call_of_another_record(kind: str) -> None:
    one, other = pair()
    other.S.p.s = 9
    engine = opened(kind, small.exchange, one)
    assert engine.call("f", other.address, 7, 0x1_0000_0002) == 5 + 16 * 9
    assert (one.S.p.t, one.S.p.s, other.S.p.w[7], other.S.p.w[3]) == (9, 5, 2, 9)
    assert not any(one.S.p.w[i] for i in range(16))
    assert engine.call("f", one.address, 1, 4) == 5 + 16 * 5  # itself is no other one
    assert one.S.p.w[1] == 4
    with pytest.raises(EngineDefect, match=r"16|out of bounds"):
        engine.call("f", other.address, 16, 0)
    engine.close()


@pytest.mark.parametrize("kind", KINDS)
def test_memory_by_its_address(kind: str) -> None:
    (one, _), memory = pair(), (ctypes.c_int64 * 8)(1, 2, 3, -4, 5, 6, 7, 8)
    at = ctypes.addressof(memory)
    engine = opened(kind, small.far_memory, one)
    assert engine.call("f", at, at + 16) == memory[4]
    engine.close()
    assert list(memory) == [3, (-4 & ~0xFFFFFF) | 0xA7A7A7, 2, -4, 5, 6, 7, 8]
    assert one.S.p.t == (-4 & ~0xFFFFFF) | 0xA7A7A7


def no_record(a: int) -> int:
    return a


def wrong_callee(S: View, other: int) -> int:
    return native.on(other, no_record, 3)


def too_few(S: View, at: int) -> int:
    return native.store_word(at)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("function", "why"), [(wrong_callee, "takes no record"), (too_few, "number of arguments")]
)
def test_what_cannot_be_lowered(function: object, why: str) -> None:
    with pytest.raises(SubsetError, match=why):
        lower([Entry("f", function)], small.LAYOUT)  # type: ignore[arg-type]
