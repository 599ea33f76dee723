# SPDX-License-Identifier: Apache-2.0
"""The state of the coprocessor that one kernel may leave to the next one, piece by piece.

An *image* is all of it as bytes, in the order of KINDS. An *element* is what a person names: a
field of configuration, a counter, a GPR, an LReg, a semaphore. L1, local RAM and the network are no
part of it: a host gives a kernel its programs and data, and other memory there is looked at by
contents.py. Queues and pipelines are none either: they are empty where a kernel has ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.backend_config import BANKS, GLOBAL_WORD, THREAD_WORDS, WORDS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import ConfigField, Space, parts_of_word
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.places.kinds import ADC_UNITS
from tensix_gdb.core.race.fields import CONFIG_CELLS, GPR_CELLS, MOP_CELLS, THREAD_CONFIG_CELLS
from tensix_gdb.core.record.layout import SIZES
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.vector.state import LREGS

Image = NDArray[np.uint8]

CONFIGURATION, THREAD, COUNTERS = "configuration", "thread configuration", "address counters"
RWCS, GPRS, LREGS_, FLAGS = "RWCs", "GPRs", "LRegs", "lane flags"
VECTOR, MOPS, REPLAY = "Vector Unit's configuration", "MOP templates", "replay buffers"
SYNC, DST, SOURCES, BANKS_ = "semaphores and mutexes", "Dst", "SrcA and SrcB", "source banks"
UNPACKERS, PACKER, TDMA = "unpackers", "packer", "TDMA-RISC registers"
# The rows of each kind. What is of an instruction under way is left out, and so are times.
ROWS: dict[str, tuple[str, ...]] = {
    CONFIGURATION: ("config.word",),
    THREAD: ("config.thread",),
    COUNTERS: ("adc.value", "adc.cr"),
    RWCS: (
        *("rwc.dst", "rwc.dst_cr", "rwc.src_a", "rwc.src_a_cr", "rwc.src_b", "rwc.src_b_cr"),
        *("rwc.fidelity", "rwc.extra_bit", "vector.sp", "src.unpack_row"),
    ),
    GPRS: ("gpr.word",),
    LREGS_: ("vector.lreg", "vector.undefined"),
    FLAGS: (
        *("vector.flags", "vector.use_flags", "vector.flags_undefined", "vector.stack_flags"),
        *("vector.stack_undefined", "vector.stack_use", "vector.stack_valid"),
    ),
    VECTOR: ("vector.config", "vector.template", "vector.sequence", "vector.misc", "vector.prng"),
    MOPS: ("mop_config.word", "mop.mask_hi"),
    REPLAY: ("replay.buffer",),
    SYNC: ("semaphore.value", "semaphore.max", "mutex.holder"),
    DST: ("dst.bits", "dst.undefined", "dst.from_undefined", "dst.marked"),
    SOURCES: ("src.a", "src.b", "src.format"),
    BANKS_: ("busy.src_client", "busy.unpack_bank", "busy.matrix_bank"),
    UNPACKERS: ("unpack.context", "unpack.accumulator"),
    PACKER: ("pack.counters", "pack.last_thread", "pack.last_size", "pack.tile_y", "pack.tile_z"),
    TDMA: ("tdma.word", "tdma.scaler"),
}
KINDS = tuple(ROWS)
_AXES = "XYZW"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the record: where it is there, and where in an image."""

    kind: str
    path: str
    offset: int
    size: int
    at: int
    item: int  # bytes of an element of it


@cache
def rows() -> tuple[Row, ...]:
    """Return the rows of an image, in its order."""
    found, at = [], 0
    for kind, paths in ROWS.items():
        for path in paths:
            slot = LAYOUT.slot(*path.split("."))
            found.append(Row(kind, path, slot.offset, slot.field.size, at, SIZES[slot.field.kind]))
            at += slot.field.size
    return tuple(found)


def image_of(record: Record) -> Image:
    """Return the state as it is in the record."""
    raw = np.frombuffer(record.raw(), np.uint8)
    return np.concatenate([raw[row.offset : row.offset + row.size] for row in rows()])


def put(record: Record, image: Image) -> None:
    """Put a state into the record; its queues are to be empty."""
    raw = record.raw()
    for row in rows():
        raw[row.offset : row.offset + row.size] = image[row.at : row.at + row.size].tobytes()


@cache
def span_of(kind: str) -> slice:
    """Return where a kind is in an image."""
    mine = [row for row in rows() if row.kind == kind]
    return slice(mine[0].at, mine[-1].at + mine[-1].size)


@dataclass(frozen=True, slots=True)
class Element:
    """A piece of an image with a name: bytes from `at` on, of these the bits of `mask` (-1: all).
    `copy` is where the record has it once more: words that both banks share. `cell` is that of the
    observer's shadow, -1 if its reads are not known there."""

    kind: str
    name: str
    at: int
    size: int
    mask: int = -1
    low: int = 0
    cell: int = -1
    copy: int = -1

    def value(self, image: Image) -> int:
        """Return what it has in an image."""
        whole = int.from_bytes(image[self.at : self.at + self.size].tobytes(), "little")
        return whole if self.mask < 0 else (whole & self.mask) >> self.low

    def give(self, image: Image, source: Image) -> None:
        """Copy it from another image."""
        if self.mask < 0:
            image[self.at : self.at + self.size] = source[self.at : self.at + self.size]
        else:
            self.set(image, self.value(source))

    def set(self, image: Image, value: int) -> None:
        """Give it a value."""
        for at in (self.at, self.copy):
            part = slice(at, at + self.size)
            if at >= 0:
                old = int.from_bytes(image[part].tobytes(), "little")
                new = value if self.mask < 0 else (old & ~self.mask) | value << self.low
                image[part] = np.frombuffer(new.to_bytes(self.size, "little"), np.uint8)


