# SPDX-License-Identifier: Apache-2.0
"""Answers about a firmware, kept in the user's cache by the content of its files.

A host boots all tiles with the same firmware, each time its program is started. Its debug
information takes some 70 ms to read, which was a twentieth of the start of a chip; and a simulator
asks for some sixty places in it, always the same. A question that is new is answered by the file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.arch.blackhole import HARTS, B
from tensix_gdb.core.firmware.answers import FieldLocation
from tensix_gdb.core.firmware.image import Firmware, read_firmware
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.kernels.user_cache import cache

if TYPE_CHECKING:
    from tensix_gdb.core.firmware.answers import Answers

FORMAT = 1  # of the file
FOLDER = "firmware"


def kept_firmware(folder: Path, images: Sequence[Image], chip: int = 0) -> Firmware:
    """Return the firmware of a chip in a folder, of which `images` are the files by hart, as one
    that another host loads. LoadError with a sentence when it is none; what was kept of it has
    been checked."""
    path = cache() / FOLDER / f"{_key(images)}.json"
    told = _read(path)
    if told is None:
        firmware = read_firmware(folder, chip, loads=False)
        kept = KeptAnswers(firmware.images[B], path, firmware.mailboxes, firmware.facts)
        kept.write()
        return replace(firmware, facts=kept)
    for hart, image in enumerate(images):
        image.hart = hart
    kept = KeptAnswers(images[B], path, told["mailboxes"])
    kept.constants.update(told["constants"])
    kept.fields.update((name, (at, size)) for name, (at, size) in told["fields"].items())
    return Firmware(folder, tuple(images), told["mailboxes"], (None,) * HARTS, kept)


class KeptAnswers:
    """Answers about one file; those that are new go to the one at `path`."""

    def __init__(
        self, image: Image, path: Path, mailboxes: int, facts: Answers | None = None
    ) -> None:
        self._image, self._path, self._mailboxes = image, path, mailboxes
        self._facts = facts
        self.constants: dict[str, int] = {}
        self.fields: dict[str, tuple[int, int]] = {}

    def constant(self, name: str) -> int:
        """Return the value of a variable that the compiler knows."""
        if name not in self.constants:
            self.constants[name] = self._asked().constant(name)
            self.write()
        return self.constants[name]

    def pointed(self, pointer: str, path: str) -> FieldLocation:
        """Return where `path` is in what a pointer points to."""
        name = f"{pointer} {path}"
        if name not in self.fields:
            found = self._asked().pointed(pointer, path)
            self.fields[name] = found.offset, found.size
            self.write()
        return FieldLocation(*self.fields[name])

    def _asked(self) -> Answers:
        """Return what reads the file's debug information."""
        if self._facts is None:
            from tensix_gdb.core.firmware.facts import Facts

            self._facts = Facts(self._image)
        return self._facts

    def write(self) -> None:
        """Keep what is known. A cache that cannot be written keeps nothing."""
        told = {
            "format": FORMAT,
            "mailboxes": self._mailboxes,
            "constants": self.constants,
            "fields": self.fields,
        }
        new = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(told), encoding="ascii")
            new.replace(self._path)


def _key(images: Sequence[Image]) -> str:
    """Return a hash of all files."""
    digest = hashlib.blake2b(digest_size=20)
    for image in images:
        digest.update(len(image.content).to_bytes(8, "little"))
        digest.update(image.content)
    return digest.hexdigest()


def _read(path: Path) -> dict[str, Any] | None:
    """Read a file; None if it is not there, or not as it is written here."""
    try:
        told = json.loads(path.read_text(encoding="ascii"))
        numbers = [told["mailboxes"], *told["constants"].values()]
        for at, size in told["fields"].values():
            numbers += [at, size]
        is_good = told["format"] == FORMAT and all(isinstance(each, int) for each in numbers)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return told if is_good else None
