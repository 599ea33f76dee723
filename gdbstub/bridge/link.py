# SPDX-License-Identifier: Apache-2.0
"""The connection to the driver: an nng socket of the kind pair1, one message after the other.

The driver listens and starts us; we dial, send a message EXIT as a sign of life, and serve until it
sends EXIT or is gone. Bytes that are no message are dropped; the log has a line for each.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Awaitable, Callable

import pynng
import trio

from tensix_gdb.gdbstub.bridge.messages import Command, Message, MessageError, decode, encode
from tensix_gdb.gdbstub.usage import UsageError

log = logging.getLogger(__name__)

DIAL_SECONDS = 30
Handle = Callable[[Message], Awaitable[bytes | None]]


async def serve_driver(address: str, handle: Handle) -> None:
    """Serve the driver that listens at `address` (an nng URL) until it ends.

    UsageError when nothing listens there.
    """
    try:
        socket = pynng.Pair1(recv_max_size=0)
    except pynng.NNGException as problem:
        raise UsageError(f"no socket for the driver: {problem}") from None
    with socket:
        await _dial(socket, address)
        gone = trio.CancelScope()
        _when_gone(socket, gone)
        await socket.asend(encode(Message(Command.EXIT, data=bytes(4))))
        with gone:
            await _serve(socket, handle)
        if gone.cancelled_caught:
            log.info("the driver is gone")


async def _dial(socket: pynng.Pair1, address: str) -> None:
    """Connect. The driver may need a moment until it listens."""
    with trio.move_on_after(DIAL_SECONDS):
        while True:
            try:
                socket.dial(address, block=True)
                return
            except (pynng.ConnectionRefused, pynng.NotFoundError):
                await trio.sleep(0.05)
            except pynng.NNGException as problem:
                raise UsageError(f"{address!r} is no address of a driver: {problem}") from None
    raise UsageError(f"no driver listens at {address}")


def _when_gone(socket: pynng.Pair1, scope: trio.CancelScope) -> None:
    """End `scope` when the other side goes; nng says so in a thread of its own."""
    token = trio.lowlevel.current_trio_token()

    def gone(_: object) -> None:
        with contextlib.suppress(trio.RunFinishedError):
            token.run_sync_soon(scope.cancel)

    socket.add_post_pipe_remove_cb(gone)


async def _serve(socket: pynng.Pair1, handle: Handle) -> None:
    while True:
        raw = await socket.arecv()
        try:
            message = decode(raw)
        except MessageError as problem:
            log.warning("dropped: %s", problem)
            continue
        if message.command is Command.EXIT:
            return
        answer = await handle(message)
        if message.command is Command.READ:
            data = answer or b""
            reply = Message(Command.READ, message.core, message.addr, len(data), data)
            await socket.asend(encode(reply))
