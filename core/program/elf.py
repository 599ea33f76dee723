# SPDX-License-Identifier: Apache-2.0
"""ELF files: reading, checking, symbols and source lines (elf_tables.py reads the tables).

`read_elf` checks everything it will use, so that a wrong file is one sentence here and not a
surprise later; symbols and line tables are read when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES, HARTS, L1_BYTES, LOCAL_BASE
from tensix_gdb.core.arch.chips import BLACKHOLE, L1_END, LOCAL_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf_damage import damage
from tensix_gdb.core.program.elf_headers import (
    COMPRESSED,
    EXECUTABLE,
    RISCV,
    executed,
    header_of,
    loaded,
)
from tensix_gdb.core.program.file_tables import FileTables, Symbol
from tensix_gdb.core.program.relocate import Relocation, RelocationError, relocate

# elf_tables.py imports elftools. A tile does without until tables are read.
MAX_FILE_BYTES = 256 << 20


class LoadError(ValueError):
    """A file cannot be loaded; the message is one sentence that names it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Bytes for memory from `addr` on, as the hart sees it; zero-filled to the size in memory."""

    addr: int
    data: bytes

    @property
    def end(self) -> int:
        return self.addr + len(self.data)


@dataclass
class Image:
    """A checked ELF file. Its addresses in L1 are `bias` bytes from where they are in the file."""

    path: Path
    entry: int
    segments: tuple[Segment, ...]
    content: bytes = field(repr=False)
    hart: int | None = None
    bias: int = 0
    tables: FileTables = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.tables = FileTables(self.content)

    def as_at(self, bias: int, segments: tuple[Segment, ...]) -> Image:
        """Return the same file `bias` bytes further on, with these bytes; what is read of its
        tables is shared."""
        entry = moved(self.entry, bias)
        moved_there = replace(self, entry=entry, segments=segments, bias=self.bias + bias)
        moved_there.tables = self.tables
        return moved_there

    def moved_to(self, addr: int) -> Image:
        """The same file with the first byte that it has for L1 at `addr`; what is meant for local
        RAM stays. Absolute addresses in it are corrected if the linker has left a list of them;
        otherwise the code has to be position independent."""
        assert not self.bias, "the list has the addresses of the file"
        in_l1 = [segment.addr for segment in self.segments if segment.addr < L1_BYTES]
        if not in_l1:
            raise LoadError(f"{self.path}: nothing in it is for L1")
        bias = addr - min(in_l1)
        held = [(segment.addr, bytearray(segment.data)) for segment in self.segments]

        def at(place: int) -> tuple[bytearray, int]:
            for start, data in held:
                if start <= place <= start + len(data) - 4:
                    return data, place - start
            raise RelocationError(f"nothing of it is at {place:#010x}")

        def read(place: int) -> int:
            data, offset = at(place)
            return int.from_bytes(data[offset : offset + 4], "little")

        def write(place: int, word: int) -> None:
            data, offset = at(place)
            data[offset : offset + 4] = word.to_bytes(4, "little")

        try:
            relocate(self.relocations, bias, read, write)
        except RelocationError as problem:
            raise LoadError(f"{self.path}: cannot be moved: {problem}") from None
        segments = tuple(Segment(moved(start, bias), bytes(data)) for start, data in held)
        return self.as_at(bias, segments)

    def section(self, name: str) -> tuple[int, bytes] | None:
        """Return address and bytes of a section; None when there is none."""
        if not self.content:
            return None  # made in memory
        from tensix_gdb.core.program import elf_tables

        try:
            section = self.tables.elf.get_section_by_name(name)
            return None if section is None else (section["sh_addr"], bytes(section.data()))
        except elf_tables.DAMAGED:
            return None

    @cached_property
    def relocations(self) -> list[Relocation]:
        """The places in memory that depend on addresses, if the linker has kept them."""
        if not self.content:
            return []  # made in memory
        from tensix_gdb.core.program import elf_tables

        try:
            return list(elf_tables.relocations(self.tables.elf))
        except (*elf_tables.DAMAGED, KeyError, AttributeError):
            raise LoadError(f"{self.path}: its relocations cannot be read") from None

    @cached_property
    def symbols(self) -> dict[str, Symbol]:
        """Functions and objects by name; the first of a name wins."""
        symbols: dict[str, Symbol] = {}
        for symbol in self.tables.symbols:
            symbols.setdefault(symbol.name, self._placed(symbol))
        return symbols

    def _placed(self, symbol: Symbol) -> Symbol:
        return replace(symbol, addr=moved(symbol.addr, self.bias)) if self.bias else symbol

    def _in_file(self, addr: int) -> int:
        return addr - self.bias if addr < L1_BYTES else addr

    @cached_property
    def code(self) -> tuple[Segment, ...]:
        """The sections that hold instructions, by address; without sections, all that is loaded."""
        if not self.content:
            return self.segments  # made in memory
        segments = [Segment(moved(addr, self.bias), data) for addr, data in executed(self.content)]
        return tuple(sorted(segments, key=lambda s: s.addr)) or self.segments

    def symbol(self, name: str) -> int | None:
        """Return the address of a symbol, or None."""
        known = self.symbol_called(name)
        return None if known is None else known.addr

    def symbol_called(self, name: str) -> Symbol | None:
        """Return the symbol of this name, as the file has it or as people see it."""
        known = self.symbols.get(name)
        return self._shown.get(name) if known is None else known

    @cached_property
    def _shown(self) -> dict[str, Symbol]:
        """Symbols of C++ by what people see; the first of a name wins."""
        shown: dict[str, Symbol] = {}
        for symbol in self.symbols.values():
            if symbol.shown != symbol.name:
                shown.setdefault(symbol.shown, symbol)
        return shown

    def function_at(self, addr: int) -> Symbol | None:
        """Return the function with `addr` in its code, or None."""
        symbol = self.tables.function_at(self._in_file(addr))
        return None if symbol is None else self._placed(symbol)

    @property
    def lines(self) -> list[tuple[int, str, int]]:
        """Rows (address, file, line) by address; line 0 ends a sequence. Empty without DWARF."""
        rows = self.tables.lines
        if not self.bias:
            return rows
        return [(moved(addr, self.bias), file, line) for addr, file, line in rows]

    def symbolize(self, addr: int) -> str | None:
        """`file:line` of the code at `addr`, or None when the file does not say."""
        return self.tables.symbolize(self._in_file(addr))

    def covers(self, addr: int) -> bool:
        """True if a segment holds `addr`."""
        return any(segment.addr <= addr < segment.end for segment in self.segments)


def moved(addr: int, bias: int) -> int:
    """Return an address of a file that was loaded `bias` bytes from where it was linked for."""
    return addr + bias if addr < L1_BYTES else addr


def read_elf(path: str | Path) -> Image:
    """Read and check an ELF file for the tile; LoadError with one sentence when it is not one."""
    path = Path(path)
    return image_of(path, _read(path))


def image_of(path: Path, content: bytes) -> Image:
    """Check the content of an ELF file for the tile; LoadError with a sentence about `path`."""
    if content[:4] != b"\x7fELF":
        raise LoadError(f"{path}: not an ELF file")
    if len(content) < 52:
        raise LoadError(f"{path}: the file is truncated: it ends inside the ELF header")
    if content[4] != 1:
        raise LoadError(f"{path}: a 64-bit ELF file; the tile's harts are 32-bit (rv32im)")
    if content[5] != 1:
        raise LoadError(f"{path}: a big-endian ELF file; the tile's harts are little-endian")
    if damaged := damage(content):
        raise LoadError(f"{path}: {damaged}")
    header = header_of(content)
    if header.machine != RISCV or header.kind != EXECUTABLE:
        from elftools.elf.enums import ENUM_E_MACHINE, ENUM_E_TYPE

        if header.machine != RISCV:
            built_for = _named(ENUM_E_MACHINE, header.machine)
            raise LoadError(f"{path}: built for {built_for}, not RISC-V")
        kind = _named(ENUM_E_TYPE, header.kind)
        raise LoadError(f"{path}: not an executable ({kind}); link it with a linker script")
    if header.flags & COMPRESSED:
        raise LoadError(
            f"{path}: uses compressed instructions, which the tile's harts do not have; "
            "build with -march=rv32im_zicsr_zba_zbb"
        )
    segments = tuple(_segments(path, content))
    if not segments:
        raise LoadError(f"{path}: no segment to load; is it linked?")
    return Image(path, header.entry, segments, content)


def _named(names: Mapping[str, int], number: int) -> str:
    """Return the name that ELF has for a number, which no file of the tile has."""
    return next((name for name, value in names.items() if value == number), str(number))


def _read(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise LoadError(f"{path}: a directory, not an ELF file")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise LoadError(f"{path}: larger than {MAX_FILE_BYTES >> 20} MiB; not for this tile")
        return path.read_bytes()
    except OSError as error:
        raise LoadError(f"{path}: cannot be read: {error.strerror}") from None


def _segments(path: Path, content: bytes) -> list[Segment]:
    segments: list[Segment] = []
    for each in loaded(content):
        addr, in_file, in_memory = each.addr, each.in_file, each.in_memory
        if each.offset + in_file > len(content) or in_file > in_memory:
            raise LoadError(
                f"{path}: the file is truncated: segment {each.number} is not all there"
            )
        if in_memory > L1_BYTES:
            raise LoadError(
                f"{path}: segment {each.number} has {in_memory} bytes, more than all of L1"
            )
        # Bytes go to the load address, where start-up code copies initialised data from (tt-metal's
        # crt does); the zeros after them belong to where the segment runs.
        zeros = in_memory - in_file if addr == each.runs_at else 0
        if in_file + zeros:
            data = content[each.offset : each.offset + in_file]
            segments.append(Segment(addr, data + bytes(zeros)))
    segments.sort(key=lambda segment: segment.addr)
    for left, right in pairwise(segments):
        if left.end > right.addr:
            raise LoadError(
                f"{path}: segments overlap: {left.addr:#010x}..{left.end:#010x} and "
                f"{right.addr:#010x}..{right.end:#010x}"
            )
    return segments


def check_mapped(image: Image, hart: int, chip: int = BLACKHOLE) -> None:
    """LoadError when a segment or the entry lies where `hart` of a chip has no memory."""
    l1_end, local_end = L1_END[chip], LOCAL_BASE + LOCAL_BYTES[chip * HARTS + hart]
    for segment in image.segments:
        in_l1 = segment.end <= l1_end
        in_local = segment.addr >= LOCAL_BASE and segment.end <= local_end
        if not (in_l1 or in_local):
            raise LoadError(
                f"{image.path}: segment {segment.addr:#010x}..{segment.end:#010x} is in no memory "
                f"of {HART_NAMES[hart]}: L1 ends at {l1_end:#x}, its local RAM is "
                f"{LOCAL_BASE:#x}..{local_end:#x}"
            )
    if image.entry >= l1_end or image.entry & 3:
        raise LoadError(
            f"{image.path}: the entry {image.entry:#010x} is not an instruction's address in L1"
        )


def check_apart(images: list[Image]) -> None:
    """LoadError when two images put different bytes at the same address of L1."""
    placed = sorted(
        (
            (s.addr, s.end, s, image)
            for image in images
            for s in image.segments
            if s.end <= L1_BYTES
        ),
        key=lambda entry: entry[0],
    )
    for (_, end, left, first), (addr, _, right, second) in pairwise(placed):
        if addr < end and first is not second:
            overlap = min(end, right.end) - addr
            if left.data[addr - left.addr :][:overlap] != right.data[:overlap]:
                raise LoadError(
                    f"{second.path} and {first.path} overlap in L1 from {addr:#010x} on"
                )
