# SPDX-License-Identifier: Apache-2.0
"""Elements of the record as a place: what state.py does, backwards.

    place_of(machine, "gpr", "word", (69,))     gpr T1 5

What no other kind has is a row of the record. So every element has a place, and its text parses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from tensix_gdb.core.arch.blackhole import HART_NAMES, LOCAL_BASE, LOCAL_STRIDE
from tensix_gdb.core.assembly.rv32 import ALL_ABI_NAMES
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.blocks import register_name
from tensix_gdb.core.devices.registers import Element
from tensix_gdb.core.devices.wormhole.config_places import pieces
from tensix_gdb.core.isa.architecture import CHIPS, Arch
from tensix_gdb.core.isa.config_words import ConfigField, Space, config_fields
from tensix_gdb.core.places.kinds import ADC_UNITS, GPRS, trimmed
from tensix_gdb.core.places.place import Place, joined, numbered, text
from tensix_gdb.core.places.registers import element_of_register, register_of
from tensix_gdb.core.places.state import Tile
from tensix_gdb.core.record.layout import Layout, View
from tensix_gdb.core.tensix.regfiles import dst
from tensix_gdb.core.tensix.vector.state import EXTRA

Index = tuple[int, ...]


def place_of(tile: Tile, part: str, row: str, index: Index, byte: int = 0, size: int = 4) -> Place:
    """Return the place of an element; of memory `size` bytes from its byte `byte` on. A word of the
    configuration is one: `fields_at` has its fields."""
    match part, row:
        case "l1" | "local", _:
            addr = 4 * index[0] + byte
            return of_bytes(part, [range(addr, addr + size)])
        case "dst", "bits":
            found = row_of_dst(tile.S, index[0])
            if found is not None:
                return numbered("dst", found, index[1])
        case "src", "a" | "b":
            return numbered("src", *index[1:], owner=str(index[0]), name=row)
        case "vector", "lreg" if index[0] <= EXTRA:
            return numbered("lreg", *index)
        case "vector_late", "value" if index[1] <= EXTRA:
            return numbered("lreg", *index[1:])
        case "gpr", "word":
            thread, number = divmod(index[0], GPRS)
            return numbered("gpr", number, owner=f"T{thread}")
        case "mop_config", "word":
            return numbered("mop", index[1], owner=f"T{index[0]}")
        case "semaphore", "value" | "max":
            return numbered("sem", *index, name="max" if row == "max" else "")
        case "mutex", "holder":
            return numbered("mutex", *index)
        case "adc", "value":
            thread, unit, channel, axis = index
            return numbered("adc", 4 * channel + axis, owner=f"T{thread}", name=ADC_UNITS[unit])
        case "rwc", _:
            return Place("rwc", f"T{index[0]}", row)
        case "hart", "x":
            return Place("reg", HART_NAMES[index[0]], ALL_ABI_NAMES[index[1]])
        case "config", "word" | "thread" if not tile.S.tile.chip:
            owner = f"T{index[0]}" if row == "thread" else str(index[0])
            return Place("cfg", owner, str(index[1]))
    register = register_of(tile.record.layout, int(tile.S.tile.chip), (part, row, index))
    return register or numbered("row", *index, name=f"{part}.{row}")


def names_of_register(tile: Tile, place: Place) -> tuple[str, ...]:
    """The name of a single register of a device, and the place of its element if that is
    not the register again; none of another kind of place."""
    if place.kind != "mmio" or len(place.indexes[0]) != 1 or len(place.indexes[0][0]) != 4:
        return ()
    chip, hart, addr = int(tile.S.tile.chip), HART_NAMES.index(place.owner), place.indexes[0][0][0]
    element = element_of_register(tile.record.layout, chip, hart, addr)
    found = place_of(tile, *element) if element is not None else place
    names = register_name(hart, addr, chip), "" if found.kind == "mmio" else text(found)
    return tuple(filter(None, names))


def storage_of(
    layout: Layout, part: str, row: str, index: Index
) -> Iterator[tuple[Element, int, int]]:
    """Yield the elements of the rows that have the storage of an element, where `row` is another
    name or width of it; each with the first byte of it that is meant, and how many."""
    slot = layout.slot(part, row)
    of = layout.slot(part, slot.field.alias) if slot.field.alias else slot
    at, size = slot.at(*index) - of.offset, of.element_size
    end = at + slot.element_size
    while at < end:
        flat, byte = divmod(at, size)
        count = min(size - byte, end - at)
        found: list[int] = []
        for length in reversed(of.field.shape):
            flat, number = divmod(flat, length)
            found.insert(0, number)
        yield (part, of.field.name, tuple(found)), byte, count
        at += count


def of_bytes(part: str, runs: Iterable[range]) -> Place:
    """Return bytes of L1, or of one hart's local RAM, which the row has one after the other."""
    found = joined(runs)
    if part == "l1":
        return Place("l1", indexes=(found,))
    hart = found[0].start // LOCAL_STRIDE
    base = LOCAL_BASE - hart * LOCAL_STRIDE
    moved = tuple(range(one.start + base, one.stop + base) for one in found)
    return Place("local", HART_NAMES[hart], indexes=(moved,))


