# SPDX-License-Identifier: Apache-2.0
"""Serve the page beside the protocol, in the same event loop (`--web`)."""

from __future__ import annotations

import socket
from contextlib import closing

import trio

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.server.server import Server
from tensix_gdb.gdbstub.sharing.tile import SharedTile
from tensix_gdb.gdbstub.usage import UsageError
from tensix_gdb.gdbstub.web.app import application
from tensix_gdb.gdbstub.web.guard import Guard
from tensix_gdb.gdbstub.web.http import serve
from tensix_gdb.gdbstub.web.page_state import Page

LOOPBACK = "127.0.0.1"
NAMES = (LOOPBACK, "localhost")


async def serve_page(
    server: Server,
    tile: SharedTile,
    machine: Machine,
    port: int,
    *,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve until cancelled; `task_status` gives the address to open. UsageError when the port
    cannot be had."""
    listener = _listener(port)
    bound = int(listener.getsockname()[1])
    page = Page(server, tile, machine)
    noticed = server.noticed

    def changed() -> None:
        noticed()
        page.viewers.changed()

    server.noticed = changed
    guard = Guard(application(page), bound, NAMES)
    with closing(page.timelines):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page.viewers.run)
            nursery.start_soon(serve, guard, listener)
            task_status.started(f"http://{LOOPBACK}:{bound}/?token={guard.token}")


def _listener(port: int) -> socket.socket:
    listener = socket.socket()
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen()
    except OSError as problem:
        listener.close()
        why = (problem.strerror or str(problem)).lower()
        raise UsageError(f"--web {port}: {why}; choose another port, or leave it out") from None
    return listener
