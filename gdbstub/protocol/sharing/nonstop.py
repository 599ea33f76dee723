# SPDX-License-Identifier: Apache-2.0
"""Non-stop mode: threads of one tile that a client runs and stops one by one.

A stop is one thread's; the others continue. One client has the tile in this mode, from `QNonStop:1`
to `QNonStop:0` or its end; others may look and set breakpoints, and cannot let the tile run. Time
passes for the whole tile while any of the client's threads runs; threads that have stopped are held
as by `scheduler-locking`, and harts that the client does not debug run, until they pause or fault.

At the beginning the client learns of one stopped thread. The others are announced with the first
packet after the answers to `?`: GDB (13 to 17) aborts on more than one stop while it connects, and
GDB 17 polls once more for stops before it sends that packet.

When nothing can move because of threads that have stopped, that is no stop: `still` says so, and
the tile is looked at again and again, because a client or a host may change something.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.protocol.client.stop_queue import PendingStop
from tensix_gdb.gdbstub.protocol.sharing.notices import as_seen_by, thread_to_show
from tensix_gdb.gdbstub.protocol.sharing.run import Run
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Signal, Stopped

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.protocol.session.protocol import ServedClient

HELD = Action(ResumeKind.STOP)
CONTINUES = Action(ResumeKind.CONTINUE)


class NonStop:
    """The threads of `session` that run. What the client takes for running, and has stopped all the
    same because it was attached to just now, has the action HELD."""

    def __init__(self, run: Run, session: ServedClient) -> None:
        self._run = run
        self.session = session
        self.still = False
        self._reads: int | None = None  # a thread for which the client reads libraries
        self._actions: dict[int, Action] = {}
        self._stops: dict[int, Stopped] = {}
        self._resting: set[int] = set()  # threads that are not the client's, which have stopped
        last = session.last_stop()
        self._stops[last.thread] = last
        others = [thread for thread in session.target.threads.thread_ids() if thread != last.thread]
        self._rest = set(others)  # to be announced
        self._actions = dict.fromkeys(others, HELD)

    def is_running(self, thread: int) -> bool:
        """True if the client takes this thread for running."""
        return thread in self._actions

    @property
    def any_running(self) -> bool:
        """True if time passes for the client's threads."""
        return self._run.running

    # What the client wants

    def resume(self, actions: Mapping[int, Action]) -> None:
        """Start and stop threads; those that do already what they are to do keep doing it."""
        halted = []
        if actions.get(self._reads or 0, HELD).kind is not ResumeKind.STOP:
            self._reads = None
        for thread, action in actions.items():
            if action.kind is ResumeKind.STOP:
                if self._actions.pop(thread, None) is not None:
                    halted.append(thread)
            elif self._actions.get(thread, HELD) is HELD:
                self._actions[thread] = action
        self._go()
        for thread in halted:
            self._tell(Stopped(thread, Signal.NONE))

    def interrupt(self) -> None:
        """Stop one thread, as by Ctrl-C: prefer the current one, and a thread that executes
        instructions to one that has none."""
        if self._actions:
            running = self._run.target.execution.running() if self.any_running else ()
            wanted = [thread_to_show(self.session, running), *running, *self._actions]
            thread = next(candidate for candidate in wanted if candidate in self._actions)
            del self._actions[thread]
            self._go()
            self._tell(Stopped(thread, Signal.INT))

    def halt(self) -> None:
        """Stop all threads, and tell no client."""
        self._actions.clear()
        self._reads = None
        self._go()

    def attached(self, threads: Collection[int]) -> None:
        """Add threads that the client has attached to. It takes them for running, and stops them
        itself."""
        self._rest -= set(threads)
        for thread in threads:
            moves = self._run.running and thread not in self._resting
            self._actions[thread] = CONTINUES if moves else HELD
        self._resting -= set(threads)
        self._go()

    def detached(self, threads: Collection[int]) -> None:
        """Remove threads that the client does not debug any more."""
        for thread in threads:
            self._actions.pop(thread, None)
            self._stops.pop(thread, None)
        self.session.stop_queue.forget_threads(threads)
        if self._reads in threads:
            self._reads = None
        self._go()

    def started(self, thread: int, others: Collection[int]) -> None:
        """Note that a program was started and is stopped at its entry, which the client is told of
        by the reply, as these others do, which it is told of here."""
        for other in (thread, *others):
            self._actions.pop(other, None)
        self._resting -= {thread, *others}
        self._stops[thread] = Stopped(thread)
        self._go()
        for other in others:
            self._tell(Stopped(other, Signal.NONE))

    def all_stopped(self) -> list[PendingStop]:
        """List every thread that the client knows to have stopped, and why."""
        ids = self.session.target.threads.thread_ids()
        stops = [self._stops.get(t, Stopped(t, Signal.NONE)) for t in ids if not self.is_running(t)]
        return [PendingStop(stop.thread, self.session.notice_of(stop)) for stop in stops]

    def announce_rest(self) -> None:
        """Announce the threads that have not moved since the client learnt of the first ones."""
        rest, self._rest = self._rest, set()
        for thread in sorted(rest):
            if self._actions.get(thread) is HELD:
                del self._actions[thread]
                self._tell(Stopped(thread, Signal.NONE))

    def libraries_changed(self, thread: int) -> bool:
        """Let the client read the list of libraries again, of the process of `thread` or of all.
        It is told by a stop of one thread, which it resumes by itself; until then nothing runs,
        so that breakpoints in what is new are set in time. False if nothing runs anyway."""
        moving = [other for other, action in self._actions.items() if action is not HELD]
        if not moving or (thread and not self.session.selection.sees(thread)):
            return False
        near = self.session.selection.siblings_of(thread) if thread else moving
        shown = next((other for other in moving if other in near), moving[0])
        del self._actions[shown]
        self._reads = shown
        self._go()
        self._tell(Stopped(shown, libraries=True))
        return True

    # What the target does

    def on_slice_end(self, stop: Stopped | None) -> bool:
        """Deal with the end of a slice, perhaps a stop; True if the client was told of anything."""
        if stop is None:
            self.still = False
            return False
        if stop.idle and self._holds_any():
            if not self.still:
                self.session.show(f"{stop.text}; it waits for threads that have stopped.\n")
            self.still = True
            self._go()
            return False
        self.still = False
        if stop.exited is not None and self.session.selection.sees(stop.thread):
            return self._exited(stop)
        thread = stop.thread if self.is_running(stop.thread) else self._stands_in(stop.thread)
        if thread is None:
            self._resting.add(stop.thread)
            name = self._run.target.threads.thread_name(stop.thread)
            self.session.show(f"{name} has stopped. {stop.text}".rstrip() + "\n")
            self._go()
            return False
        del self._actions[thread]
        self._go()
        self._tell(replace(stop, thread=thread))
        return True

    def pause_for_write(self) -> None:
        """Pause before a client changes the tile: a history notes what is changed while it
        rests."""
        if self._run.running:
            self._run.target.execution.interrupt(self.session.selection.general_thread)

    def resume_after_write(self) -> None:
        """Continue after a client has changed the tile, perhaps reset it."""
        if self._run.running:
            self._go()

    def _exited(self, stop: Stopped) -> bool:
        """Deal with the end of a program: all of its process is gone for the client."""
        for thread in self.session.selection.siblings_of(stop.thread):
            self._actions.pop(thread, None)
            self._stops.pop(thread, None)
            self._resting.add(thread)
        self._go()
        self.session.stopped(stop)
        return True

    def _holds_any(self) -> bool:
        """True if a thread of the client is held."""
        ids = self.session.target.threads.thread_ids()
        return any(self._actions.get(thread, HELD) is HELD for thread in ids)

    def _stands_in(self, thread: int) -> int | None:
        """Find the thread that stops for one that has stopped already, as when something that it
        has begun ends: another one of its process, or any that runs; None if the client does not
        see it."""
        if not self.session.selection.sees(thread):
            return None
        near = [
            sibling
            for sibling in self.session.selection.siblings_of(thread)
            if sibling in self._actions
        ]
        return next(iter((*near, *self._actions)), None)

    def _tell(self, stop: Stopped) -> None:
        self._stops[stop.thread] = stop
        self.session.stopped(as_seen_by(self._run.clients, self.session, stop))

    def _go(self) -> None:
        """Let exactly those threads run that are to run."""
        moving = {t: action for t, action in self._actions.items() if action is not HELD}
        if self._reads is not None:
            moving = {}
        execution, session = self._run.target.execution, self.session
        if moving:
            for thread in self._run.target.threads.thread_ids():
                if not session.selection.sees(thread) and thread not in self._resting:
                    moving[thread] = CONTINUES
            execution.resume(moving)
        elif self._run.running:
            execution.interrupt(session.selection.general_thread)
        self._run.move(session, bool(moving))
