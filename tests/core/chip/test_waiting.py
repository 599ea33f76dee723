# SPDX-License-Identifier: Apache-2.0
"""Tiles that wait for the NoC: their cycles are passed in one go, and nothing comes out of it."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T1
from tensix_gdb.core.chip import chip as chip_module
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.noc.coordinates import DRAM
from tests.assembler import SPIN, image
from tests.core.chip.programs import COPY, DATA, READ, at, barrier, load, request, store, word
from tests.core.chip.test_in_step import NeverSleeps
from tests.core.tensix.programs import word as tensix

PLACES = tuple((x, 2) for x in range(1, 5))
MOP_CONFIG, PUSH = 0xFFB80000, 0xFFE40000
LOOPS = 127
MOP, NOP = 0x01800000, tensix("NOP")
NEVER_POSTED = tensix("SEMWAIT block=ALL, sem=S3, wait=C0")
CYCLES = 9000


def chip_of(pushed: tuple[int, ...]) -> Chip:
    """Tiles that read from one channel of DRAM, so that they wait, while T1 of each has pushed."""
    chip = Chip(PLACES, engine="compiled", schedule=Execution.parse("latency,links"))
    for place in PLACES:
        words = []
        for number in range(4):
            there = at(DRAM[0][0])
            words += request(READ, 0x4000 * number, there, 0x20000, at(place), 0x4000)
        load(chip, place, [*words, *barrier(0), *store(COPY, 1)])
        words = store(MOP_CONFIG, LOOPS) + store(MOP_CONFIG + 4, LOOPS)
        for slot in range(2, 9):
            words += store(MOP_CONFIG + 4 * slot, NOP)
        for each in pushed:
            words += store(PUSH, each)
        chip.tiles[place].load(T1, image([*words, SPIN], DATA))
    return chip


def hash_after(pushed: tuple[int, ...]) -> tuple[str, int]:
    chip = chip_of(pushed)
    for _ in range(3):
        assert chip.run(CYCLES // 3, lazy=True) is None
    skipped = sum(int(tile.S.polling.skipped) for tile in chip.tiles.values())
    assert all(word(chip, place, COPY) == 1 for place in PLACES)
    found = chip.hash()
    chip.close()
    return found, skipped


@pytest.mark.parametrize(
    ("pushed", "waits"),
    [((), True), ((NEVER_POSTED,) + (NOP,) * 40, True), ((MOP,) * 4, False)],
    ids=["nothing", "held at its gate", "instructions that pass"],
)
def test_nothing_comes_of_it(
    monkeypatch: pytest.MonkeyPatch, pushed: tuple[int, ...], waits: bool
) -> None:
    found, skipped = hash_after(pushed)
    assert (skipped > CYCLES) == waits
    monkeypatch.setattr(
        chip_module, "in_step", lambda machines, _, network: NeverSleeps(machines, network)
    )
    expected, none = hash_after(pushed)
    assert (found, none) == (expected, 0)
