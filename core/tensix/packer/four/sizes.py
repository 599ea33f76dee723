# SPDX-License-Identifier: Apache-2.0
"""The sizes of tiles that Wormhole's packers have packed (TDMA-RISC.md, SETDMAREG_Special.md).

Packer 0 has the rows of packer/metadata.py. LastThread, LastTileSize and AccTileSize of the others
are in words of their own (images.py). What changes while a packer is at work, the histogram and the
all-zero flags, is in the rows of the packer that is chosen, and in those words for the rest.

The metadata FIFOs of packers 1 to 3 are not there: only registers of TDMA-RISC that are not there
either would read them.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.packer import metadata
from tensix_gdb.core.tensix.packer.config import CONTROL, OUT_FORMAT
from tensix_gdb.core.tensix.packer.four.images import (
    ACC_SIZE_AT,
    BINS_AT,
    LAST_SIZE_AT,
    LAST_THREAD_AT,
    OFFSET_AT,
    PACKERS,
    PLACE,
    WORDS,
    ZERO_FLAGS_AT,
)
from tensix_gdb.core.tensix.packer.metadata import RESET_PACKER_0, Source
from tensix_gdb.core.tensix.packer.start import compresses_wormhole
from tensix_gdb.core.tensix.packer.state import HEADER_COUNTS


def note_size(S: View, thread: int) -> int:
    """The tile of the packer that is chosen is over and counts."""
    if S.pack.context == 0:
        return metadata.note_size(S, thread)
    at = PLACE + WORDS * S.pack.context
    S.local.word[at + LAST_THREAD_AT] = thread + 1
    S.local.word[at + LAST_SIZE_AT] = S.pack.blocks
    size = S.local.word[at + ACC_SIZE_AT + thread] + S.pack.blocks
    size += S.pack.header_flags & HEADER_COUNTS
    S.local.word[at + ACC_SIZE_AT + thread] = size & 0xFFFF
    return 0


def last_size(S: View, thread: int, packer: int) -> int:
    """LastTileSize, if the tile was one of the thread."""
    if packer == 0:
        return metadata.tile_size(S, thread)
    at = PLACE + WORDS * packer
    return S.local.word[at + LAST_SIZE_AT] if S.local.word[at + LAST_THREAD_AT] == thread + 1 else 0


def sum_of_sizes(S: View, thread: int, packer: int) -> int:
    """AccTileSize."""
    if packer == 0:
        return S.pack.acc_size[thread]
    return S.local.word[PLACE + WORDS * packer + ACC_SIZE_AT + thread]


def zero_flags(S: View, packer: int) -> int:
    """AllZeroFlags."""
    if packer == S.pack.context:
        return S.pack.zero_flags
    return S.local.word[PLACE + WORDS * packer + ZERO_FLAGS_AT]


def in_bin(S: View, packer: int, number: int) -> int:
    """Return a counter of ExponentHistogram."""
    if packer == S.pack.context:
        return S.pack.bins[number]
    return S.local.word[PLACE + WORDS * packer + BINS_AT + number]


def forget_sum(S: View, packer: int) -> int:
    """ResetAccTileSize."""
    if packer == 0:
        return metadata.reset_sizes(S)
    for thread in range(THREADS):
        S.local.word[PLACE + WORDS * packer + ACC_SIZE_AT + thread] = 0
    return 0


def write_sizes(S: View, value: int) -> int:
    """ResetPackerAccTileSize of TDMA-RISC.md."""
    for packer in range(PACKERS):
        if value & RESET_PACKER_0 << packer:
            forget_sum(S, packer)
            if packer == S.pack.context:
                S.pack.offset = value & 0xFFFF
            else:
                S.local.word[PLACE + WORDS * packer + OFFSET_AT] = value & 0xFFFF
    return 0


# -- for SETDMAREG
def is_known(source: int, which: int) -> int:
    """All of it is there."""
    return 1


def value(S: View, thread: int, which: int, source: int, word: int) -> int:
    """Word `word` of the four that SETDMAREG_Special.md reads."""
    match source:
        case Source.TILE_SIZE:
            return sum_of_sizes(S, thread, word) << 16 | last_size(S, thread, word)
        case Source.ALL_ZERO:
            return zero_flags(S, word)
        case Source.HEADER0 | Source.HEADER1 | Source.HEADER2 | Source.HEADER3:
            return header(S, thread, source - Source.HEADER0, word)
        case Source.HISTOGRAM0 | Source.HISTOGRAM1:
            first = (source - Source.HISTOGRAM0) * 16 + word * 4
            packer = which & 3
            return (
                in_bin(S, packer, first)
                | in_bin(S, packer, first + 1) << 8
                | in_bin(S, packer, first + 2) << 16
                | in_bin(S, packer, first + 3) << 24
            )
        case Source.CLEAR_SIZE:
            bits = 0
            if word == 0:
                for packer in range(PACKERS):
                    bits |= (zero_flags(S, packer) & 1) << packer
            return bits
        case _:
            return metadata.value(S, thread, which, source, word)


def header(S: View, thread: int, packer: int, word: int) -> int:
    """Return the header of the tile that the packer has packed last."""
    match word:
        case 0:
            return (last_size(S, thread, packer) + 1) & 0xFFFF
        case 1:
            bank = bank_of(S, thread)
            plain = 0 if compresses_wormhole(S, bank, packer) else 1
            return ((S.config.word[bank, CONTROL[packer]] >> OUT_FORMAT) & 0xF) << 16 | plain << 20
        case 2:
            return zero_flags(S, packer)
        case _:
            return 0


def clear_sizes(S: View, which: int) -> int:
    """CLEAR_SIZE, by a mask of packers."""
    for packer in range(PACKERS):
        if (which >> packer) & 1:
            forget_sum(S, packer)
    return 0
