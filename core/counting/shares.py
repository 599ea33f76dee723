# SPDX-License-Identifier: Apache-2.0
"""The counts of each program, where one program takes the place of another.

Counts are by address, and a host loads one kernel after the other, often to the same addresses. So
what was counted at the addresses of a program is noted when it comes, and when it goes: between is
its own share.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field, fields
from itertools import accumulate
from typing import Protocol, TypeVar

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.counting.site import Hold, Node, Site
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.program.elf import Image

Issued = Mapping[tuple[Site, int], int]
Key = TypeVar("Key", bound=Hashable)


@dataclass(slots=True)
class Share:
    """Executions and cycles by pc; Tensix instructions by what has pushed them and `via`, and why
    they were held; cycles and calls of nodes of the tree of calls (tree.py)."""

    executed: dict[int, int] = field(default_factory=dict)
    issued: dict[tuple[Site, int], int] = field(default_factory=dict)
    cycles: dict[int, int] = field(default_factory=dict)
    held: dict[Hold, int] = field(default_factory=dict)
    spent: dict[int, int] = field(default_factory=dict)
    called: dict[int, int] = field(default_factory=dict)

    def add(self, other: Share) -> None:
        """Add another one to it."""
        for row in fields(self):
            _add(getattr(self, row.name), getattr(other, row.name))

    def without(self, other: Share) -> Share:
        """Return the counts of this share less those of another."""
        return Share(*(more(getattr(self, r.name), getattr(other, r.name)) for r in fields(self)))


def more(some: Mapping[Key, int], others: Mapping[Key, int]) -> dict[Key, int]:
    """Return by how much `some` exceeds `others`, for the keys where it does."""
    return {key: n - others.get(key, 0) for key, n in some.items() if n != others.get(key, 0)}


def _add(to: dict[Key, int], counts: Mapping[Key, int]) -> None:
    for key, count in counts.items():
        to[key] = to.get(key, 0) + count


class Counted(Protocol):
    """The counts of a tile that Shares needs."""

    def edges(self, hart: int) -> memoryview:
        """Return the row of which the sums are executions."""

    def cycles(self, hart: int) -> dict[int, int]:
        """Return cycles by pc."""

    def issued(self) -> dict[tuple[Site, int], int]:
        """Return instructions that have left the wait gates."""

    def holds(self) -> dict[Hold, int]:
        """Return cycles in which one was held."""

    def tree(self, hart: int) -> dict[int, Node]:
        """Return the nodes of calls."""


class Shares:
    """Of all programs of a tile."""

    def __init__(self, counts: Counted) -> None:
        self._counts = counts
        self._before: dict[int, tuple[Image, Share]] = {}  # by identity
        self._past: dict[tuple[str, int, int | None, bytes], tuple[Image, Share]] = {}

    def replace(self, gone: Sequence[Image], new: Sequence[Image]) -> None:
        """Programs go, and others come; call before the new ones execute anything."""
        now = _Now(self._counts)
        for image in gone:
            share = self.own(image, now.share(image))
            self._before.pop(id(image), None)
            key = str(image.path), image.bias, image.hart, image.content
            self._past.setdefault(key, (image, Share()))[1].add(share)
        for image in new:
            self._before[id(image)] = image, now.share(image)

    def own(self, image: Image, counted: Share) -> Share:
        """Return the share of a program of what was counted at its addresses."""
        known = self._before.get(id(image))
        return counted if known is None else counted.without(known[1])

    def before(self) -> Share:
        """Return the counts at the addresses of the current programs from before they were
        loaded."""
        share = Share()
        for _, counted in self._before.values():
            share.add(counted)
        return share

    def past(self) -> list[tuple[Image, Share]]:
        """Return the programs that have gone, each with its share."""
        return list(self._past.values())

    def all_past(self, hart: int) -> Share:
        """Return the counts of all past programs of a hart."""
        share = Share()
        for image, own in self._past.values():
            if image.hart == hart:
                share.add(own)
        return share


class _Now:
    """The counts at one moment, each asked for once."""

    def __init__(self, counts: Counted) -> None:
        self._counts = counts
        self._issued, self._held = counts.issued(), counts.holds()
        self._of_hart: dict[int, tuple[dict[int, int], dict[int, Node]]] = {}

    def share(self, image: Image) -> Share:
        """Return the counts at the addresses of a program."""
        hart = image.hart
        if hart is None:
            return Share()
        if hart not in self._of_hart:
            self._of_hart[hart] = self._counts.cycles(hart), self._counts.tree(hart)
        cycles, tree = self._of_hart[hart]
        share, edges = Share(), self._counts.edges(hart)
        for segment in image.code:
            first, last = segment.addr // 4, min(segment.end, L1_BYTES) // 4
            if first >= last:
                continue
            counts = list(accumulate(edges[first:last], initial=sum(edges[:first])))[1:]
            share.executed.update({4 * (first + i): n for i, n in enumerate(counts) if n})
        share.issued = {
            (site, via): n
            for (site, via), n in self._issued.items()
            if site.hart == hart and image.covers(site.pc)
        }
        share.held = {
            hold: n
            for hold, n in self._held.items()
            if hold.site.hart == hart and image.covers(hold.site.pc)
        }
        share.cycles = {pc: n for pc, n in cycles.items() if image.covers(pc)}
        for number, node in tree.items():  # a caller comes before what it calls
            if node.above in share.spent or image.covers(node.pc):
                share.spent[number], share.called[number] = node.spent, node.calls
        return share
