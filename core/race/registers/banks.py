# SPDX-License-Identifier: Apache-2.0
"""Banks of SrcA and SrcB: what is known when one changes hands (SrcASrcB.md).

An unpacker waits for a bank that is its own, and so do the instructions of the Matrix Unit that
read one: the hardware's own order. What the giver has done comes before what the taker does then:

    unpacker  ── SETDVALID, end of UNPACR ──►  GIVEN[bank]  ── instruction waits, C7, C8 ──►  gate
    unpacker  ◄──────── starts ── LEFT[bank]  ◄── flip, CLEARDVALID: end of the instruction ──  gate

UNPACR_NOP that gives a bank away is not after an UNPACR of its unpacker that has filled the bank
and kept it, unless its thread has waited for the unpacker: the pages have it sequenced, and
hardware has not (tt-metal#43561). LLK waits for both unpackers before it
(`_llk_unpack_set_srcb_dummy_valid_`).

MOVD2A, MOVD2B and MOVB2A write to a bank without such a wait: their writes are accesses, and so is
the unpackers' writing when they give the bank away. The Matrix Unit's pointer to its bank is one
cell: an instruction that leaves the bank writes it when it ends, and C7 and C8 read it at once,
unless the wait has C4 too (tt-metal#52256, #55106).
"""

from tensix_gdb.core.arch.silicon import LATE_FLIP
from tensix_gdb.core.race.clocks import copy, join, reach
from tensix_gdb.core.race.fields import (
    GATE,
    GIVEN,
    IN_MATRIX,
    LEFT,
    POINTER_CELLS,
    SCRATCH,
    SRC_CELLS,
    UNIT_RING,
    UNPACKING,
)
from tensix_gdb.core.race.lines import Line, of_thread
from tensix_gdb.core.race.registers.dst import known_units
from tensix_gdb.core.race.shadow import READ, WRITE, access
from tensix_gdb.core.race.stages import sources
from tensix_gdb.core.race.state.table import Group
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.gate.wait_gate import WAITS_FOR
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.matrix.source_banks import WAITS_FOR as BANKS_OF
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tensix_gdb.core.tensix.state_use import Effect, State, touches
from tensix_gdb.core.tensix.table import by_number
from tensix_gdb.core.tensix.unpacker import queue

SOURCES = 2
MATH, SRC_A_VALID = 1 << 4, 7  # conditions of STALLWAIT
FLIGHT = 3  # a flip has landed so many instructions later
KEEPS, NOP_GIVES = 1, 2  # of an instruction of an unpacker: what it does with its bank
NOP_IS_LATER = (0, 1)  # by chip: UNPACR_NOP is after the UNPACR before it


def _banks(row: Instruction) -> int:
    """1 for SrcA, 2 for SrcB: what an instruction moves to its bank without waiting for it."""
    if row.unit is not Unit.FPU:
        return 0
    writes = int(touches(row.writes, State.SRC_A, Effect.CLEAR))
    writes |= int(touches(row.writes, State.SRC_B, Effect.CLEAR)) << 1
    return writes & ~BANKS_OF.get(row.mnemonic, 0)


WRITES = by_number(_banks)


# -- unpackers
def unpack_begins(S: View, thread: int, unpacker: int, site: int) -> int:
    """An instruction of an unpacker has passed its gate: it is the youngest of the queue."""
    count = S.unpack.count[unpacker]
    if count == 0:
        return 0
    j = unpacker * queue.DEPTH + (S.unpack.head[unpacker] + count - 1) % queue.DEPTH
    copy(S, UNPACKING + j, GATE + thread)
    line = of_thread(thread, Line.UNPACKER_0 + unpacker)
    S.race.unpack_number[j] = S.race.ends[thread, Line.UNPACKER_0 + unpacker]
    S.race.unpack_site[j] = site
    S.race.unpack_line[j] = line
    does = 0
    flips = S.unpack.flags[j] & queue.FLIP
    kind = S.unpack.kind[j]
    if kind == queue.MOVE and S.unpack.target[j] < queue.DST_16 and flips == 0:
        does = KEEPS
    elif kind == queue.HAND_OVER or (kind == queue.FILL and flips):
        does = NOP_GIVES
    S.race.unpack_does[j] = does
    S.check.unpack_gate_line[j] = of_thread(thread, Line.GATE)
    S.check.unpack_gate[j] = S.race.ends[thread, Line.GATE]
    if S.state.on & Group.STAGES:
        sources.unpack_begins(S, j)
    return 0


def note_given_banks(S: View) -> int:
    """Note in each cycle before the gates which banks were given to the Matrix Unit since the
    last."""
    for source in range(SOURCES):
        for bank in range(2):
            at = source * 2 + bank
            client = S.busy.src_client[source, bank]
            if client != S.race.client[at]:
                S.race.client[at] = client
                if client == MATRIX_OWNS:
                    given(S, source, bank)
        head = S.unpack.head[source]
        if head != S.race.unpack_head[source]:
            j = source * queue.DEPTH + S.race.unpack_head[source]
            if S.race.unpack_does[j] == KEEPS:
                S.race.kept_number[source] = S.race.unpack_number[j]
                S.race.kept_site[source] = S.race.unpack_site[j]
                S.race.kept_line[source] = S.race.unpack_line[j]
            S.race.unpack_head[source] = head
    return 0


