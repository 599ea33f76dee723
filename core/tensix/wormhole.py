# SPDX-License-Identifier: Apache-2.0
"""STALLWAIT and SEMWAIT as Wormhole has them, for litmus programs about the difference.

The machine is a Blackhole; `gate.wormhole` changes three things (WormholeB0 STALLWAIT.md and
SEMWAIT.md): the conditions have other numbers, condition mask 0 means seven conditions, and a
SEMWAIT that finds a wait latched is held by B1 only and otherwise replaces that wait.
"""

from core.layout import View
from core.tensix.latch import SEMWAIT, STALLWAIT, latch

OPCODE_STALLWAIT, OPCODE_SEMWAIT = 0xA2, 0xA6
SYNC_BLOCK = 1 << 1
DEFAULT_CONDITIONS = 0x7F
# Blackhole's conditions for each of Wormhole's; its four packers are one.
CONDITIONS = (
    *(1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 3, 1 << 3, 1 << 3, 1 << 4),
    *(1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 11),
)
COUNT = len(CONDITIONS)


def is_wait(word: int) -> int:
    """Is it one of the two?"""
    return 1 if word >> 24 == OPCODE_STALLWAIT or word >> 24 == OPCODE_SEMWAIT else 0


def is_held(S: View, thread: int, word: int) -> int:
    """Does the latched wait hold it?"""
    if word >> 24 == OPCODE_STALLWAIT:
        return 1
    return 1 if S.latch.block[thread] & SYNC_BLOCK else 0


def translate(conditions: int) -> int:
    """A condition mask of Wormhole in Blackhole's numbers."""
    found = 0
    for i in range(COUNT):
        if (conditions >> i) & 1:
            found |= CONDITIONS[i]
    return found


def latch_wait(S: View, thread: int, word: int) -> int:
    """Execute it."""
    block = (word >> 15) & 0x1FF
    if word >> 24 == OPCODE_SEMWAIT and word & 3:
        latch(S, thread, SEMWAIT, block, word & 3)
        S.latch.semaphores[thread] = (word >> 2) & 0xFF
        return 0
    conditions = word & 0x7FFF if word >> 24 == OPCODE_STALLWAIT else 0
    chosen = conditions if conditions else DEFAULT_CONDITIONS
    return latch(S, thread, STALLWAIT, block, translate(chosen))
