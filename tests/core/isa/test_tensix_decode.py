# SPDX-License-Identifier: Apache-2.0
"""Decode of Tensix words for execution: as the rows say, on both engines, and fast enough."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensix_gdb.core.engine import Entry, open_engine
from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.tensix.decode import IGNORED, decode_tensix, field
from tensix_gdb.core.tensix.table import FIRST, ILLEGAL, ROWS, find, rows_of
from tests.vectors import both_engines

RECORD = Record(Layout((ENGINE,)))
WORDS = st.one_of(
    st.integers(0, 0xFFFFFFFF),
    st.builds(
        lambda row, bits: row.encoding.match | bits & ~row.encoding.mask,
        st.sampled_from(rows_of(Arch.BLACKHOLE)),
        st.integers(0, 0xFFFFFF),
    ),
)


@given(WORDS)
def test_decode_finds_the_row_that_matches(word: int) -> None:
    decoded = both_engines(decode_tensix, RECORD, word)
    row = find(word, Arch.BLACKHOLE)
    if row is None:
        assert decoded == ILLEGAL
        return
    number, undefined = decoded & 0xFF, decoded >> 8
    assert ROWS[number - FIRST] is row
    assert undefined == row.undefined_bits(word) & ~IGNORED.get(row.name, 0)
    for index, (name, value) in enumerate(row.encoding.decode(word).items()):
        assert both_engines(field, RECORD, word, number, index) == value, name


def decode_many_rv32(S: object, count: int, seed: int) -> int:
    """The same for words of RISC-V; a quarter of them is not `.ttinsn`."""
    word = seed
    total = 0
    for _ in range(count):
        word = (word * 1664525 + 1013904223) & 0xFFFFFFFF
        total += decode(word ^ (word >> 16)) & 0xFF
    return total


def decode_many(S: object, count: int, seed: int) -> int:
    """Decode a sequence of words; the sum of their numbers. In the subset, for the compiler."""
    word = seed
    total = 0
    for _ in range(count):
        word = (word * 1664525 + 1013904223) & 0xFFFFFFFF
        total += decode_tensix(word) & 0xFF
    return total


@pytest.mark.parametrize("function", [decode_many, decode_many_rv32])
def test_a_million_words_in_less_than_a_second(function: Callable[..., int]) -> None:
    engine = open_engine("compiled", [Entry("decode_many", function, {})], RECORD)
    try:
        before = time.process_time()
        total = engine.call("decode_many", 1_000_000, 1)
        elapsed = time.process_time() - before
        assert total > 1_000_000
        assert engine.call("decode_many", 1000, 7) == function(RECORD.S, 1000, 7)
        assert elapsed < 1
    finally:
        engine.close()
