# SPDX-License-Identifier: Apache-2.0
"""Instructions at the wait gates: what is done before each begins, and what it touches.

passing    before the instruction is executed: its clock, and its accesses
passed     after that: what it has latched, posted, or sent to memory
"""

from tensix_gdb.core.arch.blackhole import T0, THREADS, B
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.ordering.promises import Number
from tensix_gdb.core.race import sync, units
from tensix_gdb.core.race.accesses import accesses, pacr, site, to_l1
from tensix_gdb.core.race.clocks import clear, copy, join, reach
from tensix_gdb.core.race.fields import (
    B_PUSHES,
    FROM_B,
    GATE,
    LET_GO,
    OLDER_CONFIG,
    OLDER_GPR,
    OLDER_OLD,
    OLDER_PART,
    OLDER_TDMA,
    PASSES,
    PUSH_SLOTS,
    PUSHED,
    RELEASED,
    SCRATCH,
    WAIT,
)
from tensix_gdb.core.race.lines import LOAD, MOVER, STORE, Line, Region, of_hart, of_thread
from tensix_gdb.core.race.operands import (
    FORM,
    Form,
)
from tensix_gdb.core.race.registers import banks, dst, order, sampled
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config.pipeline import ALU_FIRST, ALU_LAST
from tensix_gdb.core.tensix.config.unit import bank_of
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C
from tensix_gdb.core.tensix.gate.latch import SEMWAIT, STALLWAIT
from tensix_gdb.core.tensix.gate.wait_gate import catches
from tensix_gdb.core.tensix.matrix import pipeline as matrix_pipe
from tensix_gdb.core.tensix.matrix.formats import IMPLIED_WORDS
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.vector.opcodes import Sfp

NO_ROW = -1


# -- before an instruction


def passing(S: View, thread: int, number: int, word: int) -> int:
    """The instruction at the gate of a thread is about to begin."""
    clock = GATE + thread
    push = push_of(S, thread)
    begun = S.race.ends[thread, Line.GATE] + 1
    S.race.ends[thread, Line.GATE] = begun
    S.race.clock[clock, of_thread(thread, Line.GATE)] = begun
    reach(S, clock, of_thread(thread, Line.SCALAR), S.race.ends[thread, Line.SCALAR])
    reach(S, clock, of_thread(thread, Line.PIPE), S.race.due[thread, 0])
    S.race.due[thread, 0] = S.race.due[thread, 1]
    S.race.due[thread, 1] = 0
    # What comes from one push, and the words of a bundle, have one clock.
    if push != NO_ROW and (push >= FROM_B or S.race.number[push] != S.race.joined[thread]):
        S.race.joined[thread] = S.race.number[push]
        join(S, clock, push)
        if push < FROM_B:
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
        order.fed(S, thread, push, 1 if push >= FROM_B else 0, site(S, thread))
    accesses(S, thread, number, word, clock)
    if FORM[number] == Form.SETDVALID:
        S.race.clients_before = banks.clients(S)
    elif FORM[number] >= Form.MATRIX:
        unit_begins(S, thread, number, word)
    S.race.promises = 0
    return 0


def unit_begins(S: View, thread: int, number: int, word: int) -> int:
    """An instruction of the Matrix or the Vector Unit: what it samples, and its rows of Dst."""
    bank = bank_of(S, thread)
    where = site(S, thread)
    if FORM[number] == Form.VECTOR:
        order.vector_begins(S, thread, where)
        opcode = word >> 24
        if opcode == Sfp.LOAD or opcode == Sfp.STORE or opcode == Sfp.LOADMACRO:
            sampled.sample(S, thread, sampled.Reader.VECTOR, bank, 0, where)
            dst.vector_begins(S, thread, word, where)
        return 0
    banks.matrix_begins(S, thread, number, where)
    if matrix_pipe.KINDS[number]:
        if not matrix_pipe.KINDS[number] & matrix_pipe.CLEARS:
            sampled.sample(S, thread, sampled.Reader.MATRIX, bank, 0, where)
        if (
            S.config.thread[thread, IMPLIED_WORDS[0]]
            & S.config.thread[thread, IMPLIED_WORDS[1]]
            & 1
        ):
            sampled.sample(S, thread, sampled.Reader.FORMATS, bank, 0, where)
        dst.matrix_begins(S, thread, number, word, where)
    return 0


