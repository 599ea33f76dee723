# SPDX-License-Identifier: Apache-2.0
"""The page of a server, for tests: its address, requests with and without the cookie, a viewer."""

from __future__ import annotations

import contextlib
import json
import re
import urllib.parse
from collections.abc import AsyncIterator
from http.client import HTTPConnection, HTTPResponse
from typing import Any

import trio
from trio_websocket import WebSocketConnection, open_websocket_url

from tests.gdb.harness import Server
from tests.patience import HANG, turns

ADDRESS = re.compile(r"the page is at (\S+)")
SECONDS = HANG


class Page:
    """The page that a server has printed."""

    def __init__(self, server: Server) -> None:
        self.server = server
        for _ in turns():
            if found := ADDRESS.search("".join(server.output)):
                break
        assert found is not None
        self.address = found[1]
        parts = urllib.parse.urlparse(self.address)
        self.host, self.query = parts.netloc, parts.query
        self._cookie = ""

    def get(self, path: str, **headers: str) -> tuple[HTTPResponse, bytes]:
        """A request as it is typed."""
        connection = HTTPConnection(self.host, timeout=SECONDS)
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer, answer.read()

    @property
    def cookie(self) -> str:
        """The cookie that the address gives to the browser."""
        if not self._cookie:
            answer, _ = self.get("/?" + self.query)
            assert answer.status == 303
            self._cookie = str(answer.getheader("set-cookie")).split(";")[0]
        return self._cookie

    def state(self) -> dict[str, Any]:
        """The picture as JSON."""
        answer, body = self.get("/state.json", Cookie=self.cookie)
        assert answer.status == 200
        return dict(json.loads(body))

    @contextlib.asynccontextmanager
    async def viewer(self) -> AsyncIterator[Viewer]:
        """Look at the page."""
        headers = [("Cookie", self.cookie), ("Origin", f"http://{self.host}")]
        async with open_websocket_url(f"ws://{self.host}/ws", extra_headers=headers) as socket:
            yield Viewer(socket)


class Viewer:
    """One that looks: the frame so far, and what else was said."""

    def __init__(self, socket: WebSocketConnection) -> None:
        self.socket = socket
        self.frame: dict[str, Any] = {}
        self.text = ""
        self.errors: list[str] = []
        self.details: dict[str, Any] = {}

    async def say(self, **message: Any) -> None:
        """Send a request."""
        await self.socket.send_message(json.dumps(message))

    async def hear(self) -> None:
        """Take one message."""
        message = json.loads(await self.socket.get_message())
        if "frame" in message:
            change = message["frame"]
            cells = {**self.frame.get("cells", {}), **change.get("cells", {})}
            self.frame = {**self.frame, **change, "cells": cells}
        self.text += message.get("text", "")
        self.details = message.get("details", self.details)
        if "error" in message:
            self.errors.append(message["error"])

    async def until(self, true: Any) -> None:
        """Take messages until this is true."""
        with trio.fail_after(SECONDS):
            while not true(self):
                await self.hear()

    async def run(self, **message: Any) -> None:
        """Send a request that lets the tile run, and wait until it has stopped again elsewhere."""
        await self.until(lambda viewer: viewer.frame)
        before = self.frame["cells"]
        await self.say(**message)
        await self.until(lambda viewer: viewer.frame["cells"] != before)
        await self.until(lambda viewer: not viewer.frame["running"])
