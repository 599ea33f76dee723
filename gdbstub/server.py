# SPDX-License-Identifier: Apache-2.0
"""The server: listeners, one task per client, and the task that runs the tile (trio).

Everything is in one thread. The tile runs in slices of a fraction of a millisecond between which
clients are served, so there are no locks, every look at the tile is exact, and an interrupt waits
no longer than a slice. `gdbstub.session` has the protocol; `gdbstub.connection` moves its bytes.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Protocol

import trio

from gdbstub.connection import Connection
from gdbstub.packet_log import Mark, PacketLog
from gdbstub.session import Session
from gdbstub.tile import SharedTile
from gdbstub.usage import UsageError
from gdbstub.wires import Ears, Wire

log = logging.getLogger(__name__)

MOST_CLIENTS = 16
TURN_SECONDS = 0.005  # that the event loop waits for its turn at most while the tile runs
LEARN_PAUSE = 0.1  # seconds
# Seconds of silence, seconds between probes, and how many of them go unanswered; by the names that
# this system has for them.
KEEPALIVE = tuple(
    (getattr(trio.socket, name), value)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6))
    if hasattr(trio.socket, name)
)


class Door(Protocol):
    """What a port leads to: the tile, or one hart of it."""

    def join(self, name: str) -> Session:
        """A new client."""


class Server:
    """Serves one tile; `packet_log` is told of every packet."""

    def __init__(self, tile: SharedTile, packet_log: PacketLog | None = None) -> None:
        self._tile = tile
        self._log = packet_log
        self._connections: set[Connection] = set()
        self._running = trio.Event()
        self._ears = Ears()
        self.noticed: Callable[[], None] = lambda: None  # called after anything has happened

    async def serve(
        self,
        host: str,
        ports: Sequence[int],
        doors: Sequence[Door] = (),
        *,
        task_status: trio.TaskStatus[list[tuple[str, int]]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Listen and serve until cancelled; `task_status` gives the (host, port) pairs.

        Who connects to a port joins the door in the same place; all of them when there are none.
        UsageError when a port cannot be had.
        """
        listeners: list[trio.SocketListener] = []
        handlers: list[Callable[[trio.SocketStream], Awaitable[None]]] = []
        for number, port in enumerate(ports):
            door = doors[number] if doors else self._tile
            try:
                opened = await trio.open_tcp_listeners(port, host=host)
                listeners += opened
                handlers += [partial(self.handle, door=door)] * len(opened)
            except (OSError, UnicodeError) as problem:
                for listener in listeners:
                    await listener.aclose()
                raise UsageError(_why(host, port, problem)) from None
        for listener in listeners:
            self._ears.add(listener.socket.fileno())
        addresses = [listener.socket.getsockname()[:2] for listener in listeners]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.run_tile)
            nursery.start_soon(self._learn)
            for listener, handler in zip(listeners, handlers, strict=True):
                nursery.start_soon(trio.serve_listeners, handler, [listener])
            task_status.started(addresses)

    async def _learn(self) -> None:
        """Let the target read what answers will need, with pauses in which clients are served."""
        for piece in self._tile.target.learn:
            await trio.sleep(LEARN_PAUSE)
            piece()

    async def run_tile(self) -> None:
        """Run the tile in slices while a client has it running; others have their turn when they
        want it, and now and then in any case."""
        while True:
            await self._running.wait()
            self._running = trio.Event()
            turn = perf_counter()
            while self._tile.running:
                if self._tile.advance():
                    self.settle()
                if perf_counter() - turn > TURN_SECONDS or not self._ears.nobody():
                    await trio.lowlevel.checkpoint()
                    turn = perf_counter()

    def settle(self) -> None:
        """After anything happened: send what clients have to get, run the tile if it has to."""
        for connection in self._connections:
            connection.wake()
        if self._tile.running:
            self._running.set()
        if self._log is not None:
            self._log.flush()
        self.noticed()

    async def handle(self, stream: trio.abc.Stream, door: Door | None = None) -> None:
        """One client, from its connection to its end."""
        name = _peer(stream)
        if len(self._connections) >= MOST_CLIENTS:
            log.warning("%s: refused, there are %d clients already", name, MOST_CLIENTS)
            await trio.aclose_forcefully(stream)
            return
        log.info("%s: connected", name)
        wire = None
        if isinstance(stream, trio.SocketStream):
            wire = Wire(stream.socket.fileno(), self._ears)
        connection = Connection((door or self._tile).join(name), stream, wire)
        self._connections.add(connection)
        if self._log is not None:
            self._log.note(name, Mark.CONNECTED)
            connection.session.record = partial(self._log.note, name)
        try:
            await connection.serve(self.settle)
        finally:
            self._connections.discard(connection)
            if self._log is not None:
                self._log.note(name, Mark.GONE)
            connection.session.end()
            self.settle()
            await trio.aclose_forcefully(stream)
            log.info("%s: gone", name)


def _peer(stream: trio.abc.Stream) -> str:
    if not isinstance(stream, trio.SocketStream):
        return "client"
    try:
        stream.setsockopt(trio.socket.IPPROTO_TCP, trio.socket.TCP_NODELAY, 1)
        # A machine that has gone without a word: nobody else would notice.
        stream.setsockopt(trio.socket.SOL_SOCKET, trio.socket.SO_KEEPALIVE, 1)
        for option, value in KEEPALIVE:
            stream.setsockopt(trio.socket.IPPROTO_TCP, option, value)
        host, port = stream.socket.getpeername()[:2]
    except OSError:
        return "nobody"
    return f"{host}:{port}"


def _why(host: str, port: int, problem: OSError | UnicodeError) -> str:
    # A name with an empty or too long part does not even get as far as being looked up.
    if isinstance(problem, UnicodeError | trio.socket.gaierror):
        return f"cannot listen on {host!r}: there is no such host"
    reason = (problem.strerror or str(problem)).lower()
    hint = "; choose another with --port, or 0 for any that is free" if port else ""
    return f"cannot listen on {host} port {port}: {reason}{hint}"
