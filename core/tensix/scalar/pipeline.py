# SPDX-License-Identifier: Apache-2.0
"""The Scalar Unit's one place for an instruction, and its memory requests (ScalarUnit.md).

One instruction of all threads is in the unit. Until it is done, no other scalar instruction of any
thread and no instruction at all of its own thread passes the wait gate. Loads, stores and atomics
are done when their request is sent; the request is *processed* at L1 or a device later, and what a
load or atomic brings is in the GPRs later still. Until then it is outstanding (condition C0).

On Blackhole there is a stage before the unit (core/arch/silicon.py). While an instruction is in it,
its thread passes the next instruction if that is not one of this unit, and WRCFG reads what a GPR
was before SETDMAREG. C0 is true then, so that the STALLWAIT of LLK helps. In `sc`
and `latency` instructions go straight to the unit. UNSPECIFIED(tt-isa-documentation#58): for how
long; the one cycle of tt-llk#1661. UNSPECIFIED(FLUSHDMA.md, ATCAS.md): whether an instruction that
is there to make its thread wait lets another one past; it does not, as its page has it.

Requests to L1 are processed in their order, as one port does; requests to devices in theirs.
UNSPECIFIED(ScalarUnit.md): how many may be outstanding (here 8) and how long they take; the pages
have "usually" enough in 7 cycles for a load, 24 for an atomic.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.silicon import SCALAR_STAGE
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.decisions import SCALAR as DECIDES
from tensix_gdb.core.decisions import STAGE
from tensix_gdb.core.ordering.promises import BROKEN, Number, note, note_later
from tensix_gdb.core.record.layout import Chapter, Part, Role, Tag, View, row
from tensix_gdb.core.schedule import Schedule, due_after, due_exactly, is_delayed, one_in
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.instruction import Unit

SCALAR = list(Unit).index(Unit.THCON)
FREE, RESULT, OCCUPIED, FLUSHING, ASKING, COUNTER, TO_SOURCE, TO_THCON, WRITTEN = range(9)
REQUESTS = 8

# `kind` of a request
LOAD_L1, STORE_L1, INCREMENT, SWAP, COMPARE, ADVANCE, LOAD_DEVICE, STORE_DEVICE = range(1, 9)
TO_L1 = (0, 1, 1, 1, 1, 1, 1, 0, 0)
# Cycles to where it is processed, and back; a failed attempt is repeated after RETRY.
_UNKNOWN = 'the pages have "usually" enough in 7 cycles for a load, 24 for an atomic'
LOAD = cost(
    "scalar.load", 3, "cycles", "of a request of the Scalar Unit to where it is processed, and of "
    "its answer",
    source="ScalarUnit.md", trust=Trust.UNKNOWN, note=_UNKNOWN,
)  # fmt: skip
ATOMIC = cost(
    "scalar.atomic", 8, "cycles", "the same of ATINCGET", source="ScalarUnit.md",
    trust=Trust.UNKNOWN, note=_UNKNOWN,
)  # fmt: skip
CONDITIONAL = cost(
    "scalar.conditional", 6, "cycles", "the same of ATCAS and ATINCGETPTR", source="ScalarUnit.md",
    trust=Trust.UNKNOWN, note=_UNKNOWN,
)  # fmt: skip
SWAP_THERE = cost(
    "scalar.swap", 4, "cycles", "of ATSWAP to L1", source="ScalarUnit.md", trust=Trust.UNKNOWN,
    note=_UNKNOWN,
)  # fmt: skip
SENT = cost(
    "scalar.send", 3, "cycles", "that a request occupies the Scalar Unit", source="ScalarUnit.md",
    trust=Trust.PAGE,
)  # fmt: skip
RETRY = cost(
    "scalar.retry", 15, "cycles", "until a failed ATCAS is repeated", source="ATCAS.md",
    trust=Trust.PAGE,
)  # fmt: skip
BETWEEN_ATOMICS = cost(
    "scalar.between_atomics", 12, "cycles", "from one ATINCGET or ATSWAP to the next, in the long "
    "run",
    source="ScalarUnit.md", trust=Trust.PAGE,
)  # fmt: skip
THERE = (0, LOAD, LOAD, ATOMIC, SWAP_THERE, CONDITIONAL, CONDITIONAL, LOAD, LOAD)
BACK = (0, LOAD, 0, ATOMIC, 0, CONDITIONAL, CONDITIONAL, LOAD, 0)
STAGED = 4  # `random`: one instruction in so many is held up in the stage before the unit

_A, _T, _M = Tag.ARCHITECTURAL, Tag.TIMING, Tag.MONOTONE

# fmt: off
THCON = Part("thcon", (
    row("state",   "u8",  (),             _A, "FREE to WRITTEN", role=Role.PROGRESS),
    row("thread",  "u8",  (),             _A, "the thread of the instruction"),
    row("due",     "i64", (),             _T, "earliest cycle in which it is done"),
    row("reg",     "u8",  (),             _A, "RESULT: the GPR; COUNTER: which (adc.py); "
        "TO_THCON: index and bank"),
    row("value",   "u32", (),             _A, "what it will hold; FLUSHING: conditions; "
        "TO_THCON: how many words", role=Role.DATA),
    row("declared","u8",  (),             _A, "1: Auto TTSync knows that RESULT writes a GPR",
        role=Role.PROGRESS),
    row("source",  "u32", 4,              _A, "TO_SOURCE: SrcA or SrcB, address, the two GPRs; "
        "TO_THCON: the words", role=Role.DATA),
    row("entering","u8",  (),             _A, "1 + thread of what goes to that stage",
        role=Role.PROGRESS),
    row("stage",   "u8",  (),             _A, "1 + thread of what is before the unit",
        role=Role.PROGRESS),
    row("group",   "u8",  THREADS,        _A, "1 + group of four GPRs that SETDMAREG there writes"),
    row("before",  "u32", (THREADS, 4),   _A, "what was in them", role=Role.DATA),
    row("requests","u8",  (),             _A, "memory requests outstanding", role=Role.PROGRESS),
    row("kind",    "u8",  REQUESTS,       _A, "of each, the oldest first"),
    row("owner",   "u8",  REQUESTS,       _A, "thread"),
    row("answer",  "u8",  REQUESTS,       _A, "it is processed, and `data` on its way back",
        role=Role.PROGRESS),
    row("addr",    "u32", REQUESTS,       _A, "first byte"),
    row("size",    "u8",  REQUESTS,       _A, "bytes"),
    row("gpr",     "u8",  REQUESTS,       _A, "where the answer goes to"),
    row("data",    "u32", (REQUESTS, 4),  _A, "operands, then the answer", role=Role.DATA),
    row("next_atomic", "i64", (),         _T, "earliest cycle of the next ATINCGET or ATSWAP"),
    row("when",    "i64", REQUESTS,       _T, "earliest cycle of its next step"),
    row("word",    "u32", REQUESTS,       _M, "the instruction that has sent it",
        role=Role.PROGRESS),
    row("hart",    "u8",  REQUESTS,       _M, "its origin"),
    row("pc",      "u32", REQUESTS,       _M, "its origin"),
), role=Role.SETTING, chapter=Chapter.CONTROL)
# fmt: on


# -- the stage before the unit
def enter_stage(S: View, thread: int) -> int:
    """Put an instruction at the gate into the stage for the next cycle, or not; 1 if so."""
    if S.schedule.kind < Schedule.RANDOM or not SCALAR_STAGE[S.tile.chip]:
        return 0
    if not one_in(S, STAGED, STAGE + thread):
        return 0
    S.thcon.entering = thread + 1
    forget_gprs(S, thread)
    return 1


def enter_with_gprs(S: View, thread: int, reg: int) -> int:
    """The same for SETDMAREG, which is about to write to the aligned group of four of `reg`."""
    if enter_stage(S, thread):
        S.thcon.group[thread] = 1 + (reg >> 2)
        for word in range(4):
            S.thcon.before[thread, word] = S.gpr.word[thread * 64 + (reg & 0x3C) + word]
    return 0


def gpr_before(S: View, thread: int, reg: int) -> int:
    """Return a GPR as the Configuration Unit sees it in this cycle."""
    if S.thcon.stage == thread + 1 and S.thcon.group[thread] == 1 + (reg >> 2):
        return S.thcon.before[thread, reg & 3]
    return S.gpr.word[thread * 64 + reg]


def note_old_gpr(S: View, thread: int, hart: int, pc: int) -> int:
    """WRCFG, from `hart` and `pc`, has read what was before SETDMAREG: promise P18 was broken."""
    if S.schedule.kind == Schedule.EXHAUSTIVE:
        return 0
    earlier = S.passed.to_when[thread, SCALAR] - 1
    first = S.passed.to_pc[thread, SCALAR]
    note(S, BROKEN, Number.P18, S.passed.to_hart[thread, SCALAR], first, earlier)
    return note_later(S, BROKEN, Number.P18, hart, pc)


def shift_stage(S: View) -> int:
    """End of a cycle: what is in the stage goes to the unit."""
    if S.thcon.stage and S.thcon.stage != S.thcon.entering:
        forget_gprs(S, S.thcon.stage - 1)
    S.thcon.stage = S.thcon.entering
    S.thcon.entering = 0
    return 1


def forget_gprs(S: View, thread: int) -> int:
    """The thread's SETDMAREG is seen by all."""
    S.thcon.group[thread] = 0
    for word in range(4):
        S.thcon.before[thread, word] = 0
    return 0


