# SPDX-License-Identifier: Apache-2.0
"""M10: code that was written after an instruction cache may have taken it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.devices.backend_config import CONFIG_BASE, IC_INVALIDATE
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li

CALLED = 0x7000
ADDI, RETURN = asm("addi", rd=20, rs1=0, imm=1), asm("jalr", rd=0, rs1=1, imm=0)
NEW = asm("addi", rd=20, rs1=0, imm=2)
INVALIDATE = CONFIG_BASE + 4 * IC_INVALIDATE
RETURNS = 8


def write(addr: int, word: int) -> list[int]:
    """Store a word, read it back and use it, as the page has it."""
    stored = [*li(5, addr), *li(7, word), asm("sw", rs1=5, rs2=7)]
    return [*stored, asm("lw", rd=8, rs1=5), asm("addi", rd=0, rs1=8)]


def call() -> list[int]:
    return [*li(6, CALLED), asm("jalr", rd=1, rs1=6, imm=0)]


def invalidate(harts: int) -> list[int]:
    return [*li(5, INVALIDATE), *li(7, harts), asm("sw", rs1=5, rs2=7), asm("fence")]


def found(words: Sequence[int], schedule: Schedule = Schedule.LATENCY) -> list[Report]:
    """Return the findings of a program of T0, with a function at CALLED that returns."""
    machine = Machine(engine="reference", schedule=schedule)
    machine.load_bytes(
        CALLED, b"".join(word.to_bytes(4, "little") for word in [ADDI, RETURN, 0, 0])
    )
    machine.load(T0, image([*words, EBREAK]))
    machine.check_state(("memory",))
    for _ in range(3):
        machine.run(400)
    reports = list(machine.races().reports)
    assert machine.S.hart.x[T0, 20] in (1, 2)
    machine.close()
    return reports


@pytest.mark.parametrize("schedule", [Schedule.LATENCY, Schedule.RANDOM])
def test_a_forgotten_invalidation(schedule: Schedule) -> None:
    (report,) = found([*call(), *write(CALLED, NEW), *call()], schedule)
    assert (report.check, report.place.name) == ("M10", "L1 0x7000")
    assert (report.later.pc, report.later.instruction) == (CALLED, "addi")
    assert report.earlier.instruction == "sw"


def test_it_is_said_once_for_a_function() -> None:
    words = [*call(), *write(CALLED, NEW), *write(CALLED + 4, RETURN), *call(), *call()]
    assert [one.check for one in found(words)] == ["M10"]


@pytest.mark.parametrize(
    "words",
    [
        [*write(CALLED, NEW), *call()],
        [*call(), *write(CALLED, NEW), *invalidate(1 << T0), *call()],
        [*call(), *write(CALLED + RETURNS, NEW), *call()],
        [*call(), *write(CALLED + 16, NEW), *call()],
    ],
    ids=["before the first call", "invalidated", "another word", "another line"],
)
def test_nothing_is_forgotten(words: Sequence[int]) -> None:
    assert found(words) == []


def test_the_invalidation_of_another_hart() -> None:
    (report,) = found([*call(), *write(CALLED, NEW), *invalidate(1 << B), *call()])
    assert report.check == "M10"


def test_a_hart_that_was_in_reset() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    code = [ADDI, EBREAK]
    machine.load(T0, image(code, CALLED))
    machine.check_state(("memory",))
    machine.run(100)
    machine.load(T0, image(code, CALLED))
    machine.run(100)
    assert list(machine.races().reports) == []
    machine.close()
