# SPDX-License-Identifier: Apache-2.0
"""What a port for one hart needs: the hart's threads, name, programs and documents."""

from __future__ import annotations

from dataclasses import dataclass

from core.arch.blackhole import HART_NAMES
from core.machine import Machine
from gdbstub.capabilities import Description, Monitor
from gdbstub.tensix.description import Documents
from gdbstub.tensix.threads import threads_with


@dataclass(frozen=True, slots=True)
class LoadedHart:
    """A hart that has programs; `files` are their paths, `threads` its own and the Tensix one."""

    threads: tuple[int, ...]
    name: str
    files: list[str]
    description: Description


def loaded_harts(machine: Machine, monitor: Monitor | None = None) -> list[LoadedHart]:
    """The harts that have programs, in the order of threads."""
    files: dict[int, list[str]] = {}
    for image in machine.images:
        if image.hart is not None:
            files.setdefault(image.hart, []).append(str(image.path))
    return [
        LoadedHart(
            threads_with(hart), HART_NAMES[hart], files[hart], Documents(machine, hart, monitor)
        )
        for hart in sorted(files)
    ]
