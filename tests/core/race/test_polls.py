# SPDX-License-Identifier: Apache-2.0
"""Which loads poll: loops as compilers lay them out."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.harts.polls import goes_back
from tensix_gdb.core.schedule import Schedule
from tests.assembler import NOP, SPIN, asm, image, li
from tests.core.chip.programs import (
    COPY,
    DATA,
    RESULT,
    SEMAPHORE,
    copy_word,
    store,
    wait_for,
)

LOAD = asm("lw", rd=11, rs1=10)
FENCE = asm("fence")
RETURN = asm("jalr", rs1=1)


def jump(words: int) -> int:
    return asm("jal", imm=4 * words)


def branch(name: str, words: int, **registers: int) -> int:
    return asm(name, imm=4 * words, **registers)


@pytest.mark.parametrize(
    ("words", "polls"),
    [
        ([LOAD, branch("bne", -1, rs1=11)], True),
        # What the loop does is at the end of the function.
        ([LOAD, branch("bne", 2, rs1=11), RETURN, FENCE, jump(-4)], True),
        # The load is there once before the loop, too.
        ([LOAD, branch("beq", 4, rs1=11), FENCE, LOAD, branch("bne", -2, rs1=11), NOP], True),
        # A second condition, with a load of its own.
        (
            [LOAD, branch("beq", 5, rs1=11), asm("lw", rd=12, rs1=13),
             branch("beq", 3, rs1=12), FENCE, jump(-5), RETURN],
            True,
        ),
        # The same with another base: the address is computed between the two.
        (
            [LOAD, asm("addi", rd=10, rs1=10, imm=96), branch("beq", 4, rs1=11), FENCE,
             asm("lw", rd=12, rs1=10, imm=-96), branch("bne", -2, rs1=12), RETURN],
            True,
        ),
        # Two conditions lead to the same place, where the next loop has the base in that register:
        # tt-metal's router waits for its neighbours.
        (
            [LOAD, branch("beq", 4, rs1=11, rs2=13), asm("lw", rd=12, rs1=14),
             branch("beq", 2, rs1=12, rs2=15), jump(-4), asm("lw", rd=10, rs1=2, imm=84), LOAD,
             branch("beq", 2, rs1=11, rs2=13), jump(-2), RETURN],
            True,
        ),
        # A search leaves its loop as well, and looks at another word in each round.
        (
            [LOAD, branch("beq", 3, rs1=11), asm("addi", rd=10, rs1=10, imm=4),
             branch("bne", -3, rs1=10, rs2=15), LOAD, RETURN],
            False,
        ),
        # A loop over data looks at each word, and continues in any case.
        (
            [LOAD, branch("bne", 2, rs1=11), asm("addi", rd=14, rs1=14, imm=1),
             asm("addi", rd=10, rs1=10, imm=4), branch("bne", -4, rs1=10, rs2=15)],
            False,
        ),
        ([LOAD, branch("bne", 2, rs1=11), NOP, RETURN], False),
        ([LOAD, asm("add", rd=12, rs1=11, rs2=11), RETURN], False),
    ],
)  # fmt: skip
def test_loads_that_poll(words: list[int], polls: bool) -> None:
    machine = Machine(schedule=Schedule.LATENCY, engine="reference")
    machine.load(B, image([*words, RETURN], 0x100))
    assert bool(goes_back(machine.S, 0x100)) is polls


def stores(values: Sequence[tuple[int, int]]) -> list[int]:
    """Stores of bytes."""
    words = []
    for addr, value in values:
        words += [*li(10, addr), *li(11, value), asm("sb", rs1=10, rs2=11)]
    return words


def test_bytes_of_a_word_carry_what_each_of_their_cores_knows() -> None:
    """T0 and T1 have a byte each; B polls the word and reads what both have written."""
    machine = Machine(schedule=Schedule.LATENCY)
    waits = wait_for(SEMAPHORE, 0x0101)
    machine.load(B, image([*waits, *copy_word(DATA, RESULT), *copy_word(DATA + 16, RESULT), SPIN]))
    machine.load(T0, image([*stores([(DATA, 5), (SEMAPHORE, 1)]), SPIN], 0x4000))
    later = [NOP] * 60  # of T1, so that it is the last one
    program = [*later, *stores([(DATA + 16, 5), (SEMAPHORE + 1, 1)]), SPIN]
    machine.load(T0 + 1, image(program, 0x5000))
    machine.observe_races(checks=())
    machine.run(2000)
    assert machine.races().reports == ()
    machine.close()


@pytest.mark.parametrize("releases", [True, False])
def test_a_poll_of_a_line_that_another_load_has_filled(releases: bool) -> None:
    """T0 loads a word, then polls the next one, which its L0 data cache has by then: so LLK's
    stream.h reads both of its indexes. T1 stores data, then the word that is polled."""
    machine = Machine(schedule=Schedule.LATENCY)
    loop = [
        asm("fence"),
        asm("lw", rd=13, rs1=10, imm=4),
        asm("addi", rd=13, rs1=13, imm=1),  # the line is there
        asm("lw", rd=11, rs1=10),
        asm("bne", rs1=11, rs2=12, imm=-16),
    ]
    waits = [*li(10, SEMAPHORE), *li(12, 1), *loop]
    machine.load(T0, image([*waits, *copy_word(DATA, RESULT), SPIN], 0x4000))
    both = [(DATA, 5), (SEMAPHORE, 1)]
    stored = stores(both if releases else both[::-1])
    machine.load(T0 + 1, image([*[NOP] * 100, *stored, SPIN], 0x5000))
    machine.load(B, image([SPIN]))
    machine.observe_races(checks=())
    machine.run(2000)
    assert bool(machine.races().reports) is not releases
    machine.close()


def test_a_word_that_is_polled_keeps_its_signal() -> None:
    """T0 says that it is done long before B looks, and B stores to many words meanwhile: the
    writer of a page in ttnn.pad. B has polled the word before, as tt-metal's firmware has."""
    machine = Machine(schedule=Schedule.LATENCY)
    one = [asm("sw", rs1=10), asm("addi", rd=10, rs1=10, imm=4)]
    many = [*li(10, COPY), *li(12, COPY + 2048), *one, asm("bne", rs1=10, rs2=12, imm=-8)]
    first = [*wait_for(SEMAPHORE, 1), *store(RESULT + 16, 1)]
    machine.load(B, image([*first, *many, *wait_for(SEMAPHORE, 2), *store(DATA, 7), SPIN]))
    says = stores([(SEMAPHORE, 1)])
    used = [*wait_for(RESULT + 16, 1), *copy_word(DATA, RESULT), asm("addi", rd=11, rs1=11, imm=1)]
    machine.load(T0, image([*says, *used, *stores([(SEMAPHORE, 2)]), SPIN], 0x4000))
    machine.observe_races(checks=())
    machine.run(6000)
    assert machine.races().reports == ()
    machine.close()


@pytest.mark.parametrize("reads", [True, False])
def test_a_byte_that_is_read_before_a_store_to_it_merges_with_another_one(reads: bool) -> None:
    """A field of bits is changed beside a byte that was just stored: the load comes first, since
    the store that it is for comes after it, in whichever entry of the store queue."""
    machine = Machine(schedule=Schedule.LATENCY)
    change = [asm("lbu", rd=12, rs1=10, imm=1), asm("ori", rd=12, rs1=12, imm=1)]
    words = [*li(10, DATA), *li(11, 5), asm("sb", rs1=10, rs2=11)]
    words += [*(change if reads else ()), asm("sb", rs1=10, rs2=12, imm=1), SPIN]
    machine.load(B, image(words))
    machine.observe_races(checks=())
    machine.run(500)
    assert machine.races().reports == ()
    machine.close()
