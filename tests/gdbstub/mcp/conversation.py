# SPDX-License-Identifier: Apache-2.0
"""A conversation with `tensix-gdb mcp` by the client of the package mcp, over pipes."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

from tests.layers.style import ROOT

DEMO = ROOT / "gdbstub" / "demo" / "programs"


class Assistant:
    """The assistant's side of the server."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def says(self, tool: str, **arguments: Any) -> tuple[bool, str]:
        """True if a call has gone well, and what came back."""
        result = await self.client.call_tool(tool, arguments)
        (content,) = result.content
        return not result.is_error, str(getattr(content, "text", ""))

    async def ask(self, tool: str, **arguments: Any) -> str:
        """Return what came back from a call that goes well."""
        good, text = await self.says(tool, **arguments)
        assert good, text
        return text

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The sentence of one that does not."""
        good, text = await self.says(tool, **arguments)
        assert not good, text
        assert "\n" not in text
        return text


@asynccontextmanager
async def assistant(roots: Sequence[Path] = (), *options: str) -> AsyncIterator[Assistant]:
    """Start a server, and talk to it."""
    words = ["-m", "tensix_gdb.gdbstub", "mcp", *options]
    for root in roots:
        words += ["--root", str(root)]
    server = StdioServerParameters(command=sys.executable, args=words, cwd=str(ROOT))
    async with Client(server) as client:
        yield Assistant(client)
