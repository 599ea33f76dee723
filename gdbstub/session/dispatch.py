# SPDX-License-Identifier: Apache-2.0
"""A client's packets and the answers to them: now, behind the stop reply, or not at all.

What is done about each is a table (gdbstub.session.states), by what the client believes. A packet
is answered exactly once: by its handler, by an error, or by the empty reply if nobody knows it; `k`
and `R` have no answer, and what a packet asks for while the client should wait is answered behind
the stop reply.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tensix_gdb.gdbstub.commands import HANDLERS
from tensix_gdb.gdbstub.packet_log import Mark
from tensix_gdb.gdbstub.rsp import replies
from tensix_gdb.gdbstub.rsp.packet import Malformed, parse
from tensix_gdb.gdbstub.session.packet_stream import Channel, Refused
from tensix_gdb.gdbstub.session.selection import Focus
from tensix_gdb.gdbstub.session.states import TABLE, Deed, Event, State
from tensix_gdb.gdbstub.session.tile_protocol import Tile
from tensix_gdb.gdbstub.target import TargetError

log = logging.getLogger(__name__)

WAITING_PACKETS = 64  # packets kept while the client should be waiting
SHORT = 64  # bytes of a payload that is worth remembering: clients send the same ones again
# Looked at for each packet; finding a member in its class takes several times as long.
_ANSWER = Deed.ANSWER


@dataclass(frozen=True, slots=True)
class Request:
    """A payload, and what it asks for; with a `fault` its fields are not what they have to be."""

    payload: bytes
    event: Event
    packet: object = None
    fault: str = ""


def request(payload: bytes) -> Request:
    """What a client asks for with this payload."""
    return _remembered(payload) if len(payload) <= SHORT else _request(payload)


def _request(payload: bytes) -> Request:
    event = Event.URGENT if _is_urgent(payload) else Event.PACKET
    try:
        packet = parse(payload)
    except Malformed as problem:
        return Request(payload, event, fault=str(problem))
    return Request(payload, event, packet)


_remembered = lru_cache(maxsize=4096)(_request)


def _is_urgent(payload: bytes) -> bool:
    """Packets that are answered while the client should be waiting: it leaves, or interrupts."""
    return payload in (b"k", b"D", b"vCtrlC") or payload.startswith(b"D;")


class Answers(Focus, Channel):
    """Each packet is answered in its time."""

    def __init__(self, tile: Tile, name: str) -> None:
        Focus.__init__(self, tile)
        Channel.__init__(self, name)
        self.state = State.IDLE
        self.current: bytes = b""  # the packet in hand, for the log when we have a defect
        self._waiting: deque[Request | Refused] = deque()
        self._interrupted = False
        self.before_next: Callable[[], object] | None = None  # called before the next answer

    @abstractmethod
    def _stop_tile(self) -> None:
        """Ask the tile to stop."""

    @abstractmethod
    def _busy(self) -> str:
        """For whom the tile runs while this client looks; empty when it stands."""

    def _packet(self, payload: bytes) -> None:
        if self.record is not None:
            self.record(Mark.CAME, payload)
        wanted = request(payload)
        if TABLE[self.state, wanted.event] is _ANSWER:
            self._answer(wanted)
        else:
            self._take(wanted.event, wanted)

    def _refuse(self, item: Refused) -> None:
        self._take(Event.PACKET, item)

    def interrupt(self) -> None:
        """The client wants the target to stop."""
        self._take(Event.INTERRUPT)

    def _take(self, event: Event, item: Request | Refused | None = None) -> None:
        match TABLE[self.state, event]:
            case Deed.ANSWER if item is not None:
                self._answer(item)
            case Deed.KEEP if item is not None:
                self._keep(item)
            case Deed.ASK:
                self._stop_tile()
            case Deed.REMEMBER:
                self._interrupted = True

    def _keep(self, item: Request | Refused) -> None:
        self._waiting.append(item)
        if len(self._waiting) > WAITING_PACKETS:
            log.warning("%s: sends packets while it should wait; dropped it", self.name)
            self.end()

    def _answer_kept(self) -> None:
        waiting = self._waiting
        self._kept_left = False
        while waiting and TABLE[self.state, Event.PACKET] is _ANSWER:
            if self._batch_is_over():
                self._kept_left = True
                return
            self._answer(waiting.popleft())

    def _answer(self, item: Request | Refused) -> None:
        if isinstance(item, Refused):
            self.send(item.reply)
            return
        self.current = item.payload
        if self.before_next is not None:
            due, self.before_next = self.before_next, None
            due()
        try:
            reply = self._reply(item)
        except Malformed as problem:
            reply = replies.error(str(problem), self._style(item), replies.E_MALFORMED)
        except TargetError as problem:
            reply = replies.error(str(problem), self._style(item))
        if reply is not None:
            self.send(reply)

    def _reply(self, wanted: Request) -> bytes | None:
        if wanted.fault:
            raise Malformed(wanted.fault)
        handler = HANDLERS.get(type(wanted.packet))
        if handler is None or not handler.available(self.target):
            return replies.EMPTY
        if not handler.changes:
            return handler.function(self, wanted.packet)
        if driver := self._busy():
            raise TargetError(f"the tile runs for {driver}: it can be looked at, not changed")
        self.tile.about_to_change()
        try:
            return handler.function(self, wanted.packet)
        finally:
            self.tile.changed()

    def _style(self, failed: Request) -> replies.ErrorStyle:
        """How the client is told that a packet failed. A GDB before feature error-message shows
        the text of an `E.` reply to some packets; to others it would take it for data."""
        wanted = self.wishes.errors
        if wanted is not replies.ErrorStyle.NUMBER or not self.wishes.swbreak:
            return wanted
        handler = HANDLERS.get(type(failed.packet))
        return replies.ErrorStyle.TEXT if handler is not None and handler.told else wanted
