# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, load and store sub-units: Dst and constants to LRegs, LRegs to Dst, macros."""

from core.isa.schema import Bits, Unused
from core.tensix.instruction import BH, WH, Arch, Operand, tensix
from core.tensix.vector.operands import CONFIG_DEST, VECTOR, flags, modes

# fmt: off
LOADI = modes("SFPLOADI_MOD0_", FLOATB=0, FLOATA=1, USHORT=2, SHORT=4, UPPER=8, LOWER=10)
CONFIG = flags("MOD1_", IMM16_IS_VALUE=1, BITWISE_OR=2, BITWISE_AND=4, BITWISE_XOR=6,
               IMM16_IS_LANE_MASK=8)

for _arch, _root, _mod, _low in (
    (Arch.BLACKHOLE, BH, ("addr_mod" / Bits(3), Unused(3)), 13),
    (Arch.WORMHOLE, WH, ("addr_mod" / Bits(2), Unused(4)), 14),
):
    _LLK = f"lreg_ind@20 instr_mod0@16 sfpu_addr_mode@{_low} dest_reg_addr@0"
    VECTOR.instruction(
        "SFPLOAD", tensix(0x70, "vd" / Bits(4), "mod0" / Bits(4), *_mod, "imm10" / Bits(10)),
        arch=_arch, llk=_LLK, page=_root + "SFPLOAD.md",
        summary="Load 32 datums of Dst to an LReg.")
    VECTOR.instruction(
        "SFPSTORE", tensix(0x72, "vd" / Bits(4), "mod0" / Bits(4), *_mod, "imm10" / Bits(10)),
        arch=_arch, llk=_LLK, latency="1" if _arch is Arch.BLACKHOLE else "2+",
        page=_root + "SFPSTORE.md",
        summary="Store an LReg to 32 datums of Dst.")
    VECTOR.instruction(
        "SFPLOADMACRO", tensix(0x93, "macro_index" / Bits(2), "vd_lo" / Bits(2), "mod0" / Bits(4),
                               *_mod, "imm9" / Bits(9), "vd_hi" / Bits(1)),
        arch=_arch, llk=_LLK, latency="", page=_root + "SFPLOADMACRO.md",
        summary="Load as SFPLOAD does and schedule up to four further vector instructions.")

VECTOR.instruction(
    "SFPLOADI", tensix(0x71, "vd" / Bits(4), "mod0" / Bits(4), "imm16" / Bits(16)),
    llk="lreg_ind@20 instr_mod0@16 imm16@0", page=BH + "SFPLOADI.md",
    operands={"mod0": Operand(LOADI, "how the constant is widened")},
    summary="Write a constant to all lanes of an LReg.")
VECTOR.instruction(
    "SFPNOP", tensix(0x8F, Unused(24)), llk="", page=BH + "SFPNOP.md",
    summary="Occupy the Vector Unit for one cycle.")
VECTOR.instruction(
    "SFPCONFIG", tensix(0x91, "imm16" / Bits(16), "vd" / Bits(4), "mod1" / Bits(4)),
    llk="imm16_math@8 config_dest@4 instr_mod1@0", latency="1-2", page=BH + "SFPCONFIG.md",
    operands={"vd": Operand(CONFIG_DEST, "what is configured"),
              "mod1": Operand(CONFIG, "how it is changed")},
    summary="Change LaneConfig, what SFPLOADMACRO runs, or a programmable LReg.")
# fmt: on