def push_of(S: View, thread: int) -> int:
    """The clock of the push from which the instruction at the gate comes."""
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
    S.race.promise_line[0] = of_hart(hart, Region.GPR, STORE)
    S.race.promise_upto[0] = S.race.promised[thread, 0]
    S.race.promise_of[0] = Number.P11
    S.race.promise_line[1] = of_hart(hart, Region.CONFIG, STORE)
    S.race.promise_upto[1] = S.race.promised[thread, 1]
    S.race.promise_of[1] = Number.P8 if thread == THREADS - 1 else Number.P10
    S.race.promise_line[2] = of_hart(B, Region.CONFIG, STORE)
    S.race.promise_upto[2] = S.race.promised_b[thread]
    S.race.promise_of[2] = Number.P10
    S.race.promises = 3
    S.race.promise_row = LET_GO + hart
    S.race.promise_clock = GATE + thread
    if ALU_FIRST <= word >> 24 <= ALU_LAST:
        S.race.promise_line[3] = of_thread(thread, Line.LATE_GPR)
        S.race.promise_upto[3] = S.race.read_config[thread]
        S.race.promise_of[3] = Number.P4
        S.race.promises = 4
    S.race.read_config[thread] = 0
    return 0


# -- after an instruction


def passed(S: View, thread: int, number: int, word: int, requests: int) -> int:
    """The instruction at the gate was executed; there were `requests` of the Scalar Unit before."""
    clock = GATE + thread
    form = FORM[number]
    match form:
        case Form.OTHER | Form.SETC16:
            pass
        case Form.MATRIX:
            S.race.ends[thread, Line.MATRIX] += 1
            promise(S, thread, word)
            dst.matrix_passed(S, thread, number, site(S, thread))
            banks.matrix_passed(S, thread, site(S, thread))
            S.race.promises = 0
        case Form.VECTOR:
            S.race.ends[thread, Line.VECTOR] += 1
        case Form.SEMPOST | Form.SEMGET | Form.SEMINIT:
            semaphores(S, number, word, form, clock)
        case Form.SEMWAIT | Form.STALLWAIT:
            latched(S, thread, clock)
        case Form.ATGETM:
            join(S, clock, RELEASED + (field(word, number, 0) & 7))
        case Form.ATRELM:
            join(S, RELEASED + (field(word, number, 0) & 7), clock)
        case Form.WRCFG | Form.RMWCIB | Form.CFGSHIFTMASK | Form.RDCFG:
            entered_pipe(S, thread, form)
        case Form.STREAMWRCFG:
            S.race.ends[thread, Line.LATE_GPR] += 1
        case Form.UNPACR:
            units.unpacked(S, thread, field(word, number, 0), site(S, thread))
        case Form.SETDVALID:
            banks.set_valid(S, thread, S.race.clients_before)
        case Form.UNPACR_NOP:
            units.fills(S, thread, word, site(S, thread))
        case Form.PACR:
            units.packs(S, thread, site(S, thread))
            S.race.promises = 3
            pacr(S, thread)
            dst.packs(S, thread, site(S, thread))
            S.race.promises = 0
        case Form.XMOV:
            if S.busy.mover:
                units.moves(S, clock, site(S, thread))
        case _:
            scalar(S, thread, number, word, form, clock, requests)
    S.race.seen[thread, 0] = S.race.seen[thread, 1]
    S.race.seen[thread, 1] = S.race.ends[thread, Line.SCALAR]
    sync.note_units(S, thread)
    return note_pass(S, thread, word)


def note_pass(S: View, thread: int, word: int) -> int:
    """Keep the instruction for requests that Auto TTSync has wait for it."""
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    if slot == NO_SLOT:
        return 0
    at = S.race.passes[thread] & (PASSES - 1)
    S.race.passes[thread] += 1
    S.race.pass_push[thread, at] = S.race.number[PUSHED + thread * PUSH_SLOTS + slot]
    S.race.pass_gate[thread, at] = S.race.ends[thread, Line.GATE]
    # The result of arithmetic comes after the gate, that of SETDMAREG does not.
    late = 1 if ALU_FIRST <= word >> 24 <= ALU_LAST else 0
    S.race.pass_scalar[thread, at] = max(S.race.ends[thread, Line.SCALAR] - late, 0)
    S.race.pass_uses[thread, at] = (
        S.tracker.reads[thread, slot] | S.tracker.writes[thread, slot] << 8
    )
    return 0


def entered_pipe(S: View, thread: int, form: int) -> int:
    """An instruction is in the configuration pipe: when do the gate's next ones know?"""
    end = S.race.ends[thread, Line.PIPE] + 1
    S.race.ends[thread, Line.PIPE] = end
    if form == Form.RMWCIB or form == Form.RDCFG:
        S.race.due[thread, 0] = end
    else:
        S.race.due[thread, 1] = end
    if form == Form.RDCFG:
        S.race.ends[thread, Line.LATE_GPR] += 1
        S.race.read_config[thread] = S.race.ends[thread, Line.LATE_GPR]
    return 0


