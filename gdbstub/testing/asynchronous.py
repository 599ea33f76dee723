# SPDX-License-Identifier: Apache-2.0
"""The same tile with `await` (trio): other tasks run between the slices of a run.

async with open_tile(t0="t0.elf") as tile:
    stop = await tile.run_to("filter")
    assert stop.hart["window[0]"] == 7
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import trio

from tensix_gdb.gdbstub.testing import running
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.stop import Stop
from tensix_gdb.gdbstub.testing.tile import Path_, Tile


class AsyncTile:
    """A `Tile` with runs that wait. Everything else is the tile's own, as `tile.now`."""

    def __init__(self, tile: Tile) -> None:
        self.now = tile
        self.b, self.t0, self.t1, self.t2, self.nc = tile.harts
        self.load = tile.load
        self.break_at = tile.break_at
        self.break_gate = tile.break_gate
        self.watch = tile.watch
        self.watch_tensix = tile.watch_tensix
        self.delete = tile.delete
        self.report = tile.report
        self.tensix = tile.tensix
        self.semaphores = tile.semaphores
        self.l1, self.dst = tile.l1, tile.dst

    async def run(self, cycles: int = running.CYCLES) -> Stop:
        """Run until something stops the tile; NotStopped after so many cycles."""
        return await _wait(running.running(self.now, cycles))

    async def run_to(
        self,
        place: str | int,
        *,
        hart: str | int | Hart | None = None,
        cycles: int = running.CYCLES,
    ) -> Stop:
        """Run to a place; NotStopped when something else stops the tile."""
        return await _wait(running.to(self.now, place, hart, cycles))

    async def run_to_end(self, *harts: str | int | Hart, cycles: int = running.CYCLES) -> Stop:
        """Run until these harts, or all that run, have paused."""
        return await _wait(running.to_end(self.now, [self.now.hart(h) for h in harts], cycles))

    async def step(self, hart: str | int | Hart, count: int = 1) -> Stop:
        """Let a hart execute so many instructions."""
        return await _wait(running.steps(self.now, self.now.hart(hart), count))

    async def step_line(self, hart: str | int | Hart) -> Stop:
        """Let a hart go to the next line, into functions."""
        return await _wait(running.line(self.now, self.now.hart(hart), over=False))

    async def next_line(self, hart: str | int | Hart) -> Stop:
        """Let a hart go to the next line, over calls."""
        return await _wait(running.line(self.now, self.now.hart(hart), over=True))

    async def finish(self, hart: str | int | Hart, cycles: int = running.CYCLES) -> Stop:
        """Let a hart return to its caller."""
        return await _wait(running.returning(self.now, self.now.hart(hart), cycles))


async def _wait(slices: running.Slices) -> Stop:
    last = None
    for stop in slices:
        last = stop
        await trio.lowlevel.checkpoint()
    assert last is not None
    return last


@asynccontextmanager
async def open_tile(
    *,
    engine: str = "auto",
    schedule: str = "sc",
    arch: str = "blackhole",
    sources: Iterable[Path_] = (),
    **elfs: Path_,
) -> AsyncIterator[AsyncTile]:
    """A tile with these ELFs (b=, t0=, t1=, t2=, nc=, or dir=). An exception gets a note that says
    where the tile has stopped."""
    with Tile(engine=engine, schedule=schedule, arch=arch, sources=sources, **elfs) as tile:
        yield AsyncTile(tile)
