# SPDX-License-Identifier: Apache-2.0
"""HTTP and WebSockets by Hypercorn, one connection apart from the other.

Hypercorn's own `serve` ends all connections, and the server, when something unexpected happens in
one: a ping while a viewer that reads nothing is being sent a frame is enough (0.18). And it waits
for such a viewer for ever. So each connection is run here by itself: what goes wrong in it ends it
alone, and one that takes nothing for some seconds is over.
"""

from __future__ import annotations

import logging
import socket

import trio
from hypercorn.config import Config
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.utils import wrap_app
from starlette.types import ASGIApp

log = logging.getLogger(__name__)

SEND_SECONDS = 10  # a viewer that takes nothing for so long is gone
MAX_MESSAGE = 1 << 16  # bytes from a page


class Line:
    """The stream of a connection, that does not wait for ever."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self.socket = stream.socket
        self.receive_some = stream.receive_some
        self.send_eof = stream.send_eof
        self.aclose = stream.aclose

    async def send_all(self, data: bytes) -> None:
        """Send; BrokenResourceError if it is not taken in time."""
        with trio.move_on_after(SEND_SECONDS) as waiting:
            await self._stream.send_all(data)
        if waiting.cancelled_caught:
            raise trio.BrokenResourceError("it takes nothing")


async def serve(app: ASGIApp, listener: socket.socket) -> None:
    """Serve the application until cancelled."""
    config, context = _config(), WorkerContext(None)
    wrapped = wrap_app(app, 0, "asgi")  # type: ignore[arg-type]

    async def attend(stream: trio.SocketStream) -> None:
        line = Line(stream)
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_close_when_cancelled, line)
                await TCPServer(wrapped, config, context, {}, line).run()  # type: ignore[arg-type]
                nursery.cancel_scope.cancel()
        except Exception as problem:
            log.info("a connection of the page has ended: %r", problem)

    listening = trio.SocketListener(trio.socket.from_stdlib_socket(listener))
    await trio.serve_listeners(attend, [listening])


async def _close_when_cancelled(line: Line) -> None:
    """Hypercorn shields what it sends: close what it sends to."""
    try:
        await trio.sleep_forever()
    finally:
        line.socket.close()


def _config() -> Config:
    config = Config()
    config.accesslog = None
    config.errorlog = None
    config.websocket_max_message_size = MAX_MESSAGE
    config.include_server_header = False
    config.h2_max_concurrent_streams = 8
    return config
