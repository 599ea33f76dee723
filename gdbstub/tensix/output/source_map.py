# SPDX-License-Identifier: Apache-2.0
"""The source lines that the code of a program belongs to, for coverage and profiles.

`instance` tells apart the places where one function was inlined: executions of a line are those of
its most executed instruction, and of several copies the sum.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path, PurePath

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.info import debug_info
from tensix_gdb.core.dwarf.lines import Row
from tensix_gdb.core.program.elf import Image, moved


@dataclass(frozen=True, slots=True)
class Piece:
    """Code of one line, [lo, hi); when they are equal, a line that the compiler has nothing for
    but that begins there."""

    lo: int
    hi: int
    file: str
    line: int
    instance: int


@dataclass(frozen=True, slots=True)
class Function:
    """One copy of a function: where it is in the source, and its code, the entry first."""

    name: str
    file: str
    line: int
    ranges: tuple[tuple[int, int], ...]


class SourceMap:
    """The lines and functions of one loaded file, at the addresses where it was loaded."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._info = debug_info(image.content)
        self._paths: dict[str, str] = {}

    @cached_property
    def pieces(self) -> list[Piece]:
        """All code in L1 with a line, by address."""
        rows = [row for row in self._info.lines.rows if row.addr < L1_BYTES]
        pieces = []
        for number, row in enumerate(rows):
            end = rows[number + 1].addr if number + 1 < len(rows) else row.addr + 4
            if not row.line or (end == row.addr and not row.statement):
                continue
            if end == row.addr and _ends(rows, number):
                continue  # the sequence is over here: what is at the address is another's
            lo, hi = (moved(addr, self._image.bias) for addr in (row.addr, end))
            pieces.append(Piece(lo, hi, self.path(row.file), row.line, self._instance(row.addr)))
        return pieces

    def files(self) -> set[str]:
        """Return the paths of the files that have code."""
        return {self.path(row.file) for row in self._info.lines.rows if row.line}

    @cached_property
    def lines_by_name(self) -> dict[str, dict[str, set[int]]]:
        """By the name of a file without its folder: the paths that have it, each with its lines."""
        found: dict[str, dict[str, set[int]]] = {}
        for row in self._info.lines.rows:
            if row.line:
                path = self.path(row.file)
                lines = found.setdefault(PurePath(path).name, {}).setdefault(path, set())
                lines.add(row.line)
        return found

    @cached_property
    def _code(self) -> list[Piece]:
        return [piece for piece in self.pieces if piece.lo < piece.hi]

    def at(self, pc: int) -> Piece | None:
        """Return the line of the code at `pc`."""
        at = bisect.bisect_right(self._code, pc, key=lambda piece: piece.lo) - 1
        return self._code[at] if at >= 0 and pc < self._code[at].hi else None

    @cached_property
    def functions(self) -> list[Function]:
        """Functions with code of their own, and the places where one was inlined."""
        functions = []
        for block in (*self._info.functions, *self._info.all_inlined()):
            name, file, line = self._info.declared(block)
            if name and line and block.low < L1_BYTES:
                ranges = tuple(
                    (moved(lo, self._image.bias), moved(hi, self._image.bias))
                    for lo, hi in block.ranges
                )
                functions.append(Function(name, self.path(file), line, ranges))
        return functions

    def function_name(self, pc: int) -> str:
        """Return the function at `pc` as the source calls it; nothing when it does not say."""
        block = self._info.function_at(pc - self._image.bias)
        return "" if block is None else block.name

    def path(self, name: str) -> str:
        """Return the path of a source file: as it is on this machine, if it is here."""
        known = self._paths.get(name)
        if known is None:
            known = self._paths[name] = self._find(name)
        return known

    def _find(self, name: str) -> str:
        near = self._image.path.resolve().parent
        folders = [Path(folder) for folder in self._info.folders]
        for candidate in (
            *(folder / name for folder in folders if folder.is_absolute()),
            *(Path.cwd() / folder / name for folder in (Path(), *folders)),
            *(near / folder / name for folder in (Path(), *folders)),
        ):
            if candidate.is_file():
                return str(candidate.resolve())
        absolute = (str(folder / name) for folder in folders if folder.is_absolute())
        return name if name.startswith("/") else next(absolute, name)

    # Inlining

    @cached_property
    def _inlined(self) -> list[tuple[int, int, int]]:
        """Ranges (low, high, number) of inlined functions, outer ones before inner ones."""
        ranges: list[tuple[int, int, int]] = []
        for number, block in enumerate(self._info.all_inlined()):
            ranges += [(low, high, number + 1) for low, high in block.ranges]
        return ranges

    @cached_property
    def _by_page(self) -> dict[int, list[tuple[int, int, int]]]:
        pages: dict[int, list[tuple[int, int, int]]] = {}
        for inlined in self._inlined:
            for page in range(inlined[0] >> 8, (inlined[1] - 1 >> 8) + 1):
                pages.setdefault(page, []).append(inlined)
        return pages

    def _instance(self, addr: int) -> int:
        """Return the innermost inlined function at an address of the file, or the function
        itself."""
        instance = 0
        for low, high, number in self._by_page.get(addr >> 8, ()):
            if low <= addr < high:
                instance = number
        if instance:
            return instance
        function = self._info.function_at(addr)
        return 0 if function is None else -1 - function.low


def _ends(rows: list[Row], number: int) -> bool:
    """True if the next row with this address ends a sequence, and none after it starts one."""
    addr = rows[number].addr
    same = [row for row in rows[number + 1 : number + 8] if row.addr == addr]
    return bool(same) and not same[-1].line


class SourceMaps:
    """The files of each hart, by their code."""

    def __init__(self, images: list[Image]) -> None:
        self._maps = [(image, SourceMap(image)) for image in images]

    def of(self, hart: int) -> Iterator[tuple[Image, SourceMap]]:
        """Yield the files that were loaded for a hart."""
        return ((image, source_map) for image, source_map in self._maps if image.hart == hart)

    def at(self, hart: int, pc: int) -> Piece | None:
        """Return the line of what a hart executes at `pc`."""
        pieces = (source_map.at(pc) for _, source_map in self.of(hart))
        return next((piece for piece in pieces if piece is not None), None)

    def function(self, hart: int, pc: int) -> str:
        """Return the name of the function at `pc`."""
        for image, source in self.of(hart):
            symbol = image.function_at(pc)
            if symbol is not None:
                return source.function_name(pc) or symbol.shown
        return f"{pc:#010x}"
