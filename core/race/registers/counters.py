# SPDX-License-Identifier: Apache-2.0
"""Address counters (ADCs.md), which instructions of another thread may set and use, too.

Those of a thread are used in its order as long as only its own instructions come. An instruction
that names another thread's counters, or has them named, is checked against the last ones of each
other thread that read and that wrote them. Unpackers and packer read and move their counters when
the instruction begins. REG2FLOP writes one when it has gone through the Scalar Unit, which on
Blackhole only C0 waits for, as after SETDMAREG (tt-isa-documentation#58): of the own thread, too.
"""

import enum

from tensix_gdb.core.arch.blackhole import THREADS
from tensix_gdb.core.arch.silicon import SCALAR_STAGE
from tensix_gdb.core.race.fields import ADC_CELLS, GATE, STRIDE
from tensix_gdb.core.race.lines import Line, of_thread
from tensix_gdb.core.race.shadow import LINE, LINE_BITS, READ, SITE, WRITE, unordered
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.decode import field
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.packer.addresses import counters_of as counters_of_packer
from tensix_gdb.core.tensix.regfiles.adc import PACKERS, counters_of
from tensix_gdb.core.tensix.state_use import State
from tensix_gdb.core.tensix.table import by_number

ALL = (1 << THREADS) - 1


class Uses(enum.IntEnum):
    """The form in which an instruction says which counters it uses."""

    NOT = 0
    VALUE = 1  # SETADC: above its value
    OVERRIDE = 2  # SETADCXY and the like
    OWN = 3  # SETADCXX
    REG2FLOP = 4
    UNPACR = 5
    PACR = 6


_OF_UNIT = {Unit.THCON: Uses.REG2FLOP, Unit.UNPACKER: Uses.UNPACR, Unit.PACKER: Uses.PACR}
_BY_FIELD = {"new_value": Uses.VALUE, "thread_override": Uses.OVERRIDE, "": Uses.OWN}


def _uses(row: Instruction) -> int:
    """By the field of the row that names the thread of its counters; Wormhole's PACR has none."""
    named = [use.field for use in row.writes if use.state is State.ADC]
    if not named or (row.unit is Unit.PACKER and not named[0]):
        return Uses.NOT
    return _OF_UNIT.get(row.unit) or _BY_FIELD[named[0]]


USES = by_number(_uses)


def begins(S: View, thread: int, number: int, word: int, site: int) -> int:
    """An instruction that uses address counters is at the gate."""
    gate = S.race.ends[thread, Line.GATE]
    uses = USES[number]
    if uses == Uses.UNPACR:
        unit = field(word, number, 0)
        moved = field(word, number, 1) | field(word, number, 2)
        moved |= field(word, number, 3) | field(word, number, 4)
        what = WRITE if moved else READ
        touch(S, thread, thread, 1 << unit, what, Line.GATE, gate, site)
        owner = field(word, number, 6) if field(word, number, 7) else thread
        if owner != thread:
            touch(S, thread, owner, 1 << unit, what, Line.GATE, gate, site)
        return 0
    if uses == Uses.PACR:
        owner = counters_of_packer(thread, field(word, number, 7), field(word, number, 4))
        return touch(S, thread, owner, 1 << PACKERS, WRITE, Line.GATE, gate, site)
    if uses == Uses.REG2FLOP:
        owner = field(word, number, 3) if field(word, number, 1) else thread
        line = Line.MEMORY if is_late(S, number) else Line.SCALAR
        end = S.race.ends[thread, line] + 1
        S.race.adc_met |= 1 << owner & ALL
        return touch(S, thread, owner, 1 << field(word, number, 5), WRITE, line, end, site)
    owner = thread
    if uses == Uses.VALUE:
        owner = counters_of(thread, field(word, number, 5) >> 16)
    elif uses == Uses.OVERRIDE:
        owner = counters_of(thread, field(word, number, 3))
    units = field(word, number, 0) << 2 | field(word, number, 1) << 1 | field(word, number, 2)
    return touch(S, thread, owner, units, WRITE, Line.GATE, gate, site)


def is_late(S: View, number: int) -> int:
    """True if an instruction is REG2FLOP, and there is a stage before the Scalar Unit."""
    return 1 if USES[number] == Uses.REG2FLOP and SCALAR_STAGE[S.tile.chip] else 0


def touch(
    S: View, thread: int, owner: int, units: int, what: int, line: int, number: int, site: int
) -> int:
    """Check an access to counters of the thread `owner`, and keep it."""
    if owner >= THREADS:
        return 0
    if owner != thread:
        S.race.adc_met |= 1 << owner
    for unit in range(3):
        if (units >> unit) & 1:
            cell = ADC_CELLS + (owner * 3 + unit) * 2
            if (S.race.adc_met >> owner) & 1:
                check(S, thread, cell + 1, what, line, site)
                if what != READ:
                    check(S, thread, cell, what, line, site)
            slot = (cell + (1 if what != READ else 0)) * STRIDE + thread
            S.race.slot_at[slot] = number
            S.race.slot_what[slot] = what | of_thread(thread, line) << LINE | site << SITE
            S.race.slot_mask[slot] = 1
            S.race.slot_when[slot] = S.tile.cycle & 0xFFFFFFFF
    return 0


def check(S: View, thread: int, cell: int, what: int, line: int, site: int) -> int:
    """Compare with the last access of each thread, those that read or those that wrote."""
    for other in range(THREADS):
        slot = cell * STRIDE + other
        at = S.race.slot_at[slot]
        if at:
            # What the thread itself has done at its gate is in its clock.
            known = S.race.slot_what[slot]
            if at > S.race.clock[GATE + thread, (known >> LINE) & LINE_BITS]:
                unordered(S, cell, 1, slot, what, of_thread(thread, line), site, GATE + thread)
    return 0
