# SPDX-License-Identifier: Apache-2.0
"""Subjects of tests of history: a tile in which four harts race, and a chip with traffic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from tensix_gdb.core.arch.blackhole import NC, T0, T1, B
from tensix_gdb.core.chip.replayable import ReplayableChip
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.history import History
from tensix_gdb.core.history.machine import ReplayableMachine
from tensix_gdb.core.history.replayable import Replayable
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image, li
from tests.core.chip.test_in_step import GRID, made_by
from tests.machines import machine_on

CELL = 0x8000
COUNT = [
    *li(8, CELL),
    asm("lw", rd=5, rs1=8),
    asm("addi", rd=5, rs1=5, imm=1),
    asm("sw", rs1=8, rs2=5),
    asm("jal", imm=-12),
]
STORE = 4 * (len(COUNT) - 2)
HARTS = (B, T0, T1, NC)
UNUSED = 0x20000  # no program reads or writes it


@dataclass
class Subject:
    """A Machine or a Chip."""

    whole: Replayable[Any, Any]
    slice: int  # cycles between two looks
    hart: tuple[int, int]  # the tile and hart that go back
    breaks: tuple[int, ...]  # addresses in its program

    @property
    def machines(self) -> Sequence[Machine]:
        return self.whole.machines

    def begin(self, checkpoints: int = 64) -> History[Any, Any]:
        return History(self.whole, checkpoints)

    def hash(self) -> str:
        return self.whole.hash()

    def poke(self, data: bytes) -> None:
        self.machines[0].poke(B, UNUSED, data)

    def peek(self) -> bytes:
        return bytes(self.machines[0].peek(B, UNUSED, 1))

    def step_back(self, history: History[Any, Any]) -> Iterator[bool]:
        tile, hart = self.hart
        return history.step_back(hart, tile=tile)

    def arm(self) -> None:
        tile, hart = self.hart
        for addr in self.breaks:
            self.machines[tile].add_break(addr, hart)


def racing_tile(engine: str, schedule: Schedule) -> Machine:
    """Four harts that count in one word and lose each other's counts."""
    machine = machine_on(engine, schedule, 7)
    for hart in HARTS:
        machine.load(hart, image(COUNT, 0x100 * hart))
    return machine


@contextmanager
def subject_of(kind: str, engine: Any, schedule: Schedule) -> Iterator[Subject]:
    """A tile, or a chip of six."""
    if kind == "tile":
        machine = racing_tile(engine, schedule)
        yield Subject(ReplayableMachine(machine), 50, (0, T0), (0x100 * T0 + STORE,))
        machine.close()
    else:
        with made_by(None, 6, Execution(schedule, 2), engine) as chip:
            yield Subject(ReplayableChip(chip), 250, (GRID.index((7, 2)), B), (8, 0x40, 0x80, 0xC0))
