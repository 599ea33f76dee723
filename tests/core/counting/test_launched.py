# SPDX-License-Identifier: Apache-2.0
"""The cycles in which a hart begins and ends a kernel that firmware calls by its address."""

from __future__ import annotations

from contextlib import closing

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.counting.launched import LaunchCounts
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, asm, image
from tests.machines import machine_on

FIRMWARE = 0x6000
KERNEL = FIRMWARE + 0x40
ROUNDS = 40
# A call by address, and an end.
CALLS = [asm("lui", rd=5, imm=FIRMWARE), asm("jalr", rd=1, rs1=5, imm=0x40), SPIN]
# A loop of two instructions, and a return.
LOOP = [asm("addi", rd=6, rs1=6, imm=-1), asm("bne", rs1=6, rs2=0, imm=-4)]
CALLED = [asm("addi", rd=6, imm=ROUNDS), *LOOP, asm("jalr", rd=0, rs1=1, imm=0)]


def made(engine: str, schedule: Schedule) -> Machine:
    machine = machine_on(engine, schedule)
    gap = [SPIN] * ((KERNEL - FIRMWARE) // 4 - len(CALLS))
    machine.load(B, image([*CALLS, *gap, *CALLED], FIRMWARE))
    return machine


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
@pytest.mark.parametrize("engine", ["reference", "compiled"])
def test_a_kernel_begins_with_the_call_and_ends_with_the_return(
    engine: str, schedule: Schedule
) -> None:
    with closing(made(engine, schedule)) as machine:
        counts = LaunchCounts(machine.record)
        counts.begin([(B, KERNEL)])
        machine.run(1000)
        taken = counts.end()
        assert taken is not None
        began, ended = taken.harts[B]
        assert began > 0
        # Two instructions for each round, one before them and the return; a mispredicted branch.
        assert 0 <= ended - began - (2 * ROUNDS + 2) < 30
        assert machine.S.counted.on == 0  # nothing is counted after the last one has ended
        assert counts.end() is None


def test_a_kernel_that_has_not_ended_says_so() -> None:
    with closing(made("reference", Schedule.LATENCY)) as machine:
        counts = LaunchCounts(machine.record)
        counts.begin([(B, KERNEL)])
        machine.run(40)
        taken = counts.end()
        assert taken is not None
        began, ended = taken.harts[B]
        assert began > 0
        assert ended == -1
        assert machine.S.counted.on == 0


def test_what_is_counted_changes_nothing() -> None:
    with (
        closing(made("compiled", Schedule.LATENCY)) as some,
        closing(made("compiled", Schedule.LATENCY)) as other,
    ):
        counts = LaunchCounts(some.record)
        counts.begin([(B, KERNEL)])
        some.run(500)
        other.run(500)
        assert some.hash() == other.hash()
