# SPDX-License-Identifier: Apache-2.0
"""Which values of a semaphore end the loop of a load: loops as compilers lay them out."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.harts.needs import LEAVES, ends, others
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image

LOAD, FENCE, RETURN = asm("lw", rd=11, rs1=10), asm("fence"), asm("jalr", rs1=1)
TWO = asm("addi", rd=12, imm=2)
VALUES = range(16)


def branch(name: str, words: int, **registers: int) -> int:
    return asm(name, imm=4 * words, **registers)


def jump(words: int) -> int:
    return asm("jal", imm=4 * words)


@pytest.mark.parametrize(
    ("words", "leave"),
    [
        # while (load == 0), != 0, >= 2 by a constant of before, or of the loop.
        ([LOAD, branch("beq", -1, rs1=11)], range(1, 16)),
        ([LOAD, branch("bne", -1, rs1=11)], range(1)),
        ([TWO, LOAD, branch("bgeu", -1, rs1=11, rs2=12)], range(2)),
        ([LOAD, TWO, branch("bgeu", -2, rs1=11, rs2=12)], range(2)),
        # The value is used first, as load_blocking does; its low byte; what is made of it.
        ([LOAD, asm("and", rs2=11), branch("bne", -2, rs1=11)], range(1)),
        ([LOAD, asm("andi", rd=11, rs1=11, imm=255), branch("bne", -2, rs1=11)], range(1)),
        ([LOAD, asm("sltiu", rd=13, rs1=11, imm=3), branch("beq", -2, rs1=13)], range(3)),
        # The exit is a branch, and the way back a jump; the loop at the end of the function.
        ([LOAD, branch("bne", 2, rs1=11), jump(-2), RETURN], range(1, 16)),
        ([LOAD, branch("bne", 2, rs1=11), RETURN, FENCE, jump(-4)], range(1)),
        # No loop, another condition, a register that nothing is known of.
        ([LOAD, branch("bne", 2, rs1=11), FENCE, RETURN], range(0)),
        ([LOAD, branch("bne", -1, rs1=14), RETURN], range(0)),
        ([LOAD, asm("add", rd=11, rs1=11, rs2=12), branch("bne", -2, rs1=11)], range(0)),
    ],
)
def test_what_ends_a_loop(words: list[int], leave: range) -> None:
    machine = Machine(schedule=Schedule.LATENCY, engine="reference")
    machine.load(B, image([*words, RETURN], 0x100))
    machine.write_x(B, 12, 2)
    pc = 0x100 + 4 * words.index(LOAD)
    S = machine.S
    assert [value for value in VALUES if ends(S, B, pc, value) == LEAVES] == list(leave)
    for value in leave:
        assert others(S, B, pc, value, -1) == value - leave.start
        assert others(S, B, pc, value, 1) == leave.stop - 1 - value
