# SPDX-License-Identifier: Apache-2.0
"""One client, without I/O: bytes and stops go in, bytes and actions come out.

            resume packet                    D, k, end of stream, a defect
    IDLE ───────────────────► RUNNING            any state ──► ENDED
      ▲                          │
      └── stop, D (extended) ────┘

    state     packet      k D vCtrlC   interrupt   stop       console text
    IDLE      answered    answered     kept        dropped    dropped
    RUNNING   kept        answered     asked for   reported   reported
    ENDED     dropped     dropped      dropped     dropped    dropped

`TABLE` is this table. IDLE is what the client believes: another client may have the tile running.
A packet is answered exactly once: by its handler, by an error, or by the empty reply if nobody
knows it; `k` and `R` have no answer, and what a packet asks for while the client should wait is
answered behind the stop reply.

An interrupt that comes while the client looks at a stop ends its next run at once, as gdbserver
does: GDB passes Ctrl-C on also while it evaluates a condition, and then resumes by itself.
"""

from __future__ import annotations

import enum
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from gdbstub.commands import HANDLERS
from gdbstub.packet_log import Mark
from gdbstub.rsp import framing, replies
from gdbstub.rsp.framing import PACKET_SIZE
from gdbstub.rsp.packet import Malformed, parse
from gdbstub.target import Action, Attached, Signal, Stopped, Target, TargetError
from gdbstub.trace import Frame, Trace, view

if TYPE_CHECKING:
    from gdbstub.rsp.grammar import ThreadId

log = logging.getLogger(__name__)

WAITING_PACKETS = 64  # packets kept while the client should be waiting
MOST_OUTGOING = 4 << 20  # bytes kept for a client that does not read
FULL = 1 << 16  # bytes of output after which the client's next packets wait until they are sent
BATCH = 64  # packets handled before others get their turn
PROCESS = 1


class State(enum.Enum):
    """What the client believes (see the module's docstring)."""

    # The members are looked up for each packet; an Enum's own hash is several times slower.
    __hash__ = object.__hash__

    IDLE = "idle"
    RUNNING = "running"
    ENDED = "ended"


class Event(enum.Enum):
    """What happens to a session."""

    # The members are looked up for each packet; an Enum's own hash is several times slower.
    __hash__ = object.__hash__

    PACKET = "packet"
    URGENT = "a packet that cannot wait"
    INTERRUPT = "interrupt"
    STOP = "stop"
    CONSOLE = "console text"


class Deed(enum.Enum):
    """What is done about it."""

    ANSWER = "answer it now"
    KEEP = "answer it behind the stop reply"
    ASK = "ask the tile to stop"
    REMEMBER = "end the next run at once"
    REPORT = "tell the client"
    DROP = "nothing"


TABLE: dict[tuple[State, Event], Deed] = {
    (State.IDLE, Event.PACKET): Deed.ANSWER,
    (State.IDLE, Event.URGENT): Deed.ANSWER,
    (State.IDLE, Event.INTERRUPT): Deed.REMEMBER,
    (State.IDLE, Event.STOP): Deed.DROP,
    (State.IDLE, Event.CONSOLE): Deed.DROP,
    (State.RUNNING, Event.PACKET): Deed.KEEP,
    (State.RUNNING, Event.URGENT): Deed.ANSWER,
    (State.RUNNING, Event.INTERRUPT): Deed.ASK,
    (State.RUNNING, Event.STOP): Deed.REPORT,
    (State.RUNNING, Event.CONSOLE): Deed.REPORT,
    (State.ENDED, Event.PACKET): Deed.DROP,
    (State.ENDED, Event.URGENT): Deed.DROP,
    (State.ENDED, Event.INTERRUPT): Deed.DROP,
    (State.ENDED, Event.STOP): Deed.DROP,
    (State.ENDED, Event.CONSOLE): Deed.DROP,
}


@dataclass(frozen=True, slots=True)
class Refused:
    """What stands for a packet that could not be read: the answer to it."""

    reply: bytes


class Tile(Protocol):
    """What sessions share: the target and who has it running (gdbstub.tile)."""

    target: Target
    of_one_hart: bool

    def resume(
        self, session: Session, actions: Mapping[int, Action], *, at_once: bool = True
    ) -> None:
        """Let the target run until it stops, its first slice `at_once`; all who wait are told."""

    def interrupt(self, session: Session) -> None:
        """Stop the target."""

    def busy(self, session: Session) -> str:
        """For whom the target runs while `session` looks; empty when it stands."""

    def last_stop(self) -> Stopped:
        """Why the target stands where it stands."""

    def reset(self) -> None:
        """Put the target into the state in which it was loaded."""

    def let_go(self, session: Session) -> None:
        """The session has nothing to do with the target any more."""

    def leave(self, session: Session, *, reset: bool) -> None:
        """The session ends."""


