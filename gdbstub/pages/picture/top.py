# SPDX-License-Identifier: Apache-2.0
"""`tensix-gdb top`: a running server's tile at a glance, again and again, in the terminal.

It is a client that only looks, between two slices: it asks for `monitor status`. Where the output
is no terminal it prints one screen and ends, so that scripts can look too.
"""

from __future__ import annotations

import contextlib
import sys
import time

from rich.console import Console
from rich.live import Live
from rich.text import Text

from tensix_gdb.gdbstub.cli.options.tile import DEFAULT_PORT
from tensix_gdb.gdbstub.cli.rsp_client import RspClient
from tensix_gdb.gdbstub.pages.picture.options import TopOptions
from tensix_gdb.gdbstub.usage import UsageError


def top(options: TopOptions) -> int:
    """Show the tile until interrupted, or once."""
    host, port = options.host or "127.0.0.1", options.port or DEFAULT_PORT
    with RspClient(host, port) as server:
        server.features()
        if options.once or not sys.stdout.isatty():
            print(_screen(server), end="")
            return 0
        with (
            contextlib.suppress(KeyboardInterrupt),
            Live(console=Console(), screen=True, auto_refresh=False) as live,
        ):
            while True:
                live.update(Text(_screen(server), no_wrap=True, overflow="ellipsis"), refresh=True)
                time.sleep(options.interval)
    return 0


def _screen(server: RspClient) -> str:
    said = server.monitor("status")
    if not said:
        raise UsageError(f"{server.name} says nothing of a tile: it is no tensix-gdb")
    return said
