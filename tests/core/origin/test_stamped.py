# SPDX-License-Identifier: Apache-2.0
"""The stamped build runs the same execution, and stamps what it stores with the cycle."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history.replay import run_to_cycle
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.origin.elements import element_at, is_state
from tensix_gdb.core.origin.engines import Stamped, Watching, stamps_of
from tensix_gdb.core.record.stamps import STATE_LIMIT
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER
from tensix_gdb.core.schedule import Schedule
from tests.core.origin.programs import demo

SCHEDULES = (Execution(Schedule.SC), Execution(Schedule.LATENCY), Execution(Schedule.RANDOM, 3))
CYCLES = 4000
PAGE = 4096


def test_each_byte_of_the_state_has_a_stamp() -> None:
    assert LAYOUT.state_size <= STATE_LIMIT


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_same_execution(schedule: Execution) -> None:
    as_ever, stamped = demo(schedule), demo(schedule)
    run_to_cycle(as_ever, CYCLES)
    (stamped.engine,) = Stamped([stamped], [stamped.outside], alone=True).engines
    run_to_cycle(stamped, CYCLES)
    assert stamped.record.diff(as_ever.record) == []


def test_what_an_earlier_call_has_left_means_nothing() -> None:
    as_ever, stamped = demo(Execution(Schedule.LATENCY)), demo(Execution(Schedule.LATENCY))
    run_to_cycle(as_ever, CYCLES)
    while not any(stamped.S.pipeline.ex1_op[hart] for hart in range(HARTS)):
        run_to_cycle(stamped, stamped.S.tile.cycle + 1)
    (stamped.engine,) = Stamped([stamped], [stamped.outside], alone=True).engines
    for hart in range(HARTS):
        stamped.S.asleep.still[hart] = NEVER
    run_to_cycle(stamped, CYCLES)
    assert stamped.record.diff(as_ever.record) == []


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_what_has_changed_is_stamped(schedule: Execution) -> None:
    machine = demo(schedule)
    stamped = Stamped([machine], [machine.outside], alone=True)
    (machine.engine,) = stamped.engines
    stamped.begin_run(is_fresh=False)
    stamps = stamps_of(machine)
    changed = 0
    for cycle in range(100):
        before = bytes(machine.record.raw_state())
        run_to_cycle(machine, cycle + 1)
        after = bytes(machine.record.raw_state())
        if machine.S.tile.cycle != cycle + 1:
            break
        for start in range(0, len(before), PAGE):
            old, new = before[start : start + PAGE], after[start : start + PAGE]
            if old != new:
                for offset in (start + i for i in range(len(old)) if old[i] != new[i]):
                    if is_state(element_at(offset)):
                        assert stamps[offset] == cycle + 1, element_at(offset)
                        changed += 1
    assert changed > 100


@pytest.mark.parametrize("schedule", SCHEDULES, ids=str)
def test_instrumented_functions_run_the_same_execution(schedule: Execution) -> None:
    as_ever, watched = demo(schedule), demo(schedule)
    run_to_cycle(as_ever, 150)
    watched.engine = Watching(watched)
    run_to_cycle(watched, 150)
    assert watched.record.diff(as_ever.record) == []
