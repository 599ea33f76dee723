# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, load sub-unit: Dst and constants to LRegs (SFPLOAD.md, SFPLOADI.md, SFPNOP.md)."""

import enum

from tensix_gdb.core.arch.numbers import MASK32, sext
from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.numeric.layouts import dst16_to_bf16, dst32_to_fp32
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import fault_at_gate, pc_at_gate, word_at_gate
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, Operand, tensix
from tensix_gdb.core.tensix.regfiles.dst import LOW, ROWS
from tensix_gdb.core.tensix.regfiles.rwc import apply_partial_addr_mod
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.lanes import live
from tensix_gdb.core.tensix.vector.operands import (
    ADDR,
    ADDR_WORMHOLE,
    ENABLED,
    LLK_DST,
    TO_VD,
    VD,
    VD_MOD0,
    VECTOR,
    modes,
)
from tensix_gdb.core.tensix.vector.state import (
    ALL,
    BLOCK_SFPU_RD_FROM_DEST,
    CAPTURE_DEFAULT_DEST_INDEX,
    COLUMNS,
    DEST_RD_COL_EXCHANGE,
    ENABLE_DEST_INDEX,
    ENABLE_FP16A_INF,
    FIRST_BACKDOOR,
    LANES,
    any_config,
    begin,
    enabled_with,
    lanes_with,
    note_unsure,
    write_template,
)
from tensix_gdb.core.tensix.vector.writeback import put_over


class LoadI(enum.IntEnum):
    """Mod0 of SFPLOADI.md."""

    FLOATB = 0
    FLOATA = 1
    USHORT = 2
    SHORT = 4
    UPPER = 8
    LOWER = 10


LOADI = modes("SFPLOADI_MOD0_", **LoadI.__members__)
LOAD_READS = (
    *(uses.DST, uses.ROW_COUNTERS, uses.SAMPLED, uses.LANE_CONFIG, ENABLED),
    VD.when("mod0", address.LO16_ONLY, address.HI16_ONLY),
)
# LReg[4] to LReg[7] capture where the datums come from (SFPLOAD.md, LaneConfig).
CAPTURED = uses.LREGS.numbered(*range(4, 8)).when("vd", *range(4)).maybe
LOAD_WRITES = (*TO_VD, CAPTURED, uses.ROW_COUNTERS)
_TEXT = "Load 32 datums of Dst to an LReg."


def read_pairs(S: View, first: int, wide: int) -> int:
    """b = datums, of 32 or 16 bits, of the group of four rows of DstBits at `first`.

    `a` says where in its pair a datum is. The pairs of four rows are one after the other.
    """
    high = (first & (ROWS - 4)) * address.PAIRS
    low = ((first + LOW) & (ROWS - 4)) * address.PAIRS
    if wide:
        for lane in lanes(LANES):
            shift = S.vector.a[lane] & 16
            upper = (S.dst.pairs[high + lane] >> shift) & 0xFFFF
            lower = (S.dst.pairs[low + lane] >> shift) & 0xFFFF
            S.vector.b[lane] = upper << 16 | lower
    else:
        for lane in lanes(LANES):
            S.vector.b[lane] = (S.dst.pairs[high + lane] >> (S.vector.a[lane] & 16)) & 0xFFFF
    return 0


def load_undefined(S: View, first: int) -> int:
    """b = 0 in the lanes where the datum has no value, and note them; `a` as in `read_pairs`.

    UNSPECIFIED(ZEROACC.md): what is loaded. The page calls the load undefined behaviour. Kernels
    on cards load whole tiles of which a reduction has written some rows alone (LLK's
    ckernel_sfpu_recip.h in softmax), and Tenstorrent's simulator loads 0, as here.
    """
    for lane in range(LANES):
        column = 2 * (lane & 7) + (S.vector.a[lane] >> 4 & 1)
        if (S.dst.undefined[first + (lane >> 3)] >> column) & 1:
            S.vector.b[lane] = 0
            S.vector.without |= 1 << lane
        if (S.dst.from_undefined[first + (lane >> 3)] >> column) & 1:
            S.vector.without |= 1 << lane
    return 0


