# SPDX-License-Identifier: Apache-2.0
"""Payloads of replies."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from tensix_gdb.gdbstub.protocol.rsp.framing import encode, escape

OK = b"OK"
EMPTY = b""

# The manual gives these numbers no meaning; GDB prints them.
E_MALFORMED = 0x01
E_FAILED = 0x0E  # EFAULT
E_TOO_LONG = 0x24  # ENAMETOOLONG


class ErrorStyle(enum.Enum):
    """The form in which a client wants errors."""

    NUMBER = "a number"
    TEXT = "E.text (GDB: feature error-message)"
    NUMBER_AND_TEXT = "number;text in hex (LLDB: QEnableErrorStrings)"


def error(text: str, style: ErrorStyle = ErrorStyle.NUMBER, number: int = E_FAILED) -> bytes:
    """Return an error that says why, if the client can show it."""
    match style:
        case ErrorStyle.TEXT:
            return b"E." + one_line(text)
        case ErrorStyle.NUMBER_AND_TEXT:
            return b"E%02x;%b" % (number, text.encode("utf-8").hex().encode("ascii"))
    return b"E%02x" % number


def one_line(text: str) -> bytes:
    """Return a text as the rest of a packet."""
    return escape(" ".join(text.split()).encode("utf-8"))


def console(text: str | bytes) -> bytes:
    """Return text for the client's console; allowed while the client waits for a stop reply."""
    data = text.encode("utf-8") if isinstance(text, str) else text
    return b"O" + data.hex().encode("ascii")


def exited(status: int, process: int | None = None) -> bytes:
    """Tell that the program has ended; a client takes no more of its status than a system does."""
    return b"W%02x" % (status & 0xFF) + (b"" if process is None else b";process:%x" % process)


def file_request(request: str) -> bytes:
    """Ask the client to do this for the program (manual, File-I/O)."""
    return request.encode("ascii")


class Piece(bytes):
    """A payload that will be wanted again: its frame is kept."""

    @cached_property
    def frame(self) -> bytes:
        return encode(self)


@lru_cache(maxsize=32)
def part(document: bytes, offset: int, length: int) -> Piece:
    """Return a part of a document: `l` when it is the last one, `m` when more follows."""
    return Piece(piece(document, offset, length))


def piece(document: bytes, offset: int, length: int) -> bytes:
    """Return the same of a document that is not asked for again."""
    data = escape(document[offset : offset + length])
    return (b"m" if offset + length < len(document) else b"l") + data


def killed(process: int) -> bytes:
    """Tell that a process has been ended by SIGKILL."""
    return b"X09;process:%x" % process


_NUMBERS = tuple([f"{number:02x}:" for number in range(256)])  # before a register's value
_SIGNALS = tuple([f"T{number:02x}" for number in range(256)])


def stop(
    signal: int,
    thread: str,
    registers: Mapping[int, bytes],
    reason: str = "",
    more: Sequence[str] = (),
) -> bytes:
    """Return a `T` packet. `reason` is `watch:addr`, `swbreak:` and the like; `more` further
    pairs."""
    pairs = [_NUMBERS[number] + value.hex() for number, value in registers.items()]
    pairs.append("thread:" + thread)
    if reason:
        pairs.append(reason)
    pairs += (*more, "")
    return (_SIGNALS[signal] + ";".join(pairs)).encode("ascii")
