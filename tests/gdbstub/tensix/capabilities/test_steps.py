# SPDX-License-Identifier: Apache-2.0
"""Steps that cannot be completed."""

from __future__ import annotations

import pytest

from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import NOTHING_MOVES
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Signal
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub.tensix import stuck
from tests.gdbstub.tensix.capabilities.test_reverse_at_gates import FORWARD, carried_out
from tests.machines import machine_on

T1 = 3  # as a thread: its FIFO is full
STEPS = {"instruction": Action(ResumeKind.STEP), "line": Action(ResumeKind.RANGE, 0, 0x8000)}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_a_step_in_a_tile_where_nothing_moves_ends_the_steps_after_it(step: Action) -> None:
    """GDB takes the next one of `stepi 1000` after a SIGTRAP, each with a report of the tile."""
    target = tensix_target(stuck.run(stuck.load(machine_on("compiled", Schedule.LATENCY, 3))))
    stop = carried_out(target, {**FORWARD, T1: step})
    assert stop.text.startswith(NOTHING_MOVES)
    assert (stop.thread, stop.signal) == (T1, Signal.NONE)
