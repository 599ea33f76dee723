# SPDX-License-Identifier: Apache-2.0
"""The run of a tile: for which client it is, since when, and what each thread does in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensix_gdb.gdbstub.session import Session
from tensix_gdb.gdbstub.session.states import State
from tensix_gdb.gdbstub.sharing import notices
from tensix_gdb.gdbstub.target import Action, ResumeKind, Target


class Run:
    """The current run, or the last one. Nothing runs for a client while there is no `driver`."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self.driver: Session | None = None
        self.actions: Mapping[int, Action] = {}
        self.began = 0  # the target's clock

    def begin(self, driver: Session) -> None:
        """Begin a run for this client."""
        self.driver = driver
        self.began = self._target.execution.clock()

    @property
    def name(self) -> str:
        """The name of the client for which the target runs."""
        return "no client" if self.driver is None else self.driver.name

    @property
    def crowded(self) -> bool:
        """True while the driver does not take what it is shown."""
        return self.driver is not None and self.driver.crowded

    def tell_lookers(self, clients: Sequence[Session]) -> None:
        """Tell the clients that do not wait for it that the run has ended, if time has passed."""
        now = self._target.execution.clock()
        if len(clients) > 1 and now != self.began:
            notices.tell_lookers(clients, self.name, self.began, now)

    def takes(self, session: Session) -> bool:
        """True if a client may add its harts to a run that goes on: it sees some harts, and so does
        the driver."""
        others = self.driver is None or self.driver.selection.view.is_subset
        return session.selection.view.is_subset and others

    def resume(
        self,
        session: Session,
        actions: Mapping[int, Action],
        clients: Sequence[Session],
        *,
        running: bool,
    ) -> None:
        """Let the threads go for this client; it need not be the driver.

        A client of some harts lets the others go on, except those that other clients look at.
        """
        self.actions = self._with_others(session, actions, clients, running=running)
        self._target.execution.resume(self.actions)

    def _with_others(
        self,
        session: Session,
        actions: Mapping[int, Action],
        clients: Sequence[Session],
        *,
        running: bool,
    ) -> Mapping[int, Action]:
        if not session.selection.view.is_subset:
            return actions
        going = {**(self.actions if running else {}), **actions}
        others = [
            client
            for client in clients
            if client.selection.view.is_subset and client is not session
        ]
        for other in others:
            if other.state is State.RUNNING:
                going = {**other.actions, **going}
        for thread in self._target.threads.thread_ids():
            if not any(client.selection.sees(thread) for client in (session, *others)):
                going.setdefault(thread, Action(ResumeKind.CONTINUE))
        return going
