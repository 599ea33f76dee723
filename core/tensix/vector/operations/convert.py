# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, simple and round sub-units: conversions between FP32 and integers, and rounding."""

import enum

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.numeric.integers import (
    clamp_magnitude32,
    sign_magnitude32_to_fp32,
    sign_magnitude32_to_fp32_stochastic,
)
from tensix_gdb.core.numeric.rounding import (
    NEAREST,
    TOWARD_ZERO,
    fp32_mantissa,
    fp32_to_magnitude,
    magnitude_shifted,
    stochastic,
)
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, tensix
from tensix_gdb.core.tensix.vector.lanes import corrupts, issue, live, put_lanes, take_b, take_c
from tensix_gdb.core.tensix.vector.operands import (
    ENABLED,
    TO_VD,
    VB,
    VC,
    VC_VD,
    VECTOR,
    flags,
    mode,
    modes,
)
from tensix_gdb.core.tensix.vector.operations.move import random
from tensix_gdb.core.tensix.vector.state import LANES

SIGN = 0x80000000


class Cast(enum.IntEnum):
    """Mod1 of SFPCAST.md."""

    SM32_TO_FP32_RNE = 0
    SM32_TO_FP32_RNS = 1
    INT32_ABS = 2
    INT32_SM32 = 3


# fmt: off
_CAST = "lreg_src_c@8 lreg_dest@4 instr_mod1@0"
_ROUND = modes("SFPSTOCHRND_MOD1_", FP32_TO_FP16A=0, FP32_TO_FP16B=1, FP32_TO_UINT8=2,
               FP32_TO_INT8=3, INT32_TO_UINT8=4, INT32_TO_INT8=5, FP32_TO_UINT16=6,
               FP32_TO_INT16=7)
_ROUND_LLK = "rnd_mode@21 imm8_math@16 lreg_src_b@12 lreg_src_c@8 lreg_dest@4 instr_mod1@0"
_ROUND_LOW = ("imm5" / Bits(5), "vb" / Bits(4), *VC_VD, "use_imm5" / Bits(1), "mod1" / Bits(3))
ROUND_READS = (VC, VB.unless_set("use_imm5").when("mod1", 4, 5), uses.PRNG, ENABLED)
_ROUND_TEXT = "VD = VC rounded to fewer bits of mantissa, or to a small integer."
# fmt: on


