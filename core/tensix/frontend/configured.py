# SPDX-License-Identifier: Apache-2.0
"""Which word of MopCfg an instruction of a MOP comes from, and the store that has written it.

An instruction keeps no more than the MOP that has it issued. Its word of MopCfg is the one that is
equal to it, or a REPLAY that plays it: as MopCfg is now, so it is looked for when someone asks.
MopCfg may have been written since by another line; the word says so, unless it is the same one.
"""

from tensix_gdb.core.devices.mop_config import WORDS
from tensix_gdb.core.isa.opcodes import REPLAY
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.fifo import VIA_REPLAY
from tensix_gdb.core.tensix.frontend.replay_expander import ENTRIES

FIRST_INSTRUCTION = 2  # the words before have counts and flags


def comes_from(S: View, thread: int, index: int, word: int, via: int) -> int:
    """True if a word of MopCfg is what the instruction `word` comes from, which has come so."""
    configured = S.mop_config.word[thread, index]
    return plays(S, thread, configured, word) if via & VIA_REPLAY else configured == word


def plays(S: View, thread: int, replay: int, word: int) -> int:
    """True of a REPLAY that plays the instruction `word`."""
    if replay >> 24 != REPLAY or replay & 1:
        return 0
    count = (replay >> 4) & 0x3F
    for i in range(count if count else ENTRIES):
        if S.replay.buffer[thread, ((replay >> 14) + i) % ENTRIES] == word:
            return 1
    return 0


def configured_at(S: View, thread: int, word: int, via: int) -> int:
    """Return the store of the first such word; 0 if there is none."""
    for index in range(FIRST_INSTRUCTION, WORDS):
        if comes_from(S, thread, index, word, via):
            return S.mop_config.pc[thread, index]
    return 0
