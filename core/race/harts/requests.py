# SPDX-License-Identifier: Apache-2.0
"""Requests of harts: queued, emitted; regions.py has them processed, answers.py used.

A request begins after what its hart had *used* when it made the request, and after the requests of
the same hart that its region certainly processes first. What an answer brings reaches the hart
when an instruction reads the register, or has to wait until the load has retired.

    append, load      a store enters the store queue; a load is emitted      clock = PAST + order
    emit              a store goes from the queue to its stream; a push gets its slots (pushes.py)
    check, done       a region processes it (regions.py)
"""

from tensix_gdb.core.arch.blackhole import (
    T0,
    T2,
    B,
)
from tensix_gdb.core.memory import streams
from tensix_gdb.core.race import sync
from tensix_gdb.core.race.checks import harts as checks
from tensix_gdb.core.race.clocks import clear, copy, join, reach
from tensix_gdb.core.race.fields import (
    CACHED,
    IN_FLIGHT,
    L1_CELLS,
    LINE_BYTES,
    LINE_WORDS,
    NOTHING,
    OLDER_OTHER,
    OLDER_PUSH,
    OLDER_SEMAPHORE,
    PAST,
    REQUEST,
    SCRATCH,
    WARM,
)
from tensix_gdb.core.race.harts.answers import keep_answer, use_all
from tensix_gdb.core.race.harts.polls import is_poll
from tensix_gdb.core.race.harts.pushes import give_slots, note_older, old_stores
from tensix_gdb.core.race.lines import (
    LOAD,
    NO_REGION,
    REGION_OF,
    SENDS,
    SPARE,
    STORE,
    Region,
    of_hart,
)
from tensix_gdb.core.race.shadow import READ, access, site_of
from tensix_gdb.core.race.state import stale
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.pipeline.fields import L0_LINES, STORE_QUEUE_ENTRIES
from tensix_gdb.core.riscv.pipeline.store_queue import DIS_LD_BUF_BYP
from tensix_gdb.core.tensix.auto_ttsync.resources import of_access

PARTS = 8


def emitted(S: View, hart: int, stream: int, i: int) -> int:
    """Return the clock of request `i` of a stream."""
    return S.race.of_stream[hart, stream, (S.race.first[hart, stream] + i) & (streams.DEPTH - 1)]


def new_clock(S: View, hart: int) -> int:
    """Return a clock for a request that a hart makes: after all that it has used."""
    at = S.race.next[hart]
    S.race.next[hart] = (at + 1) & (IN_FLIGHT - 1)
    clock = REQUEST + hart * IN_FLIGHT + at
    copy(S, clock, PAST + hart)
    if T0 <= hart <= T2:
        S.race.clock[clock, SENDS + hart - T0] = S.race.made[hart, Region.PUSH, STORE]
    return clock


def is_private(S: View, region: int) -> int:
    """True if no other hart reaches the region, as far as is observed."""
    return 1 if region == Region.LOCAL and S.race.locals == 0 else 0


def append(S: View, hart: int, is_new: int) -> int:
    """A store has entered the store queue; `is_new` is 0 if it has merged with the tail."""
    tail = S.pipeline.sq_count[hart] - 1
    place = (S.race.stores[hart] - 1 + is_new) & (STORE_QUEUE_ENTRIES - 1)
    addr = S.pipeline.sq_addr[hart, tail]
    S.race.sq_mask[hart, place] = S.pipeline.sq_mask[hart, tail]
    entry = (S.race.sq_first[hart] + tail) & (STORE_QUEUE_ENTRIES - 1)
    if is_new == 0:
        if S.race.sq_region[hart, place] == Region.L1:
            # It comes after loads that came after the entry's first store (regions.check_l1).
            loads = S.race.made[hart, Region.L1, LOAD]
            S.race.older[S.race.sq_clock[hart, entry], OLDER_OTHER] = loads
        return 0
    stream = streams.stream_of(S, hart, addr, 1)
    region = REGION_OF[stream]
    S.race.stores[hart] += 1
    S.race.left[hart] = max(S.race.left[hart], S.race.stores[hart] - STORE_QUEUE_ENTRIES)
    S.race.sq_region[hart, place] = region
    S.race.sq_addr[hart, place] = addr
    if S.tile.chip:  # where the store begins decides there, and not the bytes of its line
        S.race.sq_addr[hart, place] = S.pipeline.sq_start[hart, tail]
    if is_private(S, region):
        return 0
    if S.check.on:
        checks.stored(S, hart, stream, region, tail)
    clock = new_clock(S, hart)
    S.race.sq_clock[hart, entry] = clock
    number = S.race.made[hart, region, STORE] + 1
    S.race.made[hart, region, STORE] = number
    S.race.number[clock] = number
    S.race.older[clock, OLDER_PUSH] = S.race.made[hart, Region.PUSH, STORE]
    S.race.older[clock, OLDER_SEMAPHORE] = S.race.made[hart, Region.SEMAPHORE, STORE]
    if region == Region.PUSH:
        note_older(S, hart, clock)
    elif region != NO_REGION:
        S.race.clock[clock, of_hart(hart, region, STORE)] = number - 1
        reach(S, clock, of_hart(hart, region, LOAD), S.race.made[hart, region, LOAD])
        S.race.older[clock, OLDER_OTHER] = 0
        note_part(S, hart, stream, addr, number, 0)
    return 0


