# SPDX-License-Identifier: Apache-2.0
"""The server of a simulator: debuggers attach to its port while a host uses it."""

from __future__ import annotations

import logging
import signal
from collections.abc import Awaitable, Callable

import trio

from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.simulator.simulator import Simulator
from tensix_gdb.gdbstub.pages.web.wanted import Serve
from tensix_gdb.gdbstub.protocol.server.event_loop import run_until_asked
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.usage import UsageError

log = logging.getLogger(__name__)
LEARNS_AFTER = 3.0  # seconds, in which a host opens its device
Link = Callable[[Simulator], Awaitable[None]]  # serves a host until it ends


def serve_until_released(
    options: SimulatorOptions,
    link: Link,
    shared: SharedTile,
    simulator: Callable[[str], Simulator],
    page: Callable[[Server], Serve | None] = lambda server: None,
) -> None:
    """Serve a host by `link`, and debuggers, until it has ended and the last debugger has gone.
    `simulator` makes what carries out the host's accesses, given the command that attaches;
    `page` makes what serves a page beside it."""
    to_the_end = False

    async def main() -> None:
        nonlocal to_the_end
        await _serve(options, link, shared, simulator, page)
        to_the_end = True

    # As others are ended: by SIGTERM, or Ctrl-C in the host's terminal.
    run_until_asked(main, signal.SIGINT)
    if not to_the_end:
        raise KeyboardInterrupt


async def _serve(
    options: SimulatorOptions,
    link: Link,
    shared: SharedTile,
    make: Callable[[str], Simulator],
    page: Callable[[Server], Serve | None],
) -> None:
    server = Server(shared, learns_after=LEARNS_AFTER)
    async with trio.open_nursery() as nursery:
        address = await _listen(nursery, server, options.address)
        tiles = len(places_of(options.tiles))
        attach = attach_command(*address, tiles)
        what = "tile is" if tiles == 1 else f"{tiles} tiles are"
        print(f"tensix-gdb: the {what} at port {address[1]}: {attach}", flush=True)
        simulator = make(attach)
        server.noticed, simulator.settle = simulator.clock.note, server.serve_changes
        # It is told of what happens beside the clock.
        shown = page(server)
        if shown is not None:
            print(f"tensix-gdb: the page is at {await nursery.start(shown)}", flush=True)
        await link(simulator)
        await simulator.until_released()
        nursery.cancel_scope.cancel()


def attach_command(host: str, port: int, tiles: int = 1) -> str:
    """Make the command that attaches a GDB, to the first of several tiles. It names no files: only
    the host knows them."""
    shown = f"[{host}]" if ":" in host else host
    if tiles > 1:
        # Without the first line GDB resumes only the selected tile.
        lines = ("set schedule-multiple on", f"target extended-remote {shown}:{port}", "attach 1")
        return " ".join(("gdb-multiarch", *(f"-ex '{line}'" for line in lines)))
    return f"gdb-multiarch -ex 'target remote {shown}:{port}'"


async def _listen(
    nursery: trio.Nursery, server: Server, options: AddressOptions
) -> tuple[str, int]:
    """Listen at the port that was asked for, or at any: several simulators may run at once."""
    try:
        addresses = await nursery.start(server.serve, options.host, [options.port])
    except UsageError as problem:
        log.warning("%s", problem)
        addresses = await nursery.start(server.serve, options.host, [0])
    host, port = addresses[0]
    return str(host), int(port)
