# SPDX-License-Identifier: Apache-2.0
"""M11: a load that reads an old copy from the L0 data cache."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li
from tests.core.polls.programs import FLAG, KEEPS_LINES, X5, X6, X7, X8, until
from tests.machines import machine_on

DATA = FLAG + 0x100
READ = [*li(X7, DATA), asm("lw", rd=9, rs1=X7)]  # the line is in the cache from now on


def store(addr: int, value: int) -> list[int]:
    return [*li(X5, addr), *li(X8, value), asm("sw", rs1=X5, rs2=X8)]


def seen(addr: int) -> list[int]:
    """Read back, so that the store is processed."""
    return [asm("lw", rd=X6, rs1=X5), asm("addi", rd=0, rs1=X6)]


def after(cycles: int) -> list[int]:
    return [*li(X6, cycles), asm("addi", rd=X6, rs1=X6, imm=-1), asm("bne", rs1=X6, imm=-4)]


def found(reads: Sequence[int], writes: Sequence[int], engine: str = "compiled") -> list[Report]:
    """Return the findings of T0, which reads, and B, which writes later."""
    machine = machine_on(engine, Schedule.LATENCY)
    machine.load(T0, image([*KEEPS_LINES, *reads, EBREAK], 0x1000))
    machine.load(B, image([*after(200), *writes, EBREAK], 0x8000))
    machine.check_state(("memory",))
    for _ in range(4):
        machine.run(2000)
    reports = [one for one in machine.races().reports if one.check == "M11"]
    machine.close()
    return reports


@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_loop_without_a_fence(engine: str) -> None:
    (report,) = found(until("bne", 1)[:-1], store(FLAG, 1), engine)
    assert report.place.name == f"L1 {FLAG:#x}"
    assert (report.earlier.agent, report.earlier.instruction) == ("B", "sw")
    assert (report.later.agent, report.later.instruction) == ("T0", "lw")
    assert 200 < report.earlier.first <= report.later.first
    assert "The line has 0x0, and L1 had 0x1." in report.reason
    assert report.count > 100


FENCE = asm("fence")
WAITS = until("bne", 1, FENCE)[:-1]
WRITES = [*store(DATA, 7), *seen(DATA), *store(FLAG, 1)]
LOAD = asm("lw", rd=9, rs1=X7)


def test_data_that_a_hart_has_been_told_of() -> None:
    """T0 reads the data, and again after the flag says that they are written."""
    (report,) = found([*READ, *after(600), *until("bne", 1)[:-1], LOAD], WRITES)
    assert report.place.name == f"L1 {DATA:#x}"
    assert report.count == 1
    assert "The line has 0x0, and L1 had 0x7." in report.reason


@pytest.mark.parametrize(
    "reads",
    [
        [*READ, *WAITS, LOAD],
        [*WAITS, *READ],
        [*READ, *WAITS, FENCE, LOAD, LOAD],
        [*READ, *after(600), LOAD],
    ],
    ids=["a fence in the loop", "no copy", "a fence before it", "nothing says that it is written"],
)
def test_nothing_is_stale(reads: Sequence[int]) -> None:
    assert found(reads, WRITES) == []
