# SPDX-License-Identifier: Apache-2.0
"""A machine with programs in it, from the command line's arguments."""

from __future__ import annotations

from collections.abc import Sequence

from core.loader import LoadError, read_elf
from core.machine import Machine
from gdbstub.usage import UsageError, check_once


def build_machine(programs: Sequence[tuple[int, str]], engine: str) -> Machine:
    """Load (hart, path) pairs; UsageError with the loader's sentence when one does not fit."""
    check_once(programs)
    try:
        images = [(hart, read_elf(path)) for hart, path in programs]
        machine = Machine(engine=engine)
        for hart, image in images:
            machine.load(hart, image)
    except LoadError as problem:
        raise UsageError(str(problem)) from None
    return machine
