# SPDX-License-Identifier: Apache-2.0
"""One translation: what it was made of, and whether it is in use in a record.

In use means: its words of L1 are marked (`translated.of`), so that a write to any of them takes
its address away (`memory/ram.drop_decoded`, core/debug/memory.py); and its heads are in the decoded
copy, where `clock.burst` finds them.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.engine.jit import Loaded
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.fields import HEADS, LINE_SHIFT, TRANSLATIONS
from tensix_gdb.core.translate.blocks import Blocks

HEADS_EACH = HEADS // TRANSLATIONS
DECODED_BYTES = 8


@dataclass(slots=True)
class Translation:
    """Code of a hart. `loaded` is None until it is compiled."""

    number: int
    hart: int
    starts: tuple[int, ...]
    blocks: Blocks
    content: tuple[tuple[int, bytes], ...]  # what L1 has to hold: addresses and bytes
    loaded: Loaded | None = None
    address: int = 0
    is_marked: bool = False  # its rows were filled in, and not emptied since then

    def is_of(self, l1: memoryview) -> bool:
        """True if L1 holds what was translated."""
        return all(l1[at : at + len(each)] == each for at, each in self.content)

    def key(self) -> str:
        """Return a name for what it was made of."""
        told = repr((self.hart, sorted(self.blocks.code.items()), sorted(self.blocks.leaders)))
        return hashlib.blake2b(told.encode(), digest_size=20).hexdigest()


def content_of(blocks: Blocks, l1: memoryview) -> tuple[tuple[int, bytes], ...]:
    """Return the bytes of L1 that blocks were made of, in pieces that have no gaps."""
    return tuple((at, bytes(l1[at:end])) for at, end in _pieces(sorted(blocks.code)))


def _pieces(addresses: list[int]) -> Iterator[tuple[int, int]]:
    together = itertools.groupby(enumerate(addresses), lambda each: each[1] - 4 * each[0])
    for _, group in together:
        each = [pc for _, pc in group]
        yield each[0], each[-1] + 4


class Rows:
    """The rows of a record that translations are entered through."""

    def __init__(self, record: Record) -> None:
        slot = record.layout.slot
        self.l1 = record.row(slot("l1", "word"))
        self.words = record.row(slot("decoded", "word")).cast("q")
        self.lines = record.row(slot("decoded", "line"))
        self.breaks = record.row(slot("debug", "breaks"))
        self.of = record.row(slot("translated", "of"))
        self.code = record.row(slot("translated", "code")).cast("q")
        self.hart = record.row(slot("translated", "hart"))
        self.head_words = record.row(slot("translated", "word")).cast("q")
        self.owner = record.row(slot("translated", "owner"))
        self.dropped = record.row(slot("translated", "dropped"))

    def may_use(self, one: Translation) -> bool:
        """True if it is compiled, L1 holds what it is of, no breakpoint is in it, and no other
        translation that is in use has a word of it."""
        if one.loaded is None or not one.is_of(self.l1):
            return False
        for at, content in one.content:
            first, end = at >> 2, at + len(content) >> 2
            if any(self.breaks[first:end]):
                return False
            if any(self.code[each] for each in set(self.of[first:end])):
                return False
        return True

    def use(self, one: Translation) -> None:
        """From now on the hart enters it."""
        for at, content in one.content:
            first, end = at >> 2, at + len(content) >> 2
            self.of[first:end] = bytes([one.number]) * (end - first)
            for line in range(at >> LINE_SHIFT, (at + len(content) - 1 >> LINE_SHIFT) + 1):
                self.lines[line] = 1
        for head, pc in enumerate(one.blocks.heads, one.number * HEADS_EACH):
            self.head_words[head] = one.blocks.code[pc]
            self.owner[head] = one.number
            self.words[pc >> 2] = head << 8
        one.is_marked = True
        self.hart[one.number] = one.hart
        self.code[one.number] = one.address

    def free_number(self, one: Translation) -> None:
        """It is no longer in use, and its number is free."""
        self.code[one.number] = 0
        if not one.is_marked:
            return
        one.is_marked = False
        for head, pc in enumerate(one.blocks.heads, one.number * HEADS_EACH):
            if self.words[pc >> 2] == head << 8:
                self.words[pc >> 2] = 0
        for at, content in one.content:
            first, end = at >> 2, at + len(content) >> 2
            self.of[first:end] = bytes(end - first)
