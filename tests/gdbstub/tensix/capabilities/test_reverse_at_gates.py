# SPDX-License-Identifier: Apache-2.0
"""Back in time at the wait gates, with held harts, and far back."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.examples.tensix.threads import THREADS
from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.history import MachineHistory, begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import NOTHING_MOVES
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Stopped, Target
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.assembler import asm, image
from tests.machines import machine_on
from tests.tools import find_tool

SCHEDULES = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)
FORWARD = {thread: Action(ResumeKind.CONTINUE) for thread in range(1, 9)}


def carried_out(target: Target, actions: dict[int, Action]) -> Stopped:
    target.execution.resume(actions)
    while True:
        stop = target.execution.advance(0.01)
        if stop is not None:
            return stop


def at_the_end(machine: Machine, folder: Path) -> Target:
    """T1's kernel has run until nothing can run; the gates stop at its ADDDMAREG from now on."""
    find_tool("riscv64-unknown-elf-gcc")
    machine.load(T1, read_elf(THREADS.elfs(folder)["T1"]))
    target = tensix_target(machine, record=True)
    assert target.monitor is not None
    while not carried_out(target, FORWARD).text.startswith(NOTHING_MOVES):
        pass
    target.monitor.command(1, "break gate ADDDMAREG", running=False)
    return target


@pytest.mark.parametrize("schedule", SCHEDULES[:2], ids=lambda schedule: schedule.name)
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_gate_breakpoints_stop_who_goes_back(
    engine: str, schedule: Schedule, tmp_path: Path
) -> None:
    machine = machine_on(engine, schedule, 3)
    target = at_the_end(machine, tmp_path)
    seen = []
    while not (stop := carried_out(target, {7: Action(ResumeKind.REVERSE_CONTINUE)})).replaylog:
        assert "ADDDMAREG" in stop.text
        seen.append((machine.S.tile.cycle, machine.S.passed.count[1], machine.hash()))
    # Six of one MOP, and nothing of the second.
    assert len(seen) == 6
    assert [count for _, count, _ in seen] == sorted({count for _, count, _ in seen}, reverse=True)
    # Forward the same six, in the same states.
    again = []
    for _ in range(6):
        stop = carried_out(target, FORWARD)
        assert "ADDDMAREG" in stop.text
        again.append((machine.S.tile.cycle, machine.S.passed.count[1], machine.hash()))
    assert again == seen[::-1]
    machine.close()


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda schedule: schedule.name)
def test_who_was_held_is_held_again(schedule: Schedule) -> None:
    machine = machine_on("compiled", schedule)
    for hart in (B, T0, T2, NC):
        count = [asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)]
        machine.load(hart, image(count, 0x100 * hart))
    history = begin_history(machine)
    hashes = {}
    for held in ([], [B, NC], [T0], []):
        machine.freeze(held)
        history.resume()
        machine.run(50)
        history.suspend()
        hashes[int(machine.S.tile.cycle)] = machine.hash()
    for cycle in (100, 200, 50, 150):
        assert history.to_cycle(cycle)
        assert machine.hash() == hashes[cycle]
    machine.close()


def far(machine: Machine, cycles: int) -> MachineHistory:
    history = begin_history(machine)
    history.resume()
    while machine.S.tile.cycle < cycles:
        machine.run(cycles // 4)
        history.add_checkpoint_if_due()
    history.suspend()
    return history


@pytest.mark.parametrize("schedule", SCHEDULES[:2], ids=lambda schedule: schedule.name)
def test_from_far_the_way_is_the_same_and_short_the_next_time(schedule: Schedule) -> None:
    machine = machine_on("compiled", schedule)
    machine.load(B, image([asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)]))
    history = far(machine, 400_000)
    marks = history.count()
    retired = machine.S.hart.retired[B]
    for back in range(1, 6):
        *_, found = history.step_back(B)
        assert found
        assert machine.S.hart.retired[B] == retired - back
    # One more state is kept, near to here.
    assert history.count() == marks + 1
    here, cycle = machine.hash(), int(machine.S.tile.cycle)
    assert history.to_cycle(100_000)
    assert history.to_cycle(cycle)
    other = machine.hash()
    while machine.S.hart.retired[B] < retired - 5:
        machine.step(B)
        machine.run(10)
    assert here in (other, machine.hash())
    machine.close()


@pytest.mark.parametrize("slice", [16, 21, 29, 43])
def test_states_kept_while_something_is_held_there(
    slice: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The instruction that a gate holds in a kept state came there before, and is found there
    once."""
    monkeypatch.setattr("tensix_gdb.core.history.history.SHARE", 0)
    for name in ("FIRST_CYCLES", "MIN_CYCLES", "MAX_CYCLES"):
        monkeypatch.setattr(f"tensix_gdb.gdbstub.tensix.capabilities.slice_size.{name}", slice)
    machine = machine_on("compiled", Schedule.LATENCY)
    target = at_the_end(machine, tmp_path)
    found = []
    while not carried_out(target, {7: Action(ResumeKind.REVERSE_CONTINUE)}).replaylog:
        found.append(int(machine.S.passed.count[1]))
    assert found == [7, 6, 5, 3, 2, 1]
    machine.close()
