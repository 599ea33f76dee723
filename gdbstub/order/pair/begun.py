# SPDX-License-Identifier: Apache-2.0
"""The litmus test of an instruction of a unit that a hart pushes, and a store of the hart to
configuration that comes later: may the store be done before the instruction begins?

In the place of the instruction is a SEMPOST, and another T core loads the word, uses it and
loads the semaphore. If the word is the new one and the semaphore is 0, the store was first. What
the thread waits for before the instruction is not known, and no page says for how long at most: a
SEMWAIT stands for that, and the third T core ends it at any time.

    T0                                      T1                  T2
    push SEMWAIT  for S6                    lw a0, CFG[76]      sw 0, SEM[6]
    push SEMPOST  in the place of UNPACR    use a0
    sw 0, TTSYNC                            lw a1, SEM[7]
    lw a5, TTSYNC
    use a5
    sw 0x2000, CFG[76]

A thread's instructions begin in their order and hold no store of the hart, so what else is pushed
between the two changes nothing, and is left out. A load of the hart may say that the instruction
has begun, which the test does not know of: with one, several outcomes say nothing.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, THREADS
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report, Verdict
from tensix_gdb.core.tensix.instruction import Instruction, Unit
from tensix_gdb.core.tensix.table import find
from tensix_gdb.gdbstub.order.pair.cut import CannotCut, Cut, place_at, statements_between, word_of

UNITS = (Unit.FPU, Unit.SFPU, Unit.UNPACKER, Unit.PACKER, Unit.MOP, Unit.REPLAY)
# Loads that are answered when the thread, or its MOP Expander, is done, and not before.
_SYNC_LOADS = (0xFFE80004, 0xFFE80008)
SEMAPHORE, HELD_BY = 7, 6
SYNC = ("tensix_sync() between the two", ("sw 0, TTSYNC", "lw a5, TTSYNC", "use a5"))


def begun_cut_of(machine: Machine, report: Report) -> Cut:
    """Return the test of a report, whichever of the two came first in the run. CannotCut with
    why."""
    both = report.earlier, report.later
    unit = next((one for one in both if one.thread is not None), None)
    store = next((one for one in both if one.thread is None), None)
    if unit is None or store is None or unit.hart != store.hart:
        raise CannotCut("only a hart and an instruction that it pushes itself can be cut out")
    if not T0 <= store.hart < T0 + THREADS or store.hart - T0 != unit.thread:
        raise CannotCut("only a T core and its own thread can be cut out")
    if report.verdict is Verdict.SAMPLING:
        raise CannotCut("no page says when the unit samples the field until its instruction ends")
    return begun_cut(machine, store.hart, unit.pc, store.pc)


def begun_cut(machine: Machine, hart: int, earlier: int, later: int) -> Cut:
    """Return the test of a push at one address and a store at another. CannotCut with why."""
    statements = list(statements_between(machine, hart, earlier, later))
    first, last = _pushed(statements[0]), statements[-1]
    if first is None or first.unit not in UNITS:
        raise CannotCut("the earlier line pushes no instruction of a unit")
    if _pushed(last) is not None:
        raise CannotCut("the later line pushes an instruction, too")
    name, value, address = last.replace(",", " ").split()
    place = place_at(hart, int(address, 0)) if name == "sw" and address.startswith("0x") else ""
    if not place.startswith("CFG"):
        raise CannotCut("the later line stores no word of the configuration")
    between = [text for text in statements[1:-1] if _pushed(text) is None]
    other = T0 + (hart - T0 + 1) % THREADS
    wait = f"push SEMWAIT block=B1, sem=S{HELD_BY}, condition_mask=1"
    result = Cut(hart, [wait, f"push SEMPOST sem=S{SEMAPHORE}", *between, last])
    result.observer = other, [f"lw a0, {place}", "use a0", f"lw a1, SEM[{SEMAPHORE}]"]
    result.others = [(T0 + (hart - T0 + 2) % THREADS, [f"sw 0, SEM[{HELD_BY}]"])]
    both = (SEMAPHORE, HELD_BY)
    result.init = [
        *(f"semaphore.max[{number}] = 15" for number in both),
        f"{place} = {int(value, 0) ^ 0x11:#x}",
    ]
    result.final = [f"{HART_NAMES[other]}:{register}" for register in ("a0", "a1")]
    result.counted, result.fixes = int(value, 0), dict([SYNC])
    if any(_may_say(text) for text in between):
        result.several_say_nothing = "between them is a load that may say what the thread has done"
    return result


def is_in_order(machine: Machine, hart: int, earlier: int, later: int) -> bool:
    """True if both are pushed, the first to a unit and the second to the Configuration Unit: they
    begin in this order. CannotCut if the hart does not get from one to the other."""
    statements = list(statements_between(machine, hart, earlier, later))
    first, last = _pushed(statements[0]), _pushed(statements[-1])
    return (
        first is not None and last is not None and first.unit in UNITS and last.unit is Unit.CONFIG
    )


def _pushed(statement: str) -> Instruction | None:
    is_push = statement.startswith(("push", "ttinsn"))
    return find(word_of(statement), Arch.BLACKHOLE) if is_push else None


def _may_say(statement: str) -> bool:
    """True for a load that may tell the hart what its thread has done."""
    name, _, rest = statement.partition(" ")
    address = rest.rpartition(" ")[2]
    is_sync = address.startswith("0x") and int(address, 0) in _SYNC_LOADS
    return name in ("lw", "lh", "lhu", "lb", "lbu") and not is_sync
