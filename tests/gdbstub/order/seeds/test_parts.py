# SPDX-License-Identifier: Apache-2.0
"""Parts of a search that need no machine: intervals, reduction, files, coverage, NOPs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tensix_gdb.gdbstub.order.seeds.case import Outcome
from tensix_gdb.gdbstub.order.seeds.guided import Guide
from tensix_gdb.gdbstub.order.seeds.nops import jump, parse, read_failures
from tensix_gdb.gdbstub.order.seeds.orders import Accessor, Coverage
from tensix_gdb.gdbstub.order.seeds.smallest import Part, reduce_parts
from tensix_gdb.gdbstub.order.seeds.store import Header, compared, open_store, read
from tensix_gdb.gdbstub.order.seeds.tally import Tally, percent, wilson
from tensix_gdb.gdbstub.usage import UsageError

HEADER = Header((("k", "abc"),), "1")
WRONG = Outcome(0, "random:2", "", "reached wrong", "a sentence", cycles=9, reports=("r",))
RIGHT = Outcome(0, "random:1", "", "", orders=(("T0 0x10 sw", "T1 0x20 lw"),))


def test_wilson_is_as_tables_have_it() -> None:
    low, high = wilson(3, 20)
    assert (round(low, 4), round(high, 4)) == (0.0524, 0.3604)
    assert wilson(0, 10_000) == (0.0, pytest.approx(0.000384, abs=1e-6))
    assert wilson(5, 5)[1] == 1.0
    assert percent(0.000384) == "0.038 %"


@pytest.mark.parametrize("needed", [(), (5,), (3, 700), (0, 1, 999)])
def test_what_is_left_is_what_is_needed(needed: tuple[int, ...]) -> None:
    tried = []

    def wrong(parts: Sequence[Part]) -> bool:
        tried.append(parts)
        return all(any(low <= number < high for low, high in parts) for number in needed)

    assert [low for low, _ in reduce_parts([(0, 1000)], wrong)] == list(needed)
    assert len(tried) < 200


def test_each_that_is_left_is_needed_where_either_of_two_is_enough() -> None:
    def wrong(parts: Sequence[Part]) -> bool:
        has = {number for low, high in parts for number in range(low, high)}
        return {3, 8} <= has or {5, 8} <= has

    left = reduce_parts([(0, 16)], wrong)
    assert len(left) == 2
    assert wrong(left)
    assert not any(wrong([part for part in left if part is not one]) for one in left)


@pytest.mark.parametrize("name", ["found.jsonl", "found.sqlite"])
def test_a_file_has_what_was_written(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    store, known = open_store(path, HEADER, resume=False)
    assert known == []
    store.add([RIGHT, WRONG])
    store.close()
    header, outcomes = read(path, "--to")
    assert header.programs == HEADER.programs
    assert sorted(outcomes, key=str) == [RIGHT, WRONG]
    with pytest.raises(UsageError, match="is there already; add --resume"):
        open_store(path, HEADER, resume=False)
    with pytest.raises(UsageError, match="of another search"):
        open_store(path, Header((("k", "other"),), "1"), resume=True)
    again, known = open_store(path, HEADER, resume=True)
    again.close()
    assert len(known) == 2


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "found.jsonl"
    store, _ = open_store(str(path), HEADER, resume=False)
    store.add([RIGHT, WRONG])
    store.close()
    path.write_bytes(path.read_bytes()[:-20])
    store, known = open_store(str(path), HEADER, resume=True)
    store.add([WRONG])
    store.close()
    assert known == [RIGHT]
    assert read(str(path), "--to")[1] == [RIGHT, WRONG]


def test_what_is_no_file_of_a_search(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")
    (tmp_path / "b.sqlite").write_text("no database")
    for name in ("a.jsonl", "b.sqlite"):
        with pytest.raises(UsageError, match="is no file of"):
            read(str(tmp_path / name), "--compare")
    with pytest.raises(UsageError, match="cannot be read"):
        read(str(tmp_path / "c.jsonl"), "--compare")
    with pytest.raises(UsageError, match=r"\.jsonl or \.sqlite"):
        open_store(str(tmp_path / "d.txt"), HEADER, resume=False)


def test_two_searches_are_compared() -> None:
    mended = Outcome(0, "random:2", "", "")
    (first, *rest) = compared(HEADER, [RIGHT, mended], HEADER, [RIGHT, WRONG])
    assert first.startswith("compared: 2 runs are in both searches; 0 are wrong now")
    assert "1 are as wanted now that were not" in first
    assert rest == ["    as wanted now: random:2"]


def test_a_tally_says_how_many_and_which_was_first() -> None:
    tally = Tally("k")
    for one in (RIGHT, Outcome(0, "random:30", "", "deadlock"), WRONG):
        tally.add(one)
    lines = list(tally.lines())
    assert lines[0].startswith("k: 2 of 3 runs are wrong, 66.7 %")
    assert lines[-1] == "    first wrong: random:2: a sentence"
    assert sum("deadlock, as random:30" in line for line in lines) == 1


def test_coverage_counts_pairs_seen_both_ways() -> None:
    coverage = Coverage()
    (order,) = RIGHT.orders
    assert coverage.add((order,), "latency") == [order]
    assert coverage.one_way() == [order]
    coverage.add((order,), "random:1")
    assert coverage.since == 1
    coverage.add((order[::-1],), "random:2")
    assert (coverage.one_way(), len(coverage.pairs()), coverage.since) == ([], 1, 0)


def test_the_guide_makes_the_earlier_access_late() -> None:
    guide = Guide(0, range(1, 20), ("random",))
    cases = guide.cases()
    assert str(next(cases)) == "latency"
    guide.tell([RIGHT])
    assert str(next(cases)) == "latency late.T0@0x00000010:12"
    assert str(next(cases)) == "random:1"
    assert str(next(cases)) == "latency T0@0x00000010:12"
    assert Accessor.of_text("T0/0 0x60a4 RDCFG").thread == 0


def test_tt_nops_notation() -> None:
    spec = parse("unpack:3:tti_nop:54")
    assert (spec.thread, spec.site, spec.filler, spec.counts) == (0, 3, "tti_nop", (54,))
    assert parse("math:*:auto:1-3,9").counts == (1, 2, 3, 9)
    for text in (
        "unpack:3",
        "sfpu:1:tti_nop:1",
        "math:x:tti_nop:1",
        "math:1:nop:1",
        "pack:1:auto:200",
    ):
        with pytest.raises(UsageError, match="--nop"):
            parse(text)


@pytest.mark.parametrize(("addr", "to"), [(0x6000, 0x6400), (0x9000, 0x6000), (0x6000, 0x60000)])
def test_a_jump_is_the_assemblers(addr: int, to: int) -> None:
    from tests.assembler import asm

    assert jump(addr, to) == asm("jal", rd=0, imm=to - addr)


def test_a_file_of_the_injector_is_read(tmp_path: Path) -> None:
    row = {
        **{"case": "t", "arch": "blackhole", "site_mode": "sync", "thread": "math"},
        **{"site_index": 2, "addr": 0xB3C4, "op": "SEMWAIT", "filler": "unpacr0"},
        **{"filler_word": 0, "delay": 80, "seq": 1, "runs": 10, "fails": 1, "tag": "hang"},
    }
    (tmp_path / "failures.jsonl").write_text(json.dumps(row) + "\n")
    (spec,) = read_failures(str(tmp_path / "failures.jsonl"))
    assert (spec.text, spec.addr, spec.op) == ("math:2:unpacr0:80", 0xB3C4, "SEMWAIT")
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(UsageError, match="is no failures"):
        read_failures(str(tmp_path / "bad.jsonl"))
