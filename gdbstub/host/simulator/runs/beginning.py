# SPDX-License-Identifier: Apache-2.0
"""The two files of a kept run of a tile: its beginning as a core file, and the host's part as JSON
(tensix/corefile/kept_run.py reads them).

    DIR/run-1.core   the tile, with its DRAM
    DIR/run-1.json   the access that began it, the host's reads of L1 after it, where it has written
                     runtime arguments, the cycle of the end and the hash of the tile there
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tensix_gdb.core.debug.kept_stop import keep_stop, put_stop_back
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages
from tensix_gdb.core.race.state.areas import Arguments
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.host.simulator.runs.failing import CORE, JSON, NotKept, Why
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tensix_gdb.gdbstub.tensix.host.arguments import arguments_of

MOST_PAGES = 1 << 14  # of DRAM


class TileBeginning:
    """That of a tile alone."""

    files: Sequence[str] = (CORE, JSON)

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._before = bytearray()
        self._pages: list[dict[int, bytes]] = []
        self._arguments: list[Arguments] = []

    def copy(self) -> None:
        """Copy the tile, and memory outside it."""
        self._before = self._machine.record.snapshot(self._before or None)
        self._pages = [memory.snapshot() for memory in self._machine.outside.memories()]
        self._arguments = arguments_of(self._machine)

    def end(self) -> None:
        """Nothing: what the host did afterwards is played, and how far it goes is in the file."""

    def write(self, folder: Path, why: Why, reads: Mapping[int, bytes]) -> None:
        """Write both files. OSError, NotKept."""
        count = sum(map(len, self._pages))
        if count > MOST_PAGES:
            has, most = count * PAGE_BYTES >> 20, MOST_PAGES * PAGE_BYTES >> 20
            raise NotKept(f"DRAM has {has} MiB at first, more than {most}")
        machine = self._machine
        title = "before kernels are launched"
        content = core_before(machine, self._before, title, self._pages)
        arguments = [[one.hart, one.first, one.end, one.is_common] for one in self._arguments]
        part = host_part(
            None,
            reads,
            writes=[],
            ended=why is not Why.STUCK,
            arguments=arguments,
            cycle=int(machine.S.tile.cycle),
            hash=machine.hash(),
        )
        (folder / CORE).write_bytes(content)
        (folder / JSON).write_text(part, encoding="ascii")


def core_before(
    machine: Machine,
    before: bytearray,
    title: str,
    pages: Sequence[Mapping[int, bytes]] | None = None,
) -> bytes:
    """Return the core file of an earlier state: `before` of the record, and `pages` of each memory
    outside the tile, if that is kept too. The tile is afterwards as it is now."""
    memories = list(machine.outside.memories()) if pages is not None else []
    here, stop = machine.snapshot(), keep_stop(machine.S)
    now = [memory.snapshot() for memory in memories]
    machine.record.restore(before)
    _put(memories, pages or ())
    try:
        return core_of(machine, title)
    finally:
        machine.restore(here)
        _put(memories, now)
        put_stop_back(machine.S, stop)


def _put(memories: Iterable[Pages], pages: Iterable[Mapping[int, bytes]]) -> None:
    for memory, kept in zip(memories, pages, strict=True):
        memory.restore(dict(kept))


def host_part(message: Message | None, reads: Mapping[int, bytes], **more: Any) -> str:
    """Return the JSON of a run: the host's access that began it, None if it is done at the
    beginning, its reads of the tile, by address, and `more`."""
    is_write = message is not None and message.command is Command.WRITE
    kept = {
        "command": message.command.name if message is not None else Command.READ.name,
        "addr": message.addr if message is not None else 0,
        "data": message.data.hex() if message is not None and is_write else "",
        "reads": {str(addr): answer.hex() for addr, answer in reads.items()},
        **more,
    }
    return json.dumps(kept)
