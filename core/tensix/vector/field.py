# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, simple sub-unit: sign, exponent and mantissa of FP32, and absolute values."""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.isa.schema import Bits, Signed, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.vector.lanes import (
    issue,
    kept_flags,
    live,
    negative,
    put_lanes,
    set_flags,
    take_b,
    take_c,
)
from tensix_gdb.core.tensix.vector.operands import ENABLED, FLAGS, TO_VD, VC, VD, flags, with_mod1
from tensix_gdb.core.tensix.vector.state import ALL, LANES

SIGN = 0x80000000
EXPONENT = 0x7F800000
MANTISSA = 0x007FFFFF
HIDDEN = 0x00800000
BIAS = 127
ADD = 1  # SFPDIVP2
NODEBIAS, SET_CC_SGN_EXP, SET_CC_COMP_EXP = 1, 2, 8  # SFPEXEXP
PAD9 = 1  # SFPEXMAN
ARG_IMM, ARG_EXPONENT = 1, 2  # SFPSETEXP, SFPSETMAN, SFPSETSGN
FLOAT = 1  # SFPABS
MINUS_INFINITY = 0xFF800000
VC_AND_VD = (VC, VD.unless_set("mod1", ARG_IMM), ENABLED)


def scale(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """The exponent becomes a constant, or a constant is added to it, wrapping around."""
    take_c(S, vc)
    for lane in lanes(LANES):
        c = S.vector.c[lane]
        exponent = (c >> 23) & 0xFF
        # Infinity and NaN stay.
        old = exponent if mod1 & ADD else 0
        new = 0xFF if mod1 & ADD and exponent == 0xFF else (old + imm) & 0xFF
        S.vector.d[lane] = (c & ~EXPONENT) | new << 23
    return put_lanes(S, vd, live(S))


# The page has eight bits; Tenstorrent's compiler and simulator have twelve, the upper four being
# copies of the sign.
@with_mod1("SFPDIVP2", 0x76, ("imm8[11:0]" / Signed(12),), flags("SFPDIVP2_MOD1_", ADD=1),
           "VD = VC with its exponent set to a constant, or a constant added to it.",
           )  # fmt: skip
def sfpdivp2(S: View, thread: int, imm8: int, vc: int, vd: int, mod1: int) -> int:
    """SFPDIVP2.md"""
    return issue(S, thread, vd, vc, vd, imm8, mod1, scale)


def get_exponent(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Return the exponent as an integer; flags by its sign."""
    take_c(S, vc)
    bias = 0 if mod1 & NODEBIAS else BIAS
    for lane in lanes(LANES):
        S.vector.d[lane] = (((S.vector.c[lane] >> 23) & 0xFF) - bias) & MASK32
    where = live(S)
    code = put_lanes(S, vd, where)
    if vd < 8 and code == 0:
        flags = negative(S) if mod1 & SET_CC_SGN_EXP else kept_flags(S)
        set_flags(S, where, flags ^ ALL if mod1 & SET_CC_COMP_EXP else flags)
    return code


@with_mod1("SFPEXEXP", 0x77, (Unused(12),),
           flags("SFPEXEXP_MOD1_", NODEBIAS=1, SET_CC_SGN_EXP=2, SET_CC_COMP_EXP=8),
           "VD = exponent of VC, as an integer.",
           writes=(*TO_VD, FLAGS.when("mod1", 2, 8, 10, bits=10)))  # fmt: skip
def sfpexexp(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPEXEXP.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, get_exponent)


def get_mantissa(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Return the mantissa as an integer."""
    take_c(S, vc)
    hidden = 0 if mod1 & PAD9 else HIDDEN
    for lane in lanes(LANES):
        S.vector.d[lane] = hidden | (S.vector.c[lane] & MANTISSA)
    return put_lanes(S, vd, live(S))


@with_mod1("SFPEXMAN", 0x78, (Unused(12),), flags("SFPEXMAN_MOD1_", PAD9=1),
           "VD = mantissa of VC, as an integer.")  # fmt: skip
def sfpexman(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPEXMAN.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, get_mantissa)


def set_exponent(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VC with the exponent of VB, with VB as exponent, or with a constant as exponent."""
    take_c(S, vc)
    if mod1 & ARG_IMM:
        for lane in lanes(LANES):
            S.vector.b[lane] = imm
    else:
        take_b(S, vb)
        if mod1 & ARG_EXPONENT:
            for lane in lanes(LANES):
                S.vector.b[lane] >>= 23
    for lane in lanes(LANES):
        S.vector.d[lane] = (S.vector.c[lane] & ~EXPONENT) | (S.vector.b[lane] & 0xFF) << 23
    return put_lanes(S, vd, live(S))


@with_mod1("SFPSETEXP", 0x82, (Unused(4), "imm8" / Bits(8)),
           flags("SFPSETEXP_MOD1_", ARG_IMM=1, ARG_EXPONENT=2),
           "VD = VC with the exponent of VD, or with a constant as exponent.",
           reads=VC_AND_VD)  # fmt: skip
def sfpsetexp(S: View, thread: int, imm8: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSETEXP.md"""
    return issue(S, thread, vd, vc, vd, imm8, mod1, set_exponent)


def set_mantissa(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VC with the mantissa of VB, or with a constant as the upper bits of its mantissa."""
    take_c(S, vc)
    if mod1 & ARG_IMM:
        for lane in lanes(LANES):
            S.vector.b[lane] = imm << 11
    else:
        take_b(S, vb)
    for lane in lanes(LANES):
        S.vector.d[lane] = (S.vector.c[lane] & ~MANTISSA) | (S.vector.b[lane] & MANTISSA)
    return put_lanes(S, vd, live(S))


@with_mod1("SFPSETMAN", 0x83, ("imm12" / Bits(12),), flags("SFPSETMAN_MOD1_", ARG_IMM=1),
           "VD = VC with the mantissa of VD, or with a constant as mantissa.",
           reads=VC_AND_VD)  # fmt: skip
def sfpsetman(S: View, thread: int, imm12: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSETMAN.md"""
    return issue(S, thread, vd, vc, vd, imm12, mod1, set_mantissa)


def set_sign(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VC with the sign of VB, or with a constant as sign."""
    take_c(S, vc)
    if mod1 & ARG_IMM:
        for lane in lanes(LANES):
            S.vector.b[lane] = imm << 31
    else:
        take_b(S, vb)
    for lane in lanes(LANES):
        S.vector.d[lane] = (S.vector.c[lane] & ~SIGN) | (S.vector.b[lane] & SIGN)
    return put_lanes(S, vd, live(S))


@with_mod1("SFPSETSGN", 0x89, (Unused(11), "imm1" / Bits(1)),
           flags("SFPSETSGN_MOD1_", ARG_IMM=1),
           "VD = VC with the sign of VD, or with a constant as sign.",
           reads=VC_AND_VD)  # fmt: skip
def sfpsetsgn(S: View, thread: int, imm1: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSETSGN.md"""
    return issue(S, thread, vd, vc, vd, imm1, mod1, set_sign)


def absolute(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Of two's complement, where the smallest number stays, or of FP32, where -NaN stays.

    UNSPECIFIED(WormholeB0 SFPABS.md): -infinity. The model leaves it, the sentence beside it only
    -NaN, and Tenstorrent's simulator makes it +infinity on both chips, as here.
    """
    take_c(S, vc)
    if mod1 & FLOAT:
        for lane in lanes(LANES):
            c = S.vector.c[lane]
            S.vector.d[lane] = c if c > MINUS_INFINITY else c & ~SIGN
    else:
        for lane in lanes(LANES):
            c = S.vector.c[lane]
            S.vector.d[lane] = -c & MASK32 if c & SIGN else c
    return put_lanes(S, vd, live(S))


@with_mod1("SFPABS", 0x7D, (Unused(12),), flags("SFPABS_MOD1_", FLOAT=1),
           "VD = absolute value of VC.")  # fmt: skip
def sfpabs(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPABS.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, absolute)
