# SPDX-License-Identifier: Apache-2.0
"""M10: code that was written after an instruction cache may have taken it (InstructionCache.md).

A line of L1 is in the cache of a hart from the hart's first instruction in it until
RISCV_IC_INVALIDATE or reset, as far as a program may rely on: what is replaced when, no page says.
A write to a word of such a line, and an instruction of the hart there, are a finding.

What the prefetcher may have taken before the hart came to the line is not known, and never
reported. Neither are the twenty instructions after an invalidation that the page allows for.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.devices.backend_config import IC_INVALIDATE, WORDS
from tensix_gdb.core.race.fields import LINE_BYTES
from tensix_gdb.core.race.state.fields import found
from tensix_gdb.core.race.state.table import Number
from tensix_gdb.core.record.layout import View

IN_LINE = LINE_BYTES // 4  # words
WORD_BITS = 15  # of a mask of bytes


def is_asked(S: View, hart: int, pc: int) -> int:
    """True if `executed` has something to do or to say: the line is new to the cache of the hart,
    or something has written there since."""
    cell = pc // LINE_BYTES
    return 1 if (S.state.cached[cell] >> hart) & 1 == 0 or S.state.changed[cell] else 0


def executed(S: View, hart: int, pc: int) -> int:
    """A hart has issued the instruction at `pc`, which is in L1: 1 if its cache may have an older
    one."""
    cell = pc // LINE_BYTES
    bit = 1 << hart
    if S.state.cached[cell] & bit == 0:
        S.state.cached[cell] |= bit
        if S.state.code_first[hart] == 0 or S.state.code_first[hart] > cell + 1:
            S.state.code_first[hart] = cell + 1
        S.state.code_end[hart] = max(S.state.code_end[hart], cell + 1)
        return 0
    return S.state.changed[cell] >> (IN_LINE * hart + (pc // 4) % IN_LINE) & 1


def report(S: View, hart: int, pc: int, site: int) -> int:
    """Keep the finding about `pc`, once for each invalidation that is missing."""
    found(S, Number.M10, site, S.state.changer[pc // LINE_BYTES], 0, pc // 4, 0)
    return forget(S, hart)


def written(S: View, cell: int, mask: int, site: int) -> int:
    """Bytes of a line of L1 have changed."""
    harts = S.state.cached[cell]
    if harts == 0:
        return 0
    words = 0
    for word in range(IN_LINE):
        if mask >> (4 * word) & WORD_BITS:
            words |= 1 << word
    for hart in range(HARTS):
        if harts >> hart & 1:
            S.state.changed[cell] |= words << (IN_LINE * hart)
    S.state.changer[cell] = site
    return 0


def configured(S: View, at: int, value: int) -> int:
    """A word of configuration is `value` then; at RISCV_IC_INVALIDATE a bit for each hart. Unknown
    values are all bits."""
    if at < 2 * WORDS and at % WORDS == IC_INVALIDATE:
        for hart in range(HARTS):
            if value >> hart & 1:
                forget(S, hart)
    return 0


def forget(S: View, hart: int) -> int:
    """The instruction cache of a hart has nothing."""
    if S.state.code_first[hart] == 0:
        return 0
    for cell in range(S.state.code_first[hart] - 1, S.state.code_end[hart]):
        S.state.cached[cell] &= ~(1 << hart) & 0xFF
        S.state.changed[cell] &= ~(0xF << (IN_LINE * hart)) & 0xFFFFFFFF
    S.state.code_first[hart] = 0
    S.state.code_end[hart] = 0
    return 0


assert HARTS * IN_LINE <= 32
