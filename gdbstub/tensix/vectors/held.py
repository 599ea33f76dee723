# SPDX-License-Identifier: Apache-2.0
"""Which LReg has a variable at a pc: by the debug information, else by the instructions.

The debug information has a location for few variables (core/dwarf/vectors.py). For the others the
last statement before the pc that gives the variable a value is known, and the last vector
instruction of that statement writes it. From there on the code is read: where another instruction
writes the LReg, the variable is gone. Code is read in the order of its addresses, so a loop that
changes the LReg after the pc is not seen; instructions that are pushed by stores are not either.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.assembly.tensix_text import show_on
from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.debug.memory import MemoryFault
from tensix_gdb.core.dwarf.info import DebugInfo, debug_info
from tensix_gdb.core.dwarf.vectors import VectorVariable, find_vector, line_in, vector_names
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import Image, moved
from tensix_gdb.core.tensix.vector.opcodes import FIRST_OPCODE, OPCODES
from tensix_gdb.core.tensix.vector.reads import late_results
from tensix_gdb.core.tensix.vector.writes import vd_of, written
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.blocked.instructions import place

MAX_SHOWN = 6  # instructions in a sentence
MASK32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Held:
    """A variable in an LReg; `by` says how that is known."""

    name: str
    type: str
    lreg: int
    by: str


def written_by(machine: Machine, word: int) -> int:
    """Return the LRegs that a Tensix instruction writes, a bit each."""
    if not FIRST_OPCODE <= word >> 24 < FIRST_OPCODE + OPCODES:
        return 0
    return int(late_results(word) | written(machine.S, word, vd_of(word)))


def vector_words(machine: Machine, hart: int, low: int, high: int) -> Iterator[tuple[int, int]]:
    """Yield the vector instructions that the code from `low` to `high` pushes by `.ttinsn`: their
    addresses and words."""
    try:
        code = machine.peek(hart, low, max(high - low, 0))
    except MemoryFault:
        return
    for at in range(0, len(code) - 3, 4):
        word = int.from_bytes(code[at : at + 4], "little")
        if word & 3 != 3:
            word = (word >> 2 | word << 30) & MASK32
            if FIRST_OPCODE <= word >> 24 < FIRST_OPCODE + OPCODES:
                yield low + at, word


def names_at(machine: Machine, hart: int, pc: int) -> list[str]:
    """Return the names of vector variables at a pc."""
    image = machine.places.image(hart, pc)
    if image is None or not image.content:
        return []
    return vector_names(debug_info(image.content), pc - image.bias)


def find_held(machine: Machine, hart: int, pc: int, name: str) -> Held:
    """Return where a variable is at a pc; TargetError with what to look at instead."""
    image = machine.places.image(hart, pc)
    if image is None or not image.content:
        raise TargetError(f"no file that is loaded has debug information for {pc:#010x}")
    info = debug_info(image.content)
    variable = find_vector(info, pc - image.bias, name)
    if variable is None:
        known = ", ".join(vector_names(info, pc - image.bias))
        has = f"it has {known}" if known else "it has none"
        raise TargetError(
            f"no vFloat, vInt or vUInt is called {name} at {place(machine, hart, pc)}: {has}. "
            "GDB's own `print` shows other variables"
        )
    return _Search(machine, hart, image, info, variable).held(pc)


@dataclass(frozen=True, slots=True)
class _Search:
    machine: Machine
    hart: int
    image: Image
    info: DebugInfo
    variable: VectorVariable

    def held(self, pc: int) -> Held:
        variable = self.variable
        if variable.lreg is not None:
            return Held(variable.name, variable.type, variable.lreg, "by its debug information")
        at, word, lreg = self._value(pc)
        by = f"by {self._named(at, word)}" if word else "by its debug information"
        for later, another in vector_words(self.machine, self.hart, at + 4 if word else at, pc):
            if written_by(self.machine, another) >> lreg & 1:
                raise self._gone(
                    pc,
                    f"was in LReg[{lreg}], {by}, until {self._named(later, another)} wrote that",
                )
        return Held(variable.name, variable.type, lreg, by)

    def _value(self, pc: int) -> tuple[int, int, int]:
        """Return the instruction that has given the variable its value: its address and word, 0 if
        it is not known, and the LReg."""
        before = [one for one in self.variable.settings if self._here(one.addr) <= pc]
        line = before[-1].line if before else self.variable.line
        end = self._here(before[-1].addr) if before else pc
        found = [
            (at, word)
            for low, high in self.variable.owner.ranges
            for at, word in self._words(low, high)
            if at < end and line_in(self.info, self.variable.owner, at - self.image.bias) == line
        ]
        lreg = before[-1].lreg if before else None
        for at, word in sorted(found, reverse=True):
            numbers = written_by(self.machine, word)
            if numbers and (lreg is None or numbers >> lreg & 1):
                if numbers & (numbers - 1):
                    break  # several
                return at, word, numbers.bit_length() - 1
        if lreg is not None:
            return end, 0, lreg
        if not before and self.variable.settings:
            first = self.variable.settings[0]
            raise TargetError(
                f"{self.variable.name} has no value yet: line {first.line} gives it one"
            )
        raise self._gone(pc, "is optimized out: nothing says which LReg has it")

    def _gone(self, pc: int, why: str) -> TargetError:
        """Say that it is not there any more, or never was, and what is."""
        variable = self.variable
        lines = {variable.line, line_in(self.info, variable.owner, pc - self.image.bias)}
        near = [
            f"{show_on(word, int(self.machine.S.tile.chip))} at {at:#x}, line {line}"
            for low, high in variable.owner.ranges
            for at, word in self._words(low, high)
            if (line := line_in(self.info, variable.owner, at - self.image.bias)) in lines
        ]
        look = "`monitor vector` shows all LRegs"
        if near:
            look = f"the instructions of its line and this one are {'; '.join(near[:MAX_SHOWN])}"
            look += ", ..." if len(near) > MAX_SHOWN else ""
            look += ". `monitor vector N` shows an LReg"
        return TargetError(f"{variable.name} {why}. Instead: {look}")

    def _here(self, addr: int) -> int:
        return moved(addr, self.image.bias)

    def _words(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        return vector_words(self.machine, self.hart, self._here(low), self._here(high))

    def _named(self, at: int, word: int) -> str:
        text = show_on(word, int(self.machine.S.tile.chip)).partition(" ")[0]
        line = line_in(self.info, self.variable.owner, at - self.image.bias)
        return f"{text} of line {line}" if line else f"{text} at {at:#x}"
