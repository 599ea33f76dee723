# SPDX-License-Identifier: Apache-2.0
"""Listings of ELF files: RISC-V and Tensix instructions together, with functions and source lines.

    0000605c <wait_for_unpacker>:
    kernel.c:118            TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::TRISC_CFG);
          605c:  88101002  .ttinsn  STALLWAIT block=B3, wait=C10
          6060:  00f52023  sw       a5,0(a0)  # pushes SEMINIT new_max=1, sem=S1

What a store pushes is told as far as `pushes` finds it. Source text is shown where the file is
found beside the ELF file or in the current folder.
"""

from __future__ import annotations

import bisect
import struct
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tensix_gdb.core.assembly.pushes import Push, pushes
from tensix_gdb.core.assembly.rv32 import DEFAULT, Style, show
from tensix_gdb.core.assembly.tensix_text import show as show_tensix
from tensix_gdb.core.assembly.tensix_text import undefined
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.program.elf import Image

TTINSN_LOW_BITS = 3


@dataclass(frozen=True, slots=True)
class Line:
    """One instruction of a listing."""

    addr: int
    word: int
    text: str
    function: str
    source: str
    tensix: int | None  # the instruction that this one pushes, if that is known
    note: str


def tensix_word(word: int) -> int | None:
    """Return the Tensix instruction that a `.ttinsn` word pushes; None for a RISC-V instruction."""
    if word & TTINSN_LOW_BITS == TTINSN_LOW_BITS:
        return None
    return word >> 2 | (word & 3) << 30


def listing(image: Image, style: Style = DEFAULT, *, with_source: bool = True) -> Iterator[Line]:
    """Yield the instructions of a file in the order of their addresses.

    Reading the line table takes most of the time; `with_source=False` saves it.
    """
    name_of = symbolizer(image)
    stores = pushes(image)
    for section in image.code:
        whole = len(section.data) & ~3
        for offset, (word,) in enumerate(struct.iter_unpack("<I", section.data[:whole])):
            addr = section.addr + 4 * offset
            function = image.function_at(addr)
            store = stores.get(addr)
            pushed = store.word if store else tensix_word(word)
            note = "" if pushed is None else undefined(pushed, Arch.BLACKHOLE)
            yield Line(
                addr,
                word,
                show(word, addr, style=style, symbols=name_of),
                function.shown if function else "",
                (image.symbolize(addr) or "") if with_source else "",
                pushed,
                _store_text(store) if store else note,
            )


def _store_text(store: Push) -> str:
    """Return in words what a store pushes."""
    to = f" to T{store.window}" if store.window else ""
    if store.word is None:
        return f"pushes a Tensix instruction{to}"
    why = undefined(store.word, Arch.BLACKHOLE)
    return f"pushes {show_tensix(store.word)}{to}{f': {why}' if why else ''}"


def symbolizer(image: Image) -> Callable[[int], str]:
    """` <name+0x10>` for an address, from the nearest symbol below it in the same code section."""
    places = sorted(
        {s.addr: s for s in sorted(image.symbols.values(), key=lambda s: s.is_function)}.values(),
        key=lambda s: s.addr,
    )
    addresses = [symbol.addr for symbol in places]

    def name(addr: int) -> str:
        at = bisect.bisect_right(addresses, addr) - 1
        section = next((s for s in image.code if s.addr <= addr < s.end), None)
        if at < 0 or section is None or addresses[at] < section.addr:
            return ""
        offset = addr - addresses[at]
        return f" <{places[at].shown}{f'+{offset:#x}' if offset else ''}>"

    return name


def source_reader(folder: Path) -> Callable[[str], str]:
    """Return the text of a `file:line` from the first file of that name; empty where there is
    none."""

    @cache
    def lines_of(name: str) -> list[str]:
        for place in (folder / name, Path(name)):
            try:
                if place.is_file():
                    return place.read_text(errors="replace").splitlines()
            except OSError:
                continue
        return []

    def text_of(source: str) -> str:
        name, _, line = source.rpartition(":")
        lines = lines_of(name)
        return lines[int(line) - 1] if int(line) <= len(lines) else ""

    return text_of


def format_listing(
    image: Image, style: Style = DEFAULT, *, with_source: bool = True
) -> Iterator[str]:
    """Yield the listing as lines of text."""
    function: str | None = None
    source = ""
    text_of = source_reader(image.path.parent)
    for line in listing(image, style, with_source=with_source):
        if line.function != function:
            function = line.function
            yield ""
            yield f"{line.addr:08x} <{function or '?'}>:"
        if line.source != source:
            source = line.source
            if source:
                yield f"{source}  {text_of(source)}".rstrip()
        mnemonic, _, operands = line.text.partition("\t")
        text = f"    {line.addr:6x}:  {line.word:08x}  {mnemonic:<8} {operands}".rstrip()
        yield f"{text}  # {line.note}" if line.note else text
