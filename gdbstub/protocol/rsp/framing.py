# SPDX-License-Identifier: Apache-2.0
"""Bytes on the wire and packets in them (GDB manual, Remote Protocol: Overview).

    $ payload # checksum      payload bytes } # $ * are sent as } and the byte xor 0x20
    +  -                      received well, please send again
    0x03                      interrupt

`Decoder` takes bytes as they come and gives events, one when it is asked for one; of what it has
looked at it holds at most one packet of `limit` bytes, however much the client sends. `encode`
frames a reply, shortened by run lengths.
"""

from __future__ import annotations

import re
from functools import lru_cache
from zlib import adler32

from tensix_gdb.core.dataclass import dataclass

PACKET_SIZE = 0x8000  # payload bytes in either direction
INTERRUPT = 0x03
_ESCAPE = 0x7D
_HEX_DIGITS = frozenset(b"0123456789abcdefABCDEF")


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet that arrived well; `payload` is unescaped."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class Damaged:
    """A packet with a wrong checksum, or one that was cut off in it."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A packet of more than the agreed size; its bytes were dropped."""


@dataclass(frozen=True, slots=True)
class Ack:
    """The client got our last packet well (`good`) or wants it again."""

    good: bool


@dataclass(frozen=True, slots=True)
class Interrupt:
    """The client wants the target to stop."""


Event = Packet | Damaged | TooLong | Ack | Interrupt


# Python adds bytes up one by one; zlib's Adler-32 has, in its lower half, 1 and the sum of the
# bytes modulo 65521, which is the sum itself for so few.
_EXACT, _EXACT_ASCII = 256, 515


def checksum(data: bytes | bytearray) -> int:
    """Return the sum of the bytes as they are sent, modulo 256."""
    if len(data) <= _EXACT or (len(data) <= _EXACT_ASCII and data.isascii()):
        return (adler32(data) - 1) & 0xFF
    parts = range(0, len(data), _EXACT)
    view = memoryview(data)
    return (sum([adler32(view[at : at + _EXACT]) & 0xFFFF for at in parts]) - len(parts)) & 0xFF


_SPECIAL = b"}#$*"
# In this order, so that an escape is not escaped.
_ESCAPES = tuple((bytes((byte,)), bytes((_ESCAPE, byte ^ 0x20))) for byte in _SPECIAL)
_ESCAPED = re.compile(rb"}(.?)", re.DOTALL)


def _unescaped(match: re.Match[bytes]) -> bytes:
    return bytes(byte ^ 0x20 for byte in match.group(1))


def escape(data: bytes) -> bytes:
    """Replace the bytes that mean something in a frame."""
    if len(data.translate(None, _SPECIAL)) == len(data):
        return data
    for plain, escaped in _ESCAPES:
        data = data.replace(plain, escaped)
    return data


def unescape(data: bytes) -> bytes:
    """Undo `escape`; an escape at the very end means nothing."""
    escapes = data.count(b"}")
    if not escapes:
        return data
    if escapes != sum(data.count(escaped) for _, escaped in _ESCAPES):
        return _ESCAPED.sub(_unescaped, data)  # other bytes may be escaped too
    for plain, escaped in reversed(_ESCAPES):
        data = data.replace(escaped, plain)
    return data


# The bytes of which there are runs, in hex and in binary, and how long a run is worth looking for:
# so long that it takes less time to shorten than to send.
_IN_RUNS = b"0fx\0"
_WORTH = 32
_LONG = 512  # bytes of a payload; looking for runs in shorter ones costs more than it spares
# A byte and n repeats are written as the byte, `*` and n + 29, for 3 <= n <= 97 where that is not
# one of #$+-, which would be read as the end of a packet or as an answer.
_REPEATS = (97, 31, 8)


def shorten(data: bytes) -> bytes:
    """Write long runs by their lengths."""
    for byte in _IN_RUNS:
        if bytes((byte,)) * _WORTH in data:
            for repeats in _REPEATS:
                run = bytes((byte,)) * (repeats + 1)
                data = data.replace(run, b"%c*%c" % (byte, repeats + 29))
    return data


