# SPDX-License-Identifier: Apache-2.0
"""Synchronisation: what semaphores, mailboxes, PCBufs, mutexes and done checks carry.

An object carries the clock of the line that has worked on it, and no more: a store that posts a
semaphore is ordered after what its hart had used when it made the store, not after its other
stores. The n-th value that is read from a queue is the n-th that was written. Posts and gets of a
semaphore are counted, so that a wait brings exactly as many of the other side as it needs.
"""

from tensix_gdb.core.arch.blackhole import T0, T2, THREADS, B
from tensix_gdb.core.devices.mailboxes import MAILBOX_BASE, MAILBOX_STRIDE
from tensix_gdb.core.devices.pcbufs import PC_BUF_BASE, PC_BUF_STRIDE
from tensix_gdb.core.devices.semaphores import SEMAPHORE_BASE, SEMAPHORES
from tensix_gdb.core.devices.ttsync import COPROCESSOR_DONE_CHECK
from tensix_gdb.core.memory import streams
from tensix_gdb.core.ordering.promises import Number
from tensix_gdb.core.race.clocks import clear, copy, join, reach
from tensix_gdb.core.race.fields import (
    AWAITED,
    GATE,
    GETS,
    IN_MATRIX,
    IN_PIPE,
    IN_VECTOR,
    MAIL,
    MAIL_DEPTH,
    OLDER_PUSH,
    OLDER_SEMAPHORE,
    PASSES,
    PAST,
    PCBUF,
    PCBUF_DEPTH,
    POSTS,
    RING,
    SEMAPHORE_CELLS,
    STRIDE,
    SWAPPED,
    SYNC,
    SYNC_WORDS,
    TO_L1,
    UNIT_RING,
)
from tensix_gdb.core.race.harts import needs
from tensix_gdb.core.race.lines import SPARE, STORE, THREAD_LINES, Line, Region, of_hart, of_thread
from tensix_gdb.core.race.shadow import LINE, SITE, WRITE, site_of, unordered
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.auto_ttsync.resources import GPRS


# -- semaphores
def post(S: View, semaphore: int, clock: int) -> int:
    """A post that comes after `clock`."""
    number = S.race.posts[semaphore] + 1
    S.race.posts[semaphore] = number
    at = POSTS + semaphore * RING
    copy(S, at + (number & (RING - 1)), at + ((number - 1) & (RING - 1)))
    return join(S, at + (number & (RING - 1)), clock)


def get(S: View, semaphore: int, clock: int) -> int:
    """A get that comes after `clock`."""
    number = S.race.gets[semaphore] + 1
    S.race.gets[semaphore] = number
    at = GETS + semaphore * RING
    copy(S, at + (number & (RING - 1)), at + ((number - 1) & (RING - 1)))
    return join(S, at + (number & (RING - 1)), clock)


def after_posts(S: View, into: int, semaphore: int, count: int) -> int:
    """Come after the first `count` posts, as far as they are known."""
    count = min(count, S.race.posts[semaphore])
    if count <= 0:
        return 0
    return join(S, into, POSTS + semaphore * RING + (count & (RING - 1)))


def after_gets(S: View, into: int, semaphore: int, count: int) -> int:
    """Come after the first `count` gets, as far as they are known."""
    count = min(count, S.race.gets[semaphore])
    if count <= 0:
        return 0
    return join(S, into, GETS + semaphore * RING + (count & (RING - 1)))


def after_semwait(S: View, into: int, semaphores: int, conditions: int) -> int:
    """A SEMWAIT is over: none of its semaphores is zero (C0), or full (C1)."""
    for i in range(SEMAPHORES):
        if (semaphores >> i) & 1:
            begun = S.race.begun[i]
            if conditions & 1:
                after_posts(S, into, i, S.race.gets[i] + 1 - begun)
            if conditions & 2:
                after_gets(S, into, i, S.race.posts[i] + begun - S.semaphore.max[i] + 1)
    return 0


