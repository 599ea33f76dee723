# SPDX-License-Identifier: Apache-2.0
"""Bursts of one hart in the schedule `sc` (sc.py): many simple instructions in one loop.

What is simple needs nothing but registers, L1 and the hart's own local RAM. A burst ends before
anything else, and `tick` does it. Bursts of several harts are in burst_together.py.
"""

from tensix_gdb.core.arch.blackhole import HARTS, L1_BYTES
from tensix_gdb.core.arch.wormhole import IRAM_BYTES, IRAM_PLACE
from tensix_gdb.core.counting import harts as counted_harts
from tensix_gdb.core.engine.native import THREADED, call_code
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.execute import EXECUTE_ALONE
from tensix_gdb.core.riscv.fields import DECODED_WORDS
from tensix_gdb.core.riscv.table import NOT_DECODED
from tensix_gdb.core.stop import HEAD

WORD_INDEX = DECODED_WORDS - 1
INSIDE = WORD_INDEX << 2
# The last of these words is in no memory, and never decoded: a burst that runs from word to word
# need not look where the code ends.
assert max(L1_BYTES, IRAM_PLACE + IRAM_BYTES) <= INSIDE
OUTSIDE = ~INSIDE  # pc bits that are 0 in every aligned address of the first 2 MiB


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
