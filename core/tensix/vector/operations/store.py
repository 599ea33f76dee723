# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, store sub-unit: LRegs to Dst (SFPSTORE.md)."""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.numeric.layouts import bf16_to_dst16, fp16_to_dst16, fp32_to_dst32
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.gate.head import pc_at_gate, word_at_gate
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, tensix
from tensix_gdb.core.tensix.regfiles.dst import DST16B_IN_DST32B, LOW, ROWS
from tensix_gdb.core.tensix.regfiles.rwc import apply_partial_addr_mod
from tensix_gdb.core.tensix.vector import address
from tensix_gdb.core.tensix.vector.operands import (
    ADDR,
    ADDR_WORMHOLE,
    ENABLED,
    LLK_DST,
    TEMPLATE,
    VD,
    VD_MOD0,
    VECTOR,
)
from tensix_gdb.core.tensix.vector.state import (
    ALL,
    BLOCK_DEST_WR_FROM_SFPU,
    DEST_WR_COL_EXCHANGE,
    FIRST_BACKDOOR,
    LANES,
    SECOND,
    any_config,
    begin,
    disabled_lanes,
    enabled_with,
    lanes_with,
    note_unsure,
    write_template,
)

STORE_READS = (VD, uses.ROW_COUNTERS, uses.SAMPLED, uses.LANE_CONFIG, ENABLED)
STORE_WRITES = (uses.DST, TEMPLATE, uses.ROW_COUNTERS)
_TEXT = "Store an LReg to 32 datums of Dst."

NARROW = True  # in 32 bits where ranges allow it (core/engine/README.md)

STORED_WIDE = address.WIDE | 1 << address.LO16 | 1 << address.HI16
SIGN = 0x80000000
EXPONENT = 0x7F800000


def to_dst(S: View, mod0: int) -> int:
    """d = what c becomes in Dst."""
    match mod0:
        case address.FP16:
            for lane in lanes(LANES):
                S.vector.d[lane] = fp16_to_dst16(to_fp16(S.vector.c[lane]))
        case address.BF16:
            for lane in lanes(LANES):
                S.vector.d[lane] = bf16_to_dst16(flushed(S.vector.c[lane]) >> 16)
        case address.FP32:
            for lane in lanes(LANES):
                S.vector.d[lane] = fp32_to_dst32(flushed(S.vector.c[lane]))
        case address.INT32 | address.INT32_ALL | address.INT32_SM:
            for lane in lanes(LANES):
                S.vector.d[lane] = fp32_to_dst32(S.vector.c[lane])
        case address.INT32_TWOS:
            for lane in lanes(LANES):
                S.vector.d[lane] = fp32_to_dst32(sign_magnitude(S.vector.c[lane]))
        case address.INT8_TWOS:
            for lane in lanes(LANES):
                c = sign_magnitude(S.vector.c[lane])
                S.vector.d[lane] = (c >> 31) << 15 | (c & 0x3FF) << 5 | 16
        case address.INT8 | address.INT8_COMP | address.INT8_OF_7:
            for lane in lanes(LANES):
                c = S.vector.c[lane]
                S.vector.d[lane] = (c >> 31) << 15 | (c & 0x3FF) << 5 | 16
        case address.UINT16 | address.LO16_ONLY:
            for lane in lanes(LANES):
                S.vector.d[lane] = S.vector.c[lane] & 0xFFFF
        case address.HI16:
            for lane in lanes(LANES):
                S.vector.d[lane] = S.vector.c[lane]
        case address.INT16:
            for lane in lanes(LANES):
                c = S.vector.c[lane]
                S.vector.d[lane] = (c >> 31) << 15 | (c & 0x7FFF)
        case address.LO16:
            for lane in lanes(LANES):
                c = S.vector.c[lane]
                S.vector.d[lane] = (c & 0xFFFF) << 16 | c >> 16
        case address.HI16_ONLY:
            for lane in lanes(LANES):
                S.vector.d[lane] = S.vector.c[lane] >> 16
        case _:
            for lane in lanes(LANES):
                S.vector.d[lane] = 0
    return 0


def flushed(x: int) -> int:
    """FP32 without denormals."""
    return x if x & EXPONENT else x & SIGN


def sign_magnitude(x: int) -> int:
    """ToSignMag of Wormhole's SFPSTORE.md."""
    return SIGN | (-x & 0x7FFFFFFF) if x & SIGN else x


def to_fp16(x: int) -> int:
    """ToFP16 of SFPSTORE.md: what is too large becomes the largest, NaN included."""
    exponent = ((x >> 23) & 0xFF) - 112
    mantissa = (x >> 13) & 0x3FF
    if exponent > 31:
        exponent = 31
        mantissa = 0x3FF
    if exponent <= 0:
        exponent = 0
        mantissa = 0
    return (x >> 31) << 15 | exponent << 10 | mantissa


