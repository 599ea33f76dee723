# SPDX-License-Identifier: Apache-2.0
"""Places as cells that a debugger watches against changes by the coprocessor.

A place without an owner is that of every thread or bank. L1 is watched as ranges, all else as words
(core/tensix/gate/watchpoints.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREADS, B
from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS
from tensix_gdb.core.arch.wormhole import THREAD_CONFIG_STRIDE
from tensix_gdb.core.debug.gate_breakpoints import Word, words_at
from tensix_gdb.core.debug.l1_ranges import Range
from tensix_gdb.core.devices.backend_config import CONFIG_BASE
from tensix_gdb.core.devices.registers import Element
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE
from tensix_gdb.core.isa.config_words import Space
from tensix_gdb.core.memory import regions
from tensix_gdb.core.places import config
from tensix_gdb.core.places.kinds import ADC_UNITS, GPRS
from tensix_gdb.core.places.of_record import place_of, storage_of
from tensix_gdb.core.places.place import COUNTERS, NotAPlace, Place, every, joined, text
from tensix_gdb.core.places.registers import addresses
from tensix_gdb.core.places.state import Tile, datums, elements, paths
from tensix_gdb.core.tensix.gate.watchpoints import CELLS, Cell
from tensix_gdb.core.tensix.regfiles import dst, rwc, src
from tensix_gdb.core.tensix.vector.state import LANES

# By chip: banks before ThreadConfig in the window, and words from one of ThreadConfig to the next.
BANKS_FIRST = (3, 2)
STRIDE = (1, THREAD_CONFIG_STRIDE)
_PAIRS = dst.COLUMNS // 2
MOST = 4 * CELLS  # elements of a row: bytes of as many words as can be watched
# Rows that are no other kind of place, and that an instruction alone writes.
_CELLS: dict[tuple[str, str], Callable[[tuple[int, ...]], Word]] = {
    ("adc", "cr"): lambda at: Word(Cell.ADC_CR, 24 * at[0] + 8 * at[1] + 4 * at[2] + at[3]),
    ("vector", "flags"): lambda at: Word(Cell.LANES, 0),
    ("vector", "use_flags"): lambda at: Word(Cell.LANES, 1),
}


def cells_of(tile: Tile, place: Place) -> tuple[tuple[Word, ...], tuple[Range, ...]]:
    """Return the words and the ranges of L1. NotAPlace for what the coprocessor cannot change, or
    is not compared."""
    if place.kind == "l1":
        elements(tile, place)
        return (), tuple(Range(one.start, one.stop) for one in place.indexes[0])
    if place.kind == "row":
        stored = list(islice(_stored(tile, place), MOST + 1))
        if len(stored) > MOST:
            raise NotAPlace(f"{text(place)}: no more than {MOST} elements can be watched")
        found = [_of_element(tile, *one) for one in stored]
        in_l1 = joined(range(one.start, one.end) for _, ranges in found for one in ranges)
        return tuple(word for words, _ in found for word in words), tuple(
            Range(one.start, one.stop) for one in in_l1
        )
    words = tuple(_words(tile, place))
    if not words:
        raise NotAPlace(f"{text(place)}: the coprocessor cannot change that")
    return words, ()


def _stored(tile: Tile, place: Place) -> Iterator[tuple[Element, int, int]]:
    """The elements of a row of the record, and which bytes of them."""
    for part, row, index in paths(tile, place):
        yield from storage_of(tile.record.layout, part, row, index)


def _of_element(
    tile: Tile, element: Element, byte: int, size: int
) -> tuple[tuple[Word, ...], tuple[Range, ...]]:
    """A register where a hart sees it, or what the place of another kind has."""
    found = addresses(tile.record.layout, int(tile.S.tile.chip)).get(element)
    if found is not None and regions.peek(tile.S, *found) >= 0:
        hart, addr = found
        return (Word(Cell.DEVICE, addr, hart),), ()
    if (cell := _CELLS.get(element[:2])) is not None:
        return (cell(element[2]),), ()
    place = place_of(tile, *element, byte, size)
    if element[0] == "config" and place.kind == "row":
        raise NotAPlace(
            f"{text(place)}: type the name of a field, for example `cfg STATE_RESET_EN`"
        )
    if place.kind == "row":
        raise NotAPlace(
            f"{text(place)} is state within a unit or hart, and only what software can see is "
            f"watched: stop with `monitor break` and type `monitor show {text(place)}`"
        )
    words, ranges = cells_of(tile, place)
    mask = (1 << 8 * size) - 1 << 8 * byte
    return tuple(replace(one, mask=mask) if one.kind is Cell.GPR else one for one in words), ranges


def _words(tile: Tile, place: Place) -> Iterator[Word]:
    match place.kind:
        case "gpr":
            for thread in _threads(place):
                yield from (Word(Cell.GPR, thread * GPRS + i) for (i,) in every(place, ()))
        case "lreg":
            for number, lane in every(place, (0, LANES)):
                yield Word(Cell.LREG, number * LANES + lane)
        case "dst" | "dst32":
            yield from _dst(tile, place)
        case "sem":
            for (number,) in every(place, ()):
                if place.name:
                    yield Word(Cell.SEMAPHORE_MAX, number)
                else:
                    yield Word(Cell.DEVICE, SEMAPHORE_BASE + 4 * number, T0)
        case "mutex":
            elements(tile, place)
            yield from (Word(Cell.MUTEX, number) for (number,) in every(place, ()))
        case "cfg":
            yield from _config(tile, place)
        case "mmio":
            hart = HART_NAMES.index(place.owner)
            for one in place.indexes[0]:
                yield from words_at(tile.S, hart, one.start, len(one))
        case "src":
            which = Cell.SRC_A if place.name == "a" else Cell.SRC_B
            for row, column in every(place, (src.ROWS, src.COLUMNS)):
                yield Word(which, (int(place.owner) * src.ROWS + row) * src.COLUMNS + column)
        case "adc":
            for thread in _threads(place):
                unit = len(ADC_UNITS) * thread + ADC_UNITS.index(place.name)
                for (number,) in every(place, (len(COUNTERS),)):
                    yield Word(Cell.ADC, unit * len(COUNTERS) + number)
        case "rwc":
            for thread in _threads(place):
                yield Word(Cell.RWC, rwc.Counter[place.name.upper()], thread)
        case "local" | "reg" | "mop":
            raise NotAPlace(f"{text(place)}: the coprocessor cannot change that; use GDB's `watch`")
        case _:
            raise ValueError(f"{place.kind} is no kind of words")


def _threads(place: Place) -> Sequence[int]:
    return [config.number_of(place.owner)] if place.owner else range(THREADS)


def _dst(tile: Tile, place: Place) -> Iterator[Word]:
    """Pairs of columns, of `dst32` in both halves."""
    masks: dict[int, int] = {}
    for at, column in datums(tile.S, place):
        for half in (at, at + dst.LOW) if place.kind == "dst32" else (at,):
            pair = half * _PAIRS + column // 2
            masks[pair] = masks.get(pair, 0) | 0xFFFF << 16 * (column % 2)
    yield from (Word(Cell.DST, pair, 0, mask) for pair, mask in masks.items())


def _config(tile: Tile, place: Place) -> Iterator[Word]:
    """Yield the words of a field in the window of the configuration, of each bank or thread."""
    chip = int(tile.S.tile.chip)
    field = config.field_of(tile.S, place)
    owners = (place.owner,) if place.owner else config.owners_of(field)
    for number in map(config.number_of, owners):
        start = number * CONFIG_WORDS[chip] + field.word
        if field.space is Space.THREAD:
            first = BANKS_FIRST[chip] * CONFIG_WORDS[chip]
            words = THREAD_CONFIG_WORDS[chip]
            start = first + (number * words + field.word) * STRIDE[chip]
        for i in range((field.low + field.width + 31) // 32):
            mask = field.mask >> 32 * i & 0xFFFFFFFF
            yield Word(Cell.DEVICE, CONFIG_BASE + 4 * (start + i), B, mask)
