# SPDX-License-Identifier: Apache-2.0
"""One run of the program in one execution, perhaps with one wait more, and whether it went well."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.gdbstub.seeds.waits import Armed, Wait

SLICE = 1 << 16  # cycles between two looks at the keyboard
AT_LEAST, TIMES = 100_000, 50  # the cycles of a run: so many, or so often those of the first one


class Interrupted(Exception):
    """The user wants no more runs."""


@dataclass(frozen=True, slots=True)
class Trials:
    """Runs of one machine from its beginning, of at most `most` cycles. `is_right` looks at its
    memory after a good end; a run with a fault, a deadlock or too many cycles is not right."""

    machine: Machine
    most: int
    is_right: Callable[[Machine], bool]
    is_interrupted: Callable[[], bool]

    def goes_well(self, execution: Execution, wait: Wait | None = None) -> bool:
        """Run to the end; True if that is as wanted."""
        self._begin(execution)
        if wait is None:
            return self._run(None)
        with closing(Armed(self.machine, wait)) as armed:
            return self._run(armed)

    def first_pass(self, execution: Execution, wait: Wait) -> int:
        """The cycle in which the first instruction at the place of a wait goes on, without it."""
        self._begin(execution)
        with closing(Armed(self.machine, wait)) as armed:
            while self.machine.S.tile.cycle < self.most:
                stop = self.machine.run(self.most)
                if stop is not None and armed.is_hit(stop):
                    return armed.pass_once()
        return self.most

    def _begin(self, execution: Execution) -> None:
        self.machine.reschedule(execution)
        self.machine.reset()

    def _run(self, armed: Armed | None) -> bool:
        machine, S = self.machine, self.machine.S
        while (left := self.most + (armed.cycles if armed else 0) - int(S.tile.cycle)) > 0:
            if self.is_interrupted():
                raise Interrupted
            machine.engine.poll()
            stop = machine.run(min(SLICE, left))
            if armed is not None and stop is not None and armed.is_hit(stop):
                stop = armed.hold()
            if stop is None or stop.kind in (StopKind.EBREAK, StopKind.ECALL):
                continue
            return stop.kind is StopKind.ALL_PAUSED and self.is_right(machine)
        return False


def cycles_for(cycles: int) -> int:
    """How many cycles a run may take, where one has taken `cycles`."""
    return max(AT_LEAST, TIMES * cycles)


def with_seed(execution: Execution, seed: int) -> Execution:
    """The same in `random` with a seed."""
    return replace(execution, schedule=Schedule.RANDOM, seed=seed)
