# SPDX-License-Identifier: Apache-2.0
"""Pauses at places that the user has named, and marks: places at which `random` may pause.

    hart      before the hart issues the instruction at an address for the nth time
    gate      when the nth instruction that was pushed from an address comes to a thread's gate
    request   the nth request that the hart emits from an address is that much later at its region;
              what the hart does after it is not

Only the CHECKED loop with time looks here; the runner chooses it while a place is left
(`pause_place.left`). The places are part of the state, because they belong to the execution: going
back in time, a recording and a snapshot have them, and how often each was reached.

A `.ttinsn` that is paused before is not fused with those before it.
"""

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.ordering import pauses
from tensix_gdb.core.record.layout import Chapter, Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.frontend.fifo import C

COLD = True  # little time of LLVM for it (core/engine/README.md)

PLACES = 16
HART, GATE, REQUEST = 0, 1, 2

_T = Tag.TIMING

# fmt: off
PAUSE_PLACE = Part("pause_place", (
    row("count",  "u32", (),     _T, "number of places"),
    row("left",   "u32", (),     _T, "of these, where a pause may still come"),
    row("is_at",  "u8",  PLACES, _T, "HART, GATE or REQUEST"),
    row("number", "u8",  PLACES, _T, "which hart or Tensix thread"),
    row("addr",   "u32", PLACES, _T, "address of the instruction, or of the first push"),
    row("size",   "u32", PLACES, _T, "bytes from there in which the push may be"),
    row("nth",    "u32", PLACES, _T, "which time; 0: every time"),
    row("cycles", "u32", PLACES, _T, "how long; 0: a mark, where the schedule may pause"),
    row("seen",   "u32", PLACES, _T, "how often it was reached"),
    row("last",   "u32", PLACES, _T, "number of the instruction that was counted last"),
    row("over",   "u8",  PLACES, _T, "1: its pause has begun"),
), chapter=Chapter.HARTS)
# fmt: on


def reached(S: View, kind: int, party: int, addr: int, count: int) -> int:
    """1 + the place that instruction `count` of a hart or thread has come to, if a pause is due.
    Each instruction is counted once, however often it is asked for."""
    found = 0
    for i in range(S.pause_place.count):
        start = S.pause_place.addr[i]
        if S.pause_place.over[i] or not start <= addr < start + S.pause_place.size[i]:
            continue
        if S.pause_place.is_at[i] != kind or S.pause_place.number[i] != party:
            continue
        if S.pause_place.last[i] != count & MASK32:
            S.pause_place.last[i] = count & MASK32
            S.pause_place.seen[i] += 1
        nth = S.pause_place.nth[i]
        is_due = 1 if S.pause_place.cycles[i] or S.decision.pauses else pauses.may_begin(S)
        if is_due and (nth == 0 or nth == S.pause_place.seen[i]):
            found = i + 1
    return found


def at_hart(S: View, hart: int, pc: int) -> int:
    """Before the hart issues the instruction at `pc`: 1 if the hart is paused now."""
    found = reached(S, HART, hart, pc, S.hart.retired[hart] + 1)
    if found == 0:
        return 0
    is_asked = S.pause_place.cycles[found - 1] > 0
    cycles = length_of(S, found - 1, hart)
    return pauses.pause_hart(S, hart, cycles, is_asked) if cycles else 0


def at_gate(S: View, thread: int) -> int:
    """The same of the instruction that has come to the gate of `thread`."""
    pc = S.fifo.pc[thread, C, S.fifo.head[thread, C]]
    found = reached(S, GATE, thread, pc, S.passed.count[thread] + 1)
    if found == 0:
        return 0
    is_asked = S.pause_place.cycles[found - 1] > 0
    cycles = length_of(S, found - 1, HARTS + thread)
    return pauses.pause_thread(S, thread, cycles, is_asked) if cycles else 0


def at_request(S: View, hart: int, stream: int) -> int:
    """The hart has emitted the last request of the stream: the cycles by which it is late."""
    newest = S.stream.count[hart, stream] - 1
    pc = S.stream.pc[hart, stream, newest]
    late = 0
    for i in range(S.pause_place.count):
        start = S.pause_place.addr[i]
        if S.pause_place.over[i] or not start <= pc < start + S.pause_place.size[i]:
            continue
        if S.pause_place.is_at[i] != REQUEST or S.pause_place.number[i] != hart:
            continue
        S.pause_place.seen[i] += 1
        if S.pause_place.nth[i] == S.pause_place.seen[i]:
            S.pause_place.over[i] = 1
            S.pause_place.left -= 1
            late = late + S.pause_place.cycles[i]
    S.stream.due[hart, stream, newest] += late
    return late


def length_of(S: View, i: int, party: int) -> int:
    """Begin the pause at place `i`. Return its length in cycles; 0 where a mark is left alone."""
    if S.pause_place.cycles[i] == 0:
        return pauses.event(S, party)
    S.pause_place.over[i] = 1
    S.pause_place.left -= 1
    return S.pause_place.cycles[i]


def add(S: View, kind: int, number: int, addr: int, size: int, nth: int, cycles: int) -> int:
    """Add a place; 0 without room."""
    i = S.pause_place.count
    if i == PLACES:
        return 0
    S.pause_place.is_at[i] = kind
    S.pause_place.number[i] = number
    S.pause_place.addr[i] = addr
    S.pause_place.size[i] = size
    S.pause_place.nth[i] = nth
    S.pause_place.cycles[i] = cycles
    S.pause_place.seen[i] = 0
    S.pause_place.last[i] = 0
    S.pause_place.over[i] = 0
    S.pause_place.count = i + 1
    if cycles or S.schedule.kind == Schedule.RANDOM:
        S.pause_place.left += 1
    return 1


def clear(S: View) -> int:
    """Remove all places."""
    S.pause_place.count = 0
    S.pause_place.left = 0
    return 0
