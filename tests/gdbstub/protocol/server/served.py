# SPDX-License-Identifier: Apache-2.0
"""A server with clients on streams in memory: no sockets, no processes, no waiting."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio
from trio.testing import memory_stream_pair

from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tests.gdbstub import wire
from tests.gdbstub.tiles import new_tile
from tests.patience import HANG

_PACKET = re.compile(rb"\$[^#]*#[0-9a-f]{2}")
INTERRUPT = b"\x03"


@dataclass
class Remote:
    """A client's end of a stream."""

    stream: trio.abc.Stream
    received: bytes = b""
    acks: bytes = field(default=b"")

    async def send(self, payload: bytes) -> None:
        """Send one packet."""
        await self.stream.send_all(wire.frame(payload))

    async def answer(self) -> bytes:
        """The next packet, acked by nobody; acks in front of it are kept in `acks`."""
        while (found := _PACKET.search(self.received)) is None:
            more = await self.stream.receive_some()
            if not more:
                raise trio.EndOfChannel
            self.received += bytes(more)
        self.acks += self.received[: found.start()]
        self.received = self.received[found.end() :]
        return wire.answers(found[0])[0]

    async def ask(self, payload: bytes) -> bytes:
        """Send one packet; the next one that comes."""
        await self.send(payload)
        return await self.answer()

    async def leave(self) -> None:
        """Vanish without a word."""
        await trio.aclose_forcefully(self.stream)


@dataclass
class Served:
    """A server of a tile."""

    tile: SharedTile
    server: Server
    nursery: trio.Nursery

    def connect(self, stream: trio.abc.Stream | None = None) -> Remote:
        """A new client; on the stream to which the server writes, if it is given."""
        ours, theirs = memory_stream_pair()
        self.nursery.start_soon(self.server.handle, stream or theirs)
        return Remote(ours)

    async def wait_until_gone(self, clients: int = 0) -> None:
        """Wait until the server knows of no more than so many clients."""
        while len(self.tile.sessions) > clients:
            await trio.lowlevel.checkpoint()

    def cycle(self) -> int:
        """Return how far the tile has run, in cycles."""
        return self.tile.target.execution.clock()


@asynccontextmanager
async def served() -> AsyncIterator[Served]:
    """Serve a fresh tile (tiles.py) in which no time passes but what its clients ask for."""
    with trio.fail_after(HANG):
        async with trio.open_nursery() as nursery:
            tile = new_tile(run_at_once=True)
            server = Server(tile)
            nursery.start_soon(server.run_tile)
            yield Served(tile, server, nursery)
            nursery.cancel_scope.cancel()
