# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, simple sub-unit: SFPARECIP, an approximate reciprocal or exponential.

Both look a mantissa of seven bits up in a table (SFPARECIP.md). That of the reciprocal is the one
in the middle of its step, rounded to the nearest. That of the exponential follows no formula that
we know: the table here says by how much each entry is larger than the one before. ERRORS has how
far both are from the exact result; a test measures it.
"""

from itertools import accumulate

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.instruction import BH, Arch, tensix
from tensix_gdb.core.tensix.vector.lanes import issue, live, put_lanes, take_b, take_c
from tensix_gdb.core.tensix.vector.operands import ENABLED, LLK, VB, VC, VC_VD, VECTOR, mode, modes
from tensix_gdb.core.tensix.vector.state import LANES

SIGN = 0x80000000
INFINITY = 0x7F800000
SMALLEST = 0x00800000  # 2**-126
RECIP, COND_RECIP, EXP = 0, 1, 2

# 256 / m for a mantissa m from 1 up to 2, in steps of 1/128, without the leading bit.
RECIPROCAL = tuple((0x20000 + d) // (2 * d) - 128 for d in range(257, 513, 2))

# Largest relative errors in thousandths: of 1 / x from 2**-126 to 2**126, and of e**x below
# EXP_END, from which on the result is 4.0 and more by low bits of x alone.
ERRORS = (6, 16)
EXP_END = 2

TABLE_FROM = 0x3C80  # upper half of 2**-6
ONE_FROM = 0x3F32  # of 0.6953125, where the result gets another exponent
TABLE_TO = 0x4000  # of 2
# fmt: off
_BELOW = (
    "000000000000000000000000000000000000000000000000000000000000010000000000000000000000000000"
    "000000000000000000000000000000000010000000000000000000000000000000100000000000000000000000"
    "000000010000000000000000000000000000001000000000000000000000000000001000000000000000000100"
    "000000000000100000000000001000000000000001000000000000001000000000000010000000000000100000"
    "000000000100000000000001000000100000010000001000000100000010000001000001000000100000010000"
    "010000001000000100000100000010000010000010000001000001000001000010010010010010010010010010"
    "010010010100100100100100100101001001001010010010100100101001001010010100100101001010010100"
    "10100101010111110111111011111110111111111111011111111111111"
)
_ABOVE = (
    "010101010101011010101010101101010110101011010110101101101011011011010110110110212112121212"
    "121212121221221221222122221222222222211111111112111111112111121111211211121121211212121121"
    "2212121221212212221222122"
)
# fmt: on
EXPONENTIAL = (
    *accumulate(map(int, _BELOW), initial=2),
    *accumulate(map(int, _ABOVE), initial=0),
)
assert len(EXPONENTIAL) == TABLE_TO - TABLE_FROM


def reciprocal(x: int) -> int:
    """About 1 / x for an x that is not negative."""
    if x < SMALLEST:
        return INFINITY
    if x >= 0x7E800000:
        return 0
    return (253 - (x >> 23)) << 23 | RECIPROCAL[(x >> 16) & 0x7F] << 16


def exponential(x: int) -> int:
    """About e to the power of x for an x that is not negative and below 2."""
    upper = x >> 16
    low = x & 0xFFFF
    if x < SMALLEST:
        return 0x3F800000
    if upper < TABLE_FROM:
        return 0x3F810000 | low
    if upper >= TABLE_TO:
        return 0x40800000 | low
    first = 0x3F800000 if upper < ONE_FROM else 0x40000000
    return first | EXPONENTIAL[upper - TABLE_FROM] << 16 | low


def approximate(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """By Mod1: reciprocal; reciprocal where VB is negative; exponential with VC's sign."""
    if mod1 == COND_RECIP:
        take_b(S, vb)
    take_c(S, vc)
    for lane in lanes(LANES):
        c = S.vector.c[lane]
        size = c & ~SIGN
        if mod1 == RECIP:
            S.vector.d[lane] = (c & SIGN) | reciprocal(size)
        elif mod1 == COND_RECIP:
            S.vector.d[lane] = reciprocal(size) if S.vector.b[lane] & SIGN else c
        else:
            S.vector.d[lane] = (c & SIGN) | exponential(size)
    return put_lanes(S, vd, live(S))


@VECTOR.instruction(
    "SFPARECIP", tensix(0x99, Unused(8), "vb" / Bits(4), *VC_VD, "mod1" / Bits(4)),
    arch=Arch.BLACKHOLE, llk=LLK, page=BH + "SFPARECIP.md",
    operands=mode(modes("SFPARECIP_MOD1_", RECIP=RECIP, COND_RECIP=COND_RECIP, EXP=EXP)),
    reads=(VC, VB.when("mod1", COND_RECIP), ENABLED),
    summary="VD = approximately 1 / VC, or e to the power of |VC| with the sign of VC.",
)  # fmt: skip
def sfparecip(S: View, thread: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPARECIP.md"""
    return issue(S, thread, vb, vc, vd, 0, mod1, approximate)
