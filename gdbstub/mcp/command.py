# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb mcp`: serve an assistant at standard input and output."""

from __future__ import annotations

import signal

from tensix_gdb.gdbstub.mcp.options import McpOptions
from tensix_gdb.gdbstub.mcp.roots import Roots
from tensix_gdb.gdbstub.mcp.server import AssistantServer
from tensix_gdb.gdbstub.mcp.session import Session
from tensix_gdb.gdbstub.protocol.server.event_loop import run_until_asked


def mcp(options: McpOptions) -> int:
    """Serve until the client has gone."""
    session = Session(Roots(options.root))
    try:
        run_until_asked(AssistantServer(session, options.seconds).serve, signal.SIGINT)
    except* KeyboardInterrupt:
        pass
    finally:
        session.close()
    return 0
