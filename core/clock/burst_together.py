# SPDX-License-Identifier: Apache-2.0
"""Bursts of several harts in the schedule `sc` (sc.py): an instruction of each in every cycle.

    burst_together ──► turn        a simple instruction, as in burst_sc.py
                  └──► slow_turn   any other one, as `tick` lets it issue

A burst continues after an instruction that is not simple, such as a store to a register of the
tile. It ends when a request or the coprocessor has something to do in the next cycle, and when a
hart waits; then `tick` does what is left of the cycle. An idle tile of tt-metal spends most of its
cycles in it: a hart that clears 64 registers had ended a burst for each of them.
"""

from tensix_gdb.core.arch.blackhole import HARTS, NC, T0, T1, T2, B
from tensix_gdb.core.clock.burst_sc import OUTSIDE, WORD_INDEX, end_burst, execute_alone
from tensix_gdb.core.noc.state import PENDING_NOC
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.execute import EXECUTE_ALONE
from tensix_gdb.core.riscv.issue import issue
from tensix_gdb.core.stop import HEAD, StopKind


def burst_together(S: View, budget: int, checked: int) -> int:
    """Run all harts for up to `budget` cycles, until something begins that `tick` has to attend to;
    return how many cycles are complete. `tick` does what is left of the next one."""
    n = 0
    noted = 0  # of these, in the record
    while n < budget:
        if turn(S, B) < 0:
            if slow_turn(S, B, n - noted, checked) < 0:
                return n
            noted = n
        if turn(S, T0) < 0:
            if slow_turn(S, T0, n - noted, checked) < 0:
                return n
            noted = n
        if turn(S, T1) < 0:
            if slow_turn(S, T1, n - noted, checked) < 0:
                return n
            noted = n
        if turn(S, T2) < 0:
            if slow_turn(S, T2, n - noted, checked) < 0:
                return n
            noted = n
        if turn(S, NC) < 0:
            if slow_turn(S, NC, n - noted, checked) < 0:
                return n
            noted = n
        n += 1
    note_turns(S, n - noted, 0)
    return n


def turn(S: View, HART: int) -> int:
    """Execute one instruction of a hart in a burst of several; negative if it is left to `tick`.

    Each hart has code of its own, in which it is known where its registers are, and a processor
    learns for each what follows what. So five harts together are about as fast as one alone.
    """
    if not S.hart.issuing[HART]:
        return 0
    pc = S.hart.pc[HART]
    npc = -1
    while not pc & OUTSIDE:  # once: what a loop dispatches to becomes part of it
        d = S.decoded.word[(pc >> 2) & WORD_INDEX]
        npc = EXECUTE_ALONE[d & 0xFF](S, HART, pc, d, 0)
        if npc == HEAD:
            npc = execute_alone(S, HART, pc, S.translated.word[d >> 8])
        break
    if npc >= 0:
        S.hart.pc[HART] = npc
    return npc


def slow_turn(S: View, hart: int, n: int, checked: int) -> int:
    """In a burst, let `hart` issue as `tick` does, in the cycle after `n` that the record does not
    have yet. Return 0 if the burst continues, -1 if `tick` has the harts after this one."""
    note_turns(S, n, hart)
    issuing = issuing_harts(S)
    npc = issue(S, hart, 1, 0) if checked else issue(S, hart, 0, 0)
    if npc < 0 or S.stop.kind != StopKind.NONE:
        # A stop before its instruction leaves it the turn.
        S.tile.next_hart = hart if npc < 0 and S.stop.kind != StopKind.NONE else hart + 1
        return -1
    others = issuing_harts(S) != issuing or not S.tile.plain
    if others or S.tile.stalled_now or not is_quiet(S):
        S.tile.next_hart = hart + 1
        return -1
    for i in range(hart + 1):
        S.hart.retired[i] -= S.hart.issuing[i]  # they count with their cycle
    return 0


def note_turns(S: View, n: int, hart: int) -> int:
    """Note that `n` cycles are over, and in the next one the turns of the harts before `hart`."""
    end_burst(S, n)
    for i in range(HARTS):
        if S.hart.issuing[i]:
            S.hart.retired[i] += n
            if i < hart:
                S.hart.retired[i] += 1
                S.tile.idle_cycles = 0
    return 0


def is_quiet(S: View) -> int:
    """True if there is nothing to do but instructions of harts until a request is due."""
    if S.tensix.active or S.tile.pending & ~PENDING_NOC:
        return 0
    if S.tile.pending == 0:
        return 1
    if S.noc.order[0] or S.noc.order[1]:
        return 0
    return 1 if S.asleep.niu > S.tile.cycle else 0


def issuing_harts(S: View) -> int:
    """Return a bit for each hart that issues."""
    harts = 0
    for hart in range(HARTS):
        harts = harts | S.hart.issuing[hart] << hart
    return harts
