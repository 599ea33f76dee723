# SPDX-License-Identifier: Apache-2.0
"""A tile of a chip that waits for the NoC: it polls, and nothing else moves (polling.py).

Kernels wait so: one hart polls a counter of its NIU until data is there, others poll counters of
circular buffers in the overlay, a T core waits with a push for its full FIFO, or for its Tensix
thread to be idle, and instructions are held at their gates. Requests under way are the links'
(core/links), which say long before it when one is there: until then the same cycles come again and
again, and core/chip leaves the tile out.

The coprocessor stays as it is: no unit, pipeline or memory request of it has anything under way,
nothing in it moves while the tile is watched (each cycle counts as a stalled one), and no condition
of a gate looks at the cycle. A hart that does not issue has the same request and the same queues
all the time. Loads from registers give the same until something is written. One request of a
register region is processed in a cycle, so harts that poll the same one have to have the same
round, in which they never meet.
"""

from tensix_gdb.core.arch.blackhole import HARTS, PUSH_BASE, THREADS
from tensix_gdb.core.clock.polling_rows import NEAR_COUNT, POLLED_COUNT, POLLED_STREAMS
from tensix_gdb.core.clock.polling_state import is_back
from tensix_gdb.core.clock.watchdog import THRESHOLD
from tensix_gdb.core.memory import streams
from tensix_gdb.core.noc.arrive import own_due
from tensix_gdb.core.noc.state import PENDING_NOC
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stall import WaitsFor
from tensix_gdb.core.tensix.config import pipeline as config_pipe

COLD = True  # little time of LLVM for it (core/engine/README.md)

POLLED = sum(1 << stream for stream in POLLED_STREAMS)
TTSYNC = 1 << streams.TTSYNC
NOT_KNOWN = 2  # of polling.rate
UNPACK_DUES = 8


def waits(S: View) -> int:
    """True if requests under way are all that is pending, none of them is due, and the coprocessor
    has nothing to do but to hold instructions."""
    if S.tile.pending != PENDING_NOC or not S.noc.links or S.schedule.kind != Schedule.LATENCY:
        return 0
    if S.noc.order[0] or S.noc.order[1]:
        return 0
    if S.tensix.active and not is_still(S):
        return 0
    # A call of the engine begins with `asleep.niu` unknown.
    return 1 if S.asleep.niu > S.tile.cycle or own_due(S) > S.tile.cycle else 0


def is_still(S: View) -> int:
    """True if the coprocessor has instructions, and none of them in a unit."""
    if S.thcon.state or S.thcon.requests or S.thcon.entering or S.thcon.stage or S.tdma.queued:
        return 0
    if S.unpack.count[0] or S.unpack.count[1] or S.unpack.addressing:
        return 0
    if S.pack.running or S.pack.out_count or S.fpu_pipe.busy or S.vector_pipe.busy:
        return 0
    if S.macro.count or S.busy.mover or S.busy.landing or config_pipe.occupied(S):
        return 0
    for thread in range(THREADS):
        if S.tracker.lingering[thread]:
            return 0
    for i in range(UNPACK_DUES):
        if S.unpack.due[i] > S.tile.cycle:
            return 0
    latest = max(S.thcon.due, S.thcon.next_atomic, S.unpack.address_due, S.pack.due)
    return 1 if latest <= S.tile.cycle else 0


def stays_queued(S: View) -> int:
    """True if nothing of a hart is under way but loads of what is polled, a load that waits for its
    Tensix thread to be idle, and stores after a push that waits for room."""
    for hart in range(HARTS):
        other = S.stream.busy[hart] & ~POLLED
        if other and (other != TTSYNC or S.hart.waits_for[hart] != WaitsFor.TENSIX_IDLE):
            return 0
        if other and S.stream.due[hart, streams.TTSYNC, 0] > S.tile.cycle:
            return 0
        if S.pipeline.sq_count[hart]:
            is_push = S.pipeline.sq_addr[hart, 0] == PUSH_BASE
            if not is_push or S.hart.waits_for[hart] != WaitsFor.TENSIX_FIFO:
                return 0
    return 1


def meets_another(S: View) -> int:
    """True if two harts ask the same register region in this cycle. Notes what each asks."""
    for i in range(NEAR_COUNT, POLLED_COUNT):
        asking = 0
        for hart in range(HARTS):
            if S.stream.count[hart, POLLED_STREAMS[i]]:
                S.polling.used[hart] = S.polling.used[hart] | 1 << i
                if S.stream.due[hart, POLLED_STREAMS[i], 0] <= S.tile.cycle:
                    asking += 1
        if asking > 1:
            return 1
    return 0


def go_apart(S: View) -> int:
    """True if harts that ask the same region have the same round, and those that do not issue are
    as they were."""
    for hart in range(HARTS):
        if S.polling.gain[hart] == 0 and not is_back(S, hart):
            return 0
        for other in range(hart):
            same = S.polling.used[hart] & S.polling.used[other]
            if same and S.polling.period[hart] != S.polling.period[other]:
                return 0
    return 1


def stalled_after(S: View, cycles: int) -> int:
    """Return `tile.stalled_cycles` so long after the tile was first watched (watchdog.py): while a
    request is under way it begins anew after the threshold."""
    turns = (THRESHOLD << S.tile.backoff) + 1
    return (S.polling.stalled + S.polling.rate * cycles) % turns
