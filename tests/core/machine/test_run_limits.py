# SPDX-License-Identifier: Apache-2.0
"""Every reason for which a run ends, and that the execution is the same whatever ends its runs."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import End, OnStop, RunLimits
from tensix_gdb.core.machine.runner import MAX_IGNORED_FAULTS
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, asm, image

LOOP = [asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)]
ILLEGAL_LOOP = [0, asm("jal", imm=-4)]


@pytest.fixture
def looping(machine: Machine) -> Machine:
    machine.load(B, image(LOOP))
    return machine


def test_after_its_cycles(looping: Machine) -> None:
    assert looping.run_within(RunLimits(100)) == (End.CYCLES, None)
    assert looping.S.tile.cycle == 100


def test_at_a_stop(looping: Machine) -> None:
    looping.add_break(4)
    end, stop = looping.run_within(RunLimits(100))
    assert end is End.STOP
    assert stop is not None
    assert (stop.kind, stop.pc) == (StopKind.BREAK, 4)


def test_at_rest_nothing_runs(machine: Machine) -> None:
    machine.load(B, image([EBREAK]))
    machine.run(10)
    cycle = machine.S.tile.cycle
    end, stop = machine.run_within(RunLimits(10))
    assert end is End.STOP
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED
    assert machine.S.tile.cycle == cycle


def test_when_it_should_stop(looping: Machine) -> None:
    asked: list[int] = []

    def should_stop() -> bool:
        asked.append(looping.S.tile.cycle)
        return len(asked) == 3

    assert looping.run_within(RunLimits(100, should_stop, 20)).end is End.SHOULD_STOP
    assert asked == [20, 40, 60]
    asked.clear()
    assert looping.run_within(RunLimits(40, should_stop, 20)).end is End.CYCLES
    assert asked == [80], "after the last cycle there is nothing to stop"


def test_before_the_console_overflows(looping: Machine) -> None:
    limits = RunLimits(100, is_console_full=lambda: True)
    assert looping.run_within(limits) == (End.CONSOLE_FULL, None)
    assert looping.S.tile.cycle == 0


def test_after_many_ignored_faults(machine: Machine) -> None:
    machine.faults.set("all=ignore")
    machine.load(B, image(ILLEGAL_LOOP))
    assert machine.run_within(RunLimits(100_000)) == (End.FAULTS_IGNORED, None)
    assert sum(machine.S.fault.ignored) == MAX_IGNORED_FAULTS + 1
    assert machine.run_within(RunLimits(10)) == (End.CYCLES, None)


@pytest.mark.parametrize(
    ("decision", "end", "hits"),
    [(OnStop.END, End.STOP, 1), (OnStop.YIELD, End.YIELD, 1), (OnStop.RESUME, End.CYCLES, 25)],
)
def test_as_the_client_decides(looping: Machine, decision: OnStop, end: End, hits: int) -> None:
    looping.add_break(4)
    stops: list[Stop] = []

    def on_stop(stop: Stop) -> OnStop:
        stops.append(stop)
        looping.resume_from(stop.hart)
        return decision

    result = looping.run_within(RunLimits(50, on_stop=on_stop))
    assert result == (end, stops[0] if decision is OnStop.END else None)
    assert [stop.pc for stop in stops] == [4] * hits


def test_what_a_client_arms_at_a_stop_is_looked_for(looping: Machine) -> None:
    """A run that began without checks continues with them."""
    looping.step(B)

    def on_stop(stop: Stop) -> OnStop:
        if stop.kind is StopKind.STEP:
            looping.add_break(4)
        return OnStop.END if stop.kind is StopKind.BREAK else OnStop.RESUME

    stop = looping.run_within(RunLimits(100, on_stop=on_stop)).stop
    assert stop is not None
    assert stop.kind is StopKind.BREAK


def test_what_is_armed_can_be_left_aside(looping: Machine) -> None:
    looping.add_break(4)
    assert looping.run_within(RunLimits(100, armed=False)) == (End.CYCLES, None)
    assert looping.run_within(RunLimits(100)).end is End.STOP


def test_a_run_that_is_given_up_leaves_nothing_behind(looping: Machine) -> None:
    """Ctrl-C in a callback: the next run is an ordinary one, on the same engine."""
    engine: Engine = looping.engine

    def should_stop() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        looping.run_within(RunLimits(100, should_stop, 10, armed=False, traced=False))
    assert looping.engine is engine
    looping.add_break(4)
    stop = looping.run(100)
    assert stop is not None
    assert stop.kind is StopKind.BREAK


def test_a_recording_has_each_decision_as_an_input(looping: Machine) -> None:
    recorder = looping.start_recording()
    looping.add_break(4)

    def on_stop(stop: Stop) -> OnStop:
        looping.resume_from(stop.hart)
        return OnStop.RESUME

    looping.run_within(RunLimits(20, on_stop=on_stop))
    assert len(recorder.steps) == 12  # the first, one that arms, one after each of ten hits
