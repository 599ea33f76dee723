# SPDX-License-Identifier: Apache-2.0
"""Races over the NoC: two tiles, and three, with and without what orders them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.programs import (
    ATOMIC,
    BROADCAST,
    COPY,
    DATA,
    INCREMENT,
    MARKED,
    NIU,
    READ,
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

NEAR, FAR, THIRD = (1, 2), (10, 2), (3, 4)
BYTES = 512
STATIC = 1 << 7
ENOUGH = 3000
ACKNOWLEDGED = NIU + 0x200 + 4  # WR_ACK_RECEIVED
FREE = SEMAPHORE + 16  # the receiver tells the sender that it has read


def chip_of(*places: tuple[int, int], strict: bool = False) -> Chip:
    chip = Chip(places or (NEAR, FAR), engine="compiled", schedule=Schedule.LATENCY)
    chip.observe_races(strict=strict, checks=())
    return chip


def raises(place: tuple[int, int], ctrl: int = 0, semaphore: int = SEMAPHORE) -> list[int]:
    return request(ATOMIC | ctrl, semaphore, at(place), 0, 0, INCREMENT, data=1)


def reports(chip: Chip) -> list[Report]:
    assert chip.run(ENOUGH) is None
    found = [report for each in chip.races().values() for report in each.reports]
    chip.close()
    return found


@pytest.mark.parametrize("waits", [False, True])
def test_a_semaphore_by_another_noc_than_its_data(waits: bool) -> None:
    """In this run nothing goes wrong (test_two_tiles.py has seeds in which it does)."""
    chip = chip_of()
    words = request(WRITE | MARKED, DATA, at(NEAR, 1), COPY, at(FAR, 1), BYTES, niu=1)
    load(chip, NEAR, [*words, *(barrier(1) if waits else ()), *raises(FAR)])
    load(chip, FAR, wait_for(SEMAPHORE, 1) + copy_word(COPY + BYTES - 4, RESULT))
    found = reports(chip)
    assert len(found) == (0 if waits else 1)
    for report in found:
        assert {report.earlier.agent, report.later.agent} == {"B", "NoC 1 of tile (1, 2)"}
        sender = max(report.earlier, report.later, key=lambda each: each.is_request)
        assert (sender.outside, sender.hart) == ("tile (1, 2)", 0)
        assert report.place.name == f"L1 {COPY + BYTES - 4:#x}"
        assert report.fix is not None


@pytest.mark.parametrize("static", [0, STATIC])
@pytest.mark.parametrize("strict", [False, True])
def test_one_channel_keeps_the_order_by_a_promise(static: int, strict: bool) -> None:
    chip = chip_of(strict=strict)
    words = request(WRITE | static, DATA, at(NEAR), COPY, at(FAR), BYTES)
    load(chip, NEAR, words + raises(FAR, static))
    load(chip, FAR, wait_for(SEMAPHORE, 1) + copy_word(COPY, RESULT))
    assert bool(reports(chip)) is not (static and not strict)


@pytest.mark.parametrize("waits", [False, True])
def test_a_buffer_is_written_again_when_it_was_read(waits: bool) -> None:
    """The receiver says that it has used the data; only then the sender sends more."""
    chip = chip_of()
    sends = [*request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), 64), *barrier(0)]
    again = wait_for(FREE, 1) if waits else []
    load(chip, NEAR, [*sends, *raises(FAR), *again, *sends])
    used = [0x00B585B3]  # add a1, a1, a1
    load(
        chip,
        FAR,
        [*wait_for(SEMAPHORE, 1), *copy_word(COPY, RESULT), *used, *raises(NEAR, 0, FREE)],
    )
    assert bool(reports(chip)) is not waits


@pytest.mark.parametrize("waits", [False, True])
def test_a_tile_reads_from_another_one(waits: bool) -> None:
    chip = chip_of()
    load(chip, NEAR, [*store(DATA, 7), *copy_word(DATA, RESULT), 0x00B585B3, *raises(FAR)])
    reads = request(READ, DATA, at(NEAR), COPY, at(FAR), 64) + barrier(0)
    load(chip, FAR, [*(wait_for(SEMAPHORE, 1) if waits else ()), *reads])
    found = reports(chip)
    assert bool(found) is not waits
    for report in found:
        assert {report.earlier.agent, report.later.agent} == {"B", "NoC 0 of tile (10, 2)"}


@pytest.mark.parametrize("waits", [False, True])
def test_what_is_known_goes_through_a_third_tile(waits: bool) -> None:
    """NEAR writes to FAR, and tells THIRD; THIRD tells FAR."""
    chip = chip_of(NEAR, FAR, THIRD)
    sends = request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), 64)
    load(chip, NEAR, [*sends, *(barrier(0) if waits else ()), *raises(THIRD)])
    load(chip, THIRD, wait_for(SEMAPHORE, 1) + raises(FAR))
    load(chip, FAR, wait_for(SEMAPHORE, 1) + copy_word(COPY, RESULT))
    assert bool(reports(chip)) is not waits


def test_a_chip_that_is_observed_has_the_same_hash() -> None:
    hashes = set()
    for observed in (False, True):
        chip = Chip((NEAR, FAR), engine="compiled", schedule=Schedule.RANDOM, seed=3)
        if observed:
            chip.observe_races()
        load(chip, NEAR, request(WRITE, DATA, at(NEAR), COPY, at(FAR), BYTES) + raises(FAR))
        load(chip, FAR, wait_for(SEMAPHORE, 1) + copy_word(COPY, RESULT))
        assert chip.run(ENOUGH) is None
        hashes.add(chip.hash())
        chip.close()
    assert len(hashes) == 1


def test_going_back_forgets_clocks_and_keeps_reports() -> None:
    chip = chip_of()
    words = request(WRITE, DATA, at(NEAR), COPY, at(FAR), BYTES) + raises(FAR)
    load(chip, NEAR, words)
    load(chip, FAR, wait_for(SEMAPHORE, 1) + copy_word(COPY, RESULT))
    start = chip.capture()
    assert chip.run(ENOUGH) is None
    found = chip.races()[FAR].reports
    assert found
    chip.restore(start)
    assert chip.races()[FAR].reports == found
    assert chip.run(ENOUGH) is None
    (again,) = chip.races()[FAR].reports
    assert again.count == 2 * found[0].count
    chip.close()


@pytest.mark.parametrize("senders", [3, 16])
def test_more_senders_than_a_tile_has_lines_for(senders: int) -> None:
    """Of nine others, with a core and a NIU each, a tile knows what they had done."""
    places = [(x, y) for y in range(2, 12) for x in range(1, 8)][: senders + 1]
    chip = chip_of(*places)
    for number, place in enumerate(places[1:]):
        to = COPY + 64 * number
        load(chip, place, request(WRITE | MARKED, DATA, at(place), to, at(places[0]), 64))
    assert reports(chip) == []
    assert chip.unobserved() == (() if senders == 3 else (places[0],))


@pytest.mark.parametrize("waits", [False, True])
def test_a_host_is_in_order_with_itself_across_tiles(waits: bool) -> None:
    """It clears a semaphore of one tile and then starts another one, which increments it."""
    chip = chip_of()
    load(chip, NEAR, [*(wait_for(RESULT, 1) if waits else ()), *raises(FAR)])
    load(chip, FAR, wait_for(SEMAPHORE, 1))
    assert chip.run(5) is None  # what leaves reset now would know what the host has done
    # So long a write is no signal.
    for place, addr, value in ((FAR, SEMAPHORE, bytes(128)), (NEAR, RESULT, b"\1\0\0\0")):
        tile = chip.tiles[place]
        tile.note_host(addr, len(value), writes=True)
        tile.poke(0, addr, value)
    found = reports(chip)
    assert bool(found) is not waits
    assert all(report.earlier.outside == "the host" for report in found)


@pytest.mark.parametrize("writes", [False, True])
@pytest.mark.parametrize("waits", [False, True])
def test_the_host_has_heard_of_a_write_from_its_sender(waits: bool, writes: bool) -> None:
    """The sender says that it is done; then the host reads the tile that it has written to, or
    writes there."""
    chip = chip_of()
    sends = request(WRITE | MARKED, DATA, at(NEAR), COPY, at(FAR), BYTES)
    load(chip, NEAR, [*sends, *(barrier(0) if waits else ()), *store(RESULT, 1)])
    assert chip.run(ENOUGH) is None
    chip.tiles[NEAR].note_host(RESULT, 4, writes=False)
    chip.tiles[FAR].note_host(COPY, BYTES, writes=writes)
    found = reports(chip)
    assert bool(found) is not waits
    assert all(report.later.outside == "the host" for report in found)


@pytest.mark.parametrize("waits", [False, True])
def test_a_multicast_to_its_own_tile_too(waits: bool) -> None:
    """A word is sent to two tiles and to itself. The source is read once, before any copy; after
    the acknowledgements the word may be stored again, or written by the host."""
    chip = chip_of(NEAR, (2, 2))
    there = at((2, 2)) | at(NEAR) << 12
    sends = request(WRITE | MARKED | BROADCAST | 1 << 17, DATA, at(NEAR), DATA, there, 4)
    acknowledged = wait_for(ACKNOWLEDGED, 2) if waits else []
    again = [*store(DATA, 7), *copy_word(DATA, COPY), *store(RESULT, 1)]
    load(chip, NEAR, [*sends, *acknowledged, *again])
    assert chip.run(ENOUGH) is None
    chip.tiles[NEAR].note_host(RESULT, 4, writes=False)
    chip.tiles[NEAR].note_host(DATA, 4, writes=True)
    found = reports(chip)
    assert bool(found) is not waits
    assert not {report.later.agent for report in found} - {"B", "NoC 0", "host"}


GO = RESULT + 0x100


def host_starts(chip: Chip, place: tuple[int, int]) -> None:
    """The host writes the word that a tile waits for."""
    tile = chip.tiles[place]
    tile.note_host(GO, 4, writes=True)
    tile.poke(0, GO, b"\1\0\0\0")


@pytest.mark.parametrize("hears", [False, True])
@pytest.mark.parametrize("through", [False, True])
def test_the_host_starts_a_tile_when_it_has_heard_from_another_one(
    hears: bool, through: bool
) -> None:
    """A tile has filled its buffer; another one reads it. The host may have heard of it from a
    third tile, which the first has told."""
    chip = chip_of(NEAR, FAR, THIRD)
    told = THIRD if through else FAR
    fills = [*store(DATA, 7), *copy_word(DATA, COPY), 0x00B585B3]
    load(chip, FAR, [*fills, *(raises(THIRD) if through else store(RESULT, 1))])
    load(chip, THIRD, [*wait_for(SEMAPHORE, 1), *store(RESULT, 1)] if through else [])
    load(chip, NEAR, [*wait_for(GO, 1), *request(READ, DATA, at(FAR), COPY, at(NEAR), 64)])
    assert chip.run(ENOUGH) is None
    if hears:
        chip.tiles[told].note_host(RESULT, 4, writes=False)
    host_starts(chip, NEAR)
    found = reports(chip)
    assert bool(found) is not hears


@pytest.mark.parametrize("hears", [False, True])
def test_a_page_in_dram_goes_from_launch_to_launch(hears: bool) -> None:
    """The first tile's write is over when it tells the host, which starts the second one."""
    chip = chip_of()
    dram = at(DRAM[3][0])
    writes = request(WRITE | MARKED, DATA, at(NEAR), 0x4_0000, dram, 128)
    load(chip, NEAR, [*writes, *barrier(0), *store(RESULT, 1)])
    reads = request(READ, 0x4_0000, dram, COPY, at(FAR), 128)
    load(chip, FAR, [*wait_for(GO, 1), *reads])
    assert chip.run(ENOUGH) is None
    if hears:
        chip.tiles[NEAR].note_host(RESULT, 4, writes=False)
    host_starts(chip, FAR)
    assert bool(reports(chip)) is not hears