# -- the instruction in the unit
def hold_unit(S: View, thread: int, state: int, cycles: int) -> int:
    """Occupy the unit for at least `cycles`, this one included."""
    if state != FLUSHING and state != ASKING:
        enter_stage(S, thread)
    S.thcon.state = state
    S.thcon.thread = thread
    S.thcon.due = due_after(S, cycles, DECIDES + thread)
    return 0


def result(S: View, thread: int, cycles: int, reg: int, value: int) -> int:
    """An instruction that ends with writing a GPR. Of these the pages have exact cycles, where
    those that reach something outside the unit have least ones (ScalarUnit.md, ADDDMAREG.md)."""
    enter_stage(S, thread)
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
    S.thcon.when[i] = due_after(S, SENT + THERE[kind], DECIDES + thread)
    at = S.fifo.head[thread, C]
    S.thcon.word[i] = S.fifo.word[thread, C, at]
    S.thcon.hart[i] = S.fifo.hart[thread, C, at]
    S.thcon.pc[i] = S.fifo.pc[thread, C, at]
    return i


def answered(S: View, i: int) -> int:
    """Request `i` was processed and brings something back."""
    S.thcon.answer[i] = 1
    S.thcon.when[i] = due_after(S, BACK[S.thcon.kind[i]], DECIDES + S.thcon.owner[i])
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
    """C0: memory requests of the thread, and its instruction in the stage before the unit."""
    count = 1 if S.thcon.stage == thread + 1 else 0
    for i in range(S.thcon.requests):
        if S.thcon.owner[i] == thread:
            count += 1
    return count