def semaphores(S: View, number: int, word: int, form: int, clock: int) -> int:
    """SEMINIT, SEMPOST, SEMGET."""
    mask = field(word, number, 2 if form == Form.SEMINIT else 0)
    for i in range(SEMAPHORES):
        if (mask >> i) & 1:
            if form == Form.SEMPOST:
                sync.post(S, i, clock)
            elif form == Form.SEMGET:
                sync.get(S, i, clock)
            else:
                S.race.begun[i] = field(word, number, 1)
                S.race.posts[i] = 0
                S.race.gets[i] = 0
    return 0


def latched(S: View, thread: int, clock: int) -> int:
    """A wait was latched: what is done when it is over."""
    wait = WAIT + thread
    clear(S, wait)
    S.race.waiting[thread] = 1
    S.race.block[thread] = S.latch.block[thread]
    conditions = S.latch.conditions[thread]
    S.race.wait_semaphores[thread] = 0
    S.race.wait_banks[thread] = 0
    if S.latch.kind[thread] == SEMWAIT:
        S.race.wait_semaphores[thread] = S.latch.semaphores[thread]
        S.race.wait_conditions[thread] = conditions
        return 0
    if S.latch.kind[thread] != STALLWAIT:
        return 0
    S.race.wait_banks[thread] = (conditions >> 5) & 15
    if conditions >> 7 & 3:
        banks.latched(S, thread, conditions, site(S, thread))
    if conditions & 1:
        is_over(S, thread, Line.SCALAR)
        is_over(S, thread, Line.MEMORY)
    for i in range(4):
        if (conditions >> (1 + i)) & 1:
            is_over(S, thread, Line.UNPACKER_0 + i)
    if (conditions >> 9) & 1:
        reach(S, wait, MOVER, S.race.moves)
    if (conditions >> 11) & 1:
        is_over(S, thread, Line.VECTOR)
    if (conditions >> 12) & 1:
        S.race.clock[wait, of_thread(thread, Line.GATE)] = S.race.ends[thread, Line.GATE]
        copy(S, SCRATCH, clock)
        sync.after_ring(S, SCRATCH, sync.IN_PIPE)
        for other in range(THREADS):
            line = of_thread(other, Line.PIPE)
            S.race.clock[wait, line] = S.race.clock[SCRATCH, line]
        is_over(S, thread, Line.PIPE)
        is_over(S, thread, Line.LATE_GPR)
    if (conditions >> 10) & 1:
        own_requests(S, thread, wait)
    return 0


def is_over(S: View, thread: int, line: int) -> int:
    """The wait ends after all that a line of the thread has begun."""
    return reach(S, WAIT + thread, of_thread(thread, line), S.race.ends[thread, line])


def own_requests(S: View, thread: int, wait: int) -> int:
    """C10: what the own T core had emitted before it pushed the STALLWAIT is processed."""
    slot = S.fifo.slot[thread, C, S.fifo.head[thread, C]]
    if slot == NO_SLOT:
        return 0
    push = PUSHED + thread * PUSH_SLOTS + slot
    hart = T0 + thread
    for way in range(2):
        reach(S, wait, of_hart(hart, Region.GPR, way), S.race.older[push, OLDER_GPR + way])
        reach(S, wait, of_hart(hart, Region.CONFIG, way), S.race.older[push, OLDER_CONFIG + way])
        reach(S, wait, of_hart(hart, Region.TDMA, way), S.race.older[push, OLDER_TDMA + way])
    return 0


def scalar(
    S: View, thread: int, number: int, word: int, form: int, clock: int, requests: int
) -> int:
    """An instruction of the Scalar Unit; a request of it to L1 is an access from here on."""
    if form == Form.FLUSHDMA:
        conditions = field(word, number, 0)
        if conditions == 0:
            conditions = 15
        if conditions & 1:
            memory = S.race.ends[thread, Line.MEMORY]
            reach(S, clock, of_thread(thread, Line.MEMORY), memory)
        for i in range(3):
            if (conditions >> (1 + i)) & 1:
                line = Line.UNPACKER_0 + i
                reach(S, clock, of_thread(thread, line), S.race.ends[thread, line])
    S.race.ends[thread, Line.SCALAR] += 1
    if S.thcon.requests == requests:
        return 0
    end = S.race.ends[thread, Line.MEMORY] + 1
    i = S.thcon.requests - 1
    kind = S.thcon.kind[i]
    if thcon.TO_L1[kind]:
        copy(S, SCRATCH, clock)
        at = of_thread(thread, Line.MEMORY)
        S.race.clock[SCRATCH, at] = end - 1
        sync.after_ring(S, SCRATCH, sync.TO_L1)
        to_l1(S, thread, i, kind, at, end)
    S.race.ends[thread, Line.MEMORY] = end
    if kind == thcon.COMPARE or kind == thcon.ADVANCE:
        # The thread goes on when the answer is there.
        reach(S, clock, of_thread(thread, Line.MEMORY), end)
    return 0
