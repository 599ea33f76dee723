# SPDX-License-Identifier: Apache-2.0
"""The instructions that SFPLOADMACRO has scheduled: when they execute, what they read (macro.py).

Everything that executes in one cycle reads what was there when it began. Scheduled instructions
execute before the one at the gate, one sub-unit after the other; what they have written is taken
back while the next one executes (`rewind_lregs`, `replay_lregs`).
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.stop import SCHEDULED, STOPPED, fault
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.macro import (
    AT_SHIFT,
    BY_INSTRUCTIONS,
    MOD0_SHIFT,
    MULTIPLY,
    NOP_WORD,
    PLACES,
    ROUNDING,
    SIMPLE,
    STORING,
    SUB_UNIT,
    UNITS,
    VB_SHIFT,
    VC_SHIFT,
    free,
)
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, Sfp
from tensix_gdb.core.tensix.vector.operations.store import store
from tensix_gdb.core.tensix.vector.operations_by_opcode import operate
from tensix_gdb.core.tensix.vector.reads import EVERY
from tensix_gdb.core.tensix.vector.state import (
    COLUMN_0,
    COLUMNS,
    EXTRA,
    LANES,
    begin,
    note_configured,
)
from tensix_gdb.core.tensix.vector.writeback import MASK
from tensix_gdb.core.tensix.vector.writes import lanes_of, meets_another, written


def execute(S: View) -> int:
    """Execute the instructions in place 0 of the lines. Return 0, or STOPPED."""
    if S.macro.taken == 0:
        S.macro.old_flags = S.vector.flags
        S.macro.old_use = S.vector.use_flags
        S.macro.old_flags_undefined = S.vector.flags_undefined
        S.macro.writers = 0
    if both_write_the_same(S):
        return refuse(S, SIMPLE, Fault.VECTOR_MACRO)
    for i in range(UNITS):
        unit = STORING if i == 0 else MULTIPLY if i == 1 else SIMPLE if i == 2 else ROUNDING
        if S.macro.kind[unit, 0] == 0:
            continue
        S.macro.taken |= 1 << unit
        if unit == ROUNDING:
            rewind_lregs(S, EVERY)
        status = execute_unit(S, unit)
        if unit == ROUNDING:
            replay_lregs(S)
        if status < 0:
            return status
    return 0


def rewind_lregs(S: View, numbers: int) -> int:
    """Undo this cycle's writes of these LRegs, so that what executes next reads the old values."""
    S.macro.swapped = 1
    if (S.macro.taken >> SIMPLE) & 1:
        S.macro.new_flags = S.vector.flags
        S.macro.new_use = S.vector.use_flags
        S.macro.new_flags_undefined = S.vector.flags_undefined
        S.vector.flags_undefined = S.macro.old_flags_undefined
        S.vector.flags = S.macro.old_flags
        S.vector.use_flags = S.macro.old_use
    left = S.macro.writers & numbers
    S.macro.backs = left
    while left:
        number = (int.bit_length(left) - 1) & MASK
        S.macro.back[number] = S.macro.wrote[number]
        S.macro.new_undefined[number] = S.vector.undefined[number]
        S.vector.undefined[number] = S.macro.old_undefined[number]
        for lane in lanes(LANES):
            S.macro.new[number, lane] = S.vector.lreg[number, lane]
        for lane in lanes(LANES):
            S.vector.lreg[number, lane] = S.macro.old[number, lane]
        left ^= 1 << number
    return 0


def replay_lregs(S: View) -> int:
    """Redo what `rewind_lregs` has undone.

    If the simple sub-unit has executed what was scheduled, nothing else has touched the flags.
    """
    S.macro.swapped = 0
    if (S.macro.taken >> SIMPLE) & 1:
        S.vector.flags_undefined = S.macro.new_flags_undefined
        S.vector.flags = S.macro.new_flags
        S.vector.use_flags = S.macro.new_use
    left = S.macro.backs
    while left:
        number = (int.bit_length(left) - 1) & MASK
        where = S.macro.back[number]
        left_undefined = S.vector.undefined[number] & ~where
        S.vector.undefined[number] = left_undefined | S.macro.new_undefined[number] & where
        for lane in lanes(LANES):
            here = S.vector.lreg[number, lane]
            new = S.macro.new[number, lane]
            S.vector.lreg[number, lane] = new if (where >> lane) & 1 else here
        left ^= 1 << number
    return 0


def note_writes(S: View, numbers: int, where: int) -> int:
    """A scheduled instruction is about to write these LRegs, in these lanes."""
    left = numbers
    while left:
        number = (int.bit_length(left) - 1) & MASK
        if (S.macro.writers >> number) & 1:
            S.macro.wrote[number] |= where
        else:
            S.macro.wrote[number] = where
            S.macro.old_undefined[number] = S.vector.undefined[number]
            for lane in lanes(LANES):
                S.macro.old[number, lane] = S.vector.lreg[number, lane]
        left ^= 1 << number
    S.macro.writers |= numbers
    return 0


