# SPDX-License-Identifier: Apache-2.0
"""Instruction caches and branch prediction: times only (core/riscv/pipeline/frontend.py)."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.pipeline.frontend import (
    BUBBLE,
    JUMP_MISS,
    LINE,
    MISS,
    SETS,
    SETS_SMALL,
    WAYS,
)
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image

ADD = asm("addi", rd=5, rs1=5, imm=1)
START = 0x6000
CHIPS = (Arch.BLACKHOLE, Arch.WORMHOLE)
PER_LINE = LINE // 4


def cycles(
    words: list[int],
    schedule: Schedule = Schedule.LATENCY,
    arch: Arch = Arch.BLACKHOLE,
    hart: int = T1,
) -> int:
    """Until a program has come to its ebreak."""
    machine = Machine(engine="reference", schedule=schedule, arch=arch)
    machine.load(hart, image([*words, EBREAK], START))
    assert machine.run(100_000) is not None
    found = int(machine.S.tile.cycle)
    machine.close()
    return found


def loop(body: int, rounds: int) -> list[int]:
    """`rounds` times `body` additions."""
    count = asm("addi", rd=6, imm=rounds)
    back = [ADD] * body + [asm("addi", rd=6, rs1=6, imm=-1)]
    return [count, *back, asm("bne", rs1=6, imm=-4 * len(back))]


@pytest.mark.parametrize("lines", [1, 4, 20])
def test_a_new_line_in_order_costs_a_cycle(lines: int) -> None:
    longer = cycles([ADD] * (PER_LINE * (lines + 1)))
    assert longer - cycles([ADD] * PER_LINE) == lines * (PER_LINE + MISS)


def test_what_is_in_the_cache_costs_nothing() -> None:
    rounds = cycles(loop(14, 60)) - cycles(loop(14, 40))
    assert rounds == 20 * 16


def test_a_loop_of_more_than_the_cache_misses() -> None:
    more = SETS * WAYS * PER_LINE + 16
    rounds = cycles(jumping(more, 3)) - cycles(jumping(more, 2))
    assert rounds > more + 3 + SETS // 32
    fits = SETS * WAYS * PER_LINE // 2
    assert cycles(jumping(fits, 3)) - cycles(jumping(fits, 2)) == fits + 3


def jumping(body: int, rounds: int) -> list[int]:
    """The same, longer than a branch reaches."""
    back = [ADD] * body + [asm("addi", rd=6, rs1=6, imm=-1)]
    end = [asm("beq", rs1=6, imm=8), asm("jal", imm=-4 * (len(back) + 1))]
    return [asm("addi", rd=6, imm=rounds), *back, *end]


def test_a_loop_costs_a_bubble_at_its_first_way_back_and_one_at_its_exit() -> None:
    """A card: 8 cycles for one round of six instructions, 22 for two, 34 for four (riscvbench)."""
    once = cycles(loop(4, 1))
    assert [cycles(loop(4, rounds)) - once for rounds in (2, 3, 4)] == [
        2 * BUBBLE[0] + more * 6 for more in (1, 2, 3)
    ]


@pytest.mark.parametrize(("body", "bubbles"), [(1, 64), (2, 0)])
def test_after_a_bubble_the_first_instruction_is_not_predicted(body: int, bubbles: int) -> None:
    """Taken branches one after the other each cost a bubble whenever the first one does; with an
    instruction between them there is nothing of that."""
    block = ([ADD] * (body - 1) + [asm("beq", imm=4)]) * 64
    back = [*block, asm("addi", rd=6, rs1=6, imm=-1)]
    jump = asm("bne", rs1=6, imm=-4 * len(back))

    def rounds(count: int) -> int:
        return cycles([asm("addi", rd=6, imm=count), *back, jump])

    a_round = rounds(4) - rounds(3)
    assert a_round == len(back) + 1
    assert rounds(3) - rounds(2) == a_round
    assert rounds(2) - rounds(1) == a_round + (2 + bubbles) * BUBBLE[0]


@pytest.mark.parametrize(("rs2", "taken"), [(0, 1), (5, 0)])
def test_a_branch_to_the_next_instruction_is_taken_as_its_condition_says(
    rs2: int, taken: int
) -> None:
    branch = asm("beq", rs2=rs2, imm=4)
    assert cycles([ADD, ADD, branch, ADD]) - cycles([ADD] * 4) == taken * BUBBLE[0]


def test_a_jump_to_a_line_that_is_not_there_waits_for_l1() -> None:
    far = [asm("jal", imm=0x100), *[ADD] * 63, ADD]
    near = [asm("addi"), ADD]
    assert cycles(far) - cycles(near) == BUBBLE[0] + JUMP_MISS


def test_a_bubble_of_wormhole_is_shorter() -> None:
    """WormholeB0 BabyRISCV/README.md, Integer Unit: two cycles."""
    branch = asm("beq", imm=4)
    with_branch, without = ([ADD, ADD, word, ADD] for word in (branch, ADD))
    lost = [cycles(with_branch, arch=arch) - cycles(without, arch=arch) for arch in CHIPS]
    assert lost == list(BUBBLE) == [4, 2]


@pytest.mark.parametrize(("hart", "kept"), [(T0, True), (T1, False)])
def test_caches_of_wormhole_have_the_bytes_of_its_page(hart: int, kept: bool) -> None:
    """2 KiB of T0, 512 bytes of T1: a loop of twice that is fetched again in each round there."""
    body = 2 * SETS_SMALL * WAYS * PER_LINE
    rounds = [cycles(loop(body, count), arch=Arch.WORMHOLE, hart=hart) for count in (3, 4)]
    fetched = rounds[1] - rounds[0] - (body + 2)
    assert (fetched == 0) is kept
    assert cycles(jumping(body, 4)) - cycles(jumping(body, 3)) == body + 3


def test_a_multiplication_of_wormhole_keeps_the_integer_unit() -> None:
    multiply = asm("mul", rd=7, rs1=8, rs2=9)
    taken = [
        cycles([multiply] * 4 + [ADD], arch=arch) - cycles([ADD] * 5, arch=arch) for arch in CHIPS
    ]
    assert taken == [0, 4]


def test_other_schedules_have_no_frontend() -> None:
    assert cycles([ADD] * 64, Schedule.SC) == cycles([ADD] * 16, Schedule.SC) + 48


def test_invalidation_empties_the_cache() -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(T1, image([*[ADD] * 8, EBREAK], START))
    machine.run(100)
    assert machine.S.frontend.line[T1] != 0
    machine.poke(T1, 0xFFEF0000 + 4 * 185, (1 << T1).to_bytes(4, "little"))
    assert machine.S.frontend.line[T1] == 0
    machine.close()
