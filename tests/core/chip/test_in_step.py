# SPDX-License-Identifier: Apache-2.0
"""The compiled loop over tiles, threads, tiles that sleep: the same states as tile by tile and
quantum by quantum, over random programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip import chip as chip_module
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.in_step import Plain, in_step
from tensix_gdb.core.chip.together import SLEEPS, Together
from tensix_gdb.core.engine import Engine, EngineDefect
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.noc.request import BROADCAST, SRC_INCLUDE, STATIC
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, li
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    MARKED,
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
    word,
)

GRID = ((1, 2), (2, 2), (7, 2), (1, 3), (2, 3), (10, 3))
CYCLES = 12_000
SCHEDULES = ("sc", "latency", "latency,links", "random:7")


def delay(rounds: int) -> list[int]:
    return [*li(9, rounds), asm("addi", rd=9, rs1=9, imm=-1), asm("bne", rs1=9, rs2=0, imm=-4)]


def program(random: Random, number: int) -> list[int]:
    """Requests of all kinds to other tiles and DRAM, with pauses; at last it polls for ever."""
    words: list[int] = []
    here = GRID[number]
    for _ in range(random.randrange(1, 7)):
        niu = random.randrange(2)
        there = at(random.choice(GRID), niu)
        size = random.choice((4, 64, 512, 4096))
        both = at((10, 3)) | at((1, 2)) << 12  # on NoC 0; NoC 1 has the corners swapped
        dram = at(DRAM[random.randrange(8)][0], niu)
        flags = random.choice((0, MARKED, MARKED | STATIC))
        kind = random.randrange(6)
        if kind == 0:
            words += request(WRITE | flags, DATA, at(here, niu), COPY, there, size, niu=niu)
        elif kind == 1:
            words += request(READ, COPY, there, RESULT, at(here, niu), size, niu=niu)
        elif kind == 2:
            words += request(
                ATOMIC | flags, SEMAPHORE, there, RESULT, at(here, niu), INCREMENT, 3, niu
            )
        elif kind == 3:
            include = random.choice((0, SRC_INCLUDE))
            ctrl = WRITE | BROADCAST | MARKED | include
            words += request(ctrl, DATA, at(here), COPY, both, size)
        elif kind == 4:
            words += request(WRITE | flags, DATA, at(here, niu), 0x1000, dram, size, niu=niu)
        else:
            words += request(READ, 0x1000, dram, RESULT, at(here, niu), size, niu=niu)
        if kind in (1, 5) and random.randrange(2):
            words += barrier(niu)
        words += delay(random.choice((1, 40, 900)))
        words += copy_word(COPY, RESULT + 0x40) if random.randrange(2) else []
    return words + store(0xF000, number) + wait_for(SEMAPHORE, 0x7FFFFFFF)


@contextmanager
def made_by(
    make: type[Plain] | None,
    seed: int,
    execution: Execution,
    engine: str | Engine,
    threads: int = 1,
) -> Iterator[Chip]:
    with pytest.MonkeyPatch.context() as patch:
        if make is not None:
            patch.setattr(
                chip_module, "in_step", lambda machines, _, network: make(machines, network)
            )
        chip = Chip(GRID, engine=engine, schedule=execution, threads=threads)
    random = Random(seed)
    for number, place in enumerate(GRID):
        chip.tiles[place].load_bytes(DATA, bytes([number + 1]) * 4096)
        load(chip, place, program(random, number))
    try:
        yield chip
    finally:
        chip.close()


def hashes(chip: Chip, slices: tuple[int, ...], *, lazy: bool = False) -> str:
    for cycles in slices:
        assert chip.run(cycles, lazy=lazy) is None
    assert chip.run(CYCLES - chip.cycle, lazy=lazy) is None
    return chip.hash()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Machine(engine="compiled").engine


class NeverSleeps(Plain):
    """As plain as can be: one quantum is one call of each tile, and none is left out."""

    def set_mode(self, number: int, mode: int) -> None:
        super().set_mode(number, mode)

    def run(
        self, start: int, end: int, *, at_each: bool = False, finishes: bool = False
    ) -> tuple[int, int]:
        for machine in self._machines:
            machine.S.polling.look = 1 << 62
        return super().run(start, end, at_each=at_each)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_all_come_to_the_same_state(engine: Engine, schedule: str, seed: int) -> None:
    execution = replace(Execution.parse(schedule), seed=seed + 1)
    with made_by(NeverSleeps, seed, execution, engine) as chip:
        expected = hashes(chip, ())
        assert not any(machine.S.polling.skipped for machine in chip.tiles.values())
    for slices, lazy in (((), True), ((1, 6, 5000), False), ((100,) * 40, True)):
        with made_by(None, seed, execution, engine) as chip:
            assert isinstance(chip._in_step, Together)
            assert hashes(chip, slices, lazy=lazy) == expected, (slices, lazy)
    with made_by(Plain, seed, execution, engine) as chip:
        assert hashes(chip, (3000, 17)) == expected


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_threads_change_nothing(engine: Engine, schedule: str) -> None:
    states = set()
    for threads in (1, 2, 4):
        for _ in range(3):
            with made_by(None, 5, Execution.parse(schedule), engine, threads) as chip:
                assert chip.run(9000, lazy=True) is None
                assert chip.run(500) is None
                states.add(chip.hash())
    assert len(states) == 1


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_reference_engine_comes_to_the_same_state(engine: Engine, schedule: str) -> None:
    execution = Execution.parse(schedule)
    states = []
    for kind in (engine, "reference"):
        with made_by(None, 3, execution, kind) as chip:
            assert chip.run(600) is None
            states.append(chip.hash())
    assert states[0] == states[1]


def test_a_tile_that_polls_sleeps_until_something_is_written(engine: Engine) -> None:
    chip = Chip(((1, 2), (2, 2)), engine=engine)
    load(chip, (1, 2), wait_for(SEMAPHORE, 1) + store(RESULT, 7) + wait_for(SEMAPHORE, 2))
    words = [*delay(30_000), *request(ATOMIC, SEMAPHORE, at((1, 2)), 0, 0, INCREMENT, data=1)]
    load(chip, (2, 2), words)
    assert chip.run(20_000, lazy=True) is None
    sleeper = chip.tiles[1, 2]
    assert sleeper.S.tile.cycle < 10_000, "it is where it fell asleep"
    assert chip._in_step.mode(0) == SLEEPS
    assert chip.run(100_000, lazy=True) is None
    assert word(chip, (1, 2), RESULT) == 7
    assert chip.wake((1, 2)).S.tile.cycle == chip.cycle == 120_000
    # A client changes memory between two runs.
    sleeper.poke(B, SEMAPHORE, (2).to_bytes(4, "little"))
    assert chip.run(2000) is None
    assert sleeper.read_pc(B) != 0
    assert chip.tiles[2, 2].S.tile.cycle == chip.cycle
    chip.close()


def test_harts_sleep_from_quantum_to_quantum_until_another_tile_changes_theirs(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip = Chip(GRID, engine=engine)
    loop = chip._in_step
    assert isinstance(loop, Together)
    loop.carry(0)  # Python delivers
    words = request(WRITE | MARKED, DATA, at(GRID[0]), RESULT, at(GRID[1]), 16)
    load(chip, GRID[0], words + delay(3000))
    for place in GRID[1:]:
        load(chip, place, delay(3000))
    seen = []
    deliver = chip._traffic.deliver

    def and_look(now: int) -> int:
        before = loop.changed()
        failed = deliver(now)
        seen.append((before, loop.changed()))
        return failed

    monkeypatch.setattr(chip._traffic, "deliver", and_look)
    assert chip.run(1000, lazy=True) is None
    assert seen == [([], [0, 1])] * 2, "the request, and its acknowledgement"
    assert loop.changed() == []
    chip.wake(GRID[3])
    assert loop.changed() == [3]
    chip.close()


def test_what_is_armed_in_a_tile_that_sleeps(engine: Engine) -> None:
    chip = Chip(((1, 2), (2, 2)), engine=engine)
    load(chip, (1, 2), wait_for(SEMAPHORE, 1))
    assert chip.run(5000, lazy=True) is None
    sleeper = chip.wake((1, 2))
    sleeper.add_break(len(li(10, SEMAPHORE)) * 4 + len(li(12, 1)) * 4)  # the fence of its loop
    stop = chip.run(5000, lazy=True)
    assert stop is not None
    assert stop.place == (1, 2)
    assert 5000 <= chip.cycle < 5100
    chip.close()


def test_a_defect_of_the_machine_is_raised(engine: Engine) -> None:
    chip = Chip(((1, 2), (2, 2)), engine=engine, threads=2)
    for place in chip.tiles:
        load(chip, place, delay(1000))
    chip.tiles[2, 2].S.engine.defect = 1  # as compiled code leaves it
    with pytest.raises(EngineDefect):
        chip.run(1000)
    assert chip.run(1000) is None
    chip.close()


def test_a_tile_that_is_recorded_is_run_by_its_machine(engine: Engine) -> None:
    states, seen = set(), []
    for recorded in (False, True):
        with made_by(None, 2, Execution(Schedule.LATENCY), engine) as chip:
            if recorded:
                chip.tiles[GRID[1]].start_recording()
                seen.append(chip.tiles[GRID[1]].runner.is_watched())
            assert chip.run(900) is None
            assert chip.run(900, lazy=True) is None
            states.add(chip.hash())
    assert seen == [True]
    assert len(states) == 1


def test_stops_of_two_tiles_in_one_quantum_are_both_reported(engine: Engine) -> None:
    chip = Chip(((1, 2), (2, 2)), engine=engine, threads=2)
    for place in chip.tiles:
        load(chip, place, [*delay(20), *store(RESULT, 1)])
        chip.tiles[place].add_break(5 * 4)
    for place, machine in chip.tiles.items():
        stop = chip.run(1000)
        assert stop is not None
        assert stop.place == place
        machine.resume_from(B)
    assert chip.run(1000) is None
    assert [word(chip, place, RESULT) for place in chip.tiles] == [1, 1]
    chip.close()


def test_all_in_one_is_what_is_used_with_compiled_code() -> None:
    machines = [Machine(engine="reference")]
    assert isinstance(in_step(machines, 2), Plain)