def load(S: View, thread: int, vd: int, mod0: int, at: int) -> int:
    """LReg = Dst, from its address on. `mod0` is not SRCB.

    A load of half an LReg decides by itself whether its lanes are undefined: kernels load the
    other half too.
    """
    if vd >= 8:
        return 0
    config = any_config(S)
    where = S.vector.lanes
    if mod0 != address.INT32_ALL:
        where &= enabled_with(S, config)
        note_unsure(S, config)
    if (config >> BLOCK_SFPU_RD_FROM_DEST) & 1:
        blocked = lanes_with(S, BLOCK_SFPU_RD_FROM_DEST)
        where &= ~blocked
        S.vector.unsure &= ~blocked
    wide = (address.WIDE >> (mod0 & 31)) & 1
    first = address.first_of_four(S, thread, at, wide)
    address.fill_shifts(S, (at >> 1) & 1, config, DEST_RD_COL_EXCHANGE)
    read_pairs(S, first, wide)
    if mod0 != address.ZERO and (S.dst.marked or address.undefined_columns(S, first)):
        load_undefined(S, first)
    from_dst(S, vd, mod0)
    put_over(S, vd, where)
    indexed = (config >> ENABLE_DEST_INDEX) & (config >> CAPTURE_DEFAULT_DEST_INDEX) & 1
    if vd < 4 and indexed:
        captures = lanes_with(S, ENABLE_DEST_INDEX) & lanes_with(S, CAPTURE_DEFAULT_DEST_INDEX)
        where &= captures
        S.vector.unsure &= captures
        for lane in lanes(LANES):
            row = (at & ~3) + (lane >> 3)
            S.vector.d[lane] = row << 4 | (lane & 7) << 1 | S.vector.a[lane] >> 4
        S.vector.without = 0
        put_over(S, vd + 4, where)
    return 0


def from_dst(S: View, vd: int, mod0: int) -> int:
    """d = what b means."""
    match mod0:
        case address.FP16:
            for i in range(4):
                for j in lanes(COLUMNS):
                    infinities = (S.vector.config[j] >> ENABLE_FP16A_INF) & 1
                    S.vector.d[i * COLUMNS + j] = from_fp16(S.vector.b[i * COLUMNS + j], infinities)
        case address.BF16:
            for lane in lanes(LANES):
                S.vector.d[lane] = dst16_to_bf16(S.vector.b[lane]) << 16
        case address.FP32 | address.INT32 | address.INT32_ALL | address.INT32_SM:
            for lane in lanes(LANES):
                S.vector.d[lane] = dst32_to_fp32(S.vector.b[lane])
        case address.INT32_TWOS:
            for lane in lanes(LANES):
                S.vector.d[lane] = twos_complement(dst32_to_fp32(S.vector.b[lane]))
        case address.INT8_TWOS:
            for lane in lanes(LANES):
                b = S.vector.b[lane]
                S.vector.d[lane] = twos_complement((b >> 15) << 31 | ((b >> 5) & 0x3FF))
        case address.INT8_OF_7:
            for lane in lanes(LANES):
                b = S.vector.b[lane]
                S.vector.d[lane] = (b >> 15) << 31 | ((b >> 5) & 0x7F)
        case address.INT8 | address.INT16 | address.INT8_COMP:
            drop = 0 if mod0 == address.INT16 else 5
            mask = 0xFF if mod0 == address.INT8 else 0x7FFF >> drop
            for lane in lanes(LANES):
                b = S.vector.b[lane]
                S.vector.d[lane] = (b >> 15) << 31 | ((b >> drop) & mask)
        case address.UINT16 | address.LO16:
            for lane in lanes(LANES):
                S.vector.d[lane] = S.vector.b[lane]
        case address.HI16:
            for lane in lanes(LANES):
                S.vector.d[lane] = S.vector.b[lane] << 16
        case address.LO16_ONLY:
            for lane in lanes(LANES):
                S.vector.d[lane] = (S.vector.lreg[vd & 31, lane] & ~0xFFFF) | S.vector.b[lane]
        case address.HI16_ONLY:
            for lane in lanes(LANES):
                low = S.vector.lreg[vd & 31, lane] & 0xFFFF
                S.vector.d[lane] = S.vector.b[lane] << 16 | low
        case _:
            for lane in lanes(LANES):
                S.vector.d[lane] = 0
    return 0


