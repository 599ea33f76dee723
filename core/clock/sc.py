# SPDX-License-Identifier: Apache-2.0
"""The cycle of the schedule `sc`, and the loop over cycles.

    run ──► burst             one hart: many simple instructions in one loop (burst_sc.py)
        ├─► burst_together    several of them (burst_together.py)
        └─► tick              the general case: B, T0, T1, T2, NC issue in this order, one
                              instruction each

In the schedule `sc` every request is processed at once, so a cycle is one instruction of every hart
that issues, in a fixed order: the execution is sequentially consistent. A burst is only a faster
way through the same cycles; what it cannot do it leaves to `tick`. A stop in mid-cycle keeps
`tile.next_hart`, and the rest of the cycle follows at the next run.

A request over the NoC is looked at when it is due, and not in each cycle (core/noc/arrive.py); a
call that does not continue the one before looks anew.

CHECKED is a constant flag: the loop exists twice, with and without breakpoints, watches and steps.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.clock.burst_sc import burst, burst_allowed, burst_checked, burst_needs_checks
from tensix_gdb.core.clock.burst_together import burst_together, is_quiet
from tensix_gdb.core.clock.pending import attend
from tensix_gdb.core.clock.polling import attend_polling, begin_skip
from tensix_gdb.core.clock.polling_rows import PROVED
from tensix_gdb.core.clock.watchdog import end_of_wait
from tensix_gdb.core.counting import coprocessor as counted_gates
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, View, row
from tensix_gdb.core.riscv.issue import issue
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.coprocessor import run_to_fixpoint
from tensix_gdb.core.tensix.gate import requests as watched

_T, _D = Tag.TIMING, Tag.DERIVED

# fmt: off
TILE = Part("tile", (
    row("cycle",          "i64", (), Tag.MONOTONE, "cycles since power-up"),
    row("next_hart",      "u32", (), _T, "which hart issues next in this cycle"),
    row("idle_cycles",    "u32", (), _T, "cycles in which nothing moved; a move writes 0"),
    row("stalled_now",    "u8",  (), _T, "in this cycle a hart or thread had to wait",
        marks=Mark.FOR_PEOPLE),
    row("stalled_cycles", "u32", (), _T, "cycles of which that was so (core/clock/watchdog.py)",
        marks=Mark.FOR_PEOPLE),
    row("backoff",        "u8",  (), _T, "how often it was no deadlock: each doubles patience",
        marks=Mark.FOR_PEOPLE),
    row("chip",           "u8",  (), Tag.ARCHITECTURAL,
        "0 Blackhole, 1 Wormhole (core/arch/chips.py)"),
    row("pending",        "u32", (), Tag.ARCHITECTURAL, "PENDING_ bits (core/clock/pending.py)"),
    row("issuing",        "u32", (), _D, "number of harts that issue"),
    row("only_hart",      "u32", (), _D, "the only one, or HARTS"),
    row("plain",          "u8",  (), _D, "1: some issue, and none of them is observed"),
), role=Role.PROGRESS, chapter=Chapter.HARTS)
# fmt: on

# A load by B from a PCBuf sees in the next cycle that its reader asks, so one still cycle can be
# followed by one in which something moves; more cannot.
STILL_CYCLES = 4

# After a burst of several harts that was shorter than so many cycles, so many are left to `tick`: a
# hart that asks a device again and again ends a burst each time.
SHORT = 8
TICKS = 32


def run(S: View, budget: int, CHECKED: int) -> int:
    """Run at most `budget` cycles, or until a stop is recorded; return the cycles completed."""
    start = S.tile.cycle
    end = start + budget
    ticks = 0  # before a burst is tried again
    S.stop.kind = StopKind.NONE
    if S.asleep.goes_on == 0:
        S.asleep.niu = 0
    while S.tile.cycle < end and S.stop.kind == StopKind.NONE:
        if S.tile.cycle >= S.polling.look and attend_polling(S, end, CHECKED):
            skip(S, end, CHECKED)
        # While it is watched, 0: each cycle is looked at. What is known to poll need not be.
        goal = end if S.polling.state == PROVED else min(end, S.polling.look)
        if S.tile.pending:
            goal = min(goal, S.asleep.niu)
        quiet = is_quiet(S) if S.tile.next_hart == 0 else 0
        if ticks:
            ticks -= 1
        elif S.tile.plain and quiet and S.tile.cycle < goal:
            before = S.tile.cycle
            if CHECKED and burst_needs_checks(S):
                if S.tile.only_hart < HARTS:
                    burst_checked(S, S.tile.only_hart, goal - before)
            elif not CHECKED or burst_allowed(S):
                if S.tile.only_hart < HARTS:
                    burst(S, S.tile.only_hart, goal - before)
                else:
                    burst_together(S, goal - before, CHECKED)
            if S.tile.cycle >= end or S.stop.kind != StopKind.NONE:
                break
            if S.tile.cycle - before < SHORT and S.tile.only_hart == HARTS:
                ticks = TICKS
        tick(S, CHECKED)
        if CHECKED and S.request_watch.pending:
            watched.stop_here(S)
    return S.tile.cycle - start


def skip(S: View, end: int, CHECKED: int) -> int:
    """Pass the cycles of a tile that only polls, as `timed.skip` does."""
    start = S.tile.cycle
    target = begin_skip(S, end)
    idle = S.tile.idle_cycles
    for hart in range(HARTS):
        for _ in range((target - start) % S.polling.period[hart]):
            issue(S, hart, CHECKED, 0)
    S.tile.idle_cycles = idle
    S.tile.cycle = target
    return 0


def tick(S: View, CHECKED: int) -> int:
    """One cycle, or what is left of it after a stop."""
    hart = S.tile.next_hart
    if hart == 0:
        if S.tile.pending and S.gate.next == 0 and attend(S, CHECKED) < 0:
            return 0
        if S.tensix.active:
            if run_to_fixpoint(S, CHECKED) < 0:
                return 0
            if CHECKED and S.counted.on:
                counted_gates.cycle(S)
    while hart < HARTS:
        if S.hart.issuing[hart]:
            npc = issue(S, hart, CHECKED, 0)
            if S.stop.kind != StopKind.NONE:
                # Stopped before its instruction, a hart has its turn again; after it, it had it.
                S.tile.next_hart = hart if npc < 0 else hart + 1
                return 0
        hart += 1
    S.tile.next_hart = 0
    S.tile.cycle += 1
    S.tile.idle_cycles += 1
    if S.tile.stalled_now or S.tile.idle_cycles > STILL_CYCLES:
        end_of_wait(S, STILL_CYCLES)
    return 1
