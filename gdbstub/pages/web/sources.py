# SPDX-License-Identifier: Apache-2.0
"""Source lines of the loaded programs, coloured. No other file is ever read."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path, PurePath

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.util import ClassNotFound

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.explain.inlining import Step
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.gdbstub.tensix.output.source_map import SourceMap

MAX_BYTES = 4 << 20
AROUND = 200  # lines before and after the place that the page gets


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a source file of a program."""

    file: str
    line: int
    function: str


Maps = dict[int, tuple[Image, SourceMap]]  # by identity of the image


class Sources:
    """The sources of what is loaded now. Tiles of a chip share `maps`: 140 may have one image."""

    def __init__(self, machine: Machine, maps: Maps | None = None) -> None:
        self._machine = machine
        self._maps: Maps = {} if maps is None else maps
        self._here: dict[str, bool] = {}

    def _map(self, image: Image) -> SourceMap:
        # By identity: an image that was loaded again is another one.
        known = self._maps.get(id(image))
        if known is None or known[0] is not image:
            known = self._maps[id(image)] = image, SourceMap(image)
        return known[1]

    def at(self, hart: int, pc: int) -> Place | None:
        """Return the line of the code at `pc`, if its program says."""
        image = self._machine.places.image(hart, pc)
        if image is None:
            return None
        piece = self._map(image).at(pc)
        if piece is None:
            return None
        return Place(piece.file, piece.line, self._map(image).function_name(pc))

    def called_from(self, hart: int, pc: int) -> list[Step]:
        """Return the lines of the functions that the code at `pc` is inlined into, the innermost
        first; empty where nothing is inlined."""
        image = self._machine.places.image(hart, pc)
        if image is None:
            return []
        steps = self._machine.places.inlining.learn(image).at(pc)
        return steps[1:]

    def loaded(self) -> tuple[int, ...]:
        """Return what tells the loaded programs from others."""
        return tuple(map(id, self._machine.images))

    def named(self, name: str, line: int, hart: int | None) -> str:
        """Return the path of a file that the programs of a hart have by this name, else those of
        all; "" where none or several have that line, or it is not here."""
        own = [image for image in self._machine.images if image.hart == hart]
        for images in (own, self._machine.images):
            paths: dict[str, bool] = {}  # True: the line has code
            for image in images:
                for path, lines in (
                    self._map(image).lines_by_name.get(PurePath(name).name, {}).items()
                ):
                    paths[path] = paths.get(path, False) or line in lines
            with_code = [path for path, has in paths.items() if has]
            found = with_code or list(paths)
            if found:
                return found[0] if len(found) == 1 and self._is_here(found[0]) else ""
        return ""

    def _is_here(self, file: str) -> bool:
        if file not in self._here:
            path = Path(file)
            try:
                self._here[file] = path.is_file() and path.stat().st_size <= MAX_BYTES
            except OSError:
                self._here[file] = False
        return self._here[file]

    def addresses(self, file: str, line: int) -> list[int]:
        """Return where the code of a line begins, in every program that has it."""
        found: list[int] = []
        for image in self._machine.images:
            known = self._map(image)
            starts = [
                piece.lo for piece in known.pieces if piece.file == file and piece.line == line
            ]
            found += starts[:1]
        return found

    def range_at(self, hart: int, pc: int) -> tuple[int, int] | None:
        """Return the addresses around `pc` that belong to its line."""
        image = self._machine.places.image(hart, pc)
        if image is None:
            return None
        piece = self._map(image).at(pc)
        return None if piece is None else (piece.lo, piece.hi)

    def lines_with_code(self, file: str) -> dict[int, list[int]]:
        """Return, of a file, its lines that have code, and where that is."""
        found: dict[int, list[int]] = {}
        for image in self._machine.images:
            for piece in self._map(image).pieces:
                if piece.file == file:
                    found.setdefault(piece.line, []).append(piece.lo)
        return found

    def text(self, file: str) -> list[str] | None:
        """Return the lines of a file as HTML; None if it is not a source of what is loaded, or
        cannot be read."""
        if not self.lines_with_code(file):
            return None
        path = Path(file)
        try:
            state = path.stat()
        except OSError:
            return None
        if state.st_size > MAX_BYTES or not path.is_file():
            return None
        return _coloured(file, state.st_mtime_ns)


@lru_cache(maxsize=16)
def _coloured(file: str, changed: int) -> list[str] | None:
    try:
        text = Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    try:
        lexer = get_lexer_for_filename(file, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("cpp", stripnl=False)
    return highlight(text, lexer, HtmlFormatter(nowrap=True)).splitlines()
