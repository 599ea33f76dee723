# SPDX-License-Identifier: Apache-2.0
"""Places of one machine: their values, and the elements of the record that hold them.

    read(machine, place)             a value of each unit (kinds.py), of each range of memory
    write(machine, place, value)     the same value to each; `put` before a tile begins
    elements(machine, place)         (offset in the record, bytes) of each element, in that order

Each raises NotAPlace with a sentence where the chip or the machine has no such place, and where
the place has no owner: `owned` gives it one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from tensix_gdb.core.arch.blackhole import (
    HART_NAMES,
    HARTS,
    LOCAL_BASE,
    LOCAL_STRIDE,
    T0,
    THREADS,
    B,
)
from tensix_gdb.core.arch.chips import L1_END, LOCAL_BYTES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly.rv32 import ALL_ABI_NAMES
from tensix_gdb.core.devices.registers import Element
from tensix_gdb.core.devices.semaphores import LARGEST
from tensix_gdb.core.isa.config_words import Space
from tensix_gdb.core.memory import regions
from tensix_gdb.core.places import config
from tensix_gdb.core.places.defined import define
from tensix_gdb.core.places.kinds import ADC_UNITS, GPRS, KINDS, RWC_LARGEST, Owner
from tensix_gdb.core.places.place import COUNTERS, NotAPlace, Place, every, numbers, text
from tensix_gdb.core.places.registers import element_of_register, instead_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.regfiles import adc, dst, src
from tensix_gdb.core.tensix.sync import is_mutex
from tensix_gdb.core.tensix.vector.state import LANES

CONSTANTS = (8, 9, 10, 15)  # LRegs that no instruction writes


class Tile(Protocol):
    """The part of a machine that places need."""

    record: Record

    @property
    def S(self) -> View: ...

    def poke(self, number: int, addr: int, data: bytes) -> None: ...


def owned(tile: Tile, place: Place, hart: int | None = None) -> Place:
    """Return the place with an owner: its own, or what goes with a hart: the hart, its Tensix
    thread, that one's bank. NotAPlace where nothing says which."""
    if place.owner:
        return place
    thread = hart - T0 if hart is not None and T0 <= hart < HARTS - 1 else None
    match KINDS[place.kind].owner:
        case Owner.THREAD if thread is not None:
            return place.owned(f"T{thread}")
        case Owner.HART if hart is not None:
            return place.owned(HART_NAMES[hart])
        case Owner.THREAD | Owner.HART as what:
            example = KINDS[place.kind].forms[0]
            raise NotAPlace(f"{text(place)}: of which {what.value}? Type for example `{example}`")
        case Owner.BANK:
            return place.owned(str(tile.S.busy.matrix_bank[int(place.name == "b")]))
    if place.kind == "cfg":
        space = config.field_of(tile.S, place).space
        if space is Space.THREAD:
            return place.owned(f"T{thread or 0}")
        bank = 0 if space is Space.GLOBAL else int(bank_of(tile.S, thread or 0))
        return place.owned(str(bank))
    return place


def read(tile: Tile, place: Place) -> tuple[int, ...]:
    """Return the values."""
    S, place = tile.S, owned(tile, place)
    match place.kind:
        case "mmio":
            return tuple(_peek(S, place, addr) for addr in _registers(place))
        case "cfg":
            field = config.field_of(S, place)
            return (config.value_of(S, field, config.number_of(place.owner)),)
        case "dst":
            return tuple(int(dst.read16(S, at, column)) for at, column in datums(S, place))
        case "dst32":
            return tuple(int(dst.read32(S, at, column)) for at, column in datums(S, place))
    raw = tile.record.raw()
    return tuple(
        int.from_bytes(raw[at : at + size], "little") for at, size in elements(tile, place)
    )


