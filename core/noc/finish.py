# SPDX-License-Identifier: Apache-2.0
"""The rest of a quantum of the tiles that have stopped for DRAM, in compiled code.

As `Chip._finish` does for all stops, and in the same order: that of time, then of tiles. It is for
a chip of which nothing is observed; a stop of another kind, or a request that Python has to serve,
ends it. A suspicion of a standstill that the first look refutes is dealt with here too: a hart that
waits for DRAM while others work is suspected again and again, and one stop that is left to Python
leaves it all of the quantum.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.clock.polling import NEAR
from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.clock.watchdog import MAX_LOOKS
from tensix_gdb.core.engine.native import call_on, load_word, on, store_word
from tensix_gdb.core.noc.columns import (
    COLUMNS,
    CYCLE,
    DEFECT,
    ENTRY,
    MODE,
    PLAIN,
    RECORD,
    RUNS,
    STOPPED,
)
from tensix_gdb.core.noc.dram_data import LEFT, MOVED, serve
from tensix_gdb.core.perf.fields import PENDING_COUNT
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import StopKind


def finish(S: View, table: int, records: int, goal: int) -> int:
    """Run the tiles of the table that have stopped to the goal. 0, or 1 if one is left."""
    left = 1
    while left:
        first = 0
        when = 0
        for number in range(records):
            row = table + 8 * COLUMNS * number
            if load_word(row + 8 * MODE) == STOPPED:
                cycle = load_word(load_word(row + 8 * CYCLE))
                if first == 0 or cycle < when:
                    first = row
                    when = cycle
        if first and resume(first, when, goal):
            return 1
        left = first
    return 0


def resume(row: int, when: int, goal: int) -> int:
    """Serve one, and run it; 1 if that cannot be done here."""
    record = load_word(row + 8 * RECORD)
    if when > goal or load_word(row + 8 * PLAIN) == 0 or on(record, serve_stop) == LEFT:
        return 1
    if when < goal:
        call_on(record, load_word(row + 8 * ENTRY), goal - when)
    if load_word(load_word(row + 8 * DEFECT)):
        return 1
    if on(record, is_at, goal):
        store_word(row + 8 * MODE, RUNS)
    return 0


def serve_stop(S: View) -> int:
    """Serve what the tile has stopped for, if it is a request or a suspicion."""
    if S.stop.kind == StopKind.OUTSIDE:
        return serve(S)
    return dismiss(S) if S.stop.kind == StopKind.STANDSTILL else LEFT


def dismiss(S: View) -> int:
    """Forget a suspicion of a standstill, as core/machine/deadlock.py does at once where something
    is due, or a hart issues: other tiles of the chip can write to this one."""
    moves = S.tile.pending & ~PENDING_COUNT
    for hart in range(HARTS):
        far = S.stream.busy[hart] & ~NEAR
        if S.hart.issuing[hart] and S.hart.waits_for[hart] == 0 and far == 0:
            moves = 1
    if moves == 0:
        return LEFT
    S.tile.backoff = min(S.tile.backoff + 1, MAX_LOOKS)
    S.stop.kind = StopKind.NONE
    S.polling.state = OFF
    return MOVED


def is_at(S: View, goal: int) -> int:
    """True if the tile is at the goal, and has not stopped again."""
    return 1 if S.stop.kind == StopKind.NONE and S.tile.cycle == goal else 0
