# SPDX-License-Identifier: Apache-2.0
"""The way in which the later side of a report has heard of the thread of the earlier one.

An instruction of a thread may be unordered although its thread has sent a signal, or its T core: a
SEMPOST that waits for no unit, a message that was sent after the push. Or there was no signal, or
one for which no wait was. A remedy has to know which (remedies/heard.py).

The earlier side is the one that was processed first. A T core may have pushed the other one, an
instruction of its thread, before it made that request. How many words it had pushed by then says
the order of its program, in which a remedy has its place.

A clock has a line for each T core on which it *sends*: how many words it had pushed, in the order
of its program, when it made a request. Nothing ends on that line, so it orders nothing.

note        an instruction has come to its gate: keep its cycle, its site and its push
signalled   a SEMPOST or a SEMGET has passed its gate
keep        a pair is reported for the first time: find out what the later side has heard
keep_order  and which side comes first in the program, if a T core and its own thread are the two
"""

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.race import near
from tensix_gdb.core.race.fields import (
    FROM_B,
    GETS,
    HEARD_RING,
    NEAR,
    POSTS,
    RING,
    SITES,
)
from tensix_gdb.core.race.lines import FIRST_OF_THREADS, HART_OF, SENDS, Line, of_thread
from tensix_gdb.core.record.layout import View

# What is kept of a report: flags, and of a signal after the earlier side the semaphore, whether it
# was a SEMGET, and its site.
FOUND, GATE_HEARD, PUSH_HEARD, SIGNALLED, IS_GET, KNOWS_END = (1 << i for i in range(6))
ORDERED, LATER_FIRST = 1 << 6, 1 << 7  # the order of the program is known, and is the other one
SEMAPHORE, SITE = 8, 16
POST, GET = 0, 1


def note(S: View, thread: int, push: int, site: int) -> int:
    """An instruction begins; `push` is the row of its push, or -1."""
    at = S.race.ends[thread, Line.GATE] & (HEARD_RING - 1)
    S.race.began_in[thread, at] = S.tile.cycle & 0xFFFFFFFF
    S.race.began_site[thread, at] = site
    # What B has pushed was sent by B, which has no such line.
    S.race.began_push[thread, at] = S.race.number[push] if 0 <= push < FROM_B else 0
    return 0


def signalled(S: View, thread: int, semaphore: int, way: int, site: int) -> int:
    """A thread has posted a semaphore (POST), or taken from it (GET)."""
    S.race.signal_gate[thread, semaphore, way] = S.race.ends[thread, Line.GATE]
    S.race.signal_site[thread, semaphore, way] = site
    if S.race.waiting[thread] and S.race.wait_semaphores[thread]:
        # The SEMWAIT that is latched does not hold it.
        S.race.near_wait[thread, (S.race.near[thread] - 1) & (NEAR - 1)] |= near.PASSED
    return 0


def began_at(S: View, thread: int, cycle: int, site: int) -> int:
    """Return the place at the gate of the last instruction of a site that had begun by a cycle; 0
    if too many have come after it."""
    last = S.race.ends[thread, Line.GATE]
    first = max(last - HEARD_RING + 1, 1)
    gate = last
    while gate >= first:
        at = gate & (HEARD_RING - 1)
        if S.race.began_site[thread, at] == site and S.race.began_in[thread, at] <= cycle:
            return gate
        gate -= 1
    return 0


def keep(S: View, report: int, line: int, number: int, when: int, earlier: int, clock: int) -> int:
    """Keep what an access that begins with `clock` has heard of the earlier one, which is event
    `number` of `line`, in cycle `when`."""
    S.race.heard[report] = 0
    thread = ((S.race.site[earlier & (SITES - 1)] >> 3) & 3) - 1
    if thread < 0:
        return 0
    gate = began_at(S, thread, when & 0xFFFFFFFF, earlier)
    if gate == 0:
        return 0
    found = FOUND
    push = S.race.began_push[thread, gate & (HEARD_RING - 1)]
    if S.race.clock[clock, of_thread(thread, Line.GATE)] >= gate:
        found |= GATE_HEARD
    if push and S.race.clock[clock, SENDS + thread] >= push:
        found |= PUSH_HEARD
    for semaphore in range(SEMAPHORES):
        for way in range(2):
            if found & SIGNALLED == 0 and S.race.signal_gate[thread, semaphore, way] > gate:
                found |= SIGNALLED | semaphore << SEMAPHORE
                found |= S.race.signal_site[thread, semaphore, way] << SITE
                ring = POSTS + semaphore * RING + (S.race.posts[semaphore] & (RING - 1))
                if way == GET:
                    found |= IS_GET
                    ring = GETS + semaphore * RING + (S.race.gets[semaphore] & (RING - 1))
                if S.race.clock[ring, line] >= number:
                    found |= KNOWS_END
    S.race.heard[report] = found
    return 0


def sent(S: View, clock: int, line: int) -> int:
    """Return how many words the hart of a line had pushed when it made a request with `clock`; 0 of
    what is no request of a T core."""
    if line == 0 or line >= FIRST_OF_THREADS:
        return 0
    hart = HART_OF[line]
    return S.race.clock[clock, SENDS + hart - T0] if T0 <= hart <= T2 else 0


def keep_order(
    S: View, report: int, words: int, when: int, earlier: int, later: int, clock: int
) -> int:
    """Keep which side of a new report a T core has made first, if the other one is an instruction
    of its own thread. An earlier side that is a request, in cycle `when`, came after `words`
    pushes; a later one begins with `clock`."""
    first = S.race.site[earlier & (SITES - 1)]
    last = S.race.site[later & (SITES - 1)]
    thread = ((first >> 3) & 3) - 1
    if thread >= 0:
        if last & 7 == T0 + thread and (last >> 3) & 3 == 0:
            push = push_at(S, thread, began_at(S, thread, when & 0xFFFFFFFF, earlier))
            if push:
                is_other = S.race.clock[clock, SENDS + thread] < push
                S.race.heard[report] |= ORDERED | (LATER_FIRST if is_other else 0)
        return 0
    thread = ((last >> 3) & 3) - 1
    if thread >= 0 and first & 7 == T0 + thread:
        push = push_at(S, thread, began_at(S, thread, S.tile.cycle & 0xFFFFFFFF, later))
        if push:
            S.race.heard[report] |= ORDERED | (LATER_FIRST if words >= push else 0)
    return 0


def push_at(S: View, thread: int, gate: int) -> int:
    """Return the number of the push of an instruction, by its place at the gate; 0: not known."""
    return S.race.began_push[thread, gate & (HEARD_RING - 1)] if gate else 0


INLINED = (note, sent)
