# SPDX-License-Identifier: Apache-2.0
"""The private note of a core file: the whole state of a tile, and what it takes to continue with
it.

Four bytes of length, a header in JSON, then compressed: the record, the pages of memory outside
the tile, and the programs as they were loaded, in the order in which the header has them.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages
from tensix_gdb.core.program.elf import Image, image_of, moved
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.gdbstub.usage import UsageError

FORMAT = 2
UNREADABLE = (
    struct.error,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
    zlib.error,
)
MAX_BYTES = 1 << 30  # of a note when it is no longer compressed


def layout_hash(layout: Layout) -> str:
    """Hash all rows that are state: their names, kinds, shapes and places."""
    digest = hashlib.blake2b(digest_size=16)
    for slot in layout.storage():
        digest.update(f"{slot.path} {slot.field.kind} {slot.field.shape} {slot.offset}\n".encode())
    return digest.hexdigest()


def digest_of(data: bytes | bytearray) -> str:
    """Return the name of a file by its content."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _outside(machine: Machine) -> list[Pages]:
    return list(machine.outside.memories())


def note_of(machine: Machine, ending: str) -> bytes:
    """Return the note for a machine as it is; `ending` is why it is where it is, in a sentence."""
    pages = [memory.snapshot() for memory in _outside(machine)]
    files = [image for image in machine.images if image.content]
    header = {
        "format": FORMAT,
        "layout": layout_hash(machine.record.layout),
        "arch": Arch.WORMHOLE.name if machine.S.tile.chip else Arch.BLACKHOLE.name,
        "schedule": str(machine.execution),
        "cycle": int(machine.S.tile.cycle),
        "hash": machine.hash(),
        "ending": ending,
        "pages": [sorted(kept) for kept in pages],
        "unknown": machine.unknown,
        "images": [
            {
                "path": str(Path(image.path).resolve()),
                "hash": digest_of(image.content),
                "size": len(image.content),
                "hart": image.hart,
                "bias": image.bias,
            }
            for image in files
        ],
    }
    packer = zlib.compressobj(6)
    out = [packer.compress(machine.record.raw_state())]
    out += [packer.compress(kept[page]) for kept in pages for page in sorted(kept)]
    out += [packer.compress(image.content) for image in files]
    text = json.dumps(header).encode()
    return struct.pack("<I", len(text)) + text + b"".join(out) + packer.flush()


def header_in(data: bytes) -> dict[str, Any]:
    """Return the header at the beginning of a note; one of UNREADABLE when there is none."""
    (length,) = struct.unpack_from("<I", data)
    header: dict[str, Any] = json.loads(data[4 : 4 + length])
    if not header.keys() >= {"format", "cycle", "hash", "ending"}:
        raise ValueError("its header is another one")
    return header


class Note:
    """A note that was read and fits this version; UsageError with a sentence otherwise."""

    def __init__(self, path: str, data: bytes, layout: Layout) -> None:
        self._path = path
        try:
            self.header = header_in(data)
            if self.header["format"] != FORMAT:
                raise UsageError(
                    f"{path}: a core file of format {self.header['format']}; this version reads "
                    f"format {FORMAT}"
                )
            if self.header["layout"] != layout_hash(layout):
                raise UsageError(
                    f"{path}: written by a version of tensix-gdb with another layout "
                    "of the tile's record; open it with that version"
                )
            self._unpack(data[4 + struct.unpack_from("<I", data)[0] :], layout.state_size)
        except UNREADABLE as bad:
            raise UsageError(f"{path}: a damaged core file: {bad}") from None

    def _unpack(self, packed: bytes, state_size: int) -> None:
        header = self.header
        self.arch = Arch[header["arch"]]
        self.execution = Execution.parse(header["schedule"])
        self.unknown = {str(what): str(why) for what, why in header.get("unknown", {}).items()}
        self.ending, self.hash = str(header["ending"]), str(header["hash"])
        self.pages: list[dict[int, bytes]] = []
        rows = header["images"]
        size = state_size + PAGE_BYTES * sum(map(len, header["pages"]))
        size += sum(row["size"] for row in rows)
        if not 0 < size <= MAX_BYTES:
            raise ValueError(f"it says that {size} bytes are in it")
        content = zlib.decompressobj().decompress(packed, size)
        if len(content) != size:
            raise ValueError("its end is missing")
        pieces = _pieces(content)
        next(pieces)
        self.state = bytearray(pieces.send(state_size))
        if digest_of(self.state) != self.hash:
            raise ValueError("its bytes are not those that were written")
        for numbers in header["pages"]:
            self.pages.append({int(page): bytes(pieces.send(PAGE_BYTES)) for page in numbers})
        self.images: list[Image] = []
        for row in rows:
            data, hart = bytes(pieces.send(row["size"])), row["hart"]
            if digest_of(data) != row["hash"] or hart not in (None, *range(HARTS)):
                raise ValueError(f"{row['path']} in it is not what was loaded")
            image, bias = image_of(Path(row["path"]), data), int(row["bias"])
            parts = tuple(replace(part, addr=moved(part.addr, bias)) for part in image.segments)
            entry = moved(image.entry, bias)
            self.images.append(replace(image, segments=parts, entry=entry, hart=hart, bias=bias))

    def changed(self) -> list[str]:
        """Return the programs with files that are gone or are others by now."""
        paths: list[str] = []
        for image in self.images:
            path, size = image.path, len(image.content)
            try:
                same = path.is_file() and path.stat().st_size == size
                same = same and path.read_bytes() == image.content
            except (OSError, ValueError):
                same = False
            if not same:
                paths.append(str(image.path))
        return paths

    def put_into(self, machine: Machine) -> None:
        """Make a machine what this one was; `reset` comes back to here."""
        places = _outside(machine)
        if len(places) != len(self.pages):
            raise UsageError(f"{self._path}: a damaged core file: memory outside is missing")

        def place(into: Machine) -> None:
            into.restore(self.state)
            for memory, kept in zip(_outside(into), self.pages, strict=True):
                memory.restore(dict(kept))

        machine.load_by(place, self.images)
        machine.unknown.update(self.unknown)


def _pieces(content: bytes) -> Generator[bytes, int, None]:
    """Sent a size: the next so many bytes."""
    at = 0
    size = yield b""
    while True:
        at += size
        size = yield content[at - size : at]
