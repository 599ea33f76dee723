# SPDX-License-Identifier: Apache-2.0
"""Vector Unit: moving lanes within and between LRegs."""

from collections.abc import Callable

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Fixed, NotValue, Signed, Unused
from tensix_gdb.core.numeric.prng import advance
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, F, tensix
from tensix_gdb.core.tensix.vector.by_chip import SHUFFLED
from tensix_gdb.core.tensix.vector.lanes import (
    copy,
    corrupts,
    issue,
    live,
    put_lanes,
    take_b,
    take_c,
)
from tensix_gdb.core.tensix.vector.operands import (
    ENABLED,
    LLK,
    LLK_SRC,
    RESULT,
    TEMPLATE,
    TO_VD,
    VB,
    VC,
    VC_VD,
    VECTOR,
    flags,
    mode,
    modes,
    with_mod1,
)
from tensix_gdb.core.tensix.vector.operations.integer import shifted
from tensix_gdb.core.tensix.vector.state import (
    COLUMN_0,
    COLUMNS,
    FIRST,
    FIRST_BACKDOOR,
    FIRST_ROW,
    LANES,
)
from tensix_gdb.core.tensix.vector.writeback import meets, put_late_to

NEGATE, ALL_LANES_ENABLED, RESERVED, FROM_SPECIAL = 1, 2, 4, 8  # SFPMOV
RANDOM = 9
SIGN = 0x80000000
LAST_COLUMN = COLUMN_0 << COLUMNS - 1


def special(S: View, number: int, where: int) -> int:
    """SFPMOV from configuration: fill `c`."""
    for lane in range(LANES):
        column = lane & (COLUMNS - 1)
        if number < 4:
            S.vector.c[lane] = S.vector.template[number & 3, column]
        elif number < 8:
            S.vector.c[lane] = S.vector.sequence[number & 3, column]
        elif number == 8:
            S.vector.c[lane] = S.vector.misc[column]
        elif number == 15:
            S.vector.c[lane] = S.vector.config[column]
        else:
            S.vector.c[lane] = 0
    return random(S, where) if number == RANDOM else 0


def random(S: View, where: int) -> int:
    """AdvancePRNG for some lanes: fill `c`."""
    for lane in lanes(LANES):
        S.vector.c[lane] = S.vector.prng[lane]
    for lane in lanes(LANES):
        old = S.vector.c[lane]
        S.vector.prng[lane] = advance(old) if (where >> lane) & 1 else old
    return 0