def cast(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Between sign and magnitude, two's complement and FP32; its third mode is a bug."""
    where = live(S)
    if mod1 & 3 == Cast.SM32_TO_FP32_RNS:
        if corrupts(S, vd, where):
            return Fault.VECTOR_INDEX
        random(S, where)
        for lane in lanes(LANES):
            S.vector.b[lane] = S.vector.c[lane]
    take_c(S, vc)
    match mod1 & 3:
        case Cast.SM32_TO_FP32_RNE:
            for lane in lanes(LANES):
                S.vector.d[lane] = sign_magnitude32_to_fp32(S.vector.c[lane])
        case Cast.SM32_TO_FP32_RNS:
            for lane in lanes(LANES):
                S.vector.d[lane] = sign_magnitude32_to_fp32_stochastic(
                    S.vector.c[lane], S.vector.b[lane]
                )
        case _:
            # INT32_ABS: negated where the sign is set. INT32_SM32: the sign stays besides.
            keep = SIGN if mod1 & 1 else 0
            for lane in lanes(LANES):
                c = S.vector.c[lane]
                S.vector.d[lane] = (-c & 0xFFFFFFFF) | (c & keep) if c & SIGN else c
    return put_lanes(S, vd, where)


@VECTOR.instruction(
    "SFPCAST", tensix(0x90, Unused(12), *VC_VD, "mod1" / Bits(4)), arch=Arch.BLACKHOLE, llk=_CAST,
    page=BH + "SFPCAST.md",
    operands=mode(modes("SFPCAST_MOD1_", SM32_TO_FP32_RNE=0, SM32_TO_FP32_RNS=1, INT32_ABS=2,
                        INT32_SM32=3), "which conversion"),
    writes=(*TO_VD, uses.PRNG.when("mod1", 1, bits=3)),
    reads=(VC, uses.PRNG.when("mod1", 1, bits=3), ENABLED),
    summary="VD = VC converted between sign-magnitude, two's complement and FP32.",
)  # fmt: skip
def sfpcast(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPCAST.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, cast)


# By Mod1: bits of mantissa that are dropped; the largest magnitude; is the sign kept?
DROPPED = (13, 16)
LARGEST = (0, 0, 255, 127, 255, 127, 65535, 32767)
USE_IMM5 = 8


def reduce(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """SFP_STOCH_RND: `imm` is RoundingMode << 5 | Imm5, `mod1` has UseImm5 on top.

    RoundingMode 3 is in no table of the pages; their model takes random bits then, as for 1.
    """
    where = live(S)
    rounding = imm >> 5
    if corrupts(S, vd, where):
        return Fault.VECTOR_INDEX
    random(S, where)
    for lane in lanes(LANES):
        S.vector.a[lane] = stochastic(S.vector.c[lane])
    if rounding == 0 or rounding == 2:
        for lane in lanes(LANES):
            S.vector.a[lane] = TOWARD_ZERO if rounding else NEAREST
    return reduce_by(S, vb, vc, vd, imm, mod1, where)


def reduce_by(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int, where: int) -> int:
    """SFP_STOCH_RND with the thresholds in `a`."""
    take_c(S, vc)
    kind = mod1 & 7
    if kind < 2:
        for lane in lanes(LANES):
            S.vector.d[lane] = fp32_mantissa(S.vector.c[lane], DROPPED[kind & 1], S.vector.a[lane])
        return put_lanes(S, vd, where)
    if kind == 4 or kind == 5:
        take_b(S, vb)
        for lane in lanes(LANES):
            shift = imm & 31 if mod1 & USE_IMM5 else S.vector.b[lane] & 31
            S.vector.d[lane] = min(
                magnitude_shifted(S.vector.c[lane] & ~SIGN, shift, S.vector.a[lane]), 0x7FFFFFFF
            )
    else:
        for lane in lanes(LANES):
            S.vector.d[lane] = fp32_to_magnitude(S.vector.c[lane], S.vector.a[lane])
    signs = SIGN if kind & 1 else 0
    largest = LARGEST[kind]
    for lane in lanes(LANES):
        signed = S.vector.d[lane] | (S.vector.c[lane] & signs)
        S.vector.d[lane] = clamp_magnitude32(signed, largest)
    return put_lanes(S, vd, where)


@VECTOR.instruction(
    "SFP_STOCH_RND", tensix(0x8E, Unused(1), "rounding_mode" / Bits(2), *_ROUND_LOW),
    arch=Arch.BLACKHOLE, llk=_ROUND_LLK, page=BH + "SFPSTOCHRND.md",
    operands=mode(_ROUND, "from what to what"), reads=ROUND_READS, writes=(*TO_VD, uses.PRNG),
    summary=_ROUND_TEXT,
)  # fmt: skip
def sfp_stoch_rnd(
    S: View,
    thread: int,
    rounding_mode: int,
    imm5: int,
    vb: int,
    vc: int,
    vd: int,
    use_imm5: int,
    mod1: int,
) -> int:
    """SFPSTOCHRND.md"""
    imm = rounding_mode << 5 | imm5
    return issue(S, thread, vb, vc, vd, imm, mod1 | use_imm5 << 3, reduce)


# -- Wormhole
@VECTOR.instruction(
    "SFPCAST", tensix(0x90, Unused(12), *VC_VD, "mod1" / Bits(4)), arch=Arch.WORMHOLE, llk=_CAST,
    page=WH + "SFPCAST.md", operands=mode(flags("SFPCAST_MOD1_", RND_STOCH=1), "rounding"),
    writes=(*TO_VD, uses.PRNG.if_set("mod1")), reads=(VC, uses.PRNG.if_set("mod1"), ENABLED),
    summary="VD = VC converted from sign-magnitude to FP32.",
)  # fmt: skip
def sfpcast_wormhole(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPCAST.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1 & Cast.SM32_TO_FP32_RNS, cast)


def reduce_wormhole(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """SFP_STOCH_RND: `imm` has StochasticRounding on top.

    Random numbers advance without it as well, as on Blackhole (SFPSTOCHRND_FloatFloat.md and its
    neighbours, commit 4264118; Tenstorrent's simulator). Older pages draw with it only.
    """
    return reduce(S, vb, vc, vd, imm & 0x3F, mod1)


@VECTOR.instruction(
    "SFP_STOCH_RND", tensix(0x8E, Unused(2), "stochastic_rounding" / Bits(1), *_ROUND_LOW),
    arch=Arch.WORMHOLE, llk=_ROUND_LLK, page=WH + "SFPSTOCHRND.md",
    operands=mode(_ROUND, "from what to what"), reads=ROUND_READS, writes=(*TO_VD, uses.PRNG),
    summary=_ROUND_TEXT,
)  # fmt: skip
def sfp_stoch_rnd_wormhole(
    S: View,
    thread: int,
    stochastic_rounding: int,
    imm5: int,
    vb: int,
    vc: int,
    vd: int,
    use_imm5: int,
    mod1: int,
) -> int:
    """SFPSTOCHRND.md"""
    imm = stochastic_rounding << 5 | imm5
    return issue(S, thread, vb, vc, vd, imm, mod1 | use_imm5 << 3, reduce_wormhole)
