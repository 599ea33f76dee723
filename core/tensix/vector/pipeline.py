# SPDX-License-Identifier: Apache-2.0
"""When the Vector Unit takes an instruction, and how long it has it (VectorUnit.md, SFPMAD.md).

One instruction in a cycle. What the MAD sub-unit computes is there in the second cycle after: an
instruction that wants it in the first waits at the gate for one cycle, if the automatic stalling
knows that it does. Where it does not (reads.py), hardware computes with the old value; here that is
a fault, as it is never what a program means, unless it makes no difference (SFPSWAP). So is a write
of an LReg in the cycle that ends with the write of something scheduled (writeback.py, writes.py).
SFPSWAP and the shuffles of SFPSHFT2 are followed by a cycle in which only SFPNOP passes. Bit
sfpu_scbd_disable of Config turns the stalling off. Wormhole has it after SFPSWAP alone
(by_chip.py): the rest is up to software there.

UNSPECIFIED(SFPMAD.md): where it waits. An SFPSTORE does in the unit, so that another unit's INCRWC
passes meanwhile and none of this one: so a card's approximate tanh comes out (tt-metal#54317). It
stores at once what the LReg gets. Elsewhere than in `latency` it waits at the gate.
Each instruction counts for C11 of STALLWAIT while it is in the unit: one cycle or two.
In the schedule `sc` results of what comes through a gate are there at once, and nothing waits for
them, unless something is scheduled that counts cycles (SFPLOADMACRO): then the gate waits as in
hardware, as another instruction would else meet what was scheduled.
"""

from tensix_gdb.core.arch.blackhole import THREADS, SoftReset
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.vector import scheduled
from tensix_gdb.core.tensix.vector import writeback as late
from tensix_gdb.core.tensix.vector.by_chip import (
    AFTER_SHUFFLE,
    AFTER_STORE,
    AFTER_SWAP,
    NOT_AFTER_SHUFFLE,
    STALLS_FOR_RESULTS,
    TWO_CYCLES,
)
from tensix_gdb.core.tensix.vector.macro import SUB_UNIT, UNITS
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, Sfp
from tensix_gdb.core.tensix.vector.operations import swap
from tensix_gdb.core.tensix.vector.reads import (
    EVERY,
    LATE,
    LATE_VD,
    MAY_BE_OVERLOOKED,
    believed,
    late_else,
    late_vd,
    overlooked,
    takes_two_cycles,
    unread,
    with_mode_copy,
)
from tensix_gdb.core.tensix.vector.state import SECOND
from tensix_gdb.core.tensix.vector.writes import KIND, NOTHING, gate_meets_another

_FIELD = config_fields(Arch.BLACKHOLE)["CHICKEN_BITS_sfpu_scbd_disable"]
CHICKEN_WORD, SCOREBOARD_OFF = _FIELD.word, _FIELD.mask

_A, _T, _M = Tag.ARCHITECTURAL, Tag.TIMING, Tag.MONOTONE
# Cycles after which the result of what came is written, when the cycle begins.
RESULT = cost(
    "vector.mad", 2, "cycles", "until the result of the MAD sub-unit can be read",
    source="VectorUnit.md, SFPMAD.md", trust=Trust.PAGE,
)  # fmt: skip
STAGES = 3
# True of opcodes of which `races` may have something to say while the stalling is on.
RACING = tuple(
    int(overlooked or kind != NOTHING)
    for overlooked, kind in zip(MAY_BE_OVERLOOKED, KIND, strict=True)
)

# fmt: off
PIPE = Part("vector_pipe", (
    row("busy",      "u8",  (),           _T, "something to do when a cycle begins"),
    row("begun",     "u8",  (),           _T, "this cycle has begun"),
    row("leaving",   "u8",  (2, THREADS), _A, "instructions that leave in the next cycle"),
    row("coming",    "u32", (2,),         _A, "LRegs: results of this cycle's and the last's"),
    row("only_nop",  "u8",  (2,),         _A, "the same: only SFPNOP may follow"),
    row("issued",    "u8",  (),           _T, "1: an instruction came in this cycle"),
    # For people: the threads of the results of the MAD sub-unit.
    row("newest",    "u8",  (),           _M, "which of the next rows are of this cycle"),
    row("word",      "u32", STAGES,       _M, "what came in this cycle, before, and last; or 0"),
    row("thread",    "u8",  STAGES,       _M, "its thread"),
    row("hart",      "u8",  STAGES,       _M, "its origin"),
    row("pc",        "u32", STAGES,       _M, "its origin"),
))
# fmt: on


