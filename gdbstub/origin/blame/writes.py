# SPDX-License-Identifier: Apache-2.0
"""Writes of configuration, as a second run meets them: a store by a hart, or an instruction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tensix_gdb.core.arch.blackhole import HART_NAMES, THREAD_NAMES
from tensix_gdb.core.arch.chips import CONFIG_WORDS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.devices.backend_config import BANKS, CONFIG_BASE, WORDS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.registers import own_words
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.config_use import Stage
from tensix_gdb.core.tensix.table import ROWS, find

# Instructions that write Config, and the operand that names the word.
WRITERS = {
    row.mnemonic: row.config.index
    for row in ROWS
    if row.config and row.config.writes and row.config.stage in (Stage.PIPE, Stage.LATE)
}
STORED_BYTES = 4 * 3 * WORDS  # both banks, and the window that writes both


@dataclass(frozen=True, slots=True)
class Write:
    """The last write of a word: by an instruction of a thread, or a store of a hart."""

    hart: int
    pc: int
    cycle: int
    thread: int | None = None
    name: str = "a store"

    def text(self, machine: Machine) -> str:
        """`by a store of T0 at 0x..., unpack_tile at add.c:35`."""
        owner = HART_NAMES[self.hart] if self.thread is None else THREAD_NAMES[self.thread]
        return f"by {self.name} of {owner}, {machine.places.at(self.hart, self.pc)}"


class Writes:
    """The writes of each word of Config by bank, each with what the word was before it."""

    def __init__(self) -> None:
        self._all: dict[tuple[int, int], list[tuple[int, Write]]] = {}
        self.ranges: dict[tuple[int, int], Write] = {}  # last SETADCXX, by thread and unit

    def last(self, S: View, bank: int, word: int, mask: int) -> Write | None:
        """Return the last write that has changed these bits of a word of the chip, or else the last
        one; None where there was none. A word has many fields, and a store writes all of them."""
        writes = self._all.get((bank, word), [])
        after = int(own_words.value(S, bank, word))
        for before, write in reversed(writes):
            if (before ^ after) & mask:
                return write
            after = before
        return writes[-1][1] if writes else None

    def stored(self, S: View, addr: int, write: Write) -> None:
        """Note a store to an address of the window, before it."""
        index, words = (addr - CONFIG_BASE) >> 2, CONFIG_WORDS[S.tile.chip]
        banks = range(BANKS) if index >= BANKS * words else (index // words,)
        self._note(S, banks, index % words, write)

    def issued(self, S: View, thread: int, word: int, write: Write) -> None:
        """Note an instruction that is one of WRITERS, before it."""
        row = find(word, own_words.arch(S))
        assert row is not None
        fields = row.encoding.decode(word)
        first, count = fields[WRITERS[row.mnemonic]], 1
        if fields.get("is_128_bit"):
            first, count = first & ~3, 4
        for index in range(first, first + count):
            self._note(S, (bank_of(S, thread),), index, write)

    def ranged(self, thread: int, fields: Mapping[str, int], write: Write) -> None:
        """Note a SETADCXX."""
        for unit, name in enumerate(("u0", "u1", "pk")):
            if fields[name]:
                self.ranges[thread, unit] = write

    def _note(self, S: View, banks: Iterable[int], word: int, write: Write) -> None:
        for bank in range(BANKS) if own_words.is_global(S, word) else banks:
            before = int(own_words.value(S, bank, word))
            self._all.setdefault((bank, word), []).append((before, write))
