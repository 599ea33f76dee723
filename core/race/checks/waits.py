# SPDX-License-Identifier: Apache-2.0
"""S12: waits that no access has needed.

A wait brings its thread events of lines that the thread did not know to be over. `cover` keeps of
the last events of each line which wait has brought them first. An access that is in order because
of such an event needs the wait, in whichever thread it is.
"""

from tensix_gdb.core.race.checks.fields import RECENT
from tensix_gdb.core.race.fields import GATE, WAIT
from tensix_gdb.core.race.lines import CLOCKS, Line, of_thread
from tensix_gdb.core.record.layout import View

# Conditions of which enough is observed: C0, C9, C10, C12.
JUDGED = 1 << 0 | 1 << 9 | 1 << 10 | 1 << 12
OF_SEMAPHORES = 1 << 15  # a SEMWAIT, which is not judged


def latches(S: View, thread: int) -> int:
    """A wait is at the gate: what an instruction in its place would know, which itself takes the
    place of a NOP."""
    S.check.without[thread, 0] = S.race.seen[thread, 0]
    known = S.race.clock[GATE + thread, of_thread(thread, Line.PIPE)]
    S.check.without[thread, 1] = max(known, S.race.due[thread, 0])
    return 0


def ends(S: View, thread: int, site: int) -> int:
    """An instruction comes after the latched wait: note what only the wait has brought."""
    S.check.wait_times[site] += 1
    for line in range(CLOCKS):
        new = S.race.clock[WAIT + thread, line]
        old = S.race.clock[GATE + thread, line]
        if line == of_thread(thread, Line.SCALAR):
            old = S.check.without[thread, 0]
        elif line == of_thread(thread, Line.PIPE):
            old = S.check.without[thread, 1]
        number = max(old, new - RECENT)
        while number < new:
            number += 1
            at = number & (RECENT - 1)
            if S.check.cover_at[line, at] != number:
                S.check.cover_at[line, at] = number
                S.check.cover[line, at] = site
    return 0


def needed(S: View, line: int, number: int) -> int:
    """An access is in order because it comes after this event."""
    at = number & (RECENT - 1)
    if S.check.cover_at[line, at] == number:
        S.check.wait_needed[S.check.cover[line, at]] = 1
    return 0


def held(S: View, thread: int) -> int:
    """The latched wait has held an instruction in this cycle."""
    S.check.wait_cost[S.check.wait_site[thread]] += 1
    return 0


def brings(S: View, thread: int, line: int) -> int:
    """Return how many events of a line the latched wait brings."""
    return S.race.clock[WAIT + thread, line]