def twos_complement(x: int) -> int:
    """SignMagToTwosComp of Wormhole's SFPLOAD.md."""
    magnitude = x & 0x7FFFFFFF
    return -magnitude & MASK32 if x >> 31 else magnitude


def from_fp16(x: int, infinities: int) -> int:
    """ReadFP16 of SFPLOAD.md: a denormal becomes another, which arithmetic flushes."""
    exponent = x & 0x1F
    wide = exponent + 112 if exponent else 0
    mantissa = (x >> 5) & 0x3FF
    if infinities & (x & 0x7FFF == 0x7FFF):
        wide = 255
        mantissa = 0
    return (x >> 15) << 31 | wide << 23 | mantissa << 13


@VECTOR.instruction(
    "SFPLOAD", tensix(0x70, *VD_MOD0, *ADDR), arch=Arch.BLACKHOLE, llk=LLK_DST.format(13),
    page=BH + "SFPLOAD.md", reads=LOAD_READS, writes=LOAD_WRITES,
    summary=_TEXT,
)  # fmt: skip
def sfpload(S: View, thread: int, vd: int, mod0: int, addr_mod: int, imm10: int) -> int:
    """SFPLOAD.md"""
    begin(S, ALL)
    if vd >= FIRST_BACKDOOR:
        write_template(S, vd, word_at_gate(S, thread), pc_at_gate(S, thread))
    form = address.resolve(S, thread, mod0)
    if form == address.INT32_ALL:
        address.pop(S, thread)
    load(S, thread, vd, form, address.address(S, thread, imm10, form))
    return apply_partial_addr_mod(S, thread, addr_mod)


VECTOR.instruction(
    "SFPLOAD", tensix(0x70, *VD_MOD0, *ADDR_WORMHOLE), arch=Arch.WORMHOLE, llk=LLK_DST.format(14),
    page=WH + "SFPLOAD.md", reads=LOAD_READS, writes=LOAD_WRITES,
    summary=_TEXT,
)(sfpload)  # fmt: skip


def widened(mod0: int, imm16: int, old: int) -> int:
    """Return the constant of SFPLOADI as a datum; -1 for a mode without meaning."""
    match mod0:
        case LoadI.FLOATB:
            return imm16 << 16
        case LoadI.FLOATA:
            exponent = ((imm16 >> 10) & 0x1F) + 112
            return (imm16 >> 15) << 31 | exponent << 23 | (imm16 & 0x3FF) << 13
        case LoadI.USHORT:
            return imm16
        case LoadI.SHORT:
            return sext(imm16, 16) & MASK32
        case LoadI.UPPER:
            return imm16 << 16 | (old & 0xFFFF)
        case LoadI.LOWER:
            return (old & 0xFFFF0000) | imm16
        case _:
            return -1


@VECTOR.instruction(
    "SFPLOADI", tensix(0x71, *VD_MOD0, "imm16" / Bits(16)),
    llk="lreg_ind@20 instr_mod0@16 imm16@0", page=BH + "SFPLOADI.md",
    operands={"mod0": Operand(LOADI, "how the constant is widened")},
    reads=(VD.when("mod0", LoadI.UPPER, LoadI.LOWER), ENABLED),
    summary="Write a constant to all lanes of an LReg.",
)  # fmt: skip
def sfploadi(S: View, thread: int, vd: int, mod0: int, imm16: int) -> int:
    """SFPLOADI.md

    A constant for half of an LReg makes its lanes defined: kernels write the other half too.
    """
    begin(S, ALL)
    if vd >= FIRST_BACKDOOR:
        return write_template(S, vd, word_at_gate(S, thread), pc_at_gate(S, thread))
    if widened(mod0, imm16, 0) < 0:
        return fault_at_gate(S, thread, Fault.TENSIX_MODE)
    for lane in lanes(LANES):
        S.vector.d[lane] = widened(mod0, imm16, S.vector.lreg[vd & 31, lane]) & MASK32
    return put_over(S, vd, live(S))


@VECTOR.instruction(
    "SFPNOP", tensix(0x8F, Unused(24)), llk="", page=BH + "SFPNOP.md",
    reads=(),
    summary="Occupy the Vector Unit for one cycle.",
)  # fmt: skip
def sfpnop(S: View, thread: int) -> int:
    """SFPNOP.md"""
    return 0
