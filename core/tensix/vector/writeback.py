# SPDX-License-Identifier: Apache-2.0
"""Results of instructions that take two cycles, and which writes meet (VectorUnit.md).

An instruction with a latency of 2 writes its LReg when its second cycle ends: those of the MAD
sub-unit, SFPSWAP, and the shuffles of SFPSHFT2. Until then, a reader of the LReg gets what it held
before (SFPMAD.md, "Instruction scheduling"); for what comes through a gate, reads.py sees to it
that no instruction does. Such a result moves through two stages: FIRST in the cycle in which the
instruction executes, SECOND in the next, and is written at the end of that. In the schedule `sc`,
results of what comes through a gate are there at once; what SFPLOADMACRO has scheduled for a cycle
keeps its two cycles in every schedule, as its page counts in cycles.

A result of MAD and a write of one cycle that begin in the same cycle do not meet: the result comes
a cycle later, and stays.

UNSPECIFIED(SFPMAD.md): an instruction that comes through a gate one cycle after one of the MAD
sub-unit, and writes its LReg without reading it. No page calls it wrong: the automatic stalling
looks for readers, and Wormhole's rule names them alone; SFPI puts no SFPNOP there. So the later
instruction's write stays, as the functional models have it one after the other.

UNSPECIFIED(VectorUnit.md): which of two writes stays that one lane of an LReg gets at the end of
the same cycle, if SFPLOADMACRO has scheduled one of them. No page says it, so it is a fault
(VECTOR_WRITES). A load stays over what another sub-unit than MAD writes:
LLK loads the LReg that a scheduled SFPSWAP is just writing, to find its maximum of columns
(init_reduce_max_min of ckernel_sfpu_reduce.h), and its tests on cards want what was loaded.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.record.layout import Mark, Part, Role, Tag, View, row
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.vector.lanes import corrupts, store, undefined_after, writable
from tensix_gdb.core.tensix.vector.state import (
    ALL,
    COLUMNS,
    EXTRA,
    FIRST,
    LANES,
    LREGS,
    SECOND,
)

STAGES = 2
MASK = 31  # an index of five bits needs no test for being in range

_A = Tag.ARCHITECTURAL
_EACH = (STAGES, LREGS)

# fmt: off
LATE = Part("vector_late", (
    row("pending",  "u8",  (),              _A, "a stage holds something"),
    row("due",      "u32", STAGES,          _A, "the LRegs that it has results for, a bit each"),
    row("by_mad",   "u32", STAGES,          _A, "those of them that are of the MAD sub-unit"),
    row("lanes",    "u32", _EACH,           _A, "the lanes that are written; 0 of other LRegs"),
    row("of_gate",  "u32", _EACH,           _A, "lanes of the MAD that came through a gate"),
    row("value",    "u32", (*_EACH, LANES), _A, "the results", marks=Mark.VISIBLE),
    row("undefined", "u32", _EACH,          _A, "lanes of them that undefined rows of Dst decide",
        role=Role.PROGRESS),
    # SFPSWAPs in their first cycle; several when columns have different templates
    # (operations/swap.py).
    row("swaps",    "u8",  (),              _A, "how many"),
    row("swap_vc",  "u8",  COLUMNS,         _A, "VC"),
    row("swap_vd",  "u8",  COLUMNS,         _A, "VD"),
    row("plain",    "u32", COLUMNS,         _A, "the lanes that are swapped"),
    row("indexed",  "u32", COLUMNS,         _A, "the lanes that are swapped with their index"),
    row("compared", "u32", COLUMNS,         _A, "the lanes in which undefined values decide it",
        role=Role.PROGRESS),
))
# fmt: on


def at_once(S: View) -> int:
    """True if a result is there at once: `sc`, and the instruction has come through a gate."""
    return 1 if S.schedule.kind == Schedule.SC and S.macro.executing == 0 else 0


def put_late(S: View, vd: int, where: int, indirect: int) -> int:
    """Write `d` to an LReg, or in each lane to the one that LReg[7] names, when the second cycle
    ends; 0 or the code of a fault."""
    if indirect and vd != EXTRA:
        return put_late_per_lane(S, where)
    return put_late_to(S, vd, where, True)


def put_late_to(S: View, vd: int, where: int, BY_MAD: int) -> int:
    """Write `d` to one LReg when the second cycle ends; 0 or the code of a fault."""
    if not writable(vd):
        return 0
    if corrupts(S, vd, where):
        return Fault.VECTOR_INDEX
    if S.vector_late.lanes[FIRST, vd & MASK] & where:
        return Fault.VECTOR_WRITES
    if at_once(S):
        return put_over(S, vd, where)
    if BY_MAD:
        S.vector_late.by_mad[FIRST] |= 1 << (vd & MASK)
        if S.macro.executing == 0:
            S.vector_late.of_gate[FIRST, vd & MASK] |= where
    return keep_result(S, vd, where, FIRST)


def put_late_per_lane(S: View, where: int) -> int:
    """`put_late` to the LRegs that LReg[7] names."""
    if S.vector.undefined[7] & where:
        return Fault.VECTOR_UNDEFINED
    for lane in lanes(LANES):
        S.vector.a[lane] = S.vector.lreg[7, lane] & 15
    for number in range(8):
        chosen = named(S, number) & where
        if corrupts(S, number, chosen):
            return Fault.VECTOR_INDEX
        if S.vector_late.lanes[FIRST, number] & chosen:
            return Fault.VECTOR_WRITES
    unsure = S.vector.unsure
    for number in range(8):
        this = named(S, number)
        S.vector.unsure = unsure & this
        if this & where:
            put_late_to(S, number, this & where, True)
        elif S.vector.unsure:
            mark(S, number, S.vector.unsure)
    S.vector.unsure = unsure
    return 0


def mark(S: View, number: int, where: int) -> int:
    """Lanes that an instruction in its first cycle may write, or not, become undefined: with its
    results, or at once if the LReg gets none."""
    if (S.vector_late.due[FIRST] >> number) & 1 and not at_once(S):
        S.vector_late.undefined[FIRST, number & MASK] |= where
        return 0
    S.vector.undefined[number & MASK] |= where
    coming = S.vector_late.lanes[SECOND, number & MASK]
    S.vector_late.undefined[SECOND, number & MASK] |= where & coming
    return 0


def named(S: View, number: int) -> int:
    """Return the lanes in which `a` has this number."""
    mask = 0
    for lane in lanes(LANES):
        mask |= (1 if S.vector.a[lane] == number else 0) << lane
    return mask


def put_over(S: View, vd: int, where: int) -> int:
    """Write `d` so that it stays, whatever else is written when this cycle ends."""
    if not writable(vd):
        return 0
    if S.macro.swapped:
        S.macro.back[vd & MASK] &= ~where
    return store(S, vd, where)


def keep_result(S: View, vd: int, where: int, STAGE: int) -> int:
    """`d` becomes a result of this stage."""
    number = vd & MASK
    S.vector_late.undefined[STAGE, number] = undefined_after(
        S, S.vector_late.undefined[STAGE, number], where
    )
    if where == ALL:
        for lane in lanes(LANES):
            S.vector_late.value[STAGE, number, lane] = S.vector.d[lane]
        return reserve(S, vd, where, STAGE)
    for lane in lanes(LANES):
        old = S.vector_late.value[STAGE, number, lane]
        new = S.vector.d[lane]
        S.vector_late.value[STAGE, number, lane] = new if (where >> lane) & 1 else old
    return reserve(S, vd, where, STAGE)


def reserve(S: View, vd: int, where: int, STAGE: int) -> int:
    """These lanes are written at the end of this stage, whatever their value will be."""
    S.vector_late.lanes[STAGE, vd & MASK] |= where
    S.vector_late.due[STAGE] |= 1 << (vd & MASK)
    S.vector_late.pending = 1
    return 0


def meets(S: View, numbers: int, where: int, STAGE: int) -> int:
    """True if a result of this stage is for one of these LRegs, in one of these lanes."""
    left = S.vector_late.due[STAGE] & numbers
    while left:
        number = (int.bit_length(left) - 1) & MASK
        if S.vector_late.lanes[STAGE, number] & where:
            return 1
        left ^= 1 << number
    return 0


def meets_scheduled(S: View, numbers: int, where: int) -> int:
    """True if a result that is written in this cycle is for one of these LRegs, in one of these
    lanes, and is none of a MAD that came through a gate."""
    left = S.vector_late.due[SECOND] & numbers
    while left:
        number = (int.bit_length(left) - 1) & MASK
        of_others = S.vector_late.lanes[SECOND, number] & ~S.vector_late.of_gate[SECOND, number]
        if of_others & where:
            return 1
        left ^= 1 << number
    return 0


def not_seen(S: View, coming: int) -> int:
    """LRegs that an instruction of a gate writes at the end of this cycle, but for those in
    `coming`: SFPLUTFP32 has a copy of its mode for the stalling, which may say something else."""
    numbers = 0
    left = S.vector_late.due[SECOND] & ~coming
    while left:
        number = (int.bit_length(left) - 1) & MASK
        numbers |= 1 << number if S.vector_late.of_gate[SECOND, number] else 0
        left ^= 1 << number
    return numbers


def advance(S: View) -> int:
    """A cycle begins: the results of the last one are written, the others are in their second."""
    arrive(S)
    left = S.vector_late.due[FIRST]
    S.vector_late.due[SECOND] = left
    S.vector_late.due[FIRST] = 0
    S.vector_late.by_mad[SECOND] = S.vector_late.by_mad[FIRST]
    S.vector_late.by_mad[FIRST] = 0
    S.vector_late.pending = 1 if left else 0
    while left:
        number = (int.bit_length(left) - 1) & MASK
        S.vector_late.lanes[SECOND, number] = S.vector_late.lanes[FIRST, number]
        S.vector_late.lanes[FIRST, number] = 0
        S.vector_late.undefined[SECOND, number] = S.vector_late.undefined[FIRST, number]
        S.vector_late.undefined[FIRST, number] = 0
        S.vector_late.of_gate[SECOND, number] = S.vector_late.of_gate[FIRST, number]
        S.vector_late.of_gate[FIRST, number] = 0
        for lane in lanes(LANES):
            S.vector_late.value[SECOND, number, lane] = S.vector_late.value[FIRST, number, lane]
        left ^= 1 << number
    return 0


def arrive(S: View) -> int:
    """The results of the second stage are written."""
    left = S.vector_late.due[SECOND]
    while left:
        number = (int.bit_length(left) - 1) & MASK
        where = S.vector_late.lanes[SECOND, number]
        S.vector_late.lanes[SECOND, number] = 0
        S.vector_late.of_gate[SECOND, number] = 0
        left_undefined = S.vector.undefined[number] & ~where
        S.vector.undefined[number] = left_undefined | S.vector_late.undefined[SECOND, number]
        S.vector_late.undefined[SECOND, number] = 0
        if where == ALL:
            for lane in lanes(LANES):
                S.vector.lreg[number, lane] = S.vector_late.value[SECOND, number, lane]
        else:
            for lane in lanes(LANES):
                old = S.vector.lreg[number, lane]
                new = S.vector_late.value[SECOND, number, lane]
                S.vector.lreg[number, lane] = new if (where >> lane) & 1 else old
        left ^= 1 << number
    return 0


def forget_all(S: View) -> int:
    """Nothing is to come any more."""
    S.vector_late.pending = 0
    S.vector_late.swaps = 0
    for stage in range(STAGES):
        S.vector_late.due[stage] = 0
        S.vector_late.by_mad[stage] = 0
        for number in range(LREGS):
            S.vector_late.lanes[stage, number] = 0
            S.vector_late.undefined[stage, number] = 0
            S.vector_late.of_gate[stage, number] = 0
    return 0


INLINED = (advance, arrive, keep_result, put_late_to)
