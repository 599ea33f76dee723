# SPDX-License-Identifier: Apache-2.0
"""The loop over cycles when it is asked where a value came from: each cycle by itself.

The bursts of the other loops count cycles when they are over, and what a store is stamped with is
the cycle. States are the same: tests/core/origin/test_stamped.py compares them.
"""

from tensix_gdb.core.clock.sc import tick
from tensix_gdb.core.clock.timed import quiescent, tick_timed
from tensix_gdb.core.engine import Entry
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind

COLD = True  # little time of LLVM for it (core/engine/README.md)


def run_by_cycle(S: View, budget: int) -> int:
    """Run at most `budget` cycles, or until a stop is recorded; return the cycles completed."""
    start = S.tile.cycle
    end = start + budget
    S.stop.kind = StopKind.NONE
    asleep.wake_all(S)
    while S.tile.cycle < end and S.stop.kind == StopKind.NONE:
        if S.schedule.kind == Schedule.SC:
            tick(S, 1)
        else:
            tick_timed(S, 1)
            if S.tile.issuing == 0 and quiescent(S):
                break
    return S.tile.cycle - start


RUN_BY_CYCLE = Entry("run_by_cycle", run_by_cycle)
