# SPDX-License-Identifier: Apache-2.0
"""What a session needs of the tile that clients share (gdbstub.sharing.tile)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.gdbstub.target import Action, Stopped, Target

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session
    from tensix_gdb.gdbstub.sharing.nonstop import NonStop


class Tile(Protocol):
    """What sessions share: the target, and which one has it running (gdbstub.sharing.tile)."""

    @property
    def target(self) -> Target:
        """The whole target."""

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
        """The session has answered a program's request, or None: the target goes on, or stops
        where it is when the client wants that. True if a slice may be run at once."""

    def rejoin(self, session: Session) -> None:
        """The session waits for the target, which another client has."""

    def forget_request(self) -> None:
        """The program's request gets no answer."""

    def say(self, session: Session, text: str) -> None:
        """Show what the session prints at a breakpoint, after what programs printed."""

    def begin_non_stop(self, session: Session) -> NonStop:
        """From now on the session has the tile, thread by thread; TargetError when it cannot."""

    def end_non_stop(self, session: Session) -> None:
        """All threads stand again, for every client."""

    def about_to_change(self) -> None:
        """A client is going to change something: it comes between what was and what will be."""

    def changed(self) -> None:
        """A client has changed something, which may have been a reset."""

    def busy(self, session: Session) -> str:
        """The client for which the target runs while `session` looks; empty when it stands."""

    def keeping_core_files(self) -> int:
        """How many sessions have begun to read a core file, and not ended."""

    def last_stop(self) -> Stopped:
        """Why the target stands where it stands."""

    def reset(self) -> None:
        """Put the target into the state in which it was loaded."""

    def detached_some(self, session: Session) -> None:
        """The session sees less than before."""

    def process_ended(self, pid: int) -> None:
        """A process was killed: the other clients that debug it are told."""

    def detach(self, session: Session) -> None:
        """The session has nothing to do with the target any more."""

    def disconnect(self, session: Session, *, reset: bool) -> None:
        """The session ends."""
