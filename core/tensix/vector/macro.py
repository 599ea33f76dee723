# SPDX-License-Identifier: Apache-2.0
"""SFPLOADMACRO: instructions that are scheduled for later cycles (SFPLOADMACRO.md).

Each of four sub-units has a line of eight places. What is in place 0 executes when a cycle begins;
at the cycle's end everything else moves up by one place, in every cycle, or only in those in which
a thread issues an instruction to the Vector Unit, as soon as one of them wants it so. A place holds
an instruction for each column of lanes, because LoadMacroConfig may differ between columns.

scheduled.py executes them.
"""

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import Part, Role, Tag, View, row
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.gate.head import fault_at_gate
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, tensix
from tensix_gdb.core.tensix.regfiles.rwc import apply_partial_addr_mod
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.by_chip import OPCODES_OF
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, OPCODES, Sfp
from tensix_gdb.core.tensix.vector.operands import LLK_DST, VECTOR
from tensix_gdb.core.tensix.vector.operations.load import load
from tensix_gdb.core.tensix.vector.state import ALL, COLUMNS, EXTRA, LANES, LREGS, begin

SIMPLE, MULTIPLY, ROUNDING, STORING = range(4)
UNITS, PLACES = 4, 8
_MAD = (Sfp.LUT, Sfp.MULI, Sfp.ADDI, Sfp.MAD, Sfp.ADD, Sfp.MUL, Sfp.LUTFP32, Sfp.MUL24)
_LOADS = (Sfp.LOAD, Sfp.LOADI, Sfp.LOADMACRO, Sfp.NOP)
_OF: dict[int, int] = {
    **dict.fromkeys(_MAD, MULTIPLY),
    **dict.fromkeys(_LOADS, UNITS),
    Sfp.STOCHRND: ROUNDING,
    Sfp.SHFT2: ROUNDING,
    Sfp.STORE: STORING,
}
SUB_UNIT = tuple(_OF.get(opcode, SIMPLE) for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))
# Opcodes with a field VB in their encoding, and those that have no VC.
_HAS_VB = (
    *(Sfp.AND, Sfp.OR, Sfp.MAD, Sfp.ADD, Sfp.MUL, Sfp.STOCHRND, Sfp.SHFT2, Sfp.MUL24, Sfp.ARECIP),
)
_NO_VC = (
    *(Sfp.LUT, Sfp.MULI, Sfp.ADDI, Sfp.PUSHC, Sfp.POPC, Sfp.ENCC, Sfp.COMPC, Sfp.TRANSP, Sfp.NOP),
    *(Sfp.CONFIG, Sfp.LUTFP32),
)
HAS_VB = tuple(int(opcode in _HAS_VB) for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))
HAS_VC = tuple(int(opcode not in _NO_VC) for opcode in range(FIRST_OPCODE, FIRST_OPCODE + OPCODES))

NOP_WORD, STORE_WORD = Sfp.NOP << 24, Sfp.STORE << 24
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
    row("count",     "u8",  (),                       _A, "places that are taken",
        role=Role.PROGRESS),
    row("ticked",    "u8",  (),                       _A, "SFPLOADMACRO has moved them already"),
    row("word",      "u32", (UNITS, PLACES, COLUMNS), _A, "template", role=Role.PROGRESS),
    row("operands",  "u32", (UNITS, PLACES, COLUMNS), _A, "VALID, and what replaces its fields"),
    row("kind",      "u8",  _LINE,                    _A, "BY_CYCLES, BY_INSTRUCTIONS; 0: free"),
    row("thread",    "u8",  _LINE,                    _A, "the thread of the SFPLOADMACRO"),
    row("pc",        "u32", _LINE,                    _A, "where that was pushed"),
    row("hart",      "u8",  _LINE,                    _A, "the hart that pushed it"),
    row("index",     "u8",  _LINE,                    _A, "the sequence that it has asked for"),
    row("taken",     "u8",  (),                       _T, "sub-units that execute in this cycle"),
    # Of those in this cycle: what they have written, and what was there before.
    row("writers",   "u32", (),                       _T, "LRegs that were written, a bit each"),
    row("wrote",     "u32", LREGS,                    _T, "the lanes of each"),
    row("old",       "u32", (LREGS, LANES),           _T, "these LRegs when the cycle began"),
    row("old_undefined", "u32", LREGS,                _T, "their undefined lanes"),
    row("old_flags", "u32", (),                       _T, "flags when the cycle began"),
    row("old_flags_undefined", "u32", (),             _T, "their undefined lanes"),
    row("old_use",   "u32", (),                       _T, "the same"),
    # While another instruction of the cycle reads what was there before.
    row("executing", "u8",  (),                       _D, "what executes was scheduled"),
    row("swapped",   "u8",  (),                       _D, "`rewind_lregs` has done its work"),
    row("backs",     "u32", (),                       _D, "the LRegs that it has taken back"),
    row("back",      "u32", LREGS,                    _D, "lanes that are to be written again"),
    row("new",       "u32", (LREGS, LANES),           _D, "with this"),
    row("new_undefined", "u32", LREGS,                _D, "the same, of undefined lanes"),
    row("new_flags", "u32", (),                       _D, "flags that are to be set again"),
    row("new_flags_undefined", "u32", (),             _D, "their undefined lanes"),
    row("new_use",   "u32", (),                       _D, "the same"),
), role=Role.SETTING)
# fmt: on


