# SPDX-License-Identifier: Apache-2.0
"""Pass the cycles of a tile that only polls in one go (schedule `latency`).

    WATCHING ──► every hart has come back ──► PROVED ──► `skip` to the end of the run
        └──► anything but harmless instructions ──► OFF, for `wait` cycles

While it is watched, cycles run as always. A hart has come back when all that it consists of is as
it was in the cycle `begin`: registers, retire-order queue, loads under way, L0 cache; cycles that
are written down count from the cycle itself. Until then every hart has executed nothing but
arithmetic, branches, fences and loads from L1 and its own local RAM, and no store, NoC request,
interrupt or Tensix instruction was under way. So no memory changes and no hart can see another;
each goes round for ever, in `period` cycles that nothing else has an influence on.

`skip` moves every hart on by whole rounds and runs what is left of its last round by itself. The
last SHOWN cycles run as always, so that counts of idle cycles are those of the tile. What comes
out is the record that the same cycles one by one would make, byte for byte. In `random`
every load draws a number, so no round is like another.

All rows are DERIVED. They hold between two calls only if nothing has been changed in between: the
caller sets `state` to OFF otherwise (core/machine/runner.py).
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.clock.polling_rows import (
    NEAR_STREAMS,
    OFF,
    PROVED,
    REGISTERS,
    WATCHING,
)
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES, RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER
from tensix_gdb.core.riscv.table import FORMS
from tensix_gdb.core.schedule import Schedule

COLD = True  # little time of LLVM for it (core/engine/README.md)

SHOWN = 64  # cycles; a hart that goes round issues more often
LONGEST = 4096  # cycles of a round
SHORTEST_WAIT, LONGEST_WAIT = 1024, 1 << 18  # cycles until the tile is watched again
WORTH_WATCHING = 1024  # cycles of a run
WORTH = 512  # cycles; less is not worth a skip
NEAR = (1 << streams.L1) | (1 << streams.LOCAL)

_HARMLESS = (
    *(Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.BRANCH, Form.LUI, Form.AUIPC),
    *(Form.JAL, Form.JALR, Form.LOAD, Form.FENCE),
)
HARMLESS = tuple(int(form in _HARMLESS) for form in FORMS)
IN_EX1 = tuple(int(form in (Form.LOAD, Form.FENCE)) for form in FORMS)


def attend_polling(S: View, end: int, CHECKED: int) -> int:
    """At the start of a cycle from `look` on; 1 if it is time to skip."""
    if S.polling.state == WATCHING:
        look_on(S)
    elif S.polling.state == OFF:
        watch(S, CHECKED)
    return 1 if S.polling.state == PROVED and end - S.tile.cycle >= SHOWN + WORTH else 0


def watch(S: View, CHECKED: int) -> int:
    """Begin to watch, at the start of a cycle; 1 if all harts may be polling."""
    S.polling.wait = max(S.polling.wait, SHORTEST_WAIT)
    S.polling.look = S.tile.cycle + S.polling.wait
    if S.schedule.kind != Schedule.LATENCY or S.schedule.cycle_phase or S.tile.next_hart:
        return 0
    if not may_poll(S) or (CHECKED and is_looked_at(S)):
        return 0
    for hart in range(HARTS):
        if S.pipeline.ex1_op[hart] and not IN_EX1[S.pipeline.ex1_op[hart]]:
            return 0
        if S.hart.observed[hart] or S.hart.slow[hart] or S.stream.held[hart]:
            return 0
        for i in range(2):
            for request in range(S.stream.count[hart, NEAR_STREAMS[i]]):
                if S.stream.kind[hart, NEAR_STREAMS[i], request] != streams.READ:
                    return 0
        remember(S, hart)
        S.polling.period[hart] = 0
        S.polling.pc[hart] = S.hart.pc[hart]
        S.polling.retired[hart] = S.hart.retired[hart]
    S.polling.begin = S.tile.cycle
    S.polling.random = S.schedule.random
    S.polling.stalled = S.tile.stalled_cycles
    S.polling.state = WATCHING
    S.polling.look = 0
    return 1


def may_poll(S: View) -> int:
    """True if nothing is under way but loads from L1 and local RAM."""
    if S.tile.pending or S.tensix.active:
        return 0
    for hart in range(HARTS):
        if S.pipeline.sq_count[hart] or S.stream.busy[hart] & ~NEAR:
            return 0
    return 1


def is_looked_at(S: View) -> int:
    """True if a debugger steps, or every instruction is counted or compared with others."""
    if S.counted.on or S.race.on or S.hold.on or S.pause_place.left or S.condition.active:
        return 1
    for hart in range(HARTS):
        if S.debug.stepping[hart] or S.debug.step_over[hart] or S.pipeline.cut[hart]:
            return 1
    return 0


def give_up(S: View) -> int:
    """Watch again later, and later each time."""
    S.polling.state = OFF
    S.polling.wait = min(2 * S.polling.wait, LONGEST_WAIT)
    S.polling.look = S.tile.cycle + S.polling.wait
    return 0


def look_on(S: View) -> int:
    """After a cycle that is watched: PROVED as soon as all harts have come back."""
    if S.schedule.cycle_phase or S.tile.next_hart:
        return give_up(S)
    if not may_poll(S) or S.tile.stalled_cycles != S.polling.stalled or S.tile.stalled_now:
        return give_up(S)
    if S.schedule.random != S.polling.random or S.tile.idle_cycles >= SHOWN // 2:
        return give_up(S)
    if S.tile.cycle - S.polling.begin > LONGEST:
        return give_up(S)
    issues = 0
    left = 0
    for hart in range(HARTS):
        if S.hart.retired[hart] != S.polling.retired[hart]:
            if not HARMLESS[S.decoded.word[S.polling.pc[hart] >> 2] & 0xFF]:
                return give_up(S)
            S.polling.pc[hart] = S.hart.pc[hart]
            S.polling.retired[hart] = S.hart.retired[hart]
        if S.polling.period[hart] == 0:
            if is_back(S, hart):
                S.polling.period[hart] = S.tile.cycle - S.polling.begin
                S.polling.gain[hart] = S.hart.retired[hart] - S.polling.k_retired[hart]
            else:
                left = 1
        if S.polling.period[hart] and S.polling.gain[hart]:
            issues = 1
    if left == 0:
        if not issues:
            return give_up(S)
        S.polling.state = PROVED
        S.polling.wait = SHORTEST_WAIT
    return 0


def begin_skip(S: View, end: int) -> int:
    """Move every hart on by whole rounds; the cycle in which the rest is to be over."""
    by = end - SHOWN - S.tile.cycle
    for hart in range(HARTS):
        rounds = by // S.polling.period[hart]
        move_on(S, hart, rounds * S.polling.period[hart])
        S.hart.retired[hart] += rounds * S.polling.gain[hart]
    S.schedule.first_hart = (S.schedule.first_hart + by) % HARTS
    S.polling.skipped += by
    return S.tile.cycle + by


def remember(S: View, hart: int) -> int:
    """Keep what the hart consists of."""
    S.polling.k_retired[hart] = S.hart.retired[hart]
    S.polling.k_pc[hart] = S.hart.pc[hart]
    S.polling.k_fcsr[hart] = S.hart.fcsr[hart]
    S.polling.k_waits[hart] = S.hart.waits_for[hart] << 8 | S.hart.waits_on[hart]
    for i in range(64):
        S.polling.k_x[hart, i] = S.hart.x[hart, i]
    S.polling.k_ex1[hart, 0] = S.pipeline.ex1_op[hart] | S.pipeline.ex1_entry[hart] << 8
    S.polling.k_ex1[hart, 1] = S.pipeline.ex1_addr[hart]
    S.polling.k_ex1[hart, 2] = S.pipeline.ex1_data[hart]
    S.polling.k_ex1[hart, 3] = S.pipeline.ex1_pc[hart]
    S.polling.k_queue[hart, 0] = S.pipeline.rq_head[hart] | S.pipeline.rq_count[hart] << 8
    S.polling.k_queue[hart, 1] = S.pipeline.serial[hart] | S.pipeline.check[hart] << 8
    S.polling.k_queue[hart, 2] = S.pipeline.loads[hart] | S.pipeline.l0_next[hart] << 8
    S.polling.k_when[hart, 0] = S.pipeline.ex1_since[hart]
    S.polling.k_when[hart, 1] = S.pipeline.ex1_free[hart]
    S.polling.k_when[hart, 2] = S.pipeline.checked[hart]
    for i in range(RETIRE_ORDER_ENTRIES):
        S.polling.k_rq[hart, i] = entry_of(S, hart, i)
        S.polling.k_ready[hart, i] = S.pipeline.rq_ready[hart, i]
    for i in range(REGISTERS):
        S.polling.k_writers[hart, i] = S.pipeline.writers[hart, i]
        S.polling.k_last[hart, i] = S.pipeline.last_writer[hart, i]
        S.polling.k_known[hart, i] = S.pipeline.known[hart, i]
    for i in range(L0_LINES):
        S.polling.k_valid[hart, i] = S.pipeline.l0_valid[hart, i]
        S.polling.k_line[hart, i] = S.pipeline.l0_line[hart, i]
        for word in range(4):
            S.polling.k_word[hart, i, word] = S.pipeline.l0_word[hart, i, word]
    for i in range(2):
        stream = NEAR_STREAMS[i]
        S.polling.k_count[hart, i] = S.stream.count[hart, stream]
        for request in range(streams.DEPTH):
            S.polling.k_load[hart, i, request, 0] = load_of(S, hart, stream, request)
            S.polling.k_load[hart, i, request, 1] = S.stream.addr[hart, stream, request]
            S.polling.k_load[hart, i, request, 2] = S.stream.pc[hart, stream, request]
            S.polling.k_load[hart, i, request, 3] = S.stream.data[hart, stream, request, 0]
            S.polling.k_born[hart, i, request] = S.stream.born[hart, stream, request]
            S.polling.k_due[hart, i, request] = S.stream.due[hart, stream, request]
    return 0


def entry_of(S: View, hart: int, i: int) -> int:
    """What an entry of the retire-order queue has beside its cycle."""
    flags = S.pipeline.rq_answer[hart, i] << 8 | S.pipeline.rq_serial[hart, i] << 9
    return S.pipeline.rq_rd[hart, i] | flags


def load_of(S: View, hart: int, stream: int, i: int) -> int:
    """What a request has beside its address, origin and cycles."""
    kind = S.stream.kind[hart, stream, i] | S.stream.size[hart, stream, i] << 8
    return kind | S.stream.op[hart, stream, i] << 16 | S.stream.entry[hart, stream, i] << 24


def is_back(S: View, hart: int) -> int:
    """True if the hart is as it was, but for the cycles that have passed."""
    if S.hart.pc[hart] != S.polling.k_pc[hart]:
        return 0
    queue = S.pipeline.rq_head[hart] | S.pipeline.rq_count[hart] << 8
    if queue != S.polling.k_queue[hart, 0]:
        return 0
    return 1 if is_same_queue(S, hart) and is_same_state(S, hart) else 0


def is_same_state(S: View, hart: int) -> int:
    """True for the registers, what is known of them, and the L0 cache."""
    waits = S.hart.waits_for[hart] << 8 | S.hart.waits_on[hart]
    if S.hart.fcsr[hart] != S.polling.k_fcsr[hart] or waits != S.polling.k_waits[hart]:
        return 0
    for i in range(64):
        if S.hart.x[hart, i] != S.polling.k_x[hart, i]:
            return 0
    for i in range(REGISTERS):
        if S.pipeline.writers[hart, i] != S.polling.k_writers[hart, i]:
            return 0
        if S.pipeline.last_writer[hart, i] != S.polling.k_last[hart, i]:
            return 0
        if not goes_along(S, S.polling.k_known[hart, i], S.pipeline.known[hart, i]):
            return 0
    for i in range(L0_LINES):
        if S.pipeline.l0_valid[hart, i] != S.polling.k_valid[hart, i]:
            return 0
        if S.pipeline.l0_line[hart, i] != S.polling.k_line[hart, i]:
            return 0
        for word in range(4):
            if S.pipeline.l0_word[hart, i, word] != S.polling.k_word[hart, i, word]:
                return 0
    return 1


def is_same_queue(S: View, hart: int) -> int:
    """True for EX1, the retire-order queue, and the loads under way."""
    ex1 = S.pipeline.ex1_op[hart] | S.pipeline.ex1_entry[hart] << 8
    if ex1 != S.polling.k_ex1[hart, 0] or S.pipeline.ex1_addr[hart] != S.polling.k_ex1[hart, 1]:
        return 0
    if S.pipeline.ex1_data[hart] != S.polling.k_ex1[hart, 2]:
        return 0
    if S.pipeline.ex1_pc[hart] != S.polling.k_ex1[hart, 3]:
        return 0
    serial = S.pipeline.serial[hart] | S.pipeline.check[hart] << 8
    loads = S.pipeline.loads[hart] | S.pipeline.l0_next[hart] << 8
    if serial != S.polling.k_queue[hart, 1] or loads != S.polling.k_queue[hart, 2]:
        return 0
    if not goes_along(S, S.polling.k_when[hart, 0], S.pipeline.ex1_since[hart]):
        return 0
    if not goes_along(S, S.polling.k_when[hart, 1], S.pipeline.ex1_free[hart]):
        return 0
    if not goes_along(S, S.polling.k_when[hart, 2], S.pipeline.checked[hart]):
        return 0
    for i in range(RETIRE_ORDER_ENTRIES):
        if entry_of(S, hart, i) != S.polling.k_rq[hart, i]:
            return 0
        if not goes_along(S, S.polling.k_ready[hart, i], S.pipeline.rq_ready[hart, i]):
            return 0
    for i in range(2):
        if not is_same_stream(S, hart, i):
            return 0
    return 1


def is_same_stream(S: View, hart: int, i: int) -> int:
    """True for the loads under way to L1 (0) or local RAM (1)."""
    stream = NEAR_STREAMS[i]
    if S.stream.count[hart, stream] != S.polling.k_count[hart, i]:
        return 0
    for request in range(streams.DEPTH):
        if load_of(S, hart, stream, request) != S.polling.k_load[hart, i, request, 0]:
            return 0
        if S.stream.addr[hart, stream, request] != S.polling.k_load[hart, i, request, 1]:
            return 0
        if S.stream.pc[hart, stream, request] != S.polling.k_load[hart, i, request, 2]:
            return 0
        if S.stream.data[hart, stream, request, 0] != S.polling.k_load[hart, i, request, 3]:
            return 0
        born = S.stream.born[hart, stream, request]
        if not goes_along(S, S.polling.k_born[hart, i, request], born):
            return 0
        due = S.stream.due[hart, stream, request]
        if not goes_along(S, S.polling.k_due[hart, i, request], due):
            return 0
    return 1


def goes_along(S: View, before: int, now: int) -> int:
    """True if a cycle that is written down has moved on by a round, or was over and is no more
    written."""
    if now == before:
        return 1 if before < S.polling.begin or before >= NEVER else 0
    return 1 if now - before == S.tile.cycle - S.polling.begin else 0


def moved(S: View, when: int, by: int) -> int:
    """A cycle that is written down, so much later; what was over before the first round stays."""
    return when + by if S.polling.begin <= when < NEVER else when


def move_on(S: View, hart: int, by: int) -> int:
    """Write down every cycle of the hart as after so many more cycles, a number of rounds."""
    S.pipeline.ex1_since[hart] = moved(S, S.pipeline.ex1_since[hart], by)
    S.pipeline.ex1_free[hart] = moved(S, S.pipeline.ex1_free[hart], by)
    S.pipeline.checked[hart] = moved(S, S.pipeline.checked[hart], by)
    for i in range(RETIRE_ORDER_ENTRIES):
        S.pipeline.rq_ready[hart, i] = moved(S, S.pipeline.rq_ready[hart, i], by)
    for i in range(REGISTERS):
        S.pipeline.known[hart, i] = moved(S, S.pipeline.known[hart, i], by)
    for i in range(2):
        stream = NEAR_STREAMS[i]
        for request in range(S.stream.count[hart, stream]):
            S.stream.born[hart, stream, request] = moved(
                S, S.stream.born[hart, stream, request], by
            )
            S.stream.due[hart, stream, request] = moved(S, S.stream.due[hart, stream, request], by)
    return 0
