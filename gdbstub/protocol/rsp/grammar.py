# SPDX-License-Identifier: Apache-2.0
"""Patterns of packets: `m{addr:hex},{length:hex}` compiled to a parser of payloads.

What is outside braces has to be there as written. A field is `{name:kind}`; the kinds are in
`KINDS`. A field in square brackets, with what belongs to it, may be missing: `[;{sig:hex}]`; it is
then None.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tensix_gdb.core.dataclass import dataclass

# No packet has longer numbers than an address or a count; 16 digits hold 64 bits.
_DIGITS = 16
_HEX = rb"[0-9a-fA-F]{1,%d}" % _DIGITS
_MASK = re.compile("[0-9a-fA-F]+")


@dataclass(frozen=True, slots=True)
class ThreadId:
    """A thread as clients name it: -1 all, 0 any, otherwise a thread. `pid` likewise, or None."""

    tid: int
    pid: int | None = None


def parse_thread(text: bytes) -> ThreadId:
    """`3`, `-1`, `0`, `p1.3`, `p1.-1`, `p1` (all of its threads)."""
    if text[:1] != b"p":
        return ThreadId(_signed(text))
    pid, _, tid = text[1:].partition(b".")
    return ThreadId(_signed(tid) if tid else -1, _signed(pid))


def number(text: str) -> int:
    """Return a number inside of a field that is text. ValueError for what else `int` would take:
    signs, spaces, underlines, more digits than 64 bits have."""
    if len(text) > _DIGITS:
        raise ValueError(f"{text!r} has more than {_DIGITS} digits")
    return mask(text)


def mask(text: str) -> int:
    """Return the same with as many digits as there are: a bit for each of GDB's registers."""
    if not _MASK.fullmatch(text):
        raise ValueError(f"{text!r} is no hexadecimal number")
    return int(text, 16)


def _signed(text: bytes) -> int:
    return -1 if text == b"-1" else int(text, 16)


def _hex_bytes(text: bytes) -> bytes:
    """ValueError for an odd number of digits."""
    return bytes.fromhex(text.decode("ascii"))


# LLDB writes threads with leading zeros.
_THREAD = rb"(?:p(?:-1|[0-9a-fA-F]{1,8})(?:\.(?:-1|[0-9a-fA-F]{1,8}))?|-1|[0-9a-fA-F]{1,8})"

KINDS: dict[str, tuple[bytes, Callable[[bytes], Any]]] = {
    "hex": (_HEX, lambda text: int(text, 16)),
    "digit": (rb"[0-9]", int),
    "char": (rb"[A-Za-z]", lambda text: text.decode("ascii")),
    "word": (rb"[^:;,]*", lambda text: text.decode("utf-8", "replace")),
    "text": (rb".*", lambda text: text.decode("utf-8", "replace")),
    "binary": (rb".*", bytes),
    "bytes": (rb"[0-9a-fA-F]*", _hex_bytes),
    "thread": (_THREAD, parse_thread),
}

_FIELD = re.compile(r"\{(\w+):(\w+)\}|([\[\]])|([^{}\[\]]+)")


class Pattern:
    """A pattern. `prefix` is what every payload of this kind begins with. Its regular expression is
    compiled when it is first needed: all of them take longer than the rest of an import."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.prefix = re.split(r"[{\[]", text, maxsplit=1)[0].encode("ascii")
        self._convert: dict[str, Callable[[bytes], Any]] = {}
        expression = b""
        for name, kind, bracket, literal in _FIELD.findall(text):
            if literal:
                expression += re.escape(literal.encode("ascii"))
            elif bracket:
                expression += b"(?:" if bracket == "[" else b")?"
            else:
                wanted, convert = KINDS[kind]
                expression += b"(?P<%b>%b)" % (name.encode("ascii"), wanted)
                self._convert[name] = convert
        self._expression = expression
        self._fullmatch: Callable[[bytes], re.Match[bytes] | None] | None = None
        self._converters = tuple(self._convert.values())

    def compile(self) -> Callable[[bytes], re.Match[bytes] | None]:
        """Make ready to parse; what does it."""
        if self._fullmatch is None:
            self._fullmatch = re.compile(self._expression, re.DOTALL).fullmatch
        return self._fullmatch

    @property
    def form(self) -> str:
        """The pattern as people write it: `m ADDR,LENGTH`; the space is not sent."""
        apart = re.sub(r"^(\w)(?=\[?\{)", r"\1 ", self.text)
        return re.sub(r"\{(\w+):\w+\}", lambda field: field[1].upper(), apart)

    @property
    def fields(self) -> list[str]:
        """Names of the fields in order."""
        return list(self._convert)

    def parse(self, payload: bytes) -> tuple[Any, ...] | None:
        """Return the fields in order, or None when the payload is not of this form."""
        match = (self._fullmatch or self.compile())(payload)
        if match is None:
            return None
        try:
            return tuple(
                [
                    None if text is None else convert(text)
                    for text, convert in zip(match.groups(), self._converters, strict=True)
                ]
            )
        except ValueError:
            return None
