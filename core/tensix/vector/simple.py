# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, simple and round sub-units: bits, integers, fields of floats, moves, conversions."""

from core.isa.schema import Bits, Fixed, NotValue, Part, Signed, Unused
from core.tensix.instruction import BH, WH, Arch, Operand, tensix
from core.tensix.vector.operands import VECTOR, flags, modes

# fmt: off
_LLK = "imm12_math@12 lreg_c@8 lreg_dest@4 instr_mod1@0"
_LLK_SRC = "imm12_math@12 lreg_src_c@8 lreg_dest@4 instr_mod1@0"
_VC_VD = ("vc" / Bits(4), "vd" / Bits(4))
_MOD1 = "mod1" / Bits(4)


def _mode(kind: object, text: str = "what is done") -> dict[str, Operand]:
    return {"mod1": Operand(kind, text)}  # type: ignore[arg-type]


def _declare(name: str, opcode: int, upper: tuple[Part, ...], kind: object, text: str) -> None:
    """An instruction of VC, VD and Mod1 on both architectures."""
    VECTOR.instruction(
        name, tensix(opcode, *upper, *_VC_VD, _MOD1), llk=_LLK, page=f"{BH}{name}.md",
        operands=_mode(kind), summary=text)


# The page has eight bits; Tenstorrent's compiler and simulator have twelve, the upper four being
# copies of the sign.
_declare("SFPDIVP2", 0x76, ("imm8[11:0]" / Signed(12),), flags("SFPDIVP2_MOD1_", ADD=1),
         "VD = VC with its exponent set to a constant, or a constant added to it.")
_declare("SFPEXEXP", 0x77, (Unused(12),),
         flags("SFPEXEXP_MOD1_", NODEBIAS=1, SET_CC_SGN_EXP=2, SET_CC_COMP_EXP=8),
         "VD = exponent of VC, as an integer.")
_declare("SFPEXMAN", 0x78, (Unused(12),), flags("SFPEXMAN_MOD1_", PAD9=1),
         "VD = mantissa of VC, as an integer.")
_declare("SFPIADD", 0x79, ("imm12" / Signed(12),),
         flags("SFPIADD_MOD1_", "ARG_LREG_DST", "CC_LT0", ARG_IMM=1, ARG_2SCOMP_LREG_DST=2,
               CC_NONE=4, CC_GTE0=8),
         "VD = VC plus or minus VD, or VC plus a constant; integers.")
for _arch, _root, _kind in (
    (Arch.BLACKHOLE, BH, flags("SFPSHFT_MOD1_", ARG_IMM=1, ARITHMETIC=2, ARG_IMM_USE_VC=4)),
    (Arch.WORMHOLE, WH, flags("SFPSHFT_MOD1_", ARG_IMM=1)),
):
    VECTOR.instruction(
        "SFPSHFT", tensix(0x7A, "imm12" / Signed(12), *_VC_VD, _MOD1), arch=_arch, llk=_LLK,
        page=f"{_root}SFPSHFT.md", operands=_mode(_kind),
        summary="VD = VD shifted by VC or a constant: left if positive, right if negative.")
_declare("SFPMOV", 0x7C, (Unused(12),),
         flags("SFPMOV_MOD1_", NEGATE=1, ALL_LANES_ENABLED=2, FROM_SPECIAL=8),
         "VD = VC, or its negative, or a configuration register.")
_declare("SFPABS", 0x7D, (Unused(12),), flags("SFPABS_MOD1_", FLOAT=1),
         "VD = absolute value of VC.")
_declare("SFPLZ", 0x81, (Unused(12),), flags("SFPLZ_MOD1_", CC_NE0=2, NOSGN_MASK=4, CC_COMP=8),
         "VD = leading zeros of VC.")
_declare("SFPSETEXP", 0x82, (Unused(4), "imm8" / Bits(8)),
         flags("SFPSETEXP_MOD1_", ARG_IMM=1, ARG_EXPONENT=2),
         "VD = VC with the exponent of VD, or with a constant as exponent.")
_declare("SFPSETMAN", 0x83, ("imm12" / Bits(12),), flags("SFPSETMAN_MOD1_", ARG_IMM=1),
         "VD = VC with the mantissa of VD, or with a constant as mantissa.")
_declare("SFPSETSGN", 0x89, (Unused(11), "imm1" / Bits(1)), flags("SFPSETSGN_MOD1_", ARG_IMM=1),
         "VD = VC with the sign of VD, or with a constant as sign.")

for _name, _opcode, _operator in (("SFPAND", 0x7E, "&"), ("SFPOR", 0x7F, "|")):
    VECTOR.instruction(
        _name, tensix(_opcode, Unused(8), "vb" / Bits(4), *_VC_VD, _MOD1),
        arch=Arch.BLACKHOLE, llk=_LLK, page=f"{BH}{_name}.md",
        operands=_mode(flags(f"{_name}_MOD1_", USE_VB=1), "VB instead of VD as an operand"),
        summary=f"VD = VD {_operator} VC, or VB {_operator} VC.")
    VECTOR.instruction(
        _name, tensix(_opcode, Unused(12), *_VC_VD, Unused(4)),
        arch=Arch.WORMHOLE, llk=_LLK, page=f"{WH}{_name}.md", summary=f"VD = VD {_operator} VC.")