def write_pairs(S: View, thread: int, at: int, wide: int, where: int, config: int) -> int:
    """Dst = d, datums of 32 or 16 bits, of these lanes, in the group of four rows at `at`."""
    address.fill_shifts(S, (at >> 1) & 1, config, DEST_WR_COL_EXCHANGE)
    first = address.first_of_four(S, thread, at, wide)
    if where == ALL:
        for lane in lanes(LANES):
            S.vector.b[lane] = 0xFFFF << (S.vector.a[lane] & 16)
    else:
        for lane in lanes(LANES):
            mask = 0xFFFF << (S.vector.a[lane] & 16)
            S.vector.b[lane] = mask if (where >> lane) & 1 else 0
    if wide:
        write_rows(S, first, 16)
        write_rows(S, first + LOW, 0)
    else:
        write_rows(S, first, 0)
        if S.tile_control.feature_disable & DST16B_IN_DST32B:
            write_rows(S, first + LOW, 32)
    left = address.undefined_columns(S, first)
    if left:
        define(S, at, first, left, where, config)
    if S.vector.without | S.vector.unsure or S.dst.marked:
        mark_stored(S, first, where)
    return 0


def mark_stored(S: View, first: int, where: int) -> int:
    """Mark the datums of undefined lanes, and those that are written or not; `a` says where a datum
    is in its pair. The others of `where` are marked no longer."""
    undefined = (S.vector.without & where) | S.vector.unsure
    if undefined:
        S.dst.marked = 1
    for lane in range(LANES):
        column = 2 * (lane & 7) + (S.vector.a[lane] >> 4 & 1)
        if ((where | undefined) >> lane) & 1:
            S.dst.from_undefined[first + (lane >> 3)] &= ~(1 << column)
        if (undefined >> lane) & 1:
            S.dst.from_undefined[first + (lane >> 3)] |= 1 << column
    return 0


def write_rows(S: View, first: int, DROP: int) -> int:
    """16 bits of each `d`, where `b` has a mask, to a group of four rows of DstBits."""
    place = (first & (ROWS - 4)) * address.PAIRS
    for lane in lanes(LANES):
        mask = S.vector.b[lane]
        value = ((S.vector.d[lane] >> DROP) & 0xFFFF) << (S.vector.a[lane] & 16)
        S.dst.pairs[place + lane] = (S.dst.pairs[place + lane] & ~mask) | (value & mask)
    return 0


def define(S: View, at: int, first: int, left: int, where: int, config: int) -> int:
    """The datums of these lanes have values; only columns in `left` may have been without."""
    odd = address.odd_lanes(S, (at >> 1) & 1, config, DEST_WR_COL_EXCHANGE)
    if left & address.columns_of(ALL, 0, odd) == 0:
        return 0
    for i in range(4):
        if S.dst.undefined[first + i]:
            S.dst.undefined[first + i] &= ~address.columns_of(where, i, odd)
    return 0


def store(S: View, thread: int, vd: int, mod0: int, at: int, WAITED: bool) -> int:
    """Dst = LReg. `mod0` is not SRCB. WAITED: it has waited for a result that is a cycle away."""
    config = any_config(S)
    where = S.vector.lanes
    if mod0 != address.INT32_ALL:
        where &= enabled_with(S, config)
        note_unsure(S, config)
    if (config >> BLOCK_DEST_WR_FROM_SFPU) & 1:
        blocked = lanes_with(S, BLOCK_DEST_WR_FROM_SFPU)
        where &= ~blocked
        S.vector.unsure &= ~blocked
    for lane in lanes(LANES):
        S.vector.c[lane] = S.vector.lreg[vd & 31, lane]
    S.vector.without = S.vector.undefined[vd & 31]
    if WAITED and (S.vector_late.due[SECOND] >> (vd & 31)) & 1:
        take_result(S, vd & 31)
    to_dst(S, mod0)
    return write_pairs(S, thread, at, (STORED_WIDE >> (mod0 & 31)) & 1, where, config)


def take_result(S: View, number: int) -> int:
    """`c` has the result that the LReg gets at the end of this cycle: the instruction has waited
    for it in the unit (pipeline.py)."""
    where = S.vector_late.lanes[SECOND, number]
    for lane in lanes(LANES):
        old = S.vector.c[lane]
        new = S.vector_late.value[SECOND, number, lane]
        S.vector.c[lane] = new if (where >> lane) & 1 else old
    undefined = S.vector.undefined[number] & ~where
    S.vector.without = undefined | S.vector_late.undefined[SECOND, number]
    return 0


@VECTOR.instruction(
    "SFPSTORE", tensix(0x72, *VD_MOD0, *ADDR), arch=Arch.BLACKHOLE, llk=LLK_DST.format(13),
    page=BH + "SFPSTORE.md", reads=STORE_READS, writes=STORE_WRITES,
    summary=_TEXT,
)  # fmt: skip
def sfpstore(S: View, thread: int, vd: int, mod0: int, addr_mod: int, imm10: int) -> int:
    """SFPSTORE.md"""
    begin(S, ALL)
    if vd >= FIRST_BACKDOOR:
        write_template(S, vd, word_at_gate(S, thread), pc_at_gate(S, thread))
        S.vector.lanes = disabled_lanes(S)
    form = address.resolve(S, thread, mod0)
    at = address.address(S, thread, imm10, form)
    if form == address.INT32_ALL:
        address.push(S, thread)
    store(S, thread, vd, form, at, True)
    return apply_partial_addr_mod(S, thread, addr_mod)


VECTOR.instruction(
    "SFPSTORE", tensix(0x72, *VD_MOD0, *ADDR_WORMHOLE), arch=Arch.WORMHOLE, latency="2+",
    llk=LLK_DST.format(14), page=WH + "SFPSTORE.md", reads=STORE_READS, writes=STORE_WRITES,
    summary=_TEXT,
)(sfpstore)  # fmt: skip
