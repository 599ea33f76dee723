# SPDX-License-Identifier: Apache-2.0
"""Decides when to check whether the tile is dead.

The clock counts two things: cycles in which nothing moved (`tile.idle_cycles`), and cycles in which
a hart had to wait or the coprocessor had work and did not move (`tile.stalled_cycles`), whatever
the others did meanwhile. When one of them gets large the run ends with STANDSTILL, which is only a
suspicion: `core/machine/deadlock.py` finds out whether anything can still move, and if so, the
threshold doubles (`tile.backoff`) until the coprocessor moves.

A pause (core/ordering/pauses.py) is no standstill, and a request that is under way over the NoC is
none, as it will have an end: the counts begin again.

All of it is in the record and counted in cycles, so a dead tile stops in the same cycle on both
engines, however the run is cut into slices.
"""

from tensix_gdb.core.arch.blackhole import HARTS, T0, THREADS
from tensix_gdb.core.noc.state import PENDING_NOC
from tensix_gdb.core.ordering.pauses import anything_paused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import StopKind, stop
from tensix_gdb.core.tensix.gate.latch import NONE
from tensix_gdb.core.tensix.in_flight import in_flight

THRESHOLD = 512  # cycles
MAX_LOOKS = 11  # 512 doubled so often: a million cycles
NO_HART = HARTS


def end_of_wait(S: View, still_cycles: int) -> int:
    """End a cycle in which a hart had to wait, or after many in which nothing moved."""
    if S.tile.stalled_now:
        S.tile.stalled_now = 0
        S.tile.stalled_cycles += 1
    if (
        S.tile.idle_cycles > still_cycles << S.tile.backoff
        or S.tile.stalled_cycles > THRESHOLD << S.tile.backoff
    ):
        nothing_moved = 1 if S.tile.idle_cycles > still_cycles << S.tile.backoff else 0
        S.tile.idle_cycles = 0
        S.tile.stalled_cycles = 0
        if S.tile.pending & PENDING_NOC:
            return 0
        hart = NO_HART if anything_paused(S) else first_stuck(S)
        if hart != NO_HART:
            stop(S, hart, StopKind.STANDSTILL, nothing_moved, 0)
    return 0


def first_stuck(S: View) -> int:
    """Return the first hart that waits for a device, or has something in flight in its Tensix
    thread.

    A paused hart may wait with a store that is not processed yet. A wait that is latched and holds
    nothing back counts when no hart can issue any more.
    """
    for hart in range(HARTS):
        has_request = 1 if S.hart.issuing[hart] or S.stream.busy[hart] else 0
        if S.hart.waits_for[hart] and has_request and not S.hart.in_reset[hart]:
            return hart
    for thread in range(THREADS):
        if in_flight(S, thread):
            return T0 + thread
    for thread in range(THREADS):
        if S.tile.issuing == 0 and S.latch.kind[thread] != NONE:
            return T0 + thread
    return NO_HART


INLINED = (end_of_wait,)
