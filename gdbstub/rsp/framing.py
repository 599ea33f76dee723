# SPDX-License-Identifier: Apache-2.0
"""Bytes on the wire and packets in them (GDB manual, Remote Protocol: Overview).

    $ payload # checksum      payload bytes } # $ * are sent as } and the byte xor 0x20
    +  -                      received well, please send again
    0x03                      interrupt

`Decoder` takes bytes as they come and gives events; it holds at most one packet of `limit` bytes,
however long the client goes on. `encode` frames a reply, shortened by run lengths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
    """A packet whose checksum is wrong, or that was cut off in it."""


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


def checksum(data: bytes) -> int:
    """The sum of the bytes as they are sent, modulo 256."""
    return sum(data) & 0xFF


_TO_ESCAPE = re.compile(rb"[}#$*]")
_ESCAPED = re.compile(rb"}(.?)", re.DOTALL)


def _escaped(found: re.Match[bytes]) -> bytes:
    return bytes((_ESCAPE, found.group()[0] ^ 0x20))


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes(byte ^ 0x20 for byte in found.group(1))


def escape(data: bytes) -> bytes:
    """Replace the bytes that mean something in a frame."""
    return _TO_ESCAPE.sub(_escaped, data)


def unescape(data: bytes) -> bytes:
    """Undo `escape`; an escape at the very end stands for nothing."""
    if _ESCAPE not in data:
        return data
    return _ESCAPED.sub(_unescaped, data)


_RUN = re.compile(rb"([^}#$*])\1{3,96}", re.DOTALL)
_NOT_A_COUNT = b"#$+-"  # they would be read as the end of a packet or as an answer


def _run_length(found: re.Match[bytes]) -> bytes:
    run = found.group()
    repeats = len(run) - 1
    rest = 0
    while repeats + 29 in _NOT_A_COUNT:
        repeats -= 1
        rest += 1
    return b"%c*%c" % (run[0], repeats + 29) + run[:rest]


def shorten(data: bytes) -> bytes:
    """Write a byte and its n repeats as the byte, `*` and n + 29, for 3 <= n <= 97."""
    return _RUN.sub(_run_length, data)


def encode(payload: bytes, *, run_lengths: bool = True) -> bytes:
    """Frame a payload. `escape` has to be done by whoever puts binary data into it."""
    body = shorten(payload) if run_lengths else payload
    return b"$%b#%02x" % (body, checksum(body))


class Decoder:
    """Bytes in, events out."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._body = bytearray()
        self._inside = False
        self._overflow = False
        self._checksum = bytearray()
        self._at_checksum = False

    @property
    def unfinished(self) -> bool:
        """Is the end of a packet still to come?"""
        return self._inside or self._at_checksum

    def feed(self, data: bytes) -> Iterator[Event]:
        """Take bytes from the client."""
        at = 0
        while at < len(data):
            if self._at_checksum:
                if data[at] not in _HEX_DIGITS:
                    # Cut off: the byte belongs to what comes next, which may be a packet.
                    self._at_checksum = False
                    yield Damaged()
                    continue
                self._checksum.append(data[at])
                at += 1
                if len(self._checksum) == 2:
                    yield self._finish()
            elif self._inside:
                at = self._collect(data, at)
            else:
                yield from self._between(data[at])
                at += 1

    def _between(self, byte: int) -> Iterator[Event]:
        if byte == 0x24:
            self._start()
        elif byte == 0x2B:
            yield Ack(True)
        elif byte == 0x2D:
            yield Ack(False)
        elif byte == INTERRUPT:
            yield Interrupt()
        # Anything else is noise between packets, which the protocol ignores.

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
