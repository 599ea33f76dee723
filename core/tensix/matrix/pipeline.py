# SPDX-License-Identifier: Apache-2.0
"""When the Matrix Unit takes an instruction, and how long it has it (MatrixUnit.md, Dst.md).

One instruction in a cycle. What it does is done when it passes the gate, for the unit itself and
that the hardware holds back; until its latency is over it counts for C4 of STALLWAIT, and what
others read of Dst is what was there before (dst_before.py). In `random` and `exhaustive` that can
be later, instruction by instruction, but not by more than seven of them. The gate keeps back:

    Dst            a block of 8 rows that was written is not read in the next DST_CYCLES
    MOVA2D, MOVB2D the unit reads no Dst in the next three cycles, but for ELWADD and ELWSUB
    MOVD2B         only MOVD2B in the next three cycles
    MOVD2A, MOVB2A only these two in the next cycle
    SHIFTXB        nothing in the next cycle

In the schedule `sc` results are there at once, and nothing waits for them.

UNSPECIFIED(MatrixUnit.md): the latency of MOVD2B, 4 by what follows it. ZEROACC counts as no write.
"""

from tensix_gdb.core.arch.silicon import ROWS_STAY_UNDEFINED
from tensix_gdb.core.cost.row import Trust, cost
from tensix_gdb.core.decisions import MATRIX as MATRIX_DECIDES
from tensix_gdb.core.decisions import OLD_DST, UNDEFINED
from tensix_gdb.core.decisions import SFPLOAD as SFPLOAD_DECIDES
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule, choose, due_after, is_delayed, one_in
from tensix_gdb.core.stop import STOPPED
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.matrix import dst_before as matrix_stale
from tensix_gdb.core.tensix.matrix.by_chip import DST_HOLD_OF_PAGE, MOVD2B_OVERLOOKS
from tensix_gdb.core.tensix.matrix.dst_before import PLACES
from tensix_gdb.core.tensix.matrix.dst_undo import keep_dst
from tensix_gdb.core.tensix.matrix.formats import dst_row_of
from tensix_gdb.core.tensix.regfiles.dst import ALL_COLUMNS
from tensix_gdb.core.tensix.state_use import Effect, State, touches
from tensix_gdb.core.tensix.table import FIRST, ROWS, by_number

DST_CYCLES = cost(
    "matrix.dst_hold", 5, "cycles", "after a write to a block of Dst, in which nothing of the "
    "Matrix Unit reads it",
    source="mesham/tt-sim, tensixbench-blackhole.csv", trust=Trust.MEASURED,
    note="Dst.md has four. MVMUL, ELWMUL and ELWADD onto one block take 6.02 cycles each on a card "
    "in five runs; in three, after a matmul has left T1's ADDR_MOD_0 moving Dst on, 1.03 on T1",
)  # fmt: skip
DST_HOLD = (DST_CYCLES, DST_HOLD_OF_PAGE)
SFPLOAD_CYCLES = 3  # SFPLOAD.md: instructions that have to be between
AFTER_MOVE = cost(
    "matrix.after_move", 3, "cycles", "after MOVA2D, MOVB2D in which the unit reads no Dst",
    source="MatrixUnit.md", trust=Trust.PAGE,
)  # fmt: skip
AFTER_MOVD2B = cost(
    "matrix.after_movd2b", 3, "cycles", "after MOVD2B in which only MOVD2B passes",
    source="MatrixUnit.md", trust=Trust.PAGE,
)  # fmt: skip
AFTER_MOVE_TO_A = cost(
    "matrix.after_move_to_a", 1, "cycles", "after MOVD2A, MOVB2A in which only these pass",
    source="MatrixUnit.md", trust=Trust.PAGE,
)  # fmt: skip
AFTER_SHIFT = cost(
    "matrix.after_shift", 1, "cycles", "after SHIFTXB in which nothing passes",
    source="MatrixUnit.md", trust=Trust.PAGE,
)  # fmt: skip
OVERLOOKED_BIT = 0x80  # of `kept`: MOVD2B may overlook that write
BLOCK = 8
PACK_THREAD = 2

_A, _T = Tag.ARCHITECTURAL, Tag.TIMING

