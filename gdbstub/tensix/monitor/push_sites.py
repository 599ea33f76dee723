# SPDX-License-Identifier: Apache-2.0
"""Places in programs that push Tensix instructions: by line, function, address."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import PurePath

from tensix_gdb.core.assembly.tensix_names import nearby, spellings
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.program.elf import Image, moved
from tensix_gdb.gdbstub.protocol.target import TargetError

END = 1 << 32
MAX_CODE = 0x10000  # bytes of a place that are looked through
STORE = 0x23
LINE = re.compile(r"(.+):(\d+)")
_FUNCTION = re.compile(r"(?:[^:]+:)?(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*")
_RANGE = re.compile(r"(0x[0-9a-fA-F]+|\d+)(?:-(0x[0-9a-fA-F]+|\d+))?")


@dataclass(frozen=True, slots=True)
class PushSites:
    """The places that pushes come from; `hart` is that of the file it was found in, or None."""

    ranges: tuple[tuple[int, int], ...]
    hart: int | None = None


def _number(text: str) -> int:
    """Of hexadecimal digits after 0x, or of decimal ones, with or without leading zeros."""
    return int(text, 16 if text[:2] == "0x" else 10)


def places_called(machine: Machine, text: str) -> list[PushSites]:
    """`unpack.c:45`, `compute`, `0x6010` or `0x6010-0x6020`, without its end; in every program."""
    match = _RANGE.fullmatch(text)
    if match is not None:
        lo = _number(match[1])
        hi = _number(match[2]) if match[2] else lo + 4
        if not lo < hi <= END:
            raise TargetError(f"{text} is no range of addresses")
        return [PushSites(((lo, hi),))]
    places = []
    line = LINE.fullmatch(text)
    for image in machine.images:
        ranges: tuple[tuple[int, int], ...] = ()
        symbol = image.symbol_called(text)
        if line is not None:
            ranges = _ranges_from_line(image, line[1], int(line[2]))
        elif symbol is not None and symbol.is_function:
            ranges = ((symbol.addr, symbol.addr + max(symbol.size, 4)),)
        if line is None:
            ranges += ranges_of_inlined(image, text)
        if ranges:
            places.append(PushSites(ranges, image.hart))
    if not places and line is not None:
        raise TargetError(f"no program has code for {text}; `monitor status` lists what is loaded")
    if not places:
        known = [
            defined.shown
            for image in machine.images
            for defined in image.symbols.values()
            if defined.size
        ]
        hint = nearby(text.upper(), spellings(Arch.BLACKHOLE)) or nearby(text, known)
        raise TargetError(
            f"{text!r} is no Tensix instruction, no function, no line, no address{hint}"
        )
    return places


def ranges_of_line(image: Image, file: str, line: int) -> tuple[tuple[int, int], ...]:
    """Return all code of a line, in every place where it was inlined."""
    wanted = PurePath(file).parts
    ranges = []
    for (lo, name, number), (hi, _, _) in pairwise(image.lines):
        if number == line and lo < hi and PurePath(name).parts[-len(wanted) :] == wanted:
            ranges.append((lo, hi))
    return tuple(ranges) or _ranges_of_calls(image, file, line)


def _ranges_from_line(image: Image, file: str, line: int) -> tuple[tuple[int, int], ...]:
    """Return all code of a line with what was inlined at it, which pushes for it."""
    ranges = ranges_of_line(image, file, line)
    return tuple(dict.fromkeys((*ranges, *_ranges_of_calls(image, file, line)))) if ranges else ()


def _ranges_of_calls(image: Image, file: str, line: int) -> tuple[tuple[int, int], ...]:
    """Return the code of what was inlined at a line that has none of its own: each instruction of a
    vFloat's arithmetic belongs to a line of sfpi.h."""
    if not image.content:
        return ()  # made in memory
    from tensix_gdb.core.dwarf.info import debug_info
    from tensix_gdb.core.dwarf.named import called_at

    return tuple(
        (moved(lo, image.bias), moved(hi, image.bias))
        for block in called_at(debug_info(image.content), file, line)
        for lo, hi in block.ranges
    )


def ranges_of_inlined(image: Image, text: str) -> tuple[tuple[int, int], ...]:
    """Return the code of a function, NAME or FILE:NAME, in every place where it was inlined; of one
    that is named with its file, its own code too."""
    if not image.content or not _FUNCTION.fullmatch(text):
        return ()  # made in memory
    # Imported here: others start without what reads DWARF.
    from tensix_gdb.core.dwarf.info import debug_info
    from tensix_gdb.core.dwarf.named import called

    found = called(debug_info(image.content), text)
    return tuple(
        (moved(lo, image.bias), moved(hi, image.bias))
        for block in found
        if block.inlined or text != block.name
        for lo, hi in block.ranges
    )


def pushes_in(machine: Machine, places: Sequence[PushSites]) -> tuple[list[int], int]:
    """Return the `.ttinsn` words there, and the number of stores."""
    pushes: list[int] = []
    stores = 0
    for place in places:
        for lo, hi in place.ranges:
            lo = -(-lo // 4) * 4
            for at, word in enumerate(_words(machine, place.hart or 0, lo, min(hi - lo, MAX_CODE))):
                if word & 3 != 3:
                    pushes.append(lo + 4 * at)
                stores += word & 0x7F == STORE
    return pushes, stores


def _words(machine: Machine, hart: int, addr: int, length: int) -> list[int]:
    try:
        data = machine.peek(hart, addr, length)
    except MemoryFault:
        return []
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data) & ~3, 4)]
