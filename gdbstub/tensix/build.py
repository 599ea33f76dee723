# SPDX-License-Identifier: Apache-2.0
"""A machine with programs in it, from the command line's arguments."""

from __future__ import annotations

from collections.abc import Sequence

from core.loader import LoadError, read_elf
from core.machine import Machine
from core.schedule import Schedule
from gdbstub.usage import DEFAULT_SCHEDULE, UsageError, check_once, parse_schedule


def build_machine(
    programs: Sequence[tuple[int, str]], engine: str, schedule: str = DEFAULT_SCHEDULE
) -> Machine:
    """Load (hart, path) pairs; UsageError with the loader's sentence when one does not fit."""
    kind, seed = parse_schedule(schedule)
    check_once(programs)
    try:
        images = [(hart, read_elf(path)) for hart, path in programs]
        machine = Machine(engine=engine, schedule=Schedule[kind.upper()], seed=seed)
        for hart, image in images:
            machine.load(hart, image)
    except LoadError as problem:
        raise UsageError(str(problem)) from None
    return machine
