# SPDX-License-Identifier: Apache-2.0
"""One run of the program in one execution, perhaps with one wait more, and whether it went well."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.seeds.bench import SLICE, Bench, Interrupted
from tensix_gdb.gdbstub.order.seeds.case import RIGHT, Case
from tensix_gdb.gdbstub.order.seeds.program import cycles_for
from tensix_gdb.gdbstub.order.seeds.waits import Armed, Wait

__all__ = ["Interrupted", "Trials", "cycles_for", "with_seed"]


class Trials:
    """Runs of one machine from its beginning, of at most `most` cycles. `is_right` looks at its
    memory after a good end; a run with a fault, a deadlock or too many cycles is not right."""

    def __init__(
        self,
        machine: Machine,
        most: int,
        is_right: Callable[[Machine], bool],
        is_interrupted: Callable[[], bool],
    ) -> None:
        self.machine, self.most, self._is_interrupted = machine, most, is_interrupted
        self._bench = Bench.of(
            machine, most, lambda m: "" if is_right(m) else "is not as wanted", is_interrupted
        )

    def goes_well(self, execution: Execution, wait: Wait | None = None) -> bool:
        """Run to the end; True if that is as wanted."""
        self._bench.begin_case(Case(0, str(execution)))
        if wait is None:
            return self._bench.run_to_end()[0] == RIGHT
        with closing(Armed(self.machine, wait)) as armed:
            return self._bench.run_to_end(armed)[0] == RIGHT

    def first_pass(self, execution: Execution, wait: Wait) -> int:
        """Return the cycle in which the first instruction at the place of a wait continues, without
        it."""
        self._bench.begin_case(Case(0, str(execution)))
        with closing(Armed(self.machine, wait)) as armed:
            while self.machine.S.tile.cycle < self.most:
                if self._is_interrupted():
                    raise Interrupted
                stop = self.machine.run(min(SLICE, self.most - int(self.machine.S.tile.cycle)))
                if stop is not None and armed.is_hit(stop):
                    return armed.pass_once()
        return self.most


def with_seed(execution: Execution, seed: int) -> Execution:
    """Return the same in `random` with a seed."""
    return replace(execution, schedule=Schedule.RANDOM, seed=seed)
