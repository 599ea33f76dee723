# SPDX-License-Identifier: Apache-2.0
"""A litmus test as a program of a search: a run is wrong if its outcome is not allowed."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from tensix_gdb.core.execution import Execution
from tensix_gdb.core.litmus.check import describe
from tensix_gdb.core.litmus.text import parse
from tensix_gdb.core.litmus.tile import Prepared, Tile
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.order.seeds.case import RIGHT, Case, Outcome
from tensix_gdb.gdbstub.order.seeds.program import Program
from tensix_gdb.gdbstub.usage import UsageError


class LitmusBench:
    """One test on a tile of its own; its runs know no settings."""

    def __init__(self, program: Program) -> None:
        assert program.litmus is not None
        self.program = program
        text, path, name = program.litmus
        (self._test,) = (test for test in parse(text, path) if test.name == name)
        self._tile = Tile("compiled")
        self._prepared: tuple[bool, Prepared] | None = None

    def close(self) -> None:
        """Give the machine back."""
        self._tile.close()

    def run(self, case: Case) -> Outcome:
        """Run to the end; what came of it."""
        begun = perf_counter()
        execution = Execution.parse(case.execution)
        if self._prepared is None or self._prepared[0] != execution.strict:
            prepared = self._tile.prepare(self._test, Schedule.RANDOM, strict=execution.strict)
            self._prepared = execution.strict, prepared
        test, outcome = self._test, self._prepared[1].run(execution.seed)
        allowed = {*test.allowed, *(test.strict if execution.strict else ())}
        said = describe(test, outcome)
        end = RIGHT if outcome in allowed else "not allowed"
        return Outcome(
            *(case.program, case.execution, "", end, "" if end == RIGHT else said, said),
            seconds=round(perf_counter() - begun, 6),
        )


def check_plain(executions: Sequence[str]) -> None:
    """UsageError if a litmus test cannot be run so."""
    for text in executions:
        execution = Execution.parse(text)
        if execution.schedule is not Schedule.RANDOM or not execution.pauses:
            raise UsageError(f"{text}: a litmus test is searched in random or random,strict")
