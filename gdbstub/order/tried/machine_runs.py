# SPDX-License-Identifier: Apache-2.0
"""Observed runs of the programs on one tile, with words of L1 that are others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.devices.semaphores import LARGEST, SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image
from tensix_gdb.core.race.fields import LINE_BYTES, SLOTS, STRIDE
from tensix_gdb.core.race.state.leaks import Kept, kept
from tensix_gdb.core.tensix.table import opcode
from tensix_gdb.gdbstub.order.seeds.bench import Bench
from tensix_gdb.gdbstub.order.seeds.case import PLAIN, Case, Setting
from tensix_gdb.gdbstub.order.seeds.program import cycles_for
from tensix_gdb.gdbstub.order.tried.candidates import free_semaphore
from tensix_gdb.gdbstub.order.tried.registers import Code
from tensix_gdb.gdbstub.order.tried.trial import Run

_OF_SEMAPHORES = tuple(opcode(f"SEM{word}") for word in ("INIT", "POST", "GET", "WAIT"))
_SLOTS, _CELL = 4 * SLOTS, 4 * STRIDE  # bytes


class MachineRuns:
    """Runs of a machine with programs in it, in its schedule. `observe` begins to observe it, at
    its beginning; `cycles` are those of a run, as far as is known. A `bench` has the beginning
    already, and its own judgement of an end."""

    def __init__(
        self,
        machine: Machine,
        observe: Callable[[Machine], None],
        cycles: int,
        is_right: Callable[[Machine], bool] = lambda _: True,
        is_interrupted: Callable[[], bool] = lambda: False,
        bench: Bench | None = None,
        execution: str = "",
    ) -> None:
        self.machine, self.arch, self.size = machine, machine.arch, L1_BYTES
        self._codes: dict[int, Code] = {}
        self._execution = execution or str(machine.execution)
        self._bench = bench or Bench.of(
            machine,
            cycles_for(cycles),
            lambda m: "" if is_right(m) else "is not as wanted",
            is_interrupted,
        )
        self._bench.begin_case(Case(0, self._execution, PLAIN))
        self._first = machine.peek(B, 0, L1_BYTES)
        before = kept(machine.S)
        observe(machine)
        self.base = self.run((), None)
        # A kernel that initialises a semaphore leaves it as it has begun with it (K3).
        for number in range(SEMAPHORES):
            before.semaphores[number] = (
                int(machine.S.state.semaphore_init[number]) - 1
                if machine.S.state.semaphore_init[number]
                else before.semaphores[number]
            )
        self.kept: tuple[Kept, Kept] | None = (before, kept(machine.S))
        most = min(self._bench.program.most, cycles_for(self.base.cycles))
        self._bench.program = replace(self._bench.program, most=most)
        slots = machine.record.layout.slot("race", "slot_at")
        self._touched = bytes(machine.record.row(slots))
        self._last = machine.peek(B, 0, L1_BYTES)
        self._semaphore = _free_semaphore(machine)

    def code_at(self, hart: int, pc: int, tile: str = "") -> Code | None:
        """Return the code of the program that has an address."""
        image = None if tile else self.machine.places.image(hart, pc)
        if image is None:
            return None
        return self._codes.setdefault(id(image), Code(image))

    def program(self, hart: int) -> Code | None:
        """Return the code of the program of a hart."""
        found = (one for one in self.machine.images if one.hart == hart and one.content)
        image = next(found, None)
        return None if image is None else self._codes.setdefault(id(image), Code(image))

    def is_unused(self, addr: int, tile: str = "") -> bool:
        """True if a line of L1 is 0 at the beginning and the end, and was not touched."""
        cell = addr // LINE_BYTES * _CELL
        if any(self._touched[cell : cell + _SLOTS]):
            return False
        if any(self._first[addr : addr + LINE_BYTES]) or any(self._last[addr : addr + LINE_BYTES]):
            return False
        return not any(image.covers(addr) for image in self.machine.images)

    def free_semaphore(self) -> int | None:
        """Return a semaphore that no program uses."""
        return self._semaphore

    def run(self, pokes: Sequence[tuple[int, bytes]], semaphore: int | None, tile: str = "") -> Run:
        """Run to the end with other words in L1. A semaphore that is named is initialised."""
        machine, bench = self.machine, self._bench
        bench.begin_case(Case(0, self._execution, Setting("remedy", (), tuple(pokes))))
        if semaphore is not None:
            machine.S.semaphore.max[semaphore] = LARGEST
        begun = int(machine.S.tile.cycle)
        end, text = bench.run_to_end()
        return Run(end, text, machine.races(), int(machine.S.tile.cycle) - begun)


def _free_semaphore(machine: Machine) -> int | None:
    S = machine.S
    values = [int(S.semaphore.value[number]) for number in range(SEMAPHORES)]
    limits = [int(S.semaphore.max[number]) for number in range(SEMAPHORES)]
    return free_semaphore(values, limits, set(named_semaphores(machine.images)))


def named_semaphores(images: Iterable[Image]) -> Iterable[int]:
    """Yield the semaphores that instructions of the programs name."""
    for image in images:
        for segment in image.segments:
            for at in range(0, len(segment.data) - 3, 4):
                word = int.from_bytes(segment.data[at : at + 4], "little")
                pushed = (word >> 2 | word << 30) & MASK32
                if word & 3 != 3 and pushed >> 24 in _OF_SEMAPHORES:
                    for number in range(SEMAPHORES):
                        if pushed >> number + 2 & 1:
                            yield number
