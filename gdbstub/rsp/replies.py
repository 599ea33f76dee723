# SPDX-License-Identifier: Apache-2.0
"""Payloads of replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gdbstub.rsp.framing import escape

OK = b"OK"
EMPTY = b""

# Errno values as GDB prints them; the manual gives them no meaning.
E_MALFORMED = b"E01"
E_FAILED = b"E0e"  # EFAULT
E_TOO_LONG = b"E24"  # ENAMETOOLONG


def error(text: str, *, texts: bool) -> bytes:
    """An error that says why, if the client can show it (feature `error-message`)."""
    return b"E." + one_line(text) if texts else E_FAILED


def one_line(text: str) -> bytes:
    """A text as the rest of a packet."""
    return escape(" ".join(text.split()).encode("utf-8"))


def console(text: str) -> bytes:
    """Text for the client's console; allowed while the client waits for a stop reply."""
    return b"O" + text.encode("utf-8").hex().encode("ascii")


def part(document: bytes, offset: int, length: int) -> bytes:
    """A part of a document: `l` when it is the last one, `m` when more follows."""
    piece = document[offset : offset + length]
    return (b"m" if offset + length < len(document) else b"l") + escape(piece)


@dataclass(frozen=True, slots=True)
class StopReply:
    """A `T` packet. `reason` is `watch:addr`, `swbreak:` and the like."""

    signal: int
    thread: str
    registers: Mapping[int, bytes]
    reason: str = ""

    def payload(self) -> bytes:
        out = f"T{self.signal:02x}"
        for number, value in self.registers.items():
            out += f"{number:02x}:{value.hex()};"
        out += f"thread:{self.thread};"
        if self.reason:
            out += f"{self.reason};"
        return out.encode("ascii")
