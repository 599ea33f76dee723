# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, MAD sub-unit: multiplication and addition, and tables based on them."""

from core.isa.schema import Bits, Part, Unused
from core.tensix.instruction import BH, WH, Arch, Operand, tensix
from core.tensix.vector.operands import VECTOR, flags

# fmt: off
MAD = flags("SFPMAD_MOD1_", NEGATE_VB=1, NEGATE_VC=2, INDIRECT_VA=4, INDIRECT_VD=8)
MAD_WORMHOLE = flags("SFPMAD_MOD1_", INDIRECT_VA=4, INDIRECT_VD=8)
MAD_IMM = flags("SFPMAD_MOD1_", NEGATE_VC=2, INDIRECT_VD=8)
MAD_IMM_WORMHOLE = flags("SFPMAD_MOD1_", INDIRECT_VD=8)
MUL24 = flags("SFPMUL24_MOD1_", UPPER=1, INDIRECT_VA=4, INDIRECT_VD=8)
LUT = flags("SFPLUT_MOD0_", SGN_RETAIN=4, INDIRECT_VD=8)
# FP16_3ENTRY_TABLE and INDIRECT_VD share a bit; the table is tried first.
LUT32 = flags("SFPLUTFP32_MOD1_", FP32_3ENTRY_TABLE=0, FP16_6ENTRY_TABLE1=2, FP16_6ENTRY_TABLE2=3,
              FP16_3ENTRY_TABLE=10, SGN_RETAIN=4, INDIRECT_VD=8)


def _four(mode: Part) -> tuple[Part, ...]:
    return (Unused(4), "va" / Bits(4), "vb" / Bits(4), "vc" / Bits(4), "vd" / Bits(4), mode)


_FOUR = _four("mod1" / Bits(4))
_LLK4 = "lreg_src_a@16 lreg_src_b@12 lreg_src_c@8 lreg_dest@4 instr_mod1@0"

for _name, _opcode, _text in (
    ("SFPMAD", 0x84, "VD = VA * VB + VC."),
    ("SFPADD", 0x85, "VD = VB + VC, if VA is LReg[10]; else as SFPMAD."),
    ("SFPMUL", 0x86, "VD = VA * VB, if VC is LReg[9]; else as SFPMAD."),
):
    for _arch, _root, _kind in ((Arch.BLACKHOLE, BH, MAD), (Arch.WORMHOLE, WH, MAD_WORMHOLE)):
        VECTOR.instruction(
            _name, tensix(_opcode, *_FOUR), arch=_arch, llk=_LLK4, latency="2",
            page=f"{_root}{_name}.md", operands={"mod1": Operand(_kind, "signs and indirection")},
            summary=_text)
for _name, _opcode, _text in (
    ("SFPMULI", 0x74, "VD = VD * constant, a BF16."),
    ("SFPADDI", 0x75, "VD = VD + constant, a BF16."),
):
    for _arch, _root, _kind in ((Arch.BLACKHOLE, BH, MAD_IMM),
                                (Arch.WORMHOLE, WH, MAD_IMM_WORMHOLE)):
        VECTOR.instruction(
            _name, tensix(_opcode, "imm16" / Bits(16), "vd" / Bits(4), "mod1" / Bits(4)),
            arch=_arch, llk="imm16_math@8 lreg_dest@4 instr_mod1@0", latency="2",
            page=f"{_root}{_name}.md", operands={"mod1": Operand(_kind, "signs and indirection")},
            summary=_text)
VECTOR.instruction(
    "SFPMUL24", tensix(0x98, *_FOUR), arch=Arch.BLACKHOLE, llk=_LLK4, latency="2",
    page=BH + "SFPMUL24.md", operands={"mod1": Operand(MUL24, "which half, and indirection")},
    summary="VD = low or high 23 bits of VA * VB, 23-bit integers.")
VECTOR.instruction(
    "SFPLUT", tensix(0x73, "vd" / Bits(4), "mod0" / Bits(4), Unused(16)),
    llk="lreg_ind@20 instr_mod0@16 dest_reg_addr@0", latency="2", page=BH + "SFPLUT.md",
    operands={"mod0": Operand(LUT, "sign and indirection")},
    summary="Multiply-add of LReg[3] with coefficients from a table of 8-bit numbers.")
_LUT32_TEXT = "Multiply-add of LReg[3] with coefficients from a table of FP16 or FP32 numbers."
VECTOR.instruction(
    "SFPLUTFP32", tensix(0x95, Unused(4), "mod1_mirror" / Bits(4), Unused(8), "vd" / Bits(4),
                         "mod1" / Bits(4)),
    arch=Arch.BLACKHOLE, llk="lreg_dest@4 instr_mod1@0", latency="2", page=BH + "SFPLUTFP32.md",
    operands={"mod1": Operand(LUT32, "which table, sign, indirection")}, summary=_LUT32_TEXT)
VECTOR.instruction(
    "SFPLUTFP32", tensix(0x95, Unused(16), "vd" / Bits(4), "mod1" / Bits(4)),
    arch=Arch.WORMHOLE, llk="lreg_dest@4 instr_mod1@0", latency="2", page=WH + "SFPLUTFP32.md",
    operands={"mod1": Operand(LUT32, "which table, sign, indirection")}, summary=_LUT32_TEXT)
# fmt: on
