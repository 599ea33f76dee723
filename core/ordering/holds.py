# SPDX-License-Identifier: Apache-2.0
"""Hold one access back until another one has been made: the witness of a race.

    what is held   the oldest request of a stream, the gate of a thread, what a unit does in L1, the
                   store queue of a hart, or the load that it has in EX1
    until          the nth request of a hart from an address, or the nth instruction that was pushed
                   from there, is over: of an instruction, until its unit has nothing more of it

All of these may be as late as that: nothing in the documents gives a request or a unit a longest
time. If the other one needs what is held, nothing moves any more (core/machine/deadlock.py).

Only the CHECKED loop with time looks here; the runner chooses it while `hold.on` is set. The rows
are part of the state: going back in time, a recording and a snapshot have them.
"""

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.tensix.frontend import mop_expander
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.wait_gate import any_condition_holds
from tensix_gdb.core.tensix.unpacker import queue

COLD = True  # little time of LLVM for it (core/engine/README.md)

# hold.at
NOWHERE, REQUEST, AT_GATE, UNPACKERS, PACKER, MEMORY, MOVER, STORES, LOADS = range(9)
# hold.awaits
OF_HART, OF_THREAD, OF_EXPANDER = range(3)
# hold.on
OVER, HOLDING, ENDING = range(3)  # ENDING: the awaited instruction is in its unit

UNPACKS = queue.UNPACKERS * queue.DEPTH

_T = Tag.TIMING

# fmt: off
HOLD = Part("hold", (
    row("on",         "u8",  (), _T, "HOLDING, ENDING, or OVER"),
    row("at",         "u8",  (), _T, "what is held; NOWHERE: nothing, what is awaited is counted"),
    row("party",      "u8",  (), _T, "its hart or thread"),
    row("stream",     "u8",  (), _T, "of a request"),
    row("awaits",     "u8",  (), _T, "OF_HART, OF_THREAD, or a MOP: OF_EXPANDER"),
    row("other",      "u8",  (), _T, "hart or thread that is awaited"),
    row("addr",       "u32", (), _T, "the address of its instruction, or of the push"),
    row("opcode",     "u8",  (), _T, "of a pushed one"),
    row("nth",        "u32", (), _T, "which time; 0: it has begun already"),
    row("conditions", "u16", (), _T, "conditions of STALLWAIT that say that its unit is busy"),
    row("seen",       "u32", (), _T, "how often it has come"),
    row("hits",       "u32", (), _T, "of these, loads answered by the L0 data cache"),
    row("came",       "i64", (), _T, "at the start of this cycle the awaited one was over"),
))
# fmt: on


def begin_hold(S: View, nth: int) -> int:
    """Hold from now on; the other rows are set. With `nth` 0 the awaited one has begun."""
    S.hold.nth = nth
    S.hold.seen = 0
    S.hold.hits = 0
    S.hold.came = 0
    S.hold.on = HOLDING if nth or S.hold.at == NOWHERE else ENDING
    return 0


def end(S: View) -> int:
    """Hold nothing any more."""
    S.hold.on = OVER
    S.hold.at = NOWHERE
    return 0


def holds_request(S: View, hart: int, stream: int) -> int:
    """True if the oldest request of the stream is held."""
    if S.hold.at != REQUEST or S.hold.party != hart:
        return 0
    return 1 if S.hold.stream == stream else 0


def holds_port(S: View, hart: int) -> int:
    """STORES or LOADS if the hart emits none, or 0."""
    if S.hold.party != hart or S.hold.at < STORES:
        return 0
    return S.hold.at


def holds_gate(S: View, thread: int) -> int:
    """True if the instruction at the gate is held."""
    return 1 if S.hold.at == AT_GATE and S.hold.party == thread else 0


def delay(S: View) -> int:
    """In this cycle let no request of the Scalar Unit be processed, or no unpacker read. What
    instructions need before they leave the gate is done."""
    if S.hold.at == UNPACKERS:
        for j in range(UNPACKS):
            S.unpack.due[j] = max(S.unpack.due[j], S.tile.cycle + 1)
    elif S.hold.at == MEMORY:
        for i in range(S.thcon.requests):
            S.thcon.when[i] = max(S.thcon.when[i], S.tile.cycle + 1)
    return 0


def is_awaited(S: View, hart: int, stream: int) -> int:
    """True if the oldest request of the stream is of the awaited instruction."""
    if S.hold.awaits == OF_THREAD or S.hold.other != hart:
        return 0
    pc = S.stream.pc[hart, stream, 0]
    if S.hold.awaits == OF_HART:
        return 1 if pc == S.hold.addr else 0
    word = (S.hold.addr - pc) >> 2
    if not streams.PUSH <= stream < streams.PCBUF or not 0 <= word < 4:
        return 0
    return (S.stream.mask[hart, stream, 0] >> (4 * word)) & 1


def hit(S: View, hart: int) -> int:
    """A load was answered by the L0 data cache."""
    if S.hold.awaits != OF_HART or S.hold.other != hart:
        return 0
    if S.pipeline.ex1_pc[hart] != S.hold.addr:
        return 0
    S.hold.hits += 1
    return came(S)


def passed(S: View, thread: int) -> int:
    """The instruction at the gate has passed."""
    if S.hold.awaits != OF_THREAD or S.hold.other != thread:
        return 0
    at = S.fifo.head[thread, C]
    if S.fifo.pc[thread, C, at] != S.hold.addr:
        return 0
    return came(S) if S.fifo.word[thread, C, at] >> 24 == S.hold.opcode else 0


def came(S: View) -> int:
    """The awaited instruction has come once more."""
    S.hold.seen += 1
    if S.hold.at != NOWHERE and S.hold.on == HOLDING and S.hold.seen == S.hold.nth:
        S.hold.on = ENDING
    return 1


def end_if_over(S: View) -> int:
    """Start of a cycle: let go if what is awaited is over. A request is when it is processed."""
    if S.hold.on != ENDING or S.hold.at == NOWHERE:
        return 0
    if S.hold.awaits == OF_EXPANDER:
        if not mop_expander.is_done(S, S.hold.other - T0):
            return 0
    elif S.hold.awaits == OF_THREAD and any_condition_holds(S, S.hold.other, S.hold.conditions):
        return 0
    S.hold.came = S.tile.cycle
    return end(S)
