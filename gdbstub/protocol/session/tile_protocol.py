# SPDX-License-Identifier: Apache-2.0
"""The tile that clients share, as a session needs it (gdbstub.protocol.sharing)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.gdbstub.protocol.client.protocol import NonStopMode, ServedTile
from tensix_gdb.gdbstub.protocol.target import Action

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.session import Session


class DefectsOfTarget(Protocol):
    """Defects of ours (gdbstub.protocol.sharing.defects)."""

    def note(self, problem: Exception, where: str) -> str:
        """Note an exception, which is being handled; the sentence for clients."""

    def check(self) -> None:
        """Raise TargetError if what lets the target run is to be refused."""


class Tile(ServedTile, Protocol):
    """The things that sessions share: the target, and which one has it running
    (gdbstub.protocol.sharing.tile)."""

    @property
    def defects(self) -> DefectsOfTarget:
        """Defects of ours that were met."""

    def resume(self, session: Session, actions: Mapping[int, Action]) -> bool:
        """Let the target run until it stops, for this client or with it. True if a slice may be
        run at once."""

    def advance(self) -> bool:
        """Run one slice; True if the target stopped in it. Clients that wait are told."""

    def interrupt(self, session: Session) -> None:
        """Stop the target."""

    def answered(
        self, session: Session, answer: tuple[int, int] | None, *, interrupted: bool
    ) -> bool:
        """Let the target continue with the answer to a program's request, or stop it where it is if
        the client wants that. None is no answer. True if a slice may be run at once."""

    def rejoin(self, session: Session) -> None:
        """Let the session wait for the target, which another client has running."""

    def forget_request(self) -> None:
        """Give the program's request no answer."""

    def say(self, session: Session, text: str) -> None:
        """Show what the session prints at a breakpoint, after what programs printed."""

    def begin_non_stop(self, session: Session) -> NonStopMode:
        """Give the session the tile, thread by thread; TargetError when that cannot be."""

    def end_non_stop(self, session: Session) -> None:
        """Stop all threads, for every client."""

    def about_to_change(self) -> None:
        """Prepare for a change by a client: it comes between what was and what will be."""

    def changed(self) -> None:
        """Continue after a change by a client, which may have been a reset."""

    def busy(self, session: Session) -> str:
        """Name the client for which the target runs while `session` looks; empty when it has
        stopped."""

    def detached_some(self, session: Session) -> None:
        """Let go of the threads that the session does not see any more."""

    def detach(self, session: Session) -> None:
        """Remove what the session inserted, and end its run or hand it over."""

    def disconnect(self, session: Session, *, reset: bool) -> None:
        """Detach the session, which ends."""
