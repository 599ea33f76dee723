# SPDX-License-Identifier: Apache-2.0
"""Vector Unit: SFPSWAP, which swaps two LRegs, or sorts them.

It takes two cycles. VC and VD are compared in the first; in the second they are read once more and
written, where they have to change places. A plain swap compares nothing, so it is the second cycle
alone that reads (SFPMAD.md, SFPSWAP.md).

UNSPECIFIED(SFPSWAP.md): in which cycle LaneEnabled and LaneConfig count; in the first.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import BH, tensix
from tensix_gdb.core.tensix.vector.lanes import issue, live, take_b, take_c
from tensix_gdb.core.tensix.vector.operands import (
    ENABLED,
    LLK_SRC,
    TO_VD,
    VC,
    VC_VD,
    VD,
    VECTOR,
    mode,
    modes,
)
from tensix_gdb.core.tensix.vector.state import (
    ALL,
    COLUMNS,
    ENABLE_DEST_INDEX,
    EXCHANGE_SRCB_SRCC,
    FIRST,
    LANES,
    SECOND,
    enabled,
    lanes_with,
)
from tensix_gdb.core.tensix.vector.writeback import (
    at_once,
    keep_result,
    mark,
    meets,
    put_over,
    reserve,
)

SIGN = 0x80000000
# Lanes in which VD gets the minimum, by Mod1; with 9 and more, and with a plain swap, none does.
MINIMUM = (0, 0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF, 0x000000FF, 0x0000FF00, 0x00FF0000,
           0xFF000000, 0, 0, 0, 0, 0, 0, 0)  # fmt: skip
SWAP = 0
WITHOUT_INDEX, WITH_INDEX = 8, 4  # the LRegs below this are written


def in_order(x: int) -> int:
    """Sign and magnitude, or FP32, as a number that compares as they do; -0 is less than +0."""
    return 0x7FFFFFFF - (x & 0x7FFFFFFF) if x & SIGN else x | SIGN


def smaller(S: View) -> int:
    """Return the lanes in which `c` is less than `b` (SignMagIsSmaller)."""
    mask = 0
    for lane in lanes(LANES):
        less = in_order(S.vector.c[lane]) < in_order(S.vector.b[lane])
        mask |= (1 if less else 0) << lane
    return mask


def swap(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """The first cycle: find the lanes in which VC and VB, which is VD, are to be swapped.

    UNSPECIFIED(SFPSWAP.md): which LRegs it swaps where SFPLOADMACRO gives it another VB than VD.
    Its own logic decides VB, and the page of SFPSWAP knows VC and VD alone. VC and VB: the fast exp
    of LLK schedules it with the loaded LReg as VC and VD and a constant as VB, and
    softmax of -inf on cards has the larger of the two there.
    """
    where = live(S)
    compared = S.vector.unsure
    if mod1 != SWAP:
        take_c(S, vc)
        take_b(S, vb)
        # What is compared with an undefined value may go to either.
        compared |= S.vector.without & where
        wrong = smaller(S) ^ MINIMUM[mod1] ^ ALL
        where &= wrong ^ lanes_with(S, EXCHANGE_SRCB_SRCC)
    with_index = lanes_with(S, ENABLE_DEST_INDEX)
    indexed = where & with_index
    plain = where & ~indexed
    both = 1 << vc | 1 << vb
    of_plain = both & (1 << WITHOUT_INDEX) - 1
    of_indexed = both & (1 << WITH_INDEX) - 1 | 1 << 4 + (vc & 3) | 1 << 4 + (vb & 3)
    if meets(S, of_plain, plain, FIRST) or meets(S, of_indexed, indexed, FIRST):
        return Fault.VECTOR_WRITES
    if at_once(S):
        exchange(S, vc, vb, plain, indexed, compared, True)
        return mark_compared(S, of_plain, of_indexed, compared, with_index)
    for number in range(WITHOUT_INDEX):
        if (of_plain >> number) & 1:
            reserve(S, number, plain, FIRST)
        if (of_indexed >> number) & 1:
            reserve(S, number, indexed, FIRST)
    mark_compared(S, of_plain, of_indexed, compared, with_index)
    return begin_swap(S, vc, vb, plain, indexed, compared)


def mark_compared(S: View, of_plain: int, of_indexed: int, compared: int, with_index: int) -> int:
    """Mark what may be swapped or not: `of_plain` are the LRegs that may be written in lanes
    without an index, `of_indexed` those in lanes with one."""
    if compared:
        for number in range(WITHOUT_INDEX):
            maybe = compared & ~with_index if (of_plain >> number) & 1 else 0
            maybe |= compared & with_index if (of_indexed >> number) & 1 else 0
            mark(S, number, maybe)
    return 0


def decides_otherwise(S: View, vc: int, vd: int) -> int:
    """True if the comparison goes another way with what VC or VD gets at the end of this cycle.

    The automatic stalling does not know that SFPSWAP compares in its first cycle (SFPMAD.md, and
    SFPI's compiler, which puts an SFPNOP there). So VC and VD are compared as they were, and
    swapped as they have become. Kernels on cards rely on a comparison that comes out alike:
    _calculate_reciprocal_fast_24b_5c_ of LLK replaces NaN by 1 so, where all else is near 0 before
    and after the last SFPMAD. Lanes in which both have become equal need no decision, unless
    they have an index.
    """
    take_c(S, vc)
    take_b(S, vd)
    before = smaller(S)
    become_c = S.vector_late.lanes[SECOND, vc & 31]
    become_b = S.vector_late.lanes[SECOND, vd & 31]
    for lane in lanes(LANES):
        new = S.vector_late.value[SECOND, vc & 31, lane]
        S.vector.c[lane] = new if (become_c >> lane) & 1 else S.vector.c[lane]
    for lane in lanes(LANES):
        new = S.vector_late.value[SECOND, vd & 31, lane]
        S.vector.b[lane] = new if (become_b >> lane) & 1 else S.vector.b[lane]
    unlike = 0
    for lane in lanes(LANES):
        unlike |= (1 if S.vector.c[lane] != S.vector.b[lane] else 0) << lane
    matters = enabled(S) & (unlike | lanes_with(S, ENABLE_DEST_INDEX))
    return (before ^ smaller(S)) & matters


def begin_swap(S: View, vc: int, vd: int, plain: int, indexed: int, compared: int) -> int:
    """The second cycle is to swap these lanes."""
    S.vector_late.pending = 1
    i = S.vector_late.swaps
    S.vector_late.swap_vc[i & 7] = vc
    S.vector_late.swap_vd[i & 7] = vd
    S.vector_late.plain[i & 7] = plain
    S.vector_late.indexed[i & 7] = indexed
    S.vector_late.compared[i & 7] = compared
    S.vector_late.swaps = min(i + 1, COLUMNS)
    return 0


def second_cycle(S: View) -> int:
    """Read for the swaps of the last cycle; their writes follow when this cycle ends."""
    S.vector.unsure = 0
    for i in range(S.vector_late.swaps):
        exchange(
            S,
            S.vector_late.swap_vc[i & 7],
            S.vector_late.swap_vd[i & 7],
            S.vector_late.plain[i & 7],
            S.vector_late.indexed[i & 7],
            S.vector_late.compared[i & 7],
            False,
        )
    S.vector_late.swaps = 0
    return 0


def exchange(S: View, vc: int, vd: int, plain: int, indexed: int, compared: int, NOW: int) -> int:
    """VC and VD change places; in `indexed` lanes what says where the values came from does too.
    They are written now, or when this cycle ends. In `compared` lanes undefined values decide
    it."""
    take_c(S, vc)
    take_b(S, vd)
    undefined_c = S.vector.undefined[vc & 31]
    fill_d_from_b(S)
    S.vector.without = S.vector.undefined[vd & 31] | compared
    exchange_half(S, vc, plain, indexed, NOW)
    fill_d_from_c(S)
    S.vector.without = undefined_c | compared
    exchange_half(S, vd, plain, indexed, NOW)
    if indexed:
        S.vector.without = compared
        take_c(S, 4 + (vc & 3))
        take_b(S, 4 + (vd & 3))
        fill_d_from_b(S)
        put_swapped(S, 4 + (vc & 3), indexed, NOW)
        fill_d_from_c(S)
        put_swapped(S, 4 + (vd & 3), indexed, NOW)
    return 0


def exchange_half(S: View, number: int, plain: int, indexed: int, NOW: int) -> int:
    """`d` to LReg[number], which in lanes with an index must be one of the first four."""
    where = plain | (indexed if number < WITH_INDEX else 0)
    return put_swapped(S, number, where, NOW) if number < WITHOUT_INDEX and where else 0


def put_swapped(S: View, number: int, where: int, NOW: int) -> int:
    """Write `d`."""
    if NOW:
        return put_over(S, number, where)
    return keep_result(S, number, where, SECOND)


def fill_d_from_b(S: View) -> int:
    """d = b."""
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.b[lane]
    return 0


def fill_d_from_c(S: View) -> int:
    """d = c."""
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.c[lane]
    return 0


# Of VC and VD, where LaneConfig says so (exchange).
_INDICES = (uses.LREGS.numbered(*range(4, 8)).maybe,)


@VECTOR.instruction(
    "SFPSWAP", tensix(0x92, Unused(12), *VC_VD, "mod1" / Bits(4)), llk=LLK_SRC, latency="2",
    page=BH + "SFPSWAP.md",
    operands=mode(modes("SFPSWAP_MOD1_", SWAP=0, VEC_MIN_MAX=1, SUBVEC_MIN01_MAX23=2,
                        SUBVEC_MIN02_MAX13=3, SUBVEC_MIN03_MAX12=4, SUBVEC_MIN0_MAX123=5,
                        SUBVEC_MIN1_MAX023=6, SUBVEC_MIN2_MAX013=7, SUBVEC_MIN3_MAX012=8)),
    summary="Swap VC and VD, or sort them into minimum and maximum.",
    reads=(VC, VD, *_INDICES, uses.LANE_CONFIG, ENABLED),
    writes=(VC.when("vc", *range(8)), *TO_VD, *_INDICES),
)  # fmt: skip
def sfpswap(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSWAP.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, swap)
