# SPDX-License-Identifier: Apache-2.0
"""Harts that wait are not asked in every cycle (core/riscv/pipeline/asleep.py): the record is
that of the same cycles with every hart asked, to the byte.

The oracle runs one cycle at a time, and each call begins with all harts awake. All five harts run
at once and get at each other: they write to each other's code, B puts T0 into reset and takes it
out again, and invalidates its instruction cache.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, RESET_PC, T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image, li
from tests.core.clock.test_burst_timed import DATA, LOCAL, instruction
from tests.machines import ENGINES, machine_on

SOFT_RESET_0, IC_INVALIDATE = 0xFFB121B0, 0xFFEF0000 + 4 * 185
RESET_T0 = 1 << 12
KINDS = "aaaaallLLLsSSbbdfcgAmwww"  # w: to the code of another hart
ROUNDS, CYCLES = {"reference": 2, "compiled": 40, "checked": 12}, 300
SCHEDULES = [Schedule.LATENCY, Schedule.RANDOM]


def one(draw: random.Random, hart: int) -> list[int]:
    """An instruction, or of B now and then a few that reset T0 or empty its instruction cache."""
    kind = draw.choice(KINDS)
    if kind == "w":
        return [asm("sw", rs1=7, rs2=draw.choice((5, 6)), imm=4 * draw.randrange(40))]
    if hart == B and draw.random() < 0.1:
        nothing = [asm("addi", rd=11, rs1=11, imm=1)] * draw.randrange(8)
        if draw.random() < 0.5:
            return [asm("sw", rs1=29, rs2=30)]
        return [asm("sw", rs1=28, rs2=31), *nothing, asm("sw", rs1=28)]
    return [instruction(draw, kind)]


def begin(machines: tuple[Machine, ...], draw: random.Random) -> None:
    """Load the same programs into all of them. x5 and x6 are instructions of one word each."""
    programs = []
    for hart in range(HARTS):
        words = [word for _ in range(draw.randrange(8, 40)) for word in one(draw, hart)]
        programs.append([*words, asm("jal", imm=-4 * len(words))])
    values = {8: DATA, 9: LOCAL, 10: LOCAL + 0x18000, 28: SOFT_RESET_0, 29: IC_INVALIDATE}
    values |= {5: asm("addi", rd=12, rs1=11, imm=3), 6: asm("add", rd=13, rs1=14, rs2=12)}
    values |= {30: 1 << T0, 31: RESET_T0}
    for machine in machines:
        machine.images.clear()
        machine.reset()
        for hart, words in enumerate(programs):
            head = [word for number, value in values.items() for word in li(number, value)]
            at = RESET_PC[(hart + 1) % HARTS] + 4 * (len(head) + 4)
            head += li(7, at)
            machine.load(hart, image([*head, *words], RESET_PC[hart]))


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def pair(engine: str, schedule: Schedule) -> Iterator[tuple[Machine, Machine]]:
    machines = machine_on(engine, schedule), machine_on("compiled", schedule)
    yield machines
    for machine in machines:
        machine.close()


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda each: each.name.lower())
def test_the_same_as_with_every_hart_asked(pair: tuple[Machine, Machine], engine: str) -> None:
    draw = random.Random(7)
    machine, oracle = pair
    for _ in range(ROUNDS[engine]):
        begin(pair, draw)
        for _ in range(4):
            cycles = draw.randrange(2, CYCLES)
            ended = machine.run(cycles) is not None
            for _ in range(cycles):
                if oracle.run(1) is not None:
                    assert ended
                    break
            else:
                assert not ended
            assert machine.record.state() == oracle.record.state(), machine.record.diff(
                oracle.record
            )
            if ended:
                break


def test_harts_do_sleep_and_are_woken_by_all_that_ends_a_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise the test above shows nothing."""
    slept = {0: 0, 1: 0}
    real = asleep.sleeps

    def counting(S: object, hart: int) -> int:
        answer = real(S, hart)  # type: ignore[arg-type]
        slept[answer] += 1
        return answer

    monkeypatch.setattr(asleep, "sleeps", counting)
    machine = machine_on("reference", Schedule.LATENCY)
    draw = random.Random(7)
    for _ in range(3):
        begin((machine,), draw)
        machine.run(CYCLES)
    machine.close()
    assert slept[1] > slept[0] / 2


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda each: each.name.lower())
def test_what_a_debugger_has_written_is_known_when_the_load_retires(
    pair: tuple[Machine, Machine],
) -> None:
    """The load's answer is not wanted then, and does not make the register known. The machine
    stops between the answer and the retirement, too."""
    load, use = asm("lw", rd=10, rs1=8), asm("addi", rd=11, rs1=10, imm=1)
    program = [*li(8, DATA), asm("fence"), load, use, asm("addi", rd=12, rs1=12, imm=1)]
    program.append(asm("jal", imm=-4 * 4))
    machine, oracle = pair
    for before in range(4, 40):
        for each in pair:
            each.images.clear()
            each.reset()
            for hart in (B, T0):  # alone it would not sleep
                each.load(hart, image(program, RESET_PC[hart]))
            each.run(before)
            each.write_x(B, 10, 100)
        for _ in range(12):
            machine.run(5)
        for _ in range(60):
            oracle.run(1)
        assert machine.read_x(B, 12) > 0
        assert machine.record.state() == oracle.record.state()
