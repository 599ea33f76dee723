# SPDX-License-Identifier: Apache-2.0
"""Switching the counters on, and what they say: the side of core/counting that is no machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.counting import coprocessor as keys
from tensix_gdb.core.counting.fields import BOUNDS, FROM_NOWHERE, UNITS
from tensix_gdb.core.counting.harts import END
from tensix_gdb.core.counting.shares import Shares
from tensix_gdb.core.counting.site import Hold, Node, Site
from tensix_gdb.core.counting.tree import Call, by_program, whole
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.record.layout import CASTS
from tensix_gdb.core.record.record import Record


class Counts:
    """Counts from now on what a tile executes, by the functions of `images`."""

    def __init__(self, record: Record, images: Sequence[Image]) -> None:
        self._record, self._images = record, images
        self._S = record.S
        self._known: tuple[Image, ...] | None = None
        self.shares = Shares(self)
        self._begin_counting()

    def _begin_counting(self) -> None:
        counted, S = self._S.counted, self._S
        for hart in range(HARTS):
            node = 1 + hart
            counted.lo[node], counted.hi[node] = 0, END
            counted.node[hart] = node
            counted.expected[hart] = FROM_NOWHERE
            counted.since[hart] = S.tile.cycle
        counted.nodes = 1 + HARTS
        self.start = int(S.tile.cycle)
        counted.on = 1
        self.learn_images()

    def stop(self) -> None:
        """Count no more."""
        self._S.counted.on = 0

    def learn_images(self) -> None:
        """Learn the functions of new files, before anything runs."""
        images = tuple(self._images)
        if images == self._known:
            return
        self._known = images
        counted, at = self._S.counted, 0
        for hart in range(HARTS):
            counted.first[hart] = at
            bounds: set[int] = set()
            for image in (image for image in images if image.hart == hart):
                for symbol in image.symbols.values():
                    if symbol.is_function and symbol.addr < L1_BYTES:
                        bounds |= {symbol.addr, symbol.addr + max(symbol.size, 4)}
            for bound in sorted(bounds)[: BOUNDS // HARTS]:
                counted.start[at] = bound
                at += 1
        counted.first[HARTS] = at

    def _row(self, name: str) -> memoryview:
        slot = self._record.layout.slot("counted", name)
        return self._record.row(slot).cast(CASTS[slot.field.kind])

    @property
    def lost(self) -> int:
        """The number of keys, and functions of the tree, that there was no room for."""
        return int(self._S.counted.lost)

    # Harts

    def executions(self, hart: int) -> dict[int, int]:
        """Return the count of executions at each pc, without those that were never executed."""
        edges = self.edges(hart)
        if not any(edges.tobytes()):
            return {}
        return {4 * i: count for i, count in enumerate(accumulate(edges)) if count}

    def edges(self, hart: int) -> memoryview:
        """Return the row of which the sums are executions."""
        words = L1_BYTES // 4 + 1
        return self._row("edge")[hart * words : (hart + 1) * words]

    def cycles(self, hart: int) -> dict[int, int]:
        """Return the cycles of a hart by pc: in which the instruction there was executed, or waited
        to be."""
        words = L1_BYTES // 4
        waited = self._row("waited")[hart * words : (hart + 1) * words]
        cycles = {pc: count + waited[pc // 4] for pc, count in self.executions(hart).items()}
        if self._open(hart):
            pc = int(self._S.hart.pc[hart])
            cycles[pc] = cycles.get(pc, 0) + self._open(hart)
        return cycles

    def time(self, hart: int) -> int:
        """Return cycles in which the hart has executed or waited to."""
        return int(self._S.counted.time[hart]) + self._open(hart)

    def _open(self, hart: int) -> int:
        """Return cycles that the next instruction has waited so far."""
        S = self._S
        return int(max(S.tile.cycle - S.counted.since[hart], 0)) if S.hart.issuing[hart] else 0

    def tree(self, hart: int) -> dict[int, Node]:
        """Return the nodes of calls of a hart, callers before what they call; `above` of the
        topmost one, which is the hart, is 0."""
        counted = self._S.counted
        spent, calls, lo, above = map(self._row, ("spent", "calls", "lo", "above"))
        now = counted.node[hart]
        late = self.time(hart) - counted.entered[hart]
        top = 1 + hart
        tree = {top: Node(lo[top], 0, spent[top] + (late if top == now else 0), calls[top])}
        for node in range(1 + HARTS, counted.nodes):
            if above[node] in tree:
                own = spent[node] + (late if node == now else 0)
                tree[node] = Node(lo[node], above[node], own, calls[node])
        return tree

    def calls(self, hart: int) -> Call:
        """Return the tree of calls of a hart, whichever programs were at an address."""
        return whole(self.tree(hart), 1 + hart)

    def calls_by_program(self, hart: int) -> Call:
        """The same with a function of each program that was there."""
        past = [(image, share) for image, share in self.shares.past() if image.hart == hart]
        return by_program(self.tree(hart), 1 + hart, past)

    # The coprocessor

    def issued(self) -> dict[tuple[Site, int], int]:
        """Return instructions that have left the wait gates, by where they come from and `via`."""
        return {
            (_site(key), key >> keys.REST & 7): count for key, count in self._keys() if not key & 1
        }

    def holds(self) -> dict[Hold, int]:
        """Return cycles in which an instruction was held at its gate."""
        return {
            Hold(
                _site(key),
                key >> keys.REST & 15,
                key >> keys.KIND & 3,
                key >> keys.DETAIL & 0xFFFF,
            ): count
            for key, count in self._keys()
            if key & 1
        }

    def busy(self) -> list[int]:
        """Return cycles in which each unit (fields.py) had something to do."""
        return [int(self._S.counted.busy[unit]) for unit in range(UNITS)]

    def _keys(self) -> Iterator[tuple[int, int]]:
        keys, counts = self._row("key"), self._row("count")
        return ((key, counts[i]) for i, key in enumerate(keys) if key)


def _site(key: int) -> Site:
    return Site(
        key >> keys.THREAD & 3,
        key >> keys.HART & 7,
        4 * (key >> keys.WORD & 0x7FFFF),
        key >> keys.OPCODE & 0xFF,
    )