def stage(S: View, cycles: int) -> int:
    """Return the index in rows of STAGES of what came so many cycles ago."""
    return (S.vector_pipe.newest + STAGES - cycles) % STAGES


def counts_cycles(S: View) -> int:
    """True if what SFPLOADMACRO has scheduled is not over: instructions of the gate have to be as
    far from it as in hardware, which waits for their results."""
    return S.macro.count | S.macro.taken | S.vector_late.pending


def begin_cycle(S: View) -> int:
    """A cycle begins: 1 if something moved, or STOPPED."""
    if S.vector_pipe.busy == 0:
        return 0
    moved = 0
    if S.vector_pipe.begun == 0:
        S.vector_pipe.begun = 1
        moved = anything_moves(S)
        if S.vector_late.pending:
            late.advance(S)
            if S.vector_late.swaps:
                swap.second_cycle(S)
        S.vector_pipe.coming[1] = S.vector_pipe.coming[0]
        S.vector_pipe.coming[0] = 0
        S.vector_pipe.only_nop[1] = S.vector_pipe.only_nop[0]
        S.vector_pipe.only_nop[0] = 0
        S.vector_pipe.issued = 0
        # The oldest is overwritten: STAGES are one more than the cycles of a RESULT.
        newest = 0 if S.vector_pipe.newest == STAGES - 1 else S.vector_pipe.newest + 1
        S.vector_pipe.newest = newest
        S.vector_pipe.word[newest] = 0
        S.macro.taken = 0
        S.macro.writers = 0
        S.macro.ticked = 0
        for thread in range(THREADS):
            S.busy.vector[thread] -= S.vector_pipe.leaving[0, thread]
            S.vector_pipe.leaving[0, thread] = S.vector_pipe.leaving[1, thread]
            S.vector_pipe.leaving[1, thread] = 0
    if S.macro.count:
        status = scheduled.execute(S)
        if status < 0:
            return status
    S.vector_pipe.begun = 0
    S.vector_pipe.busy = 1 if anything(S) else 0
    return moved


def anything_moves(S: View) -> int:
    """True if there is more than what waits for instructions to be issued."""
    if S.vector_late.pending:
        return 1
    left = S.vector_pipe.coming[0] | S.vector_pipe.only_nop[0]
    for thread in range(THREADS):
        left |= S.vector_pipe.leaving[0, thread] | S.vector_pipe.leaving[1, thread]
    if S.macro.count:
        for i in range(UNITS):
            left |= S.macro.kind[i, 0]
    return 1 if left else 0


def anything(S: View) -> int:
    """True if the next cycle has something to do."""
    if S.vector_late.pending + S.macro.count + S.macro.taken:
        return 1
    left = S.vector_pipe.coming[1] | S.vector_pipe.only_nop[1]
    for thread in range(THREADS):
        left |= S.vector_pipe.leaving[0, thread]
    return 1 if left else 0


def end(S: View) -> int:
    """After the gates: bring what is scheduled one cycle nearer, or one instruction."""
    if S.macro.count:
        return scheduled.tick(S, S.vector_pipe.issued)
    return 0


def abort(S: View) -> int:
    """The Vector Unit enters soft reset: nothing is under way or scheduled any more."""
    late.forget_all(S)
    scheduled.forget_all(S)
    for i in range(2):
        S.vector_pipe.coming[i] = 0
        S.vector_pipe.only_nop[i] = 0
        for thread in range(THREADS):
            S.vector_pipe.leaving[i, thread] = 0
            S.busy.vector[thread] = 0
    S.vector_pipe.busy = 0
    S.vector_pipe.begun = 0
    return 0


def stalls(S: View, word: int) -> int:
    """True if the hardware keeps the instruction at its gate for a cycle.

    UNSPECIFIED(SoftReset.md): in soft reset it "will not start", and may be discarded; it waits.
    """
    if S.tile_control.soft_reset & SoftReset.FPU:
        return 1
    after = S.vector_pipe.only_nop[1]
    if (S.vector_pipe.coming[1] == 0 and after == 0) or is_off(S):
        return 0
    if after == AFTER_STORE or (after == AFTER_SWAP and word >> 24 != Sfp.NOP):
        return 1
    if not STALLS_FOR_RESULTS[S.tile.chip] or S.vector_pipe.coming[1] & believed(word) == 0:
        return 0
    return 0 if waits_inside(S, word) else 1


def waits_inside(S: View, word: int) -> int:
    """True if it waits for a result in the unit, and not at its gate."""
    apart = S.macro.count | S.macro.taken | S.vector_late.swaps  # counts cycles from it
    return 1 if word >> 24 == Sfp.STORE and S.schedule.kind == Schedule.LATENCY and not apart else 0


