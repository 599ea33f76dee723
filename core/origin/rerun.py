# SPDX-License-Identifier: Apache-2.0
"""Run the same execution again, to a cycle: what answers where a value came from is built on.

`Again` begins at the reset of a tile that nothing has changed since but its run: `tensix-gdb run`,
pytest, a recording. `OfHistory` begins where the history of a debug session does, and makes each
input again that a client made meanwhile. `OfCopy` does the same with a copy of the tile, which is
not disturbed, and `OfChip` (of_chip.py) with a copy of a chip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from tensix_gdb.core.engine import Engine
from tensix_gdb.core.history import MachineHistory
from tensix_gdb.core.history.checkpoints import Checkpoint, position, restore
from tensix_gdb.core.history.copy import Replay
from tensix_gdb.core.history.replay import execute_one, run_again, run_to_cycle
from tensix_gdb.core.history.replayable import Position
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.carried import Follower
from tensix_gdb.core.noc.outside import Outside

# The pages of each tile's state, and of each memory outside the tiles.
ChangesTo = Callable[[Sequence[Sequence[bytes]], Sequence[dict[int, bytes]]], None]


class Followed(Protocol):
    """What moves data of requests."""

    follower: Follower | None


class Rerun(Protocol):
    """Brings tiles to a cycle of their past."""

    machines: Sequence[Machine]
    names: Sequence[str]  # of the tiles; of a tile alone ""
    is_whole: bool  # it begins at the reset: what was never written is as it was then

    @property
    def outside(self) -> Outside:
        """Memory outside the tiles."""

    @property
    def ends(self) -> Sequence[Followed]:
        """What moves data of requests, and says so."""

    def follow(self, changes_to: ChangesTo) -> None:
        """Call this before all state is put into another one on the way."""

    def use(self, engines: Sequence[Engine] | None) -> None:
        """Run the tiles by these engines from now on, or by their own."""

    def begin(self) -> None:
        """Go to where it begins."""

    def to(self, cycle: int, tile: int = 0) -> None:
        """Run on to where a tile is at the start of a cycle."""

    def to_present(self) -> None:
        """Run on to where the tile was."""

    def is_back(self) -> bool:
        """True if the tile is as it was where it was."""

    def put_back(self) -> None:
        """Bring the tile back to where it was."""


class _OfOne:
    """Of a tile alone."""

    names: Sequence[str] = ("",)

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.machines: Sequence[Machine] = (machine,)
        self._own = machine.engine

    @property
    def outside(self) -> Outside:
        return self.machine.outside

    @property
    def ends(self) -> Sequence[Followed]:
        return (self.machine.outside,)

    def follow(self, changes_to: ChangesTo) -> None:
        """Nothing: what has changed is found by comparing."""

    def use(self, engines: Sequence[Engine] | None) -> None:
        self.machine.engine = self._own if engines is None else engines[0]


class Again(_OfOne):
    """From a reset. `prepare` does what the host does to a fresh tile."""

    is_whole = True

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self._snapshot = bytes(machine.record.raw_state())
        self._here = position(machine)

    def begin(self) -> None:
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


class OfHistory(_OfOne):
    """From where a history begins, with its inputs."""

    def __init__(self, machine: Machine, history: MachineHistory) -> None:
        super().__init__(machine)
        self._history = history
        history.note_inputs()  # what was changed since the tile came to rest is an input, too
        self.is_whole = history.first_cycle == 0
        self._here = position(machine)
        self._cycle = int(machine.S.tile.cycle)
        self._snapshot = bytes(machine.record.raw_state())

    def begin(self) -> None:
        self._history.to_start()

    def to(self, cycle: int, tile: int = 0) -> None:
        machine, history = self.machine, self._history
        while True:
            limit = history.next_input()
            if limit is None or limit.cycle > cycle:
                run_to_cycle(machine, cycle)
                return
            run_to_cycle(machine, limit.cycle)
            go_on_to(machine, limit.of(0))
            if not history.replay_input():
                run_to_cycle(machine, cycle)
                return

    def to_present(self) -> None:
        self.to(self._cycle)
        _finish(self.machine, self._snapshot, self._here)

    def is_back(self) -> bool:
        return bytes(self.machine.record.raw_state()) == self._snapshot

    def put_back(self) -> None:
        self._history.to_cycle(self._cycle)
        self.to_present()
        self._history.suspend()


class OfCopy(_OfOne):
    """From where a history begins, with a copy of the tile; `present` is where the tile is."""

    def __init__(self, copy: Machine, replay: Replay, present: Checkpoint) -> None:
        super().__init__(copy)
        self._pieces, self._present = replay.pieces, present
        self.is_whole = self._pieces[0][0].at.cycle == 0
        self._in = 0

    def begin(self) -> None:
        self._in = 0
        restore(self.machine, self._pieces[0][0])

    def to(self, cycle: int, tile: int = 0) -> None:
        while self._in + 1 < len(self._pieces):
            following = self._pieces[self._in + 1][0]
            if following.at.cycle > cycle:
                break
            run_to_cycle(self.machine, following.at.cycle)
            go_on_to(self.machine, following.at)
            restore(self.machine, following)
            self._in += 1
        run_to_cycle(self.machine, cycle)

    def to_present(self) -> None:
        present = self._present
        self.to(present.at.cycle)
        go_on_to(self.machine, present.at)
        if position(self.machine) == present.at:
            # What was changed since the tile came to rest is an input, too; and a hart may have
            # come to its ebreak in the middle of this cycle.
            restore(self.machine, present)

    def is_back(self) -> bool:
        return position(self.machine) == self._present.at

    def put_back(self) -> None:
        restore(self.machine, self._present)


def go_on_to(machine: Machine, at: Position) -> None:
    """Go on from the start of a cycle to a place in it."""
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
    """After a stop in the middle of a cycle: go on from its start through the part of it that is
    over. A hart may have come to its ebreak there, without an instruction more."""
    was = None
    while bytes(machine.record.raw_state()) != snapshot:
        here = position(machine)
        if here == was or at.before(here):
            return
        was = here
        if not _step_to(machine, here, at):
            run_again(machine, 1, armed=False)
