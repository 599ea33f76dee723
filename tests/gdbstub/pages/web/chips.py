# SPDX-License-Identifier: Apache-2.0
"""A chip of tiles that send requests to each other, its server and its page, in a thread.

`python -m tests.gdbstub.pages.web.chips 14x10` lets it run for a client of its own, prints the
address, and serves it until a line comes.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
from collections.abc import Iterator

import trio

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.execution import Execution
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tensix_gdb.gdbstub.pages.web.serve import serve_chip
from tensix_gdb.gdbstub.protocol.rsp.framing import encode
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.sharing.waking import WakingTile
from tensix_gdb.gdbstub.tensix.chip.target import chip_target
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tests.assembler import asm, image
from tests.core.chip.programs import COPY, DATA, MARKED, READ, WRITE, at, barrier, request
from tests.patience import HANG


@contextlib.contextmanager
def chip_page(grid: str = "2x2") -> Iterator[tuple[str, int]]:
    """The address of the page, and the port for clients of the protocol."""
    places = places_of(grid)
    chip = Chip(places, engine="compiled", schedule=Execution.parse("latency,links"))
    for number, (place, tile) in enumerate(chip.tiles.items()):
        there = at(places[number - 1])
        words = request(WRITE | MARKED, DATA, at(place), DATA + 64, there, 256) + barrier(0)
        words += request(READ, DATA, there, COPY, at(place), 128) + barrier(0)
        tile.load(B, image([*words, asm("jal", imm=-4 * len(words))], 0))
    tiles = Tiles(chip)
    shared = WakingTile(chip_target(chip, tiles), chip.wake_all)
    started = threading.Event()
    found: list[tuple[str, int]] = []
    ends: list[tuple[trio.lowlevel.TrioToken, trio.CancelScope]] = []

    async def main() -> None:
        server = Server(shared)
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                ((_, port),) = await nursery.start(server.serve, "127.0.0.1", [0])
                address = await nursery.start(serve_chip, server, shared, tiles, 0)
                found.append((address, port))
                ends.append((trio.lowlevel.current_trio_token(), scope))
                started.set()

    thread = threading.Thread(target=trio.run, args=(main,))
    thread.start()
    assert started.wait(HANG)
    try:
        yield found[0]
    finally:
        token, scope = ends[0]
        trio.from_thread.run_sync(scope.cancel, trio_token=token)
        thread.join(HANG)
        chip.close()


if __name__ == "__main__":
    with (
        chip_page(sys.argv[1]) as (page, gdb),
        contextlib.closing(socket.create_connection(("127.0.0.1", gdb))) as driver,
    ):
        driver.sendall(encode(b"vCont;c", run_lengths=False))
        print(page, flush=True)
        sys.stdin.readline()
