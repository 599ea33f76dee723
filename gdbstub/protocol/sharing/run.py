# SPDX-License-Identifier: Apache-2.0
"""The run of a tile: for which client it is, since when, and what each thread does in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensix_gdb.gdbstub.protocol.session import Session
from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.sharing import notices
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Target


class Run:
    """The current run, or the last one. Nothing runs for a client while there is no `driver`.

    `clients` are all sessions of the tile; the list changes when they come and leave.
    """

    def __init__(self, target: Target, clients: Sequence[Session]) -> None:
        self.target = target
        self.clients = clients
        self.running = False
        self.driver: Session | None = None
        self._actions: Mapping[int, Action] = {}
        self._began = 0  # the target's clock

    @property
    def name(self) -> str:
        """The name of the client for which the target runs."""
        return "no client" if self.driver is None else self.driver.name

    @property
    def has_backlog(self) -> bool:
        """True while the driver does not take what it is shown."""
        return self.driver is not None and self.driver.has_backlog

    def takes(self, session: Session) -> bool:
        """True if a client may add its harts to a run under way: it sees some harts, and so does
        the driver."""
        others = self.driver is None or self.driver.selection.view.is_subset
        return session.selection.view.is_subset and others

    def resume(self, session: Session, actions: Mapping[int, Action]) -> None:
        """Let the threads go for this client. It is the driver unless a run is under way.

        A client of some harts lets the others run, except those that other clients look at.
        """
        self._go(session, actions)
        if not self.running:
            for other in self.clients:
                other.request_taken()
            self._begin(session)
        self.running = True

    def go_on_with(self, session: Session) -> None:
        """Resume the threads that a client waits for, after another one has let them go."""
        self._go(session, session.actions)
        self.running = True
        self.driver = self.driver or session

    def hand_over(self, session: Session) -> None:
        """Make another client the driver. The run continues; if it did not, the client that left
        had been asked for something."""
        self.driver = session
        self.running = True

    def end(self) -> None:
        """End the run, and tell the clients that do not wait for it."""
        self._tell_lookers()
        self.running = False
        self.driver = None

    def move(self, session: Session, moves: bool) -> None:
        """In non-stop mode: note that threads run from here on, or that none does any more."""
        if moves and not self.running:
            self._begin(session)
        elif self.running and not moves:
            self._tell_lookers()
        self.running = moves

    def _begin(self, driver: Session) -> None:
        self.driver = driver
        self._began = self.target.execution.clock()

    def _tell_lookers(self) -> None:
        """Tell the clients that do not wait for it that the run has ended, if time has passed."""
        now = self.target.execution.clock()
        if len(self.clients) > 1 and now != self._began:
            notices.tell_lookers(self.clients, self.name, self._began, now)

    def _go(self, session: Session, actions: Mapping[int, Action]) -> None:
        self._actions = self._with_others(session, actions)
        self.target.execution.resume(self._actions)

    def _with_others(self, session: Session, actions: Mapping[int, Action]) -> Mapping[int, Action]:
        if not session.selection.view.is_subset:
            return actions
        going = {**(self._actions if self.running else {}), **actions}
        others = [
            client
            for client in self.clients
            if client.selection.view.is_subset and client is not session
        ]
        for other in others:
            if other.state is State.RUNNING:
                going = {**other.actions, **going}
        for thread in self.target.threads.thread_ids():
            if not any(client.selection.sees(thread) for client in (session, *others)):
                going.setdefault(thread, Action(ResumeKind.CONTINUE))
        return going
