# SPDX-License-Identifier: Apache-2.0
"""The devices of the tile: their registers by address, and their values at power-up."""

from __future__ import annotations

from tensix_gdb.core.arch.chips import BLACKHOLE, CHIPS
from tensix_gdb.core.devices.registers import Register, RegisterBlock
from tensix_gdb.core.memory.devices import DEVICES
from tensix_gdb.core.memory.map import region_of_chip
from tensix_gdb.core.record.layout import Layout, Tag, View
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.vector import state as vector_state

_MODULES = tuple(tuple(device.load(chip) for device in DEVICES) for chip in range(CHIPS))


def register_name(hart: int, addr: int, chip: int = BLACKHOLE) -> str | None:
    """Return the name of the register that `addr` is to `hart` of a chip; None when it has none."""
    region = region_of_chip(chip, hart, addr)
    module = _MODULES[chip][region]
    block: RegisterBlock | None = getattr(module, "BLOCK", None)
    if block is not None:
        return block.title_at(addr & ~3)
    window: tuple[Register, ...] = getattr(module, "WINDOW", ())
    return _title(window, (addr & ~3) - DEVICES[region].spans_on(chip)[0].start) if window else None


def _title(window: tuple[Register, ...], offset: int) -> str | None:
    for register in window:
        index, rest = divmod(offset - register.offset, register.step)
        if rest == 0 and 0 <= index < register.count:
            return register.title(index)
    return None


Piece = tuple[int, bytes]  # an offset in the record, and what is there
PIECE = 4096
SMALL = 1 << 16
_at_power_up: dict[tuple[Layout, int], tuple[Piece, ...]] = {}


def power_up(record: Record) -> None:
    """Put in what is not 0 when the tile gets power; the record is all zeros but for its chip.

    It is computed once for each layout and chip: a grid has 140 tiles, and litmus tests begin
    thousands of times. Of 1.8 MB of state a few pages are not 0.
    """
    key = record.layout, int(record.S.tile.chip)
    if key not in _at_power_up:
        compute(record.S)
        _at_power_up[key] = pieces(record.raw_state())
        return
    put_pieces(record.raw_state(), _at_power_up[key])


def pieces(content: memoryview, start: int = 0) -> tuple[Piece, ...]:
    """Copy the pages that are not all zeros; `start` is where the content is in the record."""
    pages = ((at, bytes(content[at : at + PIECE])) for at in range(0, len(content), PIECE))
    return tuple((start + at, page) for at, page in pages if page.strip(b"\0"))


def pieces_of_new(record: Record) -> tuple[Piece, ...]:
    """The same of a record that has just begun. Of what is derived the large rows are zeros then:
    60 MB, which are not to be looked through."""
    found = list(pieces(record.raw_state()))
    for slot in record.layout.storage(Tag.DERIVED):
        if slot.field.size <= SMALL:
            found += pieces(record.row(slot), slot.offset)
    return tuple(found)


def put_pieces(content: memoryview, copied: tuple[Piece, ...]) -> None:
    """Put them into zeros."""
    for at, page in copied:
        content[at : at + len(page)] = page


def compute(S: View) -> None:
    """Give the blocks of a record of zeros the values that they have at power-up."""
    for module in dict.fromkeys(_MODULES[S.tile.chip]):
        if module is not None and hasattr(module, "power_up"):
            module.power_up(S)
    tracker.power_up(S)
    vector_state.power_up(S)