def write(tile: Tile, place: Place, value: int) -> None:
    """Write a value to each unit, as a debugger does. NotAPlace for what nothing may write, and for
    a value that does not fit."""
    put(tile, place, value)
    tile.S.tensix.active = 1  # a gate may be open now
    tile.S.tile.idle_cycles = 0


def put(tile: Tile, place: Place, value: int) -> None:
    """Write the values alone, for a tile that has not begun: nothing else is told of it."""
    S, place = tile.S, owned(tile, place)
    if place.kind == "lreg" and any(number in CONSTANTS for number in numbers(place.indexes[0])):
        raise NotAPlace(f"{text(place)} is a constant")
    most = largest(tile, place)
    if not 0 <= value <= most:
        raise NotAPlace(f"{text(place)} takes 0 to {most:#x}, not {value:#x}")
    match place.kind:
        case "l1" | "local" | "mmio":
            hart = HART_NAMES.index(place.owner) if place.owner else B
            for one in place.indexes[0]:
                tile.poke(hart, one.start, value.to_bytes(len(one), "little"))
        case "cfg":
            config.write_field(S, config.field_of(S, place), config.number_of(place.owner), value)
        case "dst":
            for at, column in datums(S, place):
                dst.write16(S, at, column, value)
        case "dst32":
            for at, column in datums(S, place):
                dst.write32(S, at, column, value)
        case _:
            raw = tile.record.raw()
            for at, size in elements(tile, place):
                raw[at : at + size] = value.to_bytes(size, "little")
            for part, row, index in paths(tile, place):
                if part == "vector":
                    define(S, row, *index)


def largest(tile: Tile, place: Place) -> int:
    """Return the largest value of a unit of the place."""
    match place.kind:
        case "l1" | "local" | "mmio":
            return int((1 << 8 * min(map(len, place.indexes[0]))) - 1)
        case "cfg":
            return int((1 << config.field_of(tile.S, place).width) - 1)
        case "dst32":
            return MASK32
        case "src":
            return src.DATUM
        case "sem":
            return LARGEST
        case "mutex":
            return THREADS
        case "adc":
            return min(adc.MASKS[number % 4] for number in _counters(place))
        case "rwc":
            return RWC_LARGEST[place.name]
    return int((1 << 8 * elements(tile, place)[0][1]) - 1)


def elements(tile: Tile, place: Place) -> tuple[tuple[int, int], ...]:
    """Return where the record has the place: offset and bytes of each element; of memory, of each
    range.

    Of a field of the configuration it is the word, and `bits_of` says which bits."""
    S, layout = tile.S, tile.record.layout
    place = owned(tile, place)
    if place.kind in ("l1", "local"):
        first = layout.slot(place.kind, "word").offset
        return tuple((first + at, size) for at, size in _bytes(S, place))
    found = []
    for part, row, index in paths(tile, place):
        try:
            slot = layout.slot(part, row)
            found.append((slot.at(*index), slot.element_size))
        except (KeyError, ValueError, IndexError):
            raise NotAPlace(f"the record has no {text(place)}") from None
    return tuple(found)


def bits_of(tile: Tile, place: Place) -> int:
    """Return the bits of each element that are meant, -1 for all."""
    if place.kind != "cfg":
        return -1
    return config.in_record(tile.S, config.field_of(tile.S, place)).mask


