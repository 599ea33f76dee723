# SPDX-License-Identifier: Apache-2.0
"""SFPLOADMACRO: instructions that are scheduled for later cycles (SFPLOADMACRO.md).

Each of four sub-units has a line of eight places. What is in place 0 executes when a cycle begins;
at the cycle's end everything else moves up by one place, in every cycle, or only in those in which
a thread issues an instruction to the Vector Unit, as soon as one of them wants it so. A place holds
an instruction for each column of lanes, because LoadMacroConfig may differ between columns.

Everything that executes in one cycle reads what was there when it began. Scheduled instructions
execute before the one at the gate, in an order in which none reads what another has written: the
store, MAD (which writes later), and then the one of simple and round whose VD is 16, which nobody
but a store can read. For the one at the gate, what they have written is taken back while it
executes, unless it is a load (`before`, `after`).
"""

from core.faults import Fault
from core.isa.schema import Bits, Unused
from core.lanes import lanes
from core.layout import Part, Tag, View, row
from core.stop import SCHEDULED, STOPPED, fault
from core.tensix.at_gate import fault_at_gate
from core.tensix.fifo import C
from core.tensix.instruction import BH, Arch, tensix
from core.tensix.rwc import apply_partial_addr_mod
from core.tensix.vector import address, load_store
from core.tensix.vector.operands import VECTOR
from core.tensix.vector.operations import operate
from core.tensix.vector.reads import (
    FIRST_OPCODE,
    LOAD,
    LOADI,
    LOADMACRO,
    LUT,
    NOP,
    OPCODES,
    ROUND,
    SHFT2,
    STORE,
)
from core.tensix.vector.state import ALL, COLUMN_0, COLUMNS, EXTRA, LANES, LREGS

SIMPLE, MULTIPLY, ROUNDING, STORING = range(4)
UNITS, PLACES = 4, 8
_MAD = (0x73, 0x74, 0x75, 0x84, 0x85, 0x86, 0x95, 0x98)
_LOADS = (LOAD, LOADI, LOADMACRO, NOP)
_OF = {
    **dict.fromkeys(_MAD, MULTIPLY),
    **dict.fromkeys(_LOADS, UNITS),
    ROUND: ROUNDING,
    SHFT2: ROUNDING,
    STORE: STORING,
}
SUB_UNIT = tuple(_OF.get(one, SIMPLE) for one in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))
# Opcodes whose encoding has a field VB, and those that have no VC.
_HAS_VB = (0x7E, 0x7F, 0x84, 0x85, 0x86, 0x8E, 0x94, 0x98, 0x99)
_NO_VC = (0x73, 0x74, 0x75, 0x87, 0x88, 0x8A, 0x8B, 0x8C, 0x8F, 0x91, 0x95)
HAS_VB = tuple(int(one in _HAS_VB) for one in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))
HAS_VC = tuple(int(one not in _NO_VC) for one in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))

NOP_WORD, STORE_WORD = NOP << 24, STORE << 24
VALID = 1 << 31
VB_SHIFT, VC_SHIFT = 5, 10
MOD0_SHIFT, AT_SHIFT = 5, 10  # of a store, in the same places
BY_VB, TO_EXTRA = 0x80, 0x40  # of a byte of Sequence
DELAY_SHIFT = 3
BY_CYCLES, BY_INSTRUCTIONS = 1, 2
KIND_SHIFT, LOAD_MOD0_SHIFT = 8, 4  # of Misc

_A, _D, _T = Tag.ARCHITECTURAL, Tag.DERIVED, Tag.TIMING
_LINE = (UNITS, PLACES)

# fmt: off
MACRO = Part("macro", (
    row("count",     "u8",  (),                       _A, "places that are taken"),
    row("ticked",    "u8",  (),                       _A, "SFPLOADMACRO has moved them already"),
    row("word",      "u32", (UNITS, PLACES, COLUMNS), _A, "template"),
    row("operands",  "u32", (UNITS, PLACES, COLUMNS), _A, "VALID, and what replaces its fields"),
    row("kind",      "u8",  _LINE,                    _A, "BY_CYCLES, BY_INSTRUCTIONS; 0: free"),
    row("thread",    "u8",  _LINE,                    _A, "whose SFPLOADMACRO"),
    row("pc",        "u32", _LINE,                    _A, "where that was pushed"),
    row("hart",      "u8",  _LINE,                    _A, "by whom"),
    row("taken",     "u8",  (),                       _T, "sub-units that execute in this cycle"),
    row("old",       "u32", (LREGS, LANES),           _D, "LRegs when the cycle began"),
    row("new",       "u32", (LREGS, LANES),           _D, "LRegs without the gate's instruction"),
    row("old_flags", "u32", (),                       _D, "flags when the cycle began"),
    row("old_use",   "u32", (),                       _D, "the same"),
    row("new_flags", "u32", (),                       _D, "flags without the gate's instruction"),
    row("new_use",   "u32", (),                       _D, "the same"),
    row("swapped",   "u8",  (),                       _D, "`before` has taken LRegs back"),
))
# fmt: on


