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

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from gdbstub.commands.breakpoints import remove_all
from gdbstub.nonstop import NonStop
from gdbstub.rsp.framing import PACKET_SIZE
from gdbstub.session import Session
from gdbstub.session.states import State
from gdbstub.target import Action, Do, Signal, Stopped, Target, TargetError

log = logging.getLogger(__name__)

NOBODY: Mapping[Session, Stopped] = {}
MOST_TEXT = PACKET_SIZE // 2 - 1  # bytes of a program's text in one packet
SLICE_SECONDS = 0.0002  # so long nobody is served, in the first slice of a run


class SharedTile:
    """The target and its sessions. `run_at_once` runs the first slice of a run where it is asked
    for: a step has ended then, and costs no turn of the event loop. `first` is the thread that
    new clients are shown where nothing has stopped since the target was loaded."""

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

    def join(self, name: str) -> Session:
        """A new client. It expects the target to stand still while it connects; a tile that runs
        for another client goes on, and the newcomer sees it between slices."""
        session = Session(self, name)
        session.general_thread = self.last_stop().thread
        self.sessions.append(session)
        return session

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
            self._join_run(session, actions)
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

    def _join_run(self, session: Session, actions: Mapping[int, Action]) -> None:
        name = self.busy(session)
        if any(action.do in (Do.STEP, Do.RANGE) for action in actions.values()):
            text = f"The tile runs for {name}: no step is possible until it stops."
            session.stopped(Stopped(session.general_thread, Signal.NONE, text=text))
        else:
            session.console(f"The tile runs for {name} already; waiting for its stop.\n")

    def advance(self, bell: Callable[[], object] | None = None) -> bool:
        """Run one slice, less of it when the `bell` rings; True when the target stopped in it."""
        return self._came(self.target.execution.advance(SLICE_SECONDS, bell))

    def advance_to(self, clock: int) -> bool:
        """Run until the target's clock has this value; True when the target stopped before."""
        return self._came(self.target.execution.advance_to(clock))

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
            self._whom_to_ask(stop).stopped(stop)
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

    def _whom_to_ask(self, stop: Stopped) -> Session:
        """The one for whom the tile runs; at harts' ports the one that sees the hart."""
        waiting = [one for one in self.sessions if one.state is State.RUNNING]
        waiting.sort(key=lambda one: (not one.sees(stop.thread), one is not self._driver))
        return waiting[0]

    def _show_text(self, *, stopped: bool = False) -> None:
        """Show what programs have written to whoever waits."""
        console = self.target.console
        text = b"" if console is None else console.take_text(stopped=stopped)
        if not text:
            return
        for start in range(0, len(text), MOST_TEXT):
            for session in self.sessions:
                session.console(text[start : start + MOST_TEXT])

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
        thread = session.general_thread
        stop = self.target.execution.interrupt(thread)
        if not session.sees(stop.thread):
            stop = replace(stop, thread=thread)
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
                told = self.as_seen_by(session, replace(stop, text=news) if news else stop)
            session.stopped(told)

    def _tell_who_looks(self) -> None:
        """Whoever does not wait cannot be told now: at its next run or `monitor` command."""
        now, driver = self.target.execution.clock(), self._driver
        if len(self.sessions) < 2 or now == self._began:
            return
        name = "nobody" if driver is None else driver.name
        for session in self.sessions:
            if session.state is State.IDLE:
                session.news = (
                    f"While you looked, the tile ran for {name}, last from cycle {self._began} to "
                    f"{now}: what you saw before is old.\n"
                )

    def as_seen_by(self, session: Session, stop: Stopped) -> Stopped:
        """A breakpoint or watchpoint of another client is news, not a hit."""
        if not session.sees(stop.thread):
            name = self.target.threads.thread_name(stop.thread)
            text = f"{name} has stopped the tile. {stop.text}".rstrip()
            return Stopped(session.general_thread, stop.signal, text=text)
        if stop.breakpoint is not None:
            addr = stop.breakpoint
            if not _has_break(session, stop, addr):
                names = [one.name for one in self.sessions if _has_break(one, stop, addr)]
                text = f"A breakpoint of {', '.join(names)} at {addr:#010x}."
                return replace(stop, breakpoint=None, text=text)
        elif stop.watch is not None:
            addr = stop.watch[1]
            if not session.has_watch(addr):
                names = [s.name for s in self.sessions if s.has_watch(addr)]
                text = f"A watchpoint of {', '.join(names)} at {addr:#010x}."
                return replace(stop, watch=None, text=text)
        return stop

    def busy(self, session: Session) -> str:
        """For whom the target runs while `session` looks; empty when it stands."""
        if not self.running or (self._non_stop is not None and self._driver is session):
            return ""
        return "nobody" if self._driver is None else self._driver.name

    def keeping_core_files(self) -> int:
        """How many sessions have begun to read a core file, and not ended."""
        return sum(bool(session.core_file) for session in self.sessions)

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


def _has_break(session: Session, stop: Stopped, addr: int) -> bool:
    """Is the stop at `addr` one at a breakpoint of this client?"""
    return any(session.has_break(kind, addr, stop.thread) for kind in (0, 1))
