# SPDX-License-Identifier: Apache-2.0
"""A lazy run ends where another tile writes to addresses that are watched."""

from __future__ import annotations

import pytest

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    SEMAPHORE,
    WRITE,
    at,
    load,
    request,
    store,
    wait_for,
)

NEAR, FAR = (1, 2), (10, 2)
ENOUGH = 3000
WRITES = {
    "data": request(WRITE, DATA, at(NEAR), COPY, at(FAR), 64),
    "atomic": request(ATOMIC, SEMAPHORE, at(FAR), 0, 0, INCREMENT, data=1),
}
WATCHED = {"data": range(COPY + 60, COPY + 68), "atomic": range(SEMAPHORE, SEMAPHORE + 4)}


def chip_with(words: list[int]) -> Chip:
    chip = Chip((NEAR, FAR), engine="compiled", schedule=Schedule.LATENCY)
    load(chip, NEAR, store(DATA, 7) + words)
    load(chip, FAR, wait_for(SEMAPHORE, 1))
    return chip


@pytest.mark.parametrize("what", WRITES)
def test_a_run_ends_with_the_write(what: str) -> None:
    chip, alone = chip_with(WRITES[what]), chip_with(WRITES[what])
    chip.notices.watch(FAR, WATCHED[what])
    assert chip.run(ENOUGH, lazy=True) is None
    assert 0 < chip.cycle < ENOUGH
    assert chip.notices.take_tiles() == [FAR]
    assert not chip.notices
    arrived = COPY if what == "data" else SEMAPHORE
    assert chip.tiles[FAR].peek(0, arrived, 1) != b"\0"
    assert chip.run(ENOUGH - chip.cycle, lazy=True) is None
    assert chip.cycle == ENOUGH
    assert alone.run(ENOUGH) is None
    assert chip.hash() == alone.hash()
    chip.close()
    alone.close()


def test_a_write_beside_ends_nothing() -> None:
    chip = chip_with(WRITES["data"])
    chip.notices.watch(FAR, range(COPY + 64, COPY + 68))
    assert chip.run(ENOUGH, lazy=True) is None
    assert (chip.cycle, chip.notices.take_tiles()) == (ENOUGH, [])
    chip.close()


def test_a_run_that_looks_at_all_tiles_goes_on() -> None:
    chip = chip_with(WRITES["data"])
    chip.notices.watch(FAR, WATCHED["data"])
    assert chip.run(ENOUGH) is None
    assert (chip.cycle, chip.notices.take_tiles()) == (ENOUGH, [FAR])
    chip.close()
