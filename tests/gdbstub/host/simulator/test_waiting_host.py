# SPDX-License-Identifier: Apache-2.0
"""A run that hangs has no end at which its reports are written: the host has waited long."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.chip import Chip
from tensix_gdb.gdbstub.host.simulator.grid import TILE
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.simulator.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.simulator.runs.log import RunLog
from tensix_gdb.gdbstub.host.simulator.runs.races import RunRaces
from tensix_gdb.gdbstub.host.simulator.simulator import LONG_CYCLES, Simulator
from tensix_gdb.gdbstub.host.simulator.watched import watch
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions
from tests.programs.build import PROGRAMS, build

READ = Message(Command.READ, TILE, 0x5000, 4)
WRITE = Message(Command.WRITE, TILE, 0x5000, 4, bytes(4))


class Clock:
    """Of which a test says when time passes, without a tile that runs."""

    cycle = 0
    on_turn = staticmethod(lambda: None)

    async def give_turn(self) -> bool:
        self.on_turn()
        return True

    async def until_free(self) -> None:
        raise AssertionError("no client has come")

    def host_has_gone(self) -> None:
        pass

    def note(self) -> None:
        pass

    async def until_released(self) -> None:
        pass

    def now(self) -> int:
        return self.cycle

    def is_free(self) -> bool:
        return True

    def host_input(self, message: Message) -> Any:
        return contextlib.nullcontext()


@pytest.fixture
def machine() -> Machine:
    return Machine(engine="reference", schedule=Schedule.LATENCY)


def simulator(machine: Machine, races: RunRaces) -> Simulator:
    options = SimulatorOptions(kernel_cache="/nowhere")
    # A tile of which no debugger looks.
    shared = cast("Any", SimpleNamespace(sessions=[]))
    capture = RunCapture(machine, None)
    watched = watch(machine, TILE, options, RunLog(machine, None), capture, races)
    chip, clock = Chip({TILE: machine}), cast("Any", Clock())
    return Simulator(chip, shared, clock, {TILE: watched}, False)


def send(made: Simulator, *messages: Message) -> None:
    """Half of a long time passes after each."""

    async def all_of_them() -> None:
        for message in messages:
            await made.carry_out(message)
            cast("Any", made.clock).cycle += LONG_CYCLES // 2
            await made.look_how_long_it_waits(wrote=message.command is Command.WRITE)

    asyncio.run(all_of_them())


def test_it_is_told_what_was_found_so_far(
    machine: Machine, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once; what it writes is the beginning of another wait, and the end has it again."""
    races = RunRaces(machine, RaceOptions())
    made = simulator(machine, races)
    races.on_launch(["reader", "writer"])
    send(made, WRITE, READ)
    assert capsys.readouterr().out == ""
    send(made, READ)
    said = capsys.readouterr().out
    waits = "which has not ended: the host has waited for it for"
    of = "tensix-gdb: races of run 1 (reader, writer)"
    assert said.startswith(f"{of}, {waits} {LONG_CYCLES:,} cycles\n")
    send(made, READ, READ, READ, WRITE, READ)
    assert capsys.readouterr().out == ""
    send(made, READ)
    assert waits in capsys.readouterr().out
    races.end()
    assert capsys.readouterr().out.startswith(f"{of}\n")


def test_no_run_and_nothing_observed(machine: Machine, capsys: pytest.CaptureFixture[str]) -> None:
    for options in (RaceOptions(), None):
        made = simulator(machine, RunRaces(machine, options))
        send(made, *([READ] * 4))
    assert capsys.readouterr().out == ""


@pytest.fixture
def files(machine: Machine, tmp_path: Path, tool: Callable[[str], str]) -> list[Path]:
    """Three harts of the tile with a program each, of whose lines a report may speak."""
    tool("riscv64-unknown-elf-gcc")
    source, harts = PROGRAMS / "debugged.c", ("T0", "T1", "T2")
    elfs = [build(source, hart, tmp_path / f"{hart}.elf") for hart in harts]
    for elf, hart in zip(elfs, (T0, T1, T2), strict=True):
        machine.load(hart, read_elf(elf))
    return elfs


@pytest.mark.parametrize("how", ["the next launch", "a long wait", "the host's end"])
def test_clients_have_their_turn_while_a_report_is_prepared(
    how: str, machine: Machine, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After each file: to read those of a kernel and of the firmware took 14 s of a busy machine,
    in which a GDB that had just come heard nothing, and gave up after six."""
    races = RunRaces(machine, RaceOptions())
    made = simulator(machine, races)
    read: list[Path] = []
    monkeypatch.setattr(machine.places.inlining, "learn", lambda image: read.append(image.path))
    turns: list[int] = []
    cast("Any", made.clock).on_turn = lambda: turns.append(len(read))
    reported: list[list[int]] = []

    def report(*_: object) -> int:
        reported.append(list(turns))
        return 0

    monkeypatch.setattr(races, "_report", report)
    races.on_launch(["kernel"])
    if how == "the next launch":
        (watched,) = made.watched.values()
        monkeypatch.setattr(watched.launches, "starts_by", lambda message: True)
        monkeypatch.setattr(watched.launches, "start", begins(races))
        send(made, WRITE)
    elif how == "a long wait":
        send(made, READ, READ)
    else:
        made.host_ended = races.end
        asyncio.run(made.until_released())
    assert read == files
    assert reported == [[1, 2, 3]]


def begins(races: RunRaces) -> Callable[[], Awaitable[None]]:
    """A launch, which ends the run before."""

    async def start() -> None:
        races.on_launch(["another"])

    return start


def test_without_a_report_no_file_is_read(machine: Machine, files: list[Path]) -> None:
    races = RunRaces(machine, None)
    races.on_launch(["kernel"])
    assert list(races.reads()) == []
    assert list(RunRaces(machine, RaceOptions()).reads()) == [], "no run has begun"
