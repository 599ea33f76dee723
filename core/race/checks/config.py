# SPDX-License-Identifier: Apache-2.0
"""Checks of writes to configuration: S7, S8.

Of each bit is known which T core, or its thread, has written it last. B is left out: what it
writes before T cores run belongs to none of them.
"""

from tensix_gdb.core.arch.blackhole import T0, T2, THREADS
from tensix_gdb.core.arch.chips import CONFIG_WORDS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.backend_config import WORDS
from tensix_gdb.core.race.checks.fields import found, is_on
from tensix_gdb.core.race.checks.table import Number
from tensix_gdb.core.race.registers.own_words import is_global
from tensix_gdb.core.race.registers.own_words import value as word_now
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.pipeline import ACCESS, NO_THREAD, Op
from tensix_gdb.core.tensix.sync import MUTEXES


def cell_of(S: View, bank: int, word: int) -> int:
    """Return the place of a word; global words are in one bank."""
    return word if is_global(S, word) else bank * WORDS + word


def in_pipe(S: View) -> int:
    """The configuration pipe is about to write what is in its stage for that."""
    if not is_on(S, Number.S7):
        return 0
    op = S.config_pipe.op[ACCESS]
    thread = S.config_pipe.thread[ACCESS]
    if op == Op.EMPTY or op == Op.READ or op == Op.SHIFT or thread == NO_THREAD:
        return 0
    if op == Op.REQUEST:
        return 0
    hart = T0 + thread
    bank = S.config_pipe.bank[ACCESS]
    index = S.config_pipe.index[ACCESS]
    opcode = S.config_pipe.word[ACCESS] >> 24
    site = site_of(S, S.config_pipe.hart[ACCESS], thread + 1, 0, opcode, S.config_pipe.pc[ACCESS])
    if op == Op.MODIFY:
        return take_bits(S, hart, cell_of(S, bank, index), S.config_pipe.data[ACCESS, 0], site)
    if op == Op.SHIFTED:
        bits = S.config.word[bank, index] ^ S.config_pipe.data[ACCESS, 0]
        return take_bits(S, hart, cell_of(S, bank, index), bits, site)
    count = 4 if op == Op.WRITE_4 else 1
    first = index & ~3 if op == Op.WRITE_4 else index
    for i in range(count):
        if first + i < CONFIG_WORDS[S.tile.chip]:
            whole_word(S, hart, bank, first + i, S.config_pipe.data[ACCESS, i], site)
    return 0


def whole_word(S: View, hart: int, bank: int, word: int, value: int, site: int) -> int:
    """S7: a word is about to be written as a whole."""
    cell = cell_of(S, bank, word)
    changed = (word_now(S, bank, word) ^ value) & MASK32
    for thread in range(THREADS):
        other = T0 + thread
        if other != hart:
            bits = S.check.owner[other, cell] & changed
            if bits and hart >= T0:
                where = S.check.owner_site[other, cell]
                found(S, Number.S7, site, where, cell, bits)
    # What it leaves as it was has the writer that it had.
    return take_bits(S, hart, cell, changed, site)


def take_bits(S: View, hart: int, cell: int, bits: int, site: int) -> int:
    """A hart, or its thread, is the last one to write these bits."""
    for thread in range(THREADS):
        S.check.owner[T0 + thread, cell] &= ~bits & MASK32
    S.check.owner[hart, cell] |= bits
    S.check.owner_site[hart, cell] = site
    return 0


def request(S: View, hart: int, bank: int, word: int, value: int, reads: int, site: int) -> int:
    """A request of a hart to a word is about to be processed."""
    if reads:
        if is_on(S, Number.S8):
            S.check.loaded[cell_of(S, bank, word)] |= 1 << hart
        return 0
    if is_on(S, Number.S7):
        whole_word(S, hart, bank, word, value, site)
    if is_on(S, Number.S8) and T0 <= hart <= T2:
        change(S, hart, cell_of(S, bank, word), site)
    return 0


def change(S: View, hart: int, cell: int, site: int) -> int:
    """S8: a T core stores a word that it may have loaded before."""
    if not (S.check.loaded[cell] >> hart) & 1:
        return 0
    S.check.loaded[cell] &= ~(1 << hart) & 0xFF
    held = 0
    for i in range(MUTEXES):
        if S.mutex.holder[i] == hart - T0 + 1:
            held |= 1 << i
    S.check.no_locks[cell] |= ~held & 0xFF
    if S.check.changed_by[cell] & ~(1 << hart) and S.check.no_locks[cell] == 0xFF:
        found(S, Number.S8, site, S.check.change_site[cell], cell, 0)
    S.check.changed_by[cell] |= 1 << hart
    S.check.change_site[cell] = site
    return 0
