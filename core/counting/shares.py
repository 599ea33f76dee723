# SPDX-License-Identifier: Apache-2.0
"""What was counted of each program, where others take its place.

Counts are by address, and a host loads one kernel after the other, often to the same addresses. So
what was counted at the addresses of a program is noted when it comes, and when it goes: between is
its own share.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from tensix_gdb.core.arch.blackhole import L1_BYTES
from tensix_gdb.core.counting.site import Site
from tensix_gdb.core.program.elf import Image

Issued = Mapping[tuple[Site, int], int]


@dataclass(slots=True)
class Share:
    """Executions by pc, and Tensix instructions by what has pushed them and `via`."""

    executed: dict[int, int] = field(default_factory=dict)
    issued: dict[tuple[Site, int], int] = field(default_factory=dict)

    def add(self, other: Share) -> None:
        """Add another one to it."""
        for pc, count in other.executed.items():
            self.executed[pc] = self.executed.get(pc, 0) + count
        for what, count in other.issued.items():
            self.issued[what] = self.issued.get(what, 0) + count

    def without(self, other: Share) -> Share:
        """What it has more than another one."""
        return Share(
            {pc: n - other.executed.get(pc, 0) for pc, n in self.executed.items()},
            {what: n - other.issued.get(what, 0) for what, n in self.issued.items()},
        )


class Shares:
    """Of all programs of a tile. `edges` gives the row of a hart of which the sums are executions,
    `issued` the instructions that have left the wait gates."""

    def __init__(self, edges: Callable[[int], memoryview], issued: Callable[[], Issued]) -> None:
        self._edges, self._issued = edges, issued
        self._before: dict[int, tuple[Image, Share]] = {}  # by identity
        self._past: dict[tuple[str, int, int | None, bytes], tuple[Image, Share]] = {}

    def replace(self, gone: Sequence[Image], new: Sequence[Image]) -> None:
        """Programs go, and others come; call before the new ones execute anything."""
        issued = self._issued()
        for image in gone:
            share = self.own(image, self._counted(image, issued))
            self._before.pop(id(image), None)
            key = str(image.path), image.bias, image.hart, image.content
            self._past.setdefault(key, (image, Share()))[1].add(share)
        for image in new:
            self._before[id(image)] = image, self._counted(image, issued)

    def own(self, image: Image, counted: Share) -> Share:
        """The share of a program of what was counted at its addresses."""
        known = self._before.get(id(image))
        return counted if known is None else counted.without(known[1])

    def before(self) -> Share:
        """What had been counted at the addresses of the programs that are there, before they
        came."""
        share = Share()
        for _, counted in self._before.values():
            share.add(counted)
        return share

    def past(self) -> list[tuple[Image, Share]]:
        """The programs that have gone, each with its share."""
        return list(self._past.values())

    def _counted(self, image: Image, issued: Issued) -> Share:
        if image.hart is None:
            return Share()
        share, edges = Share(), self._edges(image.hart)
        for segment in image.code:
            first, last = segment.addr // 4, min(segment.end, L1_BYTES) // 4
            if first >= last:
                continue
            counts = list(accumulate(edges[first:last], initial=sum(edges[:first])))[1:]
            share.executed.update({4 * (first + i): n for i, n in enumerate(counts) if n})
        share.issued = {
            (site, via): n
            for (site, via), n in issued.items()
            if site.hart == image.hart and image.covers(site.pc)
        }
        return share
