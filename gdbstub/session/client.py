# SPDX-License-Identifier: Apache-2.0
"""One client, without I/O: packets and stops go in, packets and actions come out.

Packets are answered in `answers`; here is what else there is between a client and the tile: runs
and their stops, non-stop mode, what programs ask of their host.

An interrupt that comes while the client looks at a stop ends its next run at once, as gdbserver
does: GDB passes Ctrl-C on also while it evaluates a condition, and then resumes by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.session.dispatch import Answers
from tensix_gdb.gdbstub.session.old_steps import OldSteps
from tensix_gdb.gdbstub.session.packet_stream import FULL, MOST_TEXT
from tensix_gdb.gdbstub.session.states import TABLE, Deed, Event, State
from tensix_gdb.gdbstub.session.stop_queue import StopQueue, Told
from tensix_gdb.gdbstub.session.stop_reply import stop_reply
from tensix_gdb.gdbstub.session.tile_protocol import Tile
from tensix_gdb.gdbstub.target import Action, Signal, Stopped, TargetError

if TYPE_CHECKING:
    from tensix_gdb.gdbstub.sharing.nonstop import NonStop

MOST_NEWS = 1 << 16  # characters of text that wait for a chance to be shown
MISSING = "\n({} bytes of text are missing here: they were not read in time)\n"


class Session(Answers):
    """The protocol with one client."""

    def __init__(self, tile: Tile, name: str = "client") -> None:
        super().__init__(tile, name)
        self.open_files: dict[int, bytes] = {}
        self.core_file: bytes = b""  # which the client is reading
        self.waits_for = 0  # the number of the run whose stop it is to be told of
        self.news = ""  # what others did meanwhile, for the next chance to show it
        self.notes: set[int] = set()  # breakpoints of which it was told that they are never hit
        self.actions: Mapping[int, Action] = {}  # of its run
        self.old_steps = OldSteps()
        self.asked_for = ""  # what the client is to do for a program, and to tell
        self._missing = 0  # bytes of text that it was not shown
        self.owes_answer = False  # to a request that another client has now
        self.non_stop: NonStop | None = None
        self.stop_queue = StopQueue()
        self._lost: list[int] = []  # processes of the client that others have killed

    def _stop_tile(self) -> None:
        self.tile.interrupt(self)

    def _busy(self) -> str:
        return self.tile.busy(self)

    # Running

    def resume(self, actions: Mapping[int, Action]) -> None:
        """Let the target run; the reply is the stop reply."""
        self.forget_request()
        if self._lose():
            return
        self.actions = actions
        if self.attachment is not None:
            self.old_steps.resumed(actions)
        self.state = State.RUNNING
        self.console(self.take_news())
        interrupted, self._interrupted = self._interrupted, False
        try:
            self.tile.resume(self, actions, at_once=not interrupted)
        except TargetError:
            self.state = State.IDLE
            raise
        if interrupted:
            self.interrupt()

    def process_ended(self, pid: int) -> None:
        """Another client has killed a process: it is told when this one waits for a stop."""
        if self.attachment is None or pid not in self.attachment.ids:
            return
        if self.non_stop is not None:
            self.non_stop.left(self.attachment.processes.threads_of(pid))
            self._without(pid)
            self._announce(Told(0, replies.killed(pid)))
            return
        self._lost.append(pid)
        if self.state is State.RUNNING:
            self._lose()

    def _lose(self) -> bool:
        """Tell that a process has ended; False when none has."""
        if not self._lost or self.attachment is None:
            return False
        pid = self._lost.pop(0)
        self._without(pid)
        self.state = State.IDLE
        self.send(replies.killed(pid))
        self._begin_batch()
        self._answer_kept()
        return True

    def _without(self, pid: int) -> None:
        """A process has ended: the client debugs it no more, until it attaches again."""
        assert self.attachment is not None
        self.attachment.choose(set(self.attachment.ids) - {pid})
        self.attach(self.attachment)

    def stopped(self, stop: Stopped) -> None:
        """The target stopped: tell the client if it waits for that, then answer what it sent."""
        if TABLE[self.state, Event.STOP] is not Deed.REPORT:
            return
        if self.non_stop is not None:
            self._stopped_alone(stop)
            return
        self._show_missing()
        self._explain(stop)
        if stop.request:
            self._ask(stop)
            return
        if stop.signal is Signal.NONE and self.wishes.thread_suffix:
            # LLDB goes on by itself when no thread has a reason to stop.
            stop = replace(stop, signal=Signal.INT)
        stop = self.old_steps.as_told(stop, self.actions)
        self.state = State.IDLE
        self.send(self.stop_reply(stop))
        if stop.exited is not None and self.attachment is not None:
            self._without(self.process_of(stop.thread))
        self._begin_batch()
        self._answer_kept()

    def _explain(self, stop: Stopped) -> None:
        """Show the text of a stop, unless the client prints as much itself.

        GDB reports the end of a program. It cannot know which hart failed where the tile is one
        process, nor more than eight bits of a status.
        """
        known = stop.exited == 0 or (self.attachment is not None and stop.exited in range(256))
        if not stop.text or known:
            return
        if self.non_stop is not None:
            self.console(stop.text + "\n")
        else:
            self.send(replies.console(stop.text + "\n"))  # whole, however late the reader is

    # Non-stop mode

    def choose_non_stop(self, on: bool) -> None:
        """Begin or end it; TargetError when it cannot begin."""
        if on and self.non_stop is None:
            self.look_at(None)
            self.non_stop = self.tile.begin_non_stop(self)
            self.state = State.NONSTOP
        elif not on and self.non_stop is not None:
            self._leave_non_stop()
            self.state = State.IDLE

    def _leave_non_stop(self) -> None:
        self.tile.end_non_stop(self)
        self.non_stop = None
        self.stop_queue.clear()

    def notice_of(self, stop: Stopped) -> bytes:
        """A stop reply that leaves the current thread as it is."""
        return stop_reply(self, stop)

    def _stopped_alone(self, stop: Stopped) -> None:
        """One thread has stopped."""
        self._explain(stop)
        self._announce(Told(stop.thread, self.notice_of(stop)))
        if stop.exited is not None and self.attachment is not None:
            self._without(self.process_of(stop.thread))

    def _announce(self, told: Told) -> None:
        if self.stop_queue.add(told):
            self.notify(b"Stop:" + told.payload)

    def check_stands(self, thread: int) -> None:
        """TargetError when the client has this thread running: then nobody writes its registers."""
        if self.non_stop is not None and self.non_stop.runs(thread):
            name = self.target.threads.thread_name(thread)
            raise TargetError(f"{name} runs: stop it first, with `interrupt`")

    # What programs ask for

    def _ask(self, stop: Stopped) -> None:
        """The client answers later; until then it looks at the hart that asks."""
        self.general_thread = stop.thread
        self.state = State.IDLE
        self.asked_for = stop.request
        self.send(replies.file_request(stop.request))

    def forget_request(self) -> None:
        """There is no answer, or none that can be used; the program asks again."""
        if self.asked_for:
            self.asked_for = ""
            self.tile.forget_request()

    def request_taken(self) -> None:
        """Another client has let the target go on, and is asked: this one's answer is for nobody,
        and behind it the client waits."""
        self.asked_for, self.owes_answer = "", True

    def answered(self, result: int, errno: int, *, interrupted: bool) -> None:
        """The target goes on with the answer, if the request was not forgotten."""
        self.state = State.RUNNING
        if self.owes_answer:
            self.owes_answer = False
            self.tile.rejoin(self)
            return
        interrupted, self._interrupted = interrupted or self._interrupted, False
        was, self.asked_for = self.asked_for, ""
        answer = (result, errno) if was else None
        self.tile.answered(self, answer, interrupted=interrupted)

    def console(self, text: str | bytes) -> None:
        """Show text now, if the client can take it."""
        deed = TABLE[self.state, Event.CONSOLE]
        if text and deed is Deed.REPORT:
            self._show(text)
        elif text and deed is Deed.REMEMBER:
            self.tell(text if isinstance(text, str) else text.decode("utf-8", "replace"))

    def _show(self, text: str | bytes) -> None:
        """Leave text out when the client has not read megabytes of it, until it has. The client
        that drives does not get there: programs wait for it (`TileRuns.crowded`)."""
        self.unasked = True
        if len(self.outgoing) > (FULL if self._missing else MOST_TEXT):
            data = text.encode("utf-8", "replace") if isinstance(text, str) else text
            self._missing += len(data)
            return
        self._show_missing()
        self.send(replies.console(text))

    def _show_missing(self) -> None:
        if self._missing:
            self.send(replies.console(MISSING.format(self._missing)))
            self._missing = 0

    @property
    def crowded(self) -> bool:
        """True if the client waits for the tile, and does not take what it is shown."""
        return self.state is State.RUNNING and len(self.outgoing) > FULL

    def tell(self, text: str) -> None:
        """Show text at the next chance."""
        self.news = (self.news + text)[-MOST_NEWS:]

    def take_news(self) -> str:
        """What others did while this client looked; it is told once."""
        news, self.news = self.news, ""
        return news

    def stop_reply(self, stop: Stopped) -> bytes:
        """The stop as this client wants it; its thread becomes the client's current one."""
        self.general_thread = stop.thread
        self.selected = 0
        return stop_reply(self, stop)

    @property
    def ended(self) -> bool:
        """Has the client left?"""
        return self.state is State.ENDED

    def let_go(self) -> None:
        """Leave the tile and stay connected: what the client inserted is removed. What it waits
        for is answered first: its run is over."""
        if self.non_stop is not None:
            self.stop_queue.clear()
            self.tile.let_go(self)
            return
        while True:
            waits = self.state is State.RUNNING
            self.state = State.IDLE
            self.tile.let_go(self)
            if not waits:
                return
            self.state = State.RUNNING
            self.stopped(Stopped(self.general_thread, Signal.NONE))
            while self._kept_left:
                self._begin_batch()
                self._answer_kept()

    def end(self, *, reset: bool = False) -> None:
        """Leave: what the client inserted is removed, the tile is told."""
        if self.state is not State.ENDED:
            self.forget_request()
            self.state = State.ENDED
            self._waiting.clear()
            self._kept_left = False
            self.core_file = b""
            self.tile.leave(self, reset=reset)
            self.non_stop = None
