# SPDX-License-Identifier: Apache-2.0
"""What a session needs of the tile that clients share (gdbstub.sharing.tile,
gdbstub.sharing.hart_port)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from tensix_gdb.gdbstub.target import Action, Stopped, Target

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.session import Session
    from tensix_gdb.gdbstub.sharing.nonstop import NonStop


class Tile(Protocol):
    """What sessions share: the target and who has it running (gdbstub.sharing.tile)."""

    target: Target
    of_one_hart: bool

    def resume(
        self, session: Session, actions: Mapping[int, Action], *, at_once: bool = True
    ) -> None:
        """Let the target run until it stops, its first slice `at_once`; all who wait are told."""

    def interrupt(self, session: Session) -> None:
        """Stop the target."""

    def answered(
        self, session: Session, answer: tuple[int, int] | None, *, interrupted: bool
    ) -> None:
        """The session has answered a program's request, or None: the target goes on, or stops
        where it is when the client wants that."""

    def rejoin(self, session: Session) -> None:
        """The session waits for the target, which another client has."""

    def forget_request(self) -> None:
        """Nobody answers the program's request."""

    def say(self, session: Session, text: str) -> None:
        """Show what the session prints at a breakpoint, after what programs printed."""

    def begin_non_stop(self, session: Session) -> NonStop:
        """From now on the session has the tile, thread by thread; TargetError when it cannot."""

    def end_non_stop(self, session: Session) -> None:
        """All threads stand again, for everybody."""

    def about_to_change(self) -> None:
        """A client is going to change something: it comes between what was and what will be."""

    def changed(self) -> None:
        """A client has changed something, which may have been a reset."""

    def busy(self, session: Session) -> str:
        """For whom the target runs while `session` looks; empty when it stands."""

    def keeping_core_files(self) -> int:
        """How many sessions have begun to read a core file, and not ended."""

    def last_stop(self) -> Stopped:
        """Why the target stands where it stands."""

    def reset(self) -> None:
        """Put the target into the state in which it was loaded."""

    def narrowed(self, session: Session) -> None:
        """The session sees less than before."""

    def process_ended(self, pid: int) -> None:
        """A process was killed: whoever else debugs it is told."""

    def let_go(self, session: Session) -> None:
        """The session has nothing to do with the target any more."""

    def leave(self, session: Session, *, reset: bool) -> None:
        """The session ends."""
