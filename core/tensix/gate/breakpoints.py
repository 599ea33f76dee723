# SPDX-License-Identifier: Apache-2.0
"""The debugger's stops at the wait gates: breakpoints, steps, threads that it holds.

Only the CHECKED loop looks here, so nothing of it costs anything while nothing is armed. A
breakpoint stops when an instruction that it is about has come to the gate, whether it will be held
there or not, and once for each instruction: `looked` is the number of the one that was looked at.
A step of one instruction stops after it, a step through a range before the next instruction that
comes from elsewhere.

A breakpoint is one or more entries: a range of origins, threads, bits of the word, comparisons of
fields. With `nth` it stops at the nth instruction of one push that its entries fit: a MOP or REPLAY
is one push.
"""

import enum

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.stall import WaitsFor
from tensix_gdb.core.stop import AT_GATE, STOPPED, StopKind, stop
from tensix_gdb.core.tensix.frontend.fifo import C

COLD = True  # little time of LLVM for it (core/engine/README.md)

ENTRIES = 256
BREAKS = 64
COMPARISONS = 4  # of each entry

# `stepping`
RUNNING, ONE, RANGE = 0, 1, 2


class Compare(enum.IntEnum):
    """The comparison of a field."""

    NONE = 0
    EQUAL = 1
    NOT_EQUAL = 2
    LESS = 3
    AT_MOST = 4
    GREATER = 5
    AT_LEAST = 6


_D = Tag.DERIVED
_EACH = (ENTRIES, COMPARISONS)

# fmt: off
GATE_STOP = Part("gate_stop", (
    row("entries", "u32", (),      _D, "number of entries"),
    row("lo",      "i64", ENTRIES, _D, "origins from here"),
    row("hi",      "i64", ENTRIES, _D, "up to here"),
    row("threads", "u8",  ENTRIES, _D, "a bit for each thread"),
    row("mask",    "u32", ENTRIES, _D, "bits of the instruction"),
    row("match",   "u32", ENTRIES, _D, "and what they have to be"),
    row("compare", "u8",  _EACH,   _D, "Compare"),
    row("shift",   "u8",  _EACH,   _D, "the field's lowest bit"),
    row("field",   "u32", _EACH,   _D, "its bits, shifted down"),
    row("against", "u32", _EACH,   _D, "what it is compared with"),
    row("owner",   "u8",  ENTRIES, _D, "the breakpoint"),
    row("nth",     "u32", BREAKS,  _D, "which instruction of a push; 0: each"),
    row("seen",    "u32", BREAKS,  _D, "how many of this push so far"),
    row("hart",    "u8",  (BREAKS, THREADS), _D, "this push: its origin"),
    row("pc",      "u32", (BREAKS, THREADS), _D, "this push: its origin"),
    row("cycle",   "i64", (BREAKS, THREADS), _D, "this push: 1 + its cycle"),
    row("fits",    "u32", (BREAKS, THREADS), _D, "how many of its instructions fitted so far"),
    row("hits",    "i64", BREAKS,  _D, "how often it was hit"),
    row("ignored", "i64", BREAKS,  _D, "how many of the next hits do not stop"),
    row("looked",  "i64", THREADS, _D, "1 + how many had passed when one was looked at last"),
    row("held",    "u8",  THREADS, _D, "nothing may pass"),
    row("stepping", "u8", THREADS, _D, "RUNNING, ONE or RANGE"),
    row("step_lo", "u32", THREADS, _D, "RANGE: origins from here"),
    row("step_hi", "u32", THREADS, _D, "up to here"),
    row("step_from", "i64", THREADS, _D, "1 + how many had passed, if one was at the gate"),
))
# fmt: on


def stop_at_gate(S: View, thread: int, kind: int, a: int, b: int) -> int:
    """Stop because of the instruction at the gate."""
    at = S.fifo.head[thread, C]
    stop(S, S.fifo.hart[thread, C, at], kind, a, b)
    S.stop.pc = S.fifo.pc[thread, C, at]
    S.stop.stream = AT_GATE | thread
    return STOPPED


def is_held(S: View, thread: int) -> int:
    """True if the debugger freezes the thread: not while a hart waits for the coprocessor."""
    if S.gate_stop.held[thread] == 0:
        return 0
    for hart in range(HARTS):
        if S.hart.issuing[hart]:
            reason = S.hart.waits_for[hart]
            if WaitsFor.TENSIX_FIFO <= reason <= WaitsFor.TENSIX_MOP:
                return 0
    return 1


