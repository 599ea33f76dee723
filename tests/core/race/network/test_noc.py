# SPDX-License-Identifier: Apache-2.0
"""Requests of a tile's own NIUs: what their counters say, and what they do not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import DRAM, TILE_X, TILE_Y
from tensix_gdb.core.race.findings import Findings, Verdict
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, asm, image, li
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    COUNTERS,
    DATA,
    INCREMENT,
    INLINE,
    MARKED,
    NIU,
    READ,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    copy_word,
    request,
    store,
    wait_for,
)

STATIC = 1 << 7
HERE, THERE = at((TILE_X, TILE_Y)), at(DRAM[0][0])
FAR = 0x1000
ATOMIC_RESP, WR_ACK, RD_RESP, NONPOSTED_SENT, POSTED_SENT = 0, 1, 2, 10, 11
OUTSTANDING, OUTGOING = 16, 32
OVERLAY_COUNT = 0xFFB40000 + 0x1000 * 3 + 4 * 8
ENOUGH = 4000


def poll(addr: int, value: int) -> list[int]:
    """Until a register has a value."""
    return [
        *li(10, addr),
        *li(12, value),
        asm("lw", rd=11, rs1=10),
        asm("bne", rs1=11, rs2=12, imm=-4),
    ]


def counted(index: int, value: int) -> list[int]:
    return poll(NIU + COUNTERS + 4 * index, value)


READ_BACK = poll(NIU + 0x40, 0)
READS = request(READ, FAR, THERE, COPY, HERE, 64)
SENDS = request(WRITE | MARKED, DATA, HERE, FAR, THERE, 64)
POSTS = request(WRITE, DATA, HERE, FAR, THERE, 64)
RAISES = request(ATOMIC, SEMAPHORE, HERE, 0, 0, INCREMENT, data=1)


def observed(b: Sequence[int], t0: Sequence[int] = (), *, strict: bool = False) -> Findings:
    machine = Machine(schedule=Schedule.LATENCY)
    machine.load(B, image([*b, SPIN], 0))
    if t0:
        machine.load(T0, image([*t0, SPIN], 0x4000))
    machine.observe_races(strict=strict, checks=())
    machine.run(ENOUGH)
    found = machine.races()
    machine.close()
    return found


@pytest.mark.parametrize(
    ("wait", "is_enough"),
    [
        ([], False),
        (READ_BACK, False),
        (counted(RD_RESP, 1), True),
        ([*READ_BACK, *counted(OUTSTANDING, 0)], True),
        (counted(OUTSTANDING, 0), False),  # the load may be emitted before the start
        (counted(WR_ACK, 0), False),
    ],
)
def test_a_read_and_what_it_brings(wait: list[int], is_enough: bool) -> None:
    found = observed([*READS, *wait, *copy_word(COPY, RESULT)])
    assert bool(found.reports) is not is_enough
    if not is_enough:
        (report,) = found.reports
        assert {report.earlier.agent, report.later.agent} == {"B", "NoC 0"}
        assert report.verdict is Verdict.RACE
        assert report.fix is not None


@pytest.mark.parametrize(
    ("sends", "wait", "is_enough"),
    [
        (SENDS, [], False),
        (SENDS, READ_BACK, False),
        (SENDS, counted(WR_ACK, 1), True),
        (SENDS, counted(NONPOSTED_SENT, 1), True),
        (SENDS, counted(POSTED_SENT, 0), False),
        (SENDS, [*READ_BACK, *counted(OUTGOING, 0)], True),
        (POSTS, counted(WR_ACK, 0), False),
        (POSTS, counted(POSTED_SENT, 1), True),
        (POSTS, [*READ_BACK, *counted(OUTGOING, 0)], True),
    ],
)
def test_the_source_of_a_write(sends: list[int], wait: list[int], is_enough: bool) -> None:
    found = observed([*sends, *wait, *store(DATA, 7)])
    assert bool(found.reports) is not is_enough
    assert all("NoC 0" in (each.earlier.agent, each.later.agent) for each in found.reports)


def test_that_it_was_sent_is_a_promise() -> None:
    program = [*SENDS, *counted(NONPOSTED_SENT, 1), *store(DATA, 7)]
    (relied,) = observed(program).relied
    assert relied.promise.name == "P24"
    assert relied.count == 1
    assert len(observed(program, strict=True).reports) == 1
    assert observed([*SENDS, *counted(WR_ACK, 1), *store(DATA, 7)]).relied == ()


def test_what_was_stored_is_read_back_before_a_request() -> None:
    (report,) = observed([*store(DATA, 7), *SENDS]).reports
    assert (report.earlier.agent, report.later.agent) == ("B", "NoC 0")
    assert report.fix is not None
    used = [asm("lw", rd=11, rs1=10), asm("add", rd=12, rs1=11, rs2=11)]
    assert observed([*store(DATA, 7), *used, *SENDS]).reports == ()


GETS = [*wait_for(SEMAPHORE, 1), *copy_word(COPY, RESULT)]


@pytest.mark.parametrize("barrier", [[], counted(RD_RESP, 1)])
@pytest.mark.parametrize(
    "signal", [RAISES, request(WRITE | INLINE, SEMAPHORE, HERE, data=1)], ids=["atomic", "inline"]
)
def test_a_signal_over_the_noc_carries_what_its_hart_knows(
    signal: list[int], barrier: list[int]
) -> None:
    found = observed([*READS, *barrier, *signal], GETS)
    assert bool(found.reports) is not bool(barrier)
    for each in found.reports:
        assert {each.earlier.agent, each.later.agent} == {"NoC 0", "T0"}


@pytest.mark.parametrize("barrier", [[], counted(RD_RESP, 1)])
@pytest.mark.parametrize(
    "counts",
    [store(OVERLAY_COUNT, 1), request(WRITE | INLINE, OVERLAY_COUNT, HERE, data=1)],
    ids=["store", "request"],
)
def test_a_count_of_tiles_in_a_stream_register(counts: list[int], barrier: list[int]) -> None:
    counts = [*READS, *barrier, *counts]
    found = observed(counts, [*poll(OVERLAY_COUNT, 1), *copy_word(COPY, RESULT)])
    assert bool(found.reports) is not bool(barrier)


def test_a_write_and_an_atomic_on_one_channel() -> None:
    def program(ctrl: int) -> list[int]:
        writes = request(WRITE | ctrl, DATA, HERE, COPY, HERE, 128)
        return [*writes, *request(ATOMIC | ctrl, SEMAPHORE, HERE, 0, 0, INCREMENT, data=1)]

    found = observed(program(STATIC), GETS)
    assert found.reports == ()
    assert [each.promise.name for each in found.relied] == ["P25"]
    assert observed(program(STATIC), GETS, strict=True).reports
    assert observed(program(0), GETS).reports


def test_answers_of_atomics_may_share_a_word() -> None:
    once = request(ATOMIC | MARKED, SEMAPHORE, HERE, RESULT, HERE, INCREMENT, data=1)
    again = request(ATOMIC | MARKED, SEMAPHORE + 16, HERE, RESULT, HERE, INCREMENT, data=1)
    assert observed([*once, *again]).reports == ()
    (report,) = observed([*once, *copy_word(RESULT, COPY)]).reports
    assert report.place.name == f"L1 {RESULT:#x}"


def test_an_execution_that_is_observed_has_the_same_hash() -> None:
    hashes = set()
    for is_observed in (False, True):
        machine = Machine(schedule=Schedule.LATENCY)
        machine.load(B, image([*READS, *counted(RD_RESP, 1), *SENDS, *RAISES, SPIN], 0))
        machine.load(T0, image([*GETS, SPIN], 0x4000))
        if is_observed:
            machine.observe_races()
        machine.run(ENOUGH)
        hashes.add(machine.hash())
        machine.close()
    assert len(hashes) == 1
