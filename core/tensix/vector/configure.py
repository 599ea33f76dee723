# SPDX-License-Identifier: Apache-2.0
"""SFPCONFIG: LaneConfig, what SFPLOADMACRO runs, and the programmable LRegs."""

from core.isa.schema import Bits
from core.layout import View
from core.tensix.instruction import BH, Operand, tensix
from core.tensix.vector.operands import CONFIG_DEST, VECTOR, flags
from core.tensix.vector.state import COLUMNS, LANES

# fmt: off
CONFIG = flags("MOD1_", IMM16_IS_VALUE=1, BITWISE_OR=2, BITWISE_AND=4, BITWISE_XOR=6,
               IMM16_IS_LANE_MASK=8)
# fmt: on

IS_VALUE, IS_LANE_MASK = 1, 8
# What LReg 11 to 14 get when there is no room for 32 bits: -1, 2**-16, -0.67487759, -0.34484843.
DEFAULTS = (0xBF800000, 0x37800000, 0xBF2CC4C7, 0xBEB08FF9)
MISC_BITS = 0xFFF
LANE_CONFIG_BITS = 0x3FFFF


def combine(old: int, value: int, mod1: int) -> int:
    """The old value and the new one, as Mod1 says."""
    match mod1 & 6:
        case 0:
            return value
        case 2:
            return old | value
        case 4:
            return old & value
        case _:
            return old ^ value


@VECTOR.instruction(
    "SFPCONFIG", tensix(0x91, "imm16" / Bits(16), "vd" / Bits(4), "mod1" / Bits(4)),
    llk="imm16_math@8 config_dest@4 instr_mod1@0", latency="1-2", page=BH + "SFPCONFIG.md",
    operands={"vd": Operand(CONFIG_DEST, "what is configured"),
              "mod1": Operand(CONFIG, "how it is changed")},
    summary="Change LaneConfig, what SFPLOADMACRO runs, or a programmable LReg.",
)  # fmt: skip
def sfpconfig(S: View, thread: int, imm16: int, vd: int, mod1: int) -> int:
    """SFPCONFIG.md"""
    for lane in range(LANES):
        column = lane & (COLUMNS - 1)
        if mod1 & IS_LANE_MASK and not (imm16 >> (column * 2)) & 1:
            continue
        if S.vector.use_flags[column] and not S.vector.flags[column]:
            continue
        configure(S, lane, vd, imm16, S.vector.lreg[0, column], mod1)
    return 0


def configure(S: View, lane: int, vd: int, imm16: int, from_lreg: int, mod1: int) -> int:
    """One lane."""
    value = imm16 if mod1 & IS_VALUE else from_lreg
    if vd < 4:
        S.vector.template[vd, lane] = from_lreg
    elif vd < 8:
        S.vector.sequence[vd - 4, lane] = value
    elif vd == 8:
        S.vector.misc[lane] = combine(S.vector.misc[lane], value & MISC_BITS, mod1)
    elif vd == 15:
        old = S.vector.config[lane]
        new = combine(old, value & LANE_CONFIG_BITS, mod1)
        # A constant has no bits for the highest ones, which stay.
        S.vector.config[lane] = (new & 0xFFFF) | (old & ~0xFFFF) if mod1 & IS_VALUE else new
    elif vd > 10:
        S.vector.lreg[vd, lane] = DEFAULTS[vd - 11] if mod1 & IS_VALUE else from_lreg
    return 0
