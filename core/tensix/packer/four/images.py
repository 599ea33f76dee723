# SPDX-License-Identifier: Apache-2.0
"""The state of each of Wormhole's packers while another one is at work.

The record has the rows of one packer (packer/state.py), which are those of packer 0 while nothing
is packed. The four take turns there; those of the others are in words of B's local RAM that
Wormhole's B does not have and no access reaches, as the instruction RAM of NC is in those of L1
(core/arch/README.md). What the packers share is in one place: the queue to L1 and the random
numbers. Sizes of tiles are not swapped: those of packers 1 to 3 stay in their words (sizes.py).
"""

from tensix_gdb.core.arch import wormhole
from tensix_gdb.core.arch.blackhole import LOCAL_STRIDE, B
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.packer.state import BINS, clear_histogram

PACKERS = 4
ONLY_PACKER_0 = 1  # what a mask of 0 means (PACR.md)
PLACE = wormhole.LOCAL_BYTES[B] // 4  # word of the record's local RAM
WORDS = 128  # for a packer
GROUP = 16
STREAMS = 3
assert 4 * (PLACE + PACKERS * WORDS) <= LOCAL_STRIDE


def choose(S: View, packer: int) -> int:
    """Let the rows be those of `packer`."""
    if S.pack.context != packer:
        write_images(S, PLACE + WORDS * S.pack.context)
        bring(S, PLACE + WORDS * packer)
        S.pack.context = packer
    return 0


def forget(S: View) -> int:
    """Nothing is left of packers 1 to 3, and the rows are those of packer 0."""
    for i in range(PACKERS * WORDS):
        S.local.word[PLACE + i] = 0
    S.pack.context = 0
    S.pack.planes = 0
    return 0


def clear_histograms(S: View) -> int:
    """CLREXPHIST.md: those of all packers."""
    for packer in range(1, PACKERS):
        at = PLACE + WORDS * packer
        S.local.word[at + MAX_EXPONENT] = 0
        for i in range(BINS):
            S.local.word[at + BINS_AT + i] = 0
    return clear_histogram(S)


# Where some of them are among the words of a packer.
MAX_EXPONENT, BINS_AT = 39, 66
FIRST_AT, COLUMN_AT, LEFT_AT = 7, 8, 10
OFFSET_AT, ZERO_FLAGS_AT = 38, 110
# Those that are not swapped: LastThread, LastTileSize, AccTileSize of each thread.
LAST_THREAD_AT, LAST_SIZE_AT, ACC_SIZE_AT = 111, 112, 113


def write_images(S: View, at: int) -> int:
    """Write the rows to the words from `at` on."""
    S.local.word[at] = S.pack.source
    S.local.word[at + 1] = S.pack.bank
    S.local.word[at + 2] = S.pack.section
    S.local.word[at + 3] = S.pack.early
    S.local.word[at + 4] = S.pack.late
    S.local.word[at + 5] = S.pack.format
    S.local.word[at + 6] = S.pack.kind
    S.local.word[at + 7] = S.pack.first
    S.local.word[at + 8] = S.pack.column
    S.local.word[at + 9] = S.pack.apart
    S.local.word[at + 10] = S.pack.left
    S.local.word[at + 11] = S.pack.masked
    S.local.word[at + 12] = S.pack.relu
    S.local.word[at + 13] = S.pack.limit
    S.local.word[at + 14] = S.pack.shift
    S.local.word[at + 15] = S.pack.exponent_threshold
    S.local.word[at + 16] = S.pack.downsample_mask
    S.local.word[at + 17] = S.pack.stochastic
    S.local.word[at + 18] = S.pack.add
    S.local.word[at + 19] = S.pack.compress
    S.local.word[at + 20] = S.pack.concat
    S.local.word[at + 21] = S.pack.end_of_tile
    S.local.word[at + 22] = S.pack.last
    S.local.word[at + 23] = S.pack.header_flags
    S.local.word[at + 24] = S.pack.open
    S.local.word[at + 25] = S.pack.grouped
    S.local.word[at + 26] = S.pack.started
    S.local.word[at + 27] = S.pack.total
    S.local.word[at + 28] = S.pack.tile_y
    S.local.word[at + 29] = S.pack.tile_z
    S.local.word[at + 30] = S.pack.augmented
    S.local.word[at + 31] = S.pack.kept
    S.local.word[at + 32] = S.pack.has_kept
    S.local.word[at + 33] = S.pack.zeros
    S.local.word[at + 34] = S.pack.in_row
    S.local.word[at + 35] = S.pack.row_zero
    S.local.word[at + 36] = S.pack.rows
    S.local.word[at + 37] = S.pack.blocks
    S.local.word[at + 38] = S.pack.offset
    S.local.word[at + 39] = S.pack.max_exponent
    S.local.word[at + ZERO_FLAGS_AT] = S.pack.zero_flags
    for i in range(STREAMS):
        S.local.word[at + 40 + i] = S.pack.addr[i]
    for i in range(STREAMS):
        S.local.word[at + 43 + i] = S.pack.fill[i]
    for i in range(GROUP):
        S.local.word[at + 46 + i] = S.pack.group[i]
    for i in range(4):
        S.local.word[at + 62 + i] = S.pack.counters[i]
    for i in range(BINS):
        S.local.word[at + 66 + i] = S.pack.bins[i]
    for i in range(STREAMS):
        for k in range(4):
            S.local.word[at + 98 + 4 * i + k] = S.pack.block[i, k]
    return 0


