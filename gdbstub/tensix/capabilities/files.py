# SPDX-License-Identifier: Apache-2.0
"""The loaded ELFs as files: what was loaded, whatever has become of the files since."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from weakref import WeakKeyDictionary

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, moved
from tensix_gdb.core.program.file_tables import FileTables
from tensix_gdb.gdbstub.protocol.capabilities import File

# ELF32: where the header has the place of the section table, and the form of its rows.
SECTION_TABLE, SECTION_SIZE = 32, 46
SECTION_HEADER = struct.Struct("<10I")
SHF_ALLOC = 2


def path_of(image: Image) -> str:
    """Return the path of an image as clients see it."""
    return _resolved(str(image.path))


@cache
def _resolved(path: str) -> str:
    return str(Path(path).resolve())


def section_offsets(image: Image) -> list[int]:
    """Return, for each section of the file that takes memory, how far from its address it was
    loaded."""
    content = image.content
    at, size, count = (
        *struct.unpack_from("<I", content, SECTION_TABLE),
        *struct.unpack_from("<HH", content, SECTION_SIZE),
    )
    offsets: list[int] = []
    for header in range(at, at + size * count, max(size, 1)):
        if size < SECTION_HEADER.size or header + size > len(content):
            break
        _, _, flags, addr, *_ = SECTION_HEADER.unpack_from(content, header)
        if flags & SHF_ALLOC:
            offsets.append(moved(addr, image.bias) - addr)
    return offsets


class LoadedFiles:
    """The `Files` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def files(self) -> Sequence[File]:
        return [
            File(path_of(image), image.content, partial(_shown, image))
            for image in self._machine.images
        ]


# A file may be in many tiles; it is read once.
_kept: WeakKeyDictionary[FileTables, bytes] = WeakKeyDictionary()


def _shown(image: Image) -> bytes:
    """Return the file as clients get it."""
    from tensix_gdb.core.dwarf.kept_lines import with_kept_lines  # when a client reads a file

    shown = _kept.get(image.tables)
    if shown is None:
        shown = _kept[image.tables] = with_kept_lines(image.content)
    return shown
