# SPDX-License-Identifier: Apache-2.0
"""Translated code passes through the same states as interpreted code, and stops where that does."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.noc_access import NocAccess
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.translate.blocks import Blocks
from tensix_gdb.core.translate.translations import Translations
from tests.assembler import EBREAK, NOP, asm, image
from tests.core.clock.test_random_programs import programs
from tests.core.translate.local import NEVER, Local, interpreting, translating, translations_of
from tests.forms import rounds
from tests.programs import build

START, DATA, LOCAL = 0x1000, 0x4000, 0xFFB00000
COUNT = 10_000

# x5 counts down; the sum of its values is in x6.
COUNTDOWN = [
    asm("add", rd=6, rs1=6, rs2=5),
    asm("addi", rd=5, rs1=5, imm=-1),
    asm("bne", rs1=5, rs2=0, imm=-8),
    EBREAK,
]
# A function that is called for each value: x7 is its argument, x6 the sum, x8 where it stores.
CALLING = [
    asm("addi", rd=7, rs1=5),
    asm("jal", rd=1, imm=16),
    asm("addi", rd=5, rs1=5, imm=-1),
    asm("bne", rs1=5, rs2=0, imm=-12),
    EBREAK,
    asm("sw", rs1=8, rs2=7),
    asm("lw", rd=7, rs1=8),
    asm("add", rd=6, rs1=6, rs2=7),
    asm("jalr", rs1=1),
]


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Machine, Machine]]:
    made = translating(), interpreting()
    yield made
    for machine in made:
        machine.close()


def prepare(machine: Machine, words: list[int], count: int = COUNT) -> None:
    machine.images.clear()
    machine.reset()
    machine.load(B, image(words, START))
    for number, value in ((5, count), (8, DATA), (9, LOCAL), (10, 0xFFB18000)):
        machine.write_x(B, number, value)


def translated(machine: Machine, words: list[int], count: int = COUNT) -> Machine:
    prepare(machine, words, count)
    machine.run(20)
    translations_of(machine).translate(B, START)
    assert translations_of(machine).in_use
    return machine


def heads_in_use(machine: Machine) -> int:
    return len(translations_of(machine).in_use)


@pytest.mark.parametrize("words", [COUNTDOWN, CALLING], ids=["loop", "calls"])
def test_it_ends_in_the_same_state(both: tuple[Machine, Machine], words: list[int]) -> None:
    machine, other = both
    translated(machine, words)
    prepare(other, words)
    assert machine.run(1 << 20) == other.run(1 << 20)
    assert machine.hash() == other.hash()
    assert machine.read_x(B, 6) == sum(range(COUNT + 1))


class Wrong(Local):
    """Translates another program than the one that it is asked for."""

    def ask(self, key: str, hart: int, blocks: Blocks) -> bool:
        code = dict(blocks.code)
        code[START] = decode(asm("sub", rd=6, rs1=6, rs2=5))
        return super().ask(key, hart, replace(blocks, code=code))


def test_translated_code_is_what_runs() -> None:
    machine = interpreting()
    machine.runner.translations = Translations(machine.record, Wrong(), before=NEVER)
    try:
        # Of a program that no other test has translated: what is loaded is found by its key.
        translated(machine, [*COUNTDOWN[:2], NOP, asm("bne", rs1=5, rs2=0, imm=-12), EBREAK])
        machine.run(1 << 20)
        assert machine.read_x(B, 6) > 1 << 31, "a sum, and not what was translated"
    finally:
        machine.close()


@pytest.mark.parametrize("words", [COUNTDOWN, CALLING], ids=["loop", "calls"])
def test_a_run_ends_after_exactly_its_cycles(
    both: tuple[Machine, Machine], words: list[int]
) -> None:
    machine, other = both
    translated(machine, words)
    prepare(other, words)
    other.run(20)
    draw = random.Random(1)
    for _ in range(200):
        cycles = draw.choice((1, 2, 3, 5, 8, 13, 100, 101))
        machine.run(cycles)
        other.run(cycles)
        assert machine.S.tile.cycle == other.S.tile.cycle
        assert machine.hash() == other.hash()


def test_a_breakpoint_in_a_translation_stops(both: tuple[Machine, Machine]) -> None:
    machine, _ = both
    translated(machine, COUNTDOWN)
    machine.run(1000)
    machine.add_break(START + 4)
    try:
        for _ in range(3):
            stop = machine.run(1 << 20)
            assert stop is not None
            assert stop.pc == START + 4
            machine.resume_from(B)
        assert not heads_in_use(machine)
    finally:
        machine.remove_break(START + 4)
    machine.run(100)
    assert heads_in_use(machine) == 1, "without the breakpoint it is of use again"


def test_a_watch_and_a_step_stop_where_they_do_without(both: tuple[Machine, Machine]) -> None:
    machine, other = both
    translated(machine, CALLING)
    prepare(other, CALLING)
    other.run(20)
    for each in (machine, other):
        each.run(1000)
        each.add_watch(B, DATA, 4, "write")
    try:
        for _ in range(5):
            assert machine.run(1 << 20) == other.run(1 << 20)
            for each in (machine, other):
                each.resume_from(B)
                each.step(B)
            assert machine.run(1 << 20) == other.run(1 << 20)
            assert machine.hash() == other.hash()
    finally:
        for each in (machine, other):
            each.remove_watch(B, DATA, 4, "write")
    machine.run(100)
    other.run(100)
    assert machine.hash() == other.hash()


NEW = asm("addi", rd=5, rs1=5, imm=-3)
WRITERS: dict[str, Callable[[Machine], None]] = {
    "a debugger": lambda machine: machine.poke(B, START + 4, NEW.to_bytes(4, "little")),
    "the NoC": lambda machine: NocAccess(machine.record, machine.memory).write(
        START + 4, NEW.to_bytes(4, "little")
    ),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_what_is_written_is_executed(
    both: tuple[Machine, Machine], write: Callable[[Machine], None]
) -> None:
    machine, other = both
    translated(machine, COUNTDOWN, 3 * COUNT)
    prepare(other, COUNTDOWN, 3 * COUNT)
    other.run(20)
    for each in (machine, other):
        each.run(100)
        write(each)
        each.run(1000)
    assert not heads_in_use(machine)
    assert machine.hash() == other.hash()


def test_a_translation_that_writes_to_itself_ends(both: tuple[Machine, Machine]) -> None:
    """The store replaces the instruction that comes after it in its block."""
    machine, other = both
    words = [
        asm("sw", rs1=8, rs2=11, imm=4),
        asm("addi", rd=6, rs1=6, imm=1),
        asm("addi", rd=5, rs1=5, imm=-1),
        asm("bne", rs1=5, rs2=0, imm=-12),
        EBREAK,
    ]
    new = asm("addi", rd=6, rs1=6, imm=100)
    for each in (machine, other):
        prepare(each, words)
        each.write_x(B, 11, new)
        each.run(400)  # it writes to DATA
    translations_of(machine).translate(B, START)
    assert heads_in_use(machine)
    for each in (machine, other):
        each.write_x(B, 8, START)
        each.run(1 << 20)
    assert machine.hash() == other.hash()
    assert machine.read_x(B, 6) > 100 * COUNT // 2


def test_a_snapshot_brings_back_what_it_was_taken_with(both: tuple[Machine, Machine]) -> None:
    machine, _ = both
    translated(machine, COUNTDOWN)
    kept = machine.snapshot()
    machine.run(1000)
    expected = machine.hash()
    machine.poke(B, START, EBREAK.to_bytes(4, "little"))
    machine.run(10)
    machine.restore(kept)
    machine.run(1000)
    assert machine.hash() == expected
    assert heads_in_use(machine) == 1


def test_it_is_of_one_hart_and_one_schedule(both: tuple[Machine, Machine]) -> None:
    machine, _ = both
    translated(machine, COUNTDOWN)
    machine.reschedule(Schedule.LATENCY)
    machine.reset()
    machine.load(B, image(COUNTDOWN, START))
    machine.write_x(B, 5, 10)
    machine.run(100)
    assert not heads_in_use(machine)
    machine.reschedule(Schedule.SC)


EVENTS = st.lists(
    st.tuples(
        st.sampled_from(["run", "run", "run", "break", "unbreak", "poke", "translate", "watch"]),
        st.integers(0, 40),
        st.integers(1, 60),
    ),
    min_size=4,
    max_size=16,
)


@settings(max_examples=rounds(5, 15), deadline=None)
@given(programs, EVENTS)
def test_random_programs(
    both: tuple[Machine, Machine],
    listing: list[list[int]],
    events: list[tuple[str, int, int]],
) -> None:
    """Programs that write to themselves, to devices and to counters, while a debugger is at work:
    the same state and the same stop after each run."""
    words = listing[0]
    loop = asm("jal", imm=-4 * len(words))
    for machine in both:
        prepare(machine, [*words, loop, loop, loop])
        machine.write_x(B, 7, START)
        machine.run(40)
    translations_of(both[0]).translate(B, START)
    breaks: set[int] = set()
    try:
        for what, where, cycles in events:
            at = START + 4 * (where % (len(words) + 1))
            for machine in both:
                if what == "break" and at not in breaks:
                    machine.add_break(at)
                if what == "unbreak" and at in breaks:
                    machine.remove_break(at)
                if what == "poke":
                    machine.poke(B, at, words[cycles % len(words)].to_bytes(4, "little"))
                if what == "watch":
                    machine.add_watch(B, DATA, 16, "access")
            if what == "break":
                breaks.add(at)
            if what == "unbreak":
                breaks.discard(at)
            if what == "translate":
                translations_of(both[0]).translate(B, at)
            stops = [machine.run(cycles) for machine in both]
            assert stops[0] == stops[1]
            assert both[0].hash() == both[1].hash()
            for machine in both:
                if stops[0] is not None:
                    machine.resume_from(B)
                if what == "watch":
                    machine.remove_watch(B, DATA, 16, "access")
    finally:
        for machine in both:
            for at in breaks:
                machine.remove_break(at)


def test_a_hart_that_runs_long_is_translated_by_the_child() -> None:
    """Nothing is asked for: it is found, made in another process, and used."""
    machine, other = translating(), interpreting()
    made = Translations(machine.record, before=100_000, between=50_000)
    machine.runner.translations = made
    try:
        for each in (machine, other):
            prepare(each, CALLING, 400_000)
            each.run(300_000)
        made.wait()
        assert made.in_use
        for each in (machine, other):
            each.run(1_000_000)
        assert machine.hash() == other.hash()
    finally:
        for each in (machine, other):
            each.close()


@pytest.mark.parametrize("name", ["memory", "call", "float", "local"])
def test_compiled_programs(both: tuple[Machine, Machine], tmp_path: Path, name: str) -> None:
    """C programs, from random places on, in runs of random length."""
    arch = build.FLOAT_ARCH if name == "float" else build.PLAIN_ARCH
    elf = tmp_path / f"{name}.elf"
    build.build(
        build.PROGRAMS / f"bench_{name}.c", "B", elf, optimize="-O2", arch=arch,
        defines=("ROUNDS=4u",),
    )  # fmt: skip
    draw = random.Random(2)
    for machine in both:
        machine.images.clear()
        machine.reset()
        machine.load(B, read_elf(elf))
    for _ in range(rounds(3, 4)):
        translations_of(both[0]).translate(B, both[0].read_pc(B))
        for cycles in (1, draw.randrange(1, 30), draw.randrange(1, 20_000)):
            stops = [machine.run(cycles) for machine in both]
            assert stops[0] == stops[1]
            assert both[0].hash() == both[1].hash()
    assert heads_in_use(both[0])
