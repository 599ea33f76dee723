# SPDX-License-Identifier: Apache-2.0
"""A run that ends early because a client speaks is the same run."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import End, RunLimits
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.semihosting.calls import Calls
from tensix_gdb.core.semihosting.console import OUT, Console, Silent
from tensix_gdb.core.semihosting.operations import Op
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind
from tensix_gdb.gdbstub.tensix.capabilities.execution import TileExecution
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import MAX_TEXT_BYTES, ClientConsole
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import asm, image, li
from tests.core.semihosting.program import SEQUENCE, data
from tests.gdbstub.protocol.server.printing import LINE_BYTES, calling_tile
from tests.gdbstub.tiles import loaded
from tests.machines import machine_on

ENGINES = ("reference", "compiled")


def ringing(times: list[int]) -> bool:
    """At the third look."""
    times.append(1)
    return len(times) >= 3


@pytest.mark.parametrize("engine", ENGINES)
def test_it_comes_back_when_it_has_asked(engine: str) -> None:
    machine = loaded(machine_on(engine))
    looks: list[int] = []
    assert machine.run_within(RunLimits(1000, lambda: ringing(looks), 10)).end is End.SHOULD_STOP
    assert machine.S.tile.cycle == 30
    machine.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_whoever_rings_the_record_is_the_same(engine: str) -> None:
    alone = loaded(machine_on(engine))
    alone.run(700)
    machine = loaded(machine_on(engine))
    looks: list[int] = []
    while machine.S.tile.cycle < 700:
        looks.clear()
        left = 700 - machine.S.tile.cycle
        machine.run_within(RunLimits(left, lambda: ringing(looks), 7))
    assert machine.hash() == alone.hash()
    for one in (alone, machine):
        one.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stop_in_a_piece_is_not_lost(engine: str) -> None:
    machine = loaded(machine_on(engine))
    machine.step(B)
    end, stop = machine.run_within(RunLimits(1000, lambda: False, 1))
    assert end is End.STOP
    assert stop is not None
    assert stop.hart == B
    machine.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_slice_ends_when_a_client_speaks(engine: str) -> None:
    machine: Machine = loaded(machine_on(engine))
    execution = tensix_target(machine).execution
    assert isinstance(execution, TileExecution)
    execution.resume({1: Action(ResumeKind.CONTINUE)})
    execution.slice.cycles = 1 << 20
    assert execution.advance(0.001, lambda: True) is None
    assert 0 < execution.clock() < 1 << 20
    machine.close()


def test_a_slice_of_a_tile_that_polls_goes_on_and_stays_short(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Cycles that were passed in one go do not make the slice longer for what comes after: no slice
    with such cycles is measured."""
    machine = machine_on("compiled", Schedule.LATENCY)
    loop = [asm("fence"), asm("lw", rd=7, rs1=6), asm("beq", rs1=7, imm=-8)]
    machine.load(B, image([*li(6, data(0)), *loop], 0))
    execution = tensix_target(machine).execution
    assert isinstance(execution, TileExecution)
    execution.resume({1: Action(ResumeKind.CONTINUE)})
    execution.slice.cycles = 1 << 16
    measured: list[int] = []
    monkeypatch.setattr(execution.slice, "adapt", lambda *_: measured.append(execution.clock()))
    for _ in range(10):
        assert execution.advance(0.01) is None
    assert execution.clock() >= 10 << 16
    assert int(machine.S.polling.skipped) > 5 << 16
    assert measured == []
    machine.close()


def printing_machine(engine: str, schedule: Schedule, console: Console) -> Machine:
    """Three harts write a letter each, again and again, in the same cycles."""
    machine = machine_on(engine)
    machine.reschedule(schedule)
    machine.serve_calls(Calls(console))
    machine.load_bytes(data(0), b"a")
    for hart, addr in ((B, 0), (T0, 0x6000), (T1, 0xA000)):
        body = [*li(10, Op.SYS_WRITEC), *li(11, data(0)), *SEQUENCE]
        machine.load(hart, image([*body, asm("jal", imm=-4 * len(body))], addr))
    return machine


@pytest.mark.parametrize("schedule", Schedule)
@pytest.mark.parametrize("engine", ENGINES)
def test_a_full_console_ends_a_run(engine: str, schedule: Schedule) -> None:
    """Wherever that is, the record is the same in the end."""
    alone = printing_machine(engine, schedule, Silent())
    alone.run(3000)
    console = ClientConsole()
    machine = printing_machine(engine, schedule, console)
    runs = 0
    while machine.S.tile.cycle < 3000:
        left = 3000 - machine.S.tile.cycle
        limits = RunLimits(left, is_console_full=lambda: len(console._text) >= 7)
        end = machine.run_within(limits).end
        assert end is (End.CYCLES if machine.S.tile.cycle == 3000 else End.CONSOLE_FULL)
        assert len(console.take_text(stopped=True)) <= 7
        runs += 1
    assert runs > 30
    assert machine.hash() == alone.hash()
    for one in (alone, machine):
        one.close()


def test_a_slice_ends_when_much_was_printed() -> None:
    """A slice that was meant for a silent program; the call that wrote is not cut."""
    tile = calling_tile()
    execution = tile.target.execution
    assert isinstance(execution, TileExecution)
    execution.resume({1: Action(ResumeKind.CONTINUE)})
    execution.slice.cycles = 1 << 24
    assert execution.advance(1.0) is None
    console = tile.target.console
    assert console is not None
    assert console.is_full()
    assert len(console.take_text(stopped=True)) < MAX_TEXT_BYTES + LINE_BYTES
    assert execution.clock() < 1 << 23


def test_a_line_that_does_not_end_is_shown_when_there_is_much_of_it() -> None:
    console = ClientConsole()
    console.write(OUT, b"a line\n" + b"x" * (MAX_TEXT_BYTES - 1))
    assert console.take_text(stopped=False) == b"a line\n"
    console.write(OUT, b"xy")
    assert console.take_text(stopped=False) == b"x" * MAX_TEXT_BYTES + b"y"
    assert not console.is_full()
