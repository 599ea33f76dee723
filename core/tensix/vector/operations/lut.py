# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, MAD sub-unit: piecewise linear functions by tables in LRegs (SFPLUT, SFPLUTFP32)."""

from collections.abc import Callable

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.numeric.fma import not_finite
from tensix_gdb.core.numeric.fma_wormhole import not_finite_wormhole
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, F, Operand, tensix
from tensix_gdb.core.tensix.vector.lanes import issue, live
from tensix_gdb.core.tensix.vector.operands import (
    ENABLED,
    LREG7,
    RESULT,
    TEMPLATE,
    TO_VD_OR_INDIRECT,
    VECTOR,
    flags,
)
from tensix_gdb.core.tensix.vector.operations.mad import Finish, multiply_add_lanes
from tensix_gdb.core.tensix.vector.state import LANES
from tensix_gdb.core.tensix.vector.writeback import put_late

# fmt: off
LUT = flags("SFPLUT_MOD0_", SGN_RETAIN=4, INDIRECT_VD=8)
# FP16_3ENTRY_TABLE and INDIRECT_VD share a bit; the table is tried first.
LUT32 = flags("SFPLUTFP32_MOD1_", FP32_3ENTRY_TABLE=0, FP16_6ENTRY_TABLE1=2, FP16_6ENTRY_TABLE2=3,
              FP16_3ENTRY_TABLE=10, SGN_RETAIN=4, INDIRECT_VD=8)
_LUT32_TEXT = "Multiply-add of LReg[3] with coefficients from a table of FP16 or FP32 numbers."
# fmt: on

SIX_2, SIX, RETAIN, INDIRECT, THREE_16 = 1, 2, 4, 8, 10
SIGN = 0x80000000
_OF_TABLE = (*(uses.LREGS.numbered(*range(7)), LREG7.if_set("mod1", INDIRECT), ENABLED),)
HALF, ONE, ONE_AND_HALF, TWO = 0x3F000000, 0x3F800000, 0x3FC00000, 0x40000000
THREE, FOUR = 0x40400000, 0x40800000


def from_8_bits(x: int) -> int:
    """Lut8ToFp32 of SFPLUT.md."""
    if x == 0xFF:
        return 0
    return (x >> 7) << 31 | (127 - ((x >> 4) & 7)) << 23 | (x & 15) << 19


def from_16_bits(x: int) -> int:
    """Lut16ToFp32 of SFPLUTFP32.md: 0 instead of infinity and NaN, no denormals."""
    exponent = (x >> 10) & 0x1F
    wide = 0 if exponent == 31 else exponent + 112
    return (x >> 15) << 31 | wide << 23 | (x & 0x3FF) << 13


def finish(S: View, vd: int, mod: int, indirect: int, NOT_FINITE: Finish, FLUSHES: int) -> int:
    """d = a * |LReg[3]| + c, with the sign of LReg[3] if the mode says so."""
    multiply_add_lanes(S, NOT_FINITE, FLUSHES)
    if mod & RETAIN:
        for lane in lanes(LANES):
            sign = S.vector.lreg[3, lane] & SIGN
            S.vector.d[lane] = (S.vector.d[lane] & ~SIGN) | sign
    return put_late(S, vd, live(S), indirect)


def take_size(S: View) -> int:
    """b = |LReg[3]|."""
    S.vector.without |= S.vector.undefined[3]
    for lane in lanes(LANES):
        S.vector.b[lane] = S.vector.lreg[3, lane] & ~SIGN
    return 0


def read_table(S: View, first: int) -> int:
    """Three LRegs of a table are read."""
    for number in range(3):
        S.vector.without |= S.vector.undefined[first + number]
    return 0


def look_up(S: View, vb: int, vc: int, vd: int, imm: int, mod0: int) -> int:
    """A table of three pairs of 8 bits."""
    return looked_up(S, vd, mod0, not_finite, 0)


def look_up_flushed(S: View, vb: int, vc: int, vd: int, imm: int, mod0: int) -> int:
    """The same, of Wormhole."""
    return looked_up(S, vd, mod0, not_finite_wormhole, 1)


def looked_up(S: View, vd: int, mod0: int, NOT_FINITE: Finish, FLUSHES: int) -> int:
    """A table of three pairs of 8 bits, as a chip has it."""
    take_size(S)
    read_table(S, 0)
    for lane in lanes(LANES):
        b = S.vector.b[lane]
        # A NaN is not less than anything.
        third = S.vector.lreg[1, lane] if b < TWO else S.vector.lreg[2, lane]
        pair = S.vector.lreg[0, lane] if b < ONE else third
        S.vector.a[lane] = from_8_bits((pair >> 8) & 0xFF)
        S.vector.c[lane] = from_8_bits(pair & 0xFF)
    return finish(S, vd, mod0, mod0 & INDIRECT, NOT_FINITE, FLUSHES)


