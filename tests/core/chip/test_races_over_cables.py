# SPDX-License-Identifier: Apache-2.0
"""Races of several chips: packets carry clocks, as requests of a NIU do; each chip has its DRAM."""

from __future__ import annotations

import pytest

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.ethernet.kind import STATUS, TXQ
from tensix_gdb.core.chip.ethernet.packets import L1_WRITE, MMIO_WRITE
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import FAR_END
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.noc.request import WRITE as TO_L1
from tensix_gdb.core.race.fields import SITES
from tensix_gdb.core.race.findings import Report, State
from tensix_gdb.core.race.lines import FOREIGN
from tensix_gdb.core.race.network.tiles import place_of
from tensix_gdb.core.race.shadow import tile_of
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, li
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    MARKED,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    copy_word,
    load,
    request,
    store,
    wait_for,
)
from tests.core.chip.test_ethernet import (
    CAME,
    CREDIT,
    FAR,
    ONE,
    OTHER,
    SENT,
    SPACE,
    packet,
    release,
    two_chips,
)

BYTES = 256
ENOUGH = 6000
SEND = packet(L1_WRITE, start=SENT, size=BYTES, dest=CAME)
E4 = 20 | 25 << 6  # channel 4 in the coordinates that programs use
USED = [0x00B585B3]  # add a1, a1, a1


def observed(strict: bool = False) -> Chip:
    chip = two_chips()
    chip.observe_races(strict=strict, checks=())
    return chip


def reports(chip: Chip) -> list[Report]:
    assert chip.run(ENOUGH) is None
    found = [report for each in chip.races().values() for report in each.reports]
    assert chip.unobserved() == ()
    chip.close()
    return found


def raises(place: int) -> list[int]:
    return request(ATOMIC, SEMAPHORE, place, 0, 0, INCREMENT, data=1)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("waits", [False, True])
def test_a_credit_after_the_data_of_its_queue(waits: bool, strict: bool) -> None:
    """It is there after the data by a promise."""
    chip = observed(strict)
    release(chip, [*SEND, *CREDIT])
    release(chip, [*(wait_for(SPACE, 3) if waits else ()), *copy_word(CAME, RESULT)], FAR)
    found = reports(chip)
    assert bool(found) is not (waits and not strict)
    for report in found:
        assert {report.earlier.agent, report.later.agent} == {"B", "TX queue 0 of tile c0.e4"}
        assert report.place.name == f"L1 {CAME:#x}"
        sender = max(report.earlier, report.later, key=lambda each: each.is_request)
        assert (sender.outside, sender.instruction) == ("tile c0.e4", "a store to ETH_TXQ_CMD")
        assert report.fix is not None


def test_a_credit_by_another_queue_says_nothing_of_the_data() -> None:
    chip = observed()
    words = packet(MMIO_WRITE, dest=SPACE - 4 * (297 - 270), data=3 << 6)
    shifted = [*SEND, *in_queue(1, words)]
    release(chip, shifted)
    release(chip, [*wait_for(SPACE, 3), *copy_word(CAME, RESULT)], FAR)
    assert reports(chip)


def in_queue(queue: int, words: list[int]) -> list[int]:
    """The same for another TX queue: its registers are a page later, and `lui` has pages."""
    first = TXQ >> 12
    return [word + (queue << 12) if word & 0x7F == 0x37 and word >> 12 == first else word
            for word in words]  # fmt: skip


@pytest.mark.parametrize("waits", [False, True])
def test_the_source_is_used_again_after_a_credit_came_back(waits: bool) -> None:
    """ETH_TXQ_STATUS says that the command was taken, and nothing of the data."""
    chip = observed()
    status = [*li(10, TXQ + STATUS), asm("lw", rd=11, rs1=10), asm("bne", rs1=11, rs2=0, imm=-4)]
    again = wait_for(SPACE, 3) if waits else status
    release(chip, [*SEND, *CREDIT, *again, *store(SENT, 7)])
    release(chip, [*wait_for(SPACE, 3), *CREDIT], FAR)
    found = reports(chip)
    assert bool(found) is not waits
    for report in found:
        assert {report.earlier.agent, report.later.agent} == {"B", "TX queue 0"}
        assert {report.earlier.outside, report.later.outside} == {""}


@pytest.mark.parametrize("reads_back", [False, True])
def test_a_core_stores_what_it_sends(reads_back: bool) -> None:
    chip = observed()
    back = [*li(10, SENT), asm("lw", rd=11, rs1=10), *USED] if reads_back else []
    release(chip, [*store(SENT, 7), *back, *SEND])
    found = reports(chip)
    assert bool(found) is not reads_back
    for report in found:
        assert report.fix is not None
        assert report.fix.where == "before the store to ETH_TXQ_CMD"


WAITS = ("", "barrier near", "near", "credit", "barrier far", "far")


