# SPDX-License-Identifier: Apache-2.0
"""Through which calls the instructions of an answer were reached.

The stack is read where the hart was at the instruction the last time before the write. One walk
through the past finds that for all instructions of an answer: it goes cycle by cycle only shortly
before the writes, and farther back for those that were not found there, because their instruction
has waited for long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HARTS
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.dwarf.frames import unwind
from tensix_gdb.core.dwarf.info import DebugInfo, debug_info
from tensix_gdb.core.history.replay import AT_ONCE
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.origin.query import Query
from tensix_gdb.core.origin.shown import Origin
from tensix_gdb.core.program.elf import Image

IS_RISCV = 3  # in the lowest bits of an instruction of 32 bits; .ttinsn has others
BEFORE = (512, 16384)  # cycles before a write in which its instruction is looked for


@dataclass(frozen=True, slots=True)
class _Looked:
    """An instruction with callers that are looked for, up to a cycle."""

    origin: Origin
    machine: Machine
    hart: int
    pc: int
    cycle: int


def add_callers(
    query: Query,
    chains: Iterable[tuple[Origin, int, int]],
    is_interrupted: Callable[[], bool] = lambda: False,
) -> None:
    """Give each origin the functions that have called the one of its instruction. It says so where
    that is not found."""
    callers = _Callers()
    left: list[_Looked] = []
    for origin, tile, cycle in chains:
        query.programs_at(cycle)
        machine, hart, pc = query.machines[tile], origin.hart, origin.pc
        if hart is not None and pc is not None and callers.knows(machine, hart, pc):
            left.append(_Looked(origin, machine, hart, pc, cycle))
    for before in BEFORE if left else ():
        left = _walk(query, left, before, callers, is_interrupted)
    for one in left:
        one.origin.are_calls_known = False


def _walk(
    query: Query,
    looked: Sequence[_Looked],
    before: int,
    callers: _Callers,
    is_interrupted: Callable[[], bool],
) -> list[_Looked]:
    """Look into the cycles before each write; return those that were not found."""
    waiting = sorted(looked, key=lambda one: one.cycle)
    missed: list[_Looked] = []
    query.run_to(0)
    clock = query.machines[0].S.tile
    seen: dict[tuple[Machine, int, int], list[str]] = {}
    last: dict[tuple[Machine, int], int] = {}
    while waiting and not is_interrupted():
        if clock.cycle < waiting[0].cycle - before:
            query.run_on(waiting[0].cycle - before)
            seen.clear()
            last.clear()
        now = int(clock.cycle)
        while waiting and waiting[0].cycle < now:
            one = waiting.pop(0)
            found = seen.get((one.machine, one.hart, one.pc))
            if found is None:
                missed.append(one)
            else:
                one.origin.calls = found
        if not waiting:
            break
        query.programs_at(now)
        wanted = {(one.machine, one.hart, one.pc) for one in waiting if one.cycle - before <= now}
        for machine, hart in {(machine, hart) for machine, hart, _ in wanted}:
            pc = int(machine.read_pc(hart))
            # It stays there for some cycles; the stack is the same.
            if last.get((machine, hart)) != pc:
                for at in callers.issued_from(machine, hart, pc):
                    if (machine, hart, at) in wanted:
                        seen[machine, hart, at] = callers.of(machine, hart, pc)
            last[machine, hart] = pc
        query.run_on(now + 1)
        if clock.cycle == now:
            break
    for one in waiting:
        if (found := seen.get((one.machine, one.hart, one.pc))) is None:
            missed.append(one)
        else:
            one.origin.calls = found
    return missed


class _Callers:
    """Reads stacks of a machine where it is."""

    def __init__(self) -> None:
        self._infos: dict[int, DebugInfo] = {}

    def knows(self, machine: Machine, hart: int, pc: int) -> bool:
        """True if the instruction is in a function of a program."""
        if not 0 <= hart < HARTS:
            return False
        image = machine.places.image(hart, pc)
        return image is not None and image.function_at(pc) is not None

    def issued_from(self, machine: Machine, hart: int, pc: int) -> Iterator[int]:
        """Yield the instruction at `pc`, and those that may be issued with it: up to four .ttinsn
        are one store."""
        yield pc
        for at in range(pc, pc + 4 * (AT_ONCE - 1), 4):
            if machine.peek(hart, at, 1)[0] & IS_RISCV == IS_RISCV:
                return
            yield at + 4

    def of(self, machine: Machine, hart: int, pc: int) -> list[str]:
        """Return the callers, the innermost first."""
        image = machine.places.image(hart, pc)
        if image is None:
            return []
        info = self._info(image)

        def memory(addr: int, length: int) -> bytes | None:
            data = machine.peek(hart, addr, length)
            return data if len(data) == length else None

        registers: dict[int, int | None] = {
            number: machine.read_x(hart, number) for number in range(32)
        }
        frames = unwind(lambda at: info if info.lines.at(at) else None, registers, pc, memory)
        outer = [frame for frame in frames[1:] if frame.function != "_start"]
        return [
            f"{frame.function} at {frame.file.rpartition('/')[2]}:{frame.line}" for frame in outer
        ]

    def _info(self, image: Image) -> DebugInfo:
        info = self._infos.get(id(image))
        if info is None:
            info = self._infos[id(image)] = debug_info(image.content)
        return info
