# SPDX-License-Identifier: Apache-2.0
"""The units of the coprocessor: what each has in it, and the last instruction that it got."""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import THREAD_NAMES, THREADS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.tensix.config import pipeline as config_pipe
from tensix_gdb.core.tensix.gate.issued import UNPACKER_1
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.scalar import pipeline as thcon
from tensix_gdb.gdbstub.tensix.blocked.instructions import Instruction, last_of, place
from tensix_gdb.gdbstub.tensix.blocked.wait_conditions import UNIT_NUMBERS

NAMES = (
    *("unpacker 0", "unpacker 1", "Matrix Unit", "Vector Unit"),
    *("packer", "Scalar Unit", "Configuration Unit", "mover"),
)
_PLACES = (
    *(UNIT_NUMBERS[Unit.UNPACKER], UNPACKER_1, UNIT_NUMBERS[Unit.FPU], UNIT_NUMBERS[Unit.SFPU]),
    *(UNIT_NUMBERS[Unit.PACKER], UNIT_NUMBERS[Unit.THCON], UNIT_NUMBERS[Unit.CONFIG]),
    UNIT_NUMBERS[Unit.MOVER],
)


@dataclass(frozen=True, slots=True)
class UnitState:
    """A unit. `threads` are those with instructions or requests in it; `last` is the last
    instruction that passed a gate to it, of `thread`, in `cycle`."""

    name: str
    threads: tuple[str, ...]
    last: str
    thread: str
    place: str
    cycle: int


def units(machine: Machine) -> Iterator[UnitState]:
    """Yield each unit, in the order of `NAMES`."""
    for number in range(len(NAMES)):
        yield unit_of(machine, number)


def unit_of(machine: Machine, number: int) -> UnitState:
    """Return unit `number` of `NAMES`."""
    busy = tuple(THREAD_NAMES[t] for t in range(THREADS) if has(machine.S, number, t))
    last = last_in(machine, number)
    if last is None:
        return UnitState(NAMES[number], busy, "", "", "", 0)
    return UnitState(
        NAMES[number],
        busy,
        last.text,
        THREAD_NAMES[last.thread],
        place(machine, last.hart, last.pc),
        last.cycle,
    )


def last_in(machine: Machine, number: int) -> Instruction | None:
    """Return the last instruction that passed a gate to unit `number` of `NAMES`."""
    had = (last_of(machine, thread, _PLACES[number]) for thread in range(THREADS))
    return max((known for known in had if known), key=lambda known: known.cycle, default=None)


def has(S: View, number: int, thread: int) -> bool:
    """True if unit `number` of `NAMES` has something of the thread. The mover knows no threads."""
    match NAMES[number]:
        case "unpacker 0":
            return bool(S.busy.unpacker[0, thread])
        case "unpacker 1":
            return bool(S.busy.unpacker[1, thread])
        case "Matrix Unit":
            return bool(S.busy.matrix[thread])
        case "Vector Unit":
            return bool(S.busy.vector[thread])
        case "packer":
            return bool(S.busy.packer[thread])
        case "Scalar Unit":
            return bool(thcon.executing(S, thread) or thcon.outstanding(S, thread))
        case "Configuration Unit":
            return bool(config_pipe.in_flight(S, thread))
        case _:
            return False
