# SPDX-License-Identifier: Apache-2.0
"""A server in a thread of its own, and clients with plain sockets that say what they like.

The clients are in no event loop of the server's: what they send comes while it does other things,
as it does from other processes. Threads are switched often, because a client would otherwise mostly
speak when the event loop has its turn.
"""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Protocol

import trio

from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tests.gdbstub import wire
from tests.patience import HANG

LIMIT_SECONDS = HANG  # after which an answer is taken for lost
READ_BYTES = 1 << 16
SWITCH_SECONDS = 0.00002


class Talker:
    """A client that sends bytes as they are and waits for what it is owed. Its system takes `room`
    bytes for it, or what is usual."""

    def __init__(self, port: int, room: int = 0) -> None:
        self.socket = socket.socket()
        if room:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        self.socket.settimeout(LIMIT_SECONDS)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.text = bytearray()  # what it was shown on the console
        self._data = b""
        self._came: list[bytes] = []
        self._received = 0
        self.acks = self.naks = 0  # that have come

    def say(self, data: bytes) -> None:
        """Send bytes, as one segment if they are few."""
        self.socket.sendall(data)

    def packet(self, payload: bytes) -> None:
        """Send one packet."""
        self.say(wire.frame(payload))

    def go(self) -> None:
        """Have the tile run, before anything else happens."""
        self.packet(b"vCont;c")
        assert self.socket.recv(1) == wire.ACK

    def answers(self, count: int) -> list[bytes]:
        """The next so many packets; acks are left out, text on the console is kept in `text`."""
        while len(self._came) < count:
            self.read()
        found, self._came = self._came[:count], self._came[count:]
        return found

    def read(self) -> None:
        """Read what comes next."""
        try:
            came = self.socket.recv(READ_BYTES)
        except TimeoutError:
            raise AssertionError(f"an answer is lost, after {self._came}") from None
        assert came, "the connection has ended"
        self._data += came
        end = self._data.rfind(b"#") + 3
        if end == 2 or end > len(self._data):
            return
        whole, self._data = self._data[:end], self._data[end:]
        for one in wire.answers(whole):
            self._received += one not in (wire.ACK, wire.NAK)
            self.acks += one == wire.ACK
            self.naks += one == wire.NAK
            if one[:1] == b"O" and one != b"OK":
                self.text += bytes.fromhex(one[1:].decode("ascii"))
            elif one not in (wire.ACK, wire.NAK):
                self._came.append(one)

    def take_received(self) -> int:
        """Return how many packets have come since the last time."""
        count, self._received = self._received, 0
        return count

    def ask(self, payload: bytes) -> bytes:
        """One packet and its answer."""
        self.packet(payload)
        return self.answers(1)[0]


class Connect(Protocol):
    """The function that gives a new client."""

    def __call__(self, room: int = 0) -> Talker: ...


@contextmanager
def served(tile: SharedTile) -> Iterator[Connect]:
    """Serve a tile; gives what connects to it."""
    started = threading.Event()
    found: list[tuple[int, trio.lowlevel.TrioToken, trio.CancelScope]] = []

    async def serve() -> None:
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                ((_, port),) = await nursery.start(Server(tile).serve, "127.0.0.1", [0])
                found.append((port, trio.lowlevel.current_trio_token(), scope))
                started.set()

    thread = threading.Thread(target=partial(trio.run, serve))
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    thread.start()
    assert started.wait(LIMIT_SECONDS)
    port, token, scope = found[0]
    with ExitStack() as stack:
        stack.callback(sys.setswitchinterval, interval)
        stack.callback(thread.join)
        stack.callback(trio.from_thread.run_sync, scope.cancel, trio_token=token)

        def connect(room: int = 0) -> Talker:
            talker = Talker(port, room)
            stack.callback(talker.socket.close)
            return talker

        yield connect
