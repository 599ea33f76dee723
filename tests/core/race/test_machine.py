# SPDX-License-Identifier: Apache-2.0
"""Observing races of a machine: by its two calls, over a reset and going back."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.mop_config import MOP_CONFIG_BASE, WORDS
from tensix_gdb.core.history.checkpoints import capture, is_unchanged, restore
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.findings import Kind, State, Verdict
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li

CONFIG, PUSH = 0xFFEF0000, 0xFFE40000
WORD = 100
UNPACK = "RDCFG result_reg=1, cfg_index=100"
WAIT = "STALLWAIT block=B7, wait=C10"


def program(*instructions: str) -> list[int]:
    """Store to a word of configuration, then push instructions; all registers first."""
    words = [*li(5, CONFIG + 4 * WORD), *li(6, PUSH), *li(7, 9)]
    for number, text in enumerate(instructions):
        words += li(8 + number, parse(text))
    words.append(asm("sw", rs1=5, rs2=7))
    words += [asm("sw", rs1=6, rs2=8 + number) for number in range(len(instructions))]
    return [*words, EBREAK]


def finish(machine: Machine) -> None:
    """Run to the ebreak, and until all that is under way is done."""
    machine.run(500)
    machine.run(500)


@pytest.fixture
def timed(machine: Machine) -> Machine:
    machine.reschedule(Schedule.LATENCY)
    return machine


def test_a_store_and_the_instruction_that_reads(timed: Machine) -> None:
    timed.load(T0, image(program(UNPACK)))
    timed.observe_races()
    finish(timed)
    (report,) = timed.races().reports
    assert (report.number, report.verdict, report.count) == (1, Verdict.RACE, 1)
    assert not report.same_value
    assert (report.place.state, report.place.unit, report.place.index) == (State.CONFIG, 0, WORD)
    earlier, later = report.earlier, report.later
    if earlier.thread is not None:
        earlier, later = later, earlier
    assert (earlier.agent, earlier.kind, earlier.instruction) == ("T0", Kind.WRITE, "sw")
    assert (later.kind, later.instruction, later.thread) == (Kind.READ, "RDCFG", 0)
    assert later.pc == earlier.pc + 4
    assert report.earlier.last <= report.later.last
    assert report.fix is not None


def test_an_instruction_of_a_mop_has_the_store_that_configured_it(timed: Machine) -> None:
    nop, read = parse("NOP"), parse(UNPACK)
    words = [*li(5, MOP_CONFIG_BASE), *li(6, nop), *li(7, read), *li(8, 1)]
    for index in range(WORDS):
        source = 8 if index < 2 else 7 if index == 2 else 6
        words.append(asm("sw", rs1=5, rs2=source, imm=4 * index))
    words += [*li(5, CONFIG + 4 * WORD), *li(6, PUSH), *li(9, parse("MOP template=DOUBLE_LOOP"))]
    words += [asm("sw", rs1=5, rs2=7), asm("sw", rs1=6, rs2=9), EBREAK]
    timed.load(T0, image(words))
    timed.observe_races()
    finish(timed)
    (report,) = timed.races().reports
    (reads,) = [side for side in (report.earlier, report.later) if side.thread == 0]
    (writes,) = [side for side in (report.earlier, report.later) if side.thread is None]
    assert (reads.instruction, reads.via) == ("RDCFG", "MOP")
    first = reads.pc - 4 * (len(words) - 2)  # where the program is
    stores = [first + 4 * i for i, one in enumerate(words) if one == asm("sw", rs1=5, rs2=7, imm=8)]
    assert [reads.configured] == stores
    assert not writes.configured


def test_the_wait_of_the_fix_is_enough(timed: Machine) -> None:
    timed.load(T0, image(program(WAIT, UNPACK)))
    timed.observe_races()
    finish(timed)
    assert timed.races().reports == ()


def test_reset_begins_again(timed: Machine) -> None:
    timed.load(T0, image(program(UNPACK)))
    timed.observe_races()
    finish(timed)
    first = timed.races()
    timed.reset()
    assert timed.races().reports == ()
    finish(timed)
    assert timed.races() == first


def test_what_was_found_stays_when_going_back(timed: Machine) -> None:
    timed.load(T0, image(program(UNPACK)))
    timed.observe_races()
    start = timed.snapshot()
    finish(timed)
    found = timed.races().reports
    timed.restore(start)
    assert timed.races().reports == found
    finish(timed)
    (again,) = timed.races().reports
    assert again.count == 2


def test_a_report_over_a_look_at_another_state(timed: Machine) -> None:
    timed.load(T0, image(program(UNPACK)))
    timed.observe_races()
    start = timed.record.snapshot()
    finish(timed)
    found = timed.races().reports
    timed.reset()
    for _ in range(found[0].later.last + 50):
        timed.run(1)
        here = timed.snapshot()
        timed.restore(start)
        assert timed.S.tile.cycle == 0
        timed.restore(here)
    assert timed.races().reports == found


def run_between_both(machine: Machine) -> None:
    """Run to where the earlier access of the only report is over, and the later one is not."""
    machine.observe_races()
    finish(machine)
    (report,) = machine.races().reports
    assert report.earlier.first < report.later.first
    machine.reset()
    machine.run(report.earlier.first + 1)
    assert machine.races().reports == ()


def test_clocks_of_the_moment_to_which_the_tile_goes_back(timed: Machine) -> None:
    timed.load(T0, image(program(UNPACK)))
    run_between_both(timed)
    checkpoint = capture(timed)
    finish(timed)
    restore(timed, checkpoint)
    assert is_unchanged(timed, checkpoint)
    finish(timed)
    (again,) = timed.races().reports
    assert again.count == 2


def test_clocks_of_another_observer_say_nothing(timed: Machine) -> None:
    timed.load(T0, image(program(UNPACK)))
    run_between_both(timed)
    here = timed.snapshot()
    timed.observe_races()
    timed.restore(here)
    finish(timed)
    assert timed.races().reports == ()


def test_not_in_sc(machine: Machine) -> None:
    with pytest.raises(NotObservable, match="use latency"):
        machine.observe_races()
    with pytest.raises(NotObservable, match="not observed"):
        machine.races()


def test_another_program_at_the_same_address(timed: Machine) -> None:
    """The instruction of a report is that of the run, and not what is at its address since."""
    timed.load(T0, image(program(UNPACK)))
    timed.observe_races()
    finish(timed)
    loads = asm("lw", rd=5).to_bytes(4, "little") * 64
    timed.poke(T0, 0, loads)
    (report,) = timed.races().reports
    assert {report.earlier.instruction, report.later.instruction} == {"sw", "RDCFG"}
