# SPDX-License-Identifier: Apache-2.0
"""Places as cells that a debugger watches against changes by the coprocessor.

A place without an owner is that of every thread or bank. L1 is watched as ranges, all else as words
(core/tensix/gate/watchpoints.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREADS, B
from tensix_gdb.core.arch.chips import CONFIG_WORDS, THREAD_CONFIG_WORDS
from tensix_gdb.core.arch.wormhole import THREAD_CONFIG_STRIDE
from tensix_gdb.core.debug.gate_breakpoints import Word, words_at
from tensix_gdb.core.debug.l1_ranges import Range
from tensix_gdb.core.devices.backend_config import CONFIG_BASE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE
from tensix_gdb.core.isa.config_words import Space
from tensix_gdb.core.places import config
from tensix_gdb.core.places.kinds import ADC_UNITS, GPRS
from tensix_gdb.core.places.place import COUNTERS, NotAPlace, Place, every, text
from tensix_gdb.core.places.state import Tile, datums, elements
from tensix_gdb.core.tensix.gate.watchpoints import Cell
from tensix_gdb.core.tensix.regfiles import dst, rwc, src
from tensix_gdb.core.tensix.vector.state import LANES

# By chip: banks before ThreadConfig in the window, and words from one of ThreadConfig to the next.
BANKS_FIRST = (3, 2)
STRIDE = (1, THREAD_CONFIG_STRIDE)
_PAIRS = dst.COLUMNS // 2


def cells_of(tile: Tile, place: Place) -> tuple[tuple[Word, ...], tuple[Range, ...]]:
    """Return the words and the ranges of L1. NotAPlace for what the coprocessor cannot change, or
    is not compared."""
    if place.kind == "l1":
        elements(tile, place)
        return (), tuple(Range(one.start, one.stop) for one in place.indexes[0])
    words = tuple(_words(tile, place))
    if not words:
        raise NotAPlace(f"{text(place)}: the coprocessor cannot change that")
    return words, ()


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
            raise NotAPlace(
                f"{text(place)} is not watched: every kind of place but rows of the record is"
            )


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
