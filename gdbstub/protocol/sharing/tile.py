# SPDX-License-Identifier: Apache-2.0
"""The shared tile of clients: one target, the clients that wait for it, and why it last stopped. No
I/O.

One client drives: its request has the target running. The others may look, between two
slices of the run, where all state is exact; they may set breakpoints; they cannot change anything
else. A client that sends `continue` meanwhile is told for which one the tile runs and waits for the
same stop; one that wants to step is told that this is not possible now. Every client that waits may
interrupt. When the driver leaves, the run belongs to the next one that waits; without one the tile
is stopped where it is.

The protocol has no way to tell a client that does not wait. It sees the tile running in its thread
list and in the errors it gets, and is told of what it missed when it can be: at its next run or
`monitor` command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.session.states import LOOKING, State
from tensix_gdb.gdbstub.protocol.sharing import notices
from tensix_gdb.gdbstub.protocol.sharing.defects import Defects
from tensix_gdb.gdbstub.protocol.sharing.host_side import HostSide
from tensix_gdb.gdbstub.protocol.sharing.last_stop import LastStop
from tensix_gdb.gdbstub.protocol.sharing.nonstop import NonStop
from tensix_gdb.gdbstub.protocol.sharing.run import Run
from tensix_gdb.gdbstub.protocol.target import Action, Signal, Stopped, Target, TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.client.thread_view import ThreadView
    from tensix_gdb.gdbstub.protocol.session import Session
    from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient

NO_STOPS: Mapping[ServedClient, Stopped] = {}
SLICE_SECONDS = 0.0002  # that other clients may wait during the first slice of a run


class SharedTile:
    """A target and its sessions. With `run_at_once` the first slice of a run is run where it is
    asked for: a step has ended then, and costs no turn of the event loop. `first` is the thread
    that new clients are shown where nothing has stopped since the target was loaded."""

    def __init__(
        self, target: Target, *, run_at_once: bool = True, first: int | None = None
    ) -> None:
        self.target = target
        self.sessions: list[ServedClient] = []
        self._run_at_once = run_at_once
        self._last = LastStop(target, first)
        self._host = HostSide(target)
        self.defects = Defects(target)
        self._run = Run(target, self.sessions)
        self._non_stop: NonStop | None = None
        self._stop_at_end = target.execution.stop_at_end

    # Clients

    def join(self, name: str) -> Session:
        """Make a session for a new client. It expects the target to be stopped while it connects;
        a tile that runs for another client continues, and the newcomer sees it between slices."""
        from tensix_gdb.gdbstub.protocol.client.thread_view import ThreadView

        session = self.join_with(name, ThreadView(self.target))
        session.selection.general_thread = self.last_stop().thread
        return session

    def join_with(self, name: str, view: ThreadView) -> Session:
        """Make a session for a new client that sees the tile so."""
        # What a client needs is loaded when one comes: most hosts have none.
        from tensix_gdb.gdbstub.protocol.session import Session

        session = Session(self, name, view)
        self.sessions.append(session)
        return session

    def keeping_core_files(self) -> int:
        """Count the sessions that have begun to read a core file, and not ended."""
        return sum(bool(session.core_file) for session in self.sessions)

    def reset(self) -> None:
        """Put the target into the state in which it was loaded."""
        if self.target.restart is not None:
            self.target.restart.reset()
        self.changed()

    def disconnect(self, session: ServedClient, *, reset: bool) -> None:
        """Remove a session that ends, with what it inserted; what it alone had running stops.

        The tile stays as it was, so that the next client finds it there. `reset` is done only for
        the last client: an editor ends its second connection with a kill too.
        """
        if session in self.sessions:
            self.sessions.remove(session)
        self.detach(session)
        if reset and not self.sessions:
            self.reset()

    def detach(self, session: ServedClient) -> None:
        """Remove what a session inserted; hand over what it had running, or stop it."""
        from tensix_gdb.gdbstub.protocol.commands.breakpoints import remove_all

        remove_all(session)
        if self._non_stop is not None and self._non_stop.session is session:
            self._non_stop.halt()
            if session.state is State.ENDED:
                self.end_non_stop(session)
        elif self._run.driver is session:
            self._hand_over(session)
        elif session.selection.view.is_subset:
            self._go_on_without(session)

    def detached_some(self, session: ServedClient) -> None:
        """Let go of what a session does not see any more."""
        if not self.running and session.state in LOOKING:
            self._go_on_without(session)

    def process_ended(self, pid: int) -> None:
        """Tell the other clients that debug a process that it was killed: now, or when they want to
        run."""
        for session in self.sessions:
            session.process_ended(pid)

    def _go_on_without(self, session: ServedClient) -> None:
        """Let a hart go that was held for a client, or had stopped the tile."""
        waiting = [client for client in self._waiting() if client is not session]
        if waiting:
            self._run.go_on_with(waiting[0])

    def _hand_over(self, session: ServedClient) -> None:
        waiting = self._waiting()
        if waiting:
            self._run.hand_over(waiting[0])
            self._host.ask(waiting[0])
            waiting[0].show(f"{session.name} has left; the tile continues.\n")
            return
        self.target.execution.interrupt(session.selection.general_thread)
        self._run.end()
        self._last.note(Stopped(session.selection.general_thread))

    def _waiting(self) -> list[ServedClient]:
        return [session for session in self.sessions if session.state is State.RUNNING]

    # Running

    def resume(self, session: ServedClient, actions: Mapping[int, Action]) -> bool:
        """Let the target run until it stops; True if the first slice may be run at once."""
        if self._non_stop is not None:
            name = self._non_stop.session.name
            raise TargetError(f"{name} has the tile in non-stop mode: it can only be looked at")
        if self.running and not self._run.takes(session):
            notices.join_run(session, self.busy(session), actions)
            return False
        self._run.resume(session, actions)
        self._host.ask(self._run.driver)
        return self._run_at_once

    def advance(self, should_stop: Callable[[], object] | None = None) -> bool:
        """Run one slice, less of it if `should_stop`; True if the target stopped in it."""
        try:
            stop = self.target.execution.advance(SLICE_SECONDS, should_stop)
        except Exception as problem:
            stop = self._on_defect(problem)
        return self._on_slice_end(stop)

    def advance_to(self, clock: int, should_stop: Callable[[], object] | None = None) -> bool:
        """Run until the target's clock has this value, or `should_stop`; True if the target
        stopped before."""
        try:
            stop = self.target.execution.advance_to(clock, should_stop)
        except Exception as problem:
            stop = self._on_defect(problem)
        return self._on_slice_end(stop)

    def _on_defect(self, problem: Exception) -> Stopped:
        """Stop because of a defect of ours: all that wait are told."""
        text = self.defects.note(problem, "while the tile ran")
        driver = self._run.driver
        thread = self.last_stop().thread if driver is None else driver.selection.general_thread
        try:
            self.target.execution.interrupt(thread)
        except Exception as another:
            self.defects.note(another, "when the tile was to stop")
        return Stopped(thread, Signal.ABRT, text=text[:1].upper() + text[1:] + ".")

    def _on_slice_end(self, stop: Stopped | None) -> bool:
        if self._non_stop is not None:
            self._host.show_text(self.sessions)
            return self._non_stop.on_slice_end(stop)
        if stop is None:
            self._host.show_text(self.sessions)
            return not self.running
        if stop.request:
            self._ask(stop)
        else:
            self._stop(stop)
        return True

    def _ask(self, stop: Stopped) -> None:
        """Let one client answer a program's request; meanwhile the target is stopped."""
        self._host.show_text(self.sessions)
        self._run.running = False
        notices.client_to_ask(self._waiting(), self._run.driver, stop).stopped(stop)

    def _stop(
        self, stop: Stopped, known: Mapping[ServedClient, Stopped] = NO_STOPS, news: str = ""
    ) -> None:
        """Tell all clients that wait of a stop, with the `news` if it is news."""
        self._host.show_text(self.sessions, stopped=True)
        self._run.end()
        self._last.note(stop)
        notices.tell_stop(self.sessions, stop, known, news)

    def interrupt(self, session: ServedClient) -> None:
        """Stop now, because a client wants it."""
        if self._non_stop is not None:
            self._non_stop.interrupt()
            return
        if not self.running:
            # It waits for its own hart while another one's client looks.
            session.stopped(Stopped(session.selection.general_thread, Signal.INT))
            return
        execution = self.target.execution
        stop = execution.interrupt(notices.thread_to_show(session, execution.running()))
        self._stop(stop, {session: stop}, f"{session.name} has stopped the tile.")

    def libraries_changed(self, thread: int = 0) -> bool:
        """Let clients that wait read the list of libraries again; True if any has to. The list has
        changed of the process of `thread`, or of all."""
        if self._non_stop is not None:
            return self._non_stop.libraries_changed(thread)
        return self._run.tell_libraries(thread)

    @property
    def running(self) -> bool:
        """True while the target runs for a client."""
        return self._run.running

    @property
    def has_backlog(self) -> bool:
        """True while the client for which the tile runs does not take what it is shown. Nothing
        runs then until it does, so that a program that prints is as fast as its reader, or until
        a client interrupts or the reader leaves. Others that wait have text left out instead."""
        return self._run.has_backlog

    @property
    def driver(self) -> str:
        """The client for which the tile runs."""
        return self._run.name

    def busy(self, session: ServedClient) -> str:
        """Name the client for which the target runs while `session` looks; empty when it has
        stopped."""
        if not self.running or (self._non_stop is not None and self._run.driver is session):
            return ""
        return self.driver

    def last_stop(self) -> Stopped:
        """Return why the target has stopped; its thread is where a new client starts."""
        return self._last.reason(running=self.running)

    # What programs ask their host for

    def say(self, session: ServedClient, text: str) -> None:
        """Show what a session prints at a breakpoint, after what programs printed."""
        self._host.show_text(self.sessions)
        session.show(text)

    def answered(
        self, session: ServedClient, answer: tuple[int, int] | None, *, interrupted: bool
    ) -> bool:
        """Let the target continue with the answer to a program's request, perhaps only to the next
        one; or stop it where it is, if the client wants that. None is no answer. True if the first
        slice may be run at once."""
        self._run.running = True
        request = "" if answer is None else self._host.answered(*answer)
        if interrupted:
            self._host.forget_call()
            self.interrupt(session)
            return False
        if request:
            self._ask(Stopped(session.selection.general_thread, request=request))
            return False
        return self._run_at_once

    def rejoin(self, session: ServedClient) -> None:
        """Let a session wait for the target, which another one has running, or had stop again."""
        asked = any(other.state is State.AWAITING_FILE_REPLY for other in self.sessions)
        if not self.running and not asked:
            session.stopped(self.last_stop())

    def forget_request(self) -> None:
        """Give the program's request no answer: it asks again when it continues."""
        self._host.forget_call()

    # Non-stop mode

    def begin_non_stop(self, session: ServedClient) -> NonStop:
        """Give the session the tile, thread by thread."""
        if self._non_stop is not None:
            name = self._non_stop.session.name
            raise TargetError(f"{name} has the tile in non-stop mode already")
        busy = (State.RUNNING, State.AWAITING_FILE_REPLY)
        waiting = [client.name for client in self.sessions if client.state in busy]
        if self.running or waiting:
            name = waiting[0] if waiting else self.busy(session)
            raise TargetError(f"the tile runs for {name}: non-stop mode begins when it has stopped")
        self._non_stop = NonStop(self._run, session)
        self.target.execution.stop_at_end = True  # the end of a thread stops that one alone
        self._run.driver = session
        self._host.ask_no_client()  # no packet asks for files in this mode
        return self._non_stop

    def end_non_stop(self, session: ServedClient) -> None:
        """Stop all threads, for every client."""
        if self._non_stop is not None and self._non_stop.session is session:
            self._non_stop.halt()
            self._non_stop = None
            self.target.execution.stop_at_end = self._stop_at_end
            self._run.driver = None

    def about_to_change(self) -> None:
        """Prepare for a change by a client."""
        if self._non_stop is not None:
            self._non_stop.pause_for_write()

    def changed(self) -> None:
        """Continue after a change by a client."""
        if self._non_stop is not None:
            self._non_stop.resume_after_write()

    @property
    def still(self) -> bool:
        """True if it runs, and nothing can move: then it need not be hurried."""
        waits = self.target.execution.awaits_host
        return waits or (self._non_stop is not None and self._non_stop.still)