def note_part(S: View, hart: int, stream: int, addr: int, number: int, way: int) -> int:
    """Note which resources of Auto TTSync a request touches, as of now."""
    if not T0 <= hart <= T2:
        return 0
    touched = of_access(S, hart, stream, addr)
    for part in range(PARTS):
        if (touched >> part) & 1:
            S.race.parts[hart, part + PARTS * way] = number
    return 0


def certainly_left(S: View, hart: int, addr: int, size: int) -> int:
    """Work out how many stores have left the queue before a load is emitted, in each schedule."""
    total = S.race.stores[hart]
    if S.hart.cfg0[hart] & DIS_LD_BUF_BYP:
        S.race.left[hart] = total
        return total
    # On Wormhole a load enters when the queue has room (MemoryOrdering.md).
    longest = STORE_QUEUE_ENTRIES - S.tile.chip
    S.race.left[hart] = max(S.race.left[hart], total - longest)
    number = total
    while number > S.race.left[hart]:
        place = (number - 1) & (STORE_QUEUE_ENTRIES - 1)
        start = S.race.sq_addr[hart, place]
        low = addr - start
        if S.tile.chip:
            if addr == start:
                S.race.left[hart] = number
        elif -4 < low < LINE_BYTES:
            bytes_of = ((1 << size) - 1) << low if low >= 0 else ((1 << size) - 1) >> -low
            if S.race.sq_mask[hart, place] & bytes_of:
                S.race.left[hart] = number
        number -= 1
    return S.race.left[hart]


def stores_before(S: View, hart: int, region: int) -> int:
    """Return how many stores to a region have certainly left the queue."""
    count = S.race.made[hart, region, STORE]
    for number in range(S.race.left[hart], S.race.stores[hart]):
        if S.race.sq_region[hart, number & (STORE_QUEUE_ENTRIES - 1)] == region:
            count -= 1
    return count


def load(S: View, hart: int, stream: int) -> int:
    """A load or an atomic was emitted: it is the youngest request of its stream."""
    i = S.stream.count[hart, stream] - 1
    addr = S.stream.addr[hart, stream, i]
    if S.stream.kind[hart, stream, i] == streams.ATOMIC:
        S.race.left[hart] = S.race.stores[hart]
    region = REGION_OF[stream]
    if is_private(S, region):
        return 0
    certainly_left(S, hart, addr, S.stream.size[hart, stream, i])
    clock = new_clock(S, hart)
    if S.check.on:
        checks.loaded(S, hart, stream, clock, S.stream.pc[hart, stream, i])
    place = (S.race.first[hart, stream] + i) & (streams.DEPTH - 1)
    S.race.of_stream[hart, stream, place] = clock
    S.race.older[clock, OLDER_PUSH] = stores_before(S, hart, Region.PUSH)
    if streams.NOC0 <= stream <= streams.NOC1:
        S.race.older[clock, OLDER_OTHER] = stores_before(S, hart, NO_REGION)
    number = S.race.made[hart, region, LOAD] + 1
    S.race.made[hart, region, LOAD] = number
    S.race.number[clock] = number
    line = of_hart(hart, region, LOAD)
    S.race.line[clock] = line
    # Requests to configuration and to objects of synchronisation join what they meet.
    knows_more = line == SPARE or region == Region.CONFIG or region == Region.SEMAPHORE
    S.race.carries[clock] = 1 if knows_more else 0
    if line != SPARE:
        S.race.clock[clock, line] = number - 1
        reach(S, clock, of_hart(hart, region, STORE), stores_before(S, hart, region))
        note_part(S, hart, stream, addr, number, 1)
    return 0