def given(S: View, source: int, bank: int) -> int:
    """An unpacker has given a bank away: the instruction that was its oldest one before."""
    at = GIVEN + source * 2 + bank
    j = source * queue.DEPTH + S.race.unpack_head[source]
    join(S, UNPACKING + j, LEFT + source * 2 + bank)
    S.race.promises = 0
    line = S.race.unpack_line[j]
    number = S.race.unpack_number[j]
    cell = SRC_CELLS + source * 2 + bank
    kept = S.race.kept_number[source]
    S.race.kept_number[source] = 0
    if S.race.kept_line[source] != line or NOP_IS_LATER[S.tile.chip]:
        kept = 0
    is_early = 1 if kept and S.race.unpack_does[j] == NOP_GIVES else 0
    if is_early:
        copy(S, SCRATCH, UNPACKING + j)
        reach(S, SCRATCH, line, kept - 1)
        access(S, cell, 1, WRITE, SCRATCH, line, kept, S.race.kept_site[source])
    else:
        # An unpacker ends one instruction after the other.
        reach(S, UNPACKING + j, line, number - 1)
    access(S, cell, 1, WRITE, UNPACKING + j, line, number, S.race.unpack_site[j])
    reach(S, UNPACKING + j, line, number - 1)
    copy(S, at, UNPACKING + j)
    S.check.given_line[source, bank] = S.check.unpack_gate_line[j]
    S.check.given_at[source, bank] = S.check.unpack_gate[j]
    S.state.bank_site[source, bank] = S.race.unpack_site[j]
    if S.state.on & Group.STAGES:
        sources.given(S, source, bank, j, S.race.unpack_site[j])
    return reach(S, at, line, number)


def set_valid(S: View, thread: int, before: int) -> int:
    """SETDVALID has passed its gate; `before` has the clients before it."""
    for source in range(SOURCES):
        for bank in range(2):
            at = source * 2 + bank
            client = S.busy.src_client[source, bank]
            if client == MATRIX_OWNS and (before >> at) & 1 == 0:
                S.race.client[at] = client
                copy(S, GIVEN + at, GATE + thread)
                S.check.given_line[source, bank] = of_thread(thread, Line.GATE)
                S.check.given_at[source, bank] = S.race.ends[thread, Line.GATE]
                join(S, GIVEN + at, LEFT + at)
    return 0


def clients(S: View) -> int:
    """Return a bit for each bank that is the Matrix Unit's."""
    return (
        S.busy.src_client[0, 0]
        | S.busy.src_client[0, 1] << 1
        | S.busy.src_client[1, 0] << 2
        | S.busy.src_client[1, 1] << 3
    )


# -- the Matrix Unit
def matrix_begins(S: View, thread: int, number: int, site: int) -> int:
    """An instruction of the Matrix Unit is at the gate: what it has waited for, what it writes."""
    waits = WAITS_FOR[number]
    for source in range(SOURCES):
        bank = S.busy.matrix_bank[source]
        at = source * 2 + bank
        if (waits >> source) & 1:
            join(S, GATE + thread, GIVEN + at)
        elif (WRITES[number] >> source) & 1:
            known_units(S, thread, 1)
            end = S.race.ends[thread, Line.MATRIX] + 1
            line = of_thread(thread, Line.MATRIX)
            access(S, SRC_CELLS + at, 1, WRITE, SCRATCH, line, end, site)
            if S.state.on & Group.STAGES:
                sources.forget(S, source)
        S.race.bank_before[source] = bank
    S.race.clients_before = clients(S)
    return 0


def matrix_passed(S: View, thread: int, site: int) -> int:
    """Note the banks that the instruction has left: the unpackers have them when it ends."""
    end = S.race.ends[thread, Line.MATRIX]
    line = of_thread(thread, Line.MATRIX)
    for source in range(SOURCES):
        bank = S.race.bank_before[source]
        at = source * 2 + bank
        leaves = 1 if S.busy.matrix_bank[source] != bank else 0
        if (S.race.clients_before >> at) & 1 and S.busy.src_client[source, bank] != MATRIX_OWNS:
            leaves = 1
        if (S.busy.flips[0] >> (2 * source)) & 3 or leaves:
            known_units(S, thread, 1)
            copy(S, LEFT + at, SCRATCH)
            reach(S, LEFT + at, line, end)
            access(S, POINTER_CELLS + source, 1, WRITE, SCRATCH, line, end, site)
    return 0


# -- STALLWAIT
def latched(S: View, thread: int, conditions: int, site: int) -> int:
    """A wait with C7 or C8 looks at the Matrix Unit's pointer as others see it."""
    for source in range(SOURCES):
        if (conditions >> (SRC_A_VALID + source)) & 1 and LATE_FLIP[S.tile.chip]:
            copy(S, SCRATCH, GATE + thread)
            line = of_thread(thread, Line.MATRIX)
            if conditions & MATH:
                reach(S, SCRATCH, line, S.race.ends[thread, Line.MATRIX])
            else:
                reach(S, SCRATCH, line, landed(S, thread))
            gate = of_thread(thread, Line.GATE)
            number = S.race.ends[thread, Line.GATE]
            access(S, POINTER_CELLS + source, 1, READ, SCRATCH, gate, number, site)
    return 0


def landed(S: View, thread: int) -> int:
    """Return how many instructions of the Matrix Unit began FLIGHT instructions ago, or more."""
    far_back = S.race.ends[thread, Line.GATE] - FLIGHT
    return S.race.units_at[thread, IN_MATRIX, far_back & (UNIT_RING - 1)] if far_back > 0 else 0


def after_wait(S: View, thread: int, clock: int) -> int:
    """A wait with C5 to C8 is over: the bank is the unpackers', or the Matrix Unit's."""
    conditions = S.race.wait_banks[thread]
    for source in range(SOURCES):
        if (conditions >> source) & 1:
            join(S, clock, LEFT + source * 2 + S.busy.unpack_bank[source])
        if (conditions >> (2 + source)) & 1:
            join(S, clock, GIVEN + source * 2 + S.busy.matrix_bank[source])
    return 0


INLINED = (note_given_banks,)
