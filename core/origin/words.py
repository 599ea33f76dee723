# SPDX-License-Identifier: Apache-2.0
"""Elements of the record as places, and their values in words, for the tree of an answer."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.numeric import layouts
from tensix_gdb.core.origin.elements import Element, element_at
from tensix_gdb.core.origin.nodes import Node
from tensix_gdb.core.places.of_record import fields_at, merged, of_bytes, place_of
from tensix_gdb.core.places.place import text

SHOWN_VALUES = 4


def described(nodes: Sequence[Node], machine: Machine) -> tuple[str, list[str]]:
    """Elements of one row of a machine as a place, and their values."""
    nodes = sorted(nodes, key=lambda node: node.place[0])
    if nodes[0].tile < 0:
        return _outside(nodes)
    first = element_at(nodes[0].place[0])
    if first.key[0] in ("l1", "local"):
        return _bytes(nodes)
    whole: dict[int, tuple[Element, int]] = {}
    for node in nodes:
        element = element_at(node.place[0])
        known = whole.get(element.offset, (element, 0))[1]
        whole[element.offset] = element, known | node.value << 8 * element.byte
    values = [_value(element.key, value) for element, value in whole.values()]
    if len(values) == 1 and first.key[0] == "config":
        return _of_config(machine, first, nodes)
    place, left = merged([place_of(machine, *one.key, one.index) for one, _ in whole.values()])
    return text(place) + (f" and {left} more" if left else ""), values


def name_of(machine: Machine, element: Element, bits: int = -1) -> str:
    """Return the place of an element; the field of a word of the configuration, if one has the
    bits."""
    if element.key[0] == "config":
        fields = fields_at(machine, element.key[1], element.index, bits)
        if len(fields) == 1:
            return text(fields[0][0])
    place = place_of(machine, *element.key, element.index, element.byte, element.size)
    return text(place)


def field_values(
    machine: Machine, element: Element, bits: int, value: int, *, divided: bool = False
) -> list[tuple[str, int]]:
    """Return each field that some bits of a word of the configuration belong to, with its value;
    the word where there is none. Of a word that several writes have made (`divided`), only these
    bits are known."""
    fields = fields_at(machine, element.key[1], element.index, bits, divided=divided)
    found = [(text(place), (value & mask) >> low) for place, mask, low in fields]
    return found or [(name_of(machine, element, bits), value & bits & MASK32)]


def _of_config(machine: Machine, element: Element, nodes: Sequence[Node]) -> tuple[str, list[str]]:
    """Return a word of the configuration: its field that is meant, or all of them with their
    values."""
    bits = value = 0
    for node in nodes:
        bits |= node.bits & MASK32
        value |= node.value & node.bits & MASK32
    divided = any(node.is_divided for node in nodes)
    fields = field_values(machine, element, bits, value, divided=divided)
    if len(fields) == 1:
        return fields[0][0], [f"{fields[0][1]:#x}"]
    return name_of(machine, element, bits), [f"{name} = {own:#x}" for name, own in fields]


def _outside(nodes: Sequence[Node]) -> tuple[str, list[str]]:
    """Return bytes of a memory that no tile has; it is no place of one."""
    runs = _runs(nodes)
    at = ",".join(f"{first:#x}:{len(run)}" for first, run in runs[:SHOWN_VALUES])
    return f"{at}{_more(runs)}", _values(runs)


def _bytes(nodes: Sequence[Node]) -> tuple[str, list[str]]:
    element = element_at(nodes[0].place[0])
    base, part = element.slot.offset, element.key[0]
    runs = _runs(nodes)
    shown = text(of_bytes(part, [_range(at - base, run) for at, run in runs[:SHOWN_VALUES]]))
    return shown + _more(runs), _values(runs)


def _runs(nodes: Sequence[Node]) -> list[tuple[int, bytearray]]:
    """Return bytes beside each other, and where they are."""
    data: dict[int, int] = {}
    for node in nodes:
        for i in range(node.place[1]):
            data[node.place[0] + i] = node.value >> 8 * i & 0xFF
    runs: list[tuple[int, bytearray]] = []
    for at, byte in sorted(data.items()):
        if runs and runs[-1][0] + len(runs[-1][1]) == at:
            runs[-1][1].append(byte)
        else:
            runs.append((at, bytearray([byte])))
    return runs


def _range(first: int, run: bytearray) -> range:
    return range(first, first + len(run))


def _more(runs: Sequence[object]) -> str:
    left = len(runs) - SHOWN_VALUES
    return f" and {left} more pieces" if left > 0 else ""


def _values(runs: Sequence[tuple[int, bytearray]]) -> list[str]:
    return [f"{int.from_bytes(run, 'little'):#0{2 + 2 * len(run)}x}" for _, run in runs]


def _value(key: tuple[str, str], value: int) -> str:
    match key:
        case ("src", _):
            return f"{value:#07x} ({_single(layouts.src_to_tf32(value) << 13)} as tf32)"
        case ("dst", "bits"):
            return f"{value:#06x} ({_single(layouts.dst16_to_bf16(value) << 16)} as bf16)"
        case ("vector", "lreg") | ("vector_late", "value"):
            return f"{value:#010x} ({_single(value)} as fp32)"
    return f"{value:#x}"


def _single(bits: int) -> str:
    return f"{struct.unpack('<f', (bits & 0xFFFFFFFF).to_bytes(4, 'little'))[0]:g}"


def shortened(where: str) -> str:
    """Return a place of code without its address and the calls that were inlined on the way."""
    if ", " in where:
        where = where.partition(", ")[2]
    return where.partition(" (through")[0]


def listed(values: Sequence[str]) -> str:
    """Return the first values, and how many more there are."""
    shown = ", ".join(values[:SHOWN_VALUES])
    return shown + (
        f", and {len(values) - SHOWN_VALUES} more" if len(values) > SHOWN_VALUES else ""
    )


def in_cycles(cycles: tuple[int, int] | None) -> str:
    """Return when a write was: the first and the last cycle."""
    if cycles is None:
        return "in a cycle that is not known"
    return (
        f"in cycle {cycles[0]}"
        if cycles[0] == cycles[1]
        else f"in cycles {cycles[0]} to {cycles[1]}"
    )
