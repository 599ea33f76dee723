# SPDX-License-Identifier: Apache-2.0
"""SFPCONFIG: LaneConfig, what SFPLOADMACRO runs, and the programmable LRegs."""

import enum

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate, pc_at_gate
from tensix_gdb.core.tensix.instruction import BH, Operand, tensix
from tensix_gdb.core.tensix.vector.lanes import operand
from tensix_gdb.core.tensix.vector.operands import CONFIG_DEST, VECTOR, flags
from tensix_gdb.core.tensix.vector.state import (
    ALL,
    COLUMN_0,
    COLUMNS,
    DEFAULTS,
    FIRST_ROW,
    LANES,
    begin,
    note_configured,
)

COLD = True  # little time of LLVM for it (core/engine/README.md)

# fmt: off
CONFIG = flags("MOD1_", IMM16_IS_VALUE=1, BITWISE_OR=2, BITWISE_AND=4, BITWISE_XOR=6,
               IMM16_IS_LANE_MASK=8)
# fmt: on


class Combine(enum.IntEnum):
    """Bits 2:1 of Mod1 of SFPCONFIG.md."""

    REPLACE = 0
    BITWISE_OR = 2
    BITWISE_AND = 4
    BITWISE_XOR = 6


IS_VALUE, IS_LANE_MASK = 1, 8
MISC_BITS = 0xFFF
LANE_CONFIG_BITS = 0x3FFFF


def combine(old: int, value: int, mod1: int) -> int:
    """Return the old value and the new one, as Mod1 says."""
    match mod1 & 6:
        case Combine.REPLACE:
            return value
        case Combine.BITWISE_OR:
            return old | value
        case Combine.BITWISE_AND:
            return old & value
        case _:
            return old ^ value


@VECTOR.instruction(
    "SFPCONFIG", tensix(0x91, "imm16" / Bits(16), "vd" / Bits(4), "mod1" / Bits(4)),
    llk="imm16_math@8 config_dest@4 instr_mod1@0", latency="1-2", page=BH + "SFPCONFIG.md",
    operands={"vd": Operand(CONFIG_DEST, "what is configured"),
              "mod1": Operand(CONFIG, "how it is changed")},
    reads=(uses.LREGS.numbered(0).unless_set("mod1", 1),
           uses.LREGS.numbered(0).when("vd", *range(4)), uses.MACROS.when("vd", 8),
           uses.LANE_CONFIG.when("vd", 15), uses.LANES),
    writes=(uses.MACROS.when("vd", *range(9)), uses.LANE_CONFIG.when("vd", 15),
            uses.LREGS.named("vd").when("vd", *range(11, 15))),
    summary="Change LaneConfig, what SFPLOADMACRO runs, or a programmable LReg.",
)  # fmt: skip
def sfpconfig(S: View, thread: int, imm16: int, vd: int, mod1: int) -> int:
    """SFPCONFIG.md"""
    begin(S, ALL)  # its VD never means a template
    code = configure(S, vd, vd, vd, imm16, mod1)
    if code:
        return fault_at_gate(S, thread, code)
    return note_configured(S, vd, pc_at_gate(S, thread))


def chosen_columns(S: View, imm: int, mod1: int) -> int:
    """Return the columns, a bit each, that the instruction means, whatever their flags are."""
    columns = S.vector.lanes & FIRST_ROW
    if mod1 & IS_LANE_MASK:
        for column in range(COLUMNS):
            columns &= ~(1 << column) | (imm >> column * 2 & 1) << column
    return columns


def configure(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """A column at a time, from the first row. An undefined value may become another LReg's, but
    not decide what is configured."""
    chosen = chosen_columns(S, imm, mod1)
    takes = 1 if vd < 4 or (mod1 & IS_VALUE == 0 and (vd < 9 or vd == 15)) else 0
    where = chosen & (S.vector.flags | ~S.vector.use_flags)
    # Before anything is written: counted, the fault has no half of the effect.
    if chosen & S.vector.flags_undefined & S.vector.use_flags:
        return Fault.VECTOR_UNDEFINED
    if takes and where & S.vector.undefined[0]:
        return Fault.VECTOR_UNDEFINED
    for column in range(COLUMNS):
        if not (where >> column) & 1:
            continue
        from_lreg = operand(S, 0, column)
        value = imm if mod1 & IS_VALUE else from_lreg
        if vd < 4:
            S.vector.template[vd & 3, column] = from_lreg
        elif vd < 8:
            S.vector.sequence[vd & 3, column] = value
        elif vd == 8:
            S.vector.misc[column] = combine(S.vector.misc[column], value & MISC_BITS, mod1)
        elif vd == 15:
            old = S.vector.config[column]
            new = combine(old, value & LANE_CONFIG_BITS, mod1)
            # A constant has no bits for the highest ones, which stay.
            S.vector.config[column] = (new & 0xFFFF) | (old & ~0xFFFF) if mod1 & IS_VALUE else new
        elif 10 < vd < 15:
            S.vector.d[column] = DEFAULTS[vd - 11] if mod1 & IS_VALUE else from_lreg
            for lane in range(column, LANES, COLUMNS):
                S.vector.lreg[vd & 31, lane] = S.vector.d[column]
            undefined = 0 if mod1 & IS_VALUE else (S.vector.undefined[0] >> column & 1) * COLUMN_0
            old_undefined = S.vector.undefined[vd & 31] & ~(COLUMN_0 << column)
            S.vector.undefined[vd & 31] = old_undefined | undefined << column
    return 0
