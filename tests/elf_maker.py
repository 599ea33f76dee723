# SPDX-License-Identifier: Apache-2.0
"""Smallest ELF files for tests: a header, program headers, and the bytes."""

from __future__ import annotations

import struct
from collections.abc import Sequence

EHDR, PHDR = 52, 32


def make_elf(
    segments: Sequence[tuple[int, bytes]],
    *,
    entry: int = 0,
    machine: int = 243,
    bits: int = 1,
    endian: int = 1,
    kind: int = 2,
    flags: int = 0,
    extra_memory: int = 0,
) -> bytes:
    """An ELF32 with these (address, bytes) as PT_LOAD segments."""
    ident = bytes([0x7F, *b"ELF", bits, endian, 1]) + bytes(9)
    order = "<" if endian == 1 else ">"
    header = ident + struct.pack(
        order + "HHIIIIIHHHHHH",
        *(kind, machine, 1, entry, EHDR, 0, flags, EHDR, PHDR, len(segments), 40, 0, 0),
    )
    at = EHDR + PHDR * len(segments)
    table, body = b"", b""
    for addr, data in segments:
        size = len(data) + extra_memory
        table += struct.pack(order + "8I", 1, at + len(body), addr, addr, len(data), size, 7, 4)
        body += data
    return header + table + body


def words(*values: int) -> bytes:
    """Little-endian 32-bit words."""
    return b"".join(value.to_bytes(4, "little") for value in values)
