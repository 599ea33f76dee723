# SPDX-License-Identifier: Apache-2.0
"""Results of the MAD sub-unit, which take two cycles: written before the gates of the second.

In the cycle between, who reads the LReg gets what it held before (SFPMAD.md, "Instruction
scheduling"); for what comes through a gate, interlock.py sees to it that nobody does. In the
schedule `sc` nothing takes time.

UNSPECIFIED(SFPMAD.md): another instruction writes the same LReg in between, in the same cycle as
the MAD sub-unit; the later one in program order is taken to win.
"""

from tensix_gdb.core.engine.lanes import lanes
from tensix_gdb.core.record.layout import Part, Tag, View, row
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.vector.lanes import store
from tensix_gdb.core.tensix.vector.state import EXTRA, LANES

SLOTS = 2  # one result for each cycle that it takes
PER_LANE = 31  # instead of an LReg: each lane has its own in `to`

_A = Tag.ARCHITECTURAL

# fmt: off
LATE = Part("vector_late", (
    row("pending", "u8",  (),             _A, "results that are not written yet"),
    row("age",     "u8",  SLOTS,          _A, "1 in the cycle of the instruction; 0: none"),
    row("vd",      "u8",  SLOTS,          _A, "where it goes to, or PER_LANE"),
    row("lanes",   "u32", SLOTS,          _A, "the lanes that are written"),
    row("value",   "u32", (SLOTS, LANES), _A, "the result"),
    row("to",      "u8",  (SLOTS, LANES), _A, "where each lane goes to"),
))
# fmt: on


def put_late(S: View, vd: int, where: int, indirect: int) -> int:
    """Write `d` to an LReg, or in each lane to the one that LReg[7] names, two cycles from now."""
    if indirect and vd != EXTRA:
        for lane in lanes(LANES):
            S.vector.a[lane] = S.vector.lreg[7, lane] & 15
        vd = PER_LANE
    elif vd >= 8 and vd != EXTRA:
        return 0
    if S.schedule.kind == Schedule.SC:
        return put_per_lane(S, where) if vd == PER_LANE else store(S, vd, where)
    slot = 0 if S.vector_late.age[0] == 0 else 1
    S.vector_late.age[slot] = 1
    S.vector_late.vd[slot] = vd
    S.vector_late.lanes[slot] = where
    S.vector_late.pending += 1
    for lane in lanes(LANES):
        S.vector_late.value[slot & 1, lane] = S.vector.d[lane]
    if vd == PER_LANE:
        for lane in lanes(LANES):
            S.vector_late.to[slot & 1, lane] = S.vector.a[lane]
    return 0


def put_per_lane(S: View, where: int) -> int:
    """Write `d` in each lane to the LReg whose number is in `a`."""
    for lane in range(LANES):
        to = S.vector.a[lane] & 31
        if (where >> lane) & 1 and to < 8:
            S.vector.lreg[to, lane] = S.vector.d[lane]
    return 0


def advance(S: View) -> int:
    """A cycle begins; 1 if a result was written."""
    written = 0
    for slot in range(SLOTS):
        age = S.vector_late.age[slot]
        if age == 2:
            write(S, slot)
            written = 1
        elif age == 1:
            S.vector_late.age[slot] = 2
    return written


def write(S: View, slot: int) -> int:
    """A result arrives."""
    S.vector_late.age[slot] = 0
    S.vector_late.pending -= 1
    vd = S.vector_late.vd[slot]
    where = S.vector_late.lanes[slot]
    for lane in lanes(LANES):
        S.vector.d[lane] = S.vector_late.value[slot & 1, lane]
    if vd != PER_LANE:
        return store(S, vd, where)
    for lane in lanes(LANES):
        S.vector.a[lane] = S.vector_late.to[slot & 1, lane]
    return put_per_lane(S, where)


def forget_all(S: View) -> int:
    """Nothing is to come any more."""
    S.vector_late.pending = 0
    for slot in range(SLOTS):
        S.vector_late.age[slot] = 0
    return 0
