# SPDX-License-Identifier: Apache-2.0
"""Suspect, at certain cycles, that all harts of a tile alone only poll.

While harts execute, the clock sees progress (core/clock/watchdog.py). So the runner ends its calls
of the engine at these cycles, and each hart is followed for some instructions without running the
tile (core/polls). Where all go round, core/machine/deadlock.py proves that nothing else moves.

A look takes 0.1 to 2 ms, so there are few of them, at the same cycles however the run is cut: 8192,
16384, and from then on four to eight until the number of cycles has doubled. Firmware that waits
for its next command polls too, and is left alone (`Runner.waits_for_work`).
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.perf.fields import PENDING_COUNT
from tensix_gdb.core.record.layout import View

FIRST_LOOK, LAST_LOOK = 13, 24  # bits of the cycles between two looks
PART = 3  # bits fewer than the cycle has
LOOK = 256  # instructions of a loop that are followed


def next_look(cycle: int) -> int:
    """Return the first cycle after this one in which a tile alone is looked at."""
    bits = min(max(FIRST_LOOK, cycle.bit_length() - PART), LAST_LOOK)
    return ((cycle >> bits) + 1) << bits


def only_polls(S: View, memory: Access) -> int:
    """Return a hart that polls, if all others do too, go round in a loop, or cannot issue; else
    HARTS. That is a suspicion: `is_dead` proves it."""
    if S.tensix.active or S.tile.pending & ~PENDING_COUNT:
        return HARTS
    from tensix_gdb.core.polls.poll import poll_of  # short runs do without it

    found = HARTS
    for hart in range(HARTS):
        if not S.hart.issuing[hart] or S.hart.waits_for[hart]:
            continue
        poll = poll_of(S, memory, hart, LOOK)
        if poll is None or not poll.is_proved:
            return HARTS
        if poll.polled and found == HARTS:
            found = hart
    return found
