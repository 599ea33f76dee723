# SPDX-License-Identifier: Apache-2.0
"""One viewer's connection: frames and details to it, requests from it.

To the page go `{"frame": changes}`, `{"details": ...}`, `{"text": ..., "paths": [...]}` for the
console (place_links.py) and `{"error": sentence}`. From it come `{"look": box}`,
`{"file": ..., "line": ...}` and requests of `control.py`. A viewer becomes a client of the protocol
with its first request, not before: there is room for few clients, and for many that only look.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any, Protocol

import trio
from starlette.websockets import WebSocket, WebSocketDisconnect

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.pages.web.client import PageClient, Refused
from tensix_gdb.gdbstub.pages.web.control import Control
from tensix_gdb.gdbstub.pages.web.details import Details
from tensix_gdb.gdbstub.pages.web.frames import Frame, changes
from tensix_gdb.gdbstub.pages.web.sources import Sources
from tensix_gdb.gdbstub.pages.web.viewers import Viewers
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile

MAX_SHOWN = 1 << 18  # characters of console text that wait for a slow viewer; the oldest go first
MAX_LINKED = 1 << 14  # characters of one text in which places are links
DETAIL_SECONDS = 0.5  # between two looks into a box while the tile runs


class Viewed(Protocol):
    """The page that a viewer looks at: of a tile, or of a chip."""

    server: Server
    tile: SharedTile
    machine: Machine
    sources: Sources
    details: Details
    viewers: Viewers
    base: int


class Connection:
    """A viewer and its socket."""

    def __init__(self, page: Viewed, socket: WebSocket) -> None:
        self._page = page
        self._socket = socket
        self._client: PageClient | None = None
        self._control: Control | None = None
        self._sending = trio.Lock()
        self._box = ""
        self._said: deque[str] = deque()
        self._size = 0
        self._speak = trio.Event()
        self._looked = trio.Event()

    async def serve(self) -> None:
        """Serve until it leaves."""
        await self._socket.accept()
        viewer = self._page.viewers.join()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._send_frames, viewer)
                nursery.start_soon(self._send_details)
                nursery.start_soon(self._send_text)
                await self._receive(nursery)
                nursery.cancel_scope.cancel()
        finally:
            self._page.viewers.leave(viewer)

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            try:
                await self._socket.send_text(json.dumps(message, separators=(",", ":")))
            except (WebSocketDisconnect, RuntimeError, OSError):
                await trio.sleep_forever()  # the receiving task notices it, and ends all

    async def _send_frames(self, viewer: Any) -> None:
        sent: Frame | None = None
        while True:
            news = viewer.news
            frame = self._page.viewers.frame
            change = {} if frame is None else changes(sent, frame)
            if change:
                sent = frame
                self._looked.set()
                await self._send({"frame": change})
            else:
                await news.wait()

    async def _send_details(self) -> None:
        """Say what is in the box that is looked at, when that changes."""
        sent: dict[str, Any] | None = None
        while True:
            await self._looked.wait()
            self._looked = trio.Event()
            details = self._page.details.of(self._box) if self._box else None
            if details is not None and details != sent:
                sent = details
                await self._send({"details": details})
            if self._page.tile.running:
                await trio.sleep(DETAIL_SECONDS)

    def _show(self, text: str) -> None:
        self._said.append(text)
        self._size += len(text)
        while self._size > MAX_SHOWN and len(self._said) > 1:
            self._size -= len(self._said.popleft())
        self._speak.set()

    async def _send_text(self) -> None:
        while True:
            await self._speak.wait()
            self._speak = trio.Event()
            text = "".join(self._said)
            self._said.clear()
            self._size = 0
            if text:
                links = self._page.details.links
                paths = links.of(text) if len(text) <= MAX_LINKED else []
                await self._send({"text": text, "paths": paths})

    async def _receive(self, nursery: trio.Nursery) -> None:
        while True:
            try:
                text = await self._socket.receive_text()
                request = json.loads(text)
                if not isinstance(request, dict):
                    raise ValueError
            except (WebSocketDisconnect, RuntimeError, KeyError):
                return
            except ValueError:
                await self._send({"error": "this is no request: JSON with one object is expected"})
                continue
            if "look" in request:
                self._box = str(request["look"])[:40]
                self._looked.set()
            elif "file" in request and "do" not in request:
                await self._send_source(request)
            else:
                nursery.start_soon(self._do, request, nursery)

    async def _send_source(self, request: dict[str, Any]) -> None:
        file, line = request["file"], request.get("line")
        if isinstance(file, str) and isinstance(line, int):
            await self._send({"source": self._page.details.lines(file, line)})

    async def _do(self, request: dict[str, Any], nursery: trio.Nursery) -> None:
        try:
            if self._control is None:
                client = PageClient(self._page.server, self._show)
                page = self._page
                self._control = Control(page.machine, client, page.sources, self._show, page.base)
                await nursery.start(client.run)
            await self._control.do(request)
        except Refused as problem:
            await self._send({"error": str(problem)})
        self._page.viewers.changed()