def _lut(arch: Arch) -> Callable[[F], F]:
    return VECTOR.instruction(
        "SFPLUT", tensix(0x73, "vd" / Bits(4), "mod0" / Bits(4), Unused(16)), arch=arch,
        llk="lreg_ind@20 instr_mod0@16 dest_reg_addr@0", latency="2",
        page=f"{WH if arch is Arch.WORMHOLE else BH}SFPLUT.md",
        operands={"mod0": Operand(LUT, "sign and indirection")},
        summary="Multiply-add of LReg[3] with coefficients from a table of 8-bit numbers.",
        reads=(uses.LREGS.numbered(*range(4)), LREG7.if_set("mod0", INDIRECT), ENABLED),
        writes=(RESULT.unless_set("mod0", INDIRECT),
                uses.LREGS.indirect.if_set("mod0", INDIRECT), TEMPLATE),
    )  # fmt: skip


@_lut(Arch.BLACKHOLE)
def sfplut(S: View, thread: int, vd: int, mod0: int) -> int:
    """SFPLUT.md"""
    return issue(S, thread, 3, 3, vd, 0, mod0, look_up)


@_lut(Arch.WORMHOLE)
def sfplut_wormhole(S: View, thread: int, vd: int, mod0: int) -> int:
    """SFPLUT.md"""
    return issue(S, thread, 3, 3, vd, 0, mod0, look_up_flushed)


def look_up_wide(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Tables of three pairs of FP32, three pairs of 16 bits, or six pairs of 16 bits."""
    return looked_up_wide(S, vd, mod1, not_finite, 0)


def look_up_wide_flushed(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """The same, of Wormhole."""
    return looked_up_wide(S, vd, mod1, not_finite_wormhole, 1)


def looked_up_wide(S: View, vd: int, mod1: int, NOT_FINITE: Finish, FLUSHES: int) -> int:
    """The tables of SFPLUTFP32, as a chip has it."""
    take_size(S)
    cut = FOUR if mod1 & (SIX | SIX_2) == SIX | SIX_2 else THREE
    three = 1 if mod1 & THREE_16 == THREE_16 else 0
    read_table(S, 0)
    if not three:
        read_table(S, 4)
    for lane in lanes(LANES):
        b = S.vector.b[lane]
        third = S.vector.lreg[1, lane] if b < TWO else S.vector.lreg[2, lane]
        first = S.vector.lreg[0, lane] if b < ONE else third
        third = S.vector.lreg[5, lane] if b < TWO else S.vector.lreg[6, lane]
        second = S.vector.lreg[4, lane] if b < ONE else third
        if mod1 & SIX:
            upper = (b >= HALF) ^ (b >= ONE) ^ (b >= ONE_AND_HALF) ^ (b >= TWO) ^ (b >= cut)
            if three:
                second = first & 0xFFFF
                first = first >> 16
            else:
                first = first >> (upper * 16)
                second = second >> (upper * 16)
            first = from_16_bits(first & 0xFFFF)
            second = from_16_bits(second & 0xFFFF)
        S.vector.a[lane] = first
        S.vector.c[lane] = second
    return finish(S, vd, mod1, mod1 & INDIRECT, NOT_FINITE, FLUSHES)


@VECTOR.instruction(
    "SFPLUTFP32", tensix(0x95, Unused(4), "mod1_mirror" / Bits(4), Unused(8), "vd" / Bits(4),
                         "mod1" / Bits(4)),
    arch=Arch.BLACKHOLE, llk="lreg_dest@4 instr_mod1@0", latency="2", page=BH + "SFPLUTFP32.md",
    operands={"mod1": Operand(LUT32, "which table, sign, indirection")}, summary=_LUT32_TEXT,
    reads=_OF_TABLE, writes=TO_VD_OR_INDIRECT,
)  # fmt: skip
def sfplutfp32(S: View, thread: int, mod1_mirror: int, vd: int, mod1: int) -> int:
    """SFPLUTFP32.md"""
    return issue(S, thread, 3, 3, vd, mod1_mirror, mod1, look_up_wide)


@VECTOR.instruction(
    "SFPLUTFP32", tensix(0x95, Unused(16), "vd" / Bits(4), "mod1" / Bits(4)),
    arch=Arch.WORMHOLE, llk="lreg_dest@4 instr_mod1@0", latency="2", page=WH + "SFPLUTFP32.md",
    operands={"mod1": Operand(LUT32, "which table, sign, indirection")}, summary=_LUT32_TEXT,
    reads=_OF_TABLE, writes=TO_VD_OR_INDIRECT,
)  # fmt: skip
def sfplutfp32_wormhole(S: View, thread: int, vd: int, mod1: int) -> int:
    """SFPLUTFP32.md, which has no second copy of the mode."""
    return issue(S, thread, 3, 3, vd, 0, mod1, look_up_wide_flushed)
