# SPDX-License-Identifier: Apache-2.0
"""Tiles that a host wakes to write bytes of their L1: once each, and with the same states."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.memory.noc_access import NocAccess
from tests.assembler import SPIN, asm, image, li
from tests.core.chip.programs import (
    ATOMIC,
    INCREMENT,
    RESULT,
    SEMAPHORE,
    at,
    load,
    request,
    store,
    wait_for,
    word,
)

PLACES = ((1, 2), (2, 2))


def sleeping() -> Chip:
    """Both tiles poll a word of theirs, and have fallen asleep."""
    chip = Chip(PLACES, engine="compiled")
    for place in PLACES:
        load(chip, place, wait_for(SEMAPHORE, 1) + store(RESULT, 7))
    assert chip.run(20_000, lazy=True) is None
    return chip


def write(chip: Chip) -> None:
    """As a host writes to a tile that is up to date."""
    machine = chip.tiles[1, 2]
    NocAccess(machine.record, machine.memory).write(SEMAPHORE, (1).to_bytes(4, "little"))


def counted(chip: Chip, patch: pytest.MonkeyPatch) -> list[int]:
    """The tiles that are woken from now on."""
    woken: list[int] = []

    wake = chip._wake

    def note(number: int, *, as_before: bool = False) -> None:
        woken.append(number)
        wake(number, as_before=as_before)

    patch.setattr(chip, "_wake", note)
    return woken


def test_bytes_wake_a_tile_once(monkeypatch: pytest.MonkeyPatch) -> None:
    states = []
    for only_bytes, wakes in ((False, [0, 0]), (True, [0])):
        chip = sleeping()
        woken = counted(chip, monkeypatch)
        for _ in range(3):
            (chip.wake_for_bytes if only_bytes else chip.wake)((1, 2))
        write(chip)
        assert chip.run(3000, lazy=True) is None
        assert woken == wakes
        assert word(chip, (1, 2), RESULT) == 7
        assert word(chip, (2, 2), RESULT) == 0
        states.append(chip.hash())
        chip.close()
    assert states[0] == states[1]


def test_what_is_armed_after_bytes_stops_the_tile() -> None:
    chip = sleeping()
    chip.wake_for_bytes((1, 2))
    write(chip)
    machine = chip.wake((1, 2))
    assert machine.S.tile.cycle == chip.cycle
    place = len(wait_for(SEMAPHORE, 1)) * 4
    machine.add_break(place)
    stop = chip.run(3000, lazy=True)
    assert stop is not None
    assert stop.place == (1, 2)
    assert machine.read_pc(B) == place
    chip.close()


def test_a_watchpoint_stops_the_tile_after_bytes() -> None:
    chip = sleeping()
    chip.wake((1, 2)).add_watch(B, RESULT, 4, "write")
    assert chip.run(100, lazy=True) is None
    chip.wake_for_bytes((1, 2))
    write(chip)
    stop = chip.run(3000, lazy=True)
    assert stop is not None
    assert stop.place == (1, 2)
    assert word(chip, (1, 2), RESULT) == 0
    chip.close()


def count_down(count: int) -> list[int]:
    """Instructions that change nothing but a register."""
    return [*li(13, count), asm("addi", rd=13, rs1=13, imm=-1), asm("bne", rs1=13, imm=-4)]


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_a_word_that_comes_while_a_tile_is_watched(engine: str) -> None:
    """A core polls it in a short loop, and has come back before it comes; another core's loop is
    long, and comes back after it. The proof of both is no proof then (core/clock/polling.py)."""
    for step in range(1, 400, 20 if engine == "compiled" else 100):
        chip = Chip(PLACES, engine=engine)
        add = request(ATOMIC, SEMAPHORE, at(PLACES[1]), RESULT, at(PLACES[0]), INCREMENT, data=1)
        load(chip, PLACES[0], count_down(step) + add)
        machine = chip.tiles[PLACES[1]]
        words = wait_for(SEMAPHORE, 1) + count_down(600) + store(RESULT, 7) + [SPIN]
        machine.load(B, image(words, 0))
        back = count_down(20)
        machine.load(NC, image([*back, asm("jal", imm=-4 * len(back))], 0x4000))
        assert chip.run(8000) is None
        assert word(chip, PLACES[1], RESULT) == 7, step
        chip.close()
