# SPDX-License-Identifier: Apache-2.0
"""Run random programs on the tile: what they start from, what they leave, and what they stop at.

Threads take turns: one pushes its instructions and the coprocessor finishes them, then the next.
STALLWAIT is wherever an instruction could overtake the one before it by the pages, that is
where the unit changes and after each instruction of the Scalar and the Configuration Unit. So a
program has one result, whatever the schedule; an oracle that executes instructions one after the
other may leave every STALLWAIT out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.random_programs.draw import KINDS, Program, prepare, program
from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.record.layout import Slot
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.core.tensix.table import find
from tests.assembler import EBREAK, image

# STALLWAIT with all of B0 to B8, until C0 to C4, C10, C11 and C12 are met.
WAIT = 0xA2000000 | 0x1FF << 15 | 0x1C1F
IN_ORDER = (Unit.FPU, Unit.SFPU, Unit.MISC)  # these keep their own instructions in order
CYCLES = 20_000
CODE = 0x2000  # where the program of T0 is; those of T1 and T2 follow

# What instructions can change; the rest of the tile does not matter to a program.
PARTS = ("vector", "dst", "src", "rwc", "adc", "gpr", "config", "semaphore", "busy")
ROWS = {
    "vector": ("lreg", "flags", "use_flags", "stack_flags", "stack_use", "stack_valid", "config"),
    "dst": ("bits", "undefined"),
    "src": ("a", "b", "format"),
    "busy": ("src_client", "unpack_bank", "matrix_bank"),
}
State = dict[str, bytes]


@dataclass(frozen=True)
class Result:
    """The state that a program left, or the fault that it stopped with."""

    state: State
    stopped: str = ""


def slots(machine: Machine) -> Iterator[Slot]:
    """The rows that `state` has."""
    for part in machine.record.layout.parts:
        if part.name in PARTS:
            for field in part.fields:
                if not field.alias and field.name in ROWS.get(part.name, (field.name,)):
                    yield machine.record.layout.slot(part.name, field.name)


def state(machine: Machine) -> State:
    """The rows that instructions can change, as bytes (little-endian)."""
    return {slot.path: bytes(machine.record.row(slot)) for slot in slots(machine)}


def put(machine: Machine, before: State) -> None:
    """A tile after reset, with these rows."""
    machine.images.clear()
    machine.reset()
    for slot in slots(machine):
        machine.record.row(slot)[:] = before[slot.path]


def pushed(words: list[int]) -> list[int]:
    """The instructions that a thread pushes, with STALLWAIT between them."""
    out: list[int] = []
    last: Unit | None = None
    for word in words:
        row = find(word, Arch.BLACKHOLE)
        assert row is not None
        if last is not None and (row.unit is not last or last not in IN_ORDER):
            out.append(WAIT)
        out.append(word)
        last = row.unit
    return out


def run(machine: Machine, before: State, drawn: Program) -> Result:
    """Run a program from a state."""
    put(machine, before)
    for thread, words in drawn.segments():
        code = [(word << 2 | word >> 30) & 0xFFFFFFFF for word in pushed(words)]
        machine.images.clear()
        machine.load(T0 + thread, image([*code, EBREAK], CODE + 0x1000 * thread))
        stop = machine.run(CYCLES)
        while stop is not None and stop.kind is StopKind.EBREAK:
            stop = machine.run(CYCLES)
        if stop is not None and stop.kind is StopKind.FAULT:
            return Result({}, Fault(stop.code).name)
        if stop is None or stop.kind is not StopKind.ALL_PAUSED or machine.S.tensix.active:
            return Result({}, "waits for ever")
    return Result(state(machine))


def culprit(machine: Machine, before: State, drawn: Program) -> int:
    """The place of the instruction that stops a program: the last one of the shortest prefix."""
    good, bad = 0, len(drawn.words)
    while bad - good > 1:
        middle = (good + bad) // 2
        if run(machine, before, Program(drawn.kind, drawn.words[:middle])).stopped:
            bad = middle
        else:
            good = middle
    return bad - 1


@dataclass(frozen=True)
class Case:
    """A program that runs to its end, the state before and after it, and what was left out."""

    program: Program
    before: State
    after: State
    left_out: tuple[tuple[int, str], ...]


def case(machine: Machine, seed: int, kind: str = "") -> Case:
    """The program of a seed, without the instructions that stop."""
    dice = random.Random(seed)
    drawn = program(dice, kind or dice.choice(tuple(KINDS)))
    machine.images.clear()
    machine.reset()
    prepare(dice, machine.S)
    before = state(machine)
    left_out = []
    while (result := run(machine, before, drawn)).stopped:
        place = culprit(machine, before, drawn)
        left_out.append((drawn.words[place][1], result.stopped))
        drawn = drawn.without(place)
    return Case(drawn, before, result.state, tuple(left_out))
