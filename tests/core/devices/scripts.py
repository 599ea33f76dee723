# SPDX-License-Identifier: Apache-2.0
"""Programs of loads and stores for tests of devices, and what they leave behind.

A program is a list of steps; each load goes into a register of its own, from x10 on, and `run`
gives the loaded values. Steps are far enough apart to happen one after the other in any schedule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, asm, image, li

PLACES = {B: 0x1000, T0: 0x6000, T1: 0xA000, T2: 0xE000, NC: 0x12000}
FIRST = 10  # the register of the first load
FENCE = asm("fence")


@dataclass(frozen=True, slots=True)
class Load:
    """`name` (lw, lbu ...) from `addr`."""

    addr: int
    name: str = "lw"


@dataclass(frozen=True, slots=True)
class Store:
    """`value` by `name` (sw, sb ...) to `addr`."""

    addr: int
    value: int
    name: str = "sw"


Step = Load | Store | int  # or the word of an instruction


def program(steps: Sequence[Step], end: int = EBREAK) -> list[int]:
    """The words of a program."""
    words: list[int] = []
    loads = 0
    for step in steps:
        if isinstance(step, int):
            words.append(step)
        elif isinstance(step, Store):
            words += [*li(8, step.addr), *li(9, step.value)]
            words += [asm(step.name, rs1=8, rs2=9), FENCE, *_settle()]
        else:
            words += [*li(8, step.addr), asm(step.name, rd=FIRST + loads, rs1=8), FENCE]
            loads += 1
    return [*words, end]


def _settle() -> list[int]:
    """Time for a store to be processed: longer than a request takes."""
    return [asm("addi")] * 16


def start(tile: Machine, programs: Mapping[int, Sequence[Step]]) -> None:
    """Load programs by hart, in place of those that the harts had."""
    for hart, steps in programs.items():
        tile.images[:] = [other for other in tile.images if other.hart != hart]
        tile.load(hart, image(program(steps), PLACES[hart]))


def finish(tile: Machine, cycles: int = 20_000) -> Stop | None:
    """Run until all have paused; the stop that comes before that, if one does."""
    while (stop := tile.run(cycles)) is not None:
        if stop.kind is StopKind.ALL_PAUSED:
            return None
        if stop.kind is not StopKind.EBREAK:
            return stop
    raise AssertionError(f"still running after {cycles} cycles")


def until_pause(tile: Machine, hart: int, *steps: Step) -> list[int]:
    """Run one program to its end beside harts that continue; what its loads brought."""
    start(tile, {hart: steps})
    stop = tile.run(20_000)
    assert stop is not None
    assert (stop.kind, stop.hart) == (StopKind.EBREAK, hart), stop.text
    return loaded(tile, hart, steps)


def loaded(tile: Machine, hart: int, steps: Sequence[Step]) -> list[int]:
    """Return what the loads of a program brought."""
    count = sum(isinstance(step, Load) for step in steps)
    return [tile.read_x(hart, FIRST + i) for i in range(count)]


def run(tile: Machine, hart: int, *steps: Step) -> list[int]:
    """Run one program to its end; what its loads brought."""
    start(tile, {hart: steps})
    stop = finish(tile)
    assert stop is None, stop.text
    return loaded(tile, hart, steps)


def fault_of(tile: Machine, hart: int, *steps: Step) -> tuple[Fault, str]:
    """Run one program to its fault."""
    start(tile, {hart: steps})
    stop = finish(tile)
    assert stop is not None, "no fault"
    assert stop.kind is StopKind.FAULT, stop.text
    return Fault(stop.code), stop.text
