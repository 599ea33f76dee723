# SPDX-License-Identifier: Apache-2.0
"""Requests that meet in DRAM: of two tiles, of one, and by two ports of a channel."""

from __future__ import annotations

import pytest

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.race.findings import Report, State
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, image
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    MARKED,
    READ,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    load,
    request,
    wait_for,
)

NEAR, FAR, THIRD = (1, 2), (10, 2), (3, 4)
PORT, OTHER_PORT = (at(place) for place in DRAM[3][:2])
PLACE = 0x4_0000
ENOUGH = 4000
STATIC = 1 << 7


def writes(addr: int = PLACE, port: int = PORT, ctrl: int = MARKED) -> list[int]:
    return request(WRITE | ctrl, DATA, at(NEAR), addr, port, 128)


def reads(addr: int = PLACE, port: int = PORT, ctrl: int = 0, length: int = 128) -> list[int]:
    return request(READ | ctrl, addr, port, COPY, at(NEAR), length)


def raises(place: tuple[int, int]) -> list[int]:
    return request(ATOMIC, SEMAPHORE, at(place), 0, 0, INCREMENT, data=1)


def chip_of(*places: tuple[int, int]) -> Chip:
    chip = Chip(places, engine="compiled", schedule=Schedule.LATENCY)
    chip.observe_races(checks=())
    return chip


def reports(chip: Chip) -> list[Report]:
    assert chip.run(ENOUGH) is None
    found = [report for each in chip.races().values() for report in each.reports]
    chip.close()
    return found


@pytest.mark.parametrize("waits", [False, True])
def test_a_page_goes_from_tile_to_tile_through_dram(waits: bool) -> None:
    """The writer says that the page is there; it knows so only after its barrier."""
    chip = chip_of(NEAR, FAR)
    chip.tiles[NEAR].load_bytes(DATA, bytes(range(128)))
    load(chip, NEAR, [*writes(), *(barrier(0) if waits else ()), *raises(FAR)])
    load(chip, FAR, wait_for(SEMAPHORE, 1) + reads())
    found = reports(chip)
    assert len(found) == (0 if waits else 1)
    for report in found:
        assert report.place.state is State.DRAM
        assert (report.place.name, report.place.unit) == (f"DRAM 3 {PLACE:#x}", 3)
        assert (report.earlier.agent, report.later.agent) == ("NoC 0 of tile (1, 2)", "NoC 0")
        assert (report.earlier.outside, report.words) == ("tile (1, 2)", "write, then read")
        assert not report.same_value
        assert report.fix is not None
        assert "barrier" in report.fix.text


@pytest.mark.parametrize("waits", [False, True])
def test_what_is_known_goes_through_a_third_tile(waits: bool) -> None:
    chip = chip_of(NEAR, FAR, THIRD)
    load(chip, NEAR, [*writes(), *(barrier(0) if waits else ()), *raises(THIRD)])
    load(chip, THIRD, wait_for(SEMAPHORE, 1) + raises(FAR))
    load(chip, FAR, wait_for(SEMAPHORE, 1) + reads())
    assert bool(reports(chip)) is not waits


def test_two_that_read_and_two_that_write_elsewhere() -> None:
    chip = chip_of(NEAR, FAR)
    load(chip, NEAR, reads() + writes(PLACE + 128))
    load(chip, FAR, reads() + writes(PLACE + 256))
    assert reports(chip) == []


def alone(words: list[int]) -> list[Report]:
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    machine.observe_races(checks=())
    machine.load(0, image([*words, SPIN], 0))
    assert machine.run(ENOUGH) is None
    found = list(machine.races().reports)
    machine.close()
    return found


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("port", [PORT, OTHER_PORT])
def test_a_tile_alone_reads_what_it_has_written(waits: bool, port: int) -> None:
    found = alone([*writes(), *(barrier(0) if waits else ()), *reads(port=port)])
    assert [report.words for report in found] == ([] if waits else ["write, then read"])
    assert all(report.earlier.agent == "NoC 0" and not report.earlier.outside for report in found)
    assert [report.number for report in found] == list(range(1, len(found) + 1))


def test_one_channel_keeps_a_write_before_a_read_and_two_ports_do_not() -> None:
    assert alone(writes(ctrl=MARKED | STATIC) + reads(ctrl=STATIC)) == []
    assert len(alone(writes(ctrl=MARKED | STATIC) + reads(port=OTHER_PORT, ctrl=STATIC))) == 1


def test_what_is_written_after_the_host_has_looked_is_no_race() -> None:
    chip = chip_of(NEAR, FAR)
    load(chip, NEAR, writes())
    assert chip.run(ENOUGH) is None
    assert chip.outside.races is not None
    chip.outside.races.host(3, PLACE, 128)
    load(chip, FAR, reads())
    assert reports(chip) == []


def test_going_back_forgets_requests_and_keeps_reports() -> None:
    chip = chip_of(NEAR, FAR)
    load(chip, NEAR, writes() + raises(FAR))
    load(chip, FAR, wait_for(SEMAPHORE, 1) + reads())
    start = chip.capture()
    assert chip.run(ENOUGH) is None
    (found,) = chip.races()[FAR].reports
    chip.restore(start)
    assert chip.races()[FAR].reports == (found,)
    assert chip.run(ENOUGH) is None
    (again,) = chip.races()[FAR].reports
    assert (again.count, found.count) == (2, 1)
    chip.close()


def test_many_pieces_and_parts_of_them() -> None:
    """Two words in one piece are two places; a long request meets each once."""
    assert alone(writes(PLACE, ctrl=0) + reads(PLACE + 128)) == []
    (report,) = alone(writes(PLACE, ctrl=0) + reads(PLACE + 64, length=64))
    assert (report.place.index, report.place.mask, report.count) == (PLACE + 64, 64, 1)
