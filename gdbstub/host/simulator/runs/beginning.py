# SPDX-License-Identifier: Apache-2.0
"""The two files of a kept run: its beginning as a core file, and the host's part as JSON
(tensix/corefile/kept_run.py reads them)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tensix_gdb.core.debug.kept_stop import keep_stop, put_stop_back
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import Pages
from tensix_gdb.gdbstub.host.simulator.messages import Command, Message
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of


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


def host_part(message: Message, reads: Mapping[int, bytes], **more: Any) -> str:
    """Return the JSON of a run: the host's access that began it, its reads of the tile, by address,
    and `more`."""
    kept = {
        "command": message.command.name,
        "addr": message.addr,
        "data": message.data.hex() if message.command is Command.WRITE else "",
        "reads": {str(addr): answer.hex() for addr, answer in reads.items()},
        **more,
    }
    return json.dumps(kept)
