# SPDX-License-Identifier: Apache-2.0
"""The `Processes` capability: each hart is a process, 1 B, 2 T0, 3 T1, 4 T2, 5 NC.

A Tensix thread belongs to the process of the T core that feeds it. What `info os processes` shows
has the columns of tt-exalens (ttexalens/gdb/gdb_server.py), so that what reads its table reads this
one; the tile is the only one of its device.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.hart_reset import put_in_reset, start_over
from tensix_gdb.core.noc.coordinates import HOME_OF
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.protocol.capabilities import Monitor, XferObjects
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of
from tensix_gdb.gdbstub.tensix.capabilities.threads import hart_of, threads_with
from tensix_gdb.gdbstub.tensix.documents.description import Documents, osdata_text

PROCESSES = tuple(range(1, HARTS + 1))
RISCS = ("brisc", "trisc0", "trisc1", "trisc2", "ncrisc")  # their names in Tenstorrent's tools

# By chip: where a tile that is alone is on NoC 0, and as the first worker.
LOCATION_OF = tuple(f"{home & 63}-{home >> 6} (0,0)" for home in HOME_OF)


def hart_of_process(process: int) -> int:
    """Return the hart of a process."""
    return process - 1


class TileProcesses:
    """The harts of a tile as processes."""

    def __init__(self, machine: Machine, monitor: Monitor | None = None) -> None:
        self._machine = machine
        self._documents = {
            pid: Documents(machine, hart_of_process(pid), monitor) for pid in PROCESSES
        }

    def process_ids(self) -> Sequence[int]:
        return PROCESSES

    def loaded(self) -> Sequence[int]:
        return [pid for pid in PROCESSES if self._images(pid)]

    def process_of(self, thread: int) -> int:
        return hart_of(thread) + 1

    def threads_of(self, process: int) -> Sequence[int]:
        return threads_with(hart_of_process(process))

    def process_name(self, process: int) -> str:
        return HART_NAMES[hart_of_process(process)]

    def documents(self, process: int) -> XferObjects:
        return self._documents[process]

    def stop(self, process: int) -> None:
        put_in_reset(self._machine.S, hart_of_process(process))

    def start(self, process: int) -> None:
        if not start_over(self._machine.S, self._machine.loader, hart_of_process(process)):
            name = self.process_name(process)
            raise TargetError(f"process {process} ({name}) has no program of --elf to start")

    def _images(self, process: int) -> list[Image]:
        hart = hart_of_process(process)
        return [image for image in self._machine.images if image.hart == hart]


class ProcessDocuments:
    """The documents of the tile, with a table of its processes."""

    def __init__(self, machine: Machine, monitor: Monitor | None = None) -> None:
        self._machine = machine
        self._tile = Documents(machine, monitor=monitor)
        self.objects = self._tile.objects

    def document(
        self, kind: str, annex: str, *, running_for: str = "", lldb: bool = False
    ) -> bytes | None:
        if (kind, annex) == ("osdata", "processes"):
            return osdata_text("processes", self._rows())
        return self._tile.document(kind, annex, running_for=running_for, lldb=lldb)

    def _rows(self) -> list[dict[str, str]]:
        user = "wormhole" if self._machine.S.tile.chip else "blackhole"
        return [
            {
                "pid": str(pid),
                "user": user,
                "cores": str(pid),
                "device": "0",
                "core_type": "worker",
                "core_location": LOCATION_OF[self._machine.S.tile.chip],
                "risc": RISCS[hart_of_process(pid)],
                "command": self._command(pid),
                "vscode_fix": "1",
            }
            for pid in PROCESSES
        ]

    def _command(self, pid: int) -> str:
        images = self._machine.images
        paths = [path_of(image) for image in images if image.hart == hart_of_process(pid)]
        return paths[0] if paths else ""
