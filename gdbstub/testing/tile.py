# SPDX-License-Identifier: Apache-2.0
"""A tile in a test: load, break, run, step, look. Synchronous, in this process, no sockets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.explain.orders import broken, relied_on
from tensix_gdb.core.firmware.folder import programs_in
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.gdbstub.testing import running
from tensix_gdb.gdbstub.testing.hart import Hart
from tensix_gdb.gdbstub.testing.program import Program
from tensix_gdb.gdbstub.testing.report import report
from tensix_gdb.gdbstub.testing.stop import Stop
from tensix_gdb.gdbstub.testing.tile_state import TileState
from tensix_gdb.gdbstub.usage import HARTS as TYPED_NAMES
from tensix_gdb.gdbstub.usage import UsageError, parse_schedule

__tracebackhide__ = True  # pytest shows the test's own line

Path_ = str | Path
CHIPS = {"blackhole": Arch.BLACKHOLE, "wormhole": Arch.WORMHOLE}


def _chip(name: str) -> Arch:
    """Return the chip of a name. UsageError for another one."""
    if name not in CHIPS:
        raise UsageError(f"arch={name!r} is no chip of a tile: type {' or '.join(CHIPS)}")
    return CHIPS[name]


class Tile(TileState):
    """A tile with programs: `Tile(t0="t0.elf", b="b.elf")`, or those of a folder, by their names:
    `Tile(dir="build")`. Close it, or use it in `with`.

    `schedule` is one of the command line's: sc, latency, random:SEED[,strict][,no-pauses]; `arch`
    is the chip, `blackhole` or `wormhole`.
    """

    def __init__(
        self,
        *,
        engine: str | Engine = "auto",
        schedule: str = "sc",
        arch: str = "blackhole",
        sources: Iterable[Path_] = (),
        dir: Path_ | None = None,
        b: Path_ | None = None,
        t0: Path_ | None = None,
        t1: Path_ | None = None,
        t2: Path_ | None = None,
        nc: Path_ | None = None,
    ) -> None:
        machine = Machine(engine=engine, schedule=parse_schedule(schedule), arch=_chip(arch))
        super().__init__(machine, sources)
        for name, path in zip(TYPED_NAMES, (b, t0, t1, t2, nc), strict=True):
            if path is not None:
                self.load(name, path)
        if dir is not None:
            self.load_folder(dir)

    def close(self) -> None:
        """Give up the engine's background work."""
        self.machine.close()

    def __enter__(self) -> Tile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if problem is not None:
            problem.add_note(self.report())
        self.close()

    # Programs

    def load(self, hart: str | int | Hart, path: Path_) -> Program:
        """Load an ELF for a hart, which will start at its entry."""
        chosen = self.hart(hart)
        image = read_elf(path)
        self.machine.load(chosen.number, image)
        chosen.program = Program(image, self._sources)
        return chosen.program

    def load_folder(self, folder: Path_) -> None:
        """Load the ELFs of a folder by their names, as `tensix-gdb run --dir` does."""
        for number, path in programs_in(folder).items():
            self.load(number, path)

    @property
    def orders(self) -> dict[str, int]:
        """The number of times that the run has relied on each order that no page grants, by the
        order's name."""
        return {order.promise.name: order.times for order in relied_on(self.machine.S)}

    @property
    def broken_orders(self) -> dict[str, int]:
        """The number of times that each of them was broken; only in random:SEED,strict."""
        return {order.promise.name: order.times for order in broken(self.machine.S)}

    def unpause(self, hart: str | int | Hart) -> None:
        """Let a hart that has paused at an ebreak or ecall resume after it; otherwise it stays."""
        self.machine.resume_from(self.hart(hart).number)

    # Running (gdbstub.testing.running has it in slices)

    def run(self, cycles: int = running.CYCLES) -> Stop:
        """Run until something stops the tile; NotStopped after so many cycles."""
        return _finish(running.running(self, cycles))

    def run_to(
        self,
        place: str | int,
        *,
        hart: str | int | Hart | None = None,
        cycles: int = running.CYCLES,
    ) -> Stop:
        """Run to a place; NotStopped, with where it is instead, when something else stops it."""
        return _finish(running.to(self, place, hart, cycles))

    def run_to_end(self, *harts: str | int | Hart, cycles: int = running.CYCLES) -> Stop:
        """Run until these harts, or all that run, have paused at their ebreak; NotStopped when
        anything else stops the tile."""
        return _finish(running.to_end(self, [self.hart(hart) for hart in harts], cycles))

    def step(self, hart: str | int | Hart, count: int = 1) -> Stop:
        """Let a hart execute so many instructions; the others run meanwhile."""
        return _finish(running.steps(self, self.hart(hart), count))

    def step_line(self, hart: str | int | Hart) -> Stop:
        """Let a hart go to the next line, into functions that have lines."""
        return _finish(running.line(self, self.hart(hart), over=False))

    def next_line(self, hart: str | int | Hart) -> Stop:
        """Let a hart go to the next line of the same function or of its caller."""
        return _finish(running.line(self, self.hart(hart), over=True))

    def finish(self, hart: str | int | Hart, cycles: int = running.CYCLES) -> Stop:
        """Let a hart return to the caller of the function that it is in."""
        return _finish(running.returning(self, self.hart(hart), cycles))

    # Whole states, and words

    def hash(self) -> str:
        """Return the hash of all state: two runs were the same if theirs are."""
        return self.machine.hash()

    def snapshot(self) -> bytearray:
        """Copy all state, for `restore`."""
        return self.machine.snapshot()

    def restore(self, snapshot: bytearray) -> None:
        """Go back to a snapshot; breakpoints stay."""
        self.machine.restore(snapshot)
        self.stop = None

    def report(self) -> str:
        """Return where the tile has stopped, with source lines; what a failed test shows."""
        return report(self)


def _finish(slices: Iterator[Stop | None]) -> Stop:
    last = None
    for stop in slices:
        last = stop
    assert last is not None
    return last


def tile_of(machine: Machine) -> Tile:
    """Return the tile of a machine that is there already, with the programs that it has. The
    machine belongs to the caller."""
    tile = Tile.__new__(Tile)
    TileState.__init__(tile, machine)
    for image in machine.images:
        if image.hart is not None:
            tile.harts[image.hart].program = Program(image, ())
    return tile