# -- requests of harts to such objects
def request(S: View, hart: int, stream: int, clock: int) -> int:
    """The oldest request of a stream was processed; what it has seen joins its clock."""
    kind = S.stream.kind[hart, stream, 0]
    addr = S.stream.addr[hart, stream, 0]
    if stream == streams.SEMAPHORE:
        return semaphore(S, hart, (addr - SEMAPHORE_BASE) >> 2, kind, clock)
    if stream == streams.TTSYNC:
        return done_check(S, hart, addr, clock) if kind == streams.READ else 0
    if stream == streams.PCBUF:
        return pcbuf(S, hart, (addr - PC_BUF_BASE) // PC_BUF_STRIDE, kind, clock)
    if streams.MAILBOX_READ <= stream < streams.CONFIG:
        return mailbox(S, hart, addr, kind, clock)
    return 0


def semaphore(S: View, hart: int, index: int, kind: int, clock: int) -> int:
    """A hart's load has seen all posts and gets so far, and a poll those that its branch needs; a
    store is one of them."""
    if index >= SEMAPHORES:
        return 0
    if kind == streams.READ:
        pc = S.stream.pc[hart, streams.SEMAPHORE, 0]
        value = S.semaphore.value[index]
        fewer = 0
        more = 0
        if needs.ends(S, hart, pc, value) == needs.LEAVES:
            fewer = needs.others(S, hart, pc, value, -1)
            more = needs.others(S, hart, pc, value, 1)
        after_posts(S, clock, index, S.race.posts[index] - fewer)
        return after_gets(S, clock, index, S.race.gets[index] - more)
    if T0 <= hart <= T2:
        keep_store(S, hart, index, clock)
    if S.stream.data[hart, streams.SEMAPHORE, 0, 0] & 1:
        return get(S, index, clock)
    post(S, index, clock)
    line = of_hart(hart, Region.SEMAPHORE, STORE)
    return reach(
        S, POSTS + index * RING + (S.race.posts[index] & (RING - 1)), line, S.race.number[clock]
    )


def keep_store(S: View, hart: int, index: int, clock: int) -> int:
    """Keep the last store of a T core to a semaphore, for promises that are about it."""
    slot = (SEMAPHORE_CELLS + index) * STRIDE + hart - T0
    site = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, streams.SEMAPHORE, 0])
    S.race.slot_at[slot] = S.race.number[clock]
    S.race.slot_what[slot] = WRITE | of_hart(hart, Region.SEMAPHORE, STORE) << LINE | site << SITE
    S.race.slot_mask[slot] = 1
    S.race.slot_when[slot] = S.tile.cycle & 0xFFFFFFFF
    return 0


def rely_on_stores(
    S: View, hart: int, semaphores: int, older: int, promise: int, clock: int, line: int, site: int
) -> int:
    """Stores to these semaphores, among the first `older` of the hart, come before the event of
    `clock` by a promise, if by nothing else."""
    stores = of_hart(hart, Region.SEMAPHORE, STORE)
    S.race.promise_line[0] = stores
    S.race.promise_upto[0] = older
    S.race.promise_of[0] = promise
    S.race.promise_clock = clock
    S.race.promises = 1
    for i in range(SEMAPHORES):
        slot = (SEMAPHORE_CELLS + i) * STRIDE + hart - T0
        number = S.race.slot_at[slot]
        if (semaphores >> i) & 1 and S.race.clock[clock, stores] < number <= older:
            unordered(S, SEMAPHORE_CELLS + i, 1, slot, WRITE, line, site, clock)
    S.race.promises = 0
    return 0


def mailbox(S: View, hart: int, addr: int, kind: int, clock: int) -> int:
    """The n-th message that is read is the n-th that was sent."""
    other = (addr - MAILBOX_BASE) // MAILBOX_STRIDE
    if kind == streams.WRITE:
        number = S.race.mail_in[hart, other]
        S.race.mail_in[hart, other] = number + 1
        if T0 <= hart <= T2:
            stream = streams.MAILBOX_WRITE + other
            site = site_of(S, hart, 0, 0, 0, S.stream.pc[hart, stream, 0])
            older = S.race.older[clock, OLDER_SEMAPHORE]
            rely_on_stores(S, hart, 0xFF, older, Number.P3, clock, SPARE, site)
        return copy(S, MAIL + (hart * 4 + other) * MAIL_DEPTH + (number & 3), clock)
    if addr & 4:
        return 0
    number = S.race.mail_out[other, hart]
    S.race.mail_out[other, hart] = number + 1
    return join(S, clock, MAIL + (other * 4 + hart) * MAIL_DEPTH + (number & 3))


def pcbuf(S: View, hart: int, window: int, kind: int, clock: int) -> int:
    """B sends to a T core; B's load comes after all that the T core and its thread have done."""
    if hart == B:
        if kind == streams.WRITE:
            number = S.race.pcbuf_in[window]
            S.race.pcbuf_in[window] = number + 1
            return copy(S, PCBUF + window * PCBUF_DEPTH + (number & (PCBUF_DEPTH - 1)), clock)
        join(S, clock, PAST + T0 + window)
        return after_thread(S, window, clock)
    if kind == streams.WRITE:
        return 0
    thread = hart - T0
    number = S.race.pcbuf_out[thread]
    S.race.pcbuf_out[thread] = number + 1
    return join(S, clock, PCBUF + thread * PCBUF_DEPTH + (number & (PCBUF_DEPTH - 1)))


def done_check(S: View, hart: int, addr: int, clock: int) -> int:
    """The thread has done, or expanded, what was certainly pushed before the load."""
    thread = hart - T0
    pushed = S.race.older[clock, OLDER_PUSH]
    reach(S, clock, of_thread(thread, Line.EXPANDER), pushed)
    if addr != COPROCESSOR_DONE_CHECK:
        return 0
    newest = S.race.passes[thread] - 1
    if newest < 0:
        return 0
    if S.race.pass_push[thread, newest & (PASSES - 1)] <= pushed:
        return after_thread(S, thread, clock)
    return after_push(S, thread, clock, pushed, 0xFFFF)


def after_thread(S: View, thread: int, clock: int) -> int:
    """Come after all that a thread has begun."""
    join(S, clock, GATE + thread)
    for line in range(THREAD_LINES):
        if line != Line.EXPANDER:
            reach(S, clock, of_thread(thread, line), S.race.ends[thread, line])
    return 0


