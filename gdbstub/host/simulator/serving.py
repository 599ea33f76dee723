# SPDX-License-Identifier: Apache-2.0
"""The server of a simulator: debuggers attach to its port while a host uses it."""

from __future__ import annotations

import logging
import os
import re
import signal
from collections.abc import Awaitable, Callable, Mapping

import trio

from tensix_gdb.gdbstub.cli.options.tile import AddressOptions
from tensix_gdb.gdbstub.host.simulator.options import SimulatorOptions
from tensix_gdb.gdbstub.host.simulator.server_command import attach_command
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
    tiles: int = 1,
) -> None:
    """Serve a host by `link`, and debuggers, until it has ended and the last debugger has gone.
    `simulator` makes what carries out the host's accesses, given the command that attaches;
    `page` makes what serves a page beside it; there are so many `tiles`."""
    to_the_end = False

    async def main() -> None:
        nonlocal to_the_end
        await _serve(options, link, shared, simulator, page, tiles)
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
    tiles: int,
) -> None:
    server = Server(shared, learns_after=LEARNS_AFTER)
    async with trio.open_nursery() as nursery:
        address = await _listen(nursery, server, options.address)
        attach = attach_command(*address, tiles)
        what = "tile is" if tiles == 1 else f"{tiles} tiles are"
        if options.chips > 1:
            what = f"{tiles} tiles of {options.chips} chips are"
        if problem := worker_without_tile(os.environ, tiles):
            log.warning("%s", problem)
        print(f"tensix-gdb: the {what} at port {address[1]}: {attach}", flush=True)
        simulator = make(attach)
        simulator.port = address[1]
        server.noticed, simulator.settle = simulator.clock.note, server.serve_changes
        # It is told of what happens beside the clock.
        shown = page(server)
        if shown is not None:
            print(f"tensix-gdb: the page is at {await nursery.start(shown)}", flush=True)
        await link(simulator)
        await simulator.until_released()
        nursery.cancel_scope.cancel()


LLK_FOLDER = "python_tests"  # LLK's tests are started in it; others have workers for other reasons


def worker_without_tile(environment: Mapping[str, str], tiles: int) -> str:
    """Return what to say in a worker of pytest-xdist that is beyond the tiles, or nothing. LLK's
    tests give each worker the tile of its number, and end with a traceback where there is none."""
    worker = re.fullmatch(r"gw(\d+)", environment.get("PYTEST_XDIST_WORKER", ""))
    is_llk = LLK_FOLDER in environment.get("PWD", "").split("/")
    if worker is None or not is_llk or int(worker[1]) < tiles:
        return ""
    number, workers = int(worker[1]) + 1, environment.get("PYTEST_XDIST_WORKER_COUNT", "")
    wanted = max(number, int(workers) if workers.isdecimal() else 0)
    has = "1 tile" if tiles == 1 else f"{tiles} tiles"
    return (
        f"LLK's tests run worker {number} of pytest -n on tile {number}, and this simulator has "
        f"{has}: tensix-gdb simulator DIR --tiles {wanted}x1"
    )


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
