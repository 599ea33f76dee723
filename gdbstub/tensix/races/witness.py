# SPDX-License-Identifier: Apache-2.0
"""`monitor races witness N`: the tile goes to the other order of a report, with a history there."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.checks.rule import NotObservable
from tensix_gdb.core.race.checks.table import DEFAULT
from tensix_gdb.gdbstub.order.report.holding import ToCycle
from tensix_gdb.gdbstub.order.report.located import Located
from tensix_gdb.gdbstub.order.report.witness import (
    NotAgain,
    Outcome,
    Witness,
    from_here,
    from_the_start,
    witness,
)
from tensix_gdb.gdbstub.order.report.witness_text import witness_lines
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.reverse import RecordedPast

THERE = (
    "The {} is there: `continue` continues that execution, and `reverse-step` goes back in it.\n"
)


def observe(machine: Machine, *, strict: bool = False, checks: Collection[str] = DEFAULT) -> None:
    """Observe from now on, and keep the state of now for witnesses. TargetError in `sc`."""
    try:
        machine.observe_races(strict=strict, checks=checks)
    except NotObservable as problem:
        raise TargetError(str(problem)) from None
    assert machine.runner.races is not None
    machine.runner.races.mark = from_here(machine), machine.resets


class GdbWitness:
    """Shows witnesses to the clients of a tile."""

    what = "tile"

    def __init__(self, machine: Machine, kept: RecordedPast[Any, Any]) -> None:
        self._machine, self._kept = machine, kept

    def show(self, one: Located) -> str:
        """Go there; what there is to say."""
        was, back = int(self._machine.S.tile.cycle), self._way_back(one)
        try:
            found = self._found(one, back)
        except NotAgain as problem:
            raise TargetError(str(problem)) from None
        said = "".join(f"{line}\n" for line in witness_lines(found))
        if found.outcome is not Outcome.POSSIBLE:
            back(was)  # without a witness the tile is to be where it was
        if self._kept.history is not None:
            self._kept.history.suspend()
        return said + THERE.format(self.what) if found.outcome is Outcome.POSSIBLE else said

    def _found(self, one: Located, back: ToCycle) -> Witness:
        return witness(self._machine, one, back, self._begin_history)

    def _way_back(self, one: Located) -> ToCycle:
        """From the history if it reaches so far, else from elsewhere."""
        history = self._kept.history
        if history is not None:
            first, last = one.report.earlier.first, one.report.later.first
            if history.first_cycle <= first and last < history.last_cycle:
                history.note_inputs()
                return history.to_cycle
        return self._without_history()

    def _without_history(self) -> ToCycle:
        """From where observing began, or a reset."""
        observer = self._machine.runner.races
        if observer is None or observer.mark is None or observer.mark[1] != self._machine.resets:
            return from_the_start(self._machine)
        return observer.mark[0]

    def _begin_history(self) -> None:
        """Begin another execution here: what was recorded after it is gone."""
        history = self._kept.history
        if history is None or not history.past:
            self._kept.record(on=True)
            history = self._kept.history
            assert history is not None
        history.truncate_future()
        history.resume()
