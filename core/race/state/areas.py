# SPDX-License-Identifier: Apache-2.0
"""Programs, buffers and stacks of a tile, for the memory checks: what is where, and overlaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    L1_BYTES,
    LOCAL_BASE,
)
from tensix_gdb.core.arch.chips import BLACKHOLE, LOCAL_BYTES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.overlay import STREAMS
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.fields import LINE_BYTES
from tensix_gdb.core.race.state.fields import (
    BUFFERS,
    CODE,
    FIRST_BUFFER,
    GIVEN,
    L1_LINES,
    MAILBOXES,
    NO_AREA,
    SHARED,
)
from tensix_gdb.core.record.layout import View

AFTER = 64  # lines after the last arguments that are watched for reads of more
# Where linker scripts of LLK, tt-metal and this project put the end of a hart's data.
_ENDS = ("__ldm_bss_end", "__bss_end__", "__bss_end", "_end", "end", "__ldm_data_end")


@dataclass(frozen=True, slots=True)
class Buffer:
    """Bytes of L1 for tiles. `page` bytes are pushed and popped at a time, and counted by `stream`
    of the NoC overlay, if it is a circular buffer."""

    name: str
    first: int
    size: int
    page: int = 0
    stream: int | None = None

    def __post_init__(self) -> None:
        if self.first < 0 or self.size <= 0 or self.first + self.size > L1_BYTES:
            raise ValueError(
                f"buffer {self.name}: {self.first:#x} to {self.first + self.size:#x} is not in L1"
            )

    @property
    def end(self) -> int:
        return self.first + self.size


@dataclass(frozen=True, slots=True)
class Arguments:
    """Bytes of L1 with runtime arguments of the kernel of a hart. Those that `is_common` are the
    same on all tiles."""

    hart: int
    first: int
    end: int
    is_common: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two areas, and the bytes that they have in common."""

    one: str
    other: str
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Area:
    """Bytes of L1 with a name."""

    name: str
    first: int
    end: int
    is_code: bool


def code_of(images: Iterable[Image]) -> Iterator[Area]:
    """Yield the code of the programs that is in L1."""
    for image in images:
        hart = "" if image.hart is None else f" of {HART_NAMES[image.hart]}"
        for segment in image.code:
            if segment.addr < L1_BYTES and segment.data:
                yield Area(f"the code of {image.path.name}{hart}", segment.addr, segment.end, True)


def fill(
    S: View,
    row: memoryview,
    images: Sequence[Image],
    buffers: Sequence[Buffer],
    mailboxes: range = range(0),
) -> list[Overlap]:
    """Put what is where into the record, the areas into their `row`; which of them overlap. Of more
    than BUFFERS buffers, the first ones are known. `mailboxes` are the bytes of tt-metal's."""
    buffers = buffers[:BUFFERS]
    areas = bytearray(L1_LINES)
    for i, buffer in enumerate(buffers):
        first, last = buffer.first // LINE_BYTES, (buffer.end - 1) // LINE_BYTES
        for line in range(first, last + 1):
            areas[line] = FIRST_BUFFER + i if areas[line] == NO_AREA else SHARED
    for line in {at // LINE_BYTES for at in mailboxes[::4]}:
        areas[line] = MAILBOXES
    code = list(code_of(images))
    for area in code:
        first, last = area.first // LINE_BYTES, (area.end - 1) // LINE_BYTES
        areas[first : last + 1] = bytes([CODE]) * (last + 1 - first)
    row[:] = areas
    S.state.buffers = len(buffers)
    S.state.ring = sum(buffer.stream is not None for buffer in buffers)
    for stream in range(STREAMS):
        S.state.buffer_of[stream] = 0
    for i, buffer in enumerate(buffers):
        S.state.first[i], S.state.size[i] = buffer.first, buffer.size
        S.state.page[i] = buffer.page
        S.state.stream[i] = 0 if buffer.stream is None else buffer.stream + 1
        if buffer.stream is not None:
            S.state.buffer_of[buffer.stream] = i + 1
    for hart in range(HARTS):
        S.state.floor[hart] = floor(images, hart, int(S.tile.chip))
    named = [Area(f"buffer {one.name}", one.first, one.end, False) for one in buffers]
    return list(overlaps([*code, *named]))


def give(row: memoryview, words: memoryview, arguments: Sequence[Arguments]) -> None:
    """Put into its `row` of the record which hart may read which line with arguments, and into
    another one which words of it. A line after the last ones is none's: what lies there belongs to
    the program, and is no argument. No two harts have arguments in one line."""
    lines, parts = bytearray(L1_LINES), bytearray(L1_LINES)
    if arguments:
        first = min(one.first for one in arguments) // LINE_BYTES
        last = max(one.end for one in arguments) // LINE_BYTES
        lines[first : last + AFTER] = bytes([GIVEN]) * (last + AFTER - first)
    for one in arguments:
        for line in range(one.first // LINE_BYTES, -(-one.end // LINE_BYTES)):
            lines[line] |= 1 << one.hart
        for word in range(one.first // 4, one.end // 4):
            parts[word // 4] |= 1 << word % 4
    row[:], words[:] = lines[:L1_LINES], parts[:L1_LINES]


def overlaps(areas: Sequence[Area]) -> Iterator[Overlap]:
    """Pairs of areas with bytes in common. Buffers that begin at one address share it on
    purpose."""
    for one, other in combinations(sorted(areas, key=lambda area: area.first), 2):
        first, end = max(one.first, other.first), min(one.end, other.end)
        shares = not one.is_code and not other.is_code and one.first == other.first
        same = one.is_code and other.is_code and (one.first, one.end) == (other.first, other.end)
        if first < end and not shares and not same:
            yield Overlap(one.name, other.name, first, end)


def floor(images: Iterable[Image], hart: int, chip: int = BLACKHOLE) -> int:
    """Return the end of what a hart's programs have in its local RAM, below which no stack may go;
    the beginning of local RAM if that is not known."""
    last, whole = LOCAL_BASE, LOCAL_BASE + LOCAL_BYTES[HARTS * chip + hart]
    for image in images:
        if image.hart != hart:
            continue
        ends = [segment.end for segment in image.segments]
        ends += [addr for name in _ENDS if (addr := image.symbol(name)) is not None]
        in_local = (end for end in ends if LOCAL_BASE < end < whole)
        last = max(last, *in_local, LOCAL_BASE)
    return last
