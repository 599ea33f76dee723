# SPDX-License-Identifier: Apache-2.0
"""What the run stops for that is not in the record, so that Python has to see to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.stop import StopKind

if TYPE_CHECKING:
    from core.machine import Machine
    from core.semihosting.calls import Calls


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
