# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, simple sub-unit: bits and integers."""

from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.isa.schema import Bits, Signed, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, tensix
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
from tensix_gdb.core.tensix.vector.operands import (
    ENABLED,
    FLAGS,
    LLK,
    TO_VD,
    VB,
    VC,
    VC_VD,
    VD,
    VECTOR,
    flags,
    mode,
    with_mod1,
)
from tensix_gdb.core.tensix.vector.state import ALL, LANES

USE_VB = 1
ARG_IMM, SUBTRACT, CC_NONE, CC_GTE0 = 1, 2, 4, 8  # SFPIADD
ARITHMETIC, USE_VC = 2, 4  # SFPSHFT
CC_NE0, NOSGN_MASK, CC_COMP = 2, 4, 8  # SFPLZ


def bit_and(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = VB & VC."""
    take_b(S, vb if mod1 & USE_VB else vd)
    take_c(S, vc)
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.b[lane] & S.vector.c[lane]
    return put_lanes(S, vd, live(S))


@VECTOR.instruction(
    "SFPAND", tensix(0x7E, Unused(8), "vb" / Bits(4), *VC_VD, "mod1" / Bits(4)),
    arch=Arch.BLACKHOLE, llk=LLK, page=BH + "SFPAND.md",
    operands=mode(flags("SFPAND_MOD1_", USE_VB=1), "VB instead of VD as an operand"),
    reads=(VB.if_set("mod1"), VD.unless_set("mod1"), VC, ENABLED),
    summary="VD = VD & VC, or VB & VC.",
)  # fmt: skip
def sfpand(S: View, thread: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPAND.md"""
    return issue(S, thread, vb, vc, vd, 0, mod1, bit_and)


def bit_or(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = VB | VC."""
    take_b(S, vb if mod1 & USE_VB else vd)
    take_c(S, vc)
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.b[lane] | S.vector.c[lane]
    return put_lanes(S, vd, live(S))


@VECTOR.instruction(
    "SFPOR", tensix(0x7F, Unused(8), "vb" / Bits(4), *VC_VD, "mod1" / Bits(4)),
    arch=Arch.BLACKHOLE, llk=LLK, page=BH + "SFPOR.md",
    operands=mode(flags("SFPOR_MOD1_", USE_VB=1), "VB instead of VD as an operand"),
    reads=(VB.if_set("mod1"), VD.unless_set("mod1"), VC, ENABLED),
    summary="VD = VD | VC, or VB | VC.",
)  # fmt: skip
def sfpor(S: View, thread: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPOR.md"""
    return issue(S, thread, vb, vc, vd, 0, mod1, bit_or)


def bit_xor(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = VB ^ VC."""
    take_b(S, vb)
    take_c(S, vc)
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.b[lane] ^ S.vector.c[lane]
    return put_lanes(S, vd, live(S))


@VECTOR.instruction(
    "SFPXOR", tensix(0x8D, Unused(12), *VC_VD, Unused(4)), llk=LLK, page=BH + "SFPXOR.md",
    reads=(VC, VD, ENABLED),
    summary="VD = VD ^ VC.",
)  # fmt: skip
def sfpxor(S: View, thread: int, vc: int, vd: int) -> int:
    """SFPXOR.md"""
    return issue(S, thread, vd, vc, vd, 0, 0, bit_xor)


def bit_not(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = ~VC."""
    take_c(S, vc)
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.c[lane] ^ MASK32
    return put_lanes(S, vd, live(S))


@VECTOR.instruction(
    "SFPNOT", tensix(0x80, Unused(12), *VC_VD, Unused(4)), llk=LLK, page=BH + "SFPNOT.md",
    summary="VD = ~VC.",
)  # fmt: skip
def sfpnot(S: View, thread: int, vc: int, vd: int) -> int:
    """SFPNOT.md"""
    return issue(S, thread, vd, vc, vd, 0, 0, bit_not)


def add(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = VC + VB, VC - VB or VC + constant; flags by the sign."""
    take_c(S, vc)
    if mod1 & ARG_IMM:
        for lane in lanes(LANES):
            S.vector.b[lane] = imm & MASK32
    else:
        take_b(S, vb)
        if mod1 & SUBTRACT:
            for lane in lanes(LANES):
                S.vector.b[lane] = -S.vector.b[lane] & MASK32
    for lane in lanes(LANES):
        S.vector.d[lane] = (S.vector.c[lane] + S.vector.b[lane]) & MASK32
    where = live(S)
    code = put_lanes(S, vd, where)
    if vd < 8 and code == 0:
        flags = kept_flags(S) if mod1 & CC_NONE else negative(S)
        set_flags(S, where, flags ^ ALL if mod1 & CC_GTE0 else flags)
    return code


@with_mod1("SFPIADD", 0x79, ("imm12" / Signed(12),),
           flags("SFPIADD_MOD1_", "ARG_LREG_DST", "CC_LT0", ARG_IMM=1, ARG_2SCOMP_LREG_DST=2,
                 CC_NONE=4, CC_GTE0=8),
           "VD = VC plus or minus VD, or VC plus a constant; integers.",
           reads=(VC, VD.unless_set("mod1", ARG_IMM), ENABLED),
           writes=(*TO_VD, FLAGS.when("mod1", 0, CC_GTE0, CC_NONE | CC_GTE0, bits=12)))  # fmt: skip
def sfpiadd(S: View, thread: int, imm12: int, vc: int, vd: int, mod1: int) -> int:
    """SFPIADD.md"""
    return issue(S, thread, vd, vc, vd, imm12, mod1, add)


def shifted(x: int, by: int, arithmetic: int) -> int:
    """Left by a positive number of bits, right by a negative one, of which five bits count."""
    if by >> 31 == 0:
        return (x << (by & 31)) & MASK32
    signed = x - ((x >> 31) << 32) if arithmetic else x
    return (signed >> (-by & 31)) & MASK32


def shift(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = VB shifted by VC or a constant, or VC shifted by a constant."""
    by_constant = mod1 & ARG_IMM
    take_b(S, vc if by_constant and mod1 & USE_VC else vb)
    if by_constant:
        for lane in lanes(LANES):
            S.vector.c[lane] = imm & MASK32
    else:
        take_c(S, vc)
    for lane in lanes(LANES):
        S.vector.d[lane] = shifted(S.vector.b[lane], S.vector.c[lane], mod1 & ARITHMETIC)
    return put_lanes(S, vd, live(S))


@with_mod1("SFPSHFT", 0x7A, ("imm12" / Signed(12),),
           flags("SFPSHFT_MOD1_", ARG_IMM=1, ARITHMETIC=2, ARG_IMM_USE_VC=4),
           "VD = VD shifted by VC or a constant: left if positive, right if negative.",
           Arch.BLACKHOLE, reads=(
               VC.when("mod1", 0, USE_VC, ARG_IMM | USE_VC, bits=ARG_IMM | USE_VC),
               VD.when("mod1", 0, ARG_IMM, USE_VC, bits=ARG_IMM | USE_VC), ENABLED))  # fmt: skip
def sfpshft(S: View, thread: int, imm12: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSHFT.md"""
    return issue(S, thread, vd, vc, vd, imm12, mod1, shift)


def count_zeros(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = leading zeros of VC; flags by whether it is 0."""
    take_c(S, vc)
    mask = MASK32 >> 1 if mod1 & NOSGN_MASK else MASK32
    nonzero = 0
    for lane in lanes(LANES):
        S.vector.c[lane] &= mask
    for lane in lanes(LANES):
        nonzero |= (1 if S.vector.c[lane] else 0) << lane
    for lane in lanes(LANES):
        S.vector.d[lane] = leading_zeros(S.vector.c[lane])
    where = live(S)
    code = put_lanes(S, vd, where)
    if vd < 8 and code == 0:
        flags = nonzero if mod1 & CC_NE0 else kept_flags(S)
        set_flags(S, where, flags ^ ALL if mod1 & CC_COMP else flags)
    return code


def leading_zeros(x: int) -> int:
    """Leading zeros of 32 bits, without a branch: lanes are counted next to each other."""
    x |= x >> 1
    x |= x >> 2
    x |= x >> 4
    x |= x >> 8
    x |= x >> 16
    return 32 - ones(x)


def ones(x: int) -> int:
    """Bits that are set in 32 bits."""
    x -= (x >> 1) & 0x55555555
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) >> 24) & 0xFF


@with_mod1("SFPLZ", 0x81, (Unused(12),),
           flags("SFPLZ_MOD1_", CC_NE0=2, NOSGN_MASK=4, CC_COMP=8), "VD = leading zeros of VC.",
           writes=(*TO_VD, FLAGS.when("mod1", 2, 8, 10, bits=CC_NE0 | CC_COMP)))  # fmt: skip
def sfplz(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPLZ.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, count_zeros)


# -- Wormhole has fewer modes of three of them
@VECTOR.instruction(
    "SFPAND", tensix(0x7E, Unused(12), *VC_VD, Unused(4)), arch=Arch.WORMHOLE, llk=LLK,
    page=WH + "SFPAND.md", reads=(VC, VD, ENABLED),
    summary="VD = VD & VC.",
)  # fmt: skip
def sfpand_wormhole(S: View, thread: int, vc: int, vd: int) -> int:
    """SFPAND.md"""
    return issue(S, thread, vd, vc, vd, 0, 0, bit_and)


@VECTOR.instruction(
    "SFPOR", tensix(0x7F, Unused(12), *VC_VD, Unused(4)), arch=Arch.WORMHOLE, llk=LLK,
    page=WH + "SFPOR.md", reads=(VC, VD, ENABLED),
    summary="VD = VD | VC.",
)  # fmt: skip
def sfpor_wormhole(S: View, thread: int, vc: int, vd: int) -> int:
    """SFPOR.md"""
    return issue(S, thread, vd, vc, vd, 0, 0, bit_or)


@VECTOR.instruction(
    "SFPSHFT", tensix(0x7A, "imm12" / Signed(12), *VC_VD, "mod1" / Bits(4)), arch=Arch.WORMHOLE,
    llk=LLK, page=WH + "SFPSHFT.md", operands=mode(flags("SFPSHFT_MOD1_", ARG_IMM=1)),
    reads=(VC.unless_set("mod1"), VD, ENABLED),
    summary="VD = VD shifted by VC or a constant: left if positive, right if negative.",
)  # fmt: skip
def sfpshft_wormhole(S: View, thread: int, imm12: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSHFT.md"""
    return issue(S, thread, vd, vc, vd, imm12, mod1 & ARG_IMM, shift)
