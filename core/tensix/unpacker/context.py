# SPDX-License-Identifier: Apache-2.0
"""The unpackers' context counters (UNPACR_IncrementContextCounter.md, BackendConfiguration.md)."""

from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.unpacker import config as config
from tensix_gdb.core.tensix.unpacker.config import MISC_WORD as MISC_WORD
from tensix_gdb.core.tensix.unpacker.config import value


def count_on(S: View, bank: int, thread: int, unpacker: int, context: int) -> int:
    """The context counter of the thread becomes the one behind `context`.

    UNSPECIFIED(UNPACR_IncrementContextCounter.md): Context_count_non_log2, which Tenstorrent's
    header has as a count in place of Context_count's power of two.
    """
    count = 1 << value(S, bank, config.CONTEXT_COUNT[unpacker])
    if value(S, bank, config.COUNT_NON_LOG2_EN[unpacker]):
        count = value(S, bank, config.COUNT_NON_LOG2[unpacker])
    counter = (context + 1) & (config.CONTEXTS - 1)
    S.unpack.context[unpacker, thread] = 0 if counter >= count else counter
    return 0


def misc_written(S: View, bank: int, thread: int) -> int:
    """SETC16 has written UNPACK_MISC_CFG: its bits reset the thread's counters or count them on.

    UNSPECIFIED(BackendConfiguration.md): that the bits have to be set. The page has any write reset
    the counters, Tenstorrent's header a write with the bit set; LLK writes the word for each tile
    to change the context offset.
    """
    for unpacker in range(2):
        bits = S.config.thread[thread, config.MISC_WORD] >> (8 * unpacker)
        if bits & config.COUNTER_RESET:
            S.unpack.context[unpacker, thread] = 0
        elif bits & config.COUNTER_INC:
            count_on(S, bank, thread, unpacker, S.unpack.context[unpacker, thread])
    return 0
