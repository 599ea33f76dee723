# SPDX-License-Identifier: Apache-2.0
"""The Scalar Unit's one place for an instruction, and its memory requests (ScalarUnit.md).

One instruction of all threads is in the unit. Until it is done, no other scalar instruction of any
thread and no instruction at all of its own thread passes the wait gate. Loads, stores and atomics
are done when their request is sent; the request is *processed* at L1 or a device later, and what a
load or atomic brings is in the GPRs later still. Until then it is outstanding (condition C0).

Requests to L1 are processed in their order, as one port does; requests to devices in theirs.
UNSPECIFIED(ScalarUnit.md): how many may be outstanding (here 8) and how long they take; the pages
have "usually" enough in 7 cycles for a load, 24 for an atomic.
"""

from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.schedule import due_after, due_exactly, is_delayed
from tensix_gdb.core.tensix.frontend.fifo import C

FREE, RESULT, OCCUPIED, FLUSHING, ASKING, COUNTER, TO_SOURCE = range(7)
REQUESTS = 8

# `kind` of a request
LOAD_L1, STORE_L1, INCREMENT, SWAP, COMPARE, ADVANCE, LOAD_DEVICE, STORE_DEVICE = range(1, 9)
TO_L1 = (0, 1, 1, 1, 1, 1, 1, 0, 0)
# Cycles to where it is processed, and back; a failed attempt is repeated after RETRY.
THERE = (0, 3, 3, 8, 4, 6, 6, 3, 3)
BACK = (0, 3, 0, 8, 0, 6, 6, 3, 0)
RETRY = 15
# Of ATINCGET and ATSWAP, L1 takes one in so many cycles in the long run.
BETWEEN_ATOMICS = 12

_A, _T, _M = Tag.ARCHITECTURAL, Tag.TIMING, Tag.MONOTONE

# fmt: off
THCON = Part("thcon", (
    row("state",   "u8",  (),             _A, "FREE to TO_SOURCE"),
    row("thread",  "u8",  (),             _A, "the thread of the instruction"),
    row("due",     "i64", (),             _T, "earliest cycle in which it is done"),
    row("reg",     "u8",  (),             _A, "RESULT: the GPR; COUNTER: which (adc.py)"),
    row("value",   "u32", (),             _A, "what it will hold; FLUSHING: conditions"),
    row("source",  "u32", 4,              _A, "TO_SOURCE: SrcA or SrcB, address, the two GPRs"),
    row("requests","u8",  (),             _A, "memory requests outstanding"),
    row("kind",    "u8",  REQUESTS,       _A, "of each, the oldest first"),
    row("owner",   "u8",  REQUESTS,       _A, "thread"),
    row("answer",  "u8",  REQUESTS,       _A, "it is processed, and `data` on its way back"),
    row("addr",    "u32", REQUESTS,       _A, "first byte"),
    row("size",    "u8",  REQUESTS,       _A, "bytes"),
    row("gpr",     "u8",  REQUESTS,       _A, "where the answer goes to"),
    row("data",    "u32", (REQUESTS, 4),  _A, "operands, then the answer"),
    row("next_atomic", "i64", (),         _T, "earliest cycle of the next ATINCGET or ATSWAP"),
    row("when",    "i64", REQUESTS,       _T, "earliest cycle of its next step"),
    row("word",    "u32", REQUESTS,       _M, "the instruction that has sent it"),
    row("hart",    "u8",  REQUESTS,       _M, "its origin"),
    row("pc",      "u32", REQUESTS,       _M, "its origin"),
))
# fmt: on


def hold(S: View, thread: int, state: int, cycles: int) -> int:
    """Occupy the unit for at least `cycles`, this one included."""
    S.thcon.state = state
    S.thcon.thread = thread
    S.thcon.due = due_after(S, cycles)
    return 0


