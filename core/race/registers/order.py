# SPDX-License-Identifier: Apache-2.0
"""The shared state besides data: the Vector Unit, address counters, a thread itself.

The Vector Unit has one set of LRegs and lanes, and executes in order. Address counters are a
thread's own, but for SETADC and the like with an override. B and a T core push to a thread by ways
that meet in its frontend (PushTensixInstruction.md): what comes first is not ordered by any wait of
the gate, but by what the later hart had used when it pushed.

The last access of each thread, or hart, is kept in a slot of its own. Only a change from one to
another is checked.
"""

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.race.fields import FIFO_CELLS, GATE, LREG_CELLS, SCRATCH, STRIDE
from tensix_gdb.core.race.lines import Line, of_thread
from tensix_gdb.core.race.registers.dst import known_units
from tensix_gdb.core.race.shadow import LINE, SITE, WRITE, unordered
from tensix_gdb.core.record.layout import View

T_CORE, FROM_B = 0, 1


def put_access(S: View, slot: int, what: int, number: int, line: int, site: int) -> int:
    """Let a slot be this access."""
    S.race.slot_at[slot] = number
    S.race.slot_what[slot] = what | line << LINE | site << SITE
    S.race.slot_mask[slot] = 1
    S.race.slot_when[slot] = S.tile.cycle & 0xFFFFFFFF
    return 0


def vector_begins(S: View, thread: int, site: int) -> int:
    """An instruction of the Vector Unit: those of other threads are over, or in order."""
    slot = LREG_CELLS * STRIDE
    line = of_thread(thread, Line.VECTOR)
    if S.race.vector_thread != thread + 1:
        S.race.vector_thread = thread + 1
        known_units(S, thread, 0)
        for other in range(THREADS):
            number = S.race.slot_at[slot + other]
            if other != thread and number > S.race.clock[SCRATCH, of_thread(other, Line.VECTOR)]:
                unordered(S, LREG_CELLS, 1, slot + other, WRITE, line, site, GATE + thread)
    return put_access(S, slot + thread, WRITE, S.race.ends[thread, Line.VECTOR] + 1, line, site)


def fed(S: View, thread: int, push: int, feeder: int, site: int) -> int:
    """An instruction of B, or of the T core, is at the gate: is it after the other's last one?"""
    slot = (FIFO_CELLS + thread) * STRIDE
    gate = of_thread(thread, Line.GATE)
    number = S.race.slot_at[slot + 1 - feeder]
    if number and S.race.fed_by[thread] != feeder + 1 and number > S.race.clock[push, gate]:
        unordered(S, FIFO_CELLS + thread, 1, slot + 1 - feeder, WRITE, gate, site, push)
    S.race.fed_by[thread] = feeder + 1
    return put_access(S, slot + feeder, WRITE, S.race.ends[thread, Line.GATE], gate, site)