def after_push(S: View, thread: int, clock: int, pushed: int, uses: int) -> int:
    """Come after the beginning of the youngest instruction of the first `pushed` pushes that has
    such `uses`: resources read, and written above them."""
    number = S.race.passes[thread]
    oldest = max(number - PASSES, 0)
    while number > oldest:
        number -= 1
        at = number & (PASSES - 1)
        if S.race.pass_push[thread, at] <= pushed and (
            S.race.pass_uses[thread, at] & uses or uses == 0xFFFF
        ):
            reach(S, clock, of_thread(thread, Line.SCALAR), S.race.pass_scalar[thread, at])
            if uses != 0xFFFF and uses & GPRS << 8:
                reach(S, clock, of_thread(thread, Line.SCALAR), S.race.pass_result[thread, at])
                reach(S, clock, of_thread(thread, Line.LATE_GPR), S.race.pass_late[thread, at])
            return reach(S, clock, of_thread(thread, Line.GATE), S.race.pass_gate[thread, at])
    return 0


def after_tracked(S: View, hart: int, stream: int, clock: int) -> int:
    """Auto TTSync: a request waits until conflicting instructions that were pushed before it have
    passed the gate."""
    touched = S.stream.touches[hart, stream, 0]
    uses = touched << 8
    if S.stream.kind[hart, stream, 0] == streams.WRITE:
        uses |= touched
    return after_push(S, hart - T0, clock, S.race.older[clock, OLDER_PUSH], uses)


def after_ring(S: View, clock: int, unit: int) -> int:
    """Units that all threads share keep an order: the configuration pipe, and the Scalar Unit what
    it sends to L1. What has entered with a gate that the clock knows is done before."""
    line = Line.PIPE if unit == IN_PIPE else Line.MEMORY
    for thread in range(THREADS):
        begun = S.race.clock[clock, of_thread(thread, Line.GATE)]
        if begun and S.race.ends[thread, Line.GATE] - begun < UNIT_RING:
            number = S.race.units_at[thread, unit, begun & (UNIT_RING - 1)]
            reach(S, clock, of_thread(thread, line), number)
    return 0


def note_units(S: View, thread: int) -> int:
    """An instruction has passed its gate: how many of each unit have by then."""
    at = S.race.ends[thread, Line.GATE] & (UNIT_RING - 1)
    S.race.units_at[thread, IN_MATRIX, at] = S.race.ends[thread, Line.MATRIX]
    S.race.units_at[thread, IN_VECTOR, at] = S.race.ends[thread, Line.VECTOR]
    S.race.units_at[thread, IN_PIPE, at] = S.race.ends[thread, Line.PIPE]
    S.race.units_at[thread, TO_L1, at] = S.race.ends[thread, Line.MEMORY]
    return 0


# -- words of L1
def signal(S: View, addr: int, clock: int, line: int, number: int, whole: int) -> int:
    """A store to a word of L1, or to bytes of it: a hart that polls the word comes after it, and
    after stores to the other bytes."""
    word = addr & ~3
    at = place_of(word)
    awaited = awaited_at(word)
    row = SYNC + at
    if S.race.awaited_addr[awaited] == word:
        row = AWAITED + awaited
    elif S.race.sync_addr[at] != word:
        S.race.sync_addr[at] = word
        whole = 1
    if whole:
        copy(S, row, clock)
        S.race.clock[row, line] = number
        return 0
    join(S, row, clock)
    return reach(S, row, line, number)


def place_of(word: int) -> int:
    """Return the place of a word that was stored to."""
    return (word >> 2) & (SYNC_WORDS - 1)


def awaited_at(word: int) -> int:
    """Return the place of a word that was polled. Words that are apart by what kernels have between
    their buffers have different ones."""
    return (word >> 2 ^ word >> 10 ^ word >> 16) & (SYNC_WORDS - 1)


def after_last(S: View, addr: int, clock: int) -> int:
    """Come after the last store to a word of L1, as far as it is kept."""
    word = addr & ~3
    if S.race.awaited_addr[awaited_at(word)] == word:
        return join(S, clock, AWAITED + awaited_at(word))
    if S.race.sync_addr[place_of(word)] == word:
        return join(S, clock, SYNC + place_of(word))
    return 0


def after_signal(S: View, addr: int, clock: int) -> int:
    """A hart polls a word of L1, and has read what the last store has left there.

    A word that was polled once has a place that other stores do not take: a kernel may store to
    thousands of words between a signal and the next poll of it."""
    word = addr & ~3
    awaited = awaited_at(word)
    old = S.race.awaited_addr[awaited]
    if old != word:
        clear(S, SWAPPED)
        after_last(S, addr, SWAPPED)
        if old:
            copy(S, SYNC + place_of(old), AWAITED + awaited)
            S.race.sync_addr[place_of(old)] = old
        copy(S, AWAITED + awaited, SWAPPED)
        S.race.awaited_addr[awaited] = word
    return join(S, clock, AWAITED + awaited)
