# SPDX-License-Identifier: Apache-2.0
"""Changes of state over time, noted cycle by cycle for people: the timeline.

A *track* is a hart, a gate, a unit, or the length of a queue. Its state is three numbers; whenever
they are others than in the last cycle, a change is put down. `run_traced` is the loop over cycles
with that; the other loops know nothing of it, so a tile that is not traced pays nothing. When there
is no room for the changes of one more cycle it comes back, and core/timeline/tracer.py takes them
away.

    track            a                                       b             c
    hart             HART_ state | reason << 8 | awaited << 16  function      0
    gate             GATE_ state | Held << 8, count << 16    instruction   pc of its push
    unit             instructions of T0, T1, T2, 8 bits each opcodes, too  0
    FIFO, semaphore, queue    how many                       0             0
    performance counter       its counts in the last PERIOD cycles  0      0
    place of a hart           pc                                     hart          0
    place of a unit           pc of a thread's last instruction      hart          0

Places are noted only when a tracer asks for them: a hart is at another one in nearly each cycle.
"""

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.clock import sc as clock
from tensix_gdb.core.clock import timed as timed_clock
from tensix_gdb.core.counting.fields import (
    CONFIGURATION,
    MATRIX,
    MOVER,
    PACKER,
    SCALAR,
    UNITS,
    UNPACKER_0,
    VECTOR,
)
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.memory import streams
from tensix_gdb.core.perf.counters import COUNTERS
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.frontend.fifo import A, B, C
from tensix_gdb.core.tensix.gate.issued import UNPACKER, UNPACKER_1
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.scalar import pipeline as thcon

COLD = True  # little time of LLVM for it (core/engine/README.md)

HART_TRACK = 0
GATE_TRACK = HART_TRACK + HARTS
UNIT_TRACK = GATE_TRACK + THREADS
FIFO_TRACK = UNIT_TRACK + UNITS
SEMAPHORE_TRACK = FIFO_TRACK + THREADS
STREAM_TRACK = SEMAPHORE_TRACK + SEMAPHORES
PERF_TRACK = STREAM_TRACK + streams.STREAMS
# Performance counters that are looked at every PERIOD cycles, as far as software lets them count.
PERF_NAMES = (
    "FPU_COUNTER", "SFPU_COUNTER", "PACKER_BUSY", "UNPACK0_BUSY_THREAD0", "UNPACK1_BUSY_THREAD0",
    *(f"{name}_{i}" for name in ("THREAD_STALLS", "THREAD_INSTRUCTIONS") for i in range(THREADS)),
)  # fmt: skip
_PLACES = {
    row.title(i): (row.bank, row.kind, row.select + i * row.step)
    for row in COUNTERS
    for i in range(row.count)
}
PERF_BANK, PERF_KIND, PERF_SELECT = zip(*(_PLACES[name] for name in PERF_NAMES), strict=True)
PERF_COUNT = len(PERF_NAMES)
PERIOD = 32
# Where each hart is, and where the last instruction of each unit and thread comes from.
PLACE_TRACK = PERF_TRACK + PERF_COUNT
UNIT_PLACE_TRACK = PLACE_TRACK + HARTS
TRACKS = UNIT_PLACE_TRACK + UNITS * THREADS

# Where the last instruction of each unit is kept (tensix/gate/issued.py).
SENT_TO_PACKER = list(Unit).index(Unit.PACKER)
SENT_TO_MATRIX = list(Unit).index(Unit.FPU)
SENT_TO_VECTOR = list(Unit).index(Unit.SFPU)
SENT_TO_SCALAR = list(Unit).index(Unit.THCON)
SENT_TO_CONFIGURATION = list(Unit).index(Unit.CONFIG)

# States of a hart.
IN_RESET, PAUSED, WAITING, RUNNING = range(4)
# States of a gate.
EMPTY, HELD, ARRIVED, PASSED = range(4)  # ARRIVED: not held, and not passed yet

EVENTS = 8192
FUNCTIONS = 4096  # boundaries of functions, of all harts together

_D = Tag.DERIVED

