# SPDX-License-Identifier: Apache-2.0
"""Symbols and source lines of a file, read once for all places where it is in memory.

A host puts the same kernel into many tiles, and at another address with each launch. Addresses here
are those of the file; an Image knows how far it was moved (core/program/elf.py).
"""

from __future__ import annotations

import bisect
import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.cxx_names import readable

# elf_tables.py imports elftools. A tile needs it when a file is read, and not to be there.
if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function or object of the file."""

    name: str
    addr: int
    size: int
    is_function: bool

    @property
    def shown(self) -> str:
        """The name for people: of C++ as the source has it."""
        return readable(self.name)


@contextmanager
def no_collection() -> Iterator[None]:
    """Look for no garbage meanwhile: while debug information is read nearly all that is made stays,
    and to look through it takes several times as long as to read it."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class FileTables:
    """The tables of one file; what is damaged or missing is empty."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    @cached_property
    def elf(self) -> ELFFile:
        """The file as elftools has it."""
        from tensix_gdb.core.program import elf_tables

        return elf_tables.open_elf(self._content)

    @cached_property
    def _named(self) -> dict[str, tuple[str, int, int, bool]]:
        """Name, address, size and whether it is a function; the first of a name wins."""
        from tensix_gdb.core.program import elf_tables

        found: dict[str, tuple[str, int, int, bool]] = {}
        try:
            for row in elf_tables.symbols(self.elf):
                found.setdefault(row[0], row)
        except (*elf_tables.DAMAGED, UnicodeDecodeError):
            return found
        return found

    @cached_property
    def symbols(self) -> list[Symbol]:
        """Functions and objects, in the order of the file."""
        return [Symbol(*row) for row in self._named.values()]

    @cached_property
    def functions(self) -> list[Symbol]:
        """Functions by address."""
        # A kernel of tt-metal has thousands of symbols, most of them those of its firmware.
        found = [Symbol(*row) for row in self._named.values() if row[3]]
        return sorted(found, key=lambda s: s.addr)

    def function_at(self, addr: int) -> Symbol | None:
        """Return the function with `addr` in its code, or None."""
        at = bisect.bisect_right(self.functions, addr, key=lambda s: s.addr) - 1
        if at < 0:
            return None
        function = self.functions[at]
        return function if addr < function.addr + max(function.size, 4) else None

    @cached_property
    def lines(self) -> list[tuple[int, str, int]]:
        """Rows (address, file, line) by address; line 0 ends a sequence. Empty without DWARF."""
        from tensix_gdb.core.program import elf_tables

        try:
            with no_collection():
                rows = list(elf_tables.lines(self.elf))
        except (*elf_tables.DAMAGED_LINES, KeyError, IndexError, UnicodeDecodeError):
            return []
        # At one address the row that ends a sequence comes before the one that starts the next.
        rows.sort(key=lambda row: (row[0], row[2] != 0))
        return rows

    def take_lines(self, rows: Iterable[tuple[int, str, int]]) -> None:
        """Take the rows from a reader of all debug information, which has just read them."""
        if "lines" not in self.__dict__:
            self.__dict__["lines"] = list(rows)

    def symbolize(self, addr: int) -> str | None:
        """`file:line` of the code at `addr`, or None when the file does not say."""
        at = bisect.bisect_right(self.lines, addr, key=lambda row: row[0]) - 1
        if at < 0 or self.lines[at][2] == 0:
            return None
        return f"{self.lines[at][1]}:{self.lines[at][2]}"
