# SPDX-License-Identifier: Apache-2.0
"""Numbers of any size in bytes: seven bits a byte, the lowest first; the top bit says that more
follow (DWARF 5, 7.6; the varint of protocol buffers is the unsigned one)."""

from __future__ import annotations


def uleb(number: int) -> bytes:
    """Encode a number that is not negative."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def sleb(number: int) -> bytes:
    """Encode a number with a sign."""
    out = bytearray()
    while not -64 <= number < 64:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number & 0x7F)
    return bytes(out)
