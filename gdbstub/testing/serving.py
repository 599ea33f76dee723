# SPDX-License-Identifier: Apache-2.0
"""A test's tile for a debugger: serve it until the last client that came has gone."""

from __future__ import annotations

import trio

from tensix_gdb.gdbstub.cli.serve import attach_command
from tensix_gdb.gdbstub.protocol.server.server import Server
from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tensix_gdb.gdbstub.testing.tile import Tile


class _Visited(SharedTile):
    """A shared tile that knows when all clients have left."""

    def __init__(self, tile: Tile) -> None:
        super().__init__(tensix_target(tile.machine))
        self.left = trio.Event()

    def disconnect(self, session: ServedClient, *, reset: bool) -> None:
        # The state of a failed test is what there is to look at: `kill` leaves it as it is.
        super().disconnect(session, reset=False)
        if not self.sessions:
            self.left.set()


def serve_once(tile: Tile, port: int = 0) -> None:
    """Wait for a debugger, then until it leaves. Ctrl-C ends the wait."""
    shared = _Visited(tile)
    tile.machine.disarm()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            ((host, bound),) = await nursery.start(Server(shared).serve, "127.0.0.1", [port])
            files = [str(hart.program.image.path) for hart in tile.harts if hart.program]
            print(f"attach with\n    {attach_command(files, host, bound)}", flush=True)
            await shared.left.wait()
            nursery.cancel_scope.cancel()

    try:
        trio.run(main)
    except* KeyboardInterrupt:
        print("stopped waiting")
