# SPDX-License-Identifier: Apache-2.0
"""Each tile as a process: 1 is the first one, row by row.

A GDB that attaches by `target remote` gets all tiles of a small chip, and of a larger one the
first: for each process it reads a description and the symbols of its programs again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tensix_gdb.core.arch.blackhole import SOFT_RESET_HARTS
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.gdbstub.protocol.capabilities import Monitor, XferObjects
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of
from tensix_gdb.gdbstub.tensix.chip.tiles import OneTile, Tiles
from tensix_gdb.gdbstub.tensix.documents.description import Documents, osdata_text

AT_ONCE = 4  # tiles that are attached to without being asked for


class TileMonitor:
    """The `Monitor` capability for the threads of one tile."""

    def __init__(self, tile: OneTile, monitor: Monitor) -> None:
        self._tile, self._monitor = tile, monitor
        self.names, self.changes = monitor.names, monitor.changes

    def command(self, thread: int, line: str, *, running: bool) -> str:
        return self._monitor.command(self._tile.base + thread, line, running=running)


class TileDocuments:
    """The documents of one tile of a chip. The helper's questions name threads of the chip."""

    def __init__(self, tile: OneTile, monitor: Monitor) -> None:
        self._tile = tile
        self._own = Documents(tile.machine, monitor=TileMonitor(tile, monitor))

    def objects(self) -> Iterable[str]:
        return self._own.objects()

    def document(
        self, name: str, annex: str, *, running_for: str = "", lldb: bool = False
    ) -> bytes | None:
        if name == "tensix":
            annex = self._as_own(annex)
        return self._own.document(name, annex, running_for=running_for, lldb=lldb)

    def _as_own(self, annex: str) -> str:
        """Return a question with the thread's number within the tile."""
        try:
            kind, _, rest = bytes.fromhex(annex).decode("utf-8").partition(" ")
            thread, space, line = rest.partition(" ")
            if kind not in ("monitor", "window"):
                return annex
            return f"{kind} {int(thread) - self._tile.base}{space}{line}".encode().hex()
        except ValueError:
            return annex


class ChipProcesses:
    """The `Processes` capability."""

    def __init__(self, tiles: Tiles, monitor: Monitor) -> None:
        self._tiles, self._monitor = tiles, monitor
        self._documents: dict[int, TileDocuments] = {}

    def process_ids(self) -> Sequence[int]:
        return self._tiles.process_ids()

    def tile(self, process: int) -> OneTile:
        """Return the tile that is a process."""
        return self._tiles.of_process(process)

    def loaded(self) -> Sequence[int]:
        ids = self.process_ids()
        return ids if len(ids) <= AT_ONCE else ids[:1]

    def process_of(self, thread: int) -> int:
        return self._tiles.owner(thread).number + 1

    def threads_of(self, process: int) -> Sequence[int]:
        return self._tiles.of_process(process).threads

    def process_name(self, process: int) -> str:
        return self._tiles.of_process(process).name

    def documents(self, process: int) -> XferObjects:
        if process not in self._documents:
            tile = self._tiles.of_process(process)
            self._documents[process] = TileDocuments(tile, self._monitor)
        return self._documents[process]

    def stop(self, process: int) -> None:
        tile = self._tiles.of_process(process)
        self._tiles.chip.wake_tile(tile.number)
        set_soft_reset(tile.machine.S, SOFT_RESET_HARTS)

    def start(self, process: int) -> None:
        name = self.process_name(process)
        raise TargetError(f"the programs of tile {name} are its host's, which starts them itself")


class ChipDocuments:
    """The `XferObjects` capability of all tiles: that of the first one, with a table of them."""

    def __init__(self, tiles: Tiles, processes: ChipProcesses) -> None:
        self._tiles = tiles
        self._first = processes.documents(1)

    def objects(self) -> Iterable[str]:
        return self._first.objects()

    def document(
        self, name: str, annex: str, *, running_for: str = "", lldb: bool = False
    ) -> bytes | None:
        if (name, annex) == ("osdata", "processes"):
            return osdata_text("processes", list(map(_row, self._tiles.all)))
        return self._first.document(name, annex, running_for=running_for, lldb=lldb)


def _row(tile: OneTile) -> dict[str, str]:
    images = tile.machine.images
    return {
        "pid": str(tile.number + 1),
        "user": "wormhole" if tile.machine.S.tile.chip else "blackhole",
        "cores": tile.name,
        "device": "0",
        "core_type": "worker",
        "core_location": tile.name,
        "command": path_of(images[-1]) if images else "",
    }
