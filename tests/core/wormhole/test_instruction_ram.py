# SPDX-License-Identifier: Apache-2.0
"""NC in its instruction RAM: what looks at the instruction of a hart finds it there too."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.arch.wormhole import IRAM_BASE
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Kind
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, NOP, SPIN, asm, image, li
from tests.machines import ENGINES, machine_on

FLAG, DATA = 0x20000, 0x20100
POLL = [*li(5, FLAG), asm("lw", rd=6, rs1=5), asm("beq", imm=-4, rs1=6)]


def nc_in_iram(engine: str, *program: int) -> Machine:
    """A tile of which NC begins in its instruction RAM."""
    machine = machine_on(engine, Schedule.LATENCY, arch=Arch.WORMHOLE)
    machine.load(NC, image([*li(5, IRAM_BASE), asm("jalr", rs1=5)], 0x12000))
    machine.poke(NC, IRAM_BASE, b"".join(word.to_bytes(4, "little") for word in program))
    return machine


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_tile_that_polls_there_is_passed(engine: str) -> None:
    """The cycles of a poll are skipped, as they are in L1, and it stops where it does in L1."""
    machine = nc_in_iram(engine, *POLL, EBREAK)
    assert machine.run(30_000) is None
    assert machine.S.polling.skipped > 10_000
    assert IRAM_BASE <= machine.read_pc(NC) < IRAM_BASE + 4 * len(POLL)
    machine.poke(B, FLAG, b"\1")
    stop = machine.run(1000)
    assert stop is not None
    assert (stop.hart, stop.pc) == (NC, IRAM_BASE + 4 * len(POLL))
    machine.close()


def test_what_it_polls_is_no_race(engine: str) -> None:
    """The load is recognised as a poll; the data that the flag is for is ordered."""
    machine = nc_in_iram(engine, *POLL, *li(5, DATA), asm("lw", rd=7, rs1=5), EBREAK)
    machine.observe_races()
    store = [*li(5, DATA), *li(6, 1), asm("sw", rs1=5, rs2=6)]
    post = [*li(5, FLAG), asm("sw", rs1=5, rs2=6)]
    machine.load(B, image([*[NOP] * 80, *store, *post, SPIN], 0x1000))
    stop = machine.run(2000)
    assert stop is not None
    assert stop.hart == NC
    assert not machine.races().reports
    machine.close()


def test_a_race_there_has_its_address_and_its_instruction() -> None:
    program = [*li(5, DATA), asm("lhu", rd=7, rs1=5), EBREAK]
    machine = nc_in_iram("compiled", *program)
    machine.observe_races()
    machine.load(B, image([*li(5, DATA), *li(6, 1), asm("sw", rs1=5, rs2=6), SPIN], 0x1000))
    machine.run(2000)
    (report,) = machine.races().reports
    (there,) = [one for one in (report.earlier, report.later) if one.hart == NC]
    assert there.kind is Kind.READ
    assert (there.pc, there.instruction) == (IRAM_BASE + 4 * (len(program) - 2), "lhu")
    machine.close()


def test_a_fault_there_is_skipped_there() -> None:
    """The hart continues at the instruction after a fault: the load gives 0."""
    program = [*li(5, 0xFFB50000), *li(7, 3), asm("lw", rd=7, rs1=5), EBREAK]
    machine = nc_in_iram("compiled", *program)
    machine.faults.set("all=count")
    stop = machine.run(2000)
    assert stop is not None
    assert (stop.hart, stop.pc) == (NC, IRAM_BASE + 4 * (len(program) - 1))
    assert machine.read_x(NC, 7) == 0
    machine.close()