def bring(S: View, at: int) -> int:
    """Read them from there."""
    S.pack.source = S.local.word[at]
    S.pack.bank = S.local.word[at + 1]
    S.pack.section = S.local.word[at + 2]
    S.pack.early = S.local.word[at + 3]
    S.pack.late = S.local.word[at + 4]
    S.pack.format = S.local.word[at + 5]
    S.pack.kind = S.local.word[at + 6]
    S.pack.first = S.local.word[at + 7]
    S.pack.column = S.local.word[at + 8]
    S.pack.apart = S.local.word[at + 9]
    S.pack.left = S.local.word[at + 10]
    S.pack.masked = S.local.word[at + 11]
    S.pack.relu = S.local.word[at + 12]
    S.pack.limit = S.local.word[at + 13]
    S.pack.shift = S.local.word[at + 14]
    S.pack.exponent_threshold = S.local.word[at + 15]
    S.pack.downsample_mask = S.local.word[at + 16]
    S.pack.stochastic = S.local.word[at + 17]
    S.pack.add = S.local.word[at + 18]
    S.pack.compress = S.local.word[at + 19]
    S.pack.concat = S.local.word[at + 20]
    S.pack.end_of_tile = S.local.word[at + 21]
    S.pack.last = S.local.word[at + 22]
    S.pack.header_flags = S.local.word[at + 23]
    S.pack.open = S.local.word[at + 24]
    S.pack.grouped = S.local.word[at + 25]
    S.pack.started = S.local.word[at + 26]
    S.pack.total = S.local.word[at + 27]
    S.pack.tile_y = S.local.word[at + 28]
    S.pack.tile_z = S.local.word[at + 29]
    S.pack.augmented = S.local.word[at + 30]
    S.pack.kept = S.local.word[at + 31]
    S.pack.has_kept = S.local.word[at + 32]
    S.pack.zeros = S.local.word[at + 33]
    S.pack.in_row = S.local.word[at + 34]
    S.pack.row_zero = S.local.word[at + 35]
    S.pack.rows = S.local.word[at + 36]
    S.pack.blocks = S.local.word[at + 37]
    S.pack.offset = S.local.word[at + 38]
    S.pack.max_exponent = S.local.word[at + 39]
    S.pack.zero_flags = S.local.word[at + ZERO_FLAGS_AT]
    for i in range(STREAMS):
        S.pack.addr[i] = S.local.word[at + 40 + i]
    for i in range(STREAMS):
        S.pack.fill[i] = S.local.word[at + 43 + i]
    for i in range(GROUP):
        S.pack.group[i] = S.local.word[at + 46 + i]
    for i in range(4):
        S.pack.counters[i] = S.local.word[at + 62 + i]
    for i in range(BINS):
        S.pack.bins[i] = S.local.word[at + 66 + i]
    for i in range(STREAMS):
        for k in range(4):
            S.pack.block[i, k] = S.local.word[at + 98 + 4 * i + k]
    return 0
