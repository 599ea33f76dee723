# SPDX-License-Identifier: Apache-2.0
"""The wait that STALLWAIT, SEMWAIT or STREAMWAIT leave latched at the wait gate of their thread.

There is one per thread. It is looked at in every cycle and forgotten when all its conditions are
met at the same time.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row
from tensix_gdb.core.tensix.frontend.fifo import C

NONE, STALLWAIT, SEMWAIT, STREAMWAIT = 0, 1, 2, 3
DEFAULT_BLOCK = 1 << 6

_A, _M = Tag.ARCHITECTURAL, Tag.MONOTONE

# fmt: off
LATCH = Part("latch", (
    row("kind",       "u8",  THREADS, _A, "NONE, STALLWAIT, SEMWAIT or STREAMWAIT"),
    row("conditions", "u16", THREADS, _A, "the wait lasts while any of them is true"),
    row("block",      "u16", THREADS, _A, "block mask: what may not pass"),
    row("semaphores", "u8",  THREADS, _A, "SEMWAIT: which"),
    row("target",     "u32", THREADS, _A, "STREAMWAIT: what the stream has to reach"),
    row("stream",     "u8",  THREADS, _A, "STREAMWAIT: which STREAM_ID_SYNC names it"),
    row("word",       "u32", THREADS, _M, "the instruction that has latched it"),
    row("hart",       "u8",  THREADS, _M, "its origin"),
    row("pc",         "u32", THREADS, _M, "its origin"),
    row("since",      "i64", THREADS, _M, "the cycle in which it has passed the gate"),
), role=Role.PROGRESS, chapter=Chapter.CONTROL)
# fmt: on


def latch(S: View, thread: int, kind: int, block: int, conditions: int) -> int:
    """Latch a wait."""
    forget(S, thread)
    S.latch.kind[thread] = kind
    S.latch.conditions[thread] = conditions
    S.latch.block[thread] = block if block else DEFAULT_BLOCK
    at = S.fifo.head[thread, C]
    S.latch.word[thread] = S.fifo.word[thread, C, at]
    S.latch.hart[thread] = S.fifo.hart[thread, C, at]
    S.latch.pc[thread] = S.fifo.pc[thread, C, at]
    S.latch.since[thread] = S.tile.cycle
    return 0


def forget(S: View, thread: int) -> int:
    """Clear the wait."""
    S.latch.kind[thread] = NONE
    S.latch.conditions[thread] = 0
    S.latch.block[thread] = 0
    S.latch.semaphores[thread] = 0
    S.latch.target[thread] = 0
    S.latch.stream[thread] = 0
    S.latch.word[thread] = 0
    S.latch.hart[thread] = 0
    S.latch.pc[thread] = 0
    S.latch.since[thread] = 0
    return 0
