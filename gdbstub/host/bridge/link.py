# SPDX-License-Identifier: Apache-2.0
"""The connection to the driver: an nng socket of the kind pair1, one message after the other.

The driver listens and starts us; we dial, send a message EXIT as a sign of life, and serve until it
sends EXIT or is gone. Bytes that are no message are dropped; the log has a line for each.

A tile that reads the host's memory over the NoC stops until the driver has answered, which may be
while a debugger runs the tile. Messages that come before the answer are kept.
"""

from __future__ import annotations

import contextlib
import logging
import math
import select
import socket as sockets
from collections import deque
from collections.abc import Awaitable, Callable
from time import monotonic, sleep
from urllib.parse import urlsplit

import pynng
import trio

from tensix_gdb.gdbstub.host.bridge.messages import Command, Message, MessageError, decode, encode
from tensix_gdb.gdbstub.usage import UsageError

log = logging.getLogger(__name__)

DIAL_SECONDS = 30
ANSWER_SECONDS = 10
SEND_SECONDS = 0.0001  # between two attempts
LOOK_SECONDS = 0.05  # between two looks whether the tiles may run on, or the driver has gone
TURN = 64  # messages until other tasks have a turn
BUFFERED = 1024  # messages that nng takes ahead: without, each is a switch of threads
Handle = Callable[[Message], Awaitable[bytes | None]]
RunOn = Callable[[], Awaitable[bool]] | None
LOST = "what is read from its memory is zero, what is written there is lost"
NO_ANSWER = f"the driver does not answer: {LOST}"
GONE = f"the driver has gone: {LOST}"


class Link:
    """A connection. `read_host` and `write_host` are for memory of the driver's process."""

    def __init__(self, socket: pynng.Pair1) -> None:
        self._socket = socket
        self._readable = int(socket.recv_fd)
        self._messages: deque[Message] = deque()
        self._answers: deque[bytes] = deque()  # of the driver's memory
        self._is_gone = self._lost = False
        self._taken = 0

    def _receive(self) -> bool:
        """Take what has come, which is kept in the order of coming; True if there was something."""
        try:
            message = decode(self._socket.recv(block=False))
        except (pynng.TryAgain, pynng.Closed):
            return False
        except MessageError as problem:
            log.warning("dropped: %s", problem)
        else:
            if message.command is Command.AXI_RAM_READ_NOTIFICATION:
                self._answers.append(message.data)
            else:
                self._messages.append(message)
        return True

    async def next(self, run_on: RunOn) -> Message:
        """Return the next message of the driver. While there is none, the tiles run on by `run_on`,
        which is False if they cannot now."""
        patience = math.inf if run_on is None else LOOK_SECONDS
        self._taken += 1
        if self._taken % TURN == 0:
            await trio.lowlevel.checkpoint()  # debuggers have their turn while messages come
        while not self._messages:
            if self._receive():
                continue
            if run_on is not None and await run_on():
                await trio.lowlevel.checkpoint()
                continue
            with trio.move_on_after(patience):
                await trio.lowlevel.wait_readable(self._readable)
        return self._messages.popleft()

    async def send(self, message: Message) -> None:
        """Send a message."""
        data = encode(message)
        try:
            self._socket.send(data, block=False)  # a tenth of the time of the other one
        except pynng.TryAgain:
            await self._socket.asend(data)

    def _send_now(self, message: Message) -> None:
        """Send a message while nothing else can happen, unless the driver goes meanwhile."""
        data = encode(message)
        while not self._is_gone:
            try:
                self._socket.send(data, block=False)
            except pynng.TryAgain:
                if not self._receive():  # the driver may be waiting until it can send
                    sleep(SEND_SECONDS)
            except pynng.Closed:
                return
            else:
                return

    def gone(self) -> None:
        """Note that the driver has gone; from any thread."""
        self._is_gone = True

    def write_host(self, addr: int, data: bytes) -> None:
        """Write to the driver's memory."""
        if not self._is_lost():
            command = Command.AXI_RAM_WRITE_NOTIFICATION
            self._send_now(Message(command, (0, 0), addr, len(data), data))

    def read_host(self, addr: int, size: int) -> bytes:
        """Read the driver's memory; zeros, and a line in the log, if it does not answer."""
        if self._is_lost():
            return bytes(size)
        self._answers.clear()  # what has come too late
        self._send_now(Message(Command.AXI_RAM_READ_NOTIFICATION, (0, 0), addr, size))
        patience = monotonic() + ANSWER_SECONDS
        while not self._answers and not self._is_gone and monotonic() < patience:
            if not self._receive():
                select.select([self._readable], [], [], LOOK_SECONDS)
        if not self._answers:
            self._is_lost(of_another_version=not self._is_gone)
            return bytes(size)
        return self._answers.popleft()[:size].ljust(size, b"\0")

    def _is_lost(self, *, of_another_version: bool = False) -> bool:
        """True if the driver's memory is not there any more; the log says so once."""
        if not self._lost and (self._is_gone or of_another_version):
            self._lost = True
            log.warning(GONE if self._is_gone else NO_ANSWER)
        return self._lost


