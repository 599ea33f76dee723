# SPDX-License-Identifier: Apache-2.0
"""Let a hart issue one instruction: the one copy, for `sc` and for the schedules with time.

    pause ─► breakpoint ─► fetch ─► decode ─► EX1 free? ─► comparators ─► execute ─► retired
    TIMED                                     TIMED

TIMED is a constant, as CHECKED is: each loop over cycles has an instance of its own. With it the
forms of `pipeline/forms.py` send memory instructions into the pipeline, an instruction waits until
it may enter EX1, and a pause of the debug interface waits until everything has retired. Without it
an instruction is over when it is executed (`execute.py`).
"""

from tensix_gdb.core.arch.chips import L1_EVERYWHERE
from tensix_gdb.core.counting import harts as counted_harts
from tensix_gdb.core.debug.armed import STEP_OVER_BREAK, break_at, end_step
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.memory.ram import decode_at
from tensix_gdb.core.ordering import pause_places
from tensix_gdb.core.race.harts import answers as races
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv import observe
from tensix_gdb.core.riscv.execute import EXECUTE
from tensix_gdb.core.riscv.pipeline import asleep
from tensix_gdb.core.riscv.pipeline.forms import ISSUE
from tensix_gdb.core.riscv.pipeline.frontend import JUMPS, LINE_SHIFT, fetch, is_taken, resolve
from tensix_gdb.core.riscv.pipeline.fused import is_cut_here, resume_fusion
from tensix_gdb.core.riscv.pipeline.pipeline import (
    NEVER,
    enters_from,
    may_enter,
    waits_for_retirement,
)
from tensix_gdb.core.riscv.table import NOT_DECODED
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import WAIT, StopKind, fault, stop


def issue(S: View, hart: int, CHECKED: int, TIMED: int) -> int:
    """Let `hart` issue its next instruction; the next pc, WAIT or STOPPED."""
    pc = S.hart.pc[hart]
    if TIMED and S.hart.observed[hart] and observe.pauses(S, hart):
        return WAIT
    if CHECKED and break_at(S, hart, pc) and not S.debug.step_over[hart] & STEP_OVER_BREAK:
        return stop(S, hart, StopKind.BREAK, pc, 0)
    if TIMED and CHECKED and S.pipeline.cut[hart]:
        S.pipeline.cut[hart] = 0
        if is_cut_here(S, hart, pc):
            return resume_fusion(S, hart, pc, CHECKED)
    if pc & 3:
        return fault(S, hart, Fault.FETCH_MISALIGNED, pc, 4)
    at = pc
    if pc >= L1_EVERYWHERE:
        at = fetched_at(S, hart, pc)
        if at < 0:
            return fault(S, hart, Fault.FETCH_OUTSIDE_L1, pc, 4)
    d = S.decoded.word[at >> 2]
    if d & 0xFF == NOT_DECODED:
        d = decode_at(S, at)
    if TIMED:
        if S.pipeline.ex1_op[hart]:
            asleep.sleep(S, hart, at, d, NEVER, 0)
            return WAIT
        if S.tile.cycle < S.pipeline.ex1_free[hart]:
            asleep.sleep(S, hart, at, d, S.pipeline.ex1_free[hart], 0)
            return WAIT
        if S.schedule.kind == Schedule.LATENCY:
            if S.frontend.line[hart] != (pc >> LINE_SHIFT) + 1:
                fetch(S, hart, pc)
            if S.frontend.free[hart] > S.tile.cycle:
                asleep.sleep(S, hart, at, d, S.frontend.free[hart], 0)
                return WAIT
        if not may_enter(S, hart, d):
            may_retire = waits_for_retirement(S, hart, d)
            asleep.sleep(S, hart, at, d, enters_from(S, hart, d), may_retire)
            return WAIT
    if TIMED and CHECKED and S.pause_place.left and pause_places.at_hart(S, hart, pc):
        return WAIT
    observed = S.hart.observed[hart]
    cause = observe.before(S, hart, pc, d) if observed else 0
    if TIMED:
        npc = ISSUE[d & 0xFF](S, hart, pc, d, CHECKED)
    else:
        npc = EXECUTE[d & 0xFF](S, hart, pc, d, CHECKED)
    if npc < 0:
        return npc
    if TIMED and S.schedule.kind == Schedule.LATENCY:
        if JUMPS[d & 0xFF]:
            taken = is_taken(S, hart, pc, d, npc)
            blind = S.frontend.blind[hart]
            resolve(S, hart, S.frontend.slot[hart], pc, taken, blind, S.tile.cycle)
        else:
            S.frontend.blind[hart] = 0
    S.hart.pc[hart] = npc
    S.hart.retired[hart] += 1
    S.tile.idle_cycles = 0
    if observed:
        if TIMED:
            observe.after_issue(S, hart, cause)
        else:
            observe.after(S, hart, cause)
    if CHECKED:
        if TIMED and S.race.on:
            races.issue(S, hart, d, pc)
        if S.counted.on:
            counted_harts.executed(S, hart, pc, d, npc)
        S.debug.step_over[hart] = 0
        if S.debug.stepping[hart]:
            end_step(S, hart, npc)
    return npc


def issue_turn(S: View, hart: int, CHECKED: int) -> int:
    """With time: let `hart` issue, and after a stop keep the hart's turn."""
    npc = issue(S, hart, CHECKED, 1)
    if CHECKED:
        while S.pipeline.cut[hart] and S.stop.kind == StopKind.NONE:
            npc = issue(S, hart, CHECKED, 1)
    if S.stop.kind != StopKind.NONE:
        S.tile.next_hart = hart if npc < 0 or S.pipeline.cut[hart] else hart + 1
    return npc
