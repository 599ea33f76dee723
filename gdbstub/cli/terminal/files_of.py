# SPDX-License-Identifier: Apache-2.0
"""The source files of programs, by the names that sentences have for them (`hang.c`).

They are looked for where the compiler had them, and beside the programs. Nothing is read before a
place is quoted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensix_gdb.core.program.elf import Image

MOST_BYTES = 4 << 20


class FilesOf:
    """The files of some programs. A name that two files have is none's: it would be a guess."""

    def __init__(self, images: Sequence[Image]) -> None:
        self._images = images
        self._texts: dict[str, list[str] | None] = {}

    def read(self, name: str) -> list[str] | None:
        """Return the lines of a file; None if it is not there."""
        if name not in self._texts:
            self._texts[name] = self._read(name)
        return self._texts[name]

    def path(self, name: str) -> Path | None:
        """Return where a file is; None if it is not there."""
        ends = [path for path in self._paths.get(PurePath(name).name, ()) if _ends(path, name)]
        return ends[0] if len(ends) == 1 else None

    def _read(self, name: str) -> list[str] | None:
        path = self.path(name)
        try:
            if path is None or path.stat().st_size > MOST_BYTES:
                return None
            return path.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return None

    @cached_property
    def _paths(self) -> dict[str, list[Path]]:
        """The files that are there, by their last name."""
        # Imported here: most commands quote nothing.
        from tensix_gdb.gdbstub.tensix.output.source_map import SourceMap

        found: dict[str, dict[Path, None]] = {}
        for image in self._images:
            for path in map(Path, SourceMap(image).files()):
                if path.is_file():
                    found.setdefault(path.name, {})[path] = None
        return {name: list(paths) for name, paths in found.items()}


def _ends(path: Path, name: str) -> bool:
    """True if a path may be called so."""
    parts = PurePath(name).parts
    return path.parts[-len(parts) :] == parts