async def serve_driver(
    address: str,
    handle: Handle,
    connected: Callable[[Link], None] = lambda link: None,
    run_on: RunOn = None,
) -> None:
    """Serve the driver that listens at `address` (an nng URL) until it ends. `connected` is called
    before its first message.

    UsageError when nothing listens there.
    """
    try:
        socket = pynng.Pair1(recv_max_size=0, recv_buffer_size=BUFFERED)
    except pynng.NNGException as problem:
        raise UsageError(f"no socket for the driver: {problem}") from None
    with socket:
        await _dial(socket, address)
        gone = trio.CancelScope()
        link = Link(socket)
        _when_gone(socket, gone, link)
        connected(link)
        await link.send(Message(Command.EXIT, data=bytes(4)))
        with gone:
            await _serve(link, handle, run_on)
        if gone.cancelled_caught:
            log.info("the driver is gone")


async def _dial(socket: pynng.Pair1, address: str) -> None:
    """Connect. The driver may need a moment until it listens."""
    with trio.move_on_after(DIAL_SECONDS):
        while True:
            try:
                if listens(address):
                    socket.dial(address, block=True)
                    return
            except (pynng.ConnectionRefused, pynng.NotFoundError):
                pass
            except pynng.NNGException as problem:
                raise UsageError(f"{address!r} is no address of a driver: {problem}") from None
            await trio.sleep(0.05)
    raise UsageError(f"no driver listens at {address}")


def listens(address: str) -> bool:
    """True if something listens at the nng URL, or if it is not of TCP, or means nothing.

    Drivers choose their port among those that the system gives to connections, and start us before
    they listen. A connection to a port of this machine at which nothing listens may get that very
    port for its own end, and TCP then connects it to itself: about one attempt in 14,000 to an even
    port. The simulator would serve itself, and the driver, which cannot listen any more, would wait
    for ever. So a connection from another port asks first.
    """
    try:
        parts = urlsplit(address)
        if parts.scheme != "tcp" or parts.hostname is None or parts.port is None:
            return True
        found = sockets.getaddrinfo(parts.hostname, parts.port, type=sockets.SOCK_STREAM)
    except (ValueError, OSError):
        return True  # nng says what is wrong with it
    return any(_answers(family, there, parts.port) for family, *_, there in found)


def _answers(family: int, there: tuple[object, ...], port: int) -> bool:
    with sockets.socket(family, sockets.SOCK_STREAM) as probe:
        try:
            probe.bind(("", 0))
            if probe.getsockname()[1] == port:
                return False
            probe.connect(there)
        except OSError:
            return False
        return True


def _when_gone(socket: pynng.Pair1, scope: trio.CancelScope, link: Link) -> None:
    """End `scope` when the other side goes; nng says so in a thread of its own."""
    token = trio.lowlevel.current_trio_token()

    def gone(_: object) -> None:
        link.gone()
        with contextlib.suppress(trio.RunFinishedError):
            token.run_sync_soon(scope.cancel)

    socket.add_post_pipe_remove_cb(gone)


async def _serve(link: Link, handle: Handle, run_on: RunOn) -> None:
    while (message := await link.next(run_on)).command is not Command.EXIT:
        answer = await handle(message)
        if message.command is Command.READ:
            data = answer or b""
            await link.send(Message(Command.READ, message.core, message.addr, len(data), data))
