# SPDX-License-Identifier: Apache-2.0
"""The bytes of a GPR that count where an instruction copies it to a register: those that the
register keeps. WRCFG copies 32 bits into a word of which a field has 12, and kernels load the low
half of the GPR alone.
"""

from tensix_gdb.core.arch.blackhole import MMIO_BASE
from tensix_gdb.core.arch.chips import CHIPS, CONFIG_WORDS
from tensix_gdb.core.devices.overlay import (
    KEPT_BITS,
    OVERLAY_BASE,
    SLOT,
    STREAM_STRIDE,
    STREAMS,
    as_here,
)
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import fields_of_word
from tensix_gdb.core.race.operands import FORM, INDEX, Form
from tensix_gdb.core.race.state.contract import ACKNOWLEDGED, RECEIVED
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.table import opcode

COLD = True  # little time of LLVM for it (core/engine/README.md)

ALL = 15
STOREREG = opcode("STOREREG")
REGISTERS = STREAM_STRIDE >> 2


def _bytes(bits: int) -> int:
    return sum(1 << i for i in range(4) if bits >> 8 * i & 0xFF)


def _of_word(arch: Arch, word: int) -> int:
    """Return the bytes of a word of configuration in which a field has bits."""
    kept = 0
    for each in fields_of_word(arch, word, thread=False):
        kept |= _bytes(each.mask >> 32 * (word - each.word) & 0xFFFFFFFF)
    return kept


_WORDS = max(CONFIG_WORDS)
# [_WORDS * chip + word]
OF_WORD = tuple(
    _of_word((Arch.BLACKHOLE, Arch.WORMHOLE)[chip], word)
    for chip in range(CHIPS)
    for word in range(_WORDS)
)
WORDS_OF_CHIP = _WORDS
COUNTS = 3  # of those of tt-metal that count pages, in 16 bits; they keep 17
# By register of a stream of the NoC overlay; all of one that keeps no value.
OF_REGISTER = tuple(
    COUNTS
    if register in (RECEIVED, ACKNOWLEDGED)
    else _bytes(KEPT_BITS[SLOT[register]]) or ALL
    if register < len(SLOT)
    else ALL
    for register in range(REGISTERS)
)


def bytes_of(S: View, number: int, word: int, i: int) -> int:
    """Return the bytes of GPR `i` of an operand that count."""
    if FORM[number] == Form.WRCFG:
        index = field(word, number, INDEX[number] - 1) + i
        return OF_WORD[WORDS_OF_CHIP * S.tile.chip + index] if index < WORDS_OF_CHIP else ALL
    if word >> 24 == STOREREG:
        addr = MMIO_BASE + ((word & 0x3FFFF) << 2)
        if OVERLAY_BASE <= addr < OVERLAY_BASE + STREAMS * STREAM_STRIDE:
            if S.tile.chip:
                addr = as_here(1, addr)
            return OF_REGISTER[(addr & (STREAM_STRIDE - 1)) >> 2]
    return ALL