def schedule(S: View, thread: int, index: int, vd: int, mod0: int, at: int) -> int:
    """The second half of SFPLOADMACRO; 0 or the code of a fault.

    UNSPECIFIED(SFPLOADMACRO.md): whether a byte of Sequence that schedules nothing forgets what is
    due in the cycle of its delay. By the page it does. LLK's _calculate_reciprocal_fast_24b_5c_
    relies on the contrary: its macro 0 stores one cycle after the load of macro 2, of which that
    byte is 0 (tt-metal#55801 names that distance, and has numbers of cards). So it forgets nothing.
    """
    here = S.fifo.head[thread, C]
    if some_columns_store(S, index):
        return Fault.VECTOR_MACRO
    for unit in range(UNITS):
        for column in range(COLUMNS):
            bits = (S.vector.sequence[index, column] >> (8 * unit)) & 0xFF
            delay = (bits >> DELAY_SHIFT) & 7
            if bits & 7 == 0:
                continue
            if delay != 7:
                forget(S, unit, delay, column)
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
            S.macro.index[unit, delay] = index
    return 0


def some_columns_store(S: View, index: int) -> int:
    """True if a store belongs to some lanes of the sequence only; all must have one, or none."""
    storing = 0
    for column in range(COLUMNS):
        storing += 1 if (S.vector.sequence[index, column] >> (8 * STORING)) & 7 else 0
    return 1 if 0 < storing < COLUMNS else 0


def forget(S: View, unit: int, place: int, column: int) -> int:
    """Drop what a column has scheduled for a place."""
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
    """Return the template; -1 if there is none."""
    word = NOP_WORD
    if select == 1:
        return -1
    if select == 3:
        word = STORE_WORD
    elif select > 3:
        word = S.vector.template[select & 3, column]
    opcode = word >> 24
    index = opcode - FIRST_OPCODE
    if 0 <= index < OPCODES_OF[S.tile.chip] and SUB_UNIT[index] == unit:
        return word
    return -1 if unit == STORING else NOP_WORD


def replaced(
    S: View, unit: int, word: int, bits: int, vd: int, mod0: int, at: int, misc: int, index: int
) -> int:
    """Return the operands that replace the template's fields."""
    if unit == STORING:
        source = vd
        if bits & TO_EXTRA:
            source = EXTRA
        elif bits & BY_VB:
            source = (word >> 20) & 15
        form = mod0 if (misc >> (LOAD_MOD0_SHIFT + index)) & 1 else misc & 15
        return VALID | source | form << MOD0_SHIFT | at << AT_SHIFT
    opcode = word >> 24
    old = (word >> (20 if opcode == Sfp.LUT else 4)) & 15
    vb = (word >> 12) & 15 if HAS_VB[opcode - FIRST_OPCODE] else old
    vc = (word >> 8) & 15 if HAS_VC[opcode - FIRST_OPCODE] else old
    if bits & BY_VB:
        vb = vd
    else:
        vc = vd
    return VALID | (EXTRA if bits & TO_EXTRA else vd) | vb << VB_SHIFT | vc << VC_SHIFT


# fmt: off
_MACRO = ("macro_index" / Bits(2), "vd_lo" / Bits(2), "mod0" / Bits(4))
_MACRO_AT = ("imm9" / Bits(9), "vd_hi" / Bits(1))
# What it schedules may be any template: a store goes to where the load has come from.
_OF_TEMPLATES = (uses.LREGS, uses.LANES, uses.STACK, uses.PRNG)
_READS = (
    *(uses.DST, uses.ROW_COUNTERS, uses.SAMPLED, uses.LANE_CONFIG, uses.MACROS, *_OF_TEMPLATES),
)
_WRITES = (uses.DST, uses.ROW_COUNTERS, *_OF_TEMPLATES)
_MACRO_TEXT = "Load as SFPLOAD does and schedule up to four further vector instructions."
# fmt: on


@VECTOR.instruction(
    "SFPLOADMACRO", tensix(0x93, *_MACRO, "addr_mod" / Bits(3), Unused(3), *_MACRO_AT),
    arch=Arch.BLACKHOLE, llk=LLK_DST.format(13), latency="", page=BH + "SFPLOADMACRO.md",
    reads=_READS, writes=_WRITES,
    summary=_MACRO_TEXT,
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
    begin(S, ALL)
    vd = vd_hi << 2 | vd_lo
    form = address.resolve(S, thread, mod0)
    if form == address.INT32_ALL:
        address.pop(S, thread)
    at = address.address(S, thread, imm9 << 1 | vd_hi, form)
    load(S, thread, vd, form, at)
    code = schedule(S, thread, macro_index, vd, mod0, at)
    if code:
        return fault_at_gate(S, thread, code)
    return apply_partial_addr_mod(S, thread, addr_mod)


VECTOR.instruction(
    "SFPLOADMACRO", tensix(0x93, *_MACRO, "addr_mod" / Bits(2), Unused(4), *_MACRO_AT),
    arch=Arch.WORMHOLE, llk=LLK_DST.format(14), latency="", page=WH + "SFPLOADMACRO.md",
    reads=_READS, writes=_WRITES,
    summary=_MACRO_TEXT,
)(sfploadmacro)  # fmt: skip
