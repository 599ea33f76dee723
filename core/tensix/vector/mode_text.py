# SPDX-License-Identifier: Apache-2.0
"""The meanings of the modes of vector instructions, after the functional models of the SFP* pages.

By the prefix that the pages put before the names; `operands.py` joins the two. Register indirection
is the same for all: the number of the LReg comes from LReg[7] of each lane.
"""

_INDIRECT = {
    "INDIRECT_VA": "LReg[7] says which LReg is VA",
    "INDIRECT_VD": "LReg[7] says which LReg is VD",
}
_COMPARE = {
    "SET_CC": "the result becomes the lane flags",
    "MUTATE_STACK": "the flags on top of the stack are combined with it by and",
    "MUTATE_OR": "they are combined by or",
    "SET_VD": "VD becomes -1 where it holds, 0 elsewhere",
}
_SORTED = "VD gets the minimum in {} of four groups of eight lanes, the maximum in the others"

# fmt: off
MEANINGS: dict[str, dict[str, str]] = {
    "MOD0_FMT_": {
        "SRCB":       "the format that SrcB has, or FP32 if ALU_ACC_CTRL_SFPU_Fp32_enabled",
        "FP16":       "FP16 in Dst, FP32 in the LReg",
        "BF16":       "BF16 in Dst, FP32 in the LReg",
        "FP32":       "FP32 on both sides",
        "INT32":      "32 bits as they are",
        "INT8":       "sign and 8 bits in Dst, 32-bit sign-magnitude in the LReg",
        "UINT16":     "16 bits in Dst, unsigned",
        "HI16":       "16 bits in Dst, the high half of the LReg",
        "INT16":      "16-bit sign-magnitude in Dst, 32-bit in the LReg",
        "LO16":       "16 bits in Dst, the low half of the LReg",
        "INT32_ALL":  "32 bits, in all lanes whether enabled or not",
        "ZERO":       "zeros",
        "INT32_SM":   "32 bits as they are (deprecated)",
        "INT8_COMP":  "sign and 10 bits in Dst (deprecated)",
        "LO16_ONLY":  "16 bits in Dst, the low half of the LReg; its other half stays",
        "HI16_ONLY":  "16 bits in Dst, the high half of the LReg; its other half stays",
    },
    "SFPLOADI_MOD0_": {
        "FLOATB":     "the constant is a BF16",
        "FLOATA":     "the constant is an FP16",
        "USHORT":     "zeros above the constant",
        "SHORT":      "copies of its sign above the constant",
        "UPPER":      "the constant becomes the high half, the low half stays",
        "LOWER":      "the constant becomes the low half, the high half stays",
    },
    "MOD1_": {  # SFPCONFIG
        "IMM16_IS_VALUE":     "the constant is the value, not LReg[0]",
        "BITWISE_OR":         "old | value",
        "BITWISE_AND":        "old & value",
        "BITWISE_XOR":        "old ^ value",
        "IMM16_IS_LANE_MASK": "the constant's even bits choose columns of lanes",
    },
    "SFPMAD_MOD1_": {
        "NEGATE_VB":  "VB is negated",
        "NEGATE_VC":  "VC is negated",
        **_INDIRECT,
    },
    "SFPMUL24_MOD1_": {"UPPER": "bits 45:23 of the product, not 22:0", **_INDIRECT},
    "SFPLUT_MOD0_": {"SGN_RETAIN": "the result gets the sign of LReg[3]", **_INDIRECT},
    "SFPLUTFP32_MOD1_": {
        "FP32_3ENTRY_TABLE":  "three FP32 pairs in LReg[0:3] and LReg[4:7]",
        "FP16_3ENTRY_TABLE":  "three FP16 pairs in LReg[0:3]",
        "FP16_6ENTRY_TABLE1": "six FP16 pairs in LReg[0:3] and LReg[4:7], the last from 3.0 on",
        "FP16_6ENTRY_TABLE2": "six FP16 pairs in LReg[0:3] and LReg[4:7], the last from 4.0 on",
        "SGN_RETAIN":         "the result gets the sign of LReg[3]",
        **_INDIRECT,
    },
    "SFPDIVP2_MOD1_": {"ADD": "the constant is added to the exponent"},
    "SFPEXEXP_MOD1_": {
        "NODEBIAS":           "the bits of the exponent, without 127 subtracted",
        "SET_CC_SGN_EXP":     "lane flags = the result is negative",
        "SET_CC_COMP_EXP":    "lane flags are inverted then",
    },
    "SFPEXMAN_MOD1_": {"PAD9": "without the hidden bit"},
    "SFPIADD_MOD1_": {
        "ARG_IMM":            "VC + constant",
        "ARG_2SCOMP_LREG_DST": "VC - VD",
        "CC_NONE":            "lane flags stay as they are",
        "CC_GTE0":            "lane flags are inverted then",
    },
    "SFPSHFT_MOD1_": {
        "ARG_IMM":            "shifted by the constant, not by VC",
        "ARITHMETIC":         "copies of the sign come in from the left",
        "ARG_IMM_USE_VC":     "VC is shifted, not VD",
    },
    "SFPSHFT2_MOD1_": {
        "COPY4":                      "L0, L1, L2, L3 = L1, L2, L3, 0",
        "SUBVEC_CHAINED_COPY4":       "L0, L1, L2, L3 = L1, L2, L3, and L0 from eight lanes on",
        "SUBVEC_SHFLROR1_AND_COPY4":  "L0, L1, L2, L3 = L1, L2, L3, and rotated VC",
        "SUBVEC_SHFLROR1":            "rotate each group of eight lanes by one lane to the right",
        "SUBVEC_SHFLSHR1":            "shift each group of eight lanes by one lane to the right",
        "SHFT_LREG":                  "shift the bits of VB by VC",
    },
    "SFPSETCC_MOD1_": {
        "LREG_LT0":   "VC < 0",     "LREG_NE0":  "VC != 0",
        "LREG_GTE0":  "VC >= 0",    "LREG_EQ0":  "VC == 0",
        "IMM_BIT0":   "the constant",
        "CLEAR":      "false",
    },
    "SFPMOV_MOD1_": {
        "NEGATE":             "the sign bit is inverted",
        "ALL_LANES_ENABLED":  "in all lanes whether enabled or not",
        "FROM_SPECIAL":       "VC names a configuration register or the random numbers",
    },
    "SFPABS_MOD1_": {"FLOAT": "of an FP32"},
    "SFPAND_MOD1_": {"USE_VB": "VB and VC are the operands"},
    "SFPOR_MOD1_": {"USE_VB": "VB and VC are the operands"},
    "SFPLZ_MOD1_": {
        "CC_NE0":     "lane flags = the counted value is not 0",
        "NOSGN_MASK": "the sign bit does not count",
        "CC_COMP":    "lane flags are inverted then",
    },
    "SFPSETEXP_MOD1_": {
        "ARG_IMM":        "the constant",
        "ARG_EXPONENT":   "the exponent of VD",
    },
    "SFPSETMAN_MOD1_": {"ARG_IMM": "the constant, shifted left by 11"},
    "SFPSETSGN_MOD1_": {"ARG_IMM": "the constant"},
    "SFPARECIP_MOD1_": {
        "RECIP":      "1 / VC",
        "COND_RECIP": "1 / |VC| where VB is negative, VC elsewhere",
        "EXP":        "e to the power of |VC|, with the sign of VC",
    },
    "SFPCAST_MOD1_": {
        "SM32_TO_FP32_RNE":   "sign-magnitude to FP32, to the nearest, ties to even",
        "SM32_TO_FP32_RNS":   "sign-magnitude to FP32, at random",
        "INT32_ABS":          "absolute value of a two's complement integer",
        "INT32_SM32":         "two's complement to sign-magnitude or back",
        "RND_STOCH":          "discarded bits are rounded at random",
    },
    "SFPSWAP_MOD1_": {
        "SWAP":                   "swap VC and VD",
        "VEC_MIN_MAX":            "VD gets the minimum, VC the maximum",
        "SUBVEC_MIN01_MAX23":     _SORTED.format("0 and 1"),
        "SUBVEC_MIN02_MAX13":     _SORTED.format("0 and 2"),
        "SUBVEC_MIN03_MAX12":     _SORTED.format("0 and 3"),
        "SUBVEC_MIN0_MAX123":     _SORTED.format("0"),
        "SUBVEC_MIN1_MAX023":     _SORTED.format("1"),
        "SUBVEC_MIN2_MAX013":     _SORTED.format("2"),
        "SUBVEC_MIN3_MAX012":     _SORTED.format("3"),
    },
    "SFPSTOCHRND_RND_": {
        "NEAREST":    "to the nearest",
        "STOCH":      "at random",
        "ZERO":       "towards zero",
    },
    "SFPSTOCHRND_MOD1_": {
        "FP32_TO_FP16A":  "FP32 with the 10 bits of mantissa of an FP16",
        "FP32_TO_FP16B":  "FP32 with the 7 bits of mantissa of a BF16",
        "FP32_TO_UINT8":  "FP32 to an integer of 0 to 255",
        "FP32_TO_INT8":   "FP32 to sign-magnitude of 7 bits",
        "INT32_TO_UINT8": "sign-magnitude, shifted right, to an integer of 0 to 255",
        "INT32_TO_INT8":  "sign-magnitude, shifted right, to sign-magnitude of 7 bits",
        "FP32_TO_UINT16": "FP32 to an integer of 0 to 65535",
        "FP32_TO_INT16":  "FP32 to sign-magnitude of 15 bits",
    },
    "SFPENCC_MOD1_": {
        "EC":     "conditional execution is turned from on to off or back",
        "EI":     "conditional execution is on if the constant has E",
        "RI":     "lane flags = the constant has R",
    },
    "SFPENCC_IMM2_": {"E": "conditional execution on", "R": "lane flags true"},
    "SFPLE_MOD1_": _COMPARE,
    "SFPGT_MOD1_": _COMPARE,
}
# fmt: on
