# SPDX-License-Identifier: Apache-2.0
"""The server: tools, the manual's chapters as resources, one call at a time.

A call runs in a thread, so that messages are read meanwhile. When the client cancels it, or its
seconds are over, it is asked to end as by Ctrl-C, and is waited for: the tile is never left in the
middle of a cycle.
"""

from __future__ import annotations

import logging
from typing import Any, cast

import mcp_types as types
import trio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from tensix_gdb.gdbstub.cli.failures import sentence
from tensix_gdb.gdbstub.cli.install.version import own_version
from tensix_gdb.gdbstub.cli.terminal.keyboard import Keyboard
from tensix_gdb.gdbstub.manual import TOPICS, text_of, title_of
from tensix_gdb.gdbstub.mcp import knowing, looking, racing
from tensix_gdb.gdbstub.mcp.arguments import Tool
from tensix_gdb.gdbstub.mcp.session import Call, Session
from tensix_gdb.gdbstub.mcp.wire import Lines, Output, own_streams
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.usage import UsageError

TOOLS = {tool.name: tool for tool in (*looking.TOOLS, *racing.TOOLS, *knowing.TOOLS)}
MAX_OUTPUT = 60_000  # characters of an answer
MANUAL = "manual://"
INSTRUCTIONS = (
    "An emulated Tenstorrent Blackhole Tensix tile. `run` loads ELF files and runs them; `races` "
    "says which accesses nothing orders, `witness` shows the other order of two and `confirm` says "
    "whether a fix helps; `why`, `hart`, `source`, `look` and `memory` say where the "
    "tile has stopped. `explain` and `litmus` need no tile. Nothing is written to any file. The "
    "chapters of the manual are resources."
)
_log = logging.getLogger(__name__)


class AssistantServer:
    """The server of one session for a client."""

    def __init__(self, session: Session, seconds: float) -> None:
        self._session, self._seconds = session, seconds
        self._turn = trio.Lock()

    async def serve(self) -> None:
        """Serve the client at standard input and output until it has gone."""
        server: Server[Any] = Server(
            "tensix-gdb",
            version=own_version(),
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )
        with own_streams() as (read, write):
            # They have of an asynchronous file what is used.
            lines, output = cast("Any", Lines(read)), cast("Any", Output(write))
            async with stdio_server(lines, output) as (reader, writer):
                await server.run(reader, writer, server.create_initialization_options())

    async def _list_tools(self, context: object, params: object) -> types.ListToolsResult:
        shown = [
            types.Tool(
                name=tool.name,
                description=tool.about,
                input_schema=tool.schema(),
                annotations=types.ToolAnnotations(
                    read_only_hint=True, destructive_hint=False, open_world_hint=False
                ),
            )
            for tool in TOOLS.values()
        ]
        return types.ListToolsResult(tools=shown)

    async def _call_tool(
        self, context: object, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = TOOLS.get(params.name)
        try:
            if tool is None:
                raise UsageError(f"there is no tool {params.name}; there are {', '.join(TOOLS)}")
            text, failed = await self._said(tool, tool.check(params.arguments or {})), False
        except (UsageError, TargetError) as problem:
            text, failed = str(problem), True
        content = types.TextContent(type="text", text=bounded(text))
        return types.CallToolResult(content=[content], is_error=failed)

    async def _said(self, tool: Tool, values: dict[str, Any]) -> str:
        """Call a tool and return its answer. One at a time: there is one tile."""
        keyboard = Keyboard()

        async def interrupt() -> None:
            try:
                await trio.sleep(self._seconds)
            finally:
                keyboard.interrupted = True

        async with self._turn, trio.open_nursery() as nursery:
            nursery.start_soon(interrupt)
            with trio.CancelScope(shield=True):
                said = await trio.to_thread.run_sync(
                    self._run, tool, Call(self._session, values, keyboard)
                )
            nursery.cancel_scope.cancel()
        if isinstance(said, UsageError):
            raise said
        return said

    def _run(self, tool: Tool, call: Call) -> str | UsageError:
        """Run a tool, in its thread. Whatever fails there has to become a sentence."""
        try:
            return tool.run(call)
        except (UsageError, TargetError) as problem:
            return UsageError(str(problem))
        except Exception as problem:
            if not sentence(problem):
                _log.exception("%s failed", tool.name)
            return UsageError(
                sentence(problem) or f"a defect of {tool.name}, please report it: {problem!r}"
            )

    async def _list_resources(self, context: object, params: object) -> types.ListResourcesResult:
        shown = [
            types.Resource(
                uri=MANUAL + topic, name=topic, title=title_of(topic), mime_type="text/markdown"
            )
            for topic in TOPICS
        ]
        return types.ListResourcesResult(resources=shown)

    async def _read_resource(
        self, context: object, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        topic = uri.removeprefix(MANUAL).rstrip("/")
        if topic not in TOPICS:
            raise MCPError(
                types.INVALID_PARAMS, f"{uri} is no chapter of the manual, as {MANUAL}ordering is"
            )
        content = types.TextResourceContents(
            uri=uri, mime_type="text/markdown", text=text_of(topic)
        )
        return types.ReadResourceResult(contents=[content])


def bounded(text: str) -> str:
    """Return an answer of a length that a client can take."""
    if len(text) <= MAX_OUTPUT:
        return text
    cut = text[:MAX_OUTPUT]
    return f"{cut[: cut.rfind(chr(10)) + 1] or cut}... {len(text):,} characters; ask for less"
