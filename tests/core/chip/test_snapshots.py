# SPDX-License-Identifier: Apache-2.0
"""Whole states of a chip: copied in the middle of traffic, put back, run again."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.order import there_of
from tensix_gdb.core.noc.request import BROADCAST
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.programs import DATA, MARKED, RESULT, WRITE, at, load, request, store, word
from tests.core.chip.test_in_step import GRID, made_by


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Machine(engine="compiled").engine


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
@pytest.mark.parametrize("at_cycle", [150, 333, 700, 4000])
def test_a_snapshot_is_all_there_is(engine: Engine, schedule: Schedule, at_cycle: int) -> None:
    with made_by(None, 4, Execution(schedule, 3), engine) as chip:
        assert chip.run(at_cycle) is None
        kept, there = chip.capture(), chip.hash()
        assert chip.run(3000) is None
        later = chip.hash()
        chip.restore(kept)
        assert chip.hash() == there
        assert chip.cycle == at_cycle
        assert chip.run(1700, lazy=True) is None
        assert chip.run(1300) is None
        assert chip.hash() == later
        chip.restore(kept)
        assert chip.hash() == there, "the copy has not changed"
        fresh = Chip(GRID, engine=engine, schedule=Execution(schedule, 3), threads=2)
        fresh.restore(kept)
        assert fresh.run(3000) is None
        assert fresh.hash() == later, "nor does it need the chip that it was made of"
        fresh.close()


def test_a_broadcast_under_way_is_part_of_it(engine: Engine) -> None:
    chip = Chip(GRID, engine=engine)
    there = at((10, 3)) | at((1, 2)) << 12
    words = request(WRITE | MARKED | BROADCAST, DATA, at((1, 2)), RESULT, there, 64)
    load(chip, (1, 2), words)
    chip.tiles[1, 2].load_bytes(DATA, bytes([9]) * 64)

    def receivers() -> int:
        return sum(chip.tiles[place].peek(B, RESULT, 1) == b"\x09" for place in GRID)

    while receivers() < 2:
        assert chip.run(1) is None
    noc = chip.tiles[1, 2].S
    assert there_of(noc, 0, 0) == there
    kept = chip.capture()
    assert chip.run(2000) is None
    assert receivers() == len(GRID) - 1
    last = chip.hash()
    chip.restore(kept)
    assert receivers() == 2
    assert chip.run(2000) is None
    assert chip.hash() == last
    assert noc.noc.counter[0, 1] == len(GRID) - 1, "every receiver has acknowledged once"
    chip.close()


def test_after_a_stop(engine: Engine) -> None:
    """Other tiles stand a little later than the one that has stopped."""
    chip = Chip(((1, 2), (2, 2)), engine=engine)
    for place in chip.tiles:
        load(chip, place, store(RESULT, 1))
    chip.tiles[1, 2].add_break(8)
    assert chip.run(500) is not None
    kept, there = chip.capture(), chip.hash()
    chip.tiles[1, 2].resume_from(B)
    assert chip.run(500) is None
    last = chip.hash()
    assert word(chip, (1, 2), RESULT) == 1
    chip.restore(kept)
    assert chip.hash() == there
    assert chip.run(500) is not None, "nothing was reported since"
    assert chip.hash() == there
    chip.tiles[1, 2].resume_from(B)
    assert chip.run(500) is None
    assert chip.hash() == last
    chip.close()
