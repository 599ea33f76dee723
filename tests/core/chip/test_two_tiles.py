# SPDX-License-Identifier: Apache-2.0
"""Two tiles and the NoC between them: requests of each kind, order, faults, slices, engines."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import QUANTUM, Chip
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.schedule import Schedule
from tests.core.chip.programs import (
    ATOMIC,
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
    barrier,
    copy_word,
    load,
    request,
    wait_for,
    word,
)

# As far from each other on one NoC as on the other one, nearly.
NEAR, FAR = (1, 2), (10, 2)
BYTES = 512
PATTERN = bytes(range(1, 256)) + bytes(range(1, 256)) + b"\x01\x02"
LAST = int.from_bytes(PATTERN[-4:], "little")
ENOUGH = 3000


def chip_of(schedule: Schedule = Schedule.LATENCY, seed: int = 1, engine: str = "compiled") -> Chip:
    chip = Chip((NEAR, FAR), engine=engine, schedule=schedule, seed=seed)
    chip.tiles[NEAR].load_bytes(DATA, PATTERN)
    return chip


@pytest.mark.parametrize("niu", [0, 1])
def test_a_write_with_an_acknowledgement(niu: int) -> None:
    chip = chip_of()
    ctrl = WRITE | MARKED
    load(
        chip,
        NEAR,
        request(ctrl, DATA, at(NEAR, niu), COPY, at(FAR, niu), BYTES, niu=niu)
        + barrier(niu)
        + copy_word(DATA, RESULT),
    )
    assert chip.run(ENOUGH) is None
    assert chip.tiles[FAR].peek(B, COPY, BYTES + 1) == PATTERN + b"\0"
    assert word(chip, NEAR, RESULT) != 0, "the barrier has come to its end"
    counters = [chip.tiles[NEAR].S.noc.counter[niu, i] for i in (1, 8, 10, 12)]
    assert counters == [1, BYTES // 64, 1, 1]
    received = [chip.tiles[FAR].S.noc.counter[niu, i] for i in (49, 52, 56, 58, 60)]
    assert received == [1, 1, BYTES // 64, 1, 1]
    chip.close()


def test_a_read_an_inline_write_and_an_atomic() -> None:
    chip = chip_of()
    chip.tiles[FAR].load_bytes(COPY, PATTERN)
    chip.tiles[FAR].load_bytes(SEMAPHORE, (40).to_bytes(4, "little"))
    there = at(FAR)
    words = request(READ, COPY, there, RESULT, at(NEAR), BYTES) + barrier(0)
    words += request(WRITE | INLINE | MARKED, COPY, there, data=0x12345678) + barrier(0)
    words += request(ATOMIC | MARKED, SEMAPHORE, there, DATA, at(NEAR), INCREMENT, data=2)
    load(chip, NEAR, words + barrier(0))
    assert chip.run(ENOUGH) is None
    assert chip.tiles[NEAR].peek(B, RESULT, BYTES) == PATTERN
    assert word(chip, FAR, COPY) == 0x12345678
    assert word(chip, FAR, SEMAPHORE) == 42
    assert word(chip, NEAR, DATA) == 40, "the answer is what was there before"
    chip.close()


def test_a_tile_knows_where_it_is() -> None:
    chip = chip_of()
    for place in (NEAR, FAR):
        words = copy_word(NIU + 0x44, RESULT) + copy_word(NIU + STRIDE + 0x44, RESULT + 4)
        load(chip, place, words + copy_word(NIU + 0x148, RESULT + 8))
    assert chip.run(ENOUGH) is None
    for place in (NEAR, FAR):
        x, y = place
        seen = [word(chip, place, RESULT + 4 * i) for i in range(3)]
        assert [seen[0] & 0xFFF, seen[1] & 0xFFF] == [x | y << 6, 16 - x | (11 - y) << 6]
        assert seen[2] == x | y << 6
    chip.close()


def test_dram_is_one() -> None:
    """One tile writes it, and tells the other one over the NoC."""
    chip = chip_of()
    dram = at(DRAM[0][0])
    words = request(WRITE | MARKED, DATA, at(NEAR), 0x1000, dram, 64) + barrier(0)
    load(chip, NEAR, words + request(ATOMIC, SEMAPHORE, at(FAR), 0, 0, INCREMENT, data=1))
    words = wait_for(SEMAPHORE, 1) + request(READ, 0x1000, dram, COPY, at(FAR), 64)
    load(chip, FAR, words + barrier(0))
    assert chip.run(ENOUGH) is None
    assert chip.tiles[FAR].peek(B, COPY, 64) == PATTERN[:64]
    chip.close()


# The order of two NoCs


def handed_over(chip: Chip, *, waits: bool) -> None:
    """Data by NoC 1, then a semaphore by NoC 0; the other tile reads the last word of the data. No
    page says that what two NoCs carry arrives in order."""
    words = request(WRITE | MARKED, DATA, at(NEAR, 1), COPY, at(FAR, 1), BYTES, niu=1)
    words += barrier(1) if waits else []
    load(chip, NEAR, words + request(ATOMIC, SEMAPHORE, at(FAR), 0, 0, INCREMENT, data=1))
    load(chip, FAR, wait_for(SEMAPHORE, 1) + copy_word(COPY + BYTES - 4, RESULT))


def outcome(schedule: Schedule, seed: int, *, waits: bool) -> int:
    chip = chip_of(schedule, seed)
    handed_over(chip, waits=waits)
    while chip.cycle < 3 * ENOUGH and not word(chip, FAR, SEMAPHORE):
        assert chip.run(500) is None
    assert chip.run(1000) is None
    chip.close()
    assert word(chip, FAR, SEMAPHORE) == 1
    return word(chip, FAR, RESULT)


def test_a_barrier_orders_two_nocs() -> None:
    assert outcome(Schedule.LATENCY, 1, waits=True) == LAST
    for seed in range(1, 61):
        assert outcome(Schedule.RANDOM, seed, waits=True) == LAST, f"seed {seed}"


def test_without_the_barrier_a_seed_fails() -> None:
    assert outcome(Schedule.LATENCY, 1, waits=False) == LAST, "which is why it may be missed"
    seen = {seed: outcome(Schedule.RANDOM, seed, waits=False) for seed in range(1, 31)}
    assert set(seen.values()) == {0, LAST}


# What changes nothing


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_slices_and_engines_change_nothing(schedule: Schedule) -> None:
    hashes = set()
    for engine, slices in (
        ("compiled", (900,)),
        ("compiled", (1, 7, 300, 592)),
        ("compiled", (QUANTUM - 1,) * 50),
        ("reference", (900,)),
    ):
        chip = chip_of(schedule, 5, engine)
        handed_over(chip, waits=True)
        for cycles in slices:
            assert chip.run(cycles) is None
        assert chip.run(900 - chip.cycle) is None
        hashes.add(chip.hash())
        chip.close()
    assert len(hashes) == 1
    assert schedule is Schedule.LATENCY or chip_of(schedule, 6).hash() not in hashes


def test_a_breakpoint_in_one_tile_stops_the_chip_and_changes_nothing() -> None:
    straight, stopped = chip_of(), chip_of()
    for chip in (straight, stopped):
        handed_over(chip, waits=True)
    stopped.tiles[FAR].add_break(8 * 4)
    found = stopped.run(900)
    assert found is not None
    assert (found.place, found.stop.pc) == (FAR, 32)
    stopped.tiles[FAR].remove_break(8 * 4)
    stopped.tiles[FAR].resume_from(B)
    assert stopped.run(900 - stopped.cycle) is None
    assert straight.run(900) is None
    assert stopped.hash() == straight.hash()
    straight.close()
    stopped.close()


# What cannot be


def test_addresses_that_are_not_there_are_faults_of_the_sender() -> None:
    for words, sentence in (
        (
            request(WRITE, DATA, at(NEAR), 0x17FFF0, at(FAR), 64),
            "0x17fff0, where there is no memory",
        ),
        (request(WRITE, DATA, at(NEAR), COPY, at((3, 3)), 64), "NoC"),
        (request(ATOMIC, SEMAPHORE, at(FAR), 0, 0, 15 << 12), "NoC/Atomics.md"),
    ):
        chip = chip_of()
        load(chip, NEAR, words)
        found = chip.run(ENOUGH)
        assert found is not None
        assert found.place == NEAR
        assert sentence in found.stop.text, found.stop.text
        chip.close()


@pytest.mark.parametrize("places", [(), ((1, 2), (1, 2)), ((0, 2),), ((9, 5),), ((1, 1),)])
def test_places_without_a_tensix_tile(places: tuple[Place, ...]) -> None:
    with pytest.raises(ValueError, match="tile"):
        Chip(places, engine="reference")


def test_a_chip_runs_one_execution() -> None:
    with pytest.raises(ValueError, match="sc, latency or random"):
        Chip((NEAR,), engine="reference", schedule=Schedule.EXHAUSTIVE)
