# SPDX-License-Identifier: Apache-2.0
"""A hart that reads a word of another tile over the NoC again and again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.polls.remote import is_polled, remote_poll_of, under_way
from tensix_gdb.gdbstub.tensix.blocked.polls import polling
from tests.assembler import SPIN, asm, image
from tests.core.chip import programs
from tests.core.chip.programs import COPY, DATA, READ, at, barrier, request

HERE, THERE = (1, 2), (2, 2)


@pytest.fixture
def chip() -> Iterator[Chip]:
    made = Chip([HERE, THERE], engine="reference")
    yield made
    made.close()


def read(place: Place, addr: int = DATA) -> list[int]:
    return [*request(READ, addr, at(place), COPY, at(HERE), 4), *barrier(0)]


def run(chip: Chip, words: list[int], cycles: int = 3000) -> None:
    chip.tiles[HERE].load(B, image([*words, SPIN], 0x1000))
    chip.run(cycles)


def again_and_again(words: list[int]) -> list[int]:
    return [*words, asm("jal", imm=-4 * len(words))]


def test_the_same_read_again_and_again(chip: Chip) -> None:
    chip.tiles[THERE].poke(B, DATA, b"\7\0\0\0")
    run(chip, again_and_again(read(THERE)))
    S = chip.tiles[HERE].S
    found = remote_poll_of(S, B)
    assert found is not None
    assert (found.addr, found.length, found.copy, found.niu) == (DATA, 4, COPY, 0)
    assert remote_poll_of(S, T0) is None
    assert all(is_polled(S, *slot) for slot in under_way(S))
    said = polling(chip.tiles[HERE], B)
    assert said is not None
    assert said.brief == f"L1 {DATA:#x} of 2-2 over NoC 0"
    assert said.does.startswith(f"reads L1 {DATA:#x} of 2-2 over NoC 0 again and again, at 0x")
    assert said.does.endswith(": it was 7 the last time")


def test_reads_of_several_words(chip: Chip) -> None:
    run(chip, again_and_again([*read(THERE), *read(THERE, DATA + 16)]))
    S = chip.tiles[HERE].S
    assert remote_poll_of(S, B) is None
    assert not all(is_polled(S, *slot) for slot in under_way(S))


def test_reads_of_ones_own_tile(chip: Chip) -> None:
    run(chip, again_and_again(read(HERE)))
    assert remote_poll_of(chip.tiles[HERE].S, B) is None


def test_a_hart_that_has_read_for_the_last_time(chip: Chip) -> None:
    run(chip, again_and_again(read(THERE)))
    machine = chip.tiles[HERE]
    assert remote_poll_of(machine.S, B) is not None
    machine.write_pc(B, 0x1000 + 4 * len(again_and_again(read(THERE))))
    chip.run(20_000)
    assert remote_poll_of(machine.S, B) is None


def test_too_few_of_them(chip: Chip) -> None:
    run(chip, read(THERE) * 2)
    assert remote_poll_of(chip.tiles[HERE].S, B) is None
    assert programs.READ == 0  # as an empty slot has
