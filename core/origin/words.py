# SPDX-License-Identifier: Apache-2.0
"""Elements of the record and their values in words, for the tree of an answer (tree.py)."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES, LOCAL_BASE, LOCAL_STRIDE
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.noc.coordinates import DRAM
from tensix_gdb.core.numeric import layouts
from tensix_gdb.core.origin.elements import Element, element_at
from tensix_gdb.core.origin.nodes import Node
from tensix_gdb.core.origin.places import field_values, words_of

SHOWN_VALUES = 4


def described(nodes: Sequence[Node]) -> tuple[str, list[str]]:
    """Elements of one row in words, and their values."""
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
    elements = [element for element, _ in whole.values()]
    values = [_value(element.key, value) for element, value in whole.values()]
    if len(elements) == 1:
        if first.key[0] == "config":
            return _of_config(first, nodes)
        return words_of(first, nodes[0].bits), values
    indexes = [element.index for element in elements]
    if first.key[0] == "vector_late":
        indexes = [index[1:] for index in indexes]
    columns = list(zip(*indexes, strict=True))
    spans = [_span(sorted(set(column))) for column in columns]
    names = {
        ("dst", "bits"): ("Dst row", "column"),
        ("src", "a"): ("SrcA bank", "row", "column"),
        ("src", "b"): ("SrcB bank", "row", "column"),
        ("vector", "lreg"): ("LReg", "lane"),
        ("vector_late", "value"): ("LReg", "lane"),
    }.get(first.key)
    if names is None:
        return f"{words_of(first, nodes[0].bits)} and {len(elements) - 1} more", values
    text = " ".join(f"{name} {span}" for name, span in zip(names, spans, strict=True))
    return text, values


def _of_config(element: Element, nodes: Sequence[Node]) -> tuple[str, list[str]]:
    """A word of the configuration: its field that is meant, or all of them with their values."""
    bits = value = 0
    for node in nodes:
        bits |= node.bits & MASK32
        value |= node.value & node.bits & MASK32
    divided = any(node.is_divided for node in nodes)
    fields = field_values(element, bits, value, divided=divided)
    if len(fields) == 1:
        return fields[0][0], [f"{fields[0][1]:#x}"]
    return words_of(element, bits), [f"{name} = {own:#x}" for name, own in fields]


def _outside(nodes: Sequence[Node]) -> tuple[str, list[str]]:
    memory = -1 - nodes[0].tile
    where = "the host's memory" if memory == len(DRAM) else f"DRAM {memory}"
    return _runs(nodes, f"{where} ", 0)


def _bytes(nodes: Sequence[Node]) -> tuple[str, list[str]]:
    element = element_at(nodes[0].place[0])
    base = element.slot.offset
    if element.key[0] == "local":
        hart = (nodes[0].place[0] - base) // LOCAL_STRIDE
        first = base + hart * LOCAL_STRIDE - LOCAL_BASE
        return _runs(nodes, f"local RAM of {HART_NAMES[hart]} ", first)
    return _runs(nodes, "L1 ", base)


def _runs(nodes: Sequence[Node], where: str, first: int) -> tuple[str, list[str]]:
    """Bytes beside each other; `first` is where address 0 is."""
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
    texts = []
    for at, run in runs[:SHOWN_VALUES]:
        addr = at - first
        texts.append(f"{addr:#x}" if len(run) == 1 else f"{addr:#x} to {addr + len(run) - 1:#x}")
    more = f" and {len(runs) - SHOWN_VALUES} more pieces" if len(runs) > SHOWN_VALUES else ""
    values = [f"{int.from_bytes(run, 'little'):#0{2 + 2 * len(run)}x}" for _, run in runs]
    return where + ", ".join(texts) + more, values


def _span(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return str(numbers[0])
    if numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers[:8])) + (", ..." if len(numbers) > 8 else "")


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


def listed(values: Sequence[str]) -> str:
    """The first values, and how many more there are."""
    text = ", ".join(values[:SHOWN_VALUES])
    return text + (f", and {len(values) - SHOWN_VALUES} more" if len(values) > SHOWN_VALUES else "")


def in_cycles(cycles: tuple[int, int] | None) -> str:
    """When a write was: the first and the last cycle."""
    if cycles is None:
        return "in a cycle that is not known"
    return (
        f"in cycle {cycles[0]}"
        if cycles[0] == cycles[1]
        else f"in cycles {cycles[0]} to {cycles[1]}"
    )
