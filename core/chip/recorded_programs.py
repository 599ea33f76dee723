# SPDX-License-Identifier: Apache-2.0
"""The programs of the tiles of a chip, in a recording: each file is there once, each set of them
once, and each part names the set of each tile at its end.

A host replaces kernels by those of the next launch. A line of an earlier time is of the kernel of
that time.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.machine.loading import Hosted
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.recording.file import image_from

RECORDED = "programs"  # the group of those that a recording has brought


class WrittenPrograms:
    """Those that a recording gets."""

    def __init__(self, chip: Chip) -> None:
        self._others = [machine.loader.ungrouped() for machine in chip.tiles.values()]
        self._contents: dict[bytes, int] = {}
        self._rows: dict[int, tuple[Image, str]] = {}
        self._sets: dict[tuple[str, ...], int] = {}

    def of(self, hosted: Iterable[Hosted]) -> list[int]:
        """Return the number of the set of each tile."""
        return [
            self._number([*others, *(image for group in one.values() for image in group)])
            for others, one in zip(self._others, hosted, strict=True)
        ]

    def _number(self, images: Sequence[Image]) -> int:
        rows = tuple(self._row(image) for image in images if image.content)
        return self._sets.setdefault(rows, len(self._sets))

    def _row(self, image: Image) -> str:
        if id(image) not in self._rows:
            row = {
                "path": str(image.path.resolve()),
                "hart": image.hart,
                "bias": image.bias,
                "elf": self._contents.setdefault(image.content, len(self._contents)),
            }
            self._rows[id(image)] = image, json.dumps(row)
        return self._rows[id(image)][1]

    def sets(self) -> list[list[Any]]:
        """Return all sets, for the index."""
        return [[json.loads(row) for row in rows] for rows in self._sets]

    def put_files(self, archive: zipfile.ZipFile) -> None:
        """Write the files."""
        for content, number in self._contents.items():
            archive.writestr(f"elf/{number}", content)


def read_sets(archive: zipfile.ZipFile, sets: list[list[dict[str, Any]]]) -> list[list[Image]]:
    """Return the sets of a recording. Equal programs are one image: its symbols are read once, not
    140 times."""
    known: dict[str, Image] = {}

    def image(row: dict[str, Any]) -> Image:
        key = json.dumps(row)
        if key not in known:
            known[key] = image_from(row, archive.read(f"elf/{row['elf']}"))
        return known[key]

    return [[image(row) for row in rows] for rows in sets]


def put_programs(chip: Chip, of_tiles: Sequence[Sequence[Image]]) -> None:
    """Let each tile of a chip have these."""
    for machine, images in zip(chip.tiles.values(), of_tiles, strict=True):
        machine.loader.put_back({**machine.loader.hosted_now(), RECORDED: tuple(images)})
