# SPDX-License-Identifier: Apache-2.0
"""Pauses: a whole hart or Tensix thread does nothing for some cycles.

A request that is late (core/schedule.py) lets one thing overtake another. Some races need more: a
whole hart or thread that comes later than the others, and all that it does with it. Tenstorrent
finds them by putting NOPs into one place of a kernel; the windows that it has published are some 43
to 100 NOPs wide (tt-metal#53413, #53416, #54689).

The schedule `random` draws pauses. One may begin

    push    before a hart pushes a Tensix instruction
    wait    before a load from a device or a fence, which is how a hart polls; after a branch back
    gate    before or after an instruction of the Sync Unit (STALLWAIT, SEMWAIT, SEMPOST ...)
    mark    before an instruction that the user has named (core/ordering/pause_places.py)

A pause takes 10 to 2,000 cycles, each octave as likely as the next. One hart or thread is paused at
a time, and a pause of n cycles begins 2n cycles after the last one has ended or later. So a pause
never waits for another, at most a third of all cycles are in pauses, and a program that ends in N
cycles without them ends with them, unless it has a race. The numbers come from a generator of their
own, so `no-pauses` draws the same delays. A plan (core/decisions.py) names each by its hart or
thread and the number of the event.

A paused hart finds its EX1 taken (`pipeline.ex1_free`), a check that is made anyway. A paused
thread is held at its gate. What was issued before the pause continues.
"""

from tensix_gdb.core.arch.blackhole import HARTS, THREADS
from tensix_gdb.core.decisions import AFTER, PAUSES, PLANNED, noted, planned
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule, xorshift

COLD = True  # little time of LLVM for it (core/engine/README.md)

SHORTEST, LONGEST = 10, 2000  # cycles
OCTAVES = 8  # 10, 20, 40 ... 1280
GAP = 2  # of a pause's length there is no other before it
ONE_IN = 4  # of the events at which a pause may begin, one begins it
OTHER_NUMBERS = 0x5A17C0DE  # makes another state of the schedule's

_T = Tag.TIMING

# fmt: off
PAUSE = Part("pause", (
    row("random",   "u32", (),      _T, "state of the random numbers of pauses"),
    row("length",   "u32", (),      _T, "cycles of the next pause that is drawn"),
    row("earliest", "i64", (),      _T, "it begins in this cycle or later; 0: none is drawn"),
    row("hart",     "i64", HARTS,   _T, "the hart is paused up to this cycle"),
    row("thread",   "i64", THREADS, _T, "the Tensix thread is paused up to this cycle"),
    row("threads",  "u8",  (),      _T, "a bit for each Tensix thread that is paused, or was"),
    row("asked",    "u32", (),      _T, "a bit for each hart, then thread: the user asked for it"),
    row("count",    "u32", (),      Tag.MONOTONE, "pauses that have begun"),
), chapter=Chapter.HARTS)
# fmt: on


def begin_schedule(S: View, state: int) -> int:
    """Let `random` draw pauses from now on, if they are on; the other schedules draw none. `state`
    is that of the schedule's random numbers (`seed_state`)."""
    S.pause.earliest = 0
    if S.decision.pauses == PLANNED:
        S.pause.earliest = 1  # each event is counted
    elif S.schedule.kind == Schedule.RANDOM and S.schedule.pauses:
        S.pause.random = state if state == OTHER_NUMBERS else state ^ OTHER_NUMBERS
        plan_next(S, S.tile.cycle + 1)
    return 0


def next_number(S: View) -> int:
    """As `schedule.next_random`, over a state of its own."""
    value = xorshift(S.pause.random)
    S.pause.random = value
    return value


def plan_next(S: View, after: int) -> int:
    """Draw the next pause, of which the last one has ended in cycle `after`."""
    shortest = SHORTEST << (next_number(S) % OCTAVES)
    length = min(shortest + next_number(S) % shortest, LONGEST)
    S.pause.length = length
    S.pause.earliest = after + GAP * length + next_number(S) % length
    return 0


def may_begin(S: View) -> int:
    """True if a pause may begin at an event in this cycle."""
    if S.pause.earliest == 0 or S.tile.cycle < S.pause.earliest:
        return 0
    # Between a message and the load that follows it (promise P15) none does.
    return 1 if S.schedule.strict or S.promised.until <= S.tile.cycle else 0


