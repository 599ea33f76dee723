# SPDX-License-Identifier: Apache-2.0
"""Serve the page beside the protocol, in the same event loop (`--web`)."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import closing

import trio
from starlette.types import ASGIApp

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.pages.web.app import application
from tensix_gdb.gdbstub.pages.web.guard import Guard
from tensix_gdb.gdbstub.pages.web.http import serve
from tensix_gdb.gdbstub.pages.web.page_state import Page
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tensix_gdb.gdbstub.usage import UsageError

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
    page = Page.of_tile(server, tile, machine)
    with closing(page.timelines):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(page.viewers.run)
            noticing(server, page.viewers.changed)
            task_status.started(_begin_serving(nursery, application(page), port))


async def serve_chip(
    server: Server,
    tile: SharedTile,
    tiles: Tiles,
    port: int,
    *,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Serve a chip in the same way: the grid, and a page for each tile."""
    # Imported here: a tile alone has none of it.
    from tensix_gdb.gdbstub.pages.web.chip import ChipPage
    from tensix_gdb.gdbstub.pages.web.chip_app import chip_application

    chip = ChipPage(server, tile, tiles)

    def changed() -> None:
        for viewers in chip.every():
            viewers.changed()

    async with trio.open_nursery() as nursery:
        for viewers in chip.every():
            nursery.start_soon(viewers.run)
        chip.begin = lambda viewers: nursery.start_soon(viewers.run)
        noticing(server, changed)
        task_status.started(_begin_serving(nursery, chip_application(chip), port))


def noticing(server: Server, changed: Callable[[], None]) -> None:
    """Call `changed` from now on when the server notices something, too."""
    noticed = server.noticed

    def both() -> None:
        noticed()
        changed()

    server.noticed = both


def _begin_serving(nursery: trio.Nursery, app: ASGIApp, port: int) -> str:
    """Serve an application; return the address to open."""
    listener = _listener(port)
    bound = int(listener.getsockname()[1])
    guard = Guard(app, bound, NAMES)
    nursery.start_soon(serve, guard, listener)
    return f"http://{LOOPBACK}:{bound}/?token={guard.token}"


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
