# SPDX-License-Identifier: Apache-2.0
"""The differences between the ends of two executions of one program, in words."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.places.of_record import place_of
from tensix_gdb.core.places.place import text
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.findings import Place, State
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES

# Rows that programs and people look at, with the number of elements for each hart or thread.
ROWS = (("l1", "word"), ("local", "word"), ("gpr", "word"), ("config", "word"), ("dst", "bits"))
SHOWN = 4


def value_of(S: View, place: Place) -> int | None:
    """Return the word at a place now, if the place has one."""
    match place.state:
        case State.L1:
            return int(S.l1.word[place.index >> 2])
        case State.GPR:
            return int(S.gpr.word[64 * place.unit + place.index])
        case State.CONFIG:
            return int(S.config.word[place.unit, place.index])
        case State.THREAD_CONFIG:
            return int(S.config.thread[place.unit, place.index])
        case _:
            return None


def cached_value(S: View, hart: int, place: Place) -> int | None:
    """Return the word of a place in a hart's L0 data cache; None if it has none."""
    if place.state is not State.L1:
        return None
    for line in range(L0_LINES):
        if S.pipeline.l0_valid[hart, line] and S.pipeline.l0_line[hart, line] == place.index & ~15:
            return int(S.pipeline.l0_word[hart, line, place.index >> 2 & 3])
    return None


Memories = dict[tuple[str, str], bytes]


def memories(machine: Machine) -> Memories:
    """Copies of the rows."""
    layout, record = machine.record.layout, machine.record
    return {(part, name): bytes(record.row(layout.slot(part, name))) for part, name in ROWS}


def differences(machine: Machine, before: Memories, now: Memories) -> list[str]:
    """Return lines: each word that differs, the first ones of each memory."""
    lines = []
    for key in ROWS:
        size = 2 if key == ("dst", "bits") else 4
        found = list(_elements(before[key], now[key], size))
        for at, was, left in found[:SHOWN]:
            lines.append(f"{_name(machine, key, at)}: {was:#x} before, {left:#x} now")
        if len(found) > SHOWN:
            lines.append(f"and {len(found) - SHOWN} more words of {_WHERE[key]}")
    return lines


_WHERE = {
    ("l1", "word"): "L1",
    ("local", "word"): "local RAMs",
    ("gpr", "word"): "GPRs",
    ("config", "word"): "the configuration",
    ("dst", "bits"): "Dst",
}


def _numbers(data: bytes, size: int) -> Iterator[int]:
    return (number for (number,) in struct.iter_unpack("<H" if size == 2 else "<I", data))


def _elements(before: bytes, now: bytes, size: int) -> Iterator[tuple[int, int, int]]:
    if before == now:
        return
    pairs = zip(_numbers(before, size), _numbers(now, size), strict=True)
    for at, (was, left) in enumerate(pairs):
        if was != left:
            yield at, was, left


def _name(machine: Machine, key: tuple[str, str], at: int) -> str:
    index = divmod(at, LAYOUT.slot(*key).field.shape[1]) if key[0] in ("config", "dst") else (at,)
    place = place_of(machine, *key, index)
    symbol = ""
    if place.kind in ("l1", "local"):
        hart = HART_NAMES.index(place.owner) if place.owner else None
        symbol = _symbol(machine.images, hart, place.indexes[0][0].start)
    return f"{text(place)}{symbol}"


def _symbol(images: Sequence[Image], hart: int | None, addr: int) -> str:
    """` (seen)`, the variable there."""
    for image in images:
        if hart is not None and image.hart != hart:
            continue
        for symbol in image.symbols.values():
            if not symbol.is_function and symbol.addr <= addr < symbol.addr + symbol.size:
                return f" ({symbol.name})"
    return ""
