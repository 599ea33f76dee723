# SPDX-License-Identifier: Apache-2.0
"""Requests to a rectangle of tiles: who receives them, what is counted, faults, engines."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.links.multicast import RESERVE as PER_HOP
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.programs import (
    ATOMIC,
    BROADCAST,
    COPY,
    DATA,
    INCREMENT,
    INLINE,
    MARKED,
    NIU,
    READ,
    RESULT,
    SEMAPHORE,
    STRIDE,
    WRITE,
    at,
    copy_word,
    load,
    request,
    store,
    wait_for,
    word,
)

LINKED, RESERVE, INCLUDE = 1 << 6, 1 << 8, 1 << 17
# A grid with holes: nothing at 2-3, and column 8 is of no Tensix tile.
SENDER = (2, 2)
GRID = ((1, 2), SENDER, (3, 2), (7, 2), (10, 2), (1, 3), (3, 3), (7, 3), (10, 3))
PATTERN = bytes(range(1, 65))
ENOUGH = 4000


def chip_of(
    schedule: Schedule | Execution = Schedule.LATENCY, seed: int = 1, engine: str = "compiled"
) -> Chip:
    chip = Chip(GRID, engine=engine, schedule=schedule, seed=seed)
    chip.tiles[SENDER].load_bytes(DATA, PATTERN)
    return chip


def rectangle(start: Place, end: Place, niu: int = 0) -> int:
    return at(end, niu) | at(start, niu) << 12


def acknowledged(niu: int, answers: int) -> list[int]:
    """Wait until so many acknowledgements of writes have come since power-up."""
    return wait_for(NIU + STRIDE * niu + 0x200 + 4, answers)


def receivers(chip: Chip) -> set[Place]:
    return {place for place in GRID if chip.tiles[place].peek(B, COPY, 64) == PATTERN}


@pytest.mark.parametrize("niu", [0, 1])
@pytest.mark.parametrize("flags", [0, RESERVE, INCLUDE])
def test_who_receives_a_write(niu: int, flags: int) -> None:
    """Tiles of the rectangle; NoC 1 counts from the other end, so its corners change places."""
    chip = chip_of()
    corners = ((1, 2), (8, 3)) if niu == 0 else ((8, 3), (1, 2))
    there = rectangle(*corners, niu)
    ctrl = WRITE | MARKED | BROADCAST | flags
    inside = {place for place in GRID if place[0] <= 8}
    expected = inside if flags & INCLUDE else inside - {SENDER}
    words = request(ctrl, DATA, at(SENDER, niu), COPY, there, 64, niu=niu)
    load(chip, SENDER, words + acknowledged(niu, len(expected)) + store(RESULT, 1))
    assert chip.run(ENOUGH) is None
    assert receivers(chip) == expected
    assert word(chip, SENDER, RESULT) == 1, "every receiver has acknowledged"
    for place in GRID:
        got = [chip.tiles[place].S.noc.counter[niu, i] for i in (49, 52, 56, 58, 60)]
        assert got == ([1, 1, 1, 1, 1] if place in expected else [0] * 5)
    counters = chip.tiles[SENDER].S.noc.counter
    assert [counters[niu, i] for i in (1, 4, 8, 10, 12)] == [len(expected), 1, 1, 1, 1]
    # One increment as it starts, one decrement for each answer (Counters.md), in eight bits.
    assert counters[niu, 16] == (1 - len(expected)) & 0xFF
    assert counters[niu, 32] == 0
    chip.close()


@pytest.mark.parametrize("niu", [0, 1])
def test_coordinates_are_translated_before_the_span_is_made(niu: int) -> None:
    """Translated, both NoCs have the coordinates of NoC 0, and NoC 1 has the corners swapped."""
    chip = chip_of()
    start, end = ((1, 2), (3, 3)) if niu == 0 else ((3, 3), (1, 2))
    words = store(NIU + STRIDE * niu + 0x100, 1 << 14)
    words += request(WRITE | BROADCAST, DATA, at(SENDER), COPY, rectangle(start, end), 64, niu=niu)
    load(chip, SENDER, words)
    assert chip.run(ENOUGH) is None
    assert receivers(chip) == {(1, 2), (3, 2), (1, 3), (3, 3)}
    chip.close()


def test_the_line_that_sends_over_a_hole_is_noted_once() -> None:
    """Columns 4 to 6 have no tile at all, as if they were fused off; 2-3 and row 4 are missing."""
    chip = chip_of()
    there = rectangle((1, 2), (10, 4))
    words = request(WRITE | BROADCAST, DATA, at(SENDER), COPY, there, 64)
    words += wait_for(NIU + 0x40, 0)
    over = 4 * (len(words) + len(request(WRITE | BROADCAST, DATA, at(SENDER), COPY, there, 64)) - 1)
    for _ in range(2):
        words += request(WRITE | BROADCAST, DATA, at(SENDER), COPY, rectangle((7, 2), (10, 3)), 64)
        words += wait_for(NIU + 0x40, 0)
    load(chip, SENDER, words)
    assert chip.run(ENOUGH) is None
    (one,) = chip.holes.take_notes()
    assert (one.sender, one.hart, one.missing[:2]) == (SENDER, B, ((2, 3), (1, 4)))
    assert one.missing == ((2, 3), *((x, 4) for x in (1, 2, 3, 4, 5, 6, 7, 10)))
    assert one.pc < over
    assert chip.holes.take_notes() == []
    chip.restore(chip.capture())
    assert list(chip.holes.noted) == [one]
    chip.close()


def test_a_span_goes_around_the_edge() -> None:
    chip = chip_of()
    words = request(WRITE | BROADCAST, DATA, at(SENDER), COPY, rectangle((10, 3), (1, 3)), 64)
    load(chip, SENDER, words)
    assert chip.run(ENOUGH) is None
    assert receivers(chip) == {(1, 3), (10, 3)}
    chip.close()


def test_a_tile_opts_out_by_its_own_masks() -> None:
    chip = chip_of()
    for place, offset, mask in (((3, 2), 0x108, 1 << 3), ((1, 3), 0x110, 1 << 3)):
        load(chip, place, store(NIU + offset, mask))
    load(chip, (7, 2), store(NIU + 0x108, 1 << 3))  # the bit of another column
    words = request(
        WRITE | MARKED | BROADCAST, DATA, at(SENDER), COPY, rectangle((1, 2), (7, 3)), 64
    )
    load(chip, SENDER, words + acknowledged(0, 4) + store(RESULT, 1))
    assert chip.run(ENOUGH) is None
    assert receivers(chip) == {(1, 2), (7, 2), (3, 3), (7, 3)}
    assert word(chip, SENDER, RESULT) == 1
    chip.close()


def test_an_atomic_and_an_inline_write() -> None:
    chip = chip_of()
    chip.tiles[3, 2].load_bytes(SEMAPHORE, (40).to_bytes(4, "little"))
    there = rectangle((3, 2), (7, 3))
    ctrl = ATOMIC | MARKED | BROADCAST
    words = request(ctrl, SEMAPHORE, there, RESULT, at(SENDER), INCREMENT, data=2)
    words += wait_for(NIU + 0x200, 4)
    words += request(WRITE | INLINE | BROADCAST, COPY, there, data=77)
    load(chip, SENDER, words)
    assert chip.run(ENOUGH) is None
    for place, value in (((3, 2), 42), ((7, 2), 2), ((3, 3), 2), ((7, 3), 2), (SENDER, 0)):
        assert word(chip, place, SEMAPHORE) == value
        assert word(chip, place, COPY) == (0 if place == SENDER else 77)
    assert word(chip, SENDER, RESULT) in (0, 40), "one of the four answers came last"
    chip.close()


@pytest.mark.parametrize(
    ("schedule", "longer"),
    [("latency", 2 * 10 + 9 * (17 + 12)), ("latency,links", PER_HOP * (8 + 1))],
)
def test_further_tiles_receive_it_later_and_a_reservation_takes_longer(
    schedule: str, longer: int
) -> None:
    def when(flags: int) -> dict[Place, int]:
        chip = chip_of(Execution.parse(schedule))
        ctrl = WRITE | BROADCAST | flags
        load(chip, SENDER, request(ctrl, DATA, at(SENDER), COPY, rectangle((3, 2), (10, 3)), 64))
        seen: dict[Place, int] = {}
        while len(seen) < 6:
            assert chip.run(1) is None
            for place in receivers(chip) - set(seen):
                seen[place] = chip.cycle
        chip.close()
        return seen

    plain, reserved = when(0), when(RESERVE)
    hops = {place: place[0] - 2 + place[1] - 2 for place in plain}
    assert {seen - 9 * hops[place] for place, seen in plain.items()} == {plain[3, 2] - 9}
    there_and_back = {reserved[place] - plain[place] for place in plain}
    assert there_and_back == {longer}, "of the furthest receiver; with links as on a card"


def test_a_rectangle_of_the_sender_alone() -> None:
    """Without the source nothing receives it, and its slot is free again."""
    chip = chip_of()
    alone = rectangle(SENDER, SENDER)
    words: list[int] = []
    for _ in range(20):
        words += request(WRITE | BROADCAST, DATA, at(SENDER), COPY, alone, 64)
        words += wait_for(NIU + 0x40, 0)
    load(chip, SENDER, words + store(RESULT, 1))
    assert chip.run(ENOUGH) is None
    assert word(chip, SENDER, RESULT) == 1
    assert receivers(chip) == set()
    assert chip.tiles[SENDER].S.noc.counter[0, 11] == 20, "posted writes that were sent"
    chip.close()


# What cannot be


@pytest.mark.parametrize(
    ("ctrl", "there", "exclude", "sentence"),
    [
        (READ | BROADCAST, rectangle((1, 2), (3, 3)), 0, "a broadcast of a read"),
        (WRITE | BROADCAST, rectangle((4, 4), (5, 6)), 0, "from x 4, y 4 to x 5, y 6"),
        (WRITE | BROADCAST, rectangle((1, 2), (3, 3)), 5, "NOC_BRCST_EXCLUDE 0x5"),
    ],
)
def test_faults_of_the_sender(ctrl: int, there: int, exclude: int, sentence: str) -> None:
    chip = chip_of()
    words = store(NIU + 0x2C, exclude) + request(ctrl, DATA, there, COPY, there, 64)
    load(chip, SENDER, words)
    found = chip.run(ENOUGH)
    assert found is not None
    assert found.place == SENDER
    assert sentence in found.stop.text, found.stop.text
    chip.close()


def test_an_address_that_a_receiver_does_not_have() -> None:
    chip = chip_of()
    there = rectangle((1, 2), (3, 3))
    load(chip, SENDER, request(WRITE | BROADCAST, DATA, at(SENDER), 0x17FFF0, there, 64))
    found = chip.run(ENOUGH)
    assert found is not None
    assert (found.place, "0x17fff0, where there is no memory" in found.stop.text) == (SENDER, True)
    chip.close()


# What changes nothing


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_slices_and_engines_change_nothing(schedule: Schedule) -> None:
    hashes = set()
    for engine, slices in (
        ("compiled", (700,)),
        ("compiled", (1, 7, 300, 392)),
        ("compiled", (13,) * 53),
        ("reference", (700,)),
    ):
        chip = chip_of(schedule, 5, engine)
        there = rectangle((1, 2), (10, 3))
        ctrl = WRITE | MARKED | BROADCAST | RESERVE
        words = request(ctrl, DATA, at(SENDER), COPY, there, 64)
        ctrl = ATOMIC | MARKED | BROADCAST | INCLUDE
        words += request(ctrl, SEMAPHORE, there, RESULT, at(SENDER), INCREMENT, data=1)
        load(chip, SENDER, words)
        for place in GRID:
            if place != SENDER:
                load(chip, place, wait_for(SEMAPHORE, 1) + copy_word(COPY, RESULT))
        hashes_here = []
        for cycles in slices:
            assert chip.run(cycles) is None
            hashes_here.append(chip.hash())
        assert chip.run(700 - chip.cycle) is None
        hashes.add(chip.hash())
        assert len(set(hashes_here)) == len(hashes_here)
        chip.close()
    assert len(hashes) == 1