def schedule(S: View, thread: int, index: int, vd: int, mod0: int, at: int) -> int:
    """The second half of SFPLOADMACRO; 0 or the code of a fault."""
    here = S.fifo.head[thread, C]
    for unit in range(UNITS):
        for column in range(COLUMNS):
            bits = (S.vector.sequence[index, column] >> (8 * unit)) & 0xFF
            delay = (bits >> DELAY_SHIFT) & 7
            if delay != 7:
                forget(S, unit, delay, column)
            if bits & 7 == 0:
                continue
            word = chosen(S, unit, bits & 7, column)
            if word < 0:
                return Fault.VECTOR_MACRO
            S.macro.word[unit, delay, column] = word
            S.macro.operands[unit, delay, column] = replaced(
                S, unit, word, bits, vd, mod0, at, S.vector.misc[column], index
            )
            if S.macro.kind[unit, delay] == 0:
                S.macro.count += 1
            by = (S.vector.misc[column] >> (KIND_SHIFT + unit)) & 1
            S.macro.kind[unit, delay] = BY_INSTRUCTIONS if by else BY_CYCLES
            S.macro.thread[unit, delay] = thread
            S.macro.pc[unit, delay] = S.fifo.pc[thread, C, here]
            S.macro.hart[unit, delay] = S.fifo.hart[thread, C, here]
    return 0


def forget(S: View, unit: int, place: int, column: int) -> int:
    """What a column has scheduled for a place is not to be executed."""
    S.macro.operands[unit, place, column] = 0
    for other in range(COLUMNS):
        if S.macro.operands[unit, place, other]:
            return 0
    return free(S, unit, place)


def free(S: View, unit: int, place: int) -> int:
    """Nothing is in this place any more."""
    if S.macro.kind[unit, place]:
        S.macro.kind[unit, place] = 0
        S.macro.count -= 1
    return 0


def chosen(S: View, unit: int, select: int, column: int) -> int:
    """The template; -1 if there is none."""
    word = NOP_WORD
    if select == 1:
        return -1
    if select == 3:
        word = STORE_WORD
    elif select > 3:
        word = S.vector.template[select & 3, column]
    opcode = word >> 24
    if FIRST_OPCODE <= opcode < FIRST_OPCODE + OPCODES and SUB_UNIT[opcode - FIRST_OPCODE] == unit:
        return word
    return -1 if unit == STORING else NOP_WORD


def replaced(
    S: View, unit: int, word: int, bits: int, vd: int, mod0: int, at: int, misc: int, index: int
) -> int:
    """What takes the places of the template's fields."""
    if unit == STORING:
        source = vd
        if bits & TO_EXTRA:
            source = EXTRA
        elif bits & BY_VB:
            source = (word >> 20) & 15
        form = mod0 if (misc >> (LOAD_MOD0_SHIFT + index)) & 1 else misc & 15
        return VALID | source | form << MOD0_SHIFT | at << AT_SHIFT
    opcode = word >> 24
    old = (word >> (20 if opcode == LUT else 4)) & 15
    vb = (word >> 12) & 15 if HAS_VB[opcode - FIRST_OPCODE] else old
    vc = (word >> 8) & 15 if HAS_VC[opcode - FIRST_OPCODE] else old
    if bits & BY_VB:
        vb = vd
    else:
        vc = vd
    return VALID | (EXTRA if bits & TO_EXTRA else vd) | vb << VB_SHIFT | vc << VC_SHIFT


def execute(S: View) -> int:
    """What is in place 0 of the lines; 0, or STOPPED."""
    if S.macro.taken == 0:
        keep_old(S)
    first = ROUNDING if vd_of(S, ROUNDING) == EXTRA else SIMPLE
    if both_write_the_same(S):
        return refuse(S, SIMPLE, Fault.VECTOR_MACRO)
    for i in range(UNITS):
        unit = STORING if i == 0 else MULTIPLY if i == 1 else first if i == 2 else ROUNDING - first
        if S.macro.kind[unit, 0] == 0:
            continue
        S.macro.taken |= 1 << unit
        flags = S.vector.flags
        use_flags = S.vector.use_flags
        if unit == ROUNDING:
            S.vector.flags = S.macro.old_flags
            S.vector.use_flags = S.macro.old_use
        status = execute_unit(S, unit)
        if unit == ROUNDING:
            S.vector.flags = flags
            S.vector.use_flags = use_flags
        if status < 0:
            return status
    return 0


def keep_old(S: View) -> int:
    """What everything in this cycle reads."""
    S.macro.old_flags = S.vector.flags
    S.macro.old_use = S.vector.use_flags
    for number in range(LREGS):
        for lane in lanes(LANES):
            S.macro.old[number, lane] = S.vector.lreg[number, lane]
    return 0


