# SPDX-License-Identifier: Apache-2.0
"""A machine as a card: what tt-exalens does with a tile, in this process and at once.

It reaches the tile by what the NoC reaches and by the debug interface alone. `cycles` pass with
each access, as on a card that continues meanwhile; without, the tile is stopped but for halts.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import L1_BYTES, NC, TILE_CONTROL_BASE
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.host.exalens.card import CannotRead

CNTL0, CNTL1, STATUS1 = (TILE_CONTROL_BASE + at for at in (0x80, 0x84, 0x8C))
TRIGGER, IS_WRITE = 1 << 31, 1 << 16
PAUSE, CONTINUE, READ_REGISTER, READ_MEMORY = 1, 4, 8, 32
DEBUG = 1 << 31  # tt-exalens has debug mode on in each command
LONGEST = 64  # cycles that a halt or a load of the debug interface takes, at most


class MachineCard:
    """The `Card` of a machine."""

    name = "a machine"

    def __init__(self, machine: Machine, cycles: int = 0) -> None:
        self._machine, self._cycles = machine, cycles

    def read(self, addr: int, size: int) -> bytes:
        if self._cycles:
            self._machine.run(self._cycles)
        assert addr + size <= L1_BYTES or addr >= TILE_CONTROL_BASE
        return self._machine.peek(NC, addr, size)

    def write(self, addr: int, value: int) -> None:
        assert addr >= TILE_CONTROL_BASE
        self._machine.poke(NC, addr, value.to_bytes(4, "little"))

    def can_halt(self, hart: int) -> bool:
        return hart != NC

    def is_halted(self, hart: int) -> bool:
        return self.can_halt(hart) and bool(self._dr(hart, 0) & 1)

    @contextlib.contextmanager
    def halted(self, hart: int) -> Iterator[None]:
        if not self.can_halt(hart):
            raise CannotRead("the debug interface does not reach it")
        was_halted = self.is_halted(hart)
        if not was_halted:
            self._set(hart, 1, DEBUG | PAUSE)
            self._until(hart, "it did not halt")
        try:
            yield
        finally:
            if not was_halted:
                self._set(hart, 1, DEBUG | CONTINUE)
                self._set(hart, 1, 0)

    def x(self, hart: int, number: int) -> int:
        self._set(hart, 2, number)
        self._set(hart, 1, DEBUG | READ_REGISTER)
        return self._dr(hart, 4)

    def word(self, hart: int, addr: int) -> int:
        self._set(hart, 2, addr)
        self._set(hart, 1, DEBUG | READ_MEMORY)
        self._until(hart, "its load is not answered")
        return self._dr(hart, 4)

    def _until(self, hart: int, problem: str) -> None:
        for _ in range(LONGEST):
            if self._dr(hart, 0) & 1:
                return
            self._machine.run(1)
        raise CannotRead(problem)

    def _dr(self, hart: int, number: int) -> int:
        self.write(CNTL0, hart << 17 | number)
        self.write(CNTL0, TRIGGER | hart << 17 | number)
        return int.from_bytes(self.read(STATUS1, 4), "little")

    def _set(self, hart: int, number: int, value: int) -> None:
        self.write(CNTL1, value)
        self.write(CNTL0, IS_WRITE | hart << 17 | number)
        self.write(CNTL0, TRIGGER | IS_WRITE | hart << 17 | number)
