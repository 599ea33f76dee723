# SPDX-License-Identifier: Apache-2.0
"""The state of a tile in a test: its machine and the parts of it that tests name, where it has
stopped, what stops it and what observes it. Runs and reports take this; `Tile` adds them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.testing.arrays import L1, Dst
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.stop import Stop
from tensix_gdb.gdbstub.testing.tensix import TensixThread, mutexes, semaphores
from tensix_gdb.gdbstub.testing.tile_breakpoints import TileBreakpoints
from tensix_gdb.gdbstub.testing.tile_observation import TileObservation

__tracebackhide__ = True  # pytest shows the test's own line


class TileState(TileBreakpoints, TileObservation):
    """A `Tile` without what runs it."""

    def __init__(self, machine: Machine, sources: Iterable[str | Path] = ()) -> None:
        self.machine = machine
        self.harts = tuple(Hart(machine, number) for number in range(HARTS))
        self.b, self.t0, self.t1, self.t2, self.nc = self.harts
        self.tensix = tuple(TensixThread(machine, number) for number in range(THREADS))
        self.semaphores = semaphores(machine)
        self.l1, self.dst = L1(machine), Dst(machine)
        self.stop: Stop | None = None
        self._to_cycle = None
        self._history = None
        self.breakpoints = []
        self._sources = tuple(Path(folder) for folder in sources)

    @property
    def cycle(self) -> int:
        """Cycles since power-up."""
        return int(self.machine.S.tile.cycle)

    @property
    def mutexes(self) -> dict[int, int | None]:
        """The Tensix thread that holds each mutex; None for none."""
        return mutexes(self.machine)
