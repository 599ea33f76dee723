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
from tensix_gdb.gdbstub.cli.terminal.fitted import fitted
from tensix_gdb.gdbstub.pages.picture.options import TopOptions
from tensix_gdb.gdbstub.usage import UsageError

# Of `monitor status`: a later row of these wins.
STYLES = {
    r"(?m)^cycle \d+": "bold",
    r"(?m)^[\w]+(?=  )": "bold blue",  # the names of sections
    r"\b(in reset|idle|has ended|paused|all 0|without a value)\b": "dim",
    r"\b(runs|busy for [^,;\n]*|moves)\b": "green",
    r"\b(polls|waits?|held|stopped|fault|with NaN|infinite)\b[^,;\n]*": "red",
}


def top(options: TopOptions) -> int:
    """Show the tile until interrupted, or once."""
    host, port = options.host or "127.0.0.1", options.port or DEFAULT_PORT
    with RspClient(host, port) as server:
        server.features()
        if not sys.stdout.isatty():
            print(_screen(server), end="")
            return 0
        console = Console()
        if options.once:
            console.print(shown(_screen(server), console.width))
            return 0
        with (
            contextlib.suppress(KeyboardInterrupt),
            Live(console=console, screen=True, auto_refresh=False) as live,
        ):
            while True:
                live.update(shown(_screen(server), console.width), refresh=True)
                time.sleep(options.interval)
    return 0


def shown(said: str, width: int) -> Text:
    """Colour what threads and units do, in lines that fit: a reason is not cut. Rich leaves the
    colours out where NO_COLOR says so."""
    text = Text("\n".join(fitted(said.rstrip("\n"), width)), no_wrap=True, overflow="ellipsis")
    for pattern, style in STYLES.items():
        text.highlight_regex(pattern, style)
    return text


def _screen(server: RspClient) -> str:
    said = server.monitor("status")
    if not said:
        raise UsageError(f"{server.name} says nothing of a tile: it is no tensix-gdb")
    return said
