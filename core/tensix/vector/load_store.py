# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, load and store sub-units: Dst and constants to LRegs, LRegs to Dst, macros."""

from core.arch.numbers import MASK32, sext
from core.faults import Fault
from core.isa.schema import Bits, Unused
from core.layout import View
from core.tensix.at_gate import fault_at_gate, word_at_gate
from core.tensix.instruction import BH, WH, Arch, Operand, tensix
from core.tensix.vector.operands import VECTOR, modes
from core.tensix.vector.state import FIRST_BACKDOOR, LANES, lane_enabled, write_template

# fmt: off
LOADI = modes("SFPLOADI_MOD0_", FLOATB=0, FLOATA=1, USHORT=2, SHORT=4, UPPER=8, LOWER=10)

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

# fmt: on


def widened(mod0: int, imm16: int, old: int) -> int:
    """The constant of SFPLOADI as a datum; -1 for a mode without meaning."""
    match mod0:
        case 0:
            return imm16 << 16
        case 1:
            exponent = ((imm16 >> 10) & 0x1F) + 112
            return (imm16 >> 15) << 31 | exponent << 23 | (imm16 & 0x3FF) << 13
        case 2:
            return imm16
        case 4:
            return sext(imm16, 16) & MASK32
        case 8:
            return imm16 << 16 | (old & 0xFFFF)
        case 10:
            return (old & 0xFFFF0000) | imm16
        case _:
            return -1


@VECTOR.instruction(
    "SFPLOADI", tensix(0x71, "vd" / Bits(4), "mod0" / Bits(4), "imm16" / Bits(16)),
    llk="lreg_ind@20 instr_mod0@16 imm16@0", page=BH + "SFPLOADI.md",
    operands={"mod0": Operand(LOADI, "how the constant is widened")},
    summary="Write a constant to all lanes of an LReg.",
)  # fmt: skip
def sfploadi(S: View, thread: int, vd: int, mod0: int, imm16: int) -> int:
    """SFPLOADI.md"""
    if vd >= FIRST_BACKDOOR:
        return write_template(S, vd, word_at_gate(S, thread))
    if widened(mod0, imm16, 0) < 0:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    if vd < 8:
        for lane in range(LANES):
            if lane_enabled(S, lane):
                S.vector.lreg[vd, lane] = widened(mod0, imm16, S.vector.lreg[vd, lane])
    return 0


@VECTOR.instruction(
    "SFPNOP", tensix(0x8F, Unused(24)), llk="", page=BH + "SFPNOP.md",
    summary="Occupy the Vector Unit for one cycle.",
)  # fmt: skip
def sfpnop(S: View, thread: int) -> int:
    """SFPNOP.md"""
    return 0
