# SPDX-License-Identifier: Apache-2.0
"""Run the same execution again, to a cycle: what answers where a value came from is built on.

`Again` begins at the reset of a tile that nothing has changed since but its run: `tensix-gdb run`,
pytest, a recording. `OfHistory` begins where the history of a debug session does, and makes each
input again that a client made meanwhile; in a copy of the tile, the tile is not disturbed. `OfChip`
(of_chip.py) does the same with a copy of a chip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol

from tensix_gdb.core.debug.kept_stop import keep_stop, put_stop_back
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.history.checkpoints import Checkpoint, position
from tensix_gdb.core.history.history import Past
from tensix_gdb.core.history.machine import ReplayableMachine
from tensix_gdb.core.history.replay import execute_one, run_again, run_to_cycle
from tensix_gdb.core.history.replayable import Position, Replayable, StateT, StopT
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.carried import Follower
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.noc.outside import Outside
from tensix_gdb.core.stop import Stop

# The pages of each tile's state, and of each memory outside the tiles.
ChangesTo = Callable[[Sequence[Sequence[bytes]], Sequence[dict[int, bytes]]], None]


class Followed(Protocol):
    """A part of the machine that moves data of requests."""

    follower: Follower | None


def memory_names(chip: str = "") -> list[str]:
    """Return the names of `Outside.memories()`; channels of one of several chips begin with it."""
    dot = "." if chip else ""
    return [*(f"{chip}{dot}DRAM {number}" for number in range(len(DRAM))), "the host's memory"]


class Rerun(Protocol):
    """Brings tiles to a cycle of their past."""

    machines: Sequence[Machine]
    names: Sequence[str]  # of the tiles; of a tile alone ""
    memories: Sequence[str]  # the names of memory outside the tiles, chip by chip
    is_whole: bool  # it begins at the reset: what was never written is as it was then

    @property
    def outsides(self) -> Sequence[Outside]:
        """Memory outside the tiles, of each chip."""

    @property
    def ends(self) -> Sequence[Followed]:
        """The parts that move data of requests, and report each move."""

    def follow(self, changes_to: ChangesTo) -> None:
        """Call this before all state is put into another one on the way."""

    def use(self, engines: Sequence[Engine] | None) -> None:
        """Run the tiles by these engines from now on, or by their own."""

    def go_to_start(self) -> None:
        """Go to where it begins."""

    def to(self, cycle: int, tile: int = 0) -> None:
        """Run on to where a tile is at the start of a cycle."""

    def programs_at(self, cycle: int) -> None:
        """Let machines have the programs of that time: lines and calls are read in them."""

    def to_present(self) -> None:
        """Run on to where the tile was."""

    def is_back(self) -> bool:
        """True if the tile is as it was where it was."""

    def put_back(self) -> None:
        """Bring the tile back to where it was."""


class _OfOne:
    """Of a tile alone."""

    names: Sequence[str] = ("",)
    memories: Sequence[str] = memory_names()

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.machines: Sequence[Machine] = (machine,)
        self._own = machine.engine

    @property
    def outsides(self) -> Sequence[Outside]:
        return (self.machine.outside,)

    @property
    def ends(self) -> Sequence[Followed]:
        return (self.machine.outside,)

    def follow(self, changes_to: ChangesTo) -> None:
        """Nothing: what has changed is found by comparing."""

    def programs_at(self, cycle: int) -> None:
        """Nothing: they are what a client of the tile sees."""

    def use(self, engines: Sequence[Engine] | None) -> None:
        self.machine.engine = self._own if engines is None else engines[0]


class Again(_OfOne):
    """From a reset. `prepare` does what the host does to a fresh tile."""

    is_whole = True

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self._snapshot = bytes(machine.record.raw_state())
        self._here, self._stop = position(machine), keep_stop(machine.S)

    def go_to_start(self) -> None:
        self.machine.reset()

    def to(self, cycle: int, tile: int = 0) -> None:
        run_to_cycle(self.machine, cycle)

    def to_present(self) -> None:
        run_to_cycle(self.machine, self._here.cycle)
        _finish(self.machine, self._snapshot, self._here)

    def is_back(self) -> bool:
        return bytes(self.machine.record.raw_state()) == self._snapshot

    def put_back(self) -> None:
        self.machine.restore(bytearray(self._snapshot))
        put_stop_back(self.machine.S, self._stop)


class OfPast(Generic[StateT, StopT]):
    """From where a history begins, with its inputs."""

    def __init__(self, whole: Replayable[StateT, StopT], past: Past[StateT]) -> None:
        self._whole, self._past = whole, past
        self.machines: Sequence[Machine] = whole.machines
        self.is_whole = past.starts[0].at.cycle == 0
        self._in = 0
        self._changes: Callable[[StateT], None] = lambda state: None

    def go_to_start(self) -> None:
        self._in = 0
        self._whole.restore(self._past.starts[0])

    def to(self, cycle: int, tile: int = 0) -> None:
        starts = self._past.starts
        while self._in + 1 < len(starts) and starts[self._in + 1].at.of(tile).cycle <= cycle:
            self._next()
        self._whole.run_to(cycle)

    def _next(self) -> None:
        """On to the next input, and past it."""
        self._in += 1
        following = self._past.starts[self._in]
        self._to_where(following)
        self._changes(following)
        self._whole.restore(following)

    def _to_where(self, state: StateT) -> None:
        """On to a state. Where a tile has stopped others may be up to a quantum ahead: nothing
        reaches a tile within a quantum, so each may run by itself."""
        self._whole.run_to(state.at.cycle)
        for number, machine in enumerate(self.machines):
            at = state.at.of(number)
            run_to_cycle(machine, at.cycle)
            go_on_to(machine, at)

    def to_present(self) -> None:
        while self._in + 1 < len(self._past.starts):
            self._next()
        here = self._past.here
        self._to_where(here)
        if self.is_back():
            # A hart may have come to its ebreak in the middle of this cycle, and stops of a chip
            # are where clients have stopped it.
            self._changes(here)
            self._whole.restore(here)

    def is_back(self) -> bool:
        return all(
            position(machine) == self._past.here.at.of(number)
            for number, machine in enumerate(self.machines)
        )

    def put_back(self) -> None:
        self._whole.restore(self._past.here)


class OfHistory(OfPast[Checkpoint, Stop], _OfOne):
    """From where the history of a tile begins, in the tile itself or a copy of it."""

    def __init__(self, machine: Machine, past: Past[Checkpoint]) -> None:
        _OfOne.__init__(self, machine)
        OfPast.__init__(self, ReplayableMachine(machine), past)


def go_on_to(machine: Machine, at: Position) -> None:
    """Run from the start of a cycle to a place in it."""
    was = None
    while (here := position(machine)).before(at) and here != was:
        was = here
        if not _step_to(machine, here, at):
            run_again(machine, 1, armed=False)


def _step_to(machine: Machine, here: Position, at: Position) -> bool:
    """In the cycle of a step, which ends after an instruction: execute up to it. False if another
    cycle comes first."""
    if here.cycle != at.cycle:
        return False
    harts = [hart for hart, count in enumerate(at.retired) if count > here.retired[hart]]
    if harts:
        return execute_one(machine, harts[-1])
    threads = [thread for thread, count in enumerate(at.passed) if count > here.passed[thread]]
    return bool(threads) and execute_one(machine, 0, threads[-1])


def _finish(machine: Machine, snapshot: bytes, at: Position) -> None:
    """Run from the start of a cycle to the stop in the middle of it. A hart may have come to its
    ebreak there, without an instruction more."""
    was = None
    while bytes(machine.record.raw_state()) != snapshot:
        here = position(machine)
        if here == was or at.before(here):
            return
        was = here
        if not _step_to(machine, here, at):
            run_again(machine, 1, armed=False)
