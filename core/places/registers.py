# SPDX-License-Identifier: Apache-2.0
"""Registers of devices as elements of the record, and back, as their declarations say
(core/devices/registers.py)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.devices.registers import Element, RegisterBlock
from tensix_gdb.core.memory.devices import DEVICES, Device
from tensix_gdb.core.memory.map import region_of_chip
from tensix_gdb.core.places.place import Place, numbered
from tensix_gdb.core.record.layout import Layout

# What to type for what a window shows otherwise than the record has it.
_INSTEAD = {
    "CONFIG": "type the name of a field, `cfg NAME`",
    "DST": "type the row and column that it shows, `dst 16.4`",
    "LOCAL": "type `local T0 0xffb00010:4`",
    "SLOW_LOCAL": "type `local T0 0xffb00010:4`",
    "L1": "type `L1 0x21000:4`",
}


def element_of_register(layout: Layout, chip: int, hart: int, addr: int) -> Element | None:
    """Return the element that a register is; None if it has none, or is not what its element is."""
    device = DEVICES[region_of_chip(chip, hart, addr)]
    module = device.load(chip)
    block: RegisterBlock | None = getattr(module, "BLOCK", None)
    if block is None:
        offset = addr - device.spans_on(chip)[0].start if device.spans_on(chip) else 0
        shown = (one.element(hart, 0, offset) for one in getattr(module, "WINDOW", ()))
        return next(filter(None, shown), None)
    copy, offset = divmod(addr - block.base, block.size)
    if not block.slots[offset // 4]:
        return None
    at = block.stored.get(offset)
    if at is None:
        return block.register_at(offset).element(hart, copy, offset)
    shape = layout.slot(block.part, block.row).field.shape
    return block.part, block.row, (at,) if len(shape) == 1 else (copy, at)


def instead_of(chip: int, hart: int, addr: int) -> str:
    """Say what to type for a word that is no element."""
    region = DEVICES[region_of_chip(chip, hart, addr)].key
    return _INSTEAD.get(region, "`monitor show` reads it, if it can be read")


def register_of(layout: Layout, chip: int, path: Element) -> Place | None:
    """Return the register that an element is: the row that has its name, or its address."""
    part, row, index = path
    if (part, row) not in _blocks(chip):
        return None
    hart, block, offsets = _blocks(chip)[part, row]
    offset = offsets.get(index[-1])
    if offset is None:
        return None
    if name := block.register_at(offset).row:
        field = layout.slot(part, name).field
        within = (index[0] - field.first,) if field.shape else ()
        return numbered("row", *within, name=f"{part}.{name}")
    addr = block.base + offset + (block.size * index[0] if len(index) > 1 else 0)
    return Place("mmio", HART_NAMES[hart], indexes=((range(addr, addr + 4),),))


@cache
def _blocks(chip: int) -> dict[tuple[str, str], tuple[int, RegisterBlock, dict[int, int]]]:
    """Return them by their storage: a hart that sees the registers, and the offset of each by its
    element."""
    found = {}
    for device, block in _with_block(chip):
        hart = device.spans_on(chip)[0].harts[0]
        offsets = {at: offset for offset, at in block.stored.items()}
        found[block.part, block.row] = hart, block, offsets
    return found


def _with_block(chip: int) -> Iterator[tuple[Device, RegisterBlock]]:
    for device in DEVICES:
        block: RegisterBlock | None = getattr(device.load(chip), "BLOCK", None)
        if block is not None:
            yield device, block


@cache
def addresses(layout: Layout, chip: int) -> dict[Element, tuple[int, int]]:
    """Return a hart and the address at which it sees an element, of each that a block's register
    is."""
    found: dict[Element, tuple[int, int]] = {}
    for device, block in _with_block(chip):
        for span in device.spans_on(chip):
            for base in range(span.start, span.end, block.size):
                for offset, register, _ in block:
                    # One hart sees what another does, but what each has of its own.
                    harts = span.harts if register.elsewhere else span.harts[:1]
                    for hart in harts:
                        element = element_of_register(layout, chip, hart, base + offset)
                        if element is not None:
                            found.setdefault(element, (hart, base + offset))
    return found
