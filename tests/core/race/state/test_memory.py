# SPDX-License-Identifier: Apache-2.0
"""Checks of memory that are about transfers and circular buffers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.race.state.areas import Buffer
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, image
from tests.core.chip.programs import COPY, DATA, MARKED, RESULT, WRITE, copy_word, request, store
from tests.core.race.network.test_noc import (
    FAR,
    HERE,
    RD_RESP,
    READS,
    SENDS,
    THERE,
    WR_ACK,
    counted,
    poll,
)

STREAM = 3
RECEIVED, POPPED = (0xFFB40000 + 0x1000 * STREAM + 4 * register for register in (10, 8))
PAGE = 64
ENOUGH = 3000


def found(words: Sequence[int], *buffers: Buffer, mailboxes: range = range(0)) -> list[Report]:
    """Return the findings of a program of B that uses memory wrongly."""
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(B, image([*words, SPIN], 0))
    state = machine.check_state(("memory",))
    state.buffers, state.mailboxes = list(buffers), mailboxes
    state.note_programs()
    machine.run(ENOUGH)
    reports = list(machine.races().reports)
    machine.close()
    return reports


def names(reports: Sequence[Report]) -> list[str]:
    return [one.check for one in reports]


def test_a_read_that_is_used_before_its_barrier() -> None:
    reports = found([*READS, *copy_word(COPY, RESULT)])
    assert names(reports) == ["M6", "M7"]
    assert {reports[0].earlier.agent, reports[0].later.agent} == {"B", "NoC 0"}
    assert reports[0].fix is not None
    assert reports[1].place.name == "reads of NoC 0"


def test_the_barrier_is_enough() -> None:
    assert found([*READS, *counted(RD_RESP, 1), *copy_word(COPY, RESULT)]) == []


def test_a_write_that_nothing_waits_for() -> None:
    assert names(found(SENDS)) == ["M7"]
    assert names(found([*SENDS, *counted(WR_ACK, 1)])) == []


def test_a_source_that_is_overwritten() -> None:
    reports = found([*SENDS, *store(DATA, 1), *counted(WR_ACK, 1)])
    assert names(reports) == ["M6"]


@pytest.mark.parametrize("buffers", [(), (Buffer("left", 0x40000, 0x1000),)])
def test_a_transfer_into_the_mailboxes_of_tt_metal(buffers: tuple[Buffer, ...]) -> None:
    """As its watcher says it; a store there is the firmware's or a kernel's own."""
    sends = [*request(WRITE | MARKED, DATA, HERE, COPY, HERE, 64), *counted(WR_ACK, 1)]
    mailboxes = range(COPY, COPY + 0x100)
    (report,) = found(sends, *buffers, mailboxes=mailboxes)
    assert (report.check, report.place.name, report.count) == ("M2", f"L1 {COPY:#x}", 4)
    assert "The mailboxes of tt-metal are there" in report.reason
    assert found(store(COPY, 1), *buffers, mailboxes=mailboxes) == []
    assert found(sends, *buffers, mailboxes=range(COPY + 64, COPY + 0x100)) == []


def test_a_transfer_of_nothing() -> None:
    reports = found([*request(WRITE | MARKED, DATA, HERE, FAR, THERE, 0), *counted(WR_ACK, 1)])
    assert "M8" in names(reports)


def test_a_tile_that_is_larger_than_its_buffer() -> None:
    (report,) = found([*READS, *counted(RD_RESP, 1)], Buffer("it", COPY, 32))
    assert (report.check, report.place.name) == ("M3", f"L1 {COPY + 32:#x}")
    assert "begun in it" in report.reason
    assert found([*READS, *counted(RD_RESP, 1)], Buffer("it", COPY, 64)) == []


@pytest.mark.parametrize(
    ("received", "popped", "said"),
    [(0, 0, "Page 0 was not pushed."), (1, 0, ""), (2, 2, "Page 0 was popped.")],
)
def test_a_page_that_is_read(received: int, popped: int, said: str) -> None:
    cb = Buffer("cb 0", DATA, 4 * PAGE, PAGE, STREAM)
    counts = [*store(RECEIVED, received), *counted_back(RECEIVED, received)]
    counts += [*store(POPPED, popped), *counted_back(POPPED, popped)]
    later = [*store(RECEIVED, 2), *store(POPPED, 2)]
    reports = found([*counts, *SENDS, *counted(WR_ACK, 1), *later], cb)
    assert names(reports) == (["M4"] if said else [])
    if said:
        assert reports[0].place.name == f"L1 {DATA:#x} (cb 0)"
        assert said in reports[0].reason


@pytest.mark.parametrize(
    ("later", "checks"),
    [((), []), ((RECEIVED,), []), ((POPPED,), ["M4", "C3"]), ((RECEIVED, POPPED), ["M4"])],
    ids=["scratch memory", "its producer", "its consumer", "both"],
)
def test_a_page_that_was_not_pushed_is_read(later: Sequence[int], checks: list[str]) -> None:
    """A sender of a matrix product sends its page to other tiles, and pushes it then."""
    cb = Buffer("cb 0", DATA, 4 * PAGE, PAGE, STREAM)
    words = [*SENDS, *counted(WR_ACK, 1)]
    for addr in later:
        words += [*store(addr, 1), *counted_back(addr, 1)]
    assert sorted(names(found(words, cb))) == sorted(checks)


@pytest.mark.parametrize(("received", "popped"), [(1, 0), (1, 1)])
def test_a_page_that_is_overwritten(received: int, popped: int) -> None:
    cb = Buffer("cb 0", COPY, 4 * PAGE, PAGE, STREAM)
    counts = [*store(RECEIVED, received), *counted_back(RECEIVED, received)]
    counts += [*store(POPPED, popped), *counted_back(POPPED, popped)]
    reports = found([*counts, *READS, *counted(RD_RESP, 1)], cb)
    assert names(reports) == (["M5"] if received > popped else [])


def counted_back(addr: int, value: int) -> list[int]:
    """Wait until a register has what was stored."""
    return poll(addr, value)
