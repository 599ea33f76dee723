# SPDX-License-Identifier: Apache-2.0
"""The damage of an ELF file's tables, in words: found before anything else reads them.

A file that ends too early often still has all that is loaded, but no symbols and no source lines.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

PROGRAM_HEADER, SECTION_HEADER = 32, 40  # bytes in ELF32
SYMTAB, STRTAB, NOBITS, NULL = 2, 3, 8, 0
SYMBOL = 16  # bytes


def damage(content: bytes) -> str:
    """Return what is wrong with the tables that the header of a 32-bit little-endian ELF file
    names, and with where they say that sections are; empty if nothing is."""
    return next(_damage(content), "")


def _damage(content: bytes) -> Iterator[str]:
    segments_at, sections_at = struct.unpack_from("<II", content, 28)
    size_of_segment, segments, size_of_section, sections, names = struct.unpack_from(
        "<5H", content, 42
    )
    if segments:
        yield from _table(
            content, "program header", segments_at, segments, size_of_segment, PROGRAM_HEADER
        )
    if sections_at and sections:
        yield from _table(
            content, "section header", sections_at, sections, size_of_section, SECTION_HEADER
        )
        yield from _sections(content, sections_at, sections, names)


def _table(
    content: bytes, name: str, at: int, count: int, size: int, expected: int
) -> Iterator[str]:
    if size != expected:
        yield f"a damaged ELF file: a {name} has {expected} bytes, and its ELF header says {size}"
    yield from _beyond(content, f"its {name} table", at + count * size)


def _beyond(content: bytes, what: str, end: int) -> Iterator[str]:
    if end > len(content):
        yield (
            f"the file is truncated: {what} would end at byte {end}, and the file has "
            f"{len(content)} bytes"
        )


def _sections(content: bytes, start: int, count: int, names: int) -> Iterator[str]:
    rows = [
        struct.unpack_from("<10I", content, start + SECTION_HEADER * number)
        for number in range(count)
    ]
    for number, (_, kind, _, _, at, size, link, _, _, size_of_entry) in enumerate(rows):
        if kind not in (NOBITS, NULL):
            yield from _beyond(content, f"its section {number}", at + size)
        if kind != SYMTAB:
            continue
        if size_of_entry != SYMBOL:
            yield (
                f"a damaged ELF file: a symbol has {SYMBOL} bytes, and section {number} says "
                f"{size_of_entry}"
            )
        if link >= count or rows[link][1] != STRTAB:
            yield (
                f"a damaged ELF file: the names of its symbols would be in section {link}, which "
                "is no table of names"
            )
    if names and (names >= count or rows[names][1] != STRTAB):
        yield (
            f"a damaged ELF file: the names of its sections would be in section {names}, which is "
            "no table of names"
        )
