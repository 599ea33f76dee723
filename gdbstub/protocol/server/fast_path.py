# SPDX-License-Identifier: Apache-2.0
"""Sockets without the event loop, for the moments in which one client alone wants something.

A debugger sends its next packet as soon as it has the answer to the last one. Going through the
event loop for each takes several times as long as answering it. So after an answer a client's next
bytes are waited for here, for LINGER_MILLISECONDS and while no other socket of the server has
something: then the event loop has its turn, as it has after TURN_SECONDS in any case, because a
turn takes as long as several packets. While the tile runs there is no waiting here: it is
interrupted when a socket has something.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Callable
from functools import partial
from time import perf_counter

# Bytes that the system takes for a client: no more, because what lies there when a program prints
# much is shown after a stop.
SEND_BYTES = 1 << 17
LINGER_MILLISECONDS = 4  # GDB thinks for so long when it has read what registers there are
TURN_SECONDS = 0.02  # that the event loop waits at most, which then has only clocks to look at
# Seconds of silence, seconds between probes, and how many of them go unanswered; by the names that
# this system has for them.
KEEPALIVE = tuple(
    (getattr(socket, name), value)
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 6))
    if hasattr(socket, name)
)
READABLE = getattr(select, "POLLIN", 0)


class Poller:
    """Poll every socket of the server."""

    def __init__(self) -> None:
        # Where a system has none, the event loop does it all.
        self._poll = select.poll() if hasattr(select, "poll") else None
        # True if any socket has something now. It is asked so often that nothing of ours is called
        # for it.
        self.anything: Callable[[], object] = (
            bool if self._poll is None else partial(self._poll.poll, 0)
        )
        self.senders = 0  # clients that do not take what they get; the event loop waits for them

    def add(self, number: int) -> None:
        """Listen to a socket too."""
        if self._poll is not None:
            self._poll.register(number, READABLE)

    def remove(self, number: int) -> None:
        """Forget a socket before it is closed: its number is used again."""
        if self._poll is not None:
            self._poll.unregister(number)

    def ready(self, milliseconds: int = 0) -> list[int]:
        """Return the sockets that have something, now or before so much time is over."""
        if self._poll is None:
            return []
        return [number for number, _ in self._poll.poll(milliseconds)]

    def poll_briefly(self) -> list[int]:
        """Return the sockets that have something now or in the next moment. No client may be
        waiting for the event loop."""
        return self.ready(0 if self.senders else LINGER_MILLISECONDS)

    def only_this_ready(self, alone: list[tuple[int, int]]) -> bool:
        """True if only this has something now or in the next moment. `alone` is as `poll` says
        it: this is asked for each packet."""
        if self._poll is None:
            return False
        return self._poll.poll(0 if self.senders else LINGER_MILLISECONDS) == alone


class Acceptor:
    """A listener's socket, which the event loop has as well."""

    def __init__(self, number: int) -> None:
        self._socket = socket.socket(fileno=number)
        # What is accepted has the options of the listener.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BYTES)
        # Notices a machine that has gone without a word.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in KEEPALIVE:
            self._socket.setsockopt(socket.IPPROTO_TCP, option, value)

    def close(self) -> None:
        """Leave the socket to the event loop alone, which closes it."""
        self._socket.detach()

    def accept(self) -> tuple[socket.socket, str] | None:
        """Accept a client: its socket and address; None when it has gone again."""
        try:
            client, address = self._socket.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return None
        client.setblocking(False)
        return client, f"{address[0]}:{address[1]}"


class DirectSocket:
    """One client's socket, which the event loop has as well: nothing here waits for it."""

    def __init__(self, client: socket.socket, poller: Poller) -> None:
        self.number = client.fileno()
        self.poller = poller
        self._socket: socket.socket | None = client
        self._turn = 0.0  # when the event loop has to have its own; 0 when it has it
        self._alone = [(self.number, READABLE)]
        poller.add(self.number)

    def receive(self, most: int) -> bytes:
        """Return what the client sends in the next moment; empty when the event loop has its
        turn."""
        now = perf_counter()
        if not self._turn:
            self._turn = now + TURN_SECONDS
        if now < self._turn and self.poller.only_this_ready(self._alone):
            return self.receive_bytes(most)
        self._turn = 0.0
        return b""

    def receive_bytes(self, most: int) -> bytes:
        """Return what the client has sent; empty when there is nothing. The end is met again by
        `read`."""
        return self.read(most) or b""

    def read(self, most: int) -> bytes | None:
        """Return what the client has sent; None when there is nothing, empty at the end."""
        if self._socket is None:
            return b""
        try:
            return self._socket.recv(most)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def send(self, data: bytes | bytearray) -> int:
        """Send what fits into the system's buffer; how much it was."""
        if self._socket is None:
            return 0
        try:
            return self._socket.send(data)
        except OSError:
            return 0

    def release(self) -> None:
        """Leave the socket to the event loop alone, which may close it."""
        if self._socket is not None:
            self.poller.remove(self.number)
            self._socket = None
