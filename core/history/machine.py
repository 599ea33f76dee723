# SPDX-License-Identifier: Apache-2.0
"""A history of a Machine: one tile, which goes back to between any two instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from tensix_gdb.core.history.checkpoints import (
    Checkpoint,
    capture,
    is_unchanged,
    position,
    restore,
)
from tensix_gdb.core.history.history import CHECKPOINTS, History
from tensix_gdb.core.history.replay import (
    AT_ONCE,
    CAREFUL,
    SLICE_CYCLES,
    execute_one,
    most_at_once,
    run_again,
    run_to_cycle,
    step_over,
    steps_kept,
)
from tensix_gdb.core.history.replayable import Goal, Position
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.deadlock import is_dead
from tensix_gdb.core.machine.run import RunLimits
from tensix_gdb.core.stop import Stop

NEAR = 4096  # instructions before the wanted one, where a checkpoint is left for the next time

MachineHistory = History[Checkpoint, Stop]


def begin_history(machine: Machine, checkpoints: int = CHECKPOINTS) -> MachineHistory:
    """Return a history of a tile from now on."""
    return History(ReplayableMachine(machine), checkpoints)


class ReplayableMachine:
    """Serves `Replayable`."""

    def __init__(self, machine: Machine) -> None:
        self._machine, self.machines = machine, (machine,)

    @property
    def cycle(self) -> int:
        return int(self._machine.S.tile.cycle)

    def position(self) -> Position:
        return position(self._machine)

    def has_reached(self, at: Position) -> bool:
        return not position(self._machine).before(at)

    def capture(self, like: Checkpoint | None = None) -> Checkpoint:
        return capture(self._machine, like)

    def changed_since(self, state: Checkpoint) -> Checkpoint | None:
        return None if is_unchanged(self._machine, state) else capture(self._machine, state)

    def restore(self, state: Checkpoint) -> None:
        restore(self._machine, state)

    def steps_kept(self) -> AbstractContextManager[None]:
        return steps_kept(self.machines)

    def hash(self) -> str:
        return self._machine.hash()

    def run(self, cycles: int) -> Stop | None:
        return self._machine.run(cycles)

    def run_again(self, cycles: int) -> Stop | None:
        return run_again(self._machine, min(cycles, SLICE_CYCLES))

    def run_on(self, cycles: int) -> Stop | None:
        limits = RunLimits(cycles, armed=False, traced=False)
        return self._machine.run_within(limits).stop

    def is_still(self) -> bool:
        machine = self._machine
        return is_dead(machine.engine, machine.record, machine.memory)

    def run_to(self, cycle: int, *, traced: bool = False) -> None:
        run_to_cycle(self._machine, cycle, traced=traced)

    def forward(
        self, goal: Goal, start: Checkpoint, limit: Position, keep: Callable[[Checkpoint], None]
    ) -> Iterator[bool]:
        """Run in large steps, and instruction by instruction at the end."""
        machine = self._machine
        most = most_at_once(machine, goal.hart, goal.tensix)
        here: Checkpoint | None = None
        kept = False
        while (left := goal.left(position(machine))) > CAREFUL:
            if left > NEAR:
                left -= NEAR // 2
            elif not kept:
                kept = True
                if position(machine) != start.at:
                    # A client that goes back goes back again: the next time it is not so far.
                    keep(capture(machine, start))
            # In the schedule `sc` a Tensix thread may do in a cycle whatever there is to do.
            here = capture(machine, here or start) if most > CAREFUL else None
            cycle = machine.S.tile.cycle + min(max((left - 1) // most, 1), SLICE_CYCLES)
            run_to_cycle(machine, cycle)
            if here is not None and goal.left(position(machine)) < 0:
                restore(machine, here)
                break
            if machine.S.tile.cycle < cycle:
                break
            yield True
        while (left := goal.left(position(machine))) > 0:
            if most > 1 and left <= AT_ONCE:
                here = capture(machine, here or start)
            if not execute_one(machine, goal.hart, goal.tensix):
                break
        if goal.left(position(machine)) < 0 and here is not None:
            restore(machine, here)  # two instructions went at once

    def stop_of(self, stop: Stop) -> tuple[int, Stop]:
        return 0, stop

    def finish_access(self, stop: Stop) -> None:
        step_over(self._machine, stop)
        execute_one(self._machine, stop.hart)
