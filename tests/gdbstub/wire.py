# SPDX-License-Identifier: Apache-2.0
"""The client's end of the wire, written apart from the server's: frames, run lengths, checks."""

from __future__ import annotations

ACK, NAK = b"+", b"-"
HEX = b"0123456789abcdef"


class BadFrame(AssertionError):
    """The server sent something that is not a packet."""


def frame(payload: bytes) -> bytes:
    """A packet as clients send it."""
    body = bytearray()
    for byte in payload:
        if byte in b"#$}*":
            body += bytes((0x7D, byte ^ 0x20))
        else:
            body.append(byte)
    return b"$%b#%02x" % (bytes(body), sum(body) % 256)


def answers(data: bytes) -> list[bytes]:
    """Acks and payloads, in order, `%` before that of a notification; BadFrame when a byte is
    anything else.

    Run lengths are expanded; escapes are kept as they came, for `binary`.
    """
    found = []
    at = 0
    while at < len(data):
        one = data[at : at + 1]
        if one in (ACK, NAK):
            found.append(one)
            at += 1
            continue
        if one not in (b"$", b"%"):
            raise BadFrame(f"{data[at : at + 40]!r} is neither an ack nor a packet")
        end = data.find(b"#", at)
        if end < 0 or len(data) < end + 3:
            raise BadFrame(f"{data[at : at + 40]!r} has no end")
        body, digits = data[at + 1 : end], data[end + 1 : end + 3]
        if b"$" in body or any(digit not in HEX for digit in digits):
            raise BadFrame(f"{data[at : end + 3]!r} is not a packet")
        if int(digits, 16) != sum(body) % 256:
            raise BadFrame(f"{data[at : end + 3]!r} has a wrong checksum")
        found.append((b"%" if one == b"%" else b"") + _expand(body))
        at = end + 3
    return found


def _expand(body: bytes) -> bytes:
    out = bytearray()
    at = 0
    while at < len(body):
        byte = body[at]
        if byte == 0x7D:
            if at + 1 == len(body):
                raise BadFrame("an escape at the end")
            out += body[at : at + 2]
            at += 2
        elif byte == 0x2A:
            if not out or at + 1 == len(body) or not 32 <= body[at + 1] <= 126:
                raise BadFrame(f"a bad run length in {body!r}")
            out += bytes([out[-1]]) * (body[at + 1] - 29)
            at += 2
        else:
            out.append(byte)
            at += 1
    return bytes(out)


def binary(payload: bytes) -> bytes:
    """A payload without its escapes."""
    out = bytearray()
    escaped = False
    for byte in payload:
        if escaped:
            out.append(byte ^ 0x20)
            escaped = False
        elif byte == 0x7D:
            escaped = True
        else:
            out.append(byte)
    return bytes(out)
