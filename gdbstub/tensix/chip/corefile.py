# SPDX-License-Identifier: Apache-2.0
"""Core files of several tiles: the whole chip as it is in one file, or one of its tiles.

The file of the chip is a recording that ends where it begins (core/chip/recording.py), so it has
all state and the programs, and `tensix-gdb replay --serve` continues from it. That of one tile is
as of a tile alone: GDB opens it, and what is on its way to other tiles is not in it.
"""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.chip.recording import INDEX, ChipRecording, ChipRecordingError, save
from tensix_gdb.core.chip.replayable import begin_chip_history
from tensix_gdb.gdbstub.tensix.capabilities.files import path_of
from tensix_gdb.gdbstub.tensix.chip.grid import grid_lines
from tensix_gdb.gdbstub.tensix.chip.tiles import Tiles
from tensix_gdb.gdbstub.tensix.corefile.elf import core_of
from tensix_gdb.gdbstub.tensix.output.recording import own_version
from tensix_gdb.gdbstub.usage import UsageError


class ChipCoreFile:
    """The `CoreFile` capability."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles

    def content(self, *, running_for: str, part: str = "") -> bytes:
        doing = f"ran for {running_for}" if running_for else "was stopped"
        ending = f"taken while the chip {doing}, in cycle {self._tiles.chip.cycle}"
        if part:
            return core_of(self._tiles.named(part).machine, ending)
        return core_of_chip(self._tiles.chip, ending)


def core_of_chip(chip: Chip, ending: str) -> bytes:
    """Return the core file of a chip as it is. Nothing in it changes."""
    out = io.BytesIO()
    save(out, chip, begin_chip_history(chip), own_version(), ending)
    return out.getvalue()


def header_of_chip(path: str, content: bytes) -> dict[str, Any]:
    """Return the cycle, hash and ending of a core file that was written."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            index: dict[str, Any] = json.loads(archive.read(INDEX))
        return {name: index[name] for name in ("cycle", "hash", "ending")}
    except (zipfile.BadZipFile, KeyError, ValueError) as bad:
        raise UsageError(f"{path}: a damaged core file: {bad}") from None


def shown_chip(path: str) -> Iterator[str]:
    """Yield what is in a core file of a chip, or in a recording at its end."""
    try:
        recording = ChipRecording(Path(path))
        chip = recording.chip(engine="reference")
    except ChipRecordingError as problem:
        raise UsageError(str(problem)) from None
    with contextlib.closing(chip):
        recording.put_last(chip)
        yield (
            f"{path}: {len(recording.places)} tiles of a {chip.arch.title} chip in cycle "
            f"{chip.cycle}, schedule {recording.execution}, hash {chip.hash()}"
        )
        yield from (f"    {line}" for line in recording.ending.splitlines())
        yield ""
        yield from grid_lines(Tiles(chip))
        files = {
            path_of(image): None for machine in chip.tiles.values() for image in machine.images
        }
        if files:
            yield ""
            yield "Programs"
            yield from (f"    {file}" for file in files)
        yield ""
        yield "To continue with it"
        yield f"  tensix-gdb replay --serve {path}"