def executing(S: View, thread: int) -> int:
    """True if an instruction of the thread is in the unit."""
    return 1 if S.thcon.state != FREE and S.thcon.thread == thread else 0


def keeps(S: View, thread: int) -> int:
    """True if that keeps the instruction at the thread's gate, when it is one of other units."""
    if S.thcon.state == WRITTEN:
        return 0
    return 1 if S.thcon.stage != thread + 1 and executing(S, thread) else 0


def is_due(S: View) -> int:
    """True if the instruction in the unit has taken its time."""
    return 0 if is_delayed(S, S.thcon.due) else 1


def is_last_cycle(S: View) -> int:
    """True if the result of the instruction in the unit is written in this cycle.

    ADDDMAREG.md has nothing of its thread pass until it is done. On a card RDCFG after ADDDMAREG
    passes in the last of its three cycles, and the next ADDDMAREG after that (mesham/tt-sim, card
    session 2026-08-12b: 3.00 cycles for both, of dependent ones too). UNSPECIFIED(ADDDMAREG.md):
    whether all instructions of other units do, and the result is there then; both, here, on
    Blackhole.
    """
    if S.schedule.kind != Schedule.LATENCY and S.schedule.kind != Schedule.RANDOM:
        return 0
    return 0 if S.tile.chip or is_delayed(S, S.thcon.due - 1) else 1


def write_result(S: View) -> int:
    """The result is in its GPR, and the unit is still occupied."""
    S.gpr.word[S.thcon.thread * 64 + S.thcon.reg] = S.thcon.value
    S.thcon.state = WRITTEN
    S.thcon.reg = 0
    S.thcon.value = 0
    S.thcon.declared = 0
    return 1


def release(S: View) -> int:
    """The unit is free; nothing is left of the instruction."""
    S.thcon.state = FREE
    S.thcon.thread = 0
    S.thcon.due = 0
    S.thcon.reg = 0
    S.thcon.value = 0
    S.thcon.declared = 0
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
    if S.thcon.stage == thread + 1:
        S.thcon.stage = 0
        forget_gprs(S, thread)
    i = 0
    while i < S.thcon.requests:
        if S.thcon.owner[i] == thread:
            forget(S, i)
        else:
            i += 1
    return 0
