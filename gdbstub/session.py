# SPDX-License-Identifier: Apache-2.0
"""One client, without I/O: bytes and stops go in, bytes and actions come out.

            resume packet                    Detach, Kill, end of stream
    IDLE ───────────────────► RUNNING            any state ──► ENDED
      ▲                          │
      └──────── stop ────────────┘

    state     packets                          interrupt        stop
    IDLE      handled at once                  kept             noted for `?`
    RUNNING   kept until the stop reply        asked for        reported, then IDLE
    ENDED     dropped                          dropped          dropped

IDLE is what the client believes: another client may have the tile running. A packet is answered
exactly once: by its handler, by an error, or by nothing known of it (the empty reply).
An interrupt that comes while the client looks at a stop ends the next run at once, as gdbserver
does: GDB passes Ctrl-C on also while it evaluates a condition, and then resumes by itself.
"""

from __future__ import annotations

import enum
import logging
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from gdbstub.commands import HANDLERS
from gdbstub.rsp import framing, replies
from gdbstub.rsp.framing import PACKET_SIZE
from gdbstub.rsp.packets import Malformed, parse
from gdbstub.target import Action, Stopped, Target, TargetError

if TYPE_CHECKING:
    from gdbstub.rsp.grammar import ThreadId

log = logging.getLogger(__name__)

WAITING_PACKETS = 64  # packets kept while the client should be waiting
PROCESS = 1


class State(enum.Enum):
    """What the client believes (see the module's docstring)."""

    IDLE = "idle"
    RUNNING = "running"
    ENDED = "ended"


class Tile(Protocol):
    """What sessions share: the target and who has it running (gdbstub.tile)."""

    target: Target

    def resume(self, session: Session, actions: Mapping[int, Action]) -> None:
        """Let the target run until it stops; every waiting session is told."""

    def interrupt(self, session: Session) -> None:
        """Stop the target."""

    def last_stop(self) -> Stopped:
        """Why the target stands where it stands."""

    def leave(self, session: Session, *, reset: bool) -> None:
        """The session ends."""


class Session:
    """The protocol with one client. Output collects in `outgoing`."""

    def __init__(self, tile: Tile, name: str = "client") -> None:
        self.tile = tile
        self.target = tile.target
        self.name = name
        self.state = State.IDLE
        self.acks = True
        self.error_texts = False
        self.swbreak = False
        self.extended = False
        self.general_thread = self.target.threads.thread_ids()[0]
        self.resume_thread = -1
        self.inserted: dict[tuple[int, int, int, int], int] = {}
        self.outgoing = bytearray()
        self._decoder = framing.Decoder(PACKET_SIZE)
        self._waiting: deque[bytes] = deque()
        self._last = b""
        self._interrupted = False

    # In and out

    def receive(self, data: bytes) -> None:
        """Take bytes from the client and answer what they hold."""
        for event in self._decoder.feed(data):
            if self.state is State.ENDED:
                return
            match event:
                case framing.Packet(payload):
                    self._acknowledge(b"+")
                    self._packet(payload)
                case framing.Damaged():
                    self._acknowledge(b"-")
                case framing.TooLong():
                    self._acknowledge(b"+")
                    self.send(replies.E_TOO_LONG)
                case framing.Ack(good):
                    if not good and self.acks and self._last:
                        self.outgoing += self._last
                case framing.Interrupt():
                    if self.state is State.RUNNING:
                        self.tile.interrupt(self)
                    else:
                        self._interrupted = True

    def _acknowledge(self, sign: bytes) -> None:
        if self.acks:
            self.outgoing += sign

    def send(self, payload: bytes) -> None:
        """Queue one packet for the client."""
        self._last = framing.encode(payload)
        self.outgoing += self._last

    def take_outgoing(self) -> bytes:
        """What has to be sent now."""
        data = bytes(self.outgoing)
        self.outgoing.clear()
        return data

    # Packets

    def _packet(self, payload: bytes) -> None:
        if self.state is not State.RUNNING:
            self._answer(payload)
        elif payload == b"vCtrlC":
            self.send(replies.OK)
            self.tile.interrupt(self)
        elif len(self._waiting) < WAITING_PACKETS:
            self._waiting.append(payload)
        else:
            log.warning("%s: sends packets while it should wait; dropped it", self.name)
            self.end()

    def _answer(self, payload: bytes) -> None:
        try:
            packet = parse(payload)
        except Malformed:
            self.send(replies.E_MALFORMED)
            return
        handler = None if packet is None else HANDLERS.get(type(packet))
        if handler is None or not handler.available(self.target):
            self.send(replies.EMPTY)
            return
        try:
            reply = handler.function(self, packet)
        except TargetError as problem:
            reply = replies.error(str(problem), texts=self.error_texts)
        if reply is not None:
            self.send(reply)

    # Running

    def resume(self, actions: Mapping[int, Action]) -> None:
        """Let the target run; the reply is the stop reply."""
        self.state = State.RUNNING
        self.tile.resume(self, actions)
        if self._interrupted:
            self._interrupted = False
            self.tile.interrupt(self)

    def stopped(self, stop: Stopped) -> None:
        """The target stopped: tell the client if it waits for that, then answer what it sent."""
        if self.state is not State.RUNNING:
            return
        self.state = State.IDLE
        if stop.text:
            self.send(replies.console(stop.text + "\n"))
        self.send(self.stop_reply(stop))
        while self._waiting and self.state is State.IDLE:
            self._answer(self._waiting.popleft())

    def console(self, text: str) -> None:
        """Show text now, if the client can take it."""
        if self.state is State.RUNNING:
            self.send(replies.console(text))

    def stop_reply(self, stop: Stopped) -> bytes:
        """The stop as this client wants it; its thread becomes the client's current one."""
        self.general_thread = stop.thread
        reason = ""
        if stop.watch is not None:
            reason = f"{stop.watch[0].value}:{stop.watch[1]:x}"
        elif stop.breakpoint and self.swbreak:
            reason = "swbreak:"
        registers = self.target.registers.expedited(stop.thread)
        thread = self.thread_text(stop.thread)
        return replies.StopReply(int(stop.signal), thread, registers, reason).payload()

    def end(self, *, reset: bool = False) -> None:
        """Leave: what the client inserted is removed, the tile is told."""
        if self.state is not State.ENDED:
            self.state = State.ENDED
            self.tile.leave(self, reset=reset)

    # Threads

    def thread_text(self, thread: int) -> str:
        """A thread as this client writes it."""
        return f"{thread:x}"

    def one_thread(self, wanted: ThreadId) -> int:
        """The thread that a client means by `wanted`; any and all mean the current one.

        TargetError when there is no such thread.
        """
        if wanted.pid not in (None, -1, 0, PROCESS):
            raise TargetError(f"there is no process {wanted.pid}; the tile is process {PROCESS}")
        if wanted.tid in (-1, 0):
            return self.general_thread
        if wanted.tid not in self.target.threads.thread_ids():
            raise TargetError(f"there is no thread {wanted.tid}")
        return wanted.tid
