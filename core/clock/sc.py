# SPDX-License-Identifier: Apache-2.0
"""What a cycle is, and the loop over cycles.

    run ──► burst   one hart issues, nothing armed on its way: many instructions in one loop
        └─► tick    the general case: B, T0, T1, T2, NC issue in this order, one instruction each

In the schedule `sc` every request is processed at once, so a cycle is one instruction of every hart
that issues, in a fixed order: the execution is sequentially consistent. `burst` is only a faster
way through the same cycles; what needs more than registers, L1 and the hart's own local RAM it
leaves to `tick`. A stop in mid-cycle keeps `tile.next_hart`, and the rest of the cycle follows at
the next run.

CHECKED is a constant flag: the loop exists twice, with and without breakpoints, watches and steps.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.clock.pending import attend
from tensix_gdb.core.clock.watchdog import end_of_wait
from tensix_gdb.core.counting import coprocessor as counted_gates
from tensix_gdb.core.counting import harts as counted_harts
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.riscv.execute import EXECUTE_ALONE
from tensix_gdb.core.riscv.fields import DECODED_WORDS
from tensix_gdb.core.riscv.issue import issue
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.coprocessor import run_to_fixpoint

TILE = Part(
    "tile",
    (
        row("cycle", "i64", (), Tag.MONOTONE, "cycles since power-up"),
        row("next_hart", "u32", (), Tag.TIMING, "which hart issues next in this cycle"),
        row("idle_cycles", "u32", (), Tag.TIMING, "cycles in which nothing moved; a move writes 0"),
        row("stalled_now", "u8", (), Tag.TIMING, "in this cycle a hart or thread had to wait"),
        row(
            "stalled_cycles",
            "u32",
            (),
            Tag.TIMING,
            "cycles of which that was so (core/clock/watchdog.py)",
        ),
        row("backoff", "u8", (), Tag.TIMING, "how often it was no deadlock: each doubles patience"),
        row("pending", "u32", (), Tag.ARCHITECTURAL, "PENDING_ bits (core/clock/pending.py)"),
        row("issuing", "u32", (), Tag.DERIVED, "number of harts that issue"),
        row("only_hart", "u32", (), Tag.DERIVED, "the only one, or HARTS"),
    ),
)

# A load by B from a PCBuf sees in the next cycle that its reader asks, so one still cycle can be
# followed by one in which something moves; more cannot.
STILL_CYCLES = 4

WORD_INDEX = DECODED_WORDS - 1
OUTSIDE = ~(WORD_INDEX << 2)  # pc bits that are 0 in every aligned address of the first 2 MiB


def run(S: View, budget: int, CHECKED: int) -> int:
    """Run at most `budget` cycles, or until a stop is recorded; return the cycles completed."""
    start = S.tile.cycle
    end = start + budget
    S.stop.kind = StopKind.NONE
    while S.tile.cycle < end and S.stop.kind == StopKind.NONE:
        quiet = S.tile.next_hart == 0 and S.tile.pending == 0 and S.tensix.active == 0
        if S.tile.only_hart < HARTS and quiet:
            if CHECKED and burst_needs_checks(S):
                burst_checked(S, S.tile.only_hart, end - S.tile.cycle)
            elif not CHECKED or burst_allowed(S, S.tile.only_hart):
                burst(S, S.tile.only_hart, end - S.tile.cycle)
            if S.tile.cycle >= end:
                break
        tick(S, CHECKED)
    return S.tile.cycle - start


def tick(S: View, CHECKED: int) -> int:
    """One cycle, or what is left of it after a stop."""
    hart = S.tile.next_hart
    if hart == 0:
        if S.tile.pending and S.gate.next == 0 and attend(S) < 0:
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
    none is left to `tick`.
    """
    pc = S.hart.pc[hart]
    n = 0
    while n < budget:
        if pc & OUTSIDE:
            break
        d = S.decoded.word[(pc >> 2) & WORD_INDEX]
        npc = EXECUTE_ALONE[d & 0xFF](S, hart, pc, d, 0)
        if npc < 0:
            break
        pc = npc
        n += 1
    S.hart.pc[hart] = pc
    S.hart.retired[hart] += n
    S.tile.cycle += n
    return n


def burst_allowed(S: View, hart: int) -> int:
    """True if `hart` may enter the burst loop: no step and no step over a breakpoint is pending."""
    return not S.debug.step_over[hart] and not S.debug.stepping[hart]


def burst_needs_checks(S: View) -> int:
    """True if instructions without a breakpoint have to be checked: for watches, or counted."""
    return S.debug.watches > 0 or S.counted.on != 0


def burst_checked(S: View, hart: int, budget: int) -> int:
    """Run as `burst`, with watches and counting.

    It is a function of its own, so that breakpoints alone are as fast as none. Its instructions are
    called, because LLVM takes a second for a loop with all of them inside.
    """
    if not burst_allowed(S, hart):
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
    S.tile.cycle += n
    return n


def execute_alone(S: View, hart: int, pc: int, d: int) -> int:
    """One instruction of `burst_checked`."""
    return EXECUTE_ALONE[d & 0xFF](S, hart, pc, d, 1)
