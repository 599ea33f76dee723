# SPDX-License-Identifier: Apache-2.0
"""`break race`: stop the tile at the second access of a new report.

The tile stops at the end of the cycle, so that a stop changes nothing about the execution; the
access has been made, and its hart may be some instructions further.
"""

from tensix_gdb.core.race.fields import SITES, pc_of
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import AT_GATE, StopKind, stop

COLD = True  # little time of LLVM for it (core/engine/README.md)


def stop_here(S: View) -> int:
    """Record the stop for the report `race.hit - 1`, if the cycle is over."""
    if S.schedule.cycle_phase or S.stop.kind != StopKind.NONE:
        return 0
    i = S.race.hit - 1
    S.race.hit = 0
    key = S.race.site[(S.race.pair[i] >> 2) & (SITES - 1)]
    stop(S, key & 7, StopKind.RACE, i, 0)
    thread = (key >> 3) & 3
    if thread:
        S.stop.pc = pc_of(key)
        S.stop.stream = AT_GATE + thread - 1
    return 1
