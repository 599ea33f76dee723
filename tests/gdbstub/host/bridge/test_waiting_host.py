# SPDX-License-Identifier: Apache-2.0
"""A run that hangs has no end at which its reports are written: the host has waited long."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, cast

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.bridge.chip import Chip
from tensix_gdb.gdbstub.host.bridge.grid import TILE
from tensix_gdb.gdbstub.host.bridge.messages import Command, Message
from tensix_gdb.gdbstub.host.bridge.options import SimulatorOptions
from tensix_gdb.gdbstub.host.bridge.runs.capture import RunCapture
from tensix_gdb.gdbstub.host.bridge.runs.log import RunLog
from tensix_gdb.gdbstub.host.bridge.runs.races import RunRaces
from tensix_gdb.gdbstub.host.bridge.simulator import LONG_CYCLES, Simulator
from tensix_gdb.gdbstub.host.bridge.watched import watch
from tensix_gdb.gdbstub.tensix.races.output import RaceOptions

READ = Message(Command.READ, TILE, 0x5000, 4)
WRITE = Message(Command.WRITE, TILE, 0x5000, 4, bytes(4))


class Clock:
    """Half of a long time passes after each message, without a tile that runs."""

    cycle = 0

    def now(self) -> int:
        return self.cycle

    def is_free(self) -> bool:
        return True

    def host_input(self, message: Message) -> Any:
        return contextlib.nullcontext()

    async def let_time_pass(self, message: Message, answer: bytes | None) -> bool:
        self.cycle += LONG_CYCLES // 2
        return True


@pytest.fixture
def machine() -> Machine:
    return Machine(engine="reference", schedule=Schedule.LATENCY)


def simulator(machine: Machine, races: RunRaces) -> Simulator:
    options = SimulatorOptions(kernel_cache="/nowhere")
    capture = RunCapture(machine, None)
    watched = watch(machine, TILE, options, RunLog(machine, None), capture, races)
    chip, clock = Chip({TILE: machine}), cast("Any", Clock())
    return Simulator(chip, cast("Any", None), clock, {TILE: watched}, False)


def send(made: Simulator, *messages: Message) -> None:
    async def all_of_them() -> None:
        for message in messages:
            await made.handle(message)

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