ENDS = tuple([b"#%02x" % number for number in range(256)])  # of a frame, by its checksum


def encode(payload: bytes, *, run_lengths: bool = True) -> bytes:
    """Frame a payload. The caller has to `escape` binary data."""
    body = shorten(payload) if run_lengths and len(payload) >= _LONG else payload
    return b"".join((b"$", body, ENDS[checksum(body)]))


def notification(payload: bytes) -> bytes:
    """Frame a notification: it is no answer, and is not acknowledged."""
    return b"".join((b"%", payload, ENDS[checksum(payload)]))


SHORT = 64  # bytes of a frame that is worth remembering


@lru_cache(maxsize=4096)
def _remembered(data: bytes) -> bytes | None:
    return _whole(data)


def _whole(data: bytes) -> bytes | None:
    end = len(data) - 3
    if data[:1] != b"$" or data.find(b"#") != end or data.rfind(b"$") != 0:
        return None
    body = data[1:end]
    if len(body) > PACKET_SIZE or data[end:].lower() != ENDS[checksum(body)]:
        return None
    return unescape(body)


def whole(data: bytes) -> bytes | None:
    """Return the payload of `data` when it is one packet that arrived well, and nothing else: what
    clients send nearly always. None when it has to be looked at byte by byte."""
    return _remembered(data) if len(data) <= SHORT else _whole(data)


class Decoder:
    """Bytes in, events out. Bytes that come before all events were taken are added."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = b""
        self._at = 0  # what was looked at
        self._body = bytearray()
        self._inside = False
        self._overflow = False
        self._checksum = bytearray()
        self._at_checksum = False

    @property
    def unfinished(self) -> bool:
        """True while the end of a packet is still to come."""
        return self._inside or self._at_checksum

    @property
    def more(self) -> bool:
        """True while there are bytes that were not looked at."""
        return self._at < len(self._data)

    def feed(self, data: bytes) -> None:
        """Take bytes from the client."""
        self._data = self._data[self._at :] + data
        self._at = 0

    def event(self) -> Event | None:
        """Return the next event in what was fed; None when there is no more."""
        while self._at < len(self._data):
            if self._inside:
                self._at = self._collect(self._data, self._at)
                continue
            byte = self._data[self._at]
            if self._at_checksum and byte not in _HEX_DIGITS:
                # Cut off: the byte belongs to what comes next, which may be a packet.
                self._at_checksum = False
                return Damaged()
            self._at += 1
            event = self._take_digit(byte) if self._at_checksum else self._between(byte)
            if event is not None:
                return event
        return None

    def _take_digit(self, digit: int) -> Event | None:
        self._checksum.append(digit)
        return self._finish() if len(self._checksum) == 2 else None

    def _between(self, byte: int) -> Event | None:
        if byte == 0x24:
            self._start()
        elif byte == 0x2B:
            return Ack(True)
        elif byte == 0x2D:
            return Ack(False)
        elif byte == INTERRUPT:
            return Interrupt()
        # Anything else is noise between packets, which the protocol ignores.
        return None

    def _start(self) -> None:
        self._body.clear()
        self._inside, self._overflow = True, False

    def _collect(self, data: bytes, at: int) -> int:
        hash_at = data.find(b"#", at)
        end = len(data) if hash_at < 0 else hash_at
        # A `$` inside a packet starts a new one: the old one was cut off.
        again = data.rfind(b"$", at, end)
        if again >= 0:
            self._start()
            at = again + 1
        if len(self._body) + end - at > self._limit:
            self._overflow = True
            self._body.clear()
        if not self._overflow:
            self._body += data[at:end]
        if hash_at < 0:
            return len(data)
        self._inside, self._at_checksum = False, True
        self._checksum.clear()
        return hash_at + 1

    def _finish(self) -> Event:
        self._at_checksum = False
        if self._overflow:
            return TooLong()
        body = bytes(self._body)
        good = int(self._checksum, 16) == checksum(body)
        return Packet(unescape(body)) if good else Damaged()
