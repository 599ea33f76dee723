# SPDX-License-Identifier: Apache-2.0
"""A port for one hart: its clients see that hart alone, as editors with one ELF like it, and the
Tensix thread that it feeds, if it feeds one.

All ports share the tile, so time stands still for everybody when one of them has stopped it. A
hart's client is told only of stops of its own hart; those of other harts are short rests in its
run. A hart whose client looks at it is held while the others go on for theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tensix_gdb.gdbstub.capabilities import Description
from tensix_gdb.gdbstub.session import Session
from tensix_gdb.gdbstub.session.attachment import SomeThreads
from tensix_gdb.gdbstub.sharing.nonstop import NonStop
from tensix_gdb.gdbstub.sharing.tile import SharedTile
from tensix_gdb.gdbstub.target import Action, Stopped, Target, TargetError


class HartPort:
    """What the sessions of one port share: the tile, and the hart's threads and documents. The
    first thread is the hart's own."""

    of_one_hart = True

    def __init__(
        self, tile: SharedTile, threads: Sequence[int], description: Description | None = None
    ) -> None:
        self._tile = tile
        self._thread = threads[0]
        whole = tile.target
        self.target: Target = replace(
            whole,
            threads=SomeThreads(whole.threads, threads),
            description=description or whole.description,
            processes=None,
        )

    def join(self, name: str) -> Session:
        """A new client."""
        session = Session(self, f"{name} ({self.target.threads.thread_name(self._thread)})")
        self._tile.sessions.append(session)
        return session

    def resume(
        self, session: Session, actions: Mapping[int, Action], *, at_once: bool = True
    ) -> None:
        """Let the hart run, and all others whose clients do not look at them."""
        self._tile.resume(session, actions, at_once=at_once)

    def interrupt(self, session: Session) -> None:
        """Stop the hart, and with it the tile."""
        self._tile.interrupt(session)

    def answered(
        self, session: Session, answer: tuple[int, int] | None, *, interrupted: bool
    ) -> None:
        """A session has answered a program's request."""
        self._tile.answered(session, answer, interrupted=interrupted)

    def rejoin(self, session: Session) -> None:
        """A session waits for the hart."""
        self._tile.rejoin(session)

    def forget_request(self) -> None:
        """Nobody answers the program's request."""
        self._tile.forget_request()

    def say(self, session: Session, text: str) -> None:
        """Show what the session prints at a breakpoint."""
        self._tile.say(session, text)

    def begin_non_stop(self, session: Session) -> NonStop:
        """At a port for one hart the others run all the time."""
        raise TargetError("non-stop mode is for the tile's port, not for that of one hart")

    def end_non_stop(self, session: Session) -> None:
        """It cannot have begun."""

    def about_to_change(self) -> None:
        """A client is going to change something."""
        self._tile.about_to_change()

    def changed(self) -> None:
        """A client has changed something."""
        self._tile.changed()

    def busy(self, session: Session) -> str:
        """For whom the tile runs while `session` looks."""
        return self._tile.busy(session)

    def keeping_core_files(self) -> int:
        """How many sessions, here and elsewhere, are reading a core file."""
        return self._tile.keeping_core_files()

    def last_stop(self) -> Stopped:
        """Why the hart stands; when another one has stopped the tile, for no reason of its own."""
        stop = self._tile.last_stop()
        return stop if stop.thread in self.target.threads.thread_ids() else Stopped(self._thread)

    def reset(self) -> None:
        """Put the tile into the state in which it was loaded."""
        self._tile.reset()

    def narrowed(self, session: Session) -> None:
        """A session sees less than before."""
        self._tile.narrowed(session)

    def process_ended(self, pid: int) -> None:
        """Clients here know no processes."""
        self._tile.process_ended(pid)

    def leave(self, session: Session, *, reset: bool) -> None:
        """A session ends."""
        self._tile.leave(session, reset=reset)

    def let_go(self, session: Session) -> None:
        """A session stays, and lets go of what it inserted."""
        self._tile.let_go(session)
