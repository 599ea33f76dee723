# SPDX-License-Identifier: Apache-2.0
"""Instructions at the wait gates: what is done before each begins, and what it touches.

passing    before the instruction is executed: its clock, and its accesses; passed.py has the rest
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS, B
from tensix_gdb.core.isa.opcodes import ADDDMAREG, CMPDMAREG
from tensix_gdb.core.ordering.promises import OLD, Number
from tensix_gdb.core.race import heard, sync
from tensix_gdb.core.race.accesses import accesses, here, site
from tensix_gdb.core.race.clocks import join, reach
from tensix_gdb.core.race.fields import (
    B_PUSHES,
    FROM_B,
    GATE,
    LET_GO,
    OLDER_OLD,
    OLDER_PART,
    PUSH_SLOTS,
    PUSHED,
    PUSHES_KEPT,
    WAIT,
)
from tensix_gdb.core.race.lines import LOAD, STORE, Line, Region, of_hart, of_thread
from tensix_gdb.core.race.operands import FORM, Form
from tensix_gdb.core.race.registers import banks, counters, dst, order, sampled
from tensix_gdb.core.race.stages import sources
from tensix_gdb.core.race.state import vector as state
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C
from tensix_gdb.core.tensix.gate.wait_gate import catches
from tensix_gdb.core.tensix.matrix import pipeline as matrix_pipe
from tensix_gdb.core.tensix.matrix.formats import IMPLIED_WORDS

NO_ROW = -1


# -- before an instruction


def passing(S: View, thread: int, number: int, word: int) -> int:
    """The instruction at the gate of a thread is about to begin."""
    clock = GATE + thread
    push = push_of(S, thread)
    begun = S.race.ends[thread, Line.GATE] + 1
    S.race.ends[thread, Line.GATE] = begun
    S.race.clock[clock, of_thread(thread, Line.GATE)] = begun
    heard.note(S, thread, push, site(S, thread))
    reach(S, clock, of_thread(thread, Line.SCALAR), S.race.ends[thread, Line.SCALAR])
    reach(S, clock, of_thread(thread, Line.PIPE), S.race.due[thread, 0])
    S.race.due[thread, 0] = S.race.due[thread, 1]
    S.race.due[thread, 1] = 0
    # What comes from one push, and the words of a bundle, have one clock.
    if push != NO_ROW and (push >= FROM_B or S.race.number[push] != S.race.joined[thread]):
        S.race.joined[thread] = S.race.number[push]
        join(S, clock, push)
        # What its hart had used, a CoprocessorDoneCheck, is known to the configuration pipe too.
        scalar = S.race.clock[push, of_thread(thread, Line.SCALAR)]
        S.race.seen[thread, 0] = max(S.race.seen[thread, 0], scalar)
        S.race.seen[thread, 1] = max(S.race.seen[thread, 1], scalar)
        if push < FROM_B:
            number_of_push = S.race.number[push] & (PUSHES_KEPT - 1)
            S.race.push_number[thread, number_of_push] = S.race.number[push]
            S.race.push_gate[thread, number_of_push] = begun
            S.race.push_pipe[thread, number_of_push] = S.race.clock[
                clock, of_thread(thread, Line.PIPE)
            ]
            old = S.race.older[push, OLDER_OLD]
            S.race.promised[thread, 0] = max(S.race.promised[thread, 0], old)
            old = S.race.older[push, OLDER_OLD + 1]
            S.race.promised[thread, 1] = max(S.race.promised[thread, 1], old)
        if push >= FROM_B:
            S.race.promised_b[thread] = max(
                S.race.promised_b[thread], S.race.older[push, OLDER_OLD + 1]
            )
    if S.race.waiting[thread] and catches(S.race.block[thread], number):
        end_wait(S, thread, clock)
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    if slot != NO_SLOT and S.tracker.reads[thread, slot] | S.tracker.writes[thread, slot]:
        after_tracked(S, thread, slot, clock, push)
    promise(S, thread, word)
    if push != NO_ROW:
        order.fed(S, thread, push, 1 if push >= FROM_B else 0, here(S, thread))
    accesses(S, thread, number, word, clock)
    if counters.USES[number]:
        counters.begins(S, thread, number, word, here(S, thread))
    if FORM[number] == Form.SETDVALID:
        S.race.clients_before = banks.clients(S)
    elif FORM[number] >= Form.MATRIX:
        unit_begins(S, thread, number, word)
    S.race.promises = 0
    return 0


def unit_begins(S: View, thread: int, number: int, word: int) -> int:
    """An instruction of the Matrix or the Vector Unit: what it samples, and its rows of Dst."""
    bank = bank_of(S, thread)
    where = here(S, thread)
    if FORM[number] == Form.VECTOR:
        order.vector_begins(S, thread, where)
        if S.state.on & (Group.INIT | Group.LEAKS):
            state.begins(S, number, word, where)
        if dst.VECTOR_READS[number] | dst.VECTOR_WRITES[number]:
            sampled.sample(S, thread, sampled.Reader.VECTOR, bank, 0, where)
            dst.vector_begins(S, thread, number, word, where)
        return 0
    banks.matrix_begins(S, thread, number, where)
    if S.state.on & Group.STAGES:
        sources.matrix_begins(S, thread, number, word, where)
    if matrix_pipe.KINDS[number]:
        if not matrix_pipe.KINDS[number] & matrix_pipe.CLEARS:
            matrix_samples(S, thread, bank, where)
        dst.matrix_begins(S, thread, number, word, where)
    return 0


def matrix_samples(S: View, thread: int, bank: int, where: int) -> int:
    """An instruction that computes samples its settings; ZEROACC names no format (ZEROACC.md)."""
    sampled.sample(S, thread, sampled.Reader.MATRIX, bank, 0, where)
    implied = S.config.thread[thread, IMPLIED_WORDS[0]] & S.config.thread[thread, IMPLIED_WORDS[1]]
    if implied & 1:
        sampled.sample(S, thread, sampled.Reader.FORMATS, bank, 0, where)
    return 0


def push_of(S: View, thread: int) -> int:
    """Return the clock of the push from which the instruction at the gate comes."""
    at = S.fifo.head[thread, C]
    slot = S.fifo.slot[thread, C, at]
    if slot != NO_SLOT:
        return PUSHED + thread * PUSH_SLOTS + slot
    cycle = S.fifo.cycle[thread, C, at]
    first = S.race.b_first[thread]
    while first < S.race.b_last[thread] and S.race.b_cycle[thread, first & (B_PUSHES - 1)] < cycle:
        first += 1
    S.race.b_first[thread] = first
    if first == S.race.b_last[thread]:
        return NO_ROW
    return FROM_B + thread * B_PUSHES + (first & (B_PUSHES - 1))


def end_wait(S: View, thread: int, clock: int) -> int:
    """The instruction is one that the latched wait holds, so the wait is over."""
    S.race.waiting[thread] = 0
    join(S, clock, WAIT + thread)
    scalar = S.race.clock[WAIT + thread, of_thread(thread, Line.SCALAR)]
    S.race.seen[thread, 0] = max(S.race.seen[thread, 0], scalar)
    S.race.seen[thread, 1] = max(S.race.seen[thread, 1], scalar)
    if S.race.wait_banks[thread]:
        banks.after_wait(S, thread, clock)
    if S.race.wait_semaphores[thread]:
        sync.after_semwait(S, clock, S.race.wait_semaphores[thread], S.race.wait_conditions[thread])
    return 0


def after_tracked(S: View, thread: int, slot: int, clock: int, push: int) -> int:
    """Auto TTSync: conflicting requests that were emitted before the push are processed."""
    if push == NO_ROW:
        return 0
    writes = S.tracker.writes[thread, slot]
    uses = S.tracker.reads[thread, slot] | writes
    # A MOP gives many instructions, all of one push.
    looked = S.race.number[push] << 20 | push << 8 | 1 << 62
    if S.race.tracked[thread] != looked | uses | writes << 52:
        S.race.tracked[thread] = looked | uses | writes << 52
        after_parts(S, thread, clock, push, uses, writes)
    return 0


def after_parts(S: View, thread: int, clock: int, push: int, uses: int, writes: int) -> int:
    """Come after the last requests of the push's hart to each part."""
    hart = T0 + thread
    for part in range(8):
        if (uses >> part) & 1:
            region = Region.CONFIG if part < 6 else (Region.GPR if part == 6 else Region.TDMA)
            stored = S.race.older[push, OLDER_PART + part]
            reach(S, clock, of_hart(hart, region, STORE), stored)
            if (writes >> part) & 1:
                loaded = S.race.older[push, OLDER_PART + 8 + part]
                reach(S, clock, of_hart(hart, region, LOAD), loaded)
    return 0


