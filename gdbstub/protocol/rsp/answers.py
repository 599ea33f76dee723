# SPDX-License-Identifier: Apache-2.0
"""The client's reading of a server's bytes: packets, runs, text, errors."""

from __future__ import annotations

import re

# Mark, payload, checksum. `%` is the mark of a notification.
FRAME = re.compile(rb"([$%])([^#$]*)#([0-9a-fA-F]{2})", re.DOTALL)
# Without any text it says that an answer is to come (a server's `keep_alive`).
TEXT = re.compile(rb"O(?:[0-9a-fA-F]{2})*")
_RUN = re.compile(rb"(.)\*(.)", re.DOTALL)


def expanded(body: bytes) -> bytes:
    """Return the payload with its runs: a byte, and 29 more than the number of its repetitions."""
    return _RUN.sub(lambda match: match[1] * (match[2][0] - 28), body)


def text_of(packet: bytes) -> str:
    """Return the text of a packet that `TEXT` matches."""
    return bytes.fromhex(packet[1:].decode("ascii")).decode("utf-8", "replace")


def sentence(answer: bytes) -> str:
    """Return the text of an error."""
    text = answer.decode("utf-8", "replace")
    return text[2:] if text.startswith("E.") else f"it answers {text!r}"