def both_write_the_same(S: View) -> int:
    """Simple and round at the same time: just one of them may have VD 16. SFPNOP writes nothing."""
    for column in range(COLUMNS):
        simple = S.macro.operands[SIMPLE, 0, column] if S.macro.kind[SIMPLE, 0] else 0
        rounding = S.macro.operands[ROUNDING, 0, column] if S.macro.kind[ROUNDING, 0] else 0
        nops = S.macro.word[SIMPLE, 0, column] == NOP_WORD
        nops |= S.macro.word[ROUNDING, 0, column] == NOP_WORD
        alike = (simple & 31 == EXTRA) == (rounding & 31 == EXTRA)
        if simple and rounding and alike and not nops:
            return 1
    return 0


def execute_unit(S: View, unit: int) -> int:
    """Columns with the same instruction execute it together."""
    thread = S.macro.thread[unit, 0]
    for first in range(COLUMNS):
        operands = S.macro.operands[unit, 0, first]
        word = S.macro.word[unit, 0, first]
        if operands == 0:
            continue
        where = 0
        for column in range(first, COLUMNS):
            same = S.macro.operands[unit, 0, column] == operands
            if same and S.macro.word[unit, 0, column] == word:
                where |= COLUMN_0 << column
                S.macro.operands[unit, 0, column] = 0
        begin(S, where)
        vd = operands & 31
        if unit == STORING:
            form = address.resolve(S, thread, (operands >> MOD0_SHIFT) & 15)
            store(S, thread, vd, form, (operands >> AT_SHIFT) & 0x3FF, False)
        elif word != NOP_WORD:
            code = execute_word(S, word, operands)
            if code:
                return refuse(S, unit, code)
    return free(S, unit, 0)


def execute_word(S: View, word: int, operands: int) -> int:
    """Return a template with its operands, in `vector.lanes`; 0 or the code of a fault."""
    vd = operands & 31
    numbers = written(S, word, vd)
    where = lanes_of(S, word) & S.vector.lanes
    if numbers:
        if meets_another(S, numbers, where):
            return Fault.VECTOR_WRITES
        note_writes(S, numbers, where)
    S.macro.executing = 1
    code = operate(S, word, (operands >> VB_SHIFT) & 31, (operands >> VC_SHIFT) & 31, vd)
    S.macro.executing = 0
    if word >> 24 == Sfp.CONFIG and code == 0:
        note_configured(S, vd, S.macro.pc[SIMPLE, 0])
    return code


def refuse(S: View, unit: int, code: int) -> int:
    """Stop at what a sub-unit was to execute, which is then over."""
    thread = S.macro.thread[unit, 0]
    pc = S.macro.pc[unit, 0]
    word = 0
    for column in range(COLUMNS):
        if S.macro.word[unit, 0, column]:
            word = S.macro.word[unit, 0, column]
        S.macro.operands[unit, 0, column] = 0
    fault(S, S.macro.hart[unit, 0], code, word, thread << 32 | pc)
    S.stop.stream = SCHEDULED
    free(S, unit, 0)
    return STOPPED


def tick(S: View, issued: int) -> int:
    """Everything moves up by one place, unless one that counts instructions has seen none."""
    if S.macro.ticked:
        return 0
    S.macro.ticked = 1
    if not issued and counts_instructions(S):
        return 0
    for unit in range(UNITS):
        for place in range(1, PLACES):
            if S.macro.kind[unit, place] == 0:
                continue
            for column in range(COLUMNS):
                S.macro.word[unit, place - 1, column] = S.macro.word[unit, place, column]
                S.macro.operands[unit, place - 1, column] = S.macro.operands[unit, place, column]
                S.macro.operands[unit, place, column] = 0
            S.macro.kind[unit, place - 1] = S.macro.kind[unit, place]
            S.macro.thread[unit, place - 1] = S.macro.thread[unit, place]
            S.macro.pc[unit, place - 1] = S.macro.pc[unit, place]
            S.macro.hart[unit, place - 1] = S.macro.hart[unit, place]
            S.macro.index[unit, place - 1] = S.macro.index[unit, place]
            S.macro.kind[unit, place] = 0
    return 1


def counts_instructions(S: View) -> int:
    """True if anything that is scheduled waits for instructions to be issued."""
    for unit in range(UNITS):
        for place in range(PLACES):
            if S.macro.kind[unit, place] == BY_INSTRUCTIONS:
                return 1
    return 0


def pending(S: View, thread: int) -> int:
    """Instructions of a thread that will execute without anything else being issued.

    UNSPECIFIED(STALLWAIT.md): whether C11 sees those that wait for instructions to be issued; no,
    as a thread that waits for them issues none.
    """
    if S.macro.count == 0 or counts_instructions(S):
        return 0
    count = 0
    for unit in range(UNITS):
        for place in range(PLACES):
            if S.macro.kind[unit, place] and S.macro.thread[unit, place] == thread:
                count += 1
    return count


def forget_all(S: View) -> int:
    """Nothing is scheduled any more."""
    for unit in range(UNITS):
        for place in range(PLACES):
            free(S, unit, place)
            for column in range(COLUMNS):
                S.macro.operands[unit, place, column] = 0
    S.macro.taken = 0
    return 0


def discards(S: View, word: int) -> int:
    """True if a scheduled instruction takes the sub-unit of the one at the gate in this cycle."""
    return (S.macro.taken >> SUB_UNIT[(word >> 24) - FIRST_OPCODE]) & 1
