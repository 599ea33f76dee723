# SPDX-License-Identifier: Apache-2.0
"""Rows, layout, the two faces of a record, and copy, diff and hash."""

from itertools import pairwise
from mmap import PAGESIZE
from pathlib import Path

import pytest

from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import (
    Layout,
    LayoutError,
    NegativeIndexError,
    Part,
    Tag,
    alias,
    row,
)
from tensix_gdb.core.record.record import Record

_WORDS = row("word", "u32", 4, Tag.ARCHITECTURAL, "words")
PARTS = (
    Part("a", (row("n", "i64", (), Tag.MONOTONE, ""), row("x", "u32", (2, 3), Tag.TIMING, ""))),
    Part("b", (_WORDS, alias("byte", "u8", _WORDS), row("seen", "u8", 2, Tag.DERIVED, ""))),
)


@pytest.fixture
def record() -> Record:
    return Record(Layout(PARTS))


def test_rows_of_one_storage_are_the_same_bytes(record: Record) -> None:
    record.S.b.word[1] = 0x11223344
    assert [record.S.b.byte[i] for i in range(4, 8)] == [0x44, 0x33, 0x22, 0x11]
    record.S.b.byte[4] = 0
    assert record.S.b.word[1] == 0x11223300


@pytest.mark.parametrize("index", [-1, (0, -1), (-2, 0)])
def test_a_negative_index_is_refused(record: Record, index: object) -> None:
    target = record.S.b.word if isinstance(index, int) else record.S.a.x
    with pytest.raises(NegativeIndexError):
        target[index]
    with pytest.raises(NegativeIndexError):
        target[index] = 1


@pytest.mark.parametrize("index", [(2, 0), (0, 3)])
def test_an_index_past_the_end_is_refused(record: Record, index: tuple[int, int]) -> None:
    with pytest.raises(IndexError):
        record.S.a.x[index]


@pytest.mark.parametrize("value", [-1, 1 << 32])
def test_a_value_that_does_not_fit_is_refused(record: Record, value: int) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - memoryview's own message
        record.S.b.word[0] = value


def test_a_snapshot_holds_state_and_nothing_derived(record: Record) -> None:
    before = record.snapshot()
    record.S.a.n = -5
    record.S.b.seen[1] = 9
    kept = record.snapshot()
    record.restore(before)
    assert (record.S.a.n, record.S.b.seen[1]) == (0, 9)
    record.restore(kept)
    assert record.S.a.n == -5


def test_a_difference_is_named(record: Record) -> None:
    other = Record(Layout(PARTS))
    record.S.a.x[1, 2] = 7
    record.S.a.n = 1
    assert [str(d.path) for d in record.diff(other)] == ["a.n", "a.x[1, 2]"]
    assert [d.path for d in record.diff(other, Tag.TIMING)] == ["a.x[1, 2]"]
    assert record.hash(Tag.ARCHITECTURAL) == other.hash(Tag.ARCHITECTURAL)
    assert record.hash() != other.hash()


def test_a_row_declared_twice_is_refused() -> None:
    twice = row("x", "u8", 1, Tag.TIMING, "")
    with pytest.raises(LayoutError, match=r"a\.x is declared twice"):
        Layout((Part("a", (twice, twice)),))


def test_an_alias_must_divide_its_storage() -> None:
    with pytest.raises(LayoutError, match="3 bytes of odd are no whole number of u16"):
        alias("half", "u16", row("odd", "u8", 3, Tag.TIMING, ""))


def test_no_two_rows_of_the_machine_share_a_byte() -> None:
    taken: list[tuple[int, int, str]] = sorted(
        (slot.offset, slot.offset + slot.field.size, slot.path) for slot in LAYOUT.storage(*Tag)
    )
    for (_, end, left), (start, _, right) in pairwise(taken):
        assert end <= start, f"{left} runs into {right}"
    assert taken[-1][1] <= LAYOUT.size


def test_every_row_of_the_machine_says_what_it_is() -> None:
    undocumented = [s.path for s in LAYOUT.storage(*Tag) if not s.field.doc]
    assert undocumented == []


def test_a_row_is_made_at_its_first_use_in_each_record(record: Record) -> None:
    other = Record(record.layout)
    record.S.a.n = 5  # stored before it was ever read
    record.S.a.x[1, 2] = 7
    assert (other.S.a.n, other.S.a.x[1, 2]) == (0, 0)
    assert (record.S.a.n, record.S.a.x[1, 2]) == (5, 7)
    used = {name for name in vars(type(record.S.a)) if not name.startswith("_")}
    assert used == {"n", "x"}
    assert not {"word", "seen"} & vars(type(record.S.b)).keys()
    for name in ("S.a.other", "S.other"):
        with pytest.raises(AttributeError):
            eval(f"record.{name}", {"record": record})
    with pytest.raises(AttributeError):
        record.S.a.other = 1


def test_a_copy_of_what_was_never_written_gets_no_memory() -> None:
    """Of 140 tiles most of L1 is so: to copy them took 200 MB that stayed."""

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1])

    records = [Record(LAYOUT) for _ in range(20)]
    into = records[0].snapshot()
    before = resident()
    for each in records:
        each.snapshot(into)
    assert resident() - before < len(records) * LAYOUT.state_size // PAGESIZE // 4
