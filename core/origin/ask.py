# SPDX-License-Identifier: Apache-2.0
"""Where a value came from: the way in.

    for origin in origins(machine, rerun, ["0x21000"]).trees:
        print("\n".join(origin.lines()))

A question takes the tile through its past and puts it back. In the past it runs alone, so answers
that a host gave are those that the history or the recording has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dwarf.frames import unwind
from tensix_gdb.core.dwarf.info import DebugInfo
from tensix_gdb.core.history.replay import run_again
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.places import Asked, asked
from tensix_gdb.core.origin.query import CYCLES, LEVELS, Query
from tensix_gdb.core.origin.rerun import Rerun
from tensix_gdb.core.origin.tree import Origin, Trees

CHAINS = 12  # of which callers are looked up: each takes a run
BEFORE = 512  # cycles before the write in which the instruction may have been issued


@dataclass(frozen=True, slots=True)
class Origins:
    """The trees of one question, how many cycles were watched, and whether that was all."""

    asked: str
    trees: list[Origin]
    cycles: int
    is_whole: bool

    def lines(self, *, settings: bool = False) -> list[str]:
        """The answer as text."""
        lines = [self.asked] if " " in self.asked and ":" in self.asked else []
        lines += [line for tree in self.trees for line in tree.lines(settings=settings)]
        if not self.is_whole:
            lines.append(f"the search ended after {self.cycles} cycles of the past: --cycles N")
        return lines

    def to_json(self) -> dict[str, object]:
        """The answer for programs."""
        trees = [tree.to_json() for tree in self.trees]
        return {"asked": self.asked, "whole": self.is_whole, "origins": trees}


def origins(
    machine: Machine,
    rerun: Rerun,
    words: Sequence[str],
    *,
    cycles: int = CYCLES,
    levels: int = LEVELS,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Origins:
    """Answer a question in words (places.py). NotAPlace where they name nothing."""
    return origins_of(
        machine, rerun, asked(machine, words), cycles=cycles, levels=levels,
        is_interrupted=is_interrupted,
    )  # fmt: skip


def origins_of(
    machine: Machine,
    rerun: Rerun,
    what: Asked,
    *,
    cycles: int = CYCLES,
    levels: int = LEVELS,
    is_interrupted: Callable[[], bool] = lambda: False,
) -> Origins:
    """Answer a question about places."""
    query = Query(rerun, cycles=cycles, levels=levels, is_interrupted=is_interrupted)
    answer = query.ask(what.places, what.bits, at=what.at)
    trees = Trees(machine, answer)
    roots = trees.roots()
    try:
        for origin, cycle in trees.chains[:CHAINS]:
            if is_interrupted():
                break
            _add_callers(machine, query, origin, cycle)
    finally:
        query.put_back()
    return Origins(what.text, roots, answer.cycles, answer.is_whole)


def _add_callers(machine: Machine, query: Query, origin: Origin, cycle: int) -> None:
    """The functions that have called the one of an instruction, as the stack was back then: where
    the hart was at the instruction the last time before the cycle."""
    hart, pc = origin.hart, origin.pc
    if hart is None or pc is None or not 0 <= hart < HARTS:
        return
    image = machine.places.image(hart, pc)
    if image is None or image.function_at(pc) is None:
        return
    query.run_to(max(cycle - BEFORE, 0))
    callers: list[str] = []
    while machine.S.tile.cycle <= cycle:
        if machine.read_pc(hart) == pc:
            callers = _callers(machine, hart, pc)
        was = int(machine.S.tile.cycle)
        run_again(machine, 1, armed=False)
        if machine.S.tile.cycle == was:
            break
    origin.calls = callers


def _callers(machine: Machine, hart: int, pc: int) -> list[str]:
    image = machine.places.image(hart, pc)
    if image is None:
        return []
    info = DebugInfo(image.content)

    def memory(addr: int, length: int) -> bytes | None:
        data = machine.peek(hart, addr, length)
        return data if len(data) == length else None

    registers: dict[int, int | None] = {
        number: machine.read_x(hart, number) for number in range(32)
    }
    frames = unwind(lambda at: info if info.lines.at(at) else None, registers, pc, memory)
    outer = [frame for frame in frames[1:] if frame.function != "_start"]
    return [f"{frame.function} at {frame.file.rpartition('/')[2]}:{frame.line}" for frame in outer]
