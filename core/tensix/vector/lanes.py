# SPDX-License-Identifier: Apache-2.0
"""The reads and writes of lanes by an instruction of the Vector Unit.

An operation has the signature `(S, vb, vc, vd, imm, mod1)` and returns 0 or the code of a fault. It
takes operands into `a`, `b` and `c`, fills `d` in a loop over all 32 lanes, and puts `d` into an
LReg for those lanes that count. Three simple loops instead of one: LLVM makes vector instructions
of each, which it cannot where source and destination may be the same LReg, or where a lane that is
switched off is a branch.

`issue` runs an operation for the instruction at a gate. What SFPLOADMACRO has scheduled runs the
same operations (macro.py), in cycles in which several instructions execute: all of them read what
was there at the beginning, `seen`.
"""

from collections.abc import Callable

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.gate.head import fault_at_gate, pc_at_gate, word_at_gate
from tensix_gdb.core.tensix.vector.state import (
    ALL,
    ENABLE_DEST_INDEX,
    EXTRA,
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

Operation = Callable[[View, int, int, int, int, int], int]


def issue(
    S: View, thread: int, vb: int, vc: int, vd: int, imm: int, mod1: int, OPERATION: Operation
) -> int:
    """Execute the instruction at the gate; if its VD says so, keep it as a template instead."""
    begin(S, ALL)
    if vd >= FIRST_BACKDOOR:
        write_template(S, vd, word_at_gate(S, thread), pc_at_gate(S, thread))
        S.vector.lanes = disabled_lanes(S)
        if S.vector.lanes == 0:
            return 0
    code = OPERATION(S, vb, vc, vd, imm, mod1)
    return fault_at_gate(S, thread, code) if code else 0


def live(S: View) -> int:
    """Return the lanes that the instruction works on."""
    config = any_config(S)
    note_unsure(S, config)
    return enabled_with(S, config) & S.vector.lanes


def take_a(S: View, number: int) -> int:
    """Operand A."""
    S.vector.without |= S.vector.undefined[number & 31]
    for lane in lanes(LANES):
        S.vector.a[lane] = S.vector.lreg[number & 31, lane]
    return 0


def take_b(S: View, number: int) -> int:
    """Operand B."""
    S.vector.without |= S.vector.undefined[number & 31]
    for lane in lanes(LANES):
        S.vector.b[lane] = S.vector.lreg[number & 31, lane]
    return 0


def take_c(S: View, number: int) -> int:
    """Operand C."""
    S.vector.without |= S.vector.undefined[number & 31]
    for lane in lanes(LANES):
        S.vector.c[lane] = S.vector.lreg[number & 31, lane]
    return 0


def writable(vd: int) -> int:
    """True if an instruction can write this LReg."""
    return 1 if vd < 8 or vd == EXTRA else 0


def corrupts(S: View, vd: int, where: int) -> int:
    """True if a write of LReg[vd] in these lanes gives another value than the instruction's.

    Erratum TEN-2932 of both chips (SFPCONFIG.md of Wormhole, commit 376743c): LReg[4:8] while
    LaneConfig.ENABLE_DEST_INDEX is set. SFPLOAD, SFPLOADI, SFPSWAP and SFPTRANSP do not have it, so
    that this is asked of what goes through `put_lanes` and `put_late_to` only.
    """
    return where & lanes_with(S, ENABLE_DEST_INDEX) if vd & ~3 == 4 else 0


def put_lanes(S: View, vd: int, where: int) -> int:
    """Write `d` to an LReg for some lanes; 0 or the code of a fault."""
    if not writable(vd):
        return 0
    return Fault.VECTOR_INDEX if corrupts(S, vd, where) else store(S, vd, where)


def store(S: View, vd: int, where: int) -> int:
    """`put_lanes`, for an LReg that can be written: the result that these lanes were to get at the
    end of this cycle is written over (writeback.py)."""
    coming = S.vector_late.lanes[SECOND, vd & 31] & ~where
    S.vector_late.lanes[SECOND, vd & 31] = coming
    maybe = S.vector.unsure & coming
    S.vector_late.undefined[SECOND, vd & 31] = S.vector_late.undefined[SECOND, vd & 31] & ~where
    S.vector_late.undefined[SECOND, vd & 31] |= maybe
    S.vector.undefined[vd & 31] = undefined_after(S, S.vector.undefined[vd & 31], where)
    if where == ALL:
        for lane in lanes(LANES):
            S.vector.lreg[vd & 31, lane] = S.vector.d[lane]
        return 0
    for lane in lanes(LANES):
        new = S.vector.d[lane]
        old = S.vector.lreg[vd & 31, lane]
        S.vector.lreg[vd & 31, lane] = new if (where >> lane) & 1 else old
    return 0


def undefined_after(S: View, old: int, where: int) -> int:
    """Return which lanes are undefined after a write of lanes `where`; `old` were before it.

    A lane is that an operand makes so, and one that may be written or not.
    """
    return (old & ~where) | (S.vector.without & where) | S.vector.unsure


def copy(S: View, vd: int, source: int, where: int) -> int:
    """LReg[vd] = LReg[source]."""
    S.vector.without = S.vector.undefined[source & 31]
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector.lreg[source & 31, lane]
    return put_lanes(S, vd, where)


def negative(S: View) -> int:
    """Return the lanes in which `d` is negative."""
    mask = 0
    for lane in lanes(LANES):
        mask |= (S.vector.d[lane] >> 31) << lane
    return mask


def kept_flags(S: View) -> int:
    """Return the lane flags as they are, whatever the operands."""
    S.vector.without = S.vector.flags_undefined
    return S.vector.flags


def set_flags(S: View, where: int, flags: int) -> int:
    """LaneFlags of some lanes."""
    S.vector.flags_undefined = undefined_after(S, S.vector.flags_undefined, where)
    S.vector.flags = (S.vector.flags & ~where) | (flags & where)
    return 0


def operand(S: View, number: int, lane: int) -> int:
    """Return one lane of an LReg."""
    return S.vector.lreg[number & 31, lane]


INLINED = (live, undefined_after)
