# SPDX-License-Identifier: Apache-2.0
"""Elements of the record by their offset: which row, which index, and whether software sees it.

A *visible* element is one that a person asks for: memory, registers of harts and units. What is
between two of them, queues and registers of pipelines, is followed and not shown. Each row says
what it is (`Role` and `Mark` of core/record/layout.py).
"""

from __future__ import annotations

from bisect import bisect_right

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import SIZES, Mark, Slot, Tag

# Rows that are written byte by byte, too: each byte of an element has a last write of its own.
BY_BYTE = frozenset(
    (slot.part, slot.field.alias) for slot in LAYOUT.slots.values() if slot.field.alias
)

_SLOTS = sorted(
    (slot for slot in LAYOUT.slots.values() if not slot.field.alias), key=lambda slot: slot.offset
)
_OFFSETS = [slot.offset for slot in _SLOTS]


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a row: its slot, the number of the element in the row, its index."""

    slot: Slot
    flat: int
    byte: int  # within the element

    @property
    def key(self) -> tuple[str, str]:
        return self.slot.part, self.slot.field.name

    @property
    def is_visible(self) -> bool:
        """True if a person may ask for it."""
        return self.slot.is_marked(Mark.VISIBLE)

    @property
    def steers(self) -> bool:
        """True if it is a setting that is state of its own."""
        return self.slot.is_marked(Mark.STEERS)

    @property
    def index(self) -> tuple[int, ...]:
        """Of each dimension."""
        found, flat = [], self.flat
        for length in reversed(self.slot.field.shape):
            flat, at = divmod(flat, length)
            found.append(at)
        return tuple(reversed(found))

    @property
    def offset(self) -> int:
        """In the record."""
        return self.slot.offset + self.flat * SIZES[self.slot.field.kind]

    @property
    def size(self) -> int:
        """In bytes."""
        return SIZES[self.slot.field.kind]


def element_at(offset: int) -> Element:
    """Return the element that a byte of the record belongs to."""
    slot = _SLOTS[bisect_right(_OFFSETS, offset) - 1]
    flat, byte = divmod(offset - slot.offset, SIZES[slot.field.kind])
    return Element(slot, flat, byte)


def offset_of(part: str, field: str, *index: int) -> int:
    """Return where an element is in the record. IndexError where there is none."""
    return LAYOUT.slot(part, field).at(*index)


def is_state(element: Element) -> bool:
    """True if software can see it, so that it has stamps."""
    return element.slot.field.tag is Tag.ARCHITECTURAL