def result(S: View, thread: int, cycles: int, reg: int, value: int) -> int:
    """An instruction that ends with writing a GPR. Of these the pages have exact cycles, where
    those that reach something outside the unit have least ones (ScalarUnit.md, ADDDMAREG.md)."""
    S.thcon.reg = reg
    S.thcon.value = value
    S.thcon.state = RESULT
    S.thcon.thread = thread
    S.thcon.due = due_exactly(S, cycles)
    return 0


def request_room(S: View) -> int:
    """True if one more request may be sent."""
    return 1 if S.thcon.requests < REQUESTS else 0


def send(S: View, thread: int, kind: int, addr: int, size: int, gpr: int) -> int:
    """Send a request and return its entry; the caller puts the operands into `data`."""
    i = S.thcon.requests
    S.thcon.requests = i + 1
    S.thcon.kind[i] = kind
    S.thcon.owner[i] = thread
    S.thcon.answer[i] = 0
    S.thcon.addr[i] = addr
    S.thcon.size[i] = size
    S.thcon.gpr[i] = gpr
    S.thcon.when[i] = due_after(S, 3 + THERE[kind])
    at = S.fifo.head[thread, C]
    S.thcon.word[i] = S.fifo.word[thread, C, at]
    S.thcon.hart[i] = S.fifo.hart[thread, C, at]
    S.thcon.pc[i] = S.fifo.pc[thread, C, at]
    return i


def answered(S: View, i: int) -> int:
    """Request `i` was processed and brings something back."""
    S.thcon.answer[i] = 1
    S.thcon.when[i] = due_after(S, BACK[S.thcon.kind[i]])
    return 0


def forget(S: View, i: int) -> int:
    """Request `i` is over."""
    last = S.thcon.requests - 1
    S.thcon.requests = last
    for at in range(i, last + 1):
        more = 1 if at < last else 0
        S.thcon.kind[at] = S.thcon.kind[at + more] * more
        S.thcon.owner[at] = S.thcon.owner[at + more] * more
        S.thcon.answer[at] = S.thcon.answer[at + more] * more
        S.thcon.addr[at] = S.thcon.addr[at + more] * more
        S.thcon.size[at] = S.thcon.size[at + more] * more
        S.thcon.gpr[at] = S.thcon.gpr[at + more] * more
        S.thcon.when[at] = S.thcon.when[at + more] * more
        S.thcon.word[at] = S.thcon.word[at + more] * more
        S.thcon.hart[at] = S.thcon.hart[at + more] * more
        S.thcon.pc[at] = S.thcon.pc[at + more] * more
        for word in range(4):
            S.thcon.data[at, word] = S.thcon.data[at + more, word] * more
    return 0


def outstanding(S: View, thread: int) -> int:
    """C0: memory requests of the thread."""
    count = 0
    for i in range(S.thcon.requests):
        if S.thcon.owner[i] == thread:
            count += 1
    return count


def executing(S: View, thread: int) -> int:
    """True if an instruction of the thread is in the unit."""
    return 1 if S.thcon.state != FREE and S.thcon.thread == thread else 0


def is_due(S: View) -> int:
    """True if the instruction in the unit has taken its time."""
    return 0 if is_delayed(S, S.thcon.due) else 1


def release(S: View) -> int:
    """The unit is free; nothing is left of the instruction."""
    S.thcon.state = FREE
    S.thcon.thread = 0
    S.thcon.due = 0
    S.thcon.reg = 0
    S.thcon.value = 0
    return 1


def abort(S: View) -> int:
    """The unit enters soft reset (SoftReset.md).

    What is in it is "likely to be aborted": it is, unless it waits for the answer of its request.
    """
    return 0 if S.thcon.state == ASKING else release(S)


def finish(S: View) -> int:
    """Write the result, if there is one, and release the unit."""
    if S.thcon.state == RESULT:
        S.gpr.word[S.thcon.thread * 64 + S.thcon.reg] = S.thcon.value
    return release(S)


def clear(S: View, thread: int) -> int:
    """Forget what the unit does for the thread."""
    if executing(S, thread):
        release(S)
    i = 0
    while i < S.thcon.requests:
        if S.thcon.owner[i] == thread:
            forget(S, i)
        else:
            i += 1
    return 0
