# SPDX-License-Identifier: Apache-2.0
"""Bytes of L1 that came from outside the code of the tile: what is made of them is made anew.

As `drop_decoded` of core/debug/memory.py and HostWrites of core/race/state/host.py do for what
Python writes; a test holds them together.
"""

from tensix_gdb.core.memory.ram import drop_decoded
from tensix_gdb.core.race.fields import L1_CELLS, LINE_BYTES
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.fields import LINE_SHIFT

LINE_WORDS = 1 << LINE_SHIFT - 2


def landed(S: View, first: int, end: int) -> int:
    """The bytes in [first, end) of L1 have been written."""
    if first >= end:
        return 0
    for line in range(first >> LINE_SHIFT, (end - 1 >> LINE_SHIFT) + 1):
        if S.decoded.line[line]:
            S.decoded.line[line] = 0
            for word in range(line * LINE_WORDS, (line + 1) * LINE_WORDS):
                drop_decoded(S, word)
    while first < end:
        at = first % LINE_BYTES
        size = min(LINE_BYTES - at, end - first)
        cell = L1_CELLS + first // LINE_BYTES
        S.state.written[cell] = S.state.written[cell] | ((1 << size) - 1) << at
        first += size
    return 0
