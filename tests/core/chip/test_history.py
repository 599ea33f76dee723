# SPDX-License-Identifier: Apache-2.0
"""Back in time with a whole chip: to cycles, by an instruction, past what a client has changed."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.history import ChipHistory
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.test_in_step import GRID, made_by

END = 3000


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Machine(engine="compiled").engine


@pytest.mark.parametrize("schedule", [Schedule.LATENCY, Schedule.RANDOM])
def test_back_to_cycles(engine: Engine, schedule: Schedule) -> None:
    with made_by(None, 6, Execution(schedule, 2), engine) as chip:
        hashes = {0: chip.hash()}
        history = ChipHistory(chip, most=4)
        for cycle in range(250, END + 1, 250):
            assert history.run(250) is None
            hashes[cycle] = chip.hash()
        for cycle in (2750, 2500, 1000, 250, 0):
            assert history.to_cycle(cycle)
            assert (chip.cycle, chip.hash()) == (cycle, hashes[cycle])
        assert not history.to_cycle(END + 1)
        assert history.past
        assert history.run(1000) is None
        assert (history.past, chip.hash()) == (True, hashes[1000])
        assert history.to_cycle(750)
        assert chip.hash() == hashes[750]
        history.to_present()
        assert (history.past, chip.cycle, chip.hash()) == (False, END, hashes[END])
        assert history.to_cycle(END - 10)
        assert history.run(20) is None
        assert (history.past, chip.cycle) == (False, END + 10)


def test_back_by_an_instruction(engine: Engine) -> None:
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = ChipHistory(chip)
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
            assert list(history.step_back(GRID[2], B))[-1]
            assert (tile.read_pc(B), chip.hash()) == (pc, state)
        assert history.to_cycle(0)
        before = chip.hash()
        assert not list(history.step_back(GRID[2], B))[-1]
        assert chip.hash() == before


def test_what_a_client_has_changed(engine: Engine) -> None:
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = ChipHistory(chip)
        assert history.run(500) is None
        untouched = chip.hash()
        chip.tiles[GRID[0]].poke(B, 0x20000, b"\x55")
        assert history.run(500) is None
        later = chip.hash()
        assert history.run(300) is None
        assert history.to_cycle(1000)
        assert chip.hash() == later
        assert history.to_cycle(700)
        assert chip.tiles[GRID[0]].peek(B, 0x20000, 1) == b"\x55"
        assert history.to_cycle(400)
        assert chip.tiles[GRID[0]].peek(B, 0x20000, 1) == b"\0"
        assert history.run(100) is None
        assert chip.hash() == untouched
        assert history.run(500) is None, "past the change, which is made again"
        assert chip.hash() == later
        assert history.past
        assert history.first_cycle == 0
        chip.tiles[GRID[1]].poke(B, 0x20000, b"\x66")
        assert history.run(10) is None
        assert not history.past, "what was after the change is forgotten"
        assert not history.to_cycle(1200)


def test_forward_through_changes_to_the_present(engine: Engine) -> None:
    with made_by(None, 6, Execution(Schedule.RANDOM, 5), engine) as chip:
        history = ChipHistory(chip)
        hashes = {}
        for number, cycles in enumerate((300, 7, 123, 400)):
            chip.tiles[GRID[number % len(GRID)]].poke(B, 0x20000, bytes([number + 1]))
            if number == 2:
                chip.tiles[GRID[0]].freeze([B])
            if number == 3:
                chip.tiles[GRID[0]].freeze([])
            assert history.run(cycles) is None
            hashes[chip.cycle] = chip.hash()
        assert history.to_cycle(0)
        for cycle, state in hashes.items():
            assert history.run(cycle - chip.cycle) is None
            assert chip.hash() == state
        assert history.past, "at the last cycle, and before what a client may change there"
        history.pass_change()
        assert not history.past
        assert not chip.tiles[GRID[0]].S.hart.held[B]


def test_back_to_the_last_stop_of_any_tile(engine: Engine) -> None:
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = ChipHistory(chip)
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


def test_a_search_that_is_given_up_has_missed_nothing(engine: Engine) -> None:
    """A step back leaves the chip where it was; a run back goes no further than it has seen."""
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = ChipHistory(chip, most=2)
        assert history.run(END) is None
        present = chip.hash()
        for at in (END, END - 500):
            if at != END:
                assert history.to_cycle(at)
            was = chip.hash()
            step = history.step_back(GRID[2], B)
            assert next(step)
            assert chip.hash() != was
            del step
            assert (chip.cycle, chip.hash(), history.past) == (at, was, at != END)
        back = history.last_stop(lambda stop: True)
        assert next(back) is None
        cycle = chip.cycle
        del back
        assert (chip.cycle, chip.hash()) == (cycle, was)
        back = history.last_stop(lambda stop: True)
        assert [next(back), next(back)] == [None, None]
        del back
        assert chip.cycle < cycle
        history.to_present()
        assert (chip.hash(), history.past) == (present, False)


def test_changes_are_bounded(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more inputs than are kept the oldest go, and the history is shorter then."""
    monkeypatch.setattr("tensix_gdb.core.chip.history.PARTS", 3)
    with made_by(None, 6, Execution(Schedule.LATENCY), engine) as chip:
        history = ChipHistory(chip)
        tile = chip.tiles[GRID[0]]
        for number in range(1, 8):
            assert history.run(10) is None
            tile.S.l1.byte[0x17F000] = number
            history.note_changes()
        assert history.first_cycle >= 50
        assert history.last_cycle == 70
        assert not history.to_cycle(40)
        assert history.to_cycle(70)
        assert tile.S.l1.byte[0x17F000] == 7