# fmt: off
FPU_PIPE = Part("fpu_pipe", (
    row("busy",     "u8",  (),         _T, "something to do when a cycle begins"),
    row("first",    "u8",  (),         _A, "place of the oldest instruction under way"),
    row("count",    "u8",  (),         _A, "how many are under way"),
    row("thread",   "u8",  PLACES,     _A, "the thread that it belongs to"),
    row("due",      "i64", PLACES,     _T, "earliest cycle in which it is through"),
    row("written",  "u16", DST_CYCLES, _A, "1 + block of Dst, of each of the last cycles"),
    row("wrote",    "u16", (),         _A, "the same, of this cycle"),
    row("kept",     "u8",  DST_CYCLES, _A, "1 + place of that instruction, OVERLOOKED_BIT"),
    row("keeps",    "u8",  (),         _A, "the same, of this cycle"),
    row("moved",    "u8",  (),         _A, "cycles that MOVA2D, MOVB2D keep readers back"),
    row("only_d2b", "u8",  (),         _A, "cycles in which only MOVD2B passes"),
    row("only_2a",  "u8",  (),         _A, "cycles in which only MOVD2A, MOVB2A pass"),
    row("nothing",  "u8",  (),         _A, "cycles in which nothing passes"),
))
# fmt: on

# What the rules are about, by number of row.
READS, WRITES, KEPT_BACK = (1 << i for i in range(3))
TO_DST, D2B, TO_A, SHIFT, OVERLOOKED, CLEARS = (1 << i for i in range(3, 9))
_RULES = {
    **dict.fromkeys(("MVMUL", "DOTPV"), KEPT_BACK | OVERLOOKED),
    **dict.fromkeys(("GAPOOL", "GMPOOL", "ELWMUL"), KEPT_BACK),
    **dict.fromkeys(("MOVA2D", "MOVDBGA2D", "MOVB2D"), TO_DST),
    "MOVD2A": KEPT_BACK | TO_A,
    "MOVD2B": KEPT_BACK | D2B,
    "MOVB2A": TO_A,
    "SHIFTXB": SHIFT,
}


def _kind(row: Instruction) -> int:
    """The rules of a row. The page holds ELWADD and ELWSUB back only while they add to Dst; a card
    does it always."""
    if row.unit is not Unit.FPU:
        return 0
    kind = _RULES.get(row.mnemonic, 0)
    kind |= READS if touches(row.reads, State.DST) else 0
    kind |= WRITES if touches(row.writes, State.DST, Effect.CLEAR) else 0
    return kind | (CLEARS if Effect.CLEAR in _effects_on_dst(row) else 0)


def _effects_on_dst(row: Instruction) -> set[Effect]:
    return {use.does for use in row.writes if use.state is State.DST}


KINDS = by_number(_kind)
_LATENCY = {
    "MOVD2B": cost(
        "matrix.movd2b", 4, "cycles", "that MOVD2B is under way", source="MatrixUnit.md",
        trust=Trust.UNKNOWN, note="the page has none; by what it says of the cycles that follow",
    )
}  # fmt: skip
LATENCY = (*(1,) * FIRST, *(
    int(row.latency or _LATENCY.get(row.mnemonic, 1)) if row.unit is Unit.FPU else 1
    for row in ROWS
))  # fmt: skip
DST_ROW = 0x3FF  # where all that read or write Dst have their row


def begin_cycle(S: View) -> int:
    """A cycle begins: 1 if something moved."""
    if S.fpu_pipe.busy == 0:
        return 0
    while S.fpu_pipe.count and may_leave(S):
        leave(S)
    left = S.fpu_pipe.count
    for i in range(DST_CYCLES - 1, 0, -1):
        S.fpu_pipe.written[i] = S.fpu_pipe.written[i - 1]
        S.fpu_pipe.kept[i] = S.fpu_pipe.kept[i - 1]
        left |= S.fpu_pipe.written[i]
    S.fpu_pipe.written[0] = S.fpu_pipe.wrote
    S.fpu_pipe.kept[0] = S.fpu_pipe.keeps
    S.fpu_pipe.wrote = 0
    S.fpu_pipe.keeps = 0
    left |= S.fpu_pipe.written[0]
    S.fpu_pipe.moved = max(S.fpu_pipe.moved - 1, 0)
    S.fpu_pipe.only_d2b = max(S.fpu_pipe.only_d2b - 1, 0)
    S.fpu_pipe.only_2a = max(S.fpu_pipe.only_2a - 1, 0)
    S.fpu_pipe.nothing = max(S.fpu_pipe.nothing - 1, 0)
    left |= S.fpu_pipe.moved | S.fpu_pipe.only_d2b | S.fpu_pipe.only_2a | S.fpu_pipe.nothing
    S.fpu_pipe.busy = 1 if left else 0
    return 1


