# SPDX-License-Identifier: Apache-2.0
"""Vector Unit, simple sub-unit: lane flags, the stack of flags, comparisons.

Words of one bit for each lane (state.py), so nothing here loops over lanes but the comparisons.
"""

import enum
from collections.abc import Callable

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.operand import ALWAYS
from tensix_gdb.core.isa.schema import Bits, Unused
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix import state_use as uses
from tensix_gdb.core.tensix.instruction import BH, WH, Arch, F, Operand, tensix
from tensix_gdb.core.tensix.vector.lanes import issue, live, put_lanes, set_flags, take_b, take_c
from tensix_gdb.core.tensix.vector.operands import (
    LLK,
    RESULT,
    TEMPLATE,
    VC,
    VC_VD,
    VD,
    VECTOR,
    flags,
    mode,
)
from tensix_gdb.core.tensix.vector.operations.swap import smaller
from tensix_gdb.core.tensix.vector.state import ALL, LANES, STACK

# fmt: off
SETCC = flags("SFPSETCC_MOD1_", LREG_LT0=0, IMM_BIT0=1, LREG_NE0=2, LREG_GTE0=4, LREG_EQ0=6,
              CLEAR=8)
ENCC = flags("SFPENCC_MOD1_", EC=1, EI=2, RI=8)
ENCC_IMM2 = flags("SFPENCC_IMM2_", E=1, R=2)
COMPARE = dict(SET_CC=1, MUTATE_STACK=2, MUTATE_OR=4, SET_VD=8)
# fmt: on


class BooleanOp(enum.IntEnum):
    """Mod1 of SFPPUSHC.md and SFPPOPC.md: what A, the top of the stack, becomes with flags B."""

    B = 1
    NOT_B = 2
    AND = 3
    OR = 4
    AND_NOT_B = 5
    OR_NOT_B = 6
    NOT_A_AND = 7
    NOT_A_OR = 8
    NOR = 9
    NAND = 10
    XOR = 11
    XNOR = 12
    INVERT_FLAGS = 13
    ALL = 14
    NONE = 15


COMPARED = (VC, VD, uses.STACK.if_set("mod1", 2), uses.LANES)
TO_COMPARED = (
    RESULT.if_set("mod1", 8),
    uses.STACK.if_set("mod1", 2),
    uses.LANES.if_set("mod1", 1),
    TEMPLATE,
)
IMM_BIT0, NOT_ZERO, INVERTED, CLEAR = 1, 2, 4, 8  # SFPSETCC
EC, EI, RI = 1, 2, 8  # SFPENCC
SET_CC, MUTATE_STACK, MUTATE_OR, SET_VD = 1, 2, 4, 8  # SFPGT, SFPLE


