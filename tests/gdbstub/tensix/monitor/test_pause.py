# SPDX-License-Identifier: Apache-2.0
"""`monitor pause`, and where it is said that a hart or thread is paused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.target import TargetError
from tests.assembler import EBREAK, NOP, image
from tests.core.tensix.programs import push_all
from tests.gdbstub.tensix.monitor.test_monitor_tensix import RspClient
from tests.machines import machine_on
from tests.programs.build import DEMO

CODE = 0x1000
PUSHES = push_all(["SETDMAREG.Immediate new_value=1, result_half_reg=G4_lo"] * 4)


@pytest.fixture
def ask() -> Iterator[RspClient]:
    machine = machine_on("reference", Schedule.LATENCY)
    machine.load(T0, image([*PUSHES, NOP, NOP, EBREAK], CODE))
    yield RspClient(machine)
    machine.close()


def test_a_hart(ask: RspClient) -> None:
    assert ask("pause").startswith("No pause is named: type HART@PLACE:CYCLES as in T0@0x6010:79")
    assert ask("pause t0@0x1014:300") == ("  1  T0@0x00001014:300  0x00001014: reached 0 times\n")
    ask.machine.run(100)
    until = ask.machine.S.pause.hart[T0]
    assert ask("pause") == (
        f"T0 is paused as asked for until cycle {until}.\nPauses so far: 1.\n"
        "  1  T0@0x00001014:300  0x00001014: reached 1 time, and paused\n"
    )
    assert f"T0: paused as asked for until cycle {until}, pc 0x00001014" in ask("why T0")
    assert "T0  paused as asked for until cycle" in ask("status")
    assert ask("pause none").splitlines()[-1].startswith("No pause is named")


def test_a_tensix_thread(ask: RspClient) -> None:
    ask("pause gate.T0@0x1008:300")
    while ask.machine.run(100) is not None:
        pass
    assert ask.machine.S.passed.count[0] == 2
    until = ask.machine.S.pause.thread[0]
    assert f"paused as asked for until cycle {until}" in ask("why T0")
    assert f"T0 unpack is paused as asked for until cycle {until}." in ask("pause")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("T0@0x6010", "'T0@0x6010' is not a pause: type HART@PLACE:CYCLES as in"),
        ("0x6010:5", "'0x6010:5' is not a pause"),
        ("T3@0x6010:5", "T3 is no hart; type one of B, T0, T1, T2, NC"),
        ("gate.B@0x6010:5", "B is no Tensix thread; type one of T0, T1, T2"),
        ("T0@0x6011:5", "no instruction can be at 0x6011; addresses of instructions have 32 bits"),
        ("T0@0x6010#0:5", "'0' is not how many times the place is reached, from 1 on"),
        ("T0@0x6010:0", "'0' is not a number of cycles from 1 to 1,000,000, nor `random`"),
        ("T0@0x6010:x", "'x' is not a number of cycles"),
        ("T0@nothing:5", "the program of T0 has no symbol nothing"),
        ("T0@t0.c:9999:5", "the program of T0 has no code for t0.c:9999"),
        ("T0@0x6010:random", "only the schedule random draws pauses"),
    ],
)
def test_what_is_typed_wrong(ask: RspClient, text: str, said: str) -> None:
    with pytest.raises(TargetError) as problem:
        ask(f"pause {text}")
    assert said in str(problem.value)
    assert "\n" not in str(problem.value)


def test_places_of_a_program() -> None:
    machine = machine_on("reference", Schedule.RANDOM)
    machine.load(T0, read_elf(str(DEMO / "t0.elf")))
    ask = RspClient(machine)
    assert "main" in ask("pause T0@main#2:40")
    assert ":random" in ask("pause gate.T0@main:random")
    machine.reschedule(Execution.parse("sc"))
    assert ask("pause").startswith("No pause is named")
    with pytest.raises(TargetError, match="nothing takes time in the schedule sc"):
        ask("pause T0@main:40")
    machine.close()
