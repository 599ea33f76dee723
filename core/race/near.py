# SPDX-License-Identifier: Apache-2.0
"""The last waits of each thread, for a report that says why none of them has ordered its pair.

note    a wait was latched: keep it, with what was begun and emitted by then
keep    a pair is reported for the first time: keep the waits near it (failed_waits.py)
"""

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.race.fields import (
    NEAR,
    OLDER_CONFIG,
    OLDER_GPR,
    OLDER_TDMA,
    PUSH_SLOTS,
    PUSHED,
    SITES,
)
from tensix_gdb.core.race.lines import THREAD_LINES, Region, of_hart, of_thread
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C
from tensix_gdb.core.tensix.gate.latch import SEMWAIT
from tensix_gdb.core.tensix.wormhole import of_one_packer

# A kept wait: block mask, conditions, latch.STALLWAIT or SEMWAIT, semaphores, site and flags:
# PASSED of a SEMWAIT that has let a SEMPOST or SEMGET pass.
CONDITIONS, KIND, SEMAPHORES_IN, SITE = 9, 22, 24, 32
AFTER, THERE, PASSED = 1 << 46, 1 << 47, 1 << 48
_OLDER = (OLDER_GPR, OLDER_CONFIG, OLDER_TDMA)
_REGIONS = (Region.GPR, Region.CONFIG, Region.TDMA)


def note(S: View, thread: int, site: int) -> int:
    """A STALLWAIT or SEMWAIT has left its wait at the gate."""
    at = S.race.near[thread] & (NEAR - 1)
    S.race.near[thread] += 1
    what = S.latch.block[thread] | of_one_packer(S.latch.conditions[thread]) << CONDITIONS
    if S.latch.kind[thread] == SEMWAIT:
        what |= S.latch.semaphores[thread] << SEMAPHORES_IN
    S.race.near_wait[thread, at] = THERE | site << SITE | S.latch.kind[thread] << KIND | what
    S.race.near_cycle[thread, at] = S.tile.cycle & 0xFFFFFFFF
    for line in range(THREAD_LINES):
        S.race.near_ends[thread, at, line] = S.race.ends[thread, line]
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    push = PUSHED + thread * PUSH_SLOTS + slot
    for i in range(6):
        older = 0 if slot == NO_SLOT else S.race.older[push, _OLDER[i >> 1] + (i & 1)]
        S.race.near_older[thread, at, i] = older
    return 0


def keep_waits(
    S: View, report: int, line: int, number: int, when: int, earlier: int, later: int
) -> int:
    """Keep the waits near a new report: of the threads of both sites, the youngest first. The
    earlier access is event `number` of `line`, in cycle `when`."""
    for side in range(2):
        site = S.race.site[(later if side else earlier) & (SITES - 1)]
        thread = ((site >> 3) & 3) - 1
        for i in range(NEAR):
            S.race.tried[report, side, i] = 0
            if thread >= 0 and i < S.race.near[thread]:
                at = (S.race.near[thread] - 1 - i) & (NEAR - 1)
                after = AFTER if comes_after(S, thread, at, line, number, when) else 0
                S.race.tried[report, side, i] = S.race.near_wait[thread, at] | after
    return 0


def comes_after(S: View, thread: int, at: int, line: int, number: int, when: int) -> int:
    """True if a wait was pushed after a request, or came to the gate after another access."""
    for i in range(6):
        if line == of_hart(T0 + thread, _REGIONS[i >> 1], i & 1):
            return 1 if S.race.near_older[thread, at, i] >= number else 0
    own = line - of_thread(thread, 0)
    if 0 <= own < THREAD_LINES:
        return 1 if S.race.near_ends[thread, at, own] >= number else 0
    return 1 if S.race.near_cycle[thread, at] >= when & 0xFFFFFFFF else 0