def is_off(S: View) -> int:
    """sfpu_scbd_disable."""
    return S.config.word[0, CHICKEN_WORD] & SCOREBOARD_OFF


def may_race(S: View, word: int) -> int:
    """False for most instructions: `races` has nothing to ask of them."""
    if RACING[(word >> 24) - FIRST_OPCODE] or is_off(S):
        return 1
    if S.vector_late.due[SECOND] & ~S.vector_pipe.coming[1]:
        return 1
    if not STALLS_FOR_RESULTS[S.tile.chip]:
        return 1
    return 1 if S.vector_pipe.only_nop[1] == AFTER_SHUFFLE else 0


def races(S: View, word: int) -> int:
    """Return the code of a fault if it reads too early, or writes as another one does; or 0."""
    read = overlooked(word)
    if is_off(S) or not STALLS_FOR_RESULTS[S.tile.chip]:
        read |= believed(with_mode_copy(S, word)) & ~unread(word)
    elif S.vector_late.due[SECOND] & ~S.vector_pipe.coming[1]:
        read |= believed(word) & late.not_seen(S, S.vector_pipe.coming[1])
    if S.vector_pipe.only_nop[1] == AFTER_SHUFFLE and not_after_shuffle(word):
        return Fault.VECTOR_SHUFFLED
    # Not `coming`: of INDIRECT_VD the stalling logic only believes that it writes every LReg.
    if S.vector_late.due[SECOND] & read and not compares_alike(S, word):
        return Fault.VECTOR_HAZARD
    if gate_meets_another(S, word) and not scheduled.discards(S, word):
        return Fault.VECTOR_WRITES
    return 0


def compares_alike(S: View, word: int) -> int:
    """True of an SFPSWAP that swaps the same lanes with and without what is not there yet."""
    if word >> 24 != Sfp.SWAP:
        return 0
    return 0 if swap.decides_otherwise(S, word >> 8 & 15, word >> 4 & 15) else 1


def not_after_shuffle(word: int) -> int:
    """True if the instruction must not follow a shuffle of lanes on Wormhole (SFPSHFT2.md)."""
    if word >> 24 == Sfp.SHFT2 and takes_two_cycles(word):
        return 0
    return NOT_AFTER_SHUFFLE[(word >> 24) - FIRST_OPCODE]


def enter(S: View, thread: int, word: int) -> int:
    """An instruction passes the gate: 1 if it is to be executed, 0 if not, or STOPPED."""
    if S.vector_pipe.coming[1] | S.vector_late.due[SECOND] | S.macro.writers:
        code = races(S, word) if may_race(S, word) else 0
        if code:
            return fault_at_gate(S, thread, code)
    S.vector_pipe.busy = 1
    S.vector_pipe.issued = 1
    S.busy.vector[thread] += 1
    if word >> 24 == Sfp.LOADMACRO:
        scheduled.tick(S, 1)
    if S.macro.taken:
        if scheduled.discards(S, word):
            S.vector_pipe.leaving[0, thread] += 1
            return 0
        # A load reads none, but what it keeps half of.
        loads = SUB_UNIT[(word >> 24) - FIRST_OPCODE] == UNITS
        scheduled.rewind_lregs(S, believed(word) if loads else EVERY)
    # Only what may be late takes two cycles, and most does neither.
    two = 0
    coming = 0
    kind = LATE[(word >> 24) - FIRST_OPCODE]
    if kind == LATE_VD:
        coming = late_vd(word)
    elif kind:
        two = takes_two_cycles(word)
        coming = late_else(with_mode_copy(S, word))
    inside = 1 if S.vector_pipe.coming[1] and S.vector_pipe.coming[1] & believed(word) else 0
    S.vector_pipe.leaving[1 if two or coming or inside else 0, thread] += 1
    if coming:
        here = S.fifo.head[thread, C]
        newest = S.vector_pipe.newest
        S.vector_pipe.word[newest] = word
        S.vector_pipe.thread[newest] = thread
        S.vector_pipe.hart[newest] = S.fifo.hart[thread, C, here]
        S.vector_pipe.pc[newest] = S.fifo.pc[thread, C, here]
    if S.schedule.kind != Schedule.SC or counts_cycles(S):
        S.vector_pipe.coming[0] = coming
        after = TWO_CYCLES[S.tile.chip] if word >> 24 == Sfp.SHFT2 else AFTER_SWAP
        S.vector_pipe.only_nop[0] = after if two else AFTER_STORE if inside else 0
    return 1


INLINED = (begin_cycle, enter, stalls, races, anything, anything_moves, end)
