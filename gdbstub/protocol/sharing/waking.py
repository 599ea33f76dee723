# SPDX-License-Identifier: Apache-2.0
"""A target that sleeps while no client looks at it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.sharing.tile import SharedTile
from tensix_gdb.gdbstub.protocol.target import Target

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.client.thread_view import ThreadView
    from tensix_gdb.gdbstub.protocol.session import Session
    from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient


class WakingTile(SharedTile):
    """A target and its sessions. `wake` brings all of it up to date: for a client that comes, and
    when one has gone with what it had armed and held."""

    def __init__(self, target: Target, wake: Callable[[], None]) -> None:
        super().__init__(target)
        self._wake = wake

    def join_with(self, name: str, view: ThreadView) -> Session:
        """Make a session for a new client that sees the target so."""
        self._wake()
        return super().join_with(name, view)

    def disconnect(self, session: ServedClient, *, reset: bool) -> None:
        """Remove a session that ends."""
        super().disconnect(session, reset=reset)
        self._wake()
