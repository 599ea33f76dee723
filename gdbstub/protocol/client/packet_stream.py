# SPDX-License-Identifier: Apache-2.0
"""The packets of one client, without I/O: bytes go in, packets come out of them, and the reverse.

Acks, damaged packets, how much is kept of what a client does not take. What a packet means is the
business of `Session`, which takes them out one by one.

A client repeats a packet of which it has not seen the acknowledgment in time, as GDB does after
2 s, and takes one answer for both. So each packet is acknowledged before it is answered, and a
packet that comes again before the client has acknowledged anything since is a repetition:
acknowledged, and not answered twice. Only clients that acknowledge are taken to repeat. That holds
for QStartNoAckMode too: its answer is the last one that is acknowledged.

Packets are answered in batches, so that others get their turn. What was received is kept here until
it is taken out, and `more` says so: bytes may be received at any time, and none is lost.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.gdbstub.protocol.packet_log import Mark
from tensix_gdb.gdbstub.protocol.rsp import framing, replies
from tensix_gdb.gdbstub.protocol.rsp.framing import PACKET_SIZE, Ack, Interrupt, Packet

log = logging.getLogger(__name__)

MAX_OUTGOING = 4 << 20  # bytes kept for a client that does not read
MAX_TEXT = MAX_OUTGOING - (1 << 19)  # of them, before unasked text is left out
FULL = 1 << 16  # bytes of output after which the client's next packets wait until they are sent


@dataclass(frozen=True, slots=True)
class Refused:
    """Stands for a packet that could not be read: the error that is the answer to it."""

    text: str
    number: int


class PacketStream:
    """A client's bytes. Output collects in `outgoing`; `drop` is called when there is too much."""

    def __init__(self, name: str, drop: Callable[[], None]) -> None:
        self.acks = True
        self.outgoing = bytearray()
        self.record: Callable[[Mark, bytes], None] | None = None
        self.end_batch = False  # set by handlers that took long; of the batch in hand
        # Text that the client did not ask for was queued, and it has sent no packet since: it may
        # have reasons not to read that are none to drop it.
        self.unasked = False
        # Called with an acknowledgment in `outgoing`, before the packet is answered.
        self.acknowledge_now: Callable[[], object] | None = None
        # Sends an empty console packet from another thread, while this one answers `monitor`.
        self.keep_alive: Callable[[], object] | None = None
        self._taken: bytes | None = None  # the last packet, until the client acknowledges anything
        self._acks_ours = False  # the client has acknowledged something
        self._name = name
        self._drop = drop
        self._decoder = framing.Decoder(PACKET_SIZE)
        self._last = b""
        self._spoken = False
        self._amid = False  # the end of a packet is still to come, or to be looked at
        self._batch_from = 0  # bytes of output at the beginning of the batch in hand

    # In

    def whole(self, data: bytes) -> bytes | None:
        """Return the packet if these bytes are exactly one, as they nearly always are. Otherwise
        return None: they have to be fed."""
        if self._amid:
            return None
        if data[:1] == b"+":
            data = data[1:]  # our last packet went well, and most often the next one follows
            self._taken, self._acks_ours = None, True
        if self._taken is not None:
            return None  # perhaps a repetition
        payload = framing.whole(data)
        if payload is not None:
            self._arrived(payload)
        return payload

    def feed(self, data: bytes) -> None:
        """Take bytes from the client."""
        self._decoder.feed(data)
        self._amid = True

    @property
    def more(self) -> bool:
        """True while there are bytes that were not looked at."""
        return self._decoder.more

    def event(self) -> Packet | Refused | Interrupt | Ack | None:
        """Take the next event out of what was fed; None when there is none. Acks are dealt with."""
        event = self._decoder.event()
        self._amid = self._decoder.unfinished or self._decoder.more
        match event:
            case framing.Packet(payload):
                if self._acks_ours and payload == self._taken:
                    self._note(Mark.CAME, payload)
                    self._queue(b"+")
                    return Ack(good=True)
                self._arrived(payload)
                return event
            case framing.Damaged():
                self._note(Mark.DAMAGED)
                if self.acks:
                    self._queue(b"-")
                    return Ack(good=True)
                # The client does not repeat it, and silence would leave it waiting.
                return Refused("the packet arrived damaged", 1)
            case framing.TooLong():
                self._note(Mark.TOO_LONG)
                self._acknowledge()
                return Refused(f"the packet is longer than {PACKET_SIZE} bytes", replies.E_TOO_LONG)
            case framing.Ack(good):
                self._taken, self._acks_ours = None, True
                # What lies before all that is still to be sent was not damaged on the way.
                if not good and self.acks and len(self.outgoing) <= FULL:
                    self.outgoing += self._last
            case framing.Interrupt():
                self._note(Mark.INTERRUPT)
        return event

    def _arrived(self, payload: bytes) -> None:
        self._spoken, self.unasked = True, False
        self._taken = payload if self.acks else None
        if self.acks:
            self._queue(b"+")
            if self.acknowledge_now is not None:
                self.acknowledge_now()
        if self.record is not None:
            self.record(Mark.CAME, payload)

    @property
    def unfinished(self) -> bool:
        """True if the client still owes us the rest of a packet, or its first one."""
        return not self._spoken or self._amid

    def begin_batch(self) -> None:
        """Begin to count what is answered at once."""
        self.end_batch = False
        self._batch_from = len(self.outgoing)

    @property
    def batch_is_over(self) -> bool:
        """True if others are to get their turn first."""
        return self.end_batch or len(self.outgoing) - self._batch_from > FULL

    # Out

    def _acknowledge(self) -> None:
        if self.acks:
            self._queue(b"+")

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
        if len(self.outgoing) > MAX_OUTGOING:
            log.warning("%s: does not read what it asks for; dropped it", self._name)
            self.outgoing.clear()
            self._drop()

    def notify(self, payload: bytes) -> None:
        """Queue a notification."""
        self._note(Mark.WENT, b"%" + payload)
        self._queue(framing.notification(payload))

    def take_outgoing(self) -> bytes:
        """Take out what has to be sent now."""
        data = bytes(self.outgoing)
        self.outgoing.clear()
        return data