for _name, _opcode, _text in (("SFPNOT", 0x80, "VD = ~VC."), ("SFPXOR", 0x8D, "VD = VD ^ VC.")):
    VECTOR.instruction(
        _name, tensix(_opcode, Unused(12), *_VC_VD, Unused(4)), llk=_LLK, page=f"{BH}{_name}.md",
        summary=_text)
VECTOR.instruction(
    "SFPTRANSP", tensix(0x8C, Unused(16), "vd" / Bits(4), Unused(4)), llk=_LLK,
    page=BH + "SFPTRANSP.md", summary="Transpose rows of LReg[0:4] and of LReg[4:8].")
VECTOR.instruction(
    "SFPARECIP", tensix(0x99, Unused(8), "vb" / Bits(4), *_VC_VD, _MOD1),
    arch=Arch.BLACKHOLE, llk=_LLK, page=BH + "SFPARECIP.md",
    operands=_mode(modes("SFPARECIP_MOD1_", RECIP=0, COND_RECIP=1, EXP=2)),
    summary="VD = approximately 1 / VC, or e to the power of VC.")

_CAST = "lreg_src_c@8 lreg_dest@4 instr_mod1@0"
_CAST_TEXT = "VD = VC converted between sign-magnitude, two's complement and FP32."
VECTOR.instruction(
    "SFPCAST", tensix(0x90, Unused(12), *_VC_VD, _MOD1), arch=Arch.BLACKHOLE, llk=_CAST,
    page=BH + "SFPCAST.md",
    operands=_mode(modes("SFPCAST_MOD1_", SM32_TO_FP32_RNE=0, SM32_TO_FP32_RNS=1, INT32_ABS=2,
                         INT32_SM32=3), "which conversion"), summary=_CAST_TEXT)
VECTOR.instruction(
    "SFPCAST", tensix(0x90, Unused(12), *_VC_VD, _MOD1), arch=Arch.WORMHOLE, llk=_CAST,
    page=WH + "SFPCAST.md", operands=_mode(flags("SFPCAST_MOD1_", RND_STOCH=1), "rounding"),
    summary="VD = VC converted from sign-magnitude to FP32.")
VECTOR.instruction(
    "SFPSWAP", tensix(0x92, Unused(12), *_VC_VD, _MOD1), llk=_LLK_SRC, latency="2",
    page=BH + "SFPSWAP.md",
    operands=_mode(modes("SFPSWAP_MOD1_", SWAP=0, VEC_MIN_MAX=1, SUBVEC_MIN01_MAX23=2,
                         SUBVEC_MIN02_MAX13=3, SUBVEC_MIN03_MAX12=4, SUBVEC_MIN0_MAX123=5,
                         SUBVEC_MIN1_MAX023=6, SUBVEC_MIN2_MAX013=7, SUBVEC_MIN3_MAX012=8)),
    summary="Swap VC and VD, or sort them into minimum and maximum.")

# Mod1 6 takes a constant where every other mode has VB and VC.
_SHFT2 = modes("SFPSHFT2_MOD1_", COPY4=0, SUBVEC_CHAINED_COPY4=1, SUBVEC_SHFLROR1_AND_COPY4=2,
               SUBVEC_SHFLROR1=3, SUBVEC_SHFLSHR1=4, SHFT_LREG=5)
VECTOR.instruction(
    "SFPSHFT2.Reg", tensix(0x94, Unused(8), "vb" / Bits(4), *_VC_VD, "mod1" / NotValue(6, 4)),
    llk=_LLK_SRC, latency="1-2", page=BH + "SFPSHFT2.md", operands=_mode(_SHFT2),
    summary="Shift bits within lanes by a register, or shuffle lanes.")
VECTOR.instruction(
    "SFPSHFT2.Imm", tensix(0x94, "imm12" / Signed(12), Unused(4), "vd" / Bits(4), Fixed(6, 4)),
    llk=_LLK_SRC, latency="1", page=BH + "SFPSHFT2.md",
    summary="VD = LReg shifted by a constant; SFPSHFT is to be preferred.")

_ROUND = modes("SFPSTOCHRND_MOD1_", FP32_TO_FP16A=0, FP32_TO_FP16B=1, FP32_TO_UINT8=2,
               FP32_TO_INT8=3, INT32_TO_UINT8=4, INT32_TO_INT8=5, FP32_TO_UINT16=6,
               FP32_TO_INT16=7)
_ROUND_LLK = "rnd_mode@21 imm8_math@16 lreg_src_b@12 lreg_src_c@8 lreg_dest@4 instr_mod1@0"
_ROUND_LOW = ("imm5" / Bits(5), "vb" / Bits(4), *_VC_VD, "use_imm5" / Bits(1), "mod1" / Bits(3))
_ROUND_TEXT = "VD = VC rounded to fewer bits of mantissa, or to a small integer."
VECTOR.instruction(
    "SFP_STOCH_RND", tensix(0x8E, Unused(1), "rounding_mode" / Bits(2), *_ROUND_LOW),
    arch=Arch.BLACKHOLE, llk=_ROUND_LLK, page=BH + "SFPSTOCHRND.md",
    operands=_mode(_ROUND, "from what to what"), summary=_ROUND_TEXT)
VECTOR.instruction(
    "SFP_STOCH_RND", tensix(0x8E, Unused(2), "stochastic_rounding" / Bits(1), *_ROUND_LOW),
    arch=Arch.WORMHOLE, llk=_ROUND_LLK, page=WH + "SFPSTOCHRND.md",
    operands=_mode(_ROUND, "from what to what"), summary=_ROUND_TEXT)
# fmt: on
