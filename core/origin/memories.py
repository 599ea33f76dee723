# SPDX-License-Identifier: Apache-2.0
"""Memory outside the tiles, DRAM and the host's, as something that has stamps: which part was
written by which change. Requests note their parts (moves.py); what a host has changed is found by
comparing.
"""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.memory.pages import PAGE_BYTES, Pages
from tensix_gdb.core.noc.outside import Outside

FROM_OUTSIDE = 1 << 31  # a stamp: with the number of the change

# A tile by its number, or -1 - N: memory N outside the tiles, chip by chip.
Holder = int


@dataclass(frozen=True, slots=True)
class Region:
    """A part of memory outside the tiles that a change has written."""

    start: int
    end: int
    number: int


class StampedMemories:
    """The memories of each chip, one after the other."""

    def __init__(self, outsides: Sequence[Outside]) -> None:
        self._all: list[Pages] = []
        self._first: dict[int, int] = {}  # by the identity of an outside
        for outside in outsides:
            self._first[id(outside)] = len(self._all)
            self._all += outside.memories()
        self._regions: list[list[Region]] = []
        self._known: list[dict[int, bytes]] | None = None

    def first_of(self, outside: Outside) -> int:
        """Return the number of the first memory of a chip."""
        return self._first[id(outside)]

    def begin_run(self, *, is_fresh: bool) -> None:
        """A run begins. In a fresh one all of it was zero."""
        self._regions = [[] for _ in self._all]
        self._known = [{} for _ in self._all] if is_fresh else self._snapshots()

    def _snapshots(self) -> list[dict[int, bytes]]:
        return [pages.snapshot() for pages in self._all]

    def note(self, memory: int, start: int, end: int, number: int) -> None:
        """A change has written these bytes."""
        self._regions[memory].append(Region(start, end, number))

    def count_as_host(self) -> None:
        """Count all changes from here on, until `number_changes`, as changes by a host."""
        self._known = self._snapshots()

    def has_changed(self) -> bool:
        """True if a host has changed something."""
        return self._known is not None and any(
            pages.changes(known) for pages, known in zip(self._all, self._known, strict=True)
        )

    def number_changes(self, number: int) -> None:
        """Give what has changed the number of a change."""
        if self._known is not None:
            self.changes_to(self._known, number)
        self._known = None

    def changes_to(self, states: Sequence[dict[int, bytes]], number: int) -> None:
        """Give what differs from the pages of each memory the number of a change."""
        for memory, (pages, known) in enumerate(zip(self._all, states, strict=True)):
            for page, new in pages.changes(known).items():
                old, base = known.get(page, bytes(PAGE_BYTES)), page * PAGE_BYTES
                for start, end in differing(new, [old]):
                    self.note(memory, base + start, base + end, number)

    def stamps(self, holder: Holder, start: int, size: int) -> list[int]:
        """Return for each byte the stamp of the last change, or 0."""
        found = [0] * size
        left = set(range(size))
        for region in reversed(self._regions[-1 - holder]):
            for i in [i for i in left if region.start <= start + i < region.end]:
                found[i] = FROM_OUTSIDE | region.number
                left.discard(i)
            if not left:
                break
        return found

    def read(self, holder: Holder, start: int, size: int) -> bytes:
        """Return the bytes that are there now."""
        return self._all[-1 - holder].read(start, size)


def differing(state: bytes | memoryview, pages: Sequence[bytes]) -> list[tuple[int, int]]:
    """Runs of bytes that are not the same as in pages."""
    runs: list[tuple[int, int]] = []
    for number, page in enumerate(pages):
        base = PAGE_BYTES * number
        now = bytes(state[base : base + PAGE_BYTES])
        if now == page:
            continue
        for i, (x, y) in enumerate(zip(now, page, strict=False), base):
            if x != y:
                if runs and runs[-1][1] == i:
                    runs[-1] = runs[-1][0], i + 1
                else:
                    runs.append((i, i + 1))
    return runs