def merged(places: Sequence[Place]) -> tuple[Place, int]:
    """Places of single elements as one place that names no other element, and how many are left:
    of another owner, or of a row with other columns than the first one."""
    first = places[0]
    of_first: dict[Index, set[int]] = {}
    for one in places:
        if (one.kind, one.owner, one.name) == (first.kind, first.owner, first.name):
            *before, last = (numbers[0].start for numbers in one.indexes) if one.indexes else (0,)
            of_first.setdefault(tuple(before), set()).add(last)
    if not first.indexes:
        return first, len(places) - 1
    if first.kind == "mmio":
        same = [one for one in places if one.kind == "mmio"]
        ranges = joined(one.indexes[0][0] for one in same)
        return replace(first, indexes=(ranges,)), len(places) - len(same)
    start, columns = next(iter(of_first.items()))
    rows = [start]
    if len(start) == 1:
        rows = [row for row, own in of_first.items() if own == columns]
    indexes = [joined({row[i] for row in rows}) for i in range(len(start))]
    found = replace(first, indexes=trimmed(first.kind, [*indexes, joined(columns)]))
    return found, len(places) - len(rows) * len(columns)


def row_of_dst(S: View, at: int) -> int | None:
    """Return the row of Dst16b that a row of DstBits is now; None if it is none."""
    if int(dst.row16(S, 0, at)) == at:
        return at
    return next((row for row in range(dst.ROWS) if int(dst.row16(S, 0, row)) == at), None)


# The configuration


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a field, from its bit `start` on, in the bits `low` and on of a word."""

    field: ConfigField
    start: int
    low: int
    width: int

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.low


@cache
def _pieces(arch: Arch) -> dict[tuple[bool, int], list[Piece]]:
    """Return them by word of the record, those of ThreadConfig apart."""
    found: dict[tuple[bool, int], list[Piece]] = {}
    for field in config_fields(arch).values():
        for start, word, low, width in _runs(arch, field):
            key = field.space is Space.THREAD, word
            found.setdefault(key, []).append(Piece(field, start, low, width))
    return found


def _runs(arch: Arch, field: ConfigField) -> Iterator[tuple[int, int, int, int]]:
    if arch is Arch.WORMHOLE:
        for start, run in pieces(field):
            yield start, run.at, run.at_low, run.width
        return
    start = 0
    while start < field.width:
        further, low = divmod(field.low + start, 32)
        width = min(32 - low, field.width - start)
        yield start, field.word + further, low, width
        start += width


def fields_at(
    tile: Tile, row: str, index: Index, bits: int, *, divided: bool = False
) -> list[tuple[Place, int, int]]:
    """Return the fields of a word of the configuration that some bits of it belong to: each as a
    place, with its mask and its lowest bit in the word.

    Of a word that several writes have made (`divided`) only these bits are meant."""
    arch = CHIPS[int(tile.S.tile.chip)]
    number, word = index
    found = []
    for piece in _pieces(arch).get((row == "thread", word), ()):
        own = bits & piece.mask
        if not own:
            continue
        low, width, start = piece.low, piece.width, piece.start
        if divided and own != piece.mask:
            low = (own & -own).bit_length() - 1
            start, width = start + low - piece.low, own.bit_length() - low
        else:
            own = piece.mask
        owner = f"T{number}" if row == "thread" else str(number)
        if piece.field.space is Space.GLOBAL and not number:
            owner = ""
        part = None if width == piece.field.width else range(start, start + width)
        found.append((Place("cfg", owner, piece.field.name, bits=part), own, low))
    return found
