# SPDX-License-Identifier: Apache-2.0
"""A port for one hart: its clients see that hart alone, as editors with one ELF like it, and the
Tensix thread that it feeds, if it feeds one.

All ports share the tile, so time stops for all clients when one of them has stopped it. A
hart's client is told only of stops of its own hart; those of other harts are short rests in its
run. While a client looks at its hart, that one is held and the others run for theirs.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.gdbstub.protocol.capabilities import XferObjects
from tensix_gdb.gdbstub.protocol.client.thread_view import ThreadView
from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile


class HartPort:
    """An endpoint of a tile: its sessions have the hart's threads and documents. The first thread
    is the hart's own."""

    def __init__(
        self, tile: SharedTile, threads: Sequence[int], xfer: XferObjects | None = None
    ) -> None:
        self._tile = tile
        self._name = tile.target.threads.thread_name(threads[0])
        self._view = ThreadView.of_hart(tile.target, threads, xfer)

    def join(self, name: str) -> Session:
        """Make a session for a new client."""
        return self._tile.join_with(f"{name} ({self._name})", self._view)