def promise(S: View, thread: int, word: int) -> int:
    """Note which events a promise has done before this instruction."""
    hart = T0 + thread
    late = S.race.ends[thread, Line.LATE_GPR]
    if late != S.race.late_old[thread] and S.race.late_cycle[thread] + OLD <= S.tile.cycle:
        S.race.late_old[thread] = late
    S.race.promise_line[0] = of_hart(hart, Region.GPR, STORE)
    S.race.promise_upto[0] = S.race.promised[thread, 0]
    S.race.promise_of[0] = Number.P11
    S.race.promise_line[1] = of_hart(hart, Region.CONFIG, STORE)
    S.race.promise_upto[1] = S.race.promised[thread, 1]
    S.race.promise_of[1] = Number.P8 if thread == THREADS - 1 else Number.P10
    S.race.promise_line[2] = of_hart(B, Region.CONFIG, STORE)
    S.race.promise_upto[2] = S.race.promised_b[thread]
    S.race.promise_of[2] = Number.P10
    S.race.promise_line[3] = of_thread(thread, Line.LATE_GPR)
    S.race.promise_upto[3] = S.race.late_old[thread]
    S.race.promise_of[3] = Number.P26
    S.race.promises = 4
    S.race.promise_row = LET_GO + hart
    S.race.promise_clock = GATE + thread
    if ADDDMAREG <= word >> 24 <= CMPDMAREG:
        S.race.promise_line[4] = of_thread(thread, Line.LATE_GPR)
        S.race.promise_upto[4] = S.race.read_config[thread]
        S.race.promise_of[4] = Number.P4
        S.race.promises = 5
    S.race.read_config[thread] = 0
    return 0


INLINED = (push_of, promise)