def before(S: View, word: int) -> int:
    """The instruction at the gate is to read what was there before the scheduled ones."""
    if S.macro.taken & (1 << SIMPLE | 1 << ROUNDING) == 0:
        return 0
    if SUB_UNIT[(word >> 24) - FIRST_OPCODE] == UNITS:
        return 0
    S.macro.swapped = 1
    S.macro.new_flags = S.vector.flags
    S.macro.new_use = S.vector.use_flags
    S.vector.flags = S.macro.old_flags
    S.vector.use_flags = S.macro.old_use
    for number in range(LREGS):
        for lane in lanes(LANES):
            S.macro.new[number, lane] = S.vector.lreg[number, lane]
        for lane in lanes(LANES):
            S.vector.lreg[number, lane] = S.macro.old[number, lane]
    return 0


def after(S: View) -> int:
    """What the scheduled ones have written is back, but where the gate's instruction has written.

    It has not touched the flags: those that do are of the simple sub-unit, and if a scheduled one
    has that, it is discarded.
    """
    S.macro.swapped = 0
    if (S.macro.taken >> SIMPLE) & 1:
        S.vector.flags = S.macro.new_flags
        S.vector.use_flags = S.macro.new_use
    for number in range(LREGS):
        for lane in lanes(LANES):
            here = S.vector.lreg[number, lane]
            new = S.macro.new[number, lane]
            S.vector.lreg[number, lane] = new if here == S.macro.old[number, lane] else here
    return 0


def vd_of(S: View, unit: int) -> int:
    """VD of what a sub-unit executes in this cycle; 0 if it executes nothing."""
    vd = 0
    for column in range(COLUMNS):
        if S.macro.kind[unit, 0] and S.macro.operands[unit, 0, column]:
            vd = S.macro.operands[unit, 0, column] & 31
    return vd


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
        S.vector.lanes = where
        vd = operands & 31
        if unit == STORING:
            form = address.resolve(S, thread, (operands >> MOD0_SHIFT) & 15)
            load_store.store(S, thread, vd, form, (operands >> AT_SHIFT) & 0x3FF)
        elif word != NOP_WORD:
            code = operate(S, word, (operands >> VB_SHIFT) & 31, (operands >> VC_SHIFT) & 31, vd)
            if code:
                return refuse(S, unit, code)
    return free(S, unit, 0)


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
            S.macro.kind[unit, place] = 0
    return 1


def counts_instructions(S: View) -> int:
    """Does anything that is scheduled wait for instructions to be issued?"""
    for unit in range(UNITS):
        for place in range(PLACES):
            if S.macro.kind[unit, place] == BY_INSTRUCTIONS:
                return 1
    return 0


def scheduled(S: View, thread: int) -> int:
    """Instructions of a thread that will execute without anything else being issued.

    UNSPECIFIED(STALLWAIT.md): whether C11 sees those that wait for instructions to be issued; no,
    as a thread that waits for them issues none.
    """
    if S.macro.count == 0 or counts_instructions(S):
        return 0
    found = 0
    for unit in range(UNITS):
        for place in range(PLACES):
            if S.macro.kind[unit, place] and S.macro.thread[unit, place] == thread:
                found += 1
    return found


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
    """Is the sub-unit of the instruction at the gate taken by a scheduled one in this cycle?"""
    return (S.macro.taken >> SUB_UNIT[(word >> 24) - FIRST_OPCODE]) & 1


@VECTOR.instruction(
    "SFPLOADMACRO", tensix(0x93, "macro_index" / Bits(2), "vd_lo" / Bits(2), "mod0" / Bits(4),
                           "addr_mod" / Bits(3), Unused(3), "imm9" / Bits(9), "vd_hi" / Bits(1)),
    arch=Arch.BLACKHOLE, latency="", page=BH + "SFPLOADMACRO.md",
    llk="lreg_ind@20 instr_mod0@16 sfpu_addr_mode@13 dest_reg_addr@0",
    summary="Load as SFPLOAD does and schedule up to four further vector instructions.",
)  # fmt: skip
def sfploadmacro(
    S: View,
    thread: int,
    macro_index: int,
    vd_lo: int,
    mod0: int,
    addr_mod: int,
    imm9: int,
    vd_hi: int,
) -> int:
    """SFPLOADMACRO.md"""
    S.vector.lanes = ALL
    vd = vd_hi << 2 | vd_lo
    form = address.resolve(S, thread, mod0)
    if form == address.INT32_ALL:
        address.pop(S, thread)
    at = address.address(S, thread, imm9 << 1 | vd_hi, form)
    code = load_store.load(S, thread, vd, form, at)
    if code == 0:
        code = schedule(S, thread, macro_index, vd, mod0, at)
    if code:
        return fault_at_gate(S, thread, code)
    return apply_partial_addr_mod(S, thread, addr_mod)