def move(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VD = VC or its negative, or a configuration register, or random bits.

    Bit 2 of Mod1 is reserved; hardware ignores it (SFPMOV.md, commit e99938d), so that 6 means all
    lanes as well.
    """
    where = S.vector.lanes
    if mod1 & ~RESERVED != ALL_LANES_ENABLED:
        where = live(S)
    if corrupts(S, vd, where):
        return Fault.VECTOR_INDEX
    sign = 0
    if mod1 & FROM_SPECIAL:
        special(S, vc, where)
    else:
        take_c(S, vc)
        sign = SIGN if mod1 & NEGATE else 0
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.c[lane] ^ sign
    return put_lanes(S, vd, where)


_SPECIAL = tuple(
    use.if_set("mod1", FROM_SPECIAL)
    for use in (
        uses.MACROS.when("vc", *range(9)),
        uses.PRNG.when("vc", RANDOM),
        uses.LANE_CONFIG.when("vc", 15),
    )
)


@with_mod1("SFPMOV", 0x7C, (Unused(12),),
           flags("SFPMOV_MOD1_", NEGATE=1, ALL_LANES_ENABLED=2, FROM_SPECIAL=8),
           "VD = VC, or its negative, or a configuration register.",
           reads=(VC.unless_set("mod1", FROM_SPECIAL), ENABLED, *_SPECIAL),
           writes=(*TO_VD, uses.PRNG.when("vc", RANDOM).if_set("mod1", FROM_SPECIAL)))  # fmt: skip
def sfpmov(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPMOV.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, move)


def transpose(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Rows of four LRegs change places with LRegs, twice."""
    where = live(S)
    for i in range(4):
        for j in range(i):
            transpose_undefined(S, i, j, where)
            for column in range(COLUMNS):
                for base in range(0, 8, 4):
                    here = j * COLUMNS + column
                    there = i * COLUMNS + column
                    left = S.vector.lreg[base + i, here]
                    right = S.vector.lreg[base + j, there]
                    if (where >> here) & 1:
                        S.vector.lreg[base + i, here] = right
                    if (where >> there) & 1:
                        S.vector.lreg[base + j, there] = left
    return 0


def transpose_undefined(S: View, i: int, j: int, where: int) -> int:
    """The undefined lanes of row `j` of LReg `i` change places with those of row `i` of `j`."""
    here = j * COLUMNS
    there = i * COLUMNS
    to_here = (where >> here) & FIRST_ROW
    to_there = (where >> there) & FIRST_ROW
    for base in range(0, 8, 4):
        left = S.vector.undefined[base + i]
        right = S.vector.undefined[base + j]
        if left | right | S.vector.unsure:
            new_left = (left & ~(to_here << here)) | ((right >> there) & to_here) << here
            new_right = (right & ~(to_there << there)) | ((left >> here) & to_there) << there
            # A row of its own number stays where it is.
            S.vector.undefined[base + i] = new_left | S.vector.unsure & FIRST_ROW << here
            S.vector.undefined[base + j] = new_right | S.vector.unsure & FIRST_ROW << there
    return 0


@VECTOR.instruction(
    "SFPTRANSP", tensix(0x8C, Unused(16), "vd" / Bits(4), Unused(4)), llk=LLK,
    page=BH + "SFPTRANSP.md",
    reads=(uses.LREGS.numbered(*range(8)), ENABLED),
    writes=(uses.LREGS.numbered(*range(8)), TEMPLATE),
    summary="Transpose rows of LReg[0:4] and of LReg[4:8].",
)  # fmt: skip
def sfptransp(S: View, thread: int, vd: int) -> int:
    """SFPTRANSP.md"""
    return issue(S, thread, vd, vd, vd, 0, 0, transpose)


COPY4, CHAINED_COPY4, ROR1_AND_COPY4, ROR1, SHR1, BY_REGISTER, BY_CONSTANT = range(7)


def shuffle(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """SFPSHFT2: shift LRegs by LRegs, lanes by lanes, or bits in lanes.

    UNSPECIFIED(SFPSHFT2.md): in which of its two cycles a shuffle reads; in the first, as the other
    instructions that SFPMAD.md lists beside it.
    """
    where = live(S)
    if mod1 == COPY4 or mod1 == CHAINED_COPY4:
        take_c(S, 0)
        undefined = S.vector.undefined[0]
        down_by_one(S, where)
        S.vector.without = undefined >> COLUMNS if mod1 else 0
        for lane in lanes(LANES):
            S.vector.d[lane] = S.vector.c[(lane + COLUMNS) & 31] if lane < 24 and mod1 else 0
        return put_lanes(S, 3, where)
    take_c(S, vc)
    if mod1 == ROR1_AND_COPY4:
        return rotate_and_copy(S, where)
    if mod1 <= SHR1:
        rotate(S)
        if mod1 == SHR1:
            for lane in range(0, LANES, COLUMNS):
                S.vector.d[lane] = 0
            S.vector.without &= ~COLUMN_0
        return put_late_to(S, vd, where, False)
    if mod1 > BY_CONSTANT:
        return Fault.TENSIX_MODE
    if mod1 == BY_CONSTANT:
        S.vector.without = 0
    take_b(S, vb)
    for lane in lanes(LANES):
        by = S.vector.c[lane] if mod1 == BY_REGISTER else imm & 0xFFFFFFFF
        S.vector.d[lane] = shifted(S.vector.b[lane], by, 0)
    return put_lanes(S, vd, where)


def rotate(S: View) -> int:
    """d = c, each row of eight lanes turned by one."""
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.c[(lane & 24) | ((lane - 1) & 7)]
    undefined = S.vector.without
    S.vector.without = (undefined & ~LAST_COLUMN) << 1 | (undefined >> 7) & COLUMN_0
    return 0


def rotate_and_copy(S: View, where: int) -> int:
    """LReg 0, 1, 2, 3 = LReg 1, 2, 3, and `c` turned, after two cycles."""
    if meets(S, 0xF, where, FIRST):
        return Fault.VECTOR_WRITES
    undefined = S.vector.without
    for number in range(3):
        for lane in lanes(LANES):
            S.vector.d[lane] = S.vector.lreg[number + 1, lane]
        S.vector.without = S.vector.undefined[number + 1]
        put_late_to(S, number, where, False)
    S.vector.without = undefined
    rotate(S)
    return put_late_to(S, 3, where, False)


def down_by_one(S: View, where: int) -> int:
    """LReg 0, 1, 2 = LReg 1, 2, 3."""
    for number in range(3):
        copy(S, number, number + 1, where)
    return 0


# Mod1 6 takes a constant where every other mode has VB and VC.
_SHFT2 = modes("SFPSHFT2_MOD1_", COPY4=0, SUBVEC_CHAINED_COPY4=1, SUBVEC_SHFLROR1_AND_COPY4=2,
               SUBVEC_SHFLROR1=3, SUBVEC_SHFLSHR1=4, SHFT_LREG=5)  # fmt: skip


def _shft2(arch: Arch) -> Callable[[F], F]:
    # Wormhole's bug (shuffle_wormhole).
    shuffled = (uses.LREGS.numbered(SHUFFLED),) if arch is Arch.WORMHOLE else ()
    comes_in = tuple(one.when("mod1", SHR1) for one in shuffled)
    leaves = tuple(one.when("mod1", ROR1, ROR1_AND_COPY4) for one in shuffled)
    return VECTOR.instruction(
        "SFPSHFT2.Reg", tensix(0x94, Unused(8), "vb" / Bits(4), *VC_VD, "mod1" / NotValue(6, 4)),
        arch=arch, llk=LLK_SRC, latency="1-2", operands=mode(_SHFT2),
        page=f"{WH if arch is Arch.WORMHOLE else BH}SFPSHFT2.md",
        reads=(
            uses.LREGS.numbered(*range(4)).when("mod1", COPY4, CHAINED_COPY4),
            uses.LREGS.numbered(1, 2, 3).when("mod1", ROR1_AND_COPY4),
            VC.when("mod1", ROR1_AND_COPY4, ROR1, SHR1, BY_REGISTER),
            VB.when("mod1", BY_REGISTER), ENABLED, *comes_in),
        writes=(
            uses.LREGS.numbered(*range(4)).when("mod1", COPY4, CHAINED_COPY4, ROR1_AND_COPY4),
            RESULT.when("mod1", ROR1, SHR1, BY_REGISTER), TEMPLATE, *leaves),
        summary="Shift bits within lanes by a register, or shuffle lanes.",
    )  # fmt: skip


@_shft2(Arch.BLACKHOLE)
def sfpshft2(S: View, thread: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSHFT2.md"""
    return issue(S, thread, vb, vc, vd, 0, mod1, shuffle)


@VECTOR.instruction(
    "SFPSHFT2.Imm", tensix(0x94, "imm12" / Signed(12), Unused(4), "vd" / Bits(4), Fixed(6, 4)),
    llk=LLK_SRC, latency="1", page=BH + "SFPSHFT2.md",
    reads=(uses.LREGS.named("imm12"), ENABLED),
    summary="VD = LReg shifted by a constant; SFPSHFT is to be preferred.",
)  # fmt: skip
def sfpshft2_imm(S: View, thread: int, imm12: int, vd: int) -> int:
    """SFPSHFT2.md"""
    return issue(S, thread, imm12 & 15, 0, vd, imm12, BY_CONSTANT, shuffle)


def shuffle_wormhole(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """SFPSHFT2 with its bug: SHFLSHR1 is to shift a 0 in, and shifts in what the last rotation
    would have turned there.

    UNSPECIFIED(SFPSHFT2.md): what comes in before any rotation; 0. Each rotation leaves all lanes.
    """
    if mod1 == SHR1:
        take_c(S, vc)
        rotate(S)
        for lane in range(0, LANES, COLUMNS):
            S.vector.d[lane] = S.vector.lreg[SHUFFLED, lane + COLUMNS - 1]
        shifted_in = (S.vector.undefined[SHUFFLED] >> 7) & COLUMN_0
        S.vector.without = (S.vector.without & ~COLUMN_0) | shifted_in
        return put_late_to(S, vd, live(S), False)
    undefined = S.vector.undefined[vc & 31]
    code = shuffle(S, vb, vc, vd, imm, mod1)
    if vd < FIRST_BACKDOOR and (mod1 == ROR1_AND_COPY4 or mod1 == ROR1):
        for lane in lanes(LANES):
            S.vector.lreg[SHUFFLED, lane] = S.vector.c[lane]
        S.vector.undefined[SHUFFLED] = undefined
    return code


@_shft2(Arch.WORMHOLE)
def sfpshft2_wormhole(S: View, thread: int, vb: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSHFT2.md"""
    return issue(S, thread, vb, vc, vd, 0, mod1, shuffle_wormhole)
