# SPDX-License-Identifier: Apache-2.0
"""A record: the rows of all parts in one buffer, and copy, compare, hash and diff.

`core/machine/parts.py` joins the parts of the tile.

`Record.S` is the face for Python, `Record.address` the one for compiled code; both are the same
bytes. Rows tagged DERIVED stand at the end and take no part in anything below.
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.record.layout import CASTS, Layout, Slot, Tag, View

_PRIVATE = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS


def clear(row: memoryview) -> None:
    """Put zeros into a row, where it is. Of a large one a copy of zeros goes past the processor's
    caches, and what looks at it next waits for memory: observed runs took some percent longer."""
    ctypes.memset(ctypes.addressof(ctypes.c_char.from_buffer(row)), 0, len(row))


@dataclass(frozen=True, slots=True)
class Difference:
    """One element that differs: `path` such as `hart.x[1, 10]`, and its two values."""

    path: str
    left: int
    right: int


class Record:
    """A buffer in the shape of `layout`; a fresh one is all zeros."""

    def __init__(self, layout: Layout, *, checked: bool = True) -> None:
        self.layout = layout
        # Pages of zeros that the system gives when they are written: most never are. Of memory that
        # may be shared with others it would give them to a reader too, and a copy reads all.
        storage = mmap.mmap(-1, layout.size, flags=_PRIVATE)
        self.address = ctypes.addressof(ctypes.c_char.from_buffer(storage))
        self._bytes = memoryview(storage)[: layout.size]
        self._state = self._bytes[: layout.state_size]
        self.S = View(layout, self._bytes, checked=checked)
        # For a copy that is looked at and not kept: memory that the system has given already. The
        # next one that makes such a copy overwrites it.
        self.scratch = bytearray()

    def row(self, slot: Slot) -> memoryview:
        """Return the raw bytes of one row."""
        return self._bytes[slot.offset : slot.offset + slot.field.size]

    def raw(self) -> memoryview:
        """Return the raw bytes of all rows."""
        return self._bytes

    def raw_state(self) -> memoryview:
        """Return the raw bytes of all state rows."""
        return self._state

    def snapshot(self, into: bytearray | None = None) -> bytearray:
        """Copy the state; hand in an earlier snapshot to spare the allocation."""
        if into is None:
            return bytearray(self._state)
        into[:] = self._state
        return into

    def restore(self, snapshot: bytearray | memoryview) -> None:
        """Put a snapshot back. The caller drops what is DERIVED from the old state."""
        self._state[:] = snapshot

    def state(self) -> bytes:
        """Return all state rows as bytes, for byte-for-byte comparison."""
        return bytes(self._state)

    def hash(self, *tags: Tag) -> str:
        """Return the hash the rows of these tags; all state when none is named."""
        if not tags:
            return hashlib.blake2b(self._state, digest_size=16).hexdigest()
        digest = hashlib.blake2b(digest_size=16)
        for slot in self.layout.storage(*tags):
            digest.update(self.row(slot))
        return digest.hexdigest()

    def diff(self, other: Record, *tags: Tag, limit: int = 20) -> list[Difference]:
        """Name the first `limit` elements in which two records differ."""
        differences: list[Difference] = []
        for slot in self.layout.storage(*tags):
            mine, theirs = self.row(slot), other.row(slot)
            if mine == theirs:
                continue
            a, b = (side.cast(CASTS[slot.field.kind]) for side in (mine, theirs))
            for flat, (left, right) in enumerate(zip(a, b, strict=True)):
                if left != right:
                    differences.append(Difference(_path(slot, flat), left, right))
                    if len(differences) == limit:
                        return differences
        return differences


def _path(slot: Slot, flat: int) -> str:
    shape = slot.field.shape
    if not shape:
        return slot.path
    index = []
    for length in reversed(shape):
        flat, at = divmod(flat, length)
        index.append(at)
    return f"{slot.path}[{', '.join(map(str, reversed(index)))}]"
