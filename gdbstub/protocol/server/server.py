# SPDX-License-Identifier: Apache-2.0
"""The server: listeners, one task per client, and the task that runs the tile (trio).

Everything is in one thread. The tile runs in slices of a fraction of a millisecond between which
clients are served, so there are no locks and every look at the tile is exact. A slice ends when a
client says something: an interrupt waits for some microseconds. `gdbstub.protocol.session` has the
protocol; `gdbstub.protocol.server.connection` moves its bytes.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import socket
from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

import trio

from tensix_gdb.gdbstub.protocol.server import fast_path
from tensix_gdb.gdbstub.protocol.server.fast_path import Acceptor, DirectSocket, Poller
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.spare_memory import with_spare_memory
from tensix_gdb.gdbstub.usage import UsageError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.packet_log import PacketLog
    from tensix_gdb.gdbstub.protocol.server.connection import Connection
    from tensix_gdb.gdbstub.protocol.session import Session

log = logging.getLogger(__name__)
WARM_UP = "warm-up"  # not in the log

MAX_CLIENTS = 16
TURN_SECONDS = 0.005  # that the event loop waits for its turn at most while the tile runs
STILL_SECONDS = 0.01  # between two looks at a tile where nothing can move
CROWDED_SECONDS = 0.005  # between two looks whether the client has read what it is shown
CROWDED_NEWS = 2.0  # seconds after which the log says that programs wait for a client
LEARN_PAUSE = 0.1  # seconds
# What the system says when it has no room for another connection; what to do is to wait.
TOO_MANY = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOBUFS)
FULL_PAUSE = 0.1  # seconds


class Endpoint(Protocol):
    """The tile, or one hart of it, that a port leads to."""

    def join(self, name: str) -> Session:
        """Return a new client."""


class Server:
    """Serves one tile; `packet_log` is told of every packet. With `learns_after` nothing
    is made ready for clients until so many seconds have passed: a host waits for these tiles, and
    most of its programs have no debugger. The answers to the first client take longer then."""

    def __init__(
        self,
        tile: SharedTile,
        packet_log: PacketLog | None = None,
        *,
        learns_after: float = 0,
    ) -> None:
        self._tile = tile
        self._learns_after = learns_after
        self._log = packet_log
        self._connections: set[Connection] = set()
        self._by_number: dict[int, Connection] = {}  # of their sockets
        self._running = trio.Event()
        self._poller = Poller()
        self._unanswered = False  # a client has sent more than could be answered at once
        self.noticed: Callable[[], None] = lambda: None  # called after anything has happened

    async def serve(
        self,
        host: str,
        ports: Sequence[int],
        endpoints: Sequence[Endpoint] = (),
        *,
        task_status: trio.TaskStatus[list[tuple[str, int]]] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        """Listen and serve until cancelled; `task_status` gives the (host, port) pairs.

        A client of a port joins the endpoint in the same place; the tile when there are none.
        UsageError when a port cannot be had.
        """
        listeners: list[tuple[trio.SocketListener, Endpoint]] = []
        for number, port in enumerate(ports):
            endpoint = endpoints[number] if endpoints else self._tile
            try:
                opened = await trio.open_tcp_listeners(port, host=host)
                listeners += [(listener, endpoint) for listener in opened]
            except (OSError, UnicodeError) as problem:
                for listener, _ in listeners:
                    await listener.aclose()
                raise UsageError(_why(host, port, problem)) from None
        for listener, _ in listeners:
            self._poller.add(listener.socket.fileno())
        addresses = [listener.socket.getsockname()[:2] for listener, _ in listeners]
        async with trio.open_nursery() as nursery:
            nursery.start_soon(with_spare_memory, self.run_tile)
            nursery.start_soon(with_spare_memory, self._learn)
            if not self._learns_after:
                await self.warm_up()
            for listener, endpoint in listeners:
                nursery.start_soon(with_spare_memory, self._accept, listener, endpoint, nursery)
            task_status.started(addresses)

    async def _accept(
        self, listener: trio.SocketListener, endpoint: Endpoint, nursery: trio.Nursery
    ) -> None:
        """Let clients in. What they say first is answered before each gets a task of its own."""
        async with listener:
            acceptor = Acceptor(listener.socket.fileno())
            with contextlib.closing(acceptor):
                while True:
                    await trio.lowlevel.wait_readable(listener.socket)
                    try:
                        accepted = acceptor.accept()
                    except OSError as problem:
                        if problem.errno not in TOO_MANY:
                            raise
                        log.warning("cannot accept a client: %s", problem.strerror)
                        await trio.sleep(FULL_PAUSE)
                        continue
                    if accepted is None:
                        continue
                    self._let_in(*accepted, endpoint, nursery)

    def _let_in(
        self, client: socket.socket, name: str, endpoint: Endpoint, nursery: trio.Nursery
    ) -> None:
        """Answer what a new client says at once, and start the task that does the rest."""
        connection = self._join(endpoint, name, client)
        if connection is not None:
            connection.serve_opening()
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(client))
        nursery.start_soon(self._attend, stream, connection)

    async def warm_up(self) -> None:
        """Be client and server at once, before there are others; they see nothing of it. Once in a
        process, or before it was copied."""
        from tensix_gdb.gdbstub.protocol.rsp.framing import encode
        from tensix_gdb.gdbstub.protocol.server import warm_up as opening
        from tensix_gdb.gdbstub.protocol.server.warm_up import OPENING, TIMES, warm_up

        if opening.is_done:
            return
        stage = SharedTile(self._tile.target)
        warm_up(stage)
        log, self._log = self._log, None
        for _ in range(TIMES):
            # One after the other: a process may have only so many open files.
            async with trio.open_nursery() as nursery:
                client, theirs = socket.socketpair()
                client.setblocking(False)
                theirs.sendall(encode(OPENING[0]))
                self._let_in(client, WARM_UP, stage, nursery)
                theirs.close()
        self._log = log

    async def _learn(self) -> None:
        """Make ready what answers and packets need, with pauses in which clients are served."""
        await trio.sleep(self._learns_after)
        from tensix_gdb.gdbstub.protocol.rsp.packet import PATTERNS

        for piece in self._tile.target.learn:
            await trio.sleep(LEARN_PAUSE)
            try:
                piece()
            except Exception as problem:  # it is asked for again by the first that needs it
                self._tile.defects.note(problem, "while answers were made ready")
        for pattern in PATTERNS.values():
            await trio.lowlevel.checkpoint()  # a third of a millisecond each
            pattern.compile()

    async def run_tile(self) -> None:
        """Run the tile in slices while a client has it running. A slice ends when a socket has
        something; the event loop has its turn when it has to, and now and then in any case. Then
        clients get what was printed."""
        while True:
            await self._running.wait()
            self._running = trio.Event()
            turn, calm = perf_counter(), True
            while self._tile.running:
                if self._tile.has_backlog:
                    await self._wait_for_reader()
                    turn = perf_counter()
                    continue  # a client may have stopped it meanwhile
                if self._tile.advance(self._poller.anything if calm else None):
                    self.serve_changes()
                if self._tile.still:
                    await trio.sleep(STILL_SECONDS)
                ready = self._poller.ready()
                # A client that always says something must not keep the tile from running.
                calm = not ready
                served = all([self._serve(number) for number in ready])
                if served and not self._unanswered and perf_counter() - turn < TURN_SECONDS:
                    continue
                self._deliver()
                await trio.lowlevel.checkpoint()
                turn = perf_counter()
            self._go_on_serving()

    async def _wait_for_reader(self) -> None:
        """The client that drives has not read what it was shown: programs wait until it has, unless
        a client interrupts."""
        start = trio.current_time()
        told = False
        while self._tile.running and self._tile.has_backlog:
            self._deliver()
            await trio.sleep(CROWDED_SECONDS)
            if not told and trio.current_time() - start > CROWDED_NEWS:
                told = True
                log.warning("%s: does not read what programs print; they wait", self._tile.driver)

    def _serve(self, number: int) -> bool:
        """Serve the client of this socket; False when that takes the event loop."""
        connection = self._by_number.get(number)
        return connection is not None and connection.serve_ready()

    def _go_on_serving(self) -> None:
        """Serve here a client that was told of a stop and resumes as soon as it has heard of it."""
        end = perf_counter() + fast_path.TURN_SECONDS
        while perf_counter() < end:
            ready = [] if self._tile.running else self._poller.poll_briefly()
            if len(ready) != 1 or not self._serve(ready[0]):
                return

    def serve_changes(self) -> None:
        """After anything happened: send what clients have to get, run the tile if it has to."""
        self._deliver()
        if self._tile.running:
            self._running.set()
        if self._log is not None:
            self._log.flush()
        self.noticed()

    def _deliver(self) -> None:
        """Send what clients have to get, and have answered what was not answered at once."""
        self._unanswered = False
        for connection in self._connections:
            session = connection.session
            if session.unanswered:
                self._unanswered = True
                connection.wake()
            elif session.stream.outgoing or session.ended:
                connection.wake()

    async def handle(
        self, stream: trio.abc.Stream, endpoint: Endpoint | None = None, name: str = "client"
    ) -> None:
        """Serve one client, from its connection to its end."""
        await self._attend(stream, self._join(endpoint or self._tile, name))

    def _join(
        self, endpoint: Endpoint, name: str, client: socket.socket | None = None
    ) -> Connection | None:
        """Return a new client, and its socket if it has one; None when there are too many."""
        if len(self._connections) >= MAX_CLIENTS:
            log.warning("%s: refused, there are %d clients already", name, MAX_CLIENTS)
            return None
        log.log(_level(name), "%s: connected", name)
        from tensix_gdb.gdbstub.protocol.packet_log import Mark
        from tensix_gdb.gdbstub.protocol.server.connection import Connection

        direct = None if client is None else DirectSocket(client, self._poller)
        connection = Connection(endpoint.join(name), name, self.serve_changes, direct)
        self._connections.add(connection)
        self._by_number[connection.number] = connection
        if self._log is not None:
            self._log.note(name, Mark.CONNECTED)
            connection.session.stream.record = partial(self._log.note, name)
        return connection

    async def _attend(self, stream: trio.abc.Stream, connection: Connection | None) -> None:
        """Serve a client to its end."""
        if connection is None:
            await trio.aclose_forcefully(stream)
            return
        name = connection.peer
        try:
            await connection.serve(stream)
        finally:
            self._connections.discard(connection)
            if self._by_number.get(connection.number) is connection:
                del self._by_number[connection.number]
            if self._log is not None:
                from tensix_gdb.gdbstub.protocol.packet_log import Mark

                self._log.note(name, Mark.GONE)
            connection.session.end()
            self.serve_changes()
            await trio.aclose_forcefully(stream)
            log.log(_level(name), "%s: gone", name)


def _why(host: str, port: int, problem: OSError | UnicodeError) -> str:
    # A name with an empty or too long part does not even get as far as being looked up.
    if isinstance(problem, UnicodeError | trio.socket.gaierror):
        return f"cannot listen on {host!r}: there is no such host"
    reason = (problem.strerror or str(problem)).lower()
    hint = "; choose another with --port, or 0 for any that is free" if port else ""
    return f"cannot listen on {host} port {port}: {reason}{hint}"


def _level(name: str) -> int:
    return logging.DEBUG if name == WARM_UP else logging.INFO
