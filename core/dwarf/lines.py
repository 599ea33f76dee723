# SPDX-License-Identifier: Apache-2.0
"""The line table of a file: which line an address belongs to, and where a line's code is."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.parsing import DAMAGED


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the line table; line 0 ends a sequence."""

    addr: int
    file: str
    line: int
    statement: bool
    name: str = ""  # of the file, without the folder that the line table has for it


class LineTable:
    """The rows of all units."""

    def __init__(self, dwarf: Any, units: Sequence[Any]) -> None:
        self._dwarf = dwarf
        self._units = units

    @cached_property
    def rows(self) -> list[Row]:
        """The line table by address."""
        rows: list[Row] = []
        for unit in self._units:
            try:
                rows += self._rows_of(unit)
            except DAMAGED:
                continue
        # At one address the row that ends a sequence comes before the one that starts the next.
        rows.sort(key=lambda row: (row.addr, row.line != 0))
        return rows

    def _rows_of(self, unit: Any) -> Iterator[Row]:
        program = self._dwarf.line_program_for_CU(unit)
        if program is None:
            return
        paths, names = file_names(program), dict(_numbered_names(program))
        for entry in program.get_entries():
            state = entry.state
            if state is not None:
                line, file = 0 if state.end_sequence else state.line, state.file
                path, name = paths.get(file, "?"), names.get(file, "?")
                yield Row(state.address, path, line, state.is_stmt, name)

    @cached_property
    def _row_addrs(self) -> list[int]:
        return [row.addr for row in self.rows]

    def at(self, pc: int) -> Row | None:
        """Return the row of the code at `pc`: the last one there, or the last that is a
        statement."""
        at = bisect.bisect_right(self._row_addrs, pc) - 1
        if at < 0 or not self.rows[at].line:
            return None
        row = self.rows[at]
        same = at
        while same >= 0 and self.rows[same].addr == row.addr and self.rows[same].line:
            if self.rows[same].statement:
                return self.rows[same]
            same -= 1
        return row

    def range_at(self, pc: int) -> tuple[int, int]:
        """Return the addresses around `pc` that belong to its line; (pc, pc + 4) when none is
        known."""
        at = bisect.bisect_right(self._row_addrs, pc) - 1
        if at < 0 or not self.rows[at].line:
            return pc, pc + 4
        row = self.rows[at]

        def same(number: int) -> bool:
            other = self.rows[number]
            return (other.file, other.line) == (row.file, row.line)

        first, last = at, at + 1
        while first > 0 and same(first - 1):
            first -= 1
        while last < len(self.rows) and (same(last) or self.rows[last].addr <= pc):
            last += 1
        return self.rows[first].addr, self.rows[last].addr if last < len(self.rows) else pc + 4

    def starts(self, file: str, line: int) -> tuple[int, list[int]]:
        """Return where `file:line` begins, every time that other lines come before it."""
        wanted = _parts(file)
        mine = [r for r in self.rows if _parts(r.file)[-len(wanted) :] == wanted]
        lines = sorted({row.line for row in mine if row.line >= line and row.statement})
        if not lines:
            return 0, []
        addresses: list[int] = []
        before: Row | None = None
        for row in mine:
            if (
                row.line == lines[0]
                and row.statement
                and (before is None or before.line != row.line)
            ):
                addresses.append(row.addr)
            before = row
        return lines[0], addresses


def _parts(path: str) -> tuple[str, ...]:
    return PurePosixPath(path).parts


def file_names(program: Any) -> dict[int, str]:
    """Paths by the numbers that the line program uses."""
    header = program.header
    new = header["version"] >= 5
    folders = [part.decode("utf-8", "replace") for part in header["include_directory"]]
    names: dict[int, str] = {}
    entries = zip(header["file_entry"], _numbered_names(program), strict=True)
    for entry, (number, name) in entries:
        at = entry.dir_index if new else entry.dir_index - 1
        folder = folders[at] if 0 <= at < len(folders) else ""
        names[number] = str(PurePosixPath(folder) / name)
    return names


def _numbered_names(program: Any) -> Iterator[tuple[int, str]]:
    header = program.header
    for number, entry in enumerate(header["file_entry"], 0 if header["version"] >= 5 else 1):
        yield number, entry.name.decode("utf-8", "replace")
