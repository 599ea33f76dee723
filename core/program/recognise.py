# SPDX-License-Identifier: Apache-2.0
"""Recognise a file by the code that is in memory, wherever a host has moved it to.

tt-metal moves kernels when it loads them: absolute addresses in their code become relative ones, in
the words that the linker's list of relocations names. So these words are left out, and all others
have to be equal. What the file has for local RAM comes after its code, as the file has it for L1.

A kernel of Wormhole's NC, or of an Ethernet core, is for its instruction RAM and waits in L1 until
it is brought there: its code is looked for in L1, and the file stays at its own addresses.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import eq

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.arch.wormhole import IRAM_BASE
from tensix_gdb.core.program.elf import Image, Segment, moved
from tensix_gdb.core.program.relocate import Kind

CHANGED = (Kind.WORD, Kind.HI20, Kind.LO12_I, Kind.LO12_S)
HEADER_BYTES = 52
PT_LOAD, SHT_RELA, SHF_ALLOC = 1, 4, 2
MIN_EQUAL = 0.5  # of the words: else its relocations need not be read
SAMPLE = 32  # words that are compared first; of them a quarter has to be equal


def code_of(content: bytes) -> tuple[int, bytes] | None:
    """Return the first bytes of an ELF file that are for L1: how far after them the entry is, and
    the bytes. None if it has none, or is damaged. Reads headers alone: there may be thousands of
    files."""
    if len(content) < HEADER_BYTES or content[:5] != b"\x7fELF\x01":
        return None
    entry, at = struct.unpack_from("<II", content, 24)
    size, count = struct.unpack_from("<HH", content, 42)
    found: list[tuple[int, int, int]] = []
    for header in range(at, at + size * count, max(size, 1)):
        if size < 32 or header + size > len(content):
            return None
        kind, offset, _, addr, in_file = struct.unpack_from("<5I", content, header)
        if kind == PT_LOAD and in_file and _waits(addr) and offset + in_file <= len(content):
            found.append((addr, offset, in_file))
    if not found:
        return None
    in_ram = [one for one in found if one[0] >= IRAM_BASE]
    addr, offset, in_file = min(in_ram or found)
    return entry - addr, content[offset : offset + in_file]


def resembles(code: bytes, memory: bytes) -> bool:
    """True if at least half of the words are equal."""
    count = min(len(code), len(memory)) // 4
    if not count or len(memory) < len(code):
        return False
    # Of thousands of files most are refused by some of their words.
    some = range(0, count, max(1, count // SAMPLE))
    if sum(code[4 * i : 4 * i + 4] == memory[4 * i : 4 * i + 4] for i in some) < len(some) // 4:
        return False
    words = f"<{count}I"
    equal = map(eq, struct.unpack_from(words, code), struct.unpack_from(words, memory))
    return sum(equal) >= count * MIN_EQUAL


def _waits(addr: int) -> bool:
    """True if a host writes what is for this address to L1."""
    return addr < L1_BYTES or addr >= IRAM_BASE


def words_that_move(content: bytes) -> set[int] | None:
    """Return the addresses of the words that a host changes when it moves a file, of the linker's
    lists of relocations (those of elf_tables.py, in a hundredth of the time: there may be hundreds
    of files with nearly the same code). None if the file is damaged."""
    if not content:
        return set()  # made in memory
    try:
        programs, sections = struct.unpack_from("<II", content, 28)
        _, size, count, step, number = struct.unpack_from("<5H", content, 40)
        loaded = [struct.unpack_from("<6I", content, programs + size * i) for i in range(count)]
        headers = [struct.unpack_from("<10I", content, sections + step * i) for i in range(number)]
        found: set[int] = set()
        for _, kind, _, _, offset, length, _, of, _, _ in headers:
            if kind != SHT_RELA or not headers[of][2] & SHF_ALLOC:
                continue
            at = headers[of][3]
            shift = next(
                (p - v for t, _, v, p, _, m in loaded if t == PT_LOAD and v <= at < v + m), 0
            )
            entries = struct.iter_unpack("<III", content[offset : offset + length])
            found.update(place + shift for place, info, _ in entries if info & 0xFF in CHANGED)
    except (struct.error, IndexError):
        return None
    return found


def in_iram(image: Image) -> bool:
    """True if its code is for the instruction RAM of Wormhole's NC."""
    return any(segment.addr >= IRAM_BASE for segment in image.segments)


def is_in_l1(image: Image, read: Callable[[int, int], bytes], entry: int) -> bool:
    """True if all bytes that it has for L1 are there, as `read` tells of an address and a length;
    of one for the instruction RAM, from `entry` on."""
    moves = entry - image.entry if in_iram(image) else 0
    return all(
        read(segment.addr + moves, len(segment.data)) == segment.data for segment in _placed(image)
    )


def _placed(image: Image) -> list[Segment]:
    """Return what a host writes to L1 for it; of one for an instruction RAM its code alone: an
    Ethernet kernel has data in L1 besides, where it stays, and changes it."""
    placed = [segment for segment in image.segments if _waits(segment.addr)]
    return [segment for segment in placed if segment.addr >= IRAM_BASE] or placed


def length_in_l1(image: Image) -> int:
    """Return bytes from the first one that it has for L1 up to the last one."""
    placed = _placed(image)
    return max(segment.end for segment in placed) - placed[0].addr if placed else 0


def moved_here(image: Image, addr: int, memory: bytes) -> Image | None:
    """Return the file as it is in memory: its first byte for L1 at `addr`, its code as `memory`
    from there on has it. None if that is other code."""
    placed = _placed(image)
    if not placed or len(memory) < length_in_l1(image):
        return None
    if in_iram(image):
        start = image.entry - placed[0].addr
        is_there = is_in_l1(image, lambda at, size: memory[at:][:size], start)
        return image.as_at(0, image.segments) if is_there else None
    changed = words_that_move(image.content)
    if changed is None:
        return None
    first = placed[0].addr
    segments: list[Segment] = []
    for segment in image.segments:
        if segment.addr >= L1_BYTES:
            segments.append(segment)
            continue
        there = memory[segment.addr - first :][: len(segment.data)]
        if not _is_same(segment, there, changed):
            return None
        segments.append(Segment(moved(segment.addr, addr - first), there))
    return image.as_at(addr - first, tuple(segments))


def _is_same(segment: Segment, there: bytes, changed: set[int]) -> bool:
    if segment.data == there:
        return True
    for at in range(0, len(segment.data), 4):
        if segment.data[at : at + 4] != there[at : at + 4] and segment.addr + at not in changed:
            return False
    return True