def set_by_zero(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Lane flags = VC < 0, VC != 0 or the contrary; or a constant."""
    take_c(S, vc)
    flags = 0
    for lane in lanes(LANES):
        c = S.vector.c[lane]
        flags |= (((1 if c else 0) if mod1 & NOT_ZERO else c >> 31) & 1) << lane
    if mod1 & INVERTED:
        flags ^= ALL
    if mod1 & IMM_BIT0:
        flags = ALL if imm else 0
    if mod1 & CLEAR:
        flags = 0
    if mod1 & (IMM_BIT0 | CLEAR):
        S.vector.without = 0
    S.vector.without &= S.vector.use_flags
    # Where conditional execution is off, flags become false.
    return set_flags(S, live(S), flags & S.vector.use_flags)


@VECTOR.instruction(
    "SFPSETCC", tensix(0x7B, Unused(11), "imm1" / Bits(1), *VC_VD, "mod1" / Bits(4)),
    llk=LLK, page=BH + "SFPSETCC.md", operands=mode(SETCC, "which comparison"),
    writes=(uses.LANES, TEMPLATE),
    summary="Lane flags = comparison of VC with zero.",
)  # fmt: skip
def sfpsetcc(S: View, thread: int, imm1: int, vc: int, vd: int, mod1: int) -> int:
    """SFPSETCC.md"""
    return issue(S, thread, vd, vc, vd, imm1, mod1, set_by_zero)


def enable(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Turn conditional execution on or off and set the flags, in all lanes."""
    where = S.vector.lanes
    if mod1 & EI:
        S.vector.use_flags = (S.vector.use_flags & ~where) | (where if imm & 1 else 0)
    elif mod1 & EC:
        S.vector.use_flags ^= where
    return set_flags(S, where, ALL if imm & 2 or not mod1 & RI else 0)


@VECTOR.instruction(
    "SFPENCC", tensix(0x8A, Unused(10), "imm2" / Bits(2), Unused(4), "vd" / Bits(4),
                      "mod1" / Bits(4)),
    llk=LLK, page=BH + "SFPENCC.md",
    reads=(uses.LANES,), writes=(uses.LANES, TEMPLATE),
    operands={"imm2": Operand(ENCC_IMM2, "constants for the flags"),
              "mod1": Operand(ENCC, "which of them are set")},
    summary="Turn conditional execution on or off.",
)  # fmt: skip
def sfpencc(S: View, thread: int, imm2: int, vd: int, mod1: int) -> int:
    """SFPENCC.md"""
    return issue(S, thread, vd, vd, vd, imm2, mod1, enable)


def otherwise(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Return the flags of the else branch: where the stack is empty, as if its top were true."""
    valid = S.vector.stack_valid[0]
    top_use = S.vector.stack_use[0] | (valid ^ ALL)
    top_flags = S.vector.stack_flags[0] | (valid ^ ALL)
    flags = top_flags & (S.vector.flags ^ ALL) & top_use & S.vector.use_flags
    # What is false for one reason is false, whatever the other flags are.
    top_undefined = S.vector.stack_undefined[0] & valid
    maybe = (top_flags | top_undefined) & ((S.vector.flags ^ ALL) | S.vector.flags_undefined)
    maybe &= top_use & S.vector.use_flags
    S.vector.without = (top_undefined | S.vector.flags_undefined) & maybe
    return set_flags(S, S.vector.lanes, flags)


@VECTOR.instruction(
    "SFPCOMPC", tensix(0x8B, Unused(16), "vd" / Bits(4), Unused(4)), llk=LLK,
    page=BH + "SFPCOMPC.md", reads=(uses.LANES, uses.STACK), writes=(uses.LANES, TEMPLATE),
    summary="Lane flags = those of the else branch.",
)  # fmt: skip
def sfpcompc(S: View, thread: int, vd: int) -> int:
    """SFPCOMPC.md"""
    return issue(S, thread, vd, vd, vd, 0, 0, otherwise)


def combined(mod1: int, a: int, b: int) -> int:
    """BooleanOp of SFPPUSHC.md and SFPPOPC.md on words."""
    match mod1:
        case BooleanOp.B:
            return b
        case BooleanOp.NOT_B:
            return b ^ ALL
        case BooleanOp.AND:
            return a & b
        case BooleanOp.OR:
            return a | b
        case BooleanOp.AND_NOT_B:
            return a & (b ^ ALL)
        case BooleanOp.OR_NOT_B:
            return a | (b ^ ALL)
        case BooleanOp.NOT_A_AND:
            return (a ^ ALL) & b
        case BooleanOp.NOT_A_OR:
            return (a ^ ALL) | b
        case BooleanOp.NOR:
            return (a | b) ^ ALL
        case BooleanOp.NAND:
            return (a & b) ^ ALL
        case BooleanOp.XOR:
            return a ^ b
        case _:
            return a ^ b ^ ALL


def push(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Push the flags, or change the top of the stack."""
    where = S.vector.lanes
    S.vector.without = S.vector.flags_undefined
    if mod1 == 0:
        if S.vector.stack_valid[STACK - 1] & where:
            return Fault.VECTOR_STACK
        for i in range(STACK - 1, 0, -1):
            shift_entry(S, i, i - 1, where)
        set_top(S, where, S.vector.flags, S.vector.use_flags)
        S.vector.stack_valid[0] |= where
        return 0
    if where & ~S.vector.stack_valid[0]:
        return Fault.VECTOR_STACK
    match mod1:
        case BooleanOp.INVERT_FLAGS:
            set_flags(S, where, S.vector.flags ^ ALL)
            return set_top(S, where, S.vector.flags, S.vector.use_flags)
        case BooleanOp.ALL:
            S.vector.without = 0
            return set_top(S, where, ALL, ALL)
        case BooleanOp.NONE:
            S.vector.without = 0
            return set_top(S, where, 0, ALL)
        case _:
            if mod1 > BooleanOp.NOT_B:
                S.vector.without |= S.vector.stack_undefined[0]
            flags = combined(mod1, S.vector.stack_flags[0], S.vector.flags)
            return set_top(S, where, flags, S.vector.use_flags)


def shift_entry(S: View, to: int, source: int, where: int) -> int:
    """An entry of the stack goes to another place."""
    S.vector.stack_flags[to] = (S.vector.stack_flags[to] & ~where) | (
        S.vector.stack_flags[source] & where
    )
    S.vector.stack_use[to] = (S.vector.stack_use[to] & ~where) | (
        S.vector.stack_use[source] & where
    )
    S.vector.stack_undefined[to] = (S.vector.stack_undefined[to] & ~where) | (
        S.vector.stack_undefined[source] & where
    )
    S.vector.stack_valid[to] = (S.vector.stack_valid[to] & ~where) | (
        S.vector.stack_valid[source] & where
    )
    return 0


def set_top(S: View, where: int, flag: int, use: int) -> int:
    """Write the top of the stack."""
    S.vector.stack_flags[0] = (S.vector.stack_flags[0] & ~where) | (flag & where)
    S.vector.stack_use[0] = (S.vector.stack_use[0] & ~where) | (use & where)
    old_undefined = S.vector.stack_undefined[0] & ~where
    S.vector.stack_undefined[0] = old_undefined | (S.vector.without & where)
    return 0


@VECTOR.instruction(
    "SFPPUSHC", tensix(0x87, Unused(16), "vd" / Bits(4), "mod1" / Bits(4)), arch=Arch.BLACKHOLE,
    llk=LLK, page=BH + "SFPPUSHC.md",
    operands={"mod1": Operand(ALWAYS, "0: push; else how the top of the stack is changed")},
    reads=(uses.LANES, uses.STACK), writes=(uses.STACK, uses.LANES, TEMPLATE),
    summary="Push the lane flags, or change the top of the stack.",
)  # fmt: skip
def sfppushc(S: View, thread: int, vd: int, mod1: int) -> int:
    """SFPPUSHC.md"""
    return issue(S, thread, vd, vd, vd, 0, mod1, push)


def pop(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Pop the flags, or change them by the top of the stack, which is false where it is empty."""
    where = S.vector.lanes
    valid = S.vector.stack_valid[0]
    flag = S.vector.stack_flags[0] & valid
    use = S.vector.stack_use[0] & valid
    S.vector.without = S.vector.stack_undefined[0] & valid
    if mod1 == 0:
        if where & ~valid:
            return Fault.VECTOR_STACK
        for i in range(STACK - 1):
            shift_entry(S, i, i + 1, where)
        S.vector.stack_valid[STACK - 1] &= ~where
    elif mod1 == 13:
        S.vector.without = S.vector.flags_undefined
        return set_flags(S, where, S.vector.flags ^ ALL)
    elif mod1 > 13:
        flag = ALL if mod1 == 14 else 0
        use = ALL
        S.vector.without = 0
    else:
        if mod1 > BooleanOp.NOT_B:
            S.vector.without |= S.vector.flags_undefined
        flag = combined(mod1, S.vector.flags, flag)
    S.vector.use_flags = (S.vector.use_flags & ~where) | (use & where)
    return set_flags(S, where, flag)


def _popc(arch: Arch) -> Callable[[F], F]:
    return VECTOR.instruction(
        "SFPPOPC", tensix(0x88, Unused(16), "vd" / Bits(4), "mod1" / Bits(4)), arch=arch, llk=LLK,
        page=f"{WH if arch is Arch.WORMHOLE else BH}SFPPOPC.md",
        operands={"mod1": Operand(ALWAYS, "0: pop; else how the lane flags are changed")},
        reads=(uses.LANES, uses.STACK), writes=(uses.STACK, uses.LANES, TEMPLATE),
        summary="Pop the lane flags, or change them by the top of the stack.",
    )  # fmt: skip


@_popc(Arch.BLACKHOLE)
def sfppopc(S: View, thread: int, vd: int, mod1: int) -> int:
    """SFPPOPC.md"""
    return issue(S, thread, vd, vd, vd, 0, mod1, pop)


def compare(S: View, vb: int, vc: int, vd: int, mod1: int, invert: int) -> int:
    """VC < VB or the contrary, to VD, to the flags, into the top of the stack."""
    take_b(S, vb)
    take_c(S, vc)
    flags = smaller(S) ^ invert
    where = live(S)
    if mod1 & SET_VD:
        for lane in lanes(LANES):
            S.vector.d[lane] = ((flags >> lane) & 1) * ALL
        code = put_lanes(S, vd, where)
        if code:
            return code
    if mod1 & MUTATE_STACK:
        there = S.vector.lanes & S.vector.stack_valid[0]
        old = S.vector.stack_flags[0]
        new = old | flags if mod1 & MUTATE_OR else old & flags
        S.vector.stack_flags[0] = (old & ~there) | (new & there)
        S.vector.stack_undefined[0] |= S.vector.without & there
    return set_flags(S, where, flags) if mod1 & SET_CC else 0


def greater(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VB > VC."""
    return compare(S, vb, vc, vd, mod1, 0)


@VECTOR.instruction(
    "SFPGT", tensix(0x97, Unused(12), *VC_VD, "mod1" / Bits(4)), arch=Arch.BLACKHOLE, llk=LLK,
    page=BH + "SFPGT.md",
    operands=mode(flags("SFPGT_MOD1_", **COMPARE), "where the result goes to"),
    reads=COMPARED, writes=TO_COMPARED,
    summary="Compare: VD > VC.",
)  # fmt: skip
def sfpgt(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPGT.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, greater)


def at_most(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """VB <= VC."""
    return compare(S, vb, vc, vd, mod1, ALL)


@VECTOR.instruction(
    "SFPLE", tensix(0x96, Unused(12), *VC_VD, "mod1" / Bits(4)), arch=Arch.BLACKHOLE, llk=LLK,
    page=BH + "SFPLE.md",
    operands=mode(flags("SFPLE_MOD1_", **COMPARE), "where the result goes to"),
    reads=COMPARED, writes=TO_COMPARED,
    summary="Compare: VD <= VC.",
)  # fmt: skip
def sfple(S: View, thread: int, vc: int, vd: int, mod1: int) -> int:
    """SFPLE.md"""
    return issue(S, thread, vd, vc, vd, 0, mod1, at_most)


# -- Wormhole
@VECTOR.instruction(
    "SFPPUSHC", tensix(0x87, Unused(16), "vd" / Bits(4), Unused(4)), arch=Arch.WORMHOLE,
    llk=LLK, page=WH + "SFPPUSHC.md", reads=(uses.LANES, uses.STACK), writes=(uses.STACK, TEMPLATE),
    summary="Push the lane flags.",
)  # fmt: skip
def sfppushc_wormhole(S: View, thread: int, vd: int) -> int:
    """SFPPUSHC.md"""
    return issue(S, thread, vd, vd, vd, 0, 0, push)


def pop_wormhole(S: View, vb: int, vc: int, vd: int, imm: int, mod1: int) -> int:
    """Pop the flags, or change them. A bug: looking at a full stack overwrites its bottom."""
    if mod1:
        full = S.vector.stack_valid[STACK - 1] & S.vector.lanes
        flags = S.vector.stack_flags[STACK - 1] & ~full
        use = S.vector.stack_use[STACK - 1] & ~full
        S.vector.stack_flags[STACK - 1] = flags | S.vector.stack_flags[0] & full
        S.vector.stack_use[STACK - 1] = use | S.vector.stack_use[0] & full
        undefined = S.vector.stack_undefined[STACK - 1] & ~full
        S.vector.stack_undefined[STACK - 1] = undefined | S.vector.stack_undefined[0] & full
    return pop(S, vb, vc, vd, imm, mod1)


@_popc(Arch.WORMHOLE)
def sfppopc_wormhole(S: View, thread: int, vd: int, mod1: int) -> int:
    """SFPPOPC.md"""
    return issue(S, thread, vd, vd, vd, 0, mod1, pop_wormhole)
