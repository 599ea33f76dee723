# SPDX-License-Identifier: Apache-2.0
"""The cycle of the schedule `sc`, and the loop over cycles.

    run ──► burst   nothing is armed on the way: many simple instructions in one loop
        └─► tick    the general case: B, T0, T1, T2, NC issue in this order, one instruction each

In the schedule `sc` every request is processed at once, so a cycle is one instruction of every hart
that issues, in a fixed order: the execution is sequentially consistent. `burst` is only a faster
way through the same cycles; what needs more than registers, L1 and the hart's own local RAM it
leaves to `tick`. A stop in mid-cycle keeps `tile.next_hart`, and the rest of the cycle follows at
the next run.

CHECKED is a constant flag: the loop exists twice, with and without breakpoints, watches and steps.
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES, NC, T0, T1, T2, B
from tensix_gdb.core.arch.wormhole import IRAM_BYTES, IRAM_PLACE
from tensix_gdb.core.clock.pending import attend
from tensix_gdb.core.clock.polling import attend_polling, begin_skip
from tensix_gdb.core.clock.polling_rows import PROVED
from tensix_gdb.core.clock.watchdog import end_of_wait
from tensix_gdb.core.counting import coprocessor as counted_gates
from tensix_gdb.core.counting import harts as counted_harts
from tensix_gdb.core.engine.native import THREADED, call_code
from tensix_gdb.core.noc.state import PENDING_NOC
from tensix_gdb.core.record.layout import Chapter, Mark, Part, Role, Tag, View, row
from tensix_gdb.core.riscv.execute import EXECUTE_ALONE
from tensix_gdb.core.riscv.fields import DECODED_WORDS
from tensix_gdb.core.riscv.issue import issue
from tensix_gdb.core.riscv.table import NOT_DECODED
from tensix_gdb.core.stop import HEAD, StopKind
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

WORD_INDEX = DECODED_WORDS - 1
INSIDE = WORD_INDEX << 2
# The last of these words is in no memory, and never decoded: a burst that runs from word to word
# need not look where the code ends.
assert max(L1_BYTES, IRAM_PLACE + IRAM_BYTES) <= INSIDE
OUTSIDE = ~INSIDE  # pc bits that are 0 in every aligned address of the first 2 MiB


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


def burst(S: View, hart: int, budget: int) -> int:
    """Run `hart`, which issues alone, for up to `budget` instructions of the simple kind.

    Breakpoints cost nothing here: a word with one has no decoded copy (`decode_at`), and what has
    none is left to `tick`. A branch that is not taken has an end of the loop of its own, so that a
    processor can continue before it knows the condition.
    """
    pc = S.hart.pc[hart]
    if pc & OUTSIDE:
        return 0
    n = 0
    while THREADED and n < budget:
        pc &= INSIDE  # as it is; so it is known that what comes after it is no status
        d = S.decoded.word[pc >> 2]
        npc = EXECUTE_ALONE[d & 0xFF](S, hart, pc, d, 0)
        if npc < 0:
            if npc != HEAD:
                break
            done = run_translation(S, hart, pc, d >> 8, budget - n)
            if done == 0:
                break
            n += done
            npc = S.hart.pc[hart]
        else:
            n += 1
            if npc == pc + 4:
                pc += 4
                continue
        pc = npc
        if pc & OUTSIDE:
            break
    S.hart.pc[hart] = pc
    S.hart.retired[hart] += n
    return end_burst(S, n)


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
    if not is_quiet(S) or issuing_harts(S) != issuing:
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


def end_burst(S: View, n: int) -> int:
    """Note that `n` cycles are over; return `n`."""
    S.tile.cycle += n
    if n:
        S.tile.idle_cycles = 1  # as `tick` leaves it
    return n


def run_translation(S: View, hart: int, pc: int, head: int, budget: int) -> int:
    """Run the translation with this head for up to `budget` instructions, which leaves the pc in
    the record; return how many it has executed, 0 if that is left to `tick`."""
    translation = S.translated.owner[head]
    code = S.translated.code[translation]
    if code == 0 or S.tile.only_hart != S.translated.hart[translation]:
        # From now on the word is executed as all others are.
        S.decoded.word[(pc >> 2) & WORD_INDEX] = S.translated.word[head]
        S.translated.code[translation] = 0
        S.translated.dropped = 1
        return 0
    return call_code(S, code, pc, budget)


def burst_allowed(S: View) -> int:
    """True if all harts may enter the burst loop: no step and no step over a breakpoint is
    pending."""
    for hart in range(HARTS):
        if S.debug.step_over[hart] or S.debug.stepping[hart]:
            return 0
    return 1


def burst_needs_checks(S: View) -> int:
    """True if instructions without a breakpoint have to be checked: for watches, or counted."""
    return S.debug.watches > 0 or S.counted.on != 0


def burst_checked(S: View, hart: int, budget: int) -> int:
    """Run as `burst`, with watches and counting.

    It is a function of its own, so that breakpoints alone are as fast as none. Its instructions are
    called, because LLVM takes a second for a loop with all of them inside.
    """
    if not burst_allowed(S):
        return 0
    pc = S.hart.pc[hart]
    n = 0
    counted = S.counted.on
    begin = pc
    start = pc
    while n < budget:
        if pc & OUTSIDE:
            break
        d = S.decoded.word[(pc >> 2) & WORD_INDEX]
        if d & 0xFF == NOT_DECODED:
            d = S.translated.word[d >> 8]
        npc = execute_alone(S, hart, pc, d)
        if npc < 0:
            break
        n += 1
        if counted and npc != pc + 4:
            counted_harts.jumped(S, hart, start, pc, d, npc, n)
            start = npc
        pc = npc
    if counted:
        counted_harts.left(S, hart, begin, start, pc, n)
    S.hart.pc[hart] = pc
    S.hart.retired[hart] += n
    return end_burst(S, n)


def execute_alone(S: View, hart: int, pc: int, d: int) -> int:
    """Execute one instruction of `burst_checked`."""
    return EXECUTE_ALONE[d & 0xFF](S, hart, pc, d, 1)
