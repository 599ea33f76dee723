# SPDX-License-Identifier: Apache-2.0
"""Lines of a program that GDB would forget, given back.

Where a line begins with a call that was inlined, its code is that of another file: the line table
has both lines for one address. GDB takes the first one for empty and forgets it (buildsym.c,
`record_line`: the end of a file's piece removes what begins at the same address), so `break
kernel.cpp:67` goes to the next line that is left, in another function or in another hart. Of 17
lines of a compute kernel of ttnn that SFPI had compiled, GDB 13 knew 3.

Each such line gets a sequence of its own in the line table, from its address to the middle of the
first instruction. GDB has one table for each file, so there both lines stay, and the address of
both is the one that the compiler said. LLDB has one table for all, which overlapping sequences put
into disorder, and it forgets none: the files of the user stay as they are, and GDB reads these from
the tile.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path, PurePath
from posixpath import normpath
from typing import TYPE_CHECKING, Any

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.leb128 import sleb, uleb
from tensix_gdb.core.dwarf.lines import file_names

if TYPE_CHECKING:
    from elftools.elf.elffile import ELFFile

END_SEQUENCE, SET_ADDRESS = b"\0\1\1", b"\0\5\2"  # extended opcodes, with their lengths
COPY, ADVANCE_PC, ADVANCE_LINE, SET_FILE, SET_COLUMN, NEGATE_STMT = (
    bytes([n]) for n in range(1, 7)
)
SOURCES, FIRMWARE = (".c", ".cc", ".cpp", ".cxx"), "firmware"  # suffixes; a folder of tt-metal
SHORTEST = 2  # bytes of an instruction
LENGTH_BYTES = 4  # of the field that says how long a unit is, in DWARF of 32 bits


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a line table that GDB forgets; `file` is its number in the table."""

    addr: int
    file: int
    line: int
    column: int


def with_kept_lines(content: bytes) -> bytes:
    """Return an ELF with a row of its own for each line that GDB would forget; the same bytes if
    it forgets none, or if the file's debug information cannot be read."""
    from elftools.elf.elffile import ELFFile

    from tensix_gdb.core.dwarf.parsing import DAMAGED

    try:
        return _changed(ELFFile(io.BytesIO(content)), content)
    except (*DAMAGED, AssertionError, OverflowError):
        return content  # of a damaged table elftools finds no name of a form, or no end


def gdb_forgets_lines_of(file: str) -> bool:
    """True if GDB, reading this file, would forget lines."""
    try:
        content = Path(file).read_bytes()
    except OSError:
        return False
    return len(with_kept_lines(content)) != len(content)


def is_of_kernel(file: str) -> bool:
    """True if a source file is neither a header nor the firmware's."""
    path = PurePath(normpath(file))
    return path.suffix in SOURCES and FIRMWARE not in path.parts


def _changed(elf: ELFFile, content: bytes) -> bytes:
    info, table = elf.get_section_by_name(".debug_info"), elf.get_section_by_name(".debug_line")
    if info is None or table is None or info.compressed or table.compressed:
        return content
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)  # what is linked is relocated
    changed, lines = bytearray(content), bytearray(table.data())
    moved: dict[int, int] = {}  # where a unit's lines were, and are
    for unit in dwarf.iter_CUs():
        place = unit.get_top_DIE().attributes.get("DW_AT_stmt_list")
        if place is None:
            continue
        if place.value not in moved:
            program = dwarf.line_program_for_CU(unit)
            rows = [] if program is None else _inside(program, _forgotten(program))
            moved[place.value] = _grown(lines, place.value, program, rows) if rows else place.value
        at = int(info["sh_offset"]) + place.offset
        changed[at : at + LENGTH_BYTES] = moved[place.value].to_bytes(LENGTH_BYTES, "little")
    if len(lines) == int(table["sh_size"]):
        return content
    _put_at_end(elf, changed, lines)
    return bytes(changed)


def _forgotten(program: Any) -> Iterator[Row]:
    """Yield the statements after which another file begins at the same address."""
    here: list[Row] = []
    for entry in program.get_entries():
        row = entry.state
        if row is None or not (row.is_stmt or row.end_sequence):
            continue
        if row.end_sequence or (here and row.address != here[0].addr):
            here = []
        if not row.end_sequence:
            yield from (one for one in here if one.file != row.file)
            here = [one for one in here if one.file == row.file]
            here.append(Row(row.address, row.file, row.line, row.column))


def _inside(program: Any, rows: Iterable[Row]) -> list[Row]:
    """Return the rows without those that have called a kernel which begins at the same address. Of
    files that begin at one address GDB shows the first in the table, and the firmware's are before
    a kernel's."""
    paths = file_names(program)
    kept: list[Row] = []
    for _, here in groupby(dict.fromkeys(rows), lambda row: row.addr):
        chain = list(here)
        own = [i for i, row in enumerate(chain) if is_of_kernel(paths.get(row.file, ""))]
        kept += chain[own[0] :] if own else chain
    return kept


def _grown(lines: bytearray, at: int, program: Any, rows: list[Row]) -> int:
    """Append a unit of the line table with more rows; return where it is.

    They come before the unit's own: of several lines that a file has for one address, GDB shows the
    last one, which stays the innermost."""
    length = int.from_bytes(lines[at : at + LENGTH_BYTES], "little")
    begin = program.header["default_is_stmt"]
    more = b"".join(_sequence(row, is_stmt=bool(begin)) for row in rows)
    if program.header["minimum_instruction_length"] != 1:
        raise ValueError("another unit of addresses than GNU's for RISC-V")
    begins, ends = program.program_start_offset, at + LENGTH_BYTES + length
    unit = lines[at + LENGTH_BYTES : begins] + more + lines[begins:ends]
    there = len(lines)
    lines += len(unit).to_bytes(LENGTH_BYTES, "little") + unit
    return there


def _sequence(row: Row, *, is_stmt: bool) -> bytes:
    """Encode one row, and its end."""
    parts = [SET_ADDRESS, row.addr.to_bytes(4, "little"), SET_FILE, uleb(row.file)]
    parts += [SET_COLUMN, uleb(row.column), ADVANCE_LINE, sleb(row.line - 1)]
    parts += [b"" if is_stmt else NEGATE_STMT, COPY, ADVANCE_PC, uleb(SHORTEST), END_SEQUENCE]
    return b"".join(parts)


def _put_at_end(elf: ELFFile, changed: bytearray, lines: bytearray) -> None:
    """Append the section of the line table, and let its header say so."""
    number = elf.get_section_index(".debug_line")
    header = elf["e_shoff"] + number * elf["e_shentsize"]
    for field, value in ((16, len(changed)), (20, len(lines))):  # sh_offset, sh_size of ELF32
        changed[header + field : header + field + 4] = value.to_bytes(4, "little")
    changed += lines