@dataclass(slots=True)
class Wishes:
    """What the client told us about itself; everything is off at first."""

    errors: replies.ErrorStyle = replies.ErrorStyle.NUMBER
    swbreak: bool = False
    hwbreak: bool = False
    extended: bool = False
    thread_suffix: bool = False
    thread_lists: bool = False


class Session:
    """The protocol with one client. Output collects in `outgoing`."""

    def __init__(self, tile: Tile, name: str = "client") -> None:
        self.tile = tile
        self.target = tile.target
        self.name = name
        self.state = State.IDLE
        self.acks = True
        self.wishes = Wishes()
        self.general_thread = self.target.threads.thread_ids()[0]
        self.resume_thread = -1
        self.inserted: dict[tuple[int, int, int, int], Attached] = {}
        self.trace = Trace()
        self.open_files: dict[int, bytes] = {}
        self.outgoing = bytearray()
        self.record: Callable[[Mark, bytes], None] | None = None
        self.current: bytes = b""  # the packet in hand, for the log when we have a defect
        self.end_batch = False  # set by handlers that took long
        self.waits_for = 0  # the number of the run whose stop it is to be told of
        self.news = ""  # what others did meanwhile, for the next chance to show it
        self._decoder = framing.Decoder(PACKET_SIZE)
        self._events: Iterator[framing.Event] = iter(())
        self._waiting: deque[bytes | Refused] = deque()
        self._last = b""
        self._interrupted = False
        self._spoken = False

    # In and out

    def receive(self, data: bytes) -> bool:
        """Take bytes from the client and answer what they hold; True when `proceed` has to be
        called, after the output was sent, before more is received."""
        payload = None if self._decoder.unfinished else framing.whole(data)
        if payload is not None:
            self._arrived(payload)
            return False
        self._events = self._decoder.feed(data)
        return self.proceed()

    def proceed(self) -> bool:
        """Go on with what was received: some packets, so that others get their turn."""
        for _ in range(BATCH):
            event = next(self._events, None)
            if event is None:
                return False
            self._event(event)
            if len(self.outgoing) > FULL or self.end_batch:
                self.end_batch = False
                return True
        return True

    def _event(self, event: framing.Event) -> None:
        match event:
            case framing.Packet(payload):
                self._arrived(payload)
            case framing.Damaged():
                self._note(Mark.DAMAGED)
                if self.acks:
                    self._acknowledge(b"-")
                else:
                    # Nobody repeats it, and silence would leave the client waiting.
                    self._take(Event.PACKET, self._refused("the packet arrived damaged", 1))
            case framing.TooLong():
                self._note(Mark.TOO_LONG)
                self._acknowledge(b"+")
                text = f"the packet is longer than {PACKET_SIZE} bytes"
                self._take(Event.PACKET, self._refused(text, replies.E_TOO_LONG))
            case framing.Ack(good):
                if not good and self.acks and self.state is not State.ENDED:
                    self.outgoing += self._last
            case framing.Interrupt():
                self._note(Mark.INTERRUPT)
                self._take(Event.INTERRUPT)

    def _arrived(self, payload: bytes) -> None:
        self._spoken = True
        self._acknowledge(b"+")
        self._packet(payload)

    def _refused(self, text: str, number: int) -> Refused:
        return Refused(replies.error(text, self.wishes.errors, number))

    def _acknowledge(self, sign: bytes) -> None:
        if self.acks and self.state is not State.ENDED:
            self.outgoing += sign

    def _note(self, mark: Mark, payload: bytes = b"") -> None:
        if self.record is not None:
            self.record(mark, payload)

    def send(self, payload: bytes) -> None:
        """Queue one packet for the client."""
        self._note(Mark.WENT, payload)
        self._last = framing.encode(payload)
        self.outgoing += self._last
        if len(self.outgoing) > MOST_OUTGOING:
            log.warning("%s: does not read what it asks for; dropped it", self.name)
            self.outgoing.clear()
            self.end()

    def take_outgoing(self) -> bytes:
        """What has to be sent now."""
        data = bytes(self.outgoing)
        self.outgoing.clear()
        return data

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
            reply = replies.error(str(problem), self.wishes.errors, replies.E_MALFORMED)
        except TargetError as problem:
            reply = replies.error(str(problem), self.wishes.errors)
        if reply is not None:
            self.send(reply)

    def _reply(self, payload: bytes) -> bytes | None:
        packet = parse(payload)
        handler = None if packet is None else HANDLERS.get(type(packet))
        if handler is None or not handler.available(self.target):
            return replies.EMPTY
        if handler.changes and (driver := self.tile.busy(self)):
            raise TargetError(f"the tile runs for {driver}: it can be looked at, not changed")
        return handler.function(self, packet)

    # Running

    def resume(self, actions: Mapping[int, Action]) -> None:
        """Let the target run; the reply is the stop reply."""
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

    def interrupt(self) -> None:
        """The client wants the target to stop."""
        self._take(Event.INTERRUPT)

    def stopped(self, stop: Stopped) -> None:
        """The target stopped: tell the client if it waits for that, then answer what it sent."""
        if TABLE[self.state, Event.STOP] is not Deed.REPORT:
            return
        if stop.text:
            self.console(stop.text + "\n")
        if stop.signal is Signal.NONE and self.wishes.thread_suffix:
            # LLDB goes on by itself when no thread has a reason to stop.
            stop = replace(stop, signal=Signal.INT)
        self.state = State.IDLE
        self.send(self.stop_reply(stop))
        while self._waiting and self.state is State.IDLE:
            self._answer(self._waiting.popleft())

    def console(self, text: str) -> None:
        """Show text now, if the client can take it."""
        if text and TABLE[self.state, Event.CONSOLE] is Deed.REPORT:
            self.send(replies.console(text))

    def take_news(self) -> str:
        """What others did while this client looked; it is told once."""
        news, self.news = self.news, ""
        return news

    def stop_reply(self, stop: Stopped) -> bytes:
        """The stop as this client wants it; its thread becomes the client's current one."""
        self.general_thread = stop.thread
        reason = f"replaylog:{stop.replaylog}" if stop.replaylog else ""
        if stop.watch is not None:
            reason = f"{stop.watch[0].value}:{stop.watch[1]:x}"
        elif stop.breakpoint is not None:
            # Only for a breakpoint of its own: GDB steps over the others without a word.
            if self.wishes.swbreak and self.has_break(0, stop.breakpoint):
                reason = "swbreak:"
            elif self.wishes.hwbreak and self.has_break(1, stop.breakpoint):
                reason = "hwbreak:"
        registers = self.target.registers.expedited(stop.thread)
        thread = self.thread_text(stop.thread)
        more = self._threads_and_pcs() if self.wishes.thread_lists else ()
        return replies.StopReply(int(stop.signal), thread, registers, reason, more).payload()

    def _threads_and_pcs(self) -> tuple[str, str]:
        """What LLDB would ask next, one packet for each thread."""
        ids = self.target.threads.thread_ids()
        pcs = [self.target.registers.read_pc(thread) for thread in ids]
        return (
            f"threads:{','.join(map(self.thread_text, ids))}",
            f"thread-pcs:{','.join(f'{pc:x}' for pc in pcs)}",
        )

    def has_break(self, kind: int, addr: int) -> bool:
        """Has this client a breakpoint of this kind (0 or 1) there?"""
        return (kind, addr, 4, 0) in self.inserted or (kind, addr, 2, 0) in self.inserted

    def has_watch(self, addr: int) -> bool:
        """Has this client a watchpoint that it gave as `addr`?"""
        return any(kind >= 2 and at == addr for kind, at, _, _ in self.inserted)

    def look_at(self, frame: Frame | None) -> None:
        """Put a frame of the trace in place of the target, or take it away."""
        self.trace.current = frame
        if frame is None:
            self.target = self.tile.target
        else:
            self.target = view(self.tile.target, frame)
            self.general_thread = frame.thread

    def sees(self, thread: int) -> bool:
        """Is this one of the threads that the client sees?"""
        return thread in self.target.threads.thread_ids()

    @property
    def sees_one(self) -> bool:
        """Does the client see one hart only, at a port for it?"""
        return self.tile.of_one_hart

    @property
    def unfinished(self) -> bool:
        """Does the client still owe us the rest of a packet, or its first one?"""
        return not self._spoken or self._decoder.unfinished

    @property
    def ended(self) -> bool:
        """Has the client left?"""
        return self.state is State.ENDED

    def let_go(self) -> None:
        """Leave the tile and stay connected: what the client inserted is removed. What it waits
        for is answered first: its run is over."""
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
            self.state = State.ENDED
            self._waiting.clear()
            self.tile.leave(self, reset=reset)

    # Threads

    def thread_text(self, thread: int) -> str:
        """A thread as this client writes it."""
        return f"{thread:x}"

    def one_thread(self, wanted: ThreadId | None) -> int:
        """The thread that a client means by `wanted`; any, all and none mean the current one.

        TargetError when there is no such thread.
        """
        if wanted is None:
            return self.general_thread
        if wanted.pid not in (None, -1, 0, PROCESS):
            raise TargetError(f"there is no process {wanted.pid}; the tile is process {PROCESS}")
        if wanted.tid in (-1, 0):
            return self.general_thread
        if wanted.tid not in self.target.threads.thread_ids():
            raise TargetError(f"there is no thread {wanted.tid}")
        return wanted.tid


def _is_urgent(payload: bytes) -> bool:
    """Packets that are answered while the client should be waiting: it leaves, or interrupts."""
    return payload[:1] in (b"k", b"D", b"v") and (
        payload in (b"k", b"D", b"vCtrlC") or payload.startswith(b"D;")
    )