@pytest.mark.parametrize("missing", WAITS)
def test_from_a_tile_of_one_chip_to_a_tile_of_another_one(missing: str) -> None:
    """A word goes by a NIU, a cable and a NIU; each step waits for the one before."""

    def unless(name: str, words: list[int]) -> list[int]:
        return [] if name == missing else words

    chip = observed()
    to_cable = request(WRITE | MARKED, DATA, at((1, 2)), SENT, E4, BYTES)
    load(chip, ONE, [*to_cable, *unless("barrier near", barrier(0)), *raises(E4)])
    release(chip, [*unless("near", wait_for(SEMAPHORE, 1)), *SEND, *CREDIT])
    to_tile = request(WRITE | MARKED, CAME, 0, COPY, at((1, 2)), BYTES)
    signals = [*to_tile, *unless("barrier far", barrier(0)), *raises(at((1, 2)))]
    release(chip, [*unless("credit", wait_for(SPACE, 3)), *signals], FAR)
    load(chip, OTHER, [*unless("far", wait_for(SEMAPHORE, 1)), *copy_word(COPY, RESULT)])
    assert bool(reports(chip)) is bool(missing)


@pytest.mark.parametrize("waits", [False, True])
def test_what_is_known_goes_back_over_the_cable_to_a_tile(waits: bool) -> None:
    """A tile writes to the buffer of an Ethernet tile again when the other chip has the data."""
    chip = observed()
    to_cable = [*request(WRITE | MARKED, DATA, at((1, 2)), SENT, E4, BYTES), *barrier(0)]
    free = wait_for(SEMAPHORE, 1) if waits else []
    load(chip, ONE, [*to_cable, *raises(E4), *free, *to_cable])
    frees = [*wait_for(SPACE, 3), *raises(at((1, 2)))]
    release(chip, [*wait_for(SEMAPHORE, 1), *SEND, *CREDIT, *frees])
    release(chip, [*wait_for(SPACE, 3), *CREDIT], FAR)
    assert bool(reports(chip)) is not waits


@pytest.mark.parametrize("waits", [False, True])
def test_a_request_to_a_register_of_a_stream_is_a_signal(waits: bool) -> None:
    """So a worker tells a router that a packet is in its buffer."""
    chip = observed()
    update = SPACE - 4 * (297 - 270)
    sends = request(WRITE | MARKED, DATA, at((1, 2)), SENT, E4, BYTES)
    tells = request(WRITE | 1 << 3, update, E4, data=3 << 6)
    load(chip, ONE, [*sends, *(barrier(0) if waits else ()), *tells])
    release(chip, [*wait_for(SPACE, 3), *SEND])
    assert bool(reports(chip)) is not waits


def test_each_chip_has_its_dram() -> None:
    """Two chips write to the same address of their own, and on one of them two tiles do."""
    chip = observed()
    words = request(WRITE | MARKED, DATA, at((1, 2)), 0x4_0000, at(DRAM[3][0]), 128)
    load(chip, ONE, words)
    load(chip, OTHER, words)
    own = request(WRITE | MARKED, DATA, E4, 0x4_0000, at(DRAM[3][0]), 128)
    release(chip, own, FAR)
    (report,) = reports(chip)
    assert (report.place.state, report.place.name) == (State.DRAM, "c1.DRAM 3 0x40000")
    assert {report.earlier.outside, report.later.outside} <= {"", "tile c1.1-2", "tile c1.e4"}


def test_observed_chips_have_the_same_hash() -> None:
    hashes = set()
    for is_observed in (False, True):
        chip = observed() if is_observed else two_chips()
        release(chip, [*SEND, *CREDIT])
        release(chip, [*wait_for(SPACE, 3), *copy_word(CAME, RESULT), *CREDIT], FAR)
        assert chip.run(ENOUGH) is None
        hashes.add(chip.hash())
        chip.close()
    assert len(hashes) == 1


def test_going_back_forgets_packets_under_way() -> None:
    chip = observed()
    release(chip, [*SEND, *CREDIT])
    release(chip, copy_word(CAME, RESULT), FAR)
    start = chip.capture()
    assert chip.run(300) is None
    middle = chip.capture()
    assert chip.run(ENOUGH) is None
    (found,) = chip.races()[FAR].reports
    chip.restore(middle)
    assert chip.run(ENOUGH) is None
    assert chip.races()[FAR].reports == (found,), "a packet that was sent before is not observed"
    chip.restore(start)
    assert chip.run(ENOUGH) is None
    (again,) = chip.races()[FAR].reports
    assert again.count == 2 * found.count
    chip.close()


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_more_tiles_than_a_byte_counts(engine: str) -> None:
    """An instruction of any of 16,000 tiles is itself."""
    machine = Machine(engine=engine, schedule=Schedule.LATENCY)
    machine.observe_races(checks=())
    tiles = (0, 1, 254, 255, 256, 283, 511, 2272)
    for number in tiles:
        place = place_of(2, 1 + number, 0x6124)
        machine.engine.call(FAR_END.name, TO_L1, 0x8000, 4, 0, FOREIGN, 1 + number, place)
    keys = {int(machine.S.race.site[i]) for i in range(SITES)} - {0}
    assert sorted(tile_of(key) - 1 for key in keys) == list(tiles)
    machine.close()
