# SPDX-License-Identifier: Apache-2.0
"""Requests of another tile wait for banks of L1 that narrow writes keep, in the order in which they
have come."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.ends import End
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.l1_ports import BANKS, NARROW_WRITE, keep_bank
from tensix_gdb.core.noc.turns import turn
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image, li
from tests.core.chip.programs import (
    ATOMIC,
    BROADCAST,
    COPY,
    DATA,
    INCREMENT,
    INLINE,
    MARKED,
    READ,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    load,
    request,
    word,
)

NEAR, OTHER, FAR = (1, 2), (4, 2), (10, 2)
SIZE = 4 * BANKS * 4  # bytes in all banks of four lines
NIU_0 = 0


@pytest.fixture
def S() -> Iterator[View]:
    machine = Machine(schedule=Schedule.LATENCY)
    machine.S.tile.cycle = 100
    yield machine.S
    machine.close()


def come(S: View, cycle: int, given: int, addr: int, size: int = 16) -> int:
    S.tile.cycle = cycle
    return turn(S, NIU_0, given, addr, size)


def test_a_request_that_needs_no_kept_bank_does_not_wait(S: View) -> None:
    keep_bank(S, COPY, 0)
    assert come(S, 100, 0, COPY + 16) == 0
    assert come(S, 100, 0, COPY, size=0) == 0  # it reads
    assert come(S, 100 + NARROW_WRITE, 0, COPY) == 0


def test_what_comes_later_waits_for_the_first_one(S: View) -> None:
    keep_bank(S, COPY, 0)
    assert come(S, 101, 0, COPY) == 105
    assert come(S, 102, 0, COPY + 16) == 106
    assert come(S, 103, 0, COPY, size=0) == 107
    assert turn(S, 1, 0, COPY + 16, 16) == 0  # the other NIU
    assert come(S, 105, 0, COPY + 16) == 108  # before the first has its turn in this cycle
    for cycle in (105, 106, 107, 108):
        assert come(S, cycle, cycle, COPY + 16 * (cycle > 105)) == 0
    assert come(S, 109, 0, COPY) == 0


def test_those_after_a_first_one_that_waits_again_keep_their_order(S: View) -> None:
    keep_bank(S, COPY, 0)
    assert come(S, 101, 0, COPY) == 105
    assert come(S, 102, 0, COPY + 16) == 106
    assert come(S, 103, 0, COPY + 32) == 107
    S.tile.cycle = 104
    keep_bank(S, COPY, 0)
    assert come(S, 105, 105, COPY) == 109
    assert come(S, 106, 106, COPY + 16) == 110
    assert come(S, 107, 107, COPY + 32) == 111
    for cycle, addr in ((109, COPY), (110, COPY + 16), (111, COPY + 32)):
        assert come(S, cycle, cycle, addr) == 0


def test_without_time_nothing_waits() -> None:
    """Nor where orders are drawn."""
    for schedule in (Schedule.SC, Schedule.RANDOM):
        chip, cycles = Chip((NEAR, FAR), schedule=schedule), []
        for _ in range(2):
            load(chip, NEAR, copies())
            assert chip.run(4000) is None
            cycles.append(int(chip.tiles[FAR].S.noc.last_turn[NIU_0]))
        assert cycles == [0, 0]
        chip.close()


def copies(ctrl: int = 0, there: int = at(FAR)) -> list[int]:
    """Sixteen times data, then a semaphore, which is polled."""
    words = []
    for number in range(16):
        to = COPY + 256 * number
        words += request(WRITE | MARKED | ctrl, DATA, at(NEAR), to, there, SIZE)
        if not ctrl:
            words += request(
                ATOMIC | MARKED, SEMAPHORE, at(FAR), RESULT, at(NEAR), INCREMENT, data=1
            )
    return words + barrier(0)


def busy(chip: Chip) -> None:
    """T0 of the far tile stores a word of a bank as often as it can."""
    loop = [asm("addi", rd=11, rs1=11, imm=1), asm("sw", rs1=10, rs2=11), asm("jal", imm=-8)]
    chip.tiles[FAR].load(T0, image([*li(10, COPY + 0x2000), *loop], 0x4000))


def run(engine: str = "compiled", *, is_busy: bool = True, ctrl: int = 0) -> tuple[Chip, int]:
    """Run the copies; the chip, and how many turns have been given."""
    chip = Chip((NEAR, OTHER, FAR), engine=engine, schedule=Schedule.LATENCY)
    chip.tiles[NEAR].load_bytes(DATA, bytes([7]) * SIZE)
    rectangle = at(OTHER) | at(FAR) << 12
    load(chip, NEAR, copies(ctrl, rectangle if ctrl else at(FAR)))
    if is_busy:
        busy(chip)
    turns, seen = 0, 0
    for _ in range(60):
        assert chip.run(100) is None
        last = int(chip.tiles[FAR].S.noc.last_turn[NIU_0])
        turns, seen = turns + (last != seen), last
    return chip, turns


@pytest.mark.parametrize("ctrl", [0, BROADCAST], ids=["one tile", "rectangle"])
def test_both_ways_are_the_same(ctrl: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chip, turns = run(ctrl=ctrl)
    assert turns > 1
    assert run(is_busy=False, ctrl=ctrl)[1] < turns
    monkeypatch.setattr(End, "is_plain", lambda end: False)
    other, _ = run(ctrl=ctrl)
    assert other.hash() == chip.hash()
    for each in (chip, other):
        each.close()


def test_a_semaphore_is_not_there_before_its_data() -> None:
    chip = Chip((NEAR, FAR), engine="compiled", schedule=Schedule.LATENCY)
    chip.tiles[NEAR].load_bytes(DATA, bytes([7]) * SIZE)
    load(chip, NEAR, copies())
    busy(chip)
    seen = 0
    while seen < 16:
        assert chip.run(1) is None
        assert chip.cycle < 20_000
        seen = word(chip, FAR, SEMAPHORE)
        for number in range(seen):
            assert chip.tiles[FAR].peek(0, COPY + 256 * number, SIZE) == bytes([7]) * SIZE
    chip.close()


@pytest.mark.parametrize("kind", [READ, WRITE | INLINE, ATOMIC])
def test_other_requests_are_done_too(kind: int) -> None:
    chip = Chip((NEAR, FAR), engine="compiled", schedule=Schedule.LATENCY)
    words = []
    for _ in range(8):
        length = 64 if kind == READ else INCREMENT if kind == ATOMIC else 0xF
        targ = COPY + 0x2000
        words += request(kind | MARKED, targ, at(FAR), RESULT, at(NEAR), length, data=5)
        words += barrier(0)
    load(chip, NEAR, [*words, *li(10, SEMAPHORE), *li(11, 1), asm("sw", rs1=10, rs2=11)])
    busy(chip)
    assert chip.run(9_000) is None
    assert word(chip, NEAR, SEMAPHORE) == 1
    chip.close()