def changed_bits(one: Image, other: Image) -> Iterator[Element]:
    """Yield the elements in which two images differ."""
    where = np.flatnonzero(one != other)
    known = elements()
    for element in dict.fromkeys(each for at in where.tolist() for each in known.get(at, ())):
        if element.value(one) != element.value(other):
            yield element


@cache
def elements() -> Mapping[int, tuple[Element, ...]]:
    """Return the elements by each byte of an image."""
    by_byte: dict[int, list[Element]] = {}
    whole = {kind: span_of(kind) for kind in _WHOLE}
    for kind, span in whole.items():
        element = Element(kind, _WHOLE[kind], span.start, span.stop - span.start)
        for at in range(span.start, span.stop):
            by_byte[at] = [element]
    for row in rows():
        for element in () if row.kind in whole else _of_row(row):
            for at in range(element.at, element.at + element.size):
                by_byte.setdefault(at, []).append(element)
    return {at: tuple(found) for at, found in by_byte.items()}


def _of_row(row: Row) -> Iterator[Element]:
    name = row.path.partition(".")[2]
    match row.kind:
        case "configuration":
            for i in range(BANKS * WORDS):
                yield from _fields(row, i, thread=False)
        case "thread configuration":
            for i in range(THREADS * THREAD_WORDS):
                yield from _fields(row, i, thread=True)
        case "address counters":
            for i in range(row.size // row.item):
                thread, rest = divmod(i, 24)
                unit, rest = divmod(rest, 8)
                channel, axis = divmod(rest, 4)
                end = " (CR)" if name == "cr" else ""
                text = f"{_AXES[axis]} of channel {channel} of adc T{thread} {ADC_UNITS[unit]}{end}"
                yield _item(row, i, text)
        case "GPRs":
            for i in range(row.size // row.item):
                yield _item(row, i, f"gpr T{i // 64} {i % 64}", GPR_CELLS + i)
        case "LRegs" if name == "lreg":
            size = row.size // LREGS
            for i in range(LREGS):
                yield Element(row.kind, f"lreg {i}", row.at + i * size, size)
        case "MOP templates" | "replay buffers":
            size = row.size // THREADS
            for i in range(THREADS):
                what = {"word": "MOP template", "mask_hi": "MOP_CFG mask"}.get(
                    name, "replay buffer"
                )
                cell = MOP_CELLS + i if name == "word" else -1
                yield Element(row.kind, f"{what} of T{i}", row.at + i * size, size, cell=cell)
        case "semaphores and mutexes":
            said = {"value": "semaphore {}", "max": "maximum of semaphore {}"}.get(name, "mutex {}")
            for i in range(row.size // row.item):
                yield _item(row, i, said.format(i))
        case "RWCs" if row.size == THREADS * row.item:
            for i in range(THREADS):
                yield _item(row, i, f"RWC {name} of T{i}")
        case "TDMA-RISC registers":
            for i in range(row.size // row.item):
                yield _item(row, i, f"TDMA-RISC {name} {i}")
        case _:
            yield Element(row.kind, _NAMES.get(row.path, row.path), row.at, row.size)


# Kinds of which the rows belong together: one of them with another's past is no state of a tile.
_WHOLE = {
    DST: "Dst",
    FLAGS: "lane flags",
    SOURCES: "data of SrcA and SrcB",
    BANKS_: "the turn of the banks of SrcA and SrcB",
    PACKER: "what the packer has counted",
}


_NAMES = {
    "vector.config": "LaneConfig",
    "vector.template": "templates of SFPLOADMACRO",
    "vector.sequence": "sequences of SFPLOADMACRO",
    "vector.misc": "LoadMacroConfig.Misc",
    "vector.prng": "the PRNG of the Vector Unit",
}


def _item(row: Row, i: int, name: str, cell: int = -1) -> Element:
    return Element(row.kind, name, row.at + i * row.item, row.item, cell=cell)


def _fields(row: Row, i: int, *, thread: bool) -> Iterator[Element]:
    """Yield the fields of a word of configuration, and what bits of it have no name."""
    owner, word = divmod(i, THREAD_WORDS if thread else WORDS)
    at = row.at + i * row.item
    bits = 8 * row.item
    rest, copy = (1 << bits) - 1, -1
    if not thread and word >= GLOBAL_WORD:
        if owner:
            return
        copy = at + WORDS * row.item
    cell = (THREAD_CONFIG_CELLS if thread else CONFIG_CELLS) + i
    for each in parts_of_word(Arch.BLACKHOLE, word, thread=thread):
        mask = _bits_in(each, word) & ((1 << bits) - 1)
        if mask & rest:
            low = (mask & -mask).bit_length() - 1
            name = each.name + (f"+{word - each.word}" if word != each.word else "")
            of = _owner(each.space, owner)
            yield Element(
                row.kind, name + of, row.at + i * row.item, row.item, mask, low, cell, copy
            )
            rest &= ~mask
    if rest:
        name = f"bits {rest:#x} of word {word}" + _owner(Space.THREAD if thread else None, owner)
        yield Element(row.kind, name, at, row.item, rest, 0, cell, copy)


def _bits_in(each: ConfigField, word: int) -> int:
    return each.mask >> 32 * (word - each.word)


def _owner(space: Space | None, owner: int) -> str:
    if space is Space.THREAD:
        return f" of T{owner}"
    return f" of bank {owner}" if owner else ""
