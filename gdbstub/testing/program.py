# SPDX-License-Identifier: Apache-2.0
"""One loaded ELF: its debug information, where names and lines are, and its sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from tensix_gdb.core.dwarf.info import debug_info
from tensix_gdb.core.dwarf.named import entries, line_entries
from tensix_gdb.core.program.elf import Image


class NoSuchPlace(LookupError):
    """A place in the program is not known; the message is one sentence."""


class Program:
    """An image and what its debug information says. `folders` are searched for sources first."""

    def __init__(self, image: Image, folders: Sequence[Path] = ()) -> None:
        self.image = image
        self.info = debug_info(image.content)
        self._folders = tuple(folders)
        self._sources: dict[str, Path | None] = {}

    def addresses(self, place: str | int) -> list[int]:
        """Return where code of this place begins: a function, `file:line`, an address; of a
        function, `name` or `file:name`, that was inlined, each such place. None: empty."""
        if isinstance(place, int):
            return [place]
        file, colon, line = place.rpartition(":")
        if colon and line.isdecimal():
            return line_entries(self.info, file, int(line))[1]
        name, _, rest = place.partition("+")
        function = self.info.function(name)
        if function is not None and not rest:
            return [self.info.after_prologue(function)]
        symbol = self.image.symbol(name)
        if symbol is None and not rest:
            return entries(self.info, place)
        return [] if symbol is None else [symbol + (int(rest, 0) if rest else 0)]

    def line(self, place: str | int) -> int:
        """Return which line `file:line` means here: the next one with code. 0 for other places."""
        file, colon, line = str(place).rpartition(":")
        if not colon or not line.isdecimal():
            return 0
        return line_entries(self.info, file, int(line))[0]

    def source(self, file: str) -> Path | None:
        """Return the source file that the debug information calls `file`, if it can be found."""
        if file not in self._sources:
            self._sources[file] = next((p for p in self._candidates(file) if p.is_file()), None)
        return self._sources[file]

    def _candidates(self, file: str) -> Iterator[Path]:
        name = Path(file)
        here = self.image.path.resolve().parent
        for folder in (
            *self._folders,
            *map(Path, self.info.folders),
            here,
            *list(here.parents)[:3],
        ):
            yield folder / name
            yield folder / name.name
        yield name

    def lines(self, file: str) -> list[str]:
        """Return the text of a source file; empty when it is not found."""
        path = self.source(file)
        if path is None:
            return []
        return path.read_text(encoding="utf-8", errors="replace").splitlines()

    @cached_property
    def names(self) -> list[str]:
        """Functions and global variables, for messages."""
        return [block.name for block in self.info.functions] + list(self.info.globals)