def may_leave(S: View) -> int:
    """True if the oldest instruction is through, and so is what it has done to the source banks."""
    due = S.fpu_pipe.due[S.fpu_pipe.first]
    return 0 if due > S.tile.cycle or is_delayed(S, due) else 1


def leave(S: View) -> int:
    """Retire the oldest instruction: all units see what it has written."""
    at = S.fpu_pipe.first
    S.busy.matrix[S.fpu_pipe.thread[at]] -= 1
    S.fpu_pipe.thread[at] = 0
    S.fpu_pipe.due[at] = 0
    S.fpu_pipe.first = (at + 1) & (PLACES - 1)
    S.fpu_pipe.count -= 1
    return 0


def enter(S: View, thread: int, number: int, block: int) -> int:
    """An instruction has passed the gate, and written `block`."""
    at = (S.fpu_pipe.first + S.fpu_pipe.count) & (PLACES - 1)
    S.fpu_pipe.count += 1
    S.fpu_pipe.thread[at] = thread
    due = due_after(S, LATENCY[number], MATRIX_DECIDES + thread)
    if S.busy.landing:
        due = max(due, S.tile.cycle + S.busy.landing)
    S.fpu_pipe.due[at] = due
    S.fpu_pipe.busy = 1
    S.busy.matrix[thread] += 1
    S.fpu_pipe.wrote = block
    kind = KINDS[number]
    # One more than the cycles that follow: the next one begins by counting down.
    if kind & TO_DST:
        S.fpu_pipe.moved = 1 + AFTER_MOVE
    if kind & D2B:
        S.fpu_pipe.only_d2b = 1 + AFTER_MOVD2B
    if kind & TO_A:
        S.fpu_pipe.only_2a = 1 + AFTER_MOVE_TO_A
    if kind & SHIFT:
        S.fpu_pipe.nothing = 1 + AFTER_SHIFT
    return 0


def stalls(S: View, thread: int, number: int, word: int) -> int:
    """True if the hardware keeps the instruction at its gate in this cycle."""
    if S.schedule.kind == Schedule.SC:
        return 0
    kind = KINDS[number]
    if S.fpu_pipe.nothing:
        return 1
    if S.fpu_pipe.only_2a and not kind & TO_A:
        return 1
    if S.fpu_pipe.only_d2b and not kind & D2B:
        return 1
    if S.fpu_pipe.moved and kind & KEPT_BACK:
        return 1
    if kind & READS:
        if not in_flight(S, 1 + (dst_row_of(S, thread, word & DST_ROW) >> 3)):
            return 0
        return (
            0
            if kind & D2B
            and MOVD2B_OVERLOOKS[S.tile.chip]
            and old_place(S, thread, word)
            and one_in(S, 8, OLD_DST + thread)
            else 1
        )
    return 0


def in_flight(S: View, block: int) -> int:
    """True if the block was written in the last cycles."""
    for i in range(DST_CYCLES):
        if S.fpu_pipe.written[i] == block:
            return 1 if i < DST_HOLD[S.tile.chip] else 0
    return 0


def old_place(S: View, thread: int, word: int) -> int:
    """1 + where a block is as it was before the first write under way; 0 if that waits, or is over
    (C4 of STALLWAIT then has seen it)."""
    block = 1 + (dst_row_of(S, thread, word & DST_ROW) >> 3)
    place = 0
    for i in range(DST_CYCLES):
        if S.fpu_pipe.written[i] == block and is_under_way(S, S.fpu_pipe.kept[i]):
            place = S.fpu_pipe.kept[i]
    return place & ~OVERLOOKED_BIT if place & OVERLOOKED_BIT else 0


