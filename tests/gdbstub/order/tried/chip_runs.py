# SPDX-License-Identifier: Apache-2.0
"""Twelve programs of two or three tiles without a wait that they need, and their runs with remedies
put in.

Each is some words for B of each tile: without a barrier, or without what was stored being read
back, before a signal to another tile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.places import Place
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.seeds.case import RIGHT
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.trial import Run, Tried, try_remedies
from tests.core.chip.programs import (
    ATOMIC,
    COPY,
    DATA,
    INCREMENT,
    INLINE,
    MARKED,
    READ,
    RESULT,
    SEMAPHORE,
    WRITE,
    at,
    barrier,
    copy_word,
    load,
    request,
    store,
    wait_for,
)

NEAR, FAR, THIRD = (1, 2), (10, 2), (3, 4)
CYCLES, LINE = 5000, 16
LONG = 512
PORT, PLACE = at(DRAM[3][0]), 0x4_0000
USED = [0x00B585B3]  # add a1, a1, a1
DONE = 0xB000  # a word that each program writes last: its run has come to the end


def raises(place: Place, niu: int = 0, semaphore: int = SEMAPHORE) -> list[int]:
    return request(ATOMIC, semaphore, at(place, niu), 0, 0, INCREMENT, data=1, niu=niu)


def sends(niu: int = 0, ctrl: int = MARKED, length: int = 64) -> list[int]:
    return request(WRITE | ctrl, DATA, at(NEAR, niu), COPY, at(FAR, niu), length, niu=niu)


GETS = [*wait_for(SEMAPHORE, 1), *copy_word(COPY, RESULT)]
TAKES = [*wait_for(SEMAPHORE, 1), *copy_word(COPY + LONG - 4, RESULT)]
READS = request(READ, DATA, at(FAR), COPY, at(NEAR), 64)
TO_DRAM = request(WRITE | MARKED, DATA, at(NEAR), PLACE, PORT, 128)
FROM_DRAM = request(READ, PLACE, PORT, COPY, at(FAR), 128)
Programs = Mapping[Place, Sequence[int]]
# fmt: off
PROGRAMS: dict[str, Programs] = {
    "a semaphore by another NoC than its data":
        {NEAR: [*sends(1, length=LONG), *raises(FAR)], FAR: TAKES},
    "a semaphore by the same NoC": {NEAR: [*sends(length=LONG), *raises(FAR)], FAR: TAKES},
    "a read of another tile, without a barrier":
        {NEAR: [*READS, *copy_word(COPY, RESULT)], FAR: []},
    "the source of a write, written again": {NEAR: [*sends(), *store(DATA, 7)], FAR: []},
    "the same by NoC 1": {NEAR: [*sends(1), *store(DATA, 7)], FAR: []},
    "the answer of an atomic":
        {NEAR: [*request(ATOMIC | MARKED, SEMAPHORE, at(FAR), RESULT, at(NEAR), INCREMENT, data=1),
                *copy_word(RESULT, COPY)], FAR: []},
    "data that is stored, and sent": {NEAR: [*store(DATA, 7), *sends(), *barrier(0)], FAR: []},
    "data that is stored, a signal, and a read of it":
        {NEAR: [*store(DATA, 7), *raises(FAR)],
         FAR: [*wait_for(SEMAPHORE, 1),
               *request(READ, DATA, at(NEAR), COPY, at(FAR), 64), *barrier(0)]},
    "a signal through a third tile":
        {NEAR: [*sends(length=LONG), *raises(THIRD)],
         THIRD: [*wait_for(SEMAPHORE, 1), *raises(FAR)], FAR: TAKES},
    "what a read brings, sent on":
        {NEAR: [*READS, *request(WRITE | MARKED, COPY, at(NEAR), RESULT, at(FAR), 64)], FAR: []},
    "a read, then a signal that its source is free":
        {NEAR: [*READS, *raises(FAR)], FAR: [*wait_for(SEMAPHORE, 1), *store(DATA, 7)]},
    "a signal by a word, sent inline":
        {NEAR: [*sends(1, length=LONG),
                *request(WRITE | INLINE, SEMAPHORE, at(FAR), data=1)], FAR: TAKES},
}
# fmt: on


class ChipRuns:
    """Observed runs of the programs of some tiles, as one tile's observer sees them."""

    arch, size, kept = Arch.BLACKHOLE, L1_BYTES, None

    def __init__(self, programs: Programs, engine: str = "compiled") -> None:
        self._programs = programs
        self._chip = Chip(tuple(programs), engine=engine, schedule=Schedule.LATENCY)
        for place, words in programs.items():
            load(self._chip, place, [*words, *store(DONE, 1)])
        self._chip.observe_races(checks=())
        self._start = self._chip.capture()
        self.here: Place = NEAR
        self.base = self.run((), None)
        for place in programs:
            if self._chip.races()[place].reports:
                self.here = place
        self.base = self.run((), None)

    def close(self) -> None:
        """Give the tiles back."""
        self._chip.close()

    def _place(self, tile: str) -> Place:
        return next((one for one in self._programs if f"tile {one}" == tile), self.here)

    def code_at(self, hart: int, pc: int, tile: str = "") -> Code | None:
        machine = self._chip.tiles[self._place(tile)]
        image = machine.places.image(hart, pc)
        return Code(image) if image is not None else None

    def program(self, hart: int) -> Code | None:
        return None

    def is_unused(self, addr: int, tile: str = "") -> bool:
        machine = self._chip.tiles[self._place(tile)]
        return addr >= 0x10000 and not any(machine.peek(B, addr, LINE))

    def free_semaphore(self) -> int | None:
        return None

    def run(self, pokes: Sequence[tuple[int, bytes]], semaphore: int | None, tile: str = "") -> Run:
        chip = self._chip
        chip.restore(self._start)
        chip.observe_races(checks=())
        for addr, data in pokes:
            chip.tiles[self._place(tile)].poke(B, addr, data)
        cycles = 0
        while cycles < CYCLES and not self._is_over():
            assert chip.run(10) is None
            cycles += 10
        over = self._is_over()
        assert chip.run(500) is None  # what is under way comes to its end
        return Run(RIGHT if over else "no end", "", chip.races()[self.here], cycles)

    def _is_over(self) -> bool:
        return all(machine.peek(B, DONE, 4)[0] for machine in self._chip.tiles.values())


def tried(programs: Programs, engine: str = "compiled") -> list[Tried]:
    """Try the remedies of what one tile reports."""
    runs = ChipRuns(programs, engine)
    found = [try_remedies(runs, one) for one in runs.base.findings.reports]
    runs.close()
    return found
