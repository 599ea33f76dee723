# SPDX-License-Identifier: Apache-2.0
"""The line that has recorded what a REPLAY plays.

The replay buffer holds words. What is played has the origin of the REPLAY that asked for it, so the
line that a person looks for is another one: SFPI's compiler records a part of a kernel and plays it
where it comes again, without a word of that in the source. The program says it: the instructions
after a REPLAY that records are recorded, as many as it counts. They are read in the order of their
addresses; instructions that are pushed by stores are not seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from tensix_gdb.core.explain.inlining import Inlining
from tensix_gdb.core.isa.opcodes import REPLAY
from tensix_gdb.core.program.elf import Image, moved
from tensix_gdb.core.program.file_tables import FileTables
from tensix_gdb.core.tensix.frontend.replay_expander import ENTRIES

MASK32 = 0xFFFFFFFF
RECORDS = 1  # bit 0 of REPLAY
MAX_SHOWN = 3

# By file: for each word the entries that it is recorded in, with the address in the file.
_Recorded = dict[int, list[tuple[int, int]]]
_KNOWN: WeakKeyDictionary[FileTables, _Recorded] = WeakKeyDictionary()


def recorded_at(
    images: Iterable[Image], hart: int, word: int, entry: int | None = None
) -> Iterator[tuple[Image, int]]:
    """Yield where a hart's programs record a word, in `entry` if that is known."""
    for image in images:
        if image.hart == hart:
            for number, addr in _of(image).get(word, ()):
                if entry is None or entry == number:
                    yield image, moved(addr, image.bias)


def recorded_text(
    images: Iterable[Image], hart: int, word: int, inlining: Inlining, entry: int | None = None
) -> str:
    """Return `add.cpp:62`, the lines of these places, separated by `or`; empty if there are
    none."""
    found = recorded_at(images, hart, word, entry)
    shown = list(dict.fromkeys(_line(image, addr, inlining) for image, addr in found))
    more = ["others"] if len(shown) > MAX_SHOWN else []
    return " or ".join([*shown[:MAX_SHOWN], *more])


def _line(image: Image, addr: int, inlining: Inlining) -> str:
    if steps := inlining.of_kernel(image, addr):
        return steps[0].place
    line = image.symbolize(addr)
    return f"{addr:#010x}" if line is None else line.rpartition("/")[2]


def _of(image: Image) -> _Recorded:
    """Return what a file records, which is read once for all places where it is."""
    known = _KNOWN.get(image.tables)
    if known is None:
        known = _KNOWN[image.tables] = {}
        for segment in image.code:
            for entry, addr, word in _recorded(segment.addr, segment.data):
                known.setdefault(word, []).append((entry, moved(addr, -image.bias)))
    return known


def _recorded(start: int, code: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the entry, the address and the word of each instruction that this code records."""
    entry = left = 0
    for at in range(0, len(code) - 3, 4):
        packed = int.from_bytes(code[at : at + 4], "little")
        if packed & 3 == 3:
            continue
        word = (packed >> 2 | packed << 30) & MASK32
        if left:
            yield entry % ENTRIES, start + at, word
            entry, left = entry + 1, left - 1
        elif word >> 24 == REPLAY and word & RECORDS:
            entry, left = word >> 14 & 31, word >> 4 & 0x3F or ENTRIES
