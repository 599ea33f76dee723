# SPDX-License-Identifier: Apache-2.0
"""The tables of an ELF file: symbols, code, relocations, source lines. Addresses are the file's.

Damaged tables raise what elftools raises; core/program/elf.py knows what to make of it.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator
from typing import Any

from elftools.common.exceptions import DWARFError, ELFError
from elftools.construct.core import ConstructError
from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.program.relocate import Relocation

# What elftools raises where a file contradicts itself, and where its lines do.
DAMAGED = (ELFError, ConstructError, AssertionError)
DAMAGED_LINES = (*DAMAGED, DWARFError)

_SYMBOL = struct.Struct("<IIIBxxx")  # Elf32_Sym: name, value, size, info; other and section
_FUNCTION = 2  # STT_FUNC
_NAMED = (0, 1, _FUNCTION)  # STT_NOTYPE, STT_OBJECT


def open_elf(content: bytes) -> ELFFile:
    """Return the file with this content."""
    return ELFFile(io.BytesIO(content))


def symbols(elf: ELFFile) -> Iterator[tuple[str, int, int, bool]]:
    """Functions and objects: name, address, size, and whether it is a function.

    Entry by entry elftools takes a sixth of a second for a kernel of tt-metal, in which a server
    answers no client.
    """
    for section in elf.iter_sections():
        if not isinstance(section, SymbolTableSection):
            continue
        data, names = section.data(), section.stringtable.data()
        for entry in _SYMBOL.iter_unpack(data[: len(data) - len(data) % _SYMBOL.size]):
            at, value, size, info = entry
            kind = info & 0xF
            name = names[at : names.find(b"\0", at)] if kind in _NAMED else b""
            if name:
                yield name.decode("utf-8", "replace"), value, size, kind == _FUNCTION


def relocations(elf: ELFFile) -> Iterator[Relocation]:
    """Yield the places in memory that depend on addresses, if the linker has kept them."""
    for section in elf.iter_sections():
        if not isinstance(section, RelocationSection) or not section.is_RELA():
            continue
        where = elf.get_section(section["sh_info"])
        if not where["sh_flags"] & SH_FLAGS.SHF_ALLOC:
            continue
        # The bytes are where the file is loaded, which of initialised data is elsewhere than where
        # it is used.
        shift = _load_shift(elf, where["sh_addr"])
        table = elf.get_section(section["sh_link"])
        assert isinstance(table, SymbolTableSection)
        for entry in section.iter_relocations():
            symbol = table.get_symbol(entry["r_info_sym"])
            value, own = symbol["st_value"], symbol["st_shndx"]
            moves = isinstance(own, int) and value < L1_BYTES
            place, target = entry["r_offset"] + shift, value + entry["r_addend"]
            yield Relocation(entry["r_info_type"], place, target, moves)


def _load_shift(elf: ELFFile, addr: int) -> int:
    """Return how far it is from where a section is used to where its bytes are loaded."""
    for header in elf.iter_segments("PT_LOAD"):
        if header["p_vaddr"] <= addr < header["p_vaddr"] + header["p_memsz"]:
            return int(header["p_paddr"] - header["p_vaddr"])
    return 0


def lines(elf: ELFFile) -> Iterator[tuple[int, str, int]]:
    """Rows of the line tables: address, file, line; line 0 ends a sequence."""
    if not elf.has_dwarf_info():
        return
    # What the linker has left of its relocations is done already.
    dwarf = elf.get_dwarf_info(relocate_dwarf_sections=elf["e_type"] == "ET_REL")
    for unit in dwarf.iter_CUs():
        program = dwarf.line_program_for_CU(unit)
        if program is None:
            continue
        names = _file_names(program)
        for entry in program.get_entries():
            state = entry.state
            if state is not None:
                line = 0 if state.end_sequence else state.line
                yield state.address, names(state.file), line


def _file_names(program: Any) -> Callable[[int], str]:
    entries = program.header["file_entry"]
    first = 0 if program.header["version"] >= 5 else 1

    def name(index: int) -> str:
        at = index - first
        if not 0 <= at < len(entries):
            return "?"
        raw = entries[at].name
        return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)

    return name
