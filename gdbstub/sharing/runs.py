# SPDX-License-Identifier: Apache-2.0
"""Runs of the target for clients, and their stops: who drives, who waits, who is told. No I/O.

`gdbstub.sharing.tile` has who is there, and what happens when somebody comes or goes;
`gdbstub.sharing.notices` what clients are told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from tensix_gdb.gdbstub.session import Session
from tensix_gdb.gdbstub.session.states import State
from tensix_gdb.gdbstub.sharing import notices as telling
from tensix_gdb.gdbstub.sharing.nonstop import NonStop
from tensix_gdb.gdbstub.target import Action, Do, Signal, Stopped, Target, TargetError

NOBODY: Mapping[Session, Stopped] = {}
SLICE_SECONDS = 0.0002  # so long nobody is served, in the first slice of a run


class TileRuns:
    """What a tile does for its sessions. `run_at_once` runs the first slice of a run where it is
    asked for: a step has ended then, and costs no turn of the event loop. `first` is the thread
    that new clients are shown where nothing has stopped since the target was loaded."""

    of_one_hart = False

    def __init__(
        self, target: Target, *, run_at_once: bool = True, first: int | None = None
    ) -> None:
        self.target = target
        self.sessions: list[Session] = []
        self.running = False
        self._run_at_once = run_at_once
        self._first = first or target.threads.thread_ids()[0]
        self._last = Stopped(self._first)
        self._resets = self._count_resets()
        self._driver: Session | None = None
        self._run = 0  # how many runs there have been
        self._began = 0  # the clock when the run began
        self._actions: Mapping[int, Action] = {}
        self._non_stop: NonStop | None = None

    # Running

    def resume(
        self, session: Session, actions: Mapping[int, Action], *, at_once: bool = True
    ) -> None:
        """Let the target run until it stops."""
        if self._non_stop is not None:
            name = self._non_stop.session.name
            raise TargetError(f"{name} has the tile in non-stop mode: it can only be looked at")
        session.waits_for = self._run
        if self.running and not self._is_of_harts(session):
            telling.join_run(session, self.busy(session), actions)
            return
        self._actions = self._with_others(session, actions)
        self.target.execution.resume(self._actions)
        if not self.running:
            for other in self.sessions:
                if other.asked_for and other is not session:
                    other.request_taken()
            self._run += 1
            session.waits_for = self._run
            self._driver = session
            self._began = self.target.execution.clock()
        self.running = True
        self._ask_driver()
        if at_once and self._run_at_once:
            self.advance()

    def _is_of_harts(self, session: Session) -> bool:
        """Is this a client of some harts, and does the tile run for one, if it runs?"""
        return session.sees_some and (self._driver is None or self._driver.sees_some)

    def _with_others(self, session: Session, actions: Mapping[int, Action]) -> Mapping[int, Action]:
        """A client of some harts lets the others go on, except those whose clients look at them."""
        if not session.sees_some:
            return actions
        going = {**(self._actions if self.running else {}), **actions}
        others = [one for one in self.sessions if one.sees_some and one is not session]
        for other in others:
            if other.state is State.RUNNING:
                going = {**other.actions, **going}
        for thread in self.target.threads.thread_ids():
            if not any(one.sees(thread) for one in (session, *others)):
                going.setdefault(thread, Action(Do.CONTINUE))
        return going

    def advance(self, bell: Callable[[], object] | None = None) -> bool:
        """Run one slice, less of it when the `bell` rings; True when the target stopped in it."""
        return self._came(self.target.execution.advance(SLICE_SECONDS, bell))

    def advance_to(self, clock: int) -> bool:
        """Run until the target's clock has this value; True when the target stopped before."""
        return self._came(self.target.execution.advance_to(clock))

    @property
    def crowded(self) -> bool:
        """True while the client for which the tile runs does not take what it is shown. Nothing
        runs then until it does, so that a program that prints is as fast as its reader, or until
        a client interrupts or the reader leaves. Others that wait have text left out instead."""
        return self._driver is not None and self._driver.crowded

    @property
    def driver(self) -> str:
        """The client for which the tile runs."""
        return "nobody" if self._driver is None else self._driver.name

    def _came(self, stop: Stopped | None) -> bool:
        if self._non_stop is not None:
            self._show_text()
            return self._non_stop.came(stop)
        if stop is None:
            self._show_text()
            return False
        if stop.request:
            self._show_text()
            self.running = False
            telling.whom_to_ask(self.sessions, self._driver, stop).stopped(stop)
        else:
            self.stop(stop)
        return True

    # Non-stop mode

    def begin_non_stop(self, session: Session) -> NonStop:
        """From now on the session has the tile, thread by thread."""
        if self._non_stop is not None:
            name = self._non_stop.session.name
            raise TargetError(f"{name} has the tile in non-stop mode already")
        session.forget_request()
        waiting = [one.name for one in self.sessions if one.state is State.RUNNING or one.asked_for]
        if self.running or waiting:
            name = waiting[0] if waiting else self.busy(session)
            raise TargetError(f"the tile runs for {name}: non-stop mode begins when it stands")
        self._non_stop = NonStop(self, session)
        self._driver = session
        if self.target.calls is not None:
            self.target.calls.ask(client_can=False)  # no packet asks for files in this mode
        return self._non_stop

    def end_non_stop(self, session: Session) -> None:
        """All threads stand again, for everybody."""
        if self._non_stop is not None and self._non_stop.session is session:
            self._non_stop.halt()
            self._non_stop = None
            self._driver = None

    def runs_non_stop(self, moves: bool) -> None:
        """Threads move from here on, or none does any more."""
        if moves and not self.running:
            self._run += 1
            self._began = self.target.execution.clock()
        elif self.running and not moves:
            self._tell_who_looks()
        self.running = moves

    def about_to_change(self) -> None:
        """A client is going to change something."""
        if self._non_stop is not None:
            self._non_stop.rest()

    def changed(self) -> None:
        """A client has changed something."""
        if self._non_stop is not None:
            self._non_stop.again()

    @property
    def still(self) -> bool:
        """Does it run, and nothing can move? Then it need not be hurried."""
        return self._non_stop is not None and self._non_stop.still

    # What programs ask their host for

    def _show_text(self, *, stopped: bool = False) -> None:
        """Show what programs have written to whoever waits."""
        console = self.target.console
        text = b"" if console is None else console.take_text(stopped=stopped)
        if text:
            telling.show_text(self.sessions, text)

    def say(self, session: Session, text: str) -> None:
        """Show what a session prints at a breakpoint, after what programs printed."""
        self._show_text()
        session.console(text)

    def _ask_driver(self) -> None:
        """Programs ask the client for which the tile runs; LLDB knows no requests."""
        if self.target.calls is not None and self._driver is not None:
            self.target.calls.ask(client_can=not self._driver.wishes.thread_suffix)

    def answered(
        self, session: Session, answer: tuple[int, int] | None, *, interrupted: bool
    ) -> None:
        """A session has answered a program's request, or None: the target goes on, perhaps only to
        the next request; or it stops where it is, when the client wants that."""
        assert self.target.calls is not None
        self.running = True
        request = "" if answer is None else self.target.calls.answered(*answer)
        if interrupted:
            self.target.calls.forget()
            self.interrupt(session)
        elif request:
            self._came(Stopped(session.general_thread, request=request))
        elif self._run_at_once:
            self.advance()

    def rejoin(self, session: Session) -> None:
        """A session waits for the target, which another one has let go on, and had stop again."""
        session.waits_for = self._run
        if not self.running and not any(other.asked_for for other in self.sessions):
            session.stopped(self.last_stop())

    def forget_request(self) -> None:
        """Nobody answers the program's request: it asks again when it goes on."""
        if self.target.calls is not None:
            self.target.calls.forget()

    def interrupt(self, session: Session) -> None:
        """Stop now, at a client's wish."""
        if self._non_stop is not None:
            self._non_stop.interrupt()
            return
        if not self.running:
            # It waits for its own hart while another one's client looks.
            session.stopped(Stopped(session.general_thread, Signal.INT))
            return
        execution = self.target.execution
        stop = execution.interrupt(telling.thread_to_show(session, execution.running()))
        self.stop(stop, {session: stop}, f"{session.name} has stopped the tile.")

    def stop(
        self, stop: Stopped, known: Mapping[Session, Stopped] = NOBODY, news: str = ""
    ) -> None:
        """The target stopped: everybody who waits is told, with the `news` if it is news."""
        self._show_text(stopped=True)
        self._tell_who_looks()
        self.running = False
        self._driver = None
        # Who comes later finds it standing there.
        self._last = stop if stop.exited is None else replace(stop, exited=None)
        waiting = [one for one in self.sessions if one.state is State.RUNNING]
        concerned = [one for one in waiting if one.sees(stop.thread)]
        # A stop that is nobody's is everybody's.
        run = self._run
        for session in concerned or waiting:
            # What a client had kept may have begun a new run by now, and ended it too.
            if session.waits_for > run:
                continue
            told = known.get(session)
            if told is None:
                told = replace(stop, text=news) if news else stop
                told = telling.as_seen_by(self.sessions, session, told)
            session.stopped(told)

    def _tell_who_looks(self) -> None:
        now = self.target.execution.clock()
        if len(self.sessions) > 1 and now != self._began:
            telling.tell_who_looks(self.sessions, self._driver, self._began, now)

    def busy(self, session: Session) -> str:
        """For whom the target runs while `session` looks; empty when it stands."""
        if not self.running or (self._non_stop is not None and self._driver is session):
            return ""
        return self.driver

    # Where it stands

    def last_stop(self) -> Stopped:
        """Why the target stands where it stands; its thread is where a new client starts."""
        if self._resets != self._count_resets():
            self._resets = self._count_resets()
            self._last = Stopped(self._first)
        # While it runs for somebody else there is no reason: signal 0.
        return Stopped(self._last.thread, Signal.NONE) if self.running else self._last

    def _count_resets(self) -> int:
        return 0 if self.target.lifetime is None else self.target.lifetime.resets()
