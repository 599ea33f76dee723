# SPDX-License-Identifier: Apache-2.0
"""Back in time with a chip: by an instruction of one hart, and to stops of any tile."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.chip.replayable import begin_chip_history
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.test_in_step import GRID, made_by


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Machine(engine="compiled").engine


def test_each_step_is_one_back(engine: Engine) -> None:
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = begin_chip_history(chip)
        tile = chip.tiles[GRID[2]]
        steps: list[tuple[int, str]] = []  # each pc, and the last state before it was executed
        retired = 0
        last = (tile.read_pc(B), chip.hash())
        for _ in range(120):
            assert history.run(1) is None
            if tile.S.hart.retired[B] > retired:
                steps.append(last)
                retired = int(tile.S.hart.retired[B])
            last = (tile.read_pc(B), chip.hash())
        for pc, state in reversed(steps[-5:]):
            assert list(history.step_back(B, tile=2))[-1]
            assert (tile.read_pc(B), chip.hash()) == (pc, state)
        assert history.to_cycle(0)
        before = chip.hash()
        assert not list(history.step_back(B, tile=2))[-1]
        assert chip.hash() == before


def test_back_to_the_last_stop_of_any_tile(engine: Engine) -> None:
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = begin_chip_history(chip)
        for tile in chip.tiles.values():
            tile.add_break(8)
            tile.add_break(0x40)
        stops: list[tuple[Place, int, int]] = []
        while len(stops) < 2 * len(GRID):
            stop = history.run(5000)
            assert stop is not None
            stops.append((stop.place, stop.stop.pc, int(chip.tiles[stop.place].S.tile.cycle)))
            chip.tiles[stop.place].resume_from(stop.stop.hart)
        for place, pc, cycle in reversed(stops[:-1]):
            *_, found = history.last_stop(lambda stop: True)
            assert found is not None
            assert (found.place, found.stop.pc) == (place, pc)
            assert chip.tiles[place].S.tile.cycle == cycle
        assert list(history.last_stop(lambda stop: True))[-1:] in ([], [None])
        assert chip.cycle == 0
