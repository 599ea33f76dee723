# SPDX-License-Identifier: Apache-2.0
"""One client, without I/O: packets and stops go in, packets and actions come out.

What is done about each event is a table (gdbstub.session.states), by what the client believes.
A packet is answered exactly once: by its handler, by an error, or by the empty reply if nobody
knows it; `k` and `R` have no answer, and what a packet asks for while the client should wait is
answered behind the stop reply.

An interrupt that comes while the client looks at a stop ends its next run at once, as gdbserver
does: GDB passes Ctrl-C on also while it evaluates a condition, and then resumes by itself.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gdbstub.commands import HANDLERS
from gdbstub.packet_log import Mark
from gdbstub.rsp import replies
from gdbstub.rsp.packet import Malformed, parse
from gdbstub.session.channel import Channel, Refused
from gdbstub.session.focus import Focus
from gdbstub.session.shared import Tile
from gdbstub.session.states import TABLE, Deed, Event, State
from gdbstub.session.stop_queue import StopQueue, Told
from gdbstub.session.stop_reply import stop_reply
from gdbstub.target import Action, Signal, Stopped, TargetError

if TYPE_CHECKING:
    from gdbstub.nonstop import NonStop

log = logging.getLogger(__name__)

MOST_NEWS = 1 << 16  # characters of text that wait for a chance to be shown
WAITING_PACKETS = 64  # packets kept while the client should be waiting


class Session(Focus, Channel):
    """The protocol with one client."""

    def __init__(self, tile: Tile, name: str = "client") -> None:
        Focus.__init__(self, tile)
        Channel.__init__(self, name)
        self.state = State.IDLE
        self.open_files: dict[int, bytes] = {}
        self.core_file: bytes = b""  # which the client is reading
        self.current: bytes = b""  # the packet in hand, for the log when we have a defect
        self.waits_for = 0  # the number of the run whose stop it is to be told of
        self.news = ""  # what others did meanwhile, for the next chance to show it
        self.notes: set[int] = set()  # breakpoints of which it was told that they are never hit
        self.actions: Mapping[int, Action] = {}  # of its run
        self._waiting: deque[bytes | Refused] = deque()
        self._interrupted = False
        self.asked_for = ""  # what the client is to do for a program, and to tell
        self.owes_answer = False  # to a request that another client has now
        self.non_stop: NonStop | None = None
        self.stop_queue = StopQueue()
        self._lost: list[int] = []  # processes of the client that others have killed

    # Packets

    def _packet(self, payload: bytes) -> None:
        self._note(Mark.CAME, payload)
        self._take(Event.URGENT if _is_urgent(payload) else Event.PACKET, payload)

    def _take(self, event: Event, item: bytes | Refused = b"") -> None:
        match TABLE[self.state, event]:
            case Deed.ANSWER:
                self._answer(item)
            case Deed.KEEP:
                self._keep(item)
            case Deed.ASK:
                self.tile.interrupt(self)
            case Deed.REMEMBER:
                self._interrupted = True

    def _keep(self, item: bytes | Refused) -> None:
        self._waiting.append(item)
        if len(self._waiting) > WAITING_PACKETS:
            log.warning("%s: sends packets while it should wait; dropped it", self.name)
            self.end()

    def _answer(self, item: bytes | Refused) -> None:
        if isinstance(item, Refused):
            self.send(item.reply)
            return
        self.current = item
        try:
            reply = self._reply(item)
        except Malformed as problem:
            reply = replies.error(str(problem), self._style(item), replies.E_MALFORMED)
        except TargetError as problem:
            reply = replies.error(str(problem), self._style(item))
        if reply is not None:
            self.send(reply)

    def _reply(self, payload: bytes) -> bytes | None:
        packet = parse(payload)
        handler = None if packet is None else HANDLERS.get(type(packet))
        if handler is None or not handler.available(self.target):
            return replies.EMPTY
        if not handler.changes:
            return handler.function(self, packet)
        if driver := self.tile.busy(self):
            raise TargetError(f"the tile runs for {driver}: it can be looked at, not changed")
        self.tile.about_to_change()
        try:
            return handler.function(self, packet)
        finally:
            self.tile.changed()

    def _style(self, payload: bytes) -> replies.ErrorStyle:
        """How the client is told that a packet failed. A GDB before feature error-message shows
        the text of an `E.` reply to some packets; to others it would take it for data."""
        wanted = self.wishes.errors
        if wanted is not replies.ErrorStyle.NUMBER or not self.wishes.swbreak:
            return wanted
        try:
            handler = HANDLERS.get(type(parse(payload)))
        except Malformed:
            return wanted
        return replies.ErrorStyle.TEXT if handler is not None and handler.told else wanted

    # Running

    def resume(self, actions: Mapping[int, Action]) -> None:
        """Let the target run; the reply is the stop reply."""
        self.forget_request()
        if self._lose():
            return
        self.actions = actions
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
        self._answer_kept()
        return True

    def _without(self, pid: int) -> None:
        """A process has ended: the client debugs it no more, until it attaches again."""
        assert self.attachment is not None
        self.attachment.choose(set(self.attachment.ids) - {pid})
        self.attach(self.attachment)

    def interrupt(self) -> None:
        """The client wants the target to stop."""
        self._take(Event.INTERRUPT)

    def stopped(self, stop: Stopped) -> None:
        """The target stopped: tell the client if it waits for that, then answer what it sent."""
        if TABLE[self.state, Event.STOP] is not Deed.REPORT:
            return
        if self.non_stop is not None:
            self._stopped_alone(stop)
            return
        if stop.text:
            self.console(stop.text + "\n")
        if stop.request:
            self._ask(stop)
            return
        if stop.signal is Signal.NONE and self.wishes.thread_suffix:
            # LLDB goes on by itself when no thread has a reason to stop.
            stop = replace(stop, signal=Signal.INT)
        self.state = State.IDLE
        self.send(self.stop_reply(stop))
        if stop.exited is not None and self.attachment is not None:
            self._without(self.process_of(stop.thread))
        self._answer_kept()

    def _answer_kept(self) -> None:
        while self._waiting and TABLE[self.state, Event.PACKET] is Deed.ANSWER:
            self._answer(self._waiting.popleft())

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
        if stop.text:
            self.console(stop.text + "\n")
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
            self.send(replies.console(text))
        elif text and deed is Deed.REMEMBER:
            self.tell(text if isinstance(text, str) else text.decode("utf-8", "replace"))

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

    def end(self, *, reset: bool = False) -> None:
        """Leave: what the client inserted is removed, the tile is told."""
        if self.state is not State.ENDED:
            self.forget_request()
            self.state = State.ENDED
            self._waiting.clear()
            self.core_file = b""
            self.tile.leave(self, reset=reset)
            self.non_stop = None


def _is_urgent(payload: bytes) -> bool:
    """Packets that are answered while the client should be waiting: it leaves, or interrupts."""
    return payload[:1] in (b"k", b"D", b"v") and (
        payload in (b"k", b"D", b"vCtrlC") or payload.startswith(b"D;")
    )
