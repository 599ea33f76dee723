# SPDX-License-Identifier: Apache-2.0
"""The host's part in a run: what the run stops for that is not in the record, so that Python has to
see to it, and who looks at the tile at fixed cycles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.core.stop import StopKind

if TYPE_CHECKING:
    from tensix_gdb.core.machine import Machine
    from tensix_gdb.core.semihosting.calls import Calls


class Onlooker(Protocol):
    """Looks at the tile every `period` cycles, always at the same ones, and may change it."""

    period: int

    def wants(self) -> bool:
        """Is there anything that it would change now?"""

    def look(self) -> None:
        """The tile is at the start of such a cycle."""

    def fork(self, cycle: int) -> None:
        """From this cycle on everything is another future."""


def run(machine: Machine, call: Callable[[int], None], cycles: int) -> None:
    """Run cycles by `call`, and be the host meanwhile."""
    S, onlooker = machine.S, machine.onlooker
    end = S.tile.cycle + cycles
    while True:
        limit = end
        if onlooker is not None:
            limit = min(end, (S.tile.cycle // onlooker.period + 1) * onlooker.period)
        call(limit - S.tile.cycle)
        while served(machine):
            call(max(limit - S.tile.cycle, 1))
        if onlooker is None or S.stop.kind != StopKind.NONE or S.tile.cycle < limit:
            return
        if limit % onlooker.period == 0:
            _look(machine, onlooker)
        if S.tile.cycle >= end:
            return


def _look(machine: Machine, onlooker: Onlooker) -> None:
    """What it changes is an input, in the middle of a run."""
    recorder = machine.recorder if onlooker.wants() else None
    if recorder is not None:
        recorder.rests()
    onlooker.look()
    if recorder is not None:
        recorder.goes()


def served(machine: Machine) -> bool:
    """Has the run ended at something that was done now, so that it can go on?"""
    match machine.S.stop.kind:
        case StopKind.OUTSIDE:
            return machine.outside.serve(machine.record, machine.memory)
        case StopKind.CALL:
            return machine.calls is not None and _answered(machine, machine.calls)
    return False


def _answered(machine: Machine, calls: Calls) -> bool:
    """The answer is an input, in the middle of a run."""
    if machine.recorder is None:
        return calls.serve(machine)
    machine.recorder.rests()
    goes_on = calls.serve(machine)
    if goes_on:
        machine.recorder.goes()
    return goes_on


def fork(machine: Machine) -> None:
    """Somebody has changed the past: what the host did after this moment it has not done."""
    if machine.calls is not None:
        machine.calls.fork(machine.S.semihosting.calls)
    if machine.onlooker is not None:
        machine.onlooker.fork(machine.S.tile.cycle)
