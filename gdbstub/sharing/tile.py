# SPDX-License-Identifier: Apache-2.0
"""What clients share: one target, who waits for it, and why it last stopped. No I/O.

One client drives: the one whose request has the target running. The others may look, between two
slices of the run, where all state is exact; they may set breakpoints; they cannot change anything
else. Who sends `continue` meanwhile is told for whom the tile runs and waits for the same stop; who
wants to step is told that this is not possible now. Whoever waits may interrupt. When the driver
leaves, the run belongs to the next one that waits; without one the tile stands still where it is.

The protocol has no way to tell a client that does not wait. It sees the tile running in its thread
list and in the errors it gets, and is told of what it missed when it can be: at its next run or
`monitor` command.
"""

from __future__ import annotations

from tensix_gdb.gdbstub.commands.breakpoints import remove_all
from tensix_gdb.gdbstub.session import Session
from tensix_gdb.gdbstub.session.states import State
from tensix_gdb.gdbstub.sharing.runs import TileRuns
from tensix_gdb.gdbstub.target import Stopped


class SharedTile(TileRuns):
    """The target and its sessions: who comes, who leaves."""

    def join(self, name: str) -> Session:
        """A new client. It expects the target to stand still while it connects; a tile that runs
        for another client goes on, and the newcomer sees it between slices."""
        session = Session(self, name)
        session.general_thread = self.last_stop().thread
        self.sessions.append(session)
        return session

    def keeping_core_files(self) -> int:
        """How many sessions have begun to read a core file, and not ended."""
        return sum(bool(session.core_file) for session in self.sessions)

    def reset(self) -> None:
        """Put the target into the state in which it was loaded."""
        if self.target.lifetime is not None:
            self.target.lifetime.reset()
        self.changed()

    def leave(self, session: Session, *, reset: bool) -> None:
        """A session ends: what it inserted goes, and what it alone had running stops.

        The tile stays as it was, so that the next client finds it there. `reset` is done only for
        the last client: an editor ends its second connection with a kill too.
        """
        if session in self.sessions:
            self.sessions.remove(session)
        self.let_go(session)
        if reset and not self.sessions:
            self.reset()

    def let_go(self, session: Session) -> None:
        """What a session inserted goes, and what it had running is handed over, or stops."""
        remove_all(session)
        if self._non_stop is not None and self._non_stop.session is session:
            self._non_stop.halt()
            if session.state is State.ENDED:
                self.end_non_stop(session)
        elif self._driver is session:
            self._hand_over(session)
        elif session.sees_some:
            self._go_on_without(session)

    def narrowed(self, session: Session) -> None:
        """A session sees less than before: what it does not look at any more may go on."""
        if not self.running and session.state is State.IDLE:
            self._go_on_without(session)

    def process_ended(self, pid: int) -> None:
        """A process was killed: whoever else debugs it is told, now or when he wants to run."""
        for session in self.sessions:
            session.process_ended(pid)

    def _go_on_without(self, session: Session) -> None:
        """The client of a hart that was held, or had stopped the tile, does not look any more."""
        waiting = [s for s in self.sessions if s.state is State.RUNNING and s is not session]
        if not waiting:
            return
        self._actions = self._with_others(waiting[0], waiting[0].actions)
        self.target.execution.resume(self._actions)
        self.running = True
        self._driver = self._driver or waiting[0]

    def _hand_over(self, session: Session) -> None:
        waiting = [other for other in self.sessions if other.state is State.RUNNING]
        if waiting:
            self._driver = waiting[0]
            self.running = True  # if it was not, the one who left had been asked for something
            self._ask_driver()
            waiting[0].console(f"{session.name} has left; the tile goes on.\n")
            return
        self.target.execution.interrupt(session.general_thread)
        self._tell_who_looks()
        self.running = False
        self._driver = None
        self._last = Stopped(session.general_thread)
