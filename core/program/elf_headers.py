# SPDX-License-Identifier: Apache-2.0
"""The headers of an ELF file that has its tables where it says (elf_damage.py): what is loaded, and
which sections hold instructions.

Loading a file takes no more than these. elftools, which reads all other tables (elf_tables.py), is
fifty modules: a chip that recognises its firmware would spend more on them than on the files.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

RISCV, EXECUTABLE, COMPRESSED = 243, 2, 1  # EM_RISCV, ET_EXEC, of the flags
PT_LOAD = 1
NOBITS, EXECINSTR = 8, 4

_HEADER = struct.Struct("<HHIIIII6H")  # from byte 16 on
_SEGMENT = struct.Struct("<6I")
_SECTION = struct.Struct("<6I")


class Header(NamedTuple):
    """The header of a file."""

    kind: int
    machine: int
    entry: int
    flags: int
    segments: tuple[int, int]  # where they are, and how many
    sections: tuple[int, int]


class Loaded(NamedTuple):
    """A segment that is loaded; `offset` is in the file."""

    number: int
    addr: int
    runs_at: int
    offset: int
    in_file: int
    in_memory: int


def header_of(content: bytes) -> Header:
    """Return the header."""
    (kind, machine, _, entry, segments_at, sections_at, flags, _, _, segments, _, sections, _) = (
        _HEADER.unpack_from(content, 16)
    )
    return Header(kind, machine, entry, flags, (segments_at, segments), (sections_at, sections))


def loaded(content: bytes) -> Iterator[Loaded]:
    """Yield the segments that are loaded, in the order of the file."""
    at, count = header_of(content).segments
    for number in range(count):
        kind, offset, runs_at, addr, in_file, in_memory = _SEGMENT.unpack_from(
            content, at + 32 * number
        )
        if kind == PT_LOAD and in_memory:
            yield Loaded(number, addr, runs_at, offset, in_file, in_memory)


def executed(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield address and bytes of the sections that hold instructions."""
    at, count = header_of(content).sections
    for number in range(count if at else 0):
        _, kind, flags, addr, offset, size = _SECTION.unpack_from(content, at + 40 * number)
        if flags & EXECINSTR and kind != NOBITS:
            yield addr, content[offset : offset + size]
