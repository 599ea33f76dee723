# SPDX-License-Identifier: Apache-2.0
"""Which bits of a word of configuration a load is for, as compilers write it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.harts.bits import of_load
from tensix_gdb.core.schedule import Schedule
from tests.assembler import NOP, asm, image

LOAD, RETURN = asm("lw", rd=11, rs1=10), asm("jalr", rs1=1)
MASK = asm("andi", rd=11, rs1=11, imm=15)
ALL = 0xFFFFFFFF


def right(by: int) -> int:
    return asm("srli", rd=11, rs1=11, imm=by)


def left(by: int) -> int:
    return asm("slli", rd=11, rs1=11, imm=by)


@pytest.mark.parametrize(
    ("words", "bits"),
    [
        ([MASK], 0x0000000F),
        ([NOP, right(4), NOP, MASK], 0x000000F0),
        ([right(29)], 0xE0000000),
        ([left(2), right(31)], 0x20000000),
        ([left(31)], 0x00000001),
        ([right(8), asm("andi", rd=11, rs1=11, imm=-16)], 0xFFFFF000),
        # Another register gets the field, and the word is there for more.
        ([asm("andi", rd=12, rs1=11, imm=15)], ALL),
        ([right(4), asm("andi", rd=12, rs1=11, imm=15)], 0xFFFFFFF0),
        # A use of all that is left.
        ([right(4), asm("sw", rs1=10, rs2=11), MASK], 0xFFFFFFF0),
        ([asm("beq", rs1=11, imm=8), MASK], ALL),
        ([RETURN, MASK], ALL),
        ([asm("add", rd=11, rs1=11, rs2=12), MASK], ALL),
        ([asm("addi", rd=11, imm=3), MASK], ALL),
    ],
)
def test_bits_of_a_load(words: list[int], bits: int) -> None:
    machine = Machine(schedule=Schedule.LATENCY, engine="reference")
    machine.load(B, image([LOAD, *words, RETURN], 0x100))
    assert of_load(machine.S, 0x100) == bits
