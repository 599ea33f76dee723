# SPDX-License-Identifier: Apache-2.0
"""A host without a library: it posts requests into the ring of a channel by itself."""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Sequence

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.noc.dram_data import DRAM_BYTES
from tensix_gdb.gdbstub.host.library import channel as layouts
from tensix_gdb.gdbstub.host.library.build import PUMP, built
from tensix_gdb.gdbstub.host.library.channel import Channel, Kind, Why
from tensix_gdb.gdbstub.host.simulator.grid import Core

TILE, PORT, ARC = (1, 2), (9, 5), (8, 0)


class Host:
    """The other end, which posts requests into the ring as host_end.c does. The first of the tiles
    leads to DRAM."""

    def __init__(self, tiles: Sequence[tuple[Core, Machine]]) -> None:
        self.memory = os.memfd_create("test")
        os.ftruncate(self.memory, layouts.layout()[0])
        os.pwrite(self.memory, layouts.VERSION.to_bytes(4, "little"), 0)
        self.wire, end = socket.socketpair()
        self.channel = Channel(self.memory, end.detach(), built(PUMP), spins=0)
        self.channel.set_tiles(tiles, 250)
        self.channel.set_dram({PORT: 5}, tiles[0][1].outside.dram, DRAM_BYTES)
        self.channel.is_dram_plain(True)
        self.awake()

    def awake(self) -> None:
        assert self.channel.tiles is not None
        for number, row in enumerate(self.channel.tiles):
            row.is_plain = 1
            self.channel.is_awake(number, slept=True)

    def post(
        self,
        kind: Kind,
        addr: int = 0,
        data: bytes = b"",
        size: int = 0,
        core: Core = TILE,
        last: Core | None = None,
    ) -> None:
        shared = self.channel._shared
        request = struct.pack("<IIQ4H", kind, size or len(data), addr, *core, *(last or core))
        padded = request + data + bytes(-len(data) % 8)
        at = layouts._Channel.ring.offset + shared.head % layouts.RING_BYTES
        os.pwrite(self.memory, padded, at)
        shared.head += len(padded)

    def pump(self) -> Why:
        return self.channel.pump(1000, 0)

    def answer(self, size: int) -> bytes:
        return os.pread(self.memory, size, layouts._Channel.answer.offset)

    def close(self) -> None:
        for end in (self.wire, self.channel.socket):
            end.close()
        os.close(self.memory)