# fmt: off
TRACE = Part("trace", (
    row("count",  "u32", (),        _D, "changes put down"),
    row("now",    "i64", (),        _D, "the cycle that is looked at"),
    row("cycle",  "i64", EVENTS,    _D, "when each came"),
    row("track",  "u8",  EVENTS,    _D, "the thread that it belongs to"),
    row("a",      "u32", EVENTS,    _D, "the state from then on"),
    row("b",      "u32", EVENTS,    _D, "the state from then on"),
    row("c",      "u32", EVENTS,    _D, "the state from then on"),
    row("last_a", "u32", TRACKS,    _D, "the state of each track"),
    row("last_b", "u32", TRACKS,    _D, "the state of each track"),
    row("last_c", "u32", TRACKS,    _D, "the state of each track"),
    row("passed", "i64", THREADS,   _D, "instructions that had passed a gate"),
    row("places", "u8",  (),        _D, "1: places are noted, too"),
    row("counted", "u32", PERF_COUNT, _D, "what performance counters were at the last look"),
    row("start",  "u32", FUNCTIONS, _D, "where functions start, by hart, in order"),
    row("first",  "u32", HARTS + 1, _D, "the first one of each hart"),
    row("lo",     "u32", HARTS,     _D, "the function that a hart is in"),
    row("hi",     "u32", HARTS,     _D, "its end"),
))
# fmt: on


def run_traced(S: View, budget: int) -> int:
    """Run at most `budget` cycles, or until a stop or until there is no more room."""
    end = S.tile.cycle + budget
    S.stop.kind = StopKind.NONE
    while S.tile.cycle < end and S.stop.kind == StopKind.NONE:
        if S.trace.count > EVENTS - TRACKS:
            break
        S.trace.now = S.tile.cycle
        # The loops that there are anyway, a cycle at a time: nothing is compiled twice.
        if S.schedule.kind == Schedule.SC:
            clock.run(S, 1, 1)
        else:
            timed_clock.run_timed(S, 1, 1)
        observe(S)
        if S.tile.issuing == 0 and timed_clock.quiescent(S):
            break
    return 0


def put_state(S: View, track: int, a: int, b: int, c: int) -> int:
    """Note the state of a track, if it is another one."""
    if S.trace.last_a[track] == a and S.trace.last_b[track] == b and S.trace.last_c[track] == c:
        return 0
    S.trace.last_a[track] = a
    S.trace.last_b[track] = b
    S.trace.last_c[track] = c
    i = S.trace.count
    S.trace.count = i + 1
    S.trace.cycle[i] = S.trace.now
    S.trace.track[i] = track
    S.trace.a[i] = a
    S.trace.b[i] = b
    S.trace.c[i] = c
    return 1


def observe(S: View) -> int:
    """Look at everything."""
    for hart in range(HARTS):
        observe_hart(S, hart)
    for thread in range(THREADS):
        observe_gate(S, thread)
        level = S.fifo.count[thread, A] + S.fifo.count[thread, B] + S.fifo.count[thread, C]
        put_state(S, FIFO_TRACK + thread, level, 0, 0)
    observe_units(S)
    for i in range(SEMAPHORES):
        put_state(S, SEMAPHORE_TRACK + i, S.semaphore.value[i], 0, 0)
    busy = 0
    for hart in range(HARTS):
        busy |= S.stream.busy[hart]
    for stream in range(streams.STREAMS):
        if (busy >> stream) & 1 or S.trace.last_a[STREAM_TRACK + stream]:
            length = 0
            for hart in range(HARTS):
                length += S.stream.count[hart, stream]
            put_state(S, STREAM_TRACK + stream, length, 0, 0)
    if S.trace.now & (PERIOD - 1) == PERIOD - 1:
        observe_counters(S)
    return 0


def observe_counters(S: View) -> int:
    """Note how much the performance counters have counted since the last look; a start clears
    them."""
    for i in range(PERF_COUNT):
        count = S.perf.count[PERF_BANK[i], PERF_KIND[i], PERF_SELECT[i]]
        before = S.trace.counted[i]
        S.trace.counted[i] = count
        put_state(S, PERF_TRACK + i, count - before if count >= before else count, 0, 0)
    return 0


