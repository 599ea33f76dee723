# SPDX-License-Identifier: Apache-2.0
"""Pass the cycles of a tile that only polls in one go (schedules `latency` and `sc`).

    WATCHING ──► every hart has come back ──► PROVED ──► `skip` to the end of the run
        ├──► some have not after `span` cycles ──► keep all as they are now, for longer
        └──► anything but harmless instructions ──► OFF, for `wait` cycles

While it is watched, cycles run as always. A hart has come back when all that it consists of is as
it was in the cycle `begin`: registers, retire-order queue, loads under way, L0 cache; cycles that
are written down count from the cycle itself. Until then every hart has executed nothing but
arithmetic, branches, fences and loads from L1 and its own local RAM, and no store, NoC request,
interrupt or Tensix instruction was under way. So no memory changes and no hart can see another;
each goes round for ever, in `period` cycles that nothing else has an influence on.

A hart that has just come to its loop is not back for ever: the branch predictor, the queues and the
ports still hold what was before it. So what harts are is kept some cycles after the watch begins,
which most watches do not live to see, and kept anew after four times as many cycles each time: that
finds a round wherever the loop begins.

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
from tensix_gdb.core.clock.polling_state import is_back, move_on, remember
from tensix_gdb.core.memory import streams
from tensix_gdb.core.memory.l1_ports import is_stream
from tensix_gdb.core.memory.map import fetched_at
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.decode import RD_FILE
from tensix_gdb.core.riscv.encoding import Form
from tensix_gdb.core.riscv.pipeline.fields import RETIRE_ORDER_ENTRIES
from tensix_gdb.core.riscv.table import FORMS
from tensix_gdb.core.schedule import Schedule

SHOWN = 64  # cycles; a hart that goes round issues more often
# Cycles until harts are kept, in which what was before the loop is over; and until they are kept
# anew, longer than a round of tt-metal's firmware, 188 cycles, in which all queues come round.
FIRST_SPAN, SECOND_SPAN, LONGER = 80, 208, 4
LONGEST = 4096  # cycles of a round
SHORTEST_WAIT, LONGEST_WAIT = 96, 1 << 18  # cycles until the tile is watched again
SOON = 32  # the same where several harts run and something is under way: that costs next to nothing
WORTH_WATCHING = 1024  # cycles of a run
WORTH, WORTH_SC = 512, 96  # cycles; less is not worth a skip
NEAR = (1 << streams.L1) | (1 << streams.LOCAL)

_HARMLESS = (
    *(Form.ALU_RR, Form.ALU_RI, Form.ALU_R1, Form.BRANCH, Form.LUI, Form.AUIPC),
    *(Form.JAL, Form.JALR, Form.LOAD, Form.FENCE),
)
# They write no register but integers, so others stay what they are (polling_state.py).
HARMLESS = tuple(
    int(form in _HARMLESS and not file) for form, file in zip(FORMS, RD_FILE, strict=True)
)
IN_EX1 = tuple(int(form in (Form.LOAD, Form.FENCE)) for form in FORMS)


def attend_polling(S: View, end: int, CHECKED: int) -> int:
    """At the start of a cycle from `look` on; 1 if it is time to skip."""
    if S.polling.state == WATCHING:
        look_on(S)
    elif S.polling.state == OFF:
        watch(S, CHECKED)
    if S.polling.state != PROVED:
        return 0
    worth = WORTH_SC if S.schedule.kind == Schedule.SC else WORTH
    return 1 if end - S.tile.cycle >= SHOWN + worth else 0


def watch(S: View, CHECKED: int) -> int:
    """Begin to watch, at the start of a cycle; 1 if all harts may be polling."""
    S.polling.wait = max(S.polling.wait, SHORTEST_WAIT)
    S.polling.look = S.tile.cycle + S.polling.wait
    if S.schedule.kind > Schedule.LATENCY or (CHECKED and is_looked_at(S)):
        return 0
    if not can_keep(S):
        if is_slow(S):
            S.polling.look = S.tile.cycle + SOON
        return 0
    for hart in range(HARTS):
        S.polling.pc[hart] = S.hart.pc[hart]
        S.polling.retired[hart] = S.hart.retired[hart]
    S.polling.begin = S.tile.cycle
    S.polling.kept = 0
    S.polling.span = FIRST_SPAN
    S.polling.random = S.schedule.random
    S.polling.stalled = S.tile.stalled_cycles
    S.polling.state = WATCHING
    S.polling.look = 0
    if S.schedule.kind == Schedule.SC:
        keep(S)  # there is no queue that has to come round
    return 1


def is_slow(S: View) -> int:
    """True if cycles take so long that it costs little to look often: several harts, with time.
    Bursts (burst_timed.py) and translated code would be cut short."""
    return 1 if S.tile.only_hart >= HARTS and S.schedule.kind == Schedule.LATENCY else 0


def can_keep(S: View) -> int:
    """True if harts may be polling, and what they are is all in what is kept of them."""
    if S.schedule.cycle_phase or S.tile.next_hart:
        return 0
    if not may_poll(S) or S.l1_port.until > S.tile.cycle:
        return 0
    for hart in range(HARTS):
        if S.pipeline.ex1_op[hart] and not IN_EX1[S.pipeline.ex1_op[hart]]:
            return 0
        if S.hart.observed[hart] or S.hart.slow[hart] or S.stream.held[hart]:
            return 0
        for i in range(RETIRE_ORDER_ENTRIES):
            if S.pipeline.rq_rd[hart, i] >= REGISTERS:
                return 0
        for i in range(2):
            for request in range(S.stream.count[hart, NEAR_STREAMS[i]]):
                if S.stream.kind[hart, NEAR_STREAMS[i], request] != streams.READ:
                    return 0
    return 1


def keep(S: View) -> int:
    """Keep what all harts are in this cycle."""
    for hart in range(HARTS):
        remember(S, hart)
        S.polling.period[hart] = 0
    S.polling.begin = S.tile.cycle
    S.polling.kept = 1
    return 0


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
    """Watch again later, and later each time; where it was short, not much later."""
    more = 4 if is_slow(S) and S.polling.span <= SECOND_SPAN else 1
    S.polling.state = OFF
    S.polling.wait = min(S.polling.wait + (S.polling.wait >> more), LONGEST_WAIT)
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
    issues = 0
    left = 0
    for hart in range(HARTS):
        if S.tile.only_hart >= HARTS and is_stream(S, hart):
            return give_up(S)  # its loads wait for other harts
        if S.hart.retired[hart] != S.polling.retired[hart]:
            if not HARMLESS[S.decoded.word[fetched_at(S, hart, S.polling.pc[hart]) >> 2] & 0xFF]:
                return give_up(S)
            S.polling.pc[hart] = S.hart.pc[hart]
            S.polling.retired[hart] = S.hart.retired[hart]
        if S.polling.kept == 0:
            left = 1
        elif S.polling.period[hart] == 0:
            if is_back(S, hart):
                S.polling.period[hart] = S.tile.cycle - S.polling.begin
                S.polling.gain[hart] = S.hart.retired[hart] - S.polling.k_retired[hart]
            else:
                left = 1
        if S.polling.kept and S.polling.period[hart] and S.polling.gain[hart]:
            issues = 1
    if left:
        return keep_anew(S) if S.tile.cycle - S.polling.begin >= S.polling.span else 0
    if not issues:
        return give_up(S)
    S.polling.state = PROVED
    S.polling.wait = SHORTEST_WAIT
    return 0


def keep_anew(S: View) -> int:
    """No round has begun where harts were kept, or one takes longer: try it from here."""
    if S.schedule.kind == Schedule.SC or S.tile.cycle - S.polling.begin > LONGEST:
        return give_up(S)
    if S.polling.span < LONGEST and can_keep(S):
        keep(S)
        S.polling.span = LONGER * S.polling.span if S.polling.span > FIRST_SPAN else SECOND_SPAN
    return 0


def begin_skip(S: View, end: int) -> int:
    """Move every hart on by whole rounds; the cycle in which the rest is to be over."""
    by = end - SHOWN - S.tile.cycle
    for hart in range(HARTS):
        rounds = by // S.polling.period[hart]
        if S.schedule.kind != Schedule.SC:
            move_on(S, hart, rounds * S.polling.period[hart])
        S.hart.retired[hart] += rounds * S.polling.gain[hart]
    if S.schedule.kind != Schedule.SC:
        S.schedule.first_hart = (S.schedule.first_hart + by) % HARTS
    S.polling.skipped += by
    return S.tile.cycle + by
