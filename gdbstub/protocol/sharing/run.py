# SPDX-License-Identifier: Apache-2.0
"""The run of a tile: for which client it is, since when, and what each thread does in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.session.states import State
from tensix_gdb.gdbstub.protocol.sharing import notices
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Signal, Stopped, Target

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient


class Run:
    """The current run, or the last one. Nothing runs for a client while there is no `driver`.

    `clients` are all sessions of the tile; the list changes when they come and leave.
    """

    def __init__(self, target: Target, clients: Sequence[ServedClient]) -> None:
        self.target = target
        self.clients = clients
        self.running = False
        self.driver: ServedClient | None = None
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

    def takes(self, session: ServedClient) -> bool:
        """True if a client may add its harts to a run under way: it sees some harts, and so does
        the driver."""
        others = self.driver is None or self.driver.selection.view.is_subset
        return session.selection.view.is_subset and others

    def resume(self, session: ServedClient, actions: Mapping[int, Action]) -> None:
        """Let the threads go for this client. It is the driver unless a run is under way.

        A client of some harts lets the others run, except those that other clients look at.
        """
        self._go(session, actions)
        if not self.running:
            for other in self.clients:
                other.request_taken()
            self._begin_for(session)
        self.running = True

    def go_on_with(self, session: ServedClient) -> None:
        """Resume the threads that a client waits for, after another one has let them go."""
        self._go(session, session.actions)
        self.running = True
        self.driver = self.driver or session

    def hand_over(self, session: ServedClient) -> None:
        """Make another client the driver. The run continues; if it did not, the client that left
        had been asked for something."""
        self.driver = session
        self.running = True

    def end(self) -> None:
        """End the run, and tell the clients that do not wait for it."""
        self._tell_lookers()
        self.running = False
        self.driver = None

    def move(self, session: ServedClient, moves: bool) -> None:
        """In non-stop mode: note that threads run from here on, or that none does any more."""
        if moves and not self.running:
            self._begin_for(session)
        elif self.running and not moves:
            self._tell_lookers()
        self.running = moves

    def tell_libraries(self, thread: int = 0) -> bool:
        """Let the clients that wait read the list of libraries again: their run ends until they
        have. True if there is any. Both GDB and LLDB resume by themselves then; LLDB because it
        ignores SIGALRM unless told otherwise. The list has changed of the process of `thread`, or
        of all."""
        concerned: list[ServedClient] = []
        for session in self.clients:
            if thread and not session.selection.sees(thread):
                continue
            # GDB does not read the list before it knows a first program.
            reads = session.features.libraries or session.features.swbreak
            session.features.libraries_changed = reads
            if reads and session.state is State.RUNNING:
                concerned.append(session)
        if not concerned:
            return False
        running = self.target.execution.running()
        if self.driver in concerned:
            self.target.execution.interrupt(0)
            self.end()
        for session in concerned:
            shown = notices.thread_to_show(session, running)
            process_of = session.selection.process_of
            if thread and process_of(shown) != process_of(thread):
                shown = thread
            signal = Signal.ALRM if session.features.thread_suffix else Signal.TRAP
            session.stopped(Stopped(shown, signal, libraries=True))
        return True

    def _begin_for(self, driver: ServedClient) -> None:
        self.driver = driver
        self._began = self.target.execution.clock()

    def _tell_lookers(self) -> None:
        """Tell the clients that do not wait for it that the run has ended, if time has passed."""
        now = self.target.execution.clock()
        if len(self.clients) > 1 and now != self._began:
            notices.tell_lookers(self.clients, self.name, self._began, now)

    def _go(self, session: ServedClient, actions: Mapping[int, Action]) -> None:
        self._actions = self._with_others(session, actions)
        self.target.execution.resume(self._actions)

    def _with_others(
        self, session: ServedClient, actions: Mapping[int, Action]
    ) -> Mapping[int, Action]:
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