def paths(tile: Tile, place: Place) -> Iterator[Element]:
    """Yield the elements by part, row and index, of a place with an owner."""
    S = tile.S
    match place.kind:
        case "dst":
            yield from (("dst", "bits", at) for at in datums(S, place))
        case "dst32":
            for at, column in datums(S, place):
                yield "dst", "bits", (at, column)
                yield "dst", "bits", (at + dst.LOW, column)
        case "src":
            for row, column in every(place, (src.ROWS, src.COLUMNS)):
                yield "src", place.name, (int(place.owner), row, column)
        case "lreg":
            yield from (("vector", "lreg", at) for at in every(place, (0, LANES)))
        case "gpr":
            yield from (("gpr", "word", (_thread(place) * GPRS + i,)) for (i,) in every(place, ()))
        case "mop":
            yield from (("mop_config", "word", (_thread(place), i)) for (i,) in every(place, ()))
        case "sem":
            yield from (("semaphore", place.name or "value", at) for at in every(place, ()))
        case "mutex":
            for (number,) in every(place, ()):
                if not is_mutex(S, number):
                    raise NotAPlace(f"there is no mutex {number}")
                yield "mutex", "holder", (number,)
        case "adc":
            unit = ADC_UNITS.index(place.name)
            for number in _counters(place):
                yield "adc", "value", (_thread(place), unit, *divmod(number, 4))
        case "rwc":
            yield "rwc", place.name, (_thread(place),)
        case "reg":
            register = ALL_ABI_NAMES.index(place.name)
            yield "hart", "x", (HART_NAMES.index(place.owner), register)
        case "cfg":
            field = config.in_record(S, config.field_of(S, place))
            of = "thread" if field.space is Space.THREAD else "word"
            yield "config", of, (config.number_of(place.owner), field.word)
        case "mmio":
            hart = HART_NAMES.index(place.owner)
            for addr in _registers(place):
                found = element_of_register(tile.record.layout, int(S.tile.chip), hart, addr)
                if found is None:
                    raise NotAPlace(
                        f"{addr:#x} of {place.owner} is no register that is kept as it is: "
                        + instead_of(int(S.tile.chip), hart, addr)
                    )
                yield found
        case _:
            part, _, name = place.name.partition(".")
            slot = tile.record.layout.slots.get((part, name))
            shape = () if slot is None else slot.field.shape
            if slot is None or len(place.indexes) > len(shape):
                raise NotAPlace(f"the record has no {text(place)}")
            for one, size in zip(place.indexes, shape, strict=False):
                if one[-1].stop > size:
                    raise NotAPlace(f"the record has no {text(place)}: they are 0 to {size - 1}")
            yield from ((part, name, index) for index in every(place, shape))


def _thread(place: Place) -> int:
    return config.number_of(place.owner)


def _counters(place: Place) -> list[int]:
    return numbers(place.indexes[0]) if place.indexes else list(range(len(COUNTERS)))


def datums(S: View, place: Place) -> Iterator[tuple[int, int]]:
    """Yield the row and column of DstBits for each datum of Dst."""
    find = dst.row32 if place.kind == "dst32" else dst.row16
    for row, column in every(place, (0, dst.COLUMNS)):
        yield int(find(S, 0, row)), column


def _bytes(S: View, place: Place) -> Iterator[tuple[int, int]]:
    """Yield for L1 or local RAMs the first byte of each range in its row, and how many."""
    chip = int(S.tile.chip)
    for one in place.indexes[0]:
        if place.kind == "l1":
            if one.stop > L1_END[chip]:
                raise NotAPlace(f"{one.start:#x} is not in L1, which ends at {L1_END[chip]:#x}")
            yield one.start, len(one)
            continue
        hart = HART_NAMES.index(place.owner)
        end = LOCAL_BASE + LOCAL_BYTES[HARTS * chip + hart]
        if not LOCAL_BASE <= one.start <= one.stop <= end:
            raise NotAPlace(
                f"{one.start:#x} is not in the local RAM of {place.owner}, which is "
                f"{LOCAL_BASE:#x} to {end - 1:#x}"
            )
        yield hart * LOCAL_STRIDE + one.start - LOCAL_BASE, len(one)


# Registers of devices


def _registers(place: Place) -> Iterator[int]:
    for one in place.indexes[0]:
        yield from range(one.start & ~3, one.stop, 4)


def _peek(S: View, place: Place, addr: int) -> int:
    value = int(regions.peek(S, HART_NAMES.index(place.owner), addr))
    if value < 0:
        raise NotAPlace(f"{place.owner} cannot look at {addr:#x}")
    return value
