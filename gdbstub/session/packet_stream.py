# SPDX-License-Identifier: Apache-2.0
"""The packets of one client, without I/O: bytes go in, packets come out of them, and the reverse.

Acks, damaged packets, how much is kept of what a client does not take. What a packet means is the
business of `Session`, which is told of each by `_packet`.

Packets are answered in batches, so that others get their turn. What was received is kept here until
it is answered, and `unanswered` says so: bytes may be received at any time, and none is lost.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from tensix_gdb.gdbstub.packet_log import Mark
from tensix_gdb.gdbstub.rsp import framing, replies
from tensix_gdb.gdbstub.rsp.framing import PACKET_SIZE
from tensix_gdb.gdbstub.session.client_features import Wishes

log = logging.getLogger(__name__)

MOST_OUTGOING = 4 << 20  # bytes kept for a client that does not read
MOST_TEXT = MOST_OUTGOING - (1 << 19)  # of them, before unasked text is left out
FULL = 1 << 16  # bytes of output after which the client's next packets wait until they are sent
INTERRUPT = bytes((framing.INTERRUPT,))
BATCH = 64  # packets handled before others get their turn


@dataclass(frozen=True, slots=True)
class Refused:
    """What stands for a packet that could not be read: the answer to it."""

    reply: bytes


class Channel(ABC):
    """A client's bytes. Output collects in `outgoing`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.acks = True
        self.wishes = Wishes()
        self.outgoing = bytearray()
        self.record: Callable[[Mark, bytes], None] | None = None
        self.end_batch = False  # set by handlers that took long; of the batch in hand
        self._decoder = framing.Decoder(PACKET_SIZE)
        self._last = b""
        self._spoken = False
        self._amid = False  # the end of a packet is still to come, or to be looked at
        # Text that the client did not ask for was queued, and it has sent no packet since: it may
        # have reasons not to read that are none to drop it.
        self.unasked = False
        self._kept_left = False  # packets that had to wait are left for the next batch
        self._batch_from = 0  # bytes of output at the beginning of the batch in hand

    @property
    @abstractmethod
    def ended(self) -> bool:
        """Has the client left?"""

    @abstractmethod
    def end(self, *, reset: bool = False) -> None:
        """The client leaves, or is made to."""

    @abstractmethod
    def _packet(self, payload: bytes) -> None:
        """A packet came."""

    @abstractmethod
    def _refuse(self, item: Refused) -> None:
        """Something came that is no packet, or too much of one."""

    @abstractmethod
    def interrupt(self) -> None:
        """The client wants the target to stop."""

    @abstractmethod
    def _answer_kept(self) -> None:
        """Answer packets that had to wait, until the batch is over; tell what is left."""

    # In

    def receive(self, data: bytes) -> None:
        """Take bytes from the client and answer what they hold, at most a batch of it."""
        if not (self._amid or self._kept_left):
            if data[:1] == b"+":
                data = data[1:]  # our last packet went well, and most often the next one follows
            payload = framing.whole(data)
            if payload is not None:
                self._arrived(payload)
                return
            if data == INTERRUPT:
                self._event(framing.Interrupt())
                return
        self._decoder.feed(data)
        self.proceed()

    @property
    def unanswered(self) -> bool:
        """True while something that was received can be answered: `proceed` has to be called, after
        the output was sent."""
        return self._kept_left or self._decoder.more

    def proceed(self) -> None:
        """Answer one batch of what was received."""
        self._begin_batch()
        self._answer_kept()
        for _ in range(BATCH):
            # Before the end is looked for: answers keep the order of their packets.
            if self._batch_is_over():
                break
            event = self._decoder.event()
            if event is None:
                break
            self._event(event)
        self._amid = self._decoder.unfinished or self._decoder.more

    def _begin_batch(self) -> None:
        self.end_batch = False
        self._batch_from = len(self.outgoing)

    def _batch_is_over(self) -> bool:
        return self.end_batch or len(self.outgoing) - self._batch_from > FULL

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
                    self._refuse(self._refused("the packet arrived damaged", 1))
            case framing.TooLong():
                self._note(Mark.TOO_LONG)
                self._acknowledge(b"+")
                text = f"the packet is longer than {PACKET_SIZE} bytes"
                self._refuse(self._refused(text, replies.E_TOO_LONG))
            case framing.Ack(good):
                # What lies before all that is still to be sent was not damaged on the way.
                if not good and self.acks and not self.ended and len(self.outgoing) <= FULL:
                    self.outgoing += self._last
            case framing.Interrupt():
                self._note(Mark.INTERRUPT)
                self.interrupt()

    def _arrived(self, payload: bytes) -> None:
        self._spoken, self.unasked = True, False
        if self.acks:
            self._acknowledge(b"+")
        self._packet(payload)

    def _refused(self, text: str, number: int) -> Refused:
        return Refused(replies.error(text, self.wishes.errors, number))

    @property
    def unfinished(self) -> bool:
        """Does the client still owe us the rest of a packet, or its first one?"""
        return not self._spoken or self._amid

    # Out

    def _acknowledge(self, sign: bytes) -> None:
        if self.acks and not self.ended:
            self._queue(sign)

    def _note(self, mark: Mark, payload: bytes = b"") -> None:
        if self.record is not None:
            self.record(mark, payload)

    def send(self, payload: bytes) -> None:
        """Queue one packet for the client."""
        if self.record is not None:
            self.record(Mark.WENT, payload)
        known = payload if isinstance(payload, replies.Piece) else None
        self._last = framing.encode(payload) if known is None else known.frame
        self._queue(self._last)

    def _queue(self, data: bytes) -> None:
        self.outgoing += data
        if len(self.outgoing) > MOST_OUTGOING:
            log.warning("%s: does not read what it asks for; dropped it", self.name)
            self.outgoing.clear()
            self.end()

    def notify(self, payload: bytes) -> None:
        """Queue a notification."""
        self._note(Mark.WENT, b"%" + payload)
        self._queue(framing.notification(payload))

    def take_outgoing(self) -> bytes:
        """What has to be sent now."""
        data = bytes(self.outgoing)
        self.outgoing.clear()
        return data
