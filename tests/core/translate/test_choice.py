# SPDX-License-Identifier: Apache-2.0
"""Which code is translated, how much of it, and what happens where that cannot be done."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.engine.plan import Built
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.fields import TRANSLATIONS
from tensix_gdb.core.translate.blocks import LONGEST, MOST, Blocks, blocks_from
from tensix_gdb.core.translate.translations import SETTLED, VARIABLE, Translations
from tests.assembler import EBREAK, NOP, SPIN, asm, image
from tests.core.translate.local import NEVER, Local, interpreting, translating, translations_of

START = 0x1000
CSR = asm("csrrs", rd=5, imm=0xB00)


def blocks_of(words: list[int], *starts: int) -> Blocks:
    """Return the blocks of a program at START that are translated from words of these numbers
    on."""

    def decoded_at(pc: int) -> int | None:
        index = pc - START >> 2
        return decode(words[index]) if 0 <= index < len(words) else None

    return blocks_from(tuple(START + 4 * start for start in starts), decoded_at)


def numbers(addresses: object) -> list[int]:
    assert isinstance(addresses, dict | tuple | frozenset)
    return sorted(pc - START >> 2 for pc in addresses)


def test_a_loop_is_entered_where_it_begins() -> None:
    words = [NOP, NOP, NOP, asm("bne", rs1=5, imm=-8), NOP]
    blocks = blocks_of(words, 2)  # seen in the middle
    assert numbers(blocks.code) == [1, 2, 3, 4]
    assert numbers(blocks.heads) == [1]
    assert numbers(blocks.leaders) == [1, 4]


def test_calls_are_followed_and_gone_past() -> None:
    words = [asm("jal", rd=1, imm=12), NOP, EBREAK, NOP, asm("jalr", rs1=1)]
    blocks = blocks_of(words, 0)
    assert numbers(blocks.code) == [0, 1, 3, 4]
    assert numbers(blocks.heads) == [1, 3]


def test_what_a_burst_leaves_is_gone_past() -> None:
    blocks = blocks_of([NOP, CSR, NOP, SPIN], 0)
    assert numbers(blocks.code) == [0, 2, 3]
    assert numbers(blocks.heads) == [2, 3]


def test_code_and_blocks_have_a_limit() -> None:
    blocks = blocks_of([*[NOP] * 3 * MOST, SPIN], 0)
    assert len(blocks.code) == MOST
    assert all(len(blocks.block(leader)) <= LONGEST for leader in blocks.leaders)
    assert blocks_of([asm(".ttinsn")] * 3 * MOST, 0).code == {}


@pytest.fixture
def machine() -> Iterator[Machine]:
    made = translating()
    yield made
    made.close()


def loop(machine: Machine, hart: int, at: int) -> None:
    machine.load(hart, image([asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)], at))
    machine.run(20)
    translations_of(machine).translate(hart, at)


def test_their_number_has_a_limit(machine: Machine) -> None:
    """The oldest makes room. Each is of another loop, which the same hart is sent to."""
    for i in range(TRANSLATIONS + 5):
        machine.load_bytes(START + 64 * i, image([NOP, asm("jal", imm=-4)]).segments[0].data)
    loop(machine, B, START)
    for i in range(1, TRANSLATIONS + 5):
        translations_of(machine).translate(B, START + 64 * i)
    in_use = translations_of(machine).in_use
    assert len(in_use) == TRANSLATIONS - 1
    assert START not in [each.starts[0] for each in in_use]


def test_code_around_an_older_one_replaces_it(machine: Machine) -> None:
    """The inner loop is found first."""
    words = [NOP, asm("addi", rd=5, rs1=5, imm=1), asm("bne", rs1=6, imm=-4), asm("jal", imm=-12)]
    machine.load(B, image(words, START))
    machine.run(20)
    translations_of(machine).translate(B, START + 4)
    (first,) = translations_of(machine).in_use
    translations_of(machine).translate(B, START)
    (second,) = translations_of(machine).in_use
    assert second is not first
    assert second.starts == (START, *first.starts)


def test_another_hart_does_not_enter_it(machine: Machine) -> None:
    """Its local RAM has another size. What it meets is executed as if there were no translation."""
    other = interpreting()
    loop(machine, B, START)
    other.load(B, image([asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)], START))
    other.run(20)
    for each in (machine, other):
        each.freeze([B])
        each.load(T0, image([asm("jal", imm=START - 0x2000)], 0x2000))
        each.run(1000)
    assert machine.hash() == other.hash()
    assert machine.read_x(T0, 5) > 400
    other.close()


class Failing(Local):
    """Can make nothing."""

    def ask(self, key: str, hart: int, blocks: Blocks) -> bool:
        self._made[key] = None
        return True

    def take(self, key: str) -> Built | None:
        return None


def test_where_nothing_can_be_made_the_hart_goes_on() -> None:
    machine = interpreting()
    machine.runner.translations = Translations(machine.record, Failing(), before=NEVER)
    loop(machine, B, START)
    machine.run(1000)
    assert machine.S.hart.retired[B] == 1020
    assert not translations_of(machine).in_use
    machine.close()


def test_it_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "off")
    machine = Machine(engine="reference")
    assert machine.runner.translations is None
    machine.close()


def test_what_a_head_is_can_be_looked_up(machine: Machine) -> None:
    """The general case and a skipped fault decode what is at the pc, whatever is there."""
    loop(machine, B, START)
    words = [machine.S.l1.word[START + 4 * i >> 2] for i in range(2)]
    assert machine.S.decoded.word[START >> 2] != decode(words[0]), "a head"
    for i, word in enumerate(words):
        assert decode_at(machine.S, START + 4 * i) == decode(word)


def test_where_code_is_translated_it_looks_seldom(machine: Machine) -> None:
    """A look that finds the hart in a translation is followed by a longer time without one."""
    made = machine.runner.translations = Translations(
        machine.record, Local(), before=10, between=10
    )
    machine.load(B, image([asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)], START))
    machine.run(200)
    assert made.in_use
    cycle, spans = int(machine.S.tile.cycle), []
    for _ in range(6):
        cycle += made.before_call(cycle)
        spans.append(made.before_call(cycle))
    assert spans[-1] == 10 * SETTLED
    machine.poke(B, START, NOP.to_bytes(4, "little"))
    machine.run(2 * 10 * SETTLED)
    assert made.in_use, "what was written is translated anew"
