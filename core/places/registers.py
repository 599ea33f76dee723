# SPDX-License-Identifier: Apache-2.0
"""Registers of devices as elements of the record, and back, as their declarations say
(core/devices/registers.py)."""

from __future__ import annotations

from functools import cache

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.devices.registers import RegisterBlock
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.memory.map import region_of_chip
from tensix_gdb.core.places.place import Place, numbered
from tensix_gdb.core.record.layout import Layout

Path = tuple[str, str, tuple[int, ...]]  # part, row, index


def element_of_register(layout: Layout, chip: int, hart: int, addr: int) -> Path | None:
    """Return the element that a register is; None if it has none, or is not what its element is."""
    region = region_of_chip(chip, hart, addr)
    block: RegisterBlock | None = getattr(DEVICES[region].load(chip), "BLOCK", None)
    if block is None:
        return None
    copy, offset = divmod(addr - block.base, block.size)
    at = block.stored.get(offset)
    if at is None:
        return None
    shape = layout.slot(block.part, block.row).field.shape
    return block.part, block.row, (at,) if len(shape) == 1 else (copy, at)


def register_of(layout: Layout, chip: int, path: Path) -> Place | None:
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
    for device in DEVICES:
        block: RegisterBlock | None = getattr(device.load(chip), "BLOCK", None)
        if block is not None:
            hart = device.spans_on(chip)[0].harts[0]
            offsets = {at: offset for offset, at in block.stored.items()}
            found[block.part, block.row] = hart, block, offsets
    return found
