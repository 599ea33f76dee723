# SPDX-License-Identifier: Apache-2.0
"""Elements of the record by their offset: which row, which index, and whether software sees it.

A *visible* element is one that a person asks for: memory, registers of harts and units. What is
between two of them, queues and registers of pipelines, is followed and not shown.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.layout import SIZES, Slot, Tag

VISIBLE = frozenset(
    {
        ("l1", "word"), ("local", "word"), ("dst", "bits"), ("src", "a"), ("src", "b"),
        ("vector", "lreg"), ("gpr", "word"), ("config", "word"), ("config", "thread"),
        ("hart", "x"),
        ("vector_late", "value"),  # what an LReg gets in the second cycle of an instruction
    }
)  # fmt: skip
# What steers: of the settings of units, those that are state of their own.
SETTINGS = frozenset(
    {
        ("config", "word"), ("config", "thread"), ("adc", "value"), ("rwc", "dst"),
        ("rwc", "src_a"), ("rwc", "src_b"), ("gpr", "word"), ("dst", "undefined"),
        ("vector", "flags"), ("vector", "use_flags"), ("vector", "config"),
    }
)  # fmt: skip
# Rows of units and queues that values go through.
CARRIED = frozenset(
    {
        ("pack", "out_word"), ("pack", "block"), ("pack", "datum"), ("pack", "group"),
        ("pack", "kept"), ("pack", "prepared"), ("config_pipe", "data"), ("thcon", "data"),
        ("thcon", "value"), ("thcon", "before"), ("thcon", "source"), ("noc", "data"),
        ("unpack", "accumulator"), ("pipeline", "sq_data"), ("pipeline", "ex1_data"),
        ("pipeline", "ex1_more"), ("pipeline", "l0_word"), ("stream", "data"),
    }
)  # fmt: skip
# Parts with rows that an instruction samples at its gate, beside those above and those that count
# how far it is.
SAMPLED = frozenset({"unpack", "pack", "config_pipe", "thcon", "mover", "noc", "macro", "src"})
PROGRESS = frozenset(
    {
        "count", "head", "done", "left", "running", "out_count", "out_first", "fetched",
        "addressing", "defined", "started", "fill", "open", "total", "grouped", "blocks",
        "out_kind", "out_thread", "rows", "in_row", "row_zero", "requests", "state", "answer",
        "op", "stage", "entering", "wants", "order", "next", "counter", "word", "drop",
        "unpack_row", "random",
    }
)  # fmt: skip
# Where instructions and requests wait: what is there beside data says which and when.
FRONTEND = frozenset(
    {
        *("fifo", "gate", "latch", "tracker", "mop_expander", "replay_expander"),
        *("pipeline", "stream", "tile", "schedule"),
    }
)

# Rows that are written byte by byte, too: each byte of an element has a last write of its own.
BY_BYTE = frozenset(
    (slot.part, slot.field.alias) for slot in LAYOUT.slots.values() if slot.field.alias
)

DATA, SETTING, INSTRUCTION, NEITHER = range(4)


def role_of(key: tuple[str, str]) -> int:
    """What an element is to a value that was computed with it."""
    part, field = key
    if key in CARRIED:
        return DATA
    if key == ("hart", "pc"):
        return NEITHER
    if part in FRONTEND:
        return INSTRUCTION if key == ("fifo", "word") else NEITHER
    if key in VISIBLE and part not in ("config", "src"):
        return DATA
    if key in SETTINGS:
        return SETTING
    if part in SAMPLED and key not in VISIBLE:
        return NEITHER if field in PROGRESS else SETTING
    return DATA


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
    """The element that a byte of the record belongs to."""
    slot = _SLOTS[bisect_right(_OFFSETS, offset) - 1]
    flat, byte = divmod(offset - slot.offset, SIZES[slot.field.kind])
    return Element(slot, flat, byte)


def offset_of(part: str, field: str, *index: int) -> int:
    """Where an element is in the record. IndexError where there is none."""
    slot = LAYOUT.slot(part, field)
    flat = 0
    for at, length in zip(index, slot.field.shape, strict=True):
        if not 0 <= at < length:
            raise IndexError(f"{part}.{field} has no element {index}")
        flat = flat * length + at
    return slot.offset + flat * SIZES[slot.field.kind]


def is_state(element: Element) -> bool:
    """True if software can see it, so that it has stamps."""
    return element.slot.field.tag is Tag.ARCHITECTURAL