def pause_hart(S: View, hart: int, cycles: int, is_asked: int) -> int:
    """Let `hart` issue nothing for `cycles`, this one included."""
    until = S.tile.cycle + cycles
    S.pause.hart[hart] = max(S.pause.hart[hart], until)
    S.pipeline.ex1_free[hart] = max(S.pipeline.ex1_free[hart], until)
    return note(S, hart, is_asked)


def note(S: View, bit: int, is_asked: int) -> int:
    """Note a pause and what it comes from."""
    S.pause.asked = (S.pause.asked & ~(1 << bit)) | is_asked << bit
    S.pause.count += 1
    return 1


def pause_thread(S: View, thread: int, cycles: int, is_asked: int) -> int:
    """Let nothing pass the gate of `thread` for `cycles`, this one included."""
    S.pause.thread[thread] = max(S.pause.thread[thread], S.tile.cycle + cycles)
    S.pause.threads = S.pause.threads | 1 << thread
    return note(S, HARTS + thread, is_asked)


def holds(S: View, thread: int) -> int:
    """Gate: is the thread paused in this cycle? Asked only while `threads` says that one may be."""
    if S.pause.thread[thread] > S.tile.cycle:
        return 1
    S.pause.threads = S.pause.threads & ~(1 << thread)
    return 0


def draw(S: View) -> int:
    """Return the length of a pause that begins at an event now, or 0."""
    if not may_begin(S) or next_number(S) % ONE_IN or anything_paused(S):
        return 0
    cycles = S.pause.length
    plan_next(S, S.tile.cycle + cycles)
    return cycles


def of_plan(S: View, party: int) -> int:
    """The same of a plan, perhaps with AFTER. A promise is kept here, too."""
    value = planned(S, PAUSES + party)
    return value if may_begin(S) else 0


def at_hart(S: View, hart: int) -> int:
    """Return an event of a hart: 1 if the hart is paused now. Events ask for `earliest` first."""
    cycles = event(S, hart)
    return pause_hart(S, hart, cycles, 0) if cycles else 0


def event(S: View, party: int) -> int:
    """Return the length of the pause of a hart, or a thread's without AFTER."""
    if S.decision.pauses == PLANNED:
        return of_plan(S, party) & ~AFTER
    cycles = draw(S)
    return noted(S, PAUSES + party, cycles) if S.decision.pauses else cycles


def at_gate(S: View, thread: int) -> int:
    """The same of the instruction at a gate, which may pass: 1 if it is held. Every other pause
    begins after it."""
    if S.decision.pauses == PLANNED:
        value = of_plan(S, HARTS + thread)
    else:
        value = draw(S)
        if value and next_number(S) & 1 == 0:
            value = value | AFTER
        if S.decision.pauses:
            noted(S, PAUSES + HARTS + thread, value)
    if value == 0:
        return 0
    pause_thread(S, thread, value & ~AFTER, 0)
    return 0 if value & AFTER else 1


def anything_paused(S: View) -> int:
    """True if a hart or thread is paused in this cycle and will resume."""
    for hart in range(HARTS):
        if S.pause.hart[hart] > S.tile.cycle:
            return 1
    for thread in range(THREADS):
        if S.pause.thread[thread] > S.tile.cycle:
            return 1
    return 0


def end_pauses(S: View) -> int:
    """Resume what is paused, and draw no more pauses."""
    for hart in range(HARTS):
        if S.pause.hart[hart] > S.tile.cycle:
            S.pipeline.ex1_free[hart] = S.tile.cycle
        S.pause.hart[hart] = 0
    for thread in range(THREADS):
        S.pause.thread[thread] = 0
    S.pause.threads = 0
    S.pause.earliest = 0
    return 0


def sentence(S: View, hart: int) -> str:
    """`paused by the schedule until cycle 812`; empty when the hart is not paused so."""
    return _sentence(S, int(S.pause.hart[hart]), hart)


def thread_sentence(S: View, thread: int) -> str:
    """The same of a Tensix thread."""
    return _sentence(S, int(S.pause.thread[thread]), HARTS + thread)


def _sentence(S: View, until: int, bit: int) -> str:
    if until <= S.tile.cycle:
        return ""
    by = "as asked for" if S.pause.asked >> bit & 1 else "by the schedule"
    return f"paused {by} until cycle {until}"