def hit(S: View, hart: int, line: int, addr: int, size: int) -> int:
    """A load from the L0 data cache: it has read L1 when the line was filled."""
    pc = S.pipeline.ex1_pc[hart]
    site = site_of(S, hart, 0, 0, 0, pc)
    clock = CACHED + hart * L0_LINES + line
    certainly_left(S, hart, addr, size)
    number = S.race.cached_at[hart, line]
    at = of_hart(hart, Region.L1, LOAD)
    mask = ((1 << size) - 1) << (addr & 15)
    polls = is_poll(S, site, hart, pc)
    if S.state.on & Group.MEMORY:
        stale.hit(S, hart, line, addr, size, site, polls)
    if polls:
        polled_warm(S, hart, line, addr, clock)
    else:
        S.race.promise_row = NOTHING
        # The line has what the hart itself has stored there: a store drops it, and it is not filled
        # while one is under way.
        copy(S, SCRATCH, clock)
        reach(S, SCRATCH, of_hart(hart, Region.L1, STORE), stores_before(S, hart, Region.L1))
        access(S, L1_CELLS + (addr >> 4), mask, READ, SCRATCH, at, number, site)
    return keep_answer(S, hart, S.pipeline.ex1_entry[hart], clock)


def polled_warm(S: View, hart: int, line: int, addr: int, clock: int) -> int:
    """A load polls a word that the L0 data cache has, as another load has filled the line: the hart
    comes after the store that was there then. Signals are kept for one line of each hart, from its
    next filling on."""
    start = addr & ~(4 * LINE_WORDS - 1)
    first = WARM + hart * LINE_WORDS
    if S.race.polled[hart] != start + 1:
        S.race.polled[hart] = start + 1
        for word in range(LINE_WORDS):
            clear(S, first + word)
        return 0
    join(S, clock, first + ((addr - start) >> 2))
    S.race.carries[clock] = 1
    return reach(S, clock, of_hart(hart, Region.L1, LOAD), S.race.cached_at[hart, line])


def line_filled(S: View, hart: int, start: int) -> int:
    """The L0 data cache gets a line: keep the signals of its words, if a load has polled there."""
    if S.race.polled[hart] == start + 1:
        for word in range(LINE_WORDS):
            row = WARM + hart * LINE_WORDS + word
            clear(S, row)
            sync.after_last(S, start + 4 * word, row)
    return 0


def fence(S: View, hart: int) -> int:
    """The store queue is empty and all loads are answered, as a fence or an atomic waits for."""
    S.race.left[hart] = S.race.stores[hart]
    return use_all(S, hart)


def emit(S: View, hart: int, stream: int) -> int:
    """The head of the store queue has gone to its stream; it is still at the head."""
    i = S.stream.count[hart, stream] - 1
    first = S.race.sq_first[hart]
    clock = S.race.sq_clock[hart, first]
    place = (S.race.first[hart, stream] + i) & (streams.DEPTH - 1)
    S.race.of_stream[hart, stream, place] = clock
    S.race.sq_first[hart] = (first + 1) & (STORE_QUEUE_ENTRIES - 1)
    if stream == streams.PUSH and T0 <= hart <= T2:
        give_slots(S, hart, clock)
    elif hart == B and streams.PUSH <= stream < streams.PCBUF:
        old_stores(S, hart, clock)
    elif stream == streams.CONFIG or stream == streams.GPR:
        at = 0 if stream == streams.GPR else 1
        S.race.old_cycle[hart, at, S.race.number[clock] & 7] = S.tile.cycle
    return 0


INLINED = (new_clock, certainly_left)
