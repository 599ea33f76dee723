# SPDX-License-Identifier: Apache-2.0
"""The last writer of each word of configuration, for K1: a row for each word and instruction.

A row has the word as the last such write has left it, so that what a hw_configure has given it can
be told from what came later.
"""

from tensix_gdb.core.arch.chips import CONFIG_WORDS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.backend_config import BANKS, WORDS
from tensix_gdb.core.race.fields import CONFIG_CELLS, THREAD_CONFIG_CELLS
from tensix_gdb.core.race.registers.own_words import is_global
from tensix_gdb.core.race.registers.own_words import value as word_now
from tensix_gdb.core.race.shadow import site_of
from tensix_gdb.core.race.state import changed, contract
from tensix_gdb.core.race.state.fields import KNOWN, WRITES_KEPT
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.pipeline import ACCESS, NO_THREAD, Op

UNKNOWN = -1  # a value that the mover brings


def note(S: View, cell: int, value: int, bits: int, site: int) -> int:
    """An instruction writes `bits` of a word, which is `value` then; `cell` is of the shadow."""
    at = cell - CONFIG_CELLS
    if cell >= THREAD_CONFIG_CELLS:
        contract.selected(S, cell - THREAD_CONFIG_CELLS, value, site)
    if S.state.on & Group.MEMORY:
        changed.configured(S, at, value & bits)
    key = KNOWN | at << 16 | site
    i = (((key & 0x3FFFFFFF) * 0x1E3779B1) >> 13) & (WRITES_KEPT - 1)
    for _ in range(WRITES_KEPT):
        if S.state.log_key[i] == key or S.state.log_key[i] == 0:
            break
        i = (i + 1) & (WRITES_KEPT - 1)
    if S.state.log_key[i] != key and S.state.log_key[i]:
        S.state.lost += 1
        return 0
    S.state.log_key[i] = key
    S.state.log_value[i] = value
    S.state.log_bits[i] |= bits
    S.state.log_when[i] = S.tile.cycle
    return 0


def cell_of(S: View, bank: int, word: int) -> int:
    """Return the cell of a word; global words are in one bank."""
    return CONFIG_CELLS + (word if is_global(S, word) else bank * WORDS + word)


def in_pipe(S: View) -> int:
    """The configuration pipe is about to write what is in its stage for that."""
    op = S.config_pipe.op[ACCESS]
    thread = S.config_pipe.thread[ACCESS]
    if thread == NO_THREAD or op in (Op.EMPTY, Op.READ, Op.SHIFT, Op.REQUEST):
        return 0
    bank = S.config_pipe.bank[ACCESS]
    index = S.config_pipe.index[ACCESS]
    opcode = S.config_pipe.word[ACCESS] >> 24
    site = site_of(S, S.config_pipe.hart[ACCESS], thread + 1, 0, opcode, S.config_pipe.pc[ACCESS])
    if op == Op.MODIFY:
        mask = S.config_pipe.data[ACCESS, 0]
        old = word_now(S, bank, index) & ~mask & MASK32
        value = old | (S.config_pipe.data[ACCESS, 1] & mask)
        return note(S, cell_of(S, bank, index), value, mask, site)
    count = 4 if op == Op.WRITE_4 else 1
    first = index & ~3 if op == Op.WRITE_4 else index
    for i in range(count):
        if first + i < CONFIG_WORDS[S.tile.chip]:
            note(S, cell_of(S, bank, first + i), S.config_pipe.data[ACCESS, i], MASK32, site)
    return 0


assert THREAD_CONFIG_CELLS == CONFIG_CELLS + BANKS * WORDS