def observe_hart(S: View, hart: int) -> int:
    """In reset, paused, waiting for a partner, or running in a function."""
    state = RUNNING
    if S.hart.in_reset[hart]:
        state = IN_RESET
    elif S.hart.paused[hart]:
        state = PAUSED
    elif S.hart.waits_for[hart]:
        state = WAITING | S.hart.waits_for[hart] << 8 | S.hart.waits_on[hart] << 16
    pc = S.hart.pc[hart]
    if S.trace.places:
        put_state(S, PLACE_TRACK + hart, pc, hart, 0)
    if state != RUNNING:
        return put_state(S, HART_TRACK + hart, state, 0, 0)
    if not S.trace.lo[hart] <= pc < S.trace.hi[hart]:
        find_function(S, hart, pc)
    return put_state(S, HART_TRACK + hart, state, S.trace.lo[hart], 0)


def find_function(S: View, hart: int, pc: int) -> int:
    """The two boundaries that the pc is between; before the first and after the last: 0."""
    lo = S.trace.first[hart]
    hi = S.trace.first[hart + 1]
    end = hi
    while lo < hi:
        middle = (lo + hi) // 2
        if S.trace.start[middle] <= pc:
            lo = middle + 1
        else:
            hi = middle
    S.trace.lo[hart] = S.trace.start[lo - 1] if lo > S.trace.first[hart] else 0
    S.trace.hi[hart] = S.trace.start[lo] if lo < end else 0xFFFFFFFF
    return 0


def observe_gate(S: View, thread: int) -> int:
    """Note what has passed in this cycle, else what is held, else what is there."""
    passed = S.passed.count[thread]
    track = GATE_TRACK + thread
    if passed != S.trace.passed[thread]:
        S.trace.passed[thread] = passed
        state = PASSED | (passed & 0xFFFF) << 16
        return put_state(S, track, state, S.passed.word[thread], S.passed.pc[thread])
    if S.fifo.count[thread, C] == 0:
        return put_state(S, track, EMPTY, 0, 0)
    at = S.fifo.head[thread, C]
    held = S.gate.held[thread]
    state = HELD | held << 8 if held else ARRIVED
    return put_state(S, track, state, S.fifo.word[thread, C, at], S.fifo.pc[thread, C, at])


def put_unit(S: View, unit: int, place: int, sizes: int) -> int:
    """Note which threads have instructions in a unit, and the opcode of the last of each."""
    opcodes = 0
    for thread in range(THREADS):
        if (sizes >> (8 * thread)) & 0xFF:
            opcodes |= (S.passed.to_word[thread, place] >> 24) << (8 * thread)
            note_place(S, unit, thread, place)
    return put_state(S, UNIT_TRACK + unit, sizes, opcodes, 0)


def note_place(S: View, unit: int, thread: int, place: int) -> int:
    """Note where the last instruction of a thread in a unit comes from."""
    if S.trace.places == 0 or S.passed.to_when[thread, place] == 0:
        return 0
    track = UNIT_PLACE_TRACK + unit * THREADS + thread
    return put_state(S, track, S.passed.to_pc[thread, place], S.passed.to_hart[thread, place], 0)


def observe_units(S: View) -> int:
    """Note which threads have instructions in which unit."""
    sizes = 0
    for unpacker in range(2):
        sizes = 0
        for thread in range(THREADS):
            sizes |= S.busy.unpacker[unpacker, thread] << (8 * thread)
        put_unit(S, UNPACKER_0 + unpacker, UNPACKER_1 if unpacker else UNPACKER, sizes)
    packer = 0
    matrix = 0
    vector = 0
    scalar = 0
    config = 0
    for thread in range(THREADS):
        packer |= S.busy.packer[thread] << (8 * thread)
        matrix |= S.busy.matrix[thread] << (8 * thread)
        vector |= S.busy.vector[thread] << (8 * thread)
        scalar |= (thcon.executing(S, thread) + thcon.outstanding(S, thread)) << (8 * thread)
        config |= config_pipe.in_flight(S, thread) << (8 * thread)
    put_unit(S, PACKER, SENT_TO_PACKER, packer)
    put_unit(S, MATRIX, SENT_TO_MATRIX, matrix)
    put_unit(S, VECTOR, SENT_TO_VECTOR, vector)
    put_unit(S, SCALAR, SENT_TO_SCALAR, scalar)
    put_unit(S, CONFIGURATION, SENT_TO_CONFIGURATION, config)
    return put_state(S, UNIT_TRACK + MOVER, S.busy.mover, 0, 0)
