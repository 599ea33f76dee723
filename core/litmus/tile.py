# SPDX-License-Identifier: Apache-2.0
"""A tile that runs litmus tests: the machine with a few KiB of L1.

programs   of hart h from h * PROGRAM_BYTES of L1, data after them
end        an ebreak after each program
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES, L1_BYTES, THREADS
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.assembly import rv32_read, tensix_read
from tensix_gdb.core.assembly.rv32_read import REGISTERS
from tensix_gdb.core.devices.wormhole import config_words
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import DIALECTS
from tensix_gdb.core.litmus import cycles
from tensix_gdb.core.litmus.program import CSR_NUMBERS, Program, assemble
from tensix_gdb.core.litmus.state_chunks import ExplorerLayout
from tensix_gdb.core.litmus.state_places import initialise, is_place, observer
from tensix_gdb.core.litmus.symbols import PlaceError, Places
from tensix_gdb.core.litmus.text import HANGS, Litmus, Location, Outcome
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import ENTRIES
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.machine.parts import PARTS
from tensix_gdb.core.places.place import NotAPlace
from tensix_gdb.core.program.elf import Image, Segment
from tensix_gdb.core.record.layout import CASTS, Field, Layout, Part
from tensix_gdb.core.riscv.fields import LINE_SHIFT
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule, seed_state

PROGRAM_BYTES = 0x200
SMALL_L1 = 0x1000
BUDGET = 20_000  # cycles after which a run without a choice left is taken to hang
_ROW = re.compile(r"^([a-z_]+)\.([a-z_0-9]+)(?:\[([0-9,]+)\])?$")
MOP_CONFIG_WORDS = 9
NOP = 0x02000000
OBSERVED = (cycles.TO_END_OBSERVED, *ENTRIES)
EBREAK = rv32_read.parse("ebreak")

# Rows with an element for every byte or word of L1, and how many bytes an element stands for.
_PER_L1 = {
    ("l1", "word"): 4,
    ("l1", "half"): 2,
    ("l1", "byte"): 1,
    ("decoded", "word"): 4,
    ("decoded", "line"): 1 << LINE_SHIFT,
    ("debug", "breaks"): 4,
    ("translated", "of"): 4,
}


def small_layout() -> Layout:
    """Return the record with SMALL_L1 bytes of L1. An access past them is a defect, not wrong."""

    def small(part: Part, field: Field) -> Field:
        bytes_per_element = _PER_L1.get((part.name, field.name))
        if bytes_per_element is None:
            return field
        return replace(field, shape=(SMALL_L1 // bytes_per_element,))

    return ExplorerLayout(
        tuple(Part(part.name, tuple(small(part, field) for field in part.fields)) for part in PARTS)
    )


class Tile:
    """Runs tests, one after the other, on one engine. With `observed` it explores none, and its
    runs are observed for races (core/race); it also runs as any machine does."""

    def __init__(self, engine: str = "compiled", *, observed: bool = False) -> None:
        entries = OBSERVED if observed else cycles.ENTRIES
        self.machine = Machine(engine=engine, layout=small_layout(), entries=entries)
        self.S = self.machine.S

    def close(self) -> None:
        self.machine.close()

    def prepare(self, test: Litmus, schedule: Schedule, *, strict: bool = False) -> Prepared:
        """Load a test; LitmusError when that cannot be done. With `strict` no promise is kept."""
        return Prepared(self, test, schedule, strict=strict)


class Prepared:
    """A test, loaded: runs it from its start as often as wanted."""

    def __init__(self, tile: Tile, test: Litmus, schedule: Schedule, *, strict: bool) -> None:
        self.tile, self.test, self.schedule, self.strict = tile, test, schedule, strict
        self.machine, self.S, self.record = tile.machine, tile.S, tile.machine.record
        self.places = Places(SMALL_L1)
        self.programs = assemble(test, self.places)
        self._load()
        self._observed = [self._observer(place) for place in test.final]
        self.start = self.record.snapshot()

    # Loading

    def _load(self) -> None:
        machine = self.machine
        machine.images.clear()
        machine.reschedule(Execution(self.schedule, strict=self.strict))
        machine.reset()
        if self.test.architecture == "wormhole":
            self.S.tile.chip = 1
            config_words.power_up(self.S)
        for thread in range(THREADS):
            for word in range(2, MOP_CONFIG_WORDS):
                self.S.mop_config.word[thread, word] = NOP
        for program in self.programs:
            machine.load(program.hart, self._image(program))
            for register, value in program.registers.items():
                machine.write_x(program.hart, register, value)
        for place, text in self.test.init:
            self._initialise(place, text)

    def _image(self, program: Program) -> Image:
        words = [*program.words, EBREAK]
        if 4 * len(words) > PROGRAM_BYTES:
            raise self.test.error(
                self.test.line,
                f"the program of {HART_NAMES[program.hart]} has {len(words)} instructions; "
                f"{PROGRAM_BYTES // 4} is the most",
            )
        addr = program.hart * PROGRAM_BYTES
        data = b"".join(word.to_bytes(4, "little") for word in words)
        name = Path(f"{self.test.name} {HART_NAMES[program.hart]}")
        return Image(name, addr, (Segment(addr, data),), b"")

    def _initialise(self, place: Location, text: str) -> None:
        try:
            if text[0].isalpha():
                value = tensix_read.parse(text, DIALECTS[self.test.architecture])
            else:
                value = int(text, 0) & MASK32
        except tensix_read.TextError as problem:
            raise self.test.error(place.line, str(problem)) from None
        except ValueError:
            raise self.test.error(place.line, f"{text!r} is no number") from None
        hart = self._hart(place)
        if row := _ROW.match(place.text):
            array, at = self._row(place, row)
            array[at] = value
        elif is_place(place.text):
            try:
                initialise(self.machine, place.text, place.hart, value)
            except NotAPlace as problem:
                raise self.test.error(place.line, str(problem)) from None
        elif place.hart is not None and place.text in REGISTERS:
            self.machine.write_x(hart, REGISTERS[place.text], value)
        elif place.hart is not None and place.text in CSR_NUMBERS:
            self.machine.write_csr(hart, CSR_NUMBERS[place.text], value)
        else:
            try:
                self.machine.poke(hart, self._address(place), value.to_bytes(4, "little"))
            except MemoryFault as problem:
                raise self.test.error(place.line, str(problem)) from None

    def _row(self, place: Location, row: re.Match[str]) -> tuple[memoryview, int | tuple[int, ...]]:
        """Return an element of a row of the record, `semaphore.max[0]`."""
        part, field, index = row.groups()
        at = tuple(int(number) for number in (index or "0").split(","))
        try:
            slot = self.record.layout.slot(part, field)
            shape = slot.field.shape or (1,)
            array = self.record.row(slot).cast(CASTS[slot.field.kind], shape)
            array[at]
        except (KeyError, IndexError, TypeError):
            raise self.test.error(place.line, f"{place.text} is no row of the record") from None
        return array, at

    def _hart(self, place: Location) -> int:
        return next(iter(self.test.programs)) if place.hart is None else place.hart

    def _address(self, place: Location) -> int:
        try:
            address = self.places.address(place.text)
        except PlaceError as problem:
            raise self.test.error(place.line, str(problem)) from None
        if SMALL_L1 <= address < L1_BYTES:
            raise self.test.error(place.line, f"{place.text}: L1 ends at {SMALL_L1:#x} in tests")
        return address

    # Running

    def run(self, seed: int = DEFAULT_SEED) -> Outcome:
        """Execute one run in the schedule of this test; `seed` names the execution in RANDOM."""
        self.record.restore(self.start)
        return self.outcome(self.machine.engine.call("to_end", seed_state(seed), BUDGET))

    def outcome(self, ending: int) -> Outcome:
        """Return the outcome of the run in the record; `ending` is one of core/litmus/cycles.py."""
        if ending == cycles.FAULTY:
            name = Fault(self.S.stop.code).name.lower().replace("_", "-")
            return self.test.known(Outcome(f"fault {name}", self.values()))
        return self.test.known(Outcome("" if ending == cycles.OVER else HANGS, self.values()))

    def values(self) -> tuple[int, ...]:
        """Return what the places of `final` hold now."""
        return tuple(observe() for observe in self._observed)

    def _observer(self, place: Location) -> Callable[[], int]:
        hart = self._hart(place)
        x = self.S.hart.x
        if row := _ROW.match(place.text):
            array, at = self._row(place, row)
            return lambda: int(array[at])
        if is_place(place.text):
            try:
                return observer(self.machine, place.text, place.hart)
            except NotAPlace as problem:
                raise self.test.error(place.line, str(problem)) from None
        if place.hart is not None and place.text in REGISTERS:
            number = REGISTERS[place.text]
            return lambda: int(x[hart, number])
        address = self._address(place)
        try:
            self.machine.peek(hart, address, 4)
        except MemoryFault as problem:
            raise self.test.error(place.line, str(problem)) from None
        return lambda: int.from_bytes(self.machine.peek(hart, address, 4), "little")
