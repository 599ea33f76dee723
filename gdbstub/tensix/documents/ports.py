# SPDX-License-Identifier: Apache-2.0
"""The port for one hart: the hart's threads, name, programs and documents."""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.capabilities import Monitor, XferObjects
from tensix_gdb.gdbstub.tensix.capabilities.threads import threads_with
from tensix_gdb.gdbstub.tensix.documents.description import Documents


@dataclass(frozen=True, slots=True)
class LoadedHart:
    """A hart that has programs; `files` are their paths, `threads` its own and the Tensix one."""

    threads: tuple[int, ...]
    name: str
    files: list[str]
    xfer: XferObjects


def loaded_harts(machine: Machine, monitor: Monitor | None = None) -> list[LoadedHart]:
    """Return the harts that have programs, in the order of threads."""
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
