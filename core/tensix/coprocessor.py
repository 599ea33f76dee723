# SPDX-License-Identifier: Apache-2.0
"""A cycle of the coprocessor: units, wait gates, expanders.

    1  units      results and memory requests of the Scalar Unit; commands for the mover; the
                  configuration pipeline moves
    2  gates      each thread's latched wait is evaluated and its next instruction passes, or not
    3  units      the stages of the configuration pipeline do their work; the mover
    4  frontend   Replay expanders, then MOP expanders: everything moves by one FIFO

Requests of harts are processed after that: what they change is seen by the next cycle's gates. In
the schedule `sc` nothing takes time: `run_to_fixpoint` repeats the steps until nothing moves.

A stop in the middle keeps `gate.next`, and the rest of the cycle follows at the next run. CHECKED
is a constant flag: with it, what a debugger has armed is looked at (observers.py has the table).
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.counting import coprocessor as counted_gates
from tensix_gdb.core.decisions import ORDER
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.opcodes import RESOURCEDECL
from tensix_gdb.core.ordering import holds
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule, choose
from tensix_gdb.core.stop import STOPPED, StopKind
from tensix_gdb.core.tensix import observers, occupancy
from tensix_gdb.core.tensix.auto_ttsync import tracker
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.decode import decode_as
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.frontend import mop_expander, replay_expander
from tensix_gdb.core.tensix.frontend.fifo import NO_SLOT, C, drop
from tensix_gdb.core.tensix.gate import breakpoints as gate_stops
from tensix_gdb.core.tensix.gate import issued as passed
from tensix_gdb.core.tensix.gate import watchpoints as gate_watch
from tensix_gdb.core.tensix.gate.head import fault_at_gate, slot_at_gate, word_at_gate
from tensix_gdb.core.tensix.gate.latch import NONE, forget
from tensix_gdb.core.tensix.gate.wait_gate import (
    KEPT,
    MATRIX,
    NEVER_HERE,
    UNITS,
    VECTOR,
    Held,
    evaluate,
    why_held,
)
from tensix_gdb.core.tensix.in_flight import in_flight
from tensix_gdb.core.tensix.matrix import pipeline as matrix_pipe
from tensix_gdb.core.tensix.mover import commands as mover_commands
from tensix_gdb.core.tensix.mover import unit as mover
from tensix_gdb.core.tensix.packer import pipeline as pack_pipe
from tensix_gdb.core.tensix.scalar import memory_requests as requests
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.core.tensix.table import ILLEGAL
from tensix_gdb.core.tensix.unpacker import pipeline as unpack_run
from tensix_gdb.core.tensix.vector import pipeline as pipe
from tensix_gdb.core.tensix.vector import scheduled
from tensix_gdb.core.tensix.vector.opcodes import Sfp

# gate.next: 0 at the beginning of a cycle, then 1 + the gate, then these.
WAITS_END, FRONTEND = THREADS + 1, THREADS + 2
# Orders of the threads, two bits each. `gate.order` is kept as what differs from T0, T1, T2.
ROTATED = tuple(i | (i + 1) % THREADS << 2 | (i + 2) % THREADS << 4 for i in range(THREADS))
AT_FIRST = ROTATED[0]
PLACES = 2 * THREADS  # bits of an order


def _order_after(kept: int, passed: int) -> int:
    """`gate.order` after a cycle in which the threads of `passed`, a bit each, have passed one."""
    before = [((kept ^ AT_FIRST) >> (2 * place)) & 3 for place in range(THREADS)]
    after = sorted(before, key=lambda thread: (passed >> thread) & 1)
    return sum(thread << (2 * place) for place, thread in enumerate(after)) ^ AT_FIRST


ORDER_AFTER = tuple(
    _order_after(kept, passed) for kept in range(1 << PLACES) for passed in range(1 << THREADS)
)
LONGEST_EXPANSION = 0x8000  # cycles of one `run_to_fixpoint`: a MOP has 32639 at most

TENSIX = Part("tensix", (
    row("active", "u8", (), Tag.ARCHITECTURAL, "there is something to do in the next cycle"),
), chapter=Chapter.CONTROL)  # fmt: skip


def run_to_fixpoint(S: View, CHECKED: int) -> int:
    """Schedule `sc`: repeat steps until nothing moves any more. STOPPED if something stops."""
    for _ in range(LONGEST_EXPANSION):
        moved = step(S, CHECKED)
        if moved == STOPPED:
            return STOPPED
        if moved == 0:
            break
        S.tile.idle_cycles = 0
    return 0


def step(S: View, CHECKED: int) -> int:
    """Run one cycle; 1 if anything moved, or STOPPED."""
    moved = S.gate.moved
    S.gate.moved = 0
    if S.gate.next == 0:
        if CHECKED:
            observers.before_cycle(S)
        moved = run_before_gates(S, CHECKED)
        if moved == STOPPED:
            return STOPPED
        S.gate.next = 1
        if CHECKED and observers.after_units(S) == STOPPED:
            return suspend_cycle(S, moved)
    gate = S.gate.next  # a local variable, since the loop is the machine's hottest
    order = (S.gate.order ^ AT_FIRST) >> max(2 * gate - 2, 0)
    while gate <= THREADS:
        thread = order & 3
        order = order >> 2
        status = pass_gate(S, thread, CHECKED)
        if status == STOPPED:
            return suspend_cycle(S, moved)
        moved |= status
        gate += 1
        S.gate.next = gate
        if CHECKED and status and observers.after_gate(S, thread) == STOPPED:
            return suspend_cycle(S, moved)
    if gate == WAITS_END:
        if S.gate.passed:
            settle_order(S)
        for thread in range(THREADS):
            if S.gate.met[thread]:
                forget(S, thread)
                S.gate.met[thread] = 0
                moved = 1
        moved |= pipe.end(S)
        if config_pipe.occupied(S):
            if CHECKED:
                observers.before_pipeline(S)
            moved |= config_pipe.work(S)
        if S.busy.mover and not (CHECKED and observers.holds_unit(S, holds.MOVER)):
            if CHECKED:
                observers.before_mover(S)
            moved |= mover.step(S)
            if CHECKED:
                observers.after_mover(S)
        if S.thcon.entering | S.thcon.stage:
            moved |= thcon.shift_stage(S)
        if S.busy.landing:
            moved |= occupancy.land(S)
        S.gate.next = FRONTEND
        if CHECKED and observers.after_pipeline(S) == STOPPED:
            return suspend_cycle(S, moved)
    S.gate.next = 0
    for thread in range(THREADS):
        moved |= tracker.shift_lingering(S, thread)
        if replay_expander.has_work(S, thread):
            moved |= replay_expander.move(S, thread)
        if mop_expander.has_work(S, thread):
            moved |= mop_expander.move(S, thread)
        if S.stop.kind != StopKind.NONE:
            return STOPPED
    S.tensix.active = 1 if moved or anything_left(S) else 0
    if moved:
        S.tile.stalled_cycles = 0
        S.tile.backoff = 0
    else:
        S.tile.stalled_now = S.tensix.active
    return moved


def suspend_cycle(S: View, moved: int) -> int:
    """Stop in the middle of a cycle, and remember what has moved in it."""
    S.gate.moved = moved
    return STOPPED


def run_before_gates(S: View, CHECKED: int) -> int:
    """Run the stages before the gates. Return 1 if anything moved, or STOPPED."""
    moved = 0
    if S.thcon.state or S.thcon.requests:
        moved = requests.step(S, CHECKED)
        if moved == STOPPED:
            return STOPPED
        if CHECKED:
            observers.after_unit(S, gate_watch.THCON)
    if S.tdma.queued:
        if CHECKED:
            observers.before_command(S)
        processed = mover_commands.step(S)
        if processed == STOPPED:
            return STOPPED
        if CHECKED:
            observers.after_command(S)
        moved |= processed
    if config_pipe.occupied(S):
        moved |= config_pipe.shift(S)
    if S.unpack.count[0] or S.unpack.count[1] or S.unpack.addressing:
        status = unpack_run.step(S)
        if status == STOPPED:
            return STOPPED
        moved |= status
    if CHECKED:
        observers.before_vector(S)
    vector = pipe.begin_cycle(S)
    if vector == STOPPED:
        return STOPPED
    moved |= vector
    if (S.pack.running or S.pack.out_count) and not (
        CHECKED and observers.holds_unit(S, holds.PACKER)
    ):
        status = pack_pipe.step(S)
        if status == STOPPED:
            return STOPPED
        if CHECKED:
            observers.after_unit(S, gate_watch.PACKER)
        moved |= status
    moved |= matrix_pipe.begin_cycle(S)
    S.gate.taken = 0
    waiting = 0
    for thread in range(THREADS):
        evaluate(S, thread)
        waiting += 1 if S.fifo.count[thread, C] else 0
    if waiting > 1:
        next_order(S)
    return moved


def next_order(S: View) -> int:
    """In which order the gates are looked at in this cycle.

    UNSPECIFIED(TensixCoprocessor/README.md): the pages have none. The thread that has passed
    an instruction least recently is first, so that threads that want the same unit take turns:
    three of them get a third of it each on a card, to a thousandth (mesham/tt-sim, tensixbench).
    """
    if S.schedule.kind >= Schedule.RANDOM:
        S.gate.order = AT_FIRST ^ ROTATED[choose(S, THREADS, ORDER)]
    elif S.schedule.kind == Schedule.SC:
        S.gate.order = AT_FIRST ^ ROTATED[wrapped(((S.gate.order ^ AT_FIRST) & 3) + 1)]
    return 0


def settle_order(S: View) -> int:
    """End of a cycle: threads that have passed an instruction come after those that have not."""
    if S.schedule.kind == Schedule.LATENCY:
        S.gate.order = ORDER_AFTER[S.gate.order << THREADS | S.gate.passed]
    S.gate.passed = 0
    return 0


def wrapped(thread: int) -> int:
    """`thread % THREADS` for less than twice as many, without a division."""
    return thread - THREADS if thread >= THREADS else thread


def pass_gate(S: View, thread: int, CHECKED: int) -> int:
    """Let the instruction at the gate pass: 1 if it has, 0 if it is held, or STOPPED."""
    if S.fifo.count[thread, C] == 0:
        S.gate.held[thread] = Held.NOT
        return 0
    word = word_at_gate(S, thread)
    if CHECKED:
        if gate_stops.is_held(S, thread):
            return 0
        is_asked = S.gate_stop.entries | S.gate_stop.stepping[thread]
        if is_asked and gate_stops.check_before_issue(S, thread, word) == STOPPED:
            return STOPPED
    decoded = decoded_at_gate(S, thread, word)
    number = decoded & 0xFF
    if word >> 24 == RESOURCEDECL:
        return declare(S, thread, word, CHECKED)
    if number == ILLEGAL:
        return fault_at_gate(S, thread, Fault.TENSIX_ILLEGAL)
    if decoded >> 8:
        return fault_at_gate(S, thread, Fault.TENSIX_UNDEFINED_BITS)
    if NEVER_HERE[number]:
        return fault_at_gate(S, thread, Fault.TENSIX_NOT_EXPANDED)
    if CHECKED:
        observers.at_gate(S, thread)
    held = why_held(S, thread, number, word)
    if CHECKED and observers.is_paused(S, thread):
        held = Held.PAUSED
    if held:
        if S.gate.held[thread] == Held.NOT:
            S.gate.since[thread] = S.tile.cycle
        S.gate.held[thread] = held
        if held == Held.UNIT:
            keep_turn(S, number)
        if CHECKED:
            observers.when_held(S, thread, held)
        return 0
    S.gate.held[thread] = Held.NOT
    requested = S.thcon.requests
    if CHECKED:
        observers.before_issue(S, thread, number, word)
    if execute(S, thread, number, word) < 0:
        return STOPPED
    if CHECKED:
        observers.after_issue(S, thread, number, word, requested)
    S.gate.taken |= 1 << UNITS[number]
    passed.note_unit(S, thread, UNITS[number])
    return leave(S, thread, CHECKED)


def keep_turn(S: View, number: int) -> int:
    """An instruction that waits for the Matrix Unit in its turn: no other thread's overtakes it
    (core/SILICON.md), though Dst may be free for that one. The unit itself is not taken, which
    counters of performance ask."""
    if UNITS[number] == MATRIX and S.schedule.kind == Schedule.LATENCY:
        S.gate.taken |= 1 << MATRIX + KEPT
    return 0


def decoded_at_gate(S: View, thread: int, word: int) -> int:
    """`decode_as` of a word, which is asked for again as long as it is held there."""
    known = (word | S.tile.chip << 32) + 1
    return (
        S.gate.decoded[thread]
        if S.gate.known[thread] == known
        else decoded_anew(S, thread, word, known)
    )


def decoded_anew(S: View, thread: int, word: int, known: int) -> int:
    """The same when another word has come; `known` is what is kept beside it."""
    decoded = decode_as(word, S.tile.chip)
    S.gate.known[thread] = known
    S.gate.decoded[thread] = decoded
    return decoded


def execute(S: View, thread: int, number: int, word: int) -> int:
    """0, or STOPPED."""
    if UNITS[number] == MATRIX:
        return matrix_pipe.execute(S, thread, number, word)
    if UNITS[number] != VECTOR:
        return EXECUTE[number](S, thread, word)
    status = pipe.enter(S, thread, word)
    if status <= 0:
        return status
    hidden = 0
    if S.fpu_pipe.busy and (word >> 24 == Sfp.LOAD or word >> 24 == Sfp.LOADMACRO):
        hidden = matrix_pipe.mask_recent_writes(S, thread)
    status = EXECUTE[number](S, thread, word)
    if hidden:
        matrix_pipe.unmask_recent_writes(S)
    if S.macro.swapped:
        scheduled.replay_lregs(S)
    return status


def leave(S: View, thread: int, CHECKED: int) -> int:
    """The instruction at the gate is gone."""
    if CHECKED and S.counted.on:
        counted_gates.issued(S, thread)
    slot = slot_at_gate(S, thread)
    if slot != NO_SLOT:
        S.tracker.checked[thread, slot] = 1
        tracker.note_late_write(S, thread, slot)
        tracker.leave(S, thread, slot)
    passed.count(S, thread)
    S.gate.passed |= 1 << thread
    drop(S, thread, C)
    return 1


def declare(S: View, thread: int, word: int, CHECKED: int) -> int:
    """RESOURCEDECL ends before the gate. One that a T core has pushed itself is in effect already.

    UNSPECIFIED(AutoTTSync.md): one from an expansion or from B; it takes effect here.
    """
    at = S.fifo.head[thread, C]
    if S.fifo.via[thread, C, at] or S.fifo.slot[thread, C, at] == NO_SLOT:
        tracker.declare(S, thread, word)
    return leave(S, thread, CHECKED)


def anything_left(S: View) -> int:
    """True if there is an instruction, a latched wait, or a command for the mover anywhere."""
    if S.busy.mover or S.tdma.queued:
        return 1
    for thread in range(THREADS):
        if S.latch.kind[thread] != NONE or in_flight(S, thread):
            return 1
    return 0


INLINED = (
    run_before_gates,
    pass_gate,
    decoded_at_gate,
    leave,
    next_order,
    settle_order,
    anything_left,
)
