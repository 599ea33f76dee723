# SPDX-License-Identifier: Apache-2.0
"""MOP Expander (MOPExpander.md): takes from FIFO A, gives to FIFO B, one instruction in a cycle.

A MOP becomes a loop over the words of MopCfg. They are sampled when they are needed and not when
the MOP arrives, so that changing them too early has the effect it has on the hardware; a counter
that has gone past a smaller count is at its end.
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.stop import fault
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.frontend.fifo import (
    NO_SLOT,
    VIA_MOP,
    A,
    B,
    drop,
    holds_opcode,
    put,
    room,
)

COUNT = 0x3FF  # loop counts have ten bits; Wormhole's have seven (assembly.yaml)
COUNT_WORMHOLE = 0x7F
BY_MISTAKE = 128  # iterations that Wormhole adds when there are nothing but end instructions


# `expanding`
IDLE, MASKED, DOUBLE = 0, 1, 2

# `step` of template 0: one of four instructions, then one more
FIRST, LAST_OF_FOUR, GROUP_END = 0, 3, 4
HAS_B, HAS_A123 = 1, 2
# `step` of template 1
START, INNER, END0, END1 = 0, 1, 2, 3

_A, _T, _M = Tag.ARCHITECTURAL, Tag.TIMING, Tag.MONOTONE

# fmt: off
MOP_EXPANDER = Part("mop", (
    row("mask_hi",   "u16", THREADS, _A, "of MOP_CFG"),
    row("expanding", "u8",  THREADS, _A, "IDLE, MASKED (template 0) or DOUBLE (template 1)"),
    row("mask",      "u32", THREADS, _A, "template 0: bit 0 belongs to this iteration"),
    row("left",      "u8",  THREADS, _A, "template 0: iterations, this one included"),
    row("outer",     "u16", THREADS, _A, "template 1: outer iterations done"),
    row("inner",     "u16", THREADS, _A, "template 1: inner iterations done"),
    row("step",      "u8",  THREADS, _A, "what comes next in this iteration"),
    row("word",      "u32", THREADS, _A, "the MOP"),
    row("pc",        "u32", THREADS, _A, "its origin"),
    row("cycle",     "i64", THREADS, _M, "its origin"),
    row("slot",      "u8",  THREADS, _A, "its slot"),
    row("emitted",   "u8",  THREADS, _T, "something left for FIFO B in this cycle"),
), chapter=Chapter.CONTROL)
# fmt: on


def has_work(S: View, thread: int) -> int:
    """True if `move` has anything to look at, or to clear: most threads are idle most of the
    time."""
    return S.fifo.count[thread, A] | S.mop.expanding[thread] | S.mop.emitted[thread]


def move(S: View, thread: int) -> int:
    """Run one cycle; 1 if anything moved."""
    S.mop.emitted[thread] = 0
    return move_on(S, thread) if room(S, thread, B) else 0


def move_on(S: View, thread: int) -> int:
    """`move`, when there is room for what comes."""
    if S.mop.expanding[thread]:
        if emit_next(S, thread):
            return 1
        finish(S, thread)
        if S.fifo.count[thread, A] == 0 or head_opcode(S, thread) != opcodes.MOP:
            return 1  # the idle cycle after an expansion
    if S.fifo.count[thread, A] == 0:
        return 0
    at = S.fifo.head[thread, A]
    word = S.fifo.word[thread, A, at]
    slot = S.fifo.slot[thread, A, at]
    match word >> 24:
        case opcodes.MOP:
            if begin_mop(S, thread, word, at) < 0:
                return 0
            drop(S, thread, A)
            if not emit_next(S, thread):
                finish(S, thread)
        case opcodes.MOP_CFG:
            S.mop.mask_hi[thread] = word & 0xFFFF
            drop(S, thread, A)
            tracker.leave(S, thread, slot)
        case _:
            pc = S.fifo.pc[thread, A, at]
            hart = S.fifo.hart[thread, A, at]
            cycle = S.fifo.cycle[thread, A, at]
            drop(S, thread, A)
            put(S, thread, B, word, hart, pc, cycle, 0, slot)
            S.mop.emitted[thread] = 1
    return 1


def head_opcode(S: View, thread: int) -> int:
    """Opcode of the oldest instruction in FIFO A."""
    return S.fifo.word[thread, A, S.fifo.head[thread, A]] >> 24


def begin_mop(S: View, thread: int, word: int, at: int) -> int:
    """Start to expand the MOP at `at` in FIFO A."""
    if word & 0x800000 and word & 0x7FFFFF:
        # MOP.md: template 1 takes everything from MopCfg. The assembler table has the fields
        # override its counts, and the newest page says that this is not supported.
        return fault(S, T0 + thread, Fault.MOP_OVERRIDE, word, S.fifo.pc[thread, A, at])
    if word & 0x800000 and ends_only(S, thread) and not S.tile.chip:
        return fault(S, T0 + thread, Fault.MOP_ENDS_ONLY, word, S.fifo.pc[thread, A, at])
    S.mop.word[thread] = word
    S.mop.pc[thread] = S.fifo.pc[thread, A, at]
    S.mop.cycle[thread] = S.fifo.cycle[thread, A, at]
    S.mop.slot[thread] = S.fifo.slot[thread, A, at]
    if word & 0x800000:
        S.mop.expanding[thread] = DOUBLE
    else:
        S.mop.expanding[thread] = MASKED
        S.mop.mask[thread] = S.mop.mask_hi[thread] << 16 | (word & 0xFFFF)
        S.mop.left[thread] = ((word >> 16) & 0x7F) + 1
    return 0


def counted(S: View) -> int:
    """Return the bits of a loop count."""
    return COUNT_WORMHOLE if S.tile.chip else COUNT


def ends_only(S: View, thread: int) -> int:
    """One outer iteration of nothing but end instructions.

    MOPExpander.md has Wormhole add 128 iterations by mistake; no page says what Blackhole does.
    """
    return (
        1
        if S.mop_config.word[thread, 0] & counted(S) == 1
        and S.mop_config.word[thread, 1] & counted(S) == 0
        and is_nop(S.mop_config.word[thread, 2])
        and not is_nop(S.mop_config.word[thread, 3])
        else 0
    )


def emit_next(S: View, thread: int) -> int:
    """Put the next instruction of the expansion into FIFO B; 0 if there is none."""
    is_masked = S.mop.expanding[thread] == MASKED
    word = next_of_mask(S, thread) if is_masked else next_of_loops(S, thread)
    if word < 0:
        return 0
    slot = S.mop.slot[thread]
    put(S, thread, B, word, T0 + thread, S.mop.pc[thread], S.mop.cycle[thread], VIA_MOP, slot)
    if slot != NO_SLOT:
        S.tracker.pending[thread, slot] += 1
    S.mop.emitted[thread] = 1
    return 1


def finish(S: View, thread: int) -> int:
    """End the expansion and clear its rows."""
    tracker.leave(S, thread, S.mop.slot[thread])
    return clear(S, thread)


def clear(S: View, thread: int) -> int:
    """Forget the expansion under way."""
    S.mop.expanding[thread] = IDLE
    S.mop.mask[thread] = 0
    S.mop.left[thread] = 0
    S.mop.outer[thread] = 0
    S.mop.inner[thread] = 0
    S.mop.step[thread] = 0
    S.mop.word[thread] = 0
    S.mop.pc[thread] = 0
    S.mop.cycle[thread] = 0
    S.mop.slot[thread] = 0
    return 0


def next_of_mask(S: View, thread: int) -> int:
    """Template 0: a group of instructions for each bit of the mask; -1 at the end."""
    while S.mop.left[thread] > 0:
        flags = S.mop_config.word[thread, 1]
        skip = S.mop.mask[thread] & 1
        step = S.mop.step[thread]
        if step == FIRST:
            S.mop.step[thread] = GROUP_END if skip or not flags & HAS_A123 else 1
            return S.mop_config.word[thread, 7] if skip else S.mop_config.word[thread, 3]
        if step <= LAST_OF_FOUR:
            S.mop.step[thread] = step + 1
            return S.mop_config.word[thread, 3 + step]
        S.mop.step[thread] = FIRST
        S.mop.mask[thread] = S.mop.mask[thread] >> 1
        S.mop.left[thread] -= 1
        if flags & HAS_B:
            return S.mop_config.word[thread, 8] if skip else S.mop_config.word[thread, 2]
    return -1


def is_nop(word: int) -> int:
    """Only the plain NOP counts."""
    return 1 if word >> 24 == opcodes.NOP else 0


def outer_count(S: View, thread: int) -> int:
    """Iterations of the outer loop of template 1.

    UNSPECIFIED(MOPExpander.md): Blackhole's page is a stub, and Wormhole's has counts of seven bits
    and the extra iterations of a loop of end instructions. The assembler table has ten bits, which
    LLK uses, so the counts have ten. Whether Blackhole adds iterations too (1024 would be the like
    of it) is on no page: it adds none, and the loop stops by name (MOP_ENDS_ONLY).
    """
    count = S.mop_config.word[thread, 0] & counted(S)
    return count + BY_MISTAKE if S.tile.chip and ends_only(S, thread) else count


def inner_count(S: View, thread: int) -> int:
    """Iterations of the inner loop: twice as many when it alternates between two instructions."""
    count = S.mop_config.word[thread, 1] & counted(S)
    return count if is_nop(S.mop_config.word[thread, 6]) else count * 2


def next_of_loops(S: View, thread: int) -> int:
    """Template 1: an inner loop in an outer loop; -1 at the end."""
    while S.mop.outer[thread] < outer_count(S, thread):
        step = S.mop.step[thread]
        if step == START:
            S.mop.step[thread] = INNER
            if not is_nop(S.mop_config.word[thread, 2]):
                return S.mop_config.word[thread, 2]
        elif step == INNER:
            if S.mop.inner[thread] < inner_count(S, thread):
                S.mop.inner[thread] += 1
                return loop_word(S, thread)
            S.mop.step[thread] = END0
        elif step == END0 and not is_nop(S.mop_config.word[thread, 3]):
            S.mop.step[thread] = END1
            return S.mop_config.word[thread, 3]
        else:
            S.mop.step[thread] = START
            S.mop.inner[thread] = 0
            S.mop.outer[thread] += 1
            if step == END1 and not is_nop(S.mop_config.word[thread, 4]):
                return S.mop_config.word[thread, 4]
    return -1


def loop_word(S: View, thread: int) -> int:
    """Return the instruction of the inner iteration that was just counted."""
    done = S.mop.inner[thread]
    if done >= inner_count(S, thread):
        is_last = S.mop.outer[thread] + 1 >= outer_count(S, thread)
        return S.mop_config.word[thread, 7] if is_last else S.mop_config.word[thread, 8]
    alternates = not is_nop(S.mop_config.word[thread, 6])
    if alternates and done % 2 == 0:
        return S.mop_config.word[thread, 6]
    return S.mop_config.word[thread, 5]


def is_done(S: View, thread: int) -> int:
    """MOPExpanderDoneCheck: no MOP is queued or being expanded (ManualTTSync.md)."""
    return 1 if not S.mop.expanding[thread] and not holds_opcode(S, thread, A, opcodes.MOP) else 0


INLINED = (has_work, move, move_on, head_opcode, emit_next, next_of_mask)
