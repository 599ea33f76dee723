# SPDX-License-Identifier: Apache-2.0
"""Which bits of a word of configuration a load is for, as compilers write it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.harts.bits import of_load
from tensix_gdb.core.race.harts.uses import bits_used
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, NOP, asm, image

LOAD, RETURN = asm("lw", rd=11, rs1=10), asm("jalr", rs1=1)
MASK = asm("andi", rd=11, rs1=11, imm=15)
ALL = 0xFFFFFFFF
FLAG = [asm("sltiu", rd=12, rs1=13, imm=1)]  # seqz
NOT = asm("andn", rd=14, rs1=12, rs2=14)  # condition && !field
BOTH = [asm("and", rd=14, rs1=14, rs2=12), asm("addi", rd=11), asm("bne", rs1=14)]
TTI_NOP = 0x02 << 26  # .ttinsn: the word, rotated by two bits


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


def other(name: str, to: int, imm: int) -> int:
    return asm(name, rd=to, rs1=11, imm=imm)


@pytest.mark.parametrize(
    ("words", "bits"),
    [
        # The field is in another register, and the word is dead where the function returns.
        ([other("srli", 14, 29), asm("add", rd=10, rs1=14, rs2=0), MASK], 0xE000000F),
        ([other("andi", 10, 15), asm("addi", rd=11)], 0x0000000F),
        ([other("slli", 14, 2), asm("addi", rd=11), asm("blt", rs1=14, imm=8), NOP], 0x20000000),
        # Both ways of a branch.
        ([other("srli", 14, 28), asm("beq", rs1=14, imm=8), asm("addi", rd=11), MASK], 0xF000000F),
        # a1 is what a caller may see; a loop; a call.
        ([other("srli", 14, 29)], ALL),
        ([other("srli", 14, 29), asm("addi", rd=11), asm("bne", rs1=14, imm=-4)], 0xE0000000),
        ([other("srli", 14, 29), asm("jal", rd=1, imm=8)], ALL),
        ([asm("sw", rs1=10, rs2=11)], ALL),
        # LLK_ASSERT, and a push (TTI_NOP): nothing looks at the rest of the word there.
        ([other("srli", 14, 29), EBREAK, asm("addi", rd=11), asm("bne", rs1=14)], 0xE0000000),
        ([other("srli", 14, 29), TTI_NOP, asm("addi", rd=11), asm("bne", rs1=14)], 0xE0000000),
        # As GCC writes `field && condition`: the other one has a bit alone.
        ([other("srli", 14, 29), *FLAG, *BOTH], 0x20000000),
        ([other("srli", 14, 29), *FLAG, asm("addi", rd=12, rs1=12, imm=1), *BOTH], 0xE0000000),
        ([other("srli", 14, 29), *BOTH], 0xE0000000),
        ([other("slt", 12, 0), *BOTH], ALL),
        ([asm("addi", rd=12, imm=1), other("srli", 14, 29), NOT, *BOTH[1:]], 0x20000000),
        ([asm("addi", rd=12, imm=3), other("srli", 14, 29), NOT, *BOTH[1:]], 0xE0000000),
        ([*FLAG, other("srli", 14, 29), asm("jal", rd=1, imm=8)], ALL),
    ],
)
def test_bits_that_are_used(words: list[int], bits: int) -> None:
    machine = Machine(schedule=Schedule.LATENCY, engine="reference")
    machine.load(B, image([LOAD, *words, RETURN, NOP], 0x100))
    assert bits_used(machine.S, 0x100) == bits


@pytest.mark.parametrize(
    ("register", "callee", "bits"),
    [
        (15, asm("addi", rd=15, imm=3), 0),  # a5: the callee has another use for it
        (15, asm("sw", rs1=10, rs2=15), ALL),
        (15, NOP, 0),  # gone at its return
        (9, asm("addi", rd=15, imm=3), ALL),  # s1: the callee leaves it as it is
    ],
)
def test_a_call_is_followed(register: int, callee: int, bits: int) -> None:
    machine = Machine(schedule=Schedule.LATENCY, engine="reference")
    load = asm("lw", rd=register, rs1=10)
    words = [load, asm("jal", rd=1, imm=12), NOP, RETURN, callee, RETURN]
    machine.load(B, image(words, 0x100))
    assert bits_used(machine.S, 0x100) == bits