def check_before_issue(S: View, thread: int, word: int) -> int:
    """Check the instruction at the gate: STOPPED if a breakpoint or step is about it."""
    number = S.passed.count[thread] + 1
    at = S.fifo.head[thread, C]
    pc = S.fifo.pc[thread, C, at]
    if (
        S.gate_stop.stepping[thread] == RANGE
        and S.gate_stop.step_from[thread] != number
        and not S.gate_stop.step_lo[thread] <= pc < S.gate_stop.step_hi[thread]
    ):
        S.gate_stop.stepping[thread] = RUNNING
        return stop_at_gate(S, thread, StopKind.STEP, 0, 0)
    if S.gate_stop.entries == 0 or S.gate_stop.looked[thread] == number:
        return 0
    S.gate_stop.looked[thread] = number
    owner = hit(S, thread, word, pc)
    if owner:
        return stop_at_gate(S, thread, StopKind.GATE, owner - 1, S.gate_stop.seen[owner - 1])
    return 0


def check_after_issue(S: View, thread: int) -> int:
    """Check after an instruction has issued: STOPPED if the step is over."""
    if S.gate_stop.stepping[thread] != ONE:
        return 0
    S.gate_stop.stepping[thread] = RUNNING
    stop(S, S.passed.hart[thread], StopKind.STEP, 0, 0)
    S.stop.pc = S.passed.pc[thread]
    S.stop.stream = AT_GATE | thread
    return STOPPED


def hit(S: View, thread: int, word: int, pc: int) -> int:
    """1 + the breakpoint that wants to stop here, or 0. All that it fits are counted."""
    number = 0
    for i in range(S.gate_stop.entries):
        if fits(S, i, thread, pc, word):
            owner = S.gate_stop.owner[i]
            if count(S, owner, thread, pc) and number == 0:
                S.gate_stop.hits[owner] += 1
                if S.gate_stop.ignored[owner] > 0:
                    S.gate_stop.ignored[owner] -= 1
                else:
                    number = owner + 1
    return number


def fits(S: View, i: int, thread: int, pc: int, word: int) -> int:
    """True if entry `i` is about such an instruction."""
    if not S.gate_stop.lo[i] <= pc < S.gate_stop.hi[i]:
        return 0
    if (S.gate_stop.threads[i] >> thread) & 1 == 0:
        return 0
    if word & S.gate_stop.mask[i] != S.gate_stop.match[i]:
        return 0
    return compares(S, i, word)


def compares(S: View, i: int, word: int) -> int:
    """True if all comparisons of an entry are true."""
    for j in range(COMPARISONS):
        value = (word >> S.gate_stop.shift[i, j]) & S.gate_stop.field[i, j]
        other = S.gate_stop.against[i, j]
        good = 1
        match S.gate_stop.compare[i, j]:
            case Compare.EQUAL:
                good = value == other
            case Compare.NOT_EQUAL:
                good = value != other
            case Compare.LESS:
                good = value < other
            case Compare.AT_MOST:
                good = value <= other
            case Compare.GREATER:
                good = value > other
            case Compare.AT_LEAST:
                good = value >= other
        if not good:
            return 0
    return 1


def count(S: View, owner: int, thread: int, pc: int) -> int:
    """Count an instruction of its push; does the breakpoint stop at this one?"""
    at = S.fifo.head[thread, C]
    hart = S.fifo.hart[thread, C, at]
    cycle = S.fifo.cycle[thread, C, at] + 1
    if (
        S.gate_stop.cycle[owner, thread] != cycle
        or S.gate_stop.pc[owner, thread] != pc
        or S.gate_stop.hart[owner, thread] != hart
    ):
        S.gate_stop.fits[owner, thread] = 0
        S.gate_stop.cycle[owner, thread] = cycle
        S.gate_stop.pc[owner, thread] = pc
        S.gate_stop.hart[owner, thread] = hart
    S.gate_stop.fits[owner, thread] += 1
    S.gate_stop.seen[owner] = S.gate_stop.fits[owner, thread]
    nth = S.gate_stop.nth[owner]
    return 1 if nth == 0 or nth == S.gate_stop.fits[owner, thread] else 0


def arm_step(S: View, thread: int, lo: int, hi: int) -> int:
    """Stop after the next instruction; with lo < hi before the first one from outside."""
    S.gate_stop.stepping[thread] = RANGE if lo < hi else ONE
    S.gate_stop.step_lo[thread] = lo
    S.gate_stop.step_hi[thread] = hi
    at_gate = S.fifo.count[thread, C]
    S.gate_stop.step_from[thread] = S.passed.count[thread] + 1 if at_gate else 0
    return 0


def disarm(S: View) -> int:
    """Clear armed steps and the threads that the debugger freezes."""
    for thread in range(THREADS):
        S.gate_stop.stepping[thread] = RUNNING
        S.gate_stop.held[thread] = 0
    return 0
