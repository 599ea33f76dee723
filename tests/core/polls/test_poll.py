# SPDX-License-Identifier: Apache-2.0
"""A loop that polls is known: its word, the values that end it, and whether it is proved that it
goes round for ever."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.polls.poll import Poll, poll_of
from tensix_gdb.core.polls.wanted import Is, Wanted, wanted
from tensix_gdb.core.schedule import Schedule
from tests.assembler import EBREAK, asm, image, li
from tests.core.polls import programs
from tests.core.polls.programs import FLAG, STACK, X5, X6, X8, until


def polled(words: Sequence[int], schedule: Schedule, cycles: int = 203) -> Poll | None:
    machine = Machine(engine="reference", schedule=schedule)
    machine.load(T0, image(list(words), 0x1000))
    machine.run(cycles)
    found = poll_of(machine.S, machine.memory, T0)
    machine.close()
    return found


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
@pytest.mark.parametrize(
    ("words", "is_proved", "stores"),
    [
        (until("bne", 1), True, False),
        (until("bne", 1, asm("fence")), True, False),
        (programs.COUNTS, True, False),
        (programs.COUNTS_ON_STACK, True, True),
        (programs.CALLS, True, True),
        (programs.TIMES_OUT, False, False),
    ],
    ids=["plain", "fence", "counts", "counts on the stack", "calls", "times out"],
)
def test_a_loop_and_its_word(
    words: Sequence[int], is_proved: bool, stores: bool, schedule: Schedule
) -> None:
    for cycles in (203, 204, 206):  # wherever in the loop it is
        found = polled(words, schedule, cycles)
        assert found is not None
        (read,) = found.polled
        assert (read.addr, read.value, read.region) == (FLAG, 0, Region.L1)
        assert (found.is_proved, found.stores, found.counts) == (is_proved, stores, not is_proved)


@pytest.mark.parametrize(
    "words",
    [
        programs.STORES,
        [*li(2, STACK), *programs.HEARTBEAT],
        programs.STRLEN,
        [EBREAK],
        [*li(X5, FLAG), *[asm("add")] * 300, EBREAK],
    ],
    ids=["stores to L1", "a variable that counts", "another word each time", "ended", "no loop"],
)
def test_no_poll(words: Sequence[int]) -> None:
    found = polled(words, Schedule.LATENCY, 60)
    assert found is None or not found.polled


def test_a_loop_that_only_counts_polls_nothing() -> None:
    count = [*li(X8, 100_000), asm("addi", rd=X6, rs1=X6, imm=1)]
    found = polled([*count, asm("bne", rs1=X6, rs2=X8, imm=-4), EBREAK], Schedule.LATENCY)
    assert found is not None
    assert (found.polled, found.is_proved, found.counts) == ((), False, True)


def test_two_words_of_one_loop() -> None:
    loop = [asm("lw", rd=6, rs1=5), asm("lw", rd=7, rs1=5, imm=64), asm("or", rd=6, rs1=6, rs2=7)]
    words = [*li(X5, FLAG), *loop, asm("beq", rs1=6, imm=-12), EBREAK]
    found = polled(words, Schedule.LATENCY)
    assert found is not None
    assert sorted(read.addr for read in found.polled) == [FLAG, FLAG + 64]


@pytest.mark.parametrize(
    ("branch", "number", "relation", "value"),
    [
        ("bne", 1, Is.EQUAL, 1),
        ("beq", 0, Is.OTHER, 0),
        ("bltu", 7, Is.AT_LEAST, 7),
        ("bge", 5, Is.SIGNED_AT_MOST, 4),
        ("blt", 5, Is.SIGNED_AT_LEAST, 5),
    ],
)
def test_the_values_that_end_a_loop(branch: str, number: int, relation: Is, value: int) -> None:
    machine = Machine(engine="reference", schedule=Schedule.LATENCY)
    machine.load(T0, image(until(branch, number), 0x1000))
    now = 9 if branch == "bge" else 0
    machine.poke(T0, FLAG, now.to_bytes(4, "little"))
    machine.run(203)
    found = poll_of(machine.S, machine.memory, T0)
    assert found is not None
    assert found.wanted(found.polled[0]) == Wanted(relation, value)
    machine.close()


def test_a_bit_that_ends_a_loop() -> None:
    loop = [asm("lw", rd=6, rs1=5), asm("andi", rd=6, rs1=6, imm=8)]
    found = polled([*li(X5, FLAG), *loop, asm("beq", rs1=6, imm=-8), EBREAK], Schedule.LATENCY)
    assert found is not None
    assert found.wanted(found.polled[0]) == Wanted(Is.BIT_SET, 3)


def test_nothing_simple_is_said_of_what_is_not_simple() -> None:
    assert wanted(lambda value: value * value % 7 == 3, 4, 0, (7, 3)) is None
    assert wanted(lambda value: False, 4, 0, ()) is None


def test_the_words_for_values() -> None:
    shown = [Wanted(relation, 5).text for relation in Is]
    assert shown[0] == "it is 5"
    assert len(set(shown)) == len(Is)
    for relation in Is:
        assert Wanted(relation, 5).ends(5, 32) or not Wanted(relation, 5).ends(5, 32)
    assert Wanted(Is.EQUAL, 0x1234).text == "it is 0x1234"


def test_the_stack_of_a_hart_is_no_word_that_others_write() -> None:
    found = polled(until("bne", 1, addr=STACK), Schedule.LATENCY)
    assert found is not None
    assert found.polled == ()
