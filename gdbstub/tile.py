# SPDX-License-Identifier: Apache-2.0
"""What clients share: one target, who waits for it, and why it last stopped. No I/O.

The target runs when at least one session has resumed it. Every session that waits gets the same
stop. A session that looks while another one has the target running sees it between two slices of
the run: all state is exact then. A second `continue` joins the run; a second, different request
(a step while another client continues) is refused by the target's being busy and waits for the
stop like everybody else.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from gdbstub.commands.breakpoints import remove_all
from gdbstub.session import Session
from gdbstub.target import Action, Stopped, Target

log = logging.getLogger(__name__)

SLICE_SECONDS = 0.0004  # an interrupt waits for half of it on average


class SharedTile:
    """The target and its sessions."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.sessions: list[Session] = []
        self.running = False
        self._last = Stopped(target.threads.thread_ids()[0])
        self._driver: Session | None = None

    def join(self, name: str) -> Session:
        """A new client. GDB expects the target to stand still while it connects; a tile that runs
        for another client goes on, and the newcomer sees it between slices."""
        session = Session(self, name)
        session.general_thread = self._last.thread
        self.sessions.append(session)
        return session

    def resume(self, session: Session, actions: Mapping[int, Action]) -> None:
        """Let the target run until it stops."""
        if self.running:
            return
        self.target.execution.resume(actions)
        self.running = True
        self._driver = session

    def advance(self) -> bool:
        """Run one slice; True when the target stopped in it."""
        stop = self.target.execution.advance(SLICE_SECONDS)
        if stop is None:
            return False
        self._stop(stop)
        return True

    def interrupt(self, session: Session) -> None:
        """Stop now, at a client's wish."""
        if self.running:
            self._stop(self.target.execution.interrupt(session.general_thread))

    def _stop(self, stop: Stopped) -> None:
        self.running = False
        self._driver = None
        self._last = stop
        for session in list(self.sessions):
            session.stopped(stop)

    def last_stop(self) -> Stopped:
        """Why the target stands where it stands; its thread is where a new client starts."""
        return self._last

    def leave(self, session: Session, *, reset: bool) -> None:
        """A session ends: what it inserted goes, and what it had running stops.

        The tile stays as it was, so that the next client finds it there.
        """
        if session in self.sessions:
            self.sessions.remove(session)
        remove_all(session)
        if self._driver is session and self.running:
            self.target.execution.interrupt(session.general_thread)
            self.running = False
            self._driver = None
            self._last = Stopped(session.general_thread)
            for other in list(self.sessions):
                other.stopped(self._last)
        if reset and self.target.lifetime is not None and not self.running:
            self.target.lifetime.reset()
            self._last = Stopped(self.target.threads.thread_ids()[0])