def is_under_way(S: View, kept: int) -> int:
    """True if the instruction of a `kept` has not left the pipe."""
    place = (kept & ~OVERLOOKED_BIT) - 1
    return 1 if (place - S.fpu_pipe.first) & (PLACES - 1) < S.fpu_pipe.count else 0


def execute(S: View, thread: int, number: int, word: int) -> int:
    """Execute an instruction and note it in the unit. Return 0, or STOPPED."""
    if S.fpu_pipe.count == PLACES:
        leave(S)
    kind = KINDS[number]
    block = 1 + (dst_row_of(S, thread, word & DST_ROW) >> 3) if kind & WRITES else 0
    old = 0
    if S.schedule.kind == Schedule.SC:
        S.fpu_stale.count[0] = 0
    else:
        place = (S.fpu_pipe.first + S.fpu_pipe.count) & (PLACES - 1)
        S.fpu_stale.count[place] = 0
        if kind & WRITES:
            S.fpu_pipe.keeps = 1 + place | (OVERLOOKED_BIT if kind & OVERLOOKED else 0)
            keep_dst(S, place, thread, number, word)
        elif kind & D2B and S.fpu_pipe.busy and S.schedule.kind >= Schedule.RANDOM:
            old = old_place(S, thread, word) * MOVD2B_OVERLOOKS[S.tile.chip]
    if old:
        matrix_stale.swap_rows(S, old - 1)
    status = EXECUTE[number](S, thread, word)
    if old:
        matrix_stale.swap_rows(S, old - 1)
    if kind & CLEARS and thread == PACK_THREAD and S.unpack.defined_in == S.tile.cycle:
        keep_undefined(S)
    return STOPPED if status < 0 else enter(S, thread, number, block)


def keep_undefined(S: View) -> int:
    """ZEROACC of the pack thread in the cycle in which an unpacker writes to Dst: the rows that it
    writes may stay undefined (core/arch/silicon.py).

    UNSPECIFIED(llk_math_eltwise_unary_datacopy.h): whether always, and a store of a T core, of
    which the header says the same; a choice, and never.
    """
    if not ROWS_STAY_UNDEFINED[S.tile.chip] or choose(S, 2, UNDEFINED) == 0:
        return 0
    for at in range(DST_ROW + 1):
        if (S.unpack.defined[at >> 5] >> (at & 31)) & 1:
            S.dst.undefined[at] = ALL_COLUMNS
    return 1


# -- SFPLOAD, which nothing keeps back
def mask_recent_writes(S: View, thread: int) -> int:
    """Before an SFPLOAD: how many of the last cycles' writes it does not see, taken back.

    UNSPECIFIED(SFPLOAD.md): what it gets with fewer instructions between than the page asks for;
    what was there before, and in `random` and `exhaustive` that or what is new.
    """
    any_recent = 0
    for i in range(SFPLOAD_CYCLES):
        if S.fpu_pipe.kept[i] and is_under_way(S, S.fpu_pipe.kept[i]):
            any_recent = 1
    if any_recent == 0 or S.schedule.kind == Schedule.SC or choose(S, 2, SFPLOAD_DECIDES + thread):
        return 0
    for i in range(SFPLOAD_CYCLES):
        if S.fpu_pipe.kept[i] and is_under_way(S, S.fpu_pipe.kept[i]):
            matrix_stale.swap_rows(S, (S.fpu_pipe.kept[i] & ~OVERLOOKED_BIT) - 1)
    return 1


def unmask_recent_writes(S: View) -> int:
    """Restore rows after an SFPLOAD that did not see them."""
    for i in range(SFPLOAD_CYCLES - 1, -1, -1):
        if S.fpu_pipe.kept[i] and is_under_way(S, S.fpu_pipe.kept[i]):
            matrix_stale.swap_rows(S, (S.fpu_pipe.kept[i] & ~OVERLOOKED_BIT) - 1)
    return 0


INLINED = (begin_cycle,)
