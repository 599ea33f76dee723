# SPDX-License-Identifier: Apache-2.0
"""Runs inside GDB: questions to the tile that GDB is attached to
(gdbstub/tensix/documents/helper_queries.py)."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import gdb

XFER_BYTES = 0x3000  # that one qXfer reads
_RECEIVED = re.compile(r'^received: "(.*)"$', re.MULTILINE | re.DOTALL)
_ESCAPED = re.compile(rb"\}(.)", re.DOTALL)


@contextmanager
def in_gdbs_words() -> Iterator[None]:
    """Let an error of GDB be said as by a command of GDB's own. From one in Python it comes after
    `Python Exception <class 'gdb.error'>`."""
    try:
        yield
    except gdb.error as problem:
        raise gdb.GdbError(str(problem)) from None


def ask(question: str) -> str:
    """Return the answer; gdb.GdbError with a sentence when there is none."""
    answer = document("tensix", question.encode().hex()).decode("utf-8", "replace")
    if answer.startswith("!"):
        raise gdb.GdbError(answer[1:])
    return answer


def document(name: str, annex: str = "") -> bytes:
    """Return a document of qXfer; gdb.GdbError with a sentence when there is none."""
    content = bytearray()
    while True:
        reply = _send(f"qXfer:{name}:read:{annex}:{len(content):x},{XFER_BYTES:x}")
        if reply[:2] == b"E.":
            raise gdb.GdbError(reply[2:].decode("utf-8", "replace"))
        if reply[:1] not in (b"l", b"m"):
            raise gdb.GdbError("GDB is not attached to a tile of tensix-gdb.")
        content += _ESCAPED.sub(lambda match: bytes([match[1][0] ^ 0x20]), reply[1:])
        if reply[:1] == b"l":
            return bytes(content)


def value(name: str, *arguments: Any) -> Any:
    """Return a number, or a text, for a convenience function."""
    words = [argument if isinstance(argument, str) else _word(argument) for argument in arguments]
    answer = ask(" ".join(["value", name, *words]))
    return answer[1:] or "not held" if answer.startswith('"') else int(answer)


def _word(argument: Any) -> str:
    kind = argument.type.strip_typedefs().code
    is_text = kind in (gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_PTR)
    return argument.string() if is_text else str(int(argument))


def _send(packet: str) -> bytes:
    inferior = gdb.selected_inferior()
    connection: Any = getattr(inferior, "connection", None)
    if hasattr(connection, "send_packet"):  # GDB 12 and later
        return bytes(connection.send_packet(packet))
    try:
        shown = gdb.execute(f"maintenance packet {packet}", to_string=True)
    except gdb.error:
        return b""
    match = _RECEIVED.search(shown)
    if match is None:
        return b""
    return match[1].encode("latin-1", "replace").decode("unicode_escape").encode("latin-1")
