# SPDX-License-Identifier: Apache-2.0
"""The compiled entries for litmus tests: a whole run, and one cycle of the explorer.

A test is over when every hart has paused at its last instruction and nothing is under way. Harts
pause one after the other; those stops are ignored here.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.clock.sc import run, tick
from tensix_gdb.core.clock.timed import quiescent, run_timed, tick_timed
from tensix_gdb.core.engine import Entry
from tensix_gdb.core.litmus import state_chunks as chunks
from tensix_gdb.core.machine.entries import DISARM, FREEZE
from tensix_gdb.core.ordering.pauses import begin_schedule
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER
from tensix_gdb.core.riscv.reset import update_issuing
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind

UNFINISHED = 0
OVER = 1
FAULTY = 2


def derive(S: View) -> int:
    """After a restored snapshot, note which harts issue, and that the coprocessor may have work."""
    for hart in range(HARTS):
        update_issuing(S, hart)
    S.tensix.active = 1
    return 0


def to_end(S: View, random: int, budget: int, CHECKED: int) -> int:
    """Run until the test is over, a fault, nothing moves, or the budget of cycles is used up.

    `random` is what the random numbers begin with (`schedule.seed_state`).
    """
    derive(S)
    # What a run before this one has found of polling harts is not about this tile.
    S.polling.state = OFF
    S.polling.look = NEVER
    S.schedule.random = random
    begin_schedule(S, random)
    end = S.tile.cycle + budget
    while S.tile.cycle < end:
        if S.schedule.kind == Schedule.SC:
            run(S, end - S.tile.cycle, CHECKED)
        else:
            run_timed(S, end - S.tile.cycle, CHECKED)
        if S.stop.kind == StopKind.FAULT:
            return FAULTY
        if S.stop.kind == StopKind.STANDSTILL and S.stop.a:
            return UNFINISHED  # nothing has moved for long
        if S.tile.issuing == 0 and quiescent(S):
            return OVER
    return UNFINISHED


def one_cycle(S: View) -> int:
    """Run one cycle; in `exhaustive` its choices are answered from `schedule.tape`."""
    derive(S)
    asleep.wake_all(S)
    S.schedule.asked = 0
    S.stop.kind = StopKind.NONE
    while not (tick(S, 0) if S.schedule.kind == Schedule.SC else tick_timed(S, 0)):
        if S.stop.kind == StopKind.FAULT:
            return FAULTY
        S.stop.kind = StopKind.NONE
    if S.tile.issuing == 0 and quiescent(S):
        return OVER
    return UNFINISHED


TO_END = Entry("to_end", to_end, {"CHECKED": 0})
TO_END_OBSERVED = Entry("to_end", to_end, {"CHECKED": 1})
ONE_CYCLE = Entry("one_cycle", one_cycle)
ENTRIES = (TO_END, ONE_CYCLE, chunks.LOAD, chunks.TAKE, FREEZE, DISARM)
