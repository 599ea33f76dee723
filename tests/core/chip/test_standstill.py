# SPDX-License-Identifier: Apache-2.0
"""A chip that is dead, and chips that only look so."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.programs import (
    ATOMIC,
    INCREMENT,
    RESULT,
    SEMAPHORE,
    at,
    load,
    request,
    store,
    wait_for,
    word,
)
from tests.core.chip.test_in_step import delay

LEFT, RIGHT = (1, 2), (2, 2)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Machine(engine="compiled").engine


def increments(place: tuple[int, int]) -> list[int]:
    return request(ATOMIC, SEMAPHORE, at(place), 0, 0, INCREMENT, data=1)


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_each_waits_for_the_other(engine: Engine, schedule: Schedule) -> None:
    chip = Chip((LEFT, RIGHT), engine=engine, schedule=schedule)
    load(chip, LEFT, wait_for(SEMAPHORE, 1) + increments(RIGHT))
    load(chip, RIGHT, wait_for(SEMAPHORE, 1) + increments(LEFT) + store(RESULT, 1))
    assert chip.run(3000) is None
    before = chip.hash()
    assert chip.stands_still()
    assert chip.hash() == before
    # A host lets them continue.
    chip.tiles[RIGHT].poke(B, SEMAPHORE, (1).to_bytes(4, "little"))
    assert not chip.stands_still()
    assert chip.run(3000) is None
    assert word(chip, RIGHT, RESULT) == 1
    chip.close()


def test_a_large_chip_is_proved_by_its_sleep(engine: Engine) -> None:
    places = [(x, y) for x in (1, 2, 3, 4) for y in (2, 3, 4, 5)]
    chip = Chip(places, engine=engine)
    for place in places:
        load(chip, place, wait_for(SEMAPHORE, 1))
    assert chip.run(5000, lazy=True) is None
    assert chip.stands_still()
    chip.wake(LEFT).poke(B, SEMAPHORE, (1).to_bytes(4, "little"))
    assert not chip.stands_still()
    assert chip.run(5000, lazy=True) is None
    assert chip.stands_still(), "at the end of its program"
    chip.close()


def test_one_of_them_comes_later(engine: Engine) -> None:
    chip = Chip((LEFT, RIGHT), engine=engine)
    load(chip, LEFT, wait_for(SEMAPHORE, 1))
    load(chip, RIGHT, delay(5000) + increments(LEFT))
    for _ in range(6):
        assert chip.run(1000) is None
        assert not chip.stands_still(), "the other one still counts"
    assert chip.run(20_000) is None
    assert word(chip, LEFT, SEMAPHORE) == 1
    assert chip.stands_still(), "both are at their end"
    chip.close()


def test_a_request_under_way_is_none(engine: Engine) -> None:
    far = (16, 11)
    chip = Chip((LEFT, far), engine=engine)
    load(chip, far, wait_for(SEMAPHORE, 1))
    load(chip, LEFT, increments(far))
    assert chip.run(100) is None
    while not chip.tiles[LEFT].S.tile.pending:
        assert chip.run(1) is None
    assert chip.run(30) is None
    assert word(chip, far, SEMAPHORE) == 0
    assert not chip.stands_still()
    assert chip.run(3000) is None
    assert chip.stands_still()
    chip.close()
