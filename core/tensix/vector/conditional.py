# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, conditional execution: lane flags, the stack of flags, comparisons."""

from core.isa.operand import ALWAYS
from core.isa.schema import Bits, Unused
from core.layout import View
from core.tensix.at_gate import word_at_gate
from core.tensix.instruction import BH, WH, Arch, Operand, tensix
from core.tensix.vector.operands import VECTOR, flags
from core.tensix.vector.state import FIRST_BACKDOOR, LANES, backdoor_is_shut, write_template

# fmt: off
_LLK = "imm12_math@12 lreg_c@8 lreg_dest@4 instr_mod1@0"
SETCC = flags("SFPSETCC_MOD1_", LREG_LT0=0, IMM_BIT0=1, LREG_NE0=2, LREG_GTE0=4, LREG_EQ0=6,
              CLEAR=8)
ENCC = flags("SFPENCC_MOD1_", EC=1, EI=2, RI=8)
ENCC_IMM2 = flags("SFPENCC_IMM2_", E=1, R=2)
COMPARE = dict(SET_CC=1, MUTATE_STACK=2, MUTATE_OR=4, SET_VD=8)

VECTOR.instruction(
    "SFPSETCC", tensix(0x7B, Unused(11), "imm1" / Bits(1), "vc" / Bits(4), "vd" / Bits(4),
                       "mod1" / Bits(4)),
    llk=_LLK, page=BH + "SFPSETCC.md", operands={"mod1": Operand(SETCC, "which comparison")},
    summary="Lane flags = comparison of VC with zero.")
# fmt: on


@VECTOR.instruction(
    "SFPENCC", tensix(0x8A, Unused(10), "imm2" / Bits(2), Unused(4), "vd" / Bits(4),
                      "mod1" / Bits(4)),
    llk=_LLK, page=BH + "SFPENCC.md",
    operands={"imm2": Operand(ENCC_IMM2, "constants for the flags"),
              "mod1": Operand(ENCC, "which of them are set")},
    summary="Turn conditional execution on or off.",
)  # fmt: skip
def sfpencc(S: View, thread: int, imm2: int, vd: int, mod1: int) -> int:
    """SFPENCC.md"""
    if vd >= FIRST_BACKDOOR:
        write_template(S, vd, word_at_gate(S, thread))
    for lane in range(LANES):
        if vd >= FIRST_BACKDOOR and not backdoor_is_shut(S, lane):
            continue
        if mod1 & 2:
            S.vector.use_flags[lane] = imm2 & 1
        elif mod1 & 1:
            S.vector.use_flags[lane] = 1 - S.vector.use_flags[lane]
        S.vector.flags[lane] = (imm2 >> 1) & 1 if mod1 & 8 else 1
    return 0


# fmt: off
VECTOR.instruction(
    "SFPCOMPC", tensix(0x8B, Unused(16), "vd" / Bits(4), Unused(4)), llk=_LLK,
    page=BH + "SFPCOMPC.md", summary="Lane flags = those of the else branch.")
VECTOR.instruction(
    "SFPPUSHC", tensix(0x87, Unused(16), "vd" / Bits(4), "mod1" / Bits(4)), arch=Arch.BLACKHOLE,
    llk=_LLK, page=BH + "SFPPUSHC.md",
    operands={"mod1": Operand(ALWAYS, "0: push; else how the top of the stack is changed")},
    summary="Push the lane flags, or change the top of the stack.")
VECTOR.instruction(
    "SFPPUSHC", tensix(0x87, Unused(16), "vd" / Bits(4), Unused(4)), arch=Arch.WORMHOLE,
    llk=_LLK, page=WH + "SFPPUSHC.md", summary="Push the lane flags.")
VECTOR.instruction(
    "SFPPOPC", tensix(0x88, Unused(16), "vd" / Bits(4), "mod1" / Bits(4)), llk=_LLK,
    page=BH + "SFPPOPC.md",
    operands={"mod1": Operand(ALWAYS, "0: pop; else how the lane flags are changed")},
    summary="Pop the lane flags, or change them by the top of the stack.")
for _name, _opcode, _text in (("SFPLE", 0x96, "VD <= VC"), ("SFPGT", 0x97, "VD > VC")):
    VECTOR.instruction(
        _name, tensix(_opcode, Unused(12), "vc" / Bits(4), "vd" / Bits(4), "mod1" / Bits(4)),
        arch=Arch.BLACKHOLE, llk=_LLK, page=f"{BH}{_name}.md",
        operands={"mod1": Operand(flags(f"{_name}_MOD1_", **COMPARE), "where the result goes to")},
        summary=f"Compare: {_text}.")
# fmt: on
