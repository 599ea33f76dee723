# SPDX-License-Identifier: Apache-2.0
"""One hart: registers, memory as it sees it, frames, and variables by their names.

`hart["pipeline.ring.slot[2]"]` reads and sets what a C path names in the innermost frame;
`hart.registers["a0"]` a register; `hart.read(addr, length)` memory. Looking changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.dwarf import scope
from tensix_gdb.core.dwarf.frames import Frame, unwind
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.riscv.csrs import CSRS
from tensix_gdb.gdbstub.tensix.capabilities.registers import NAMES
from tensix_gdb.gdbstub.testing.program import NoSuchPlace, Program

PC = "pc"
_GENERAL = {
    **{name: number for number, name in enumerate(NAMES)},
    **{f"x{number}": number for number in range(32)},
    "s0": NAMES.index("fp"),
}
_CSRS = {name: number for number, name in CSRS}


class Registers(MutableMapping[str, int]):
    """Registers by ABI name, `x` number, `pc`, or the name of a CSR."""

    def __init__(self, machine: Machine, hart: int) -> None:
        self._machine = machine
        self._hart = hart

    def __getitem__(self, name: str) -> int:
        if name == PC:
            return self._machine.read_pc(self._hart)
        if name in _GENERAL:
            return self._machine.read_x(self._hart, _GENERAL[name])
        value = None
        if name in _CSRS:
            value = self._machine.read_csr(self._hart, _CSRS[name])
        if value is None:
            raise KeyError(f"{HART_NAMES[self._hart]} has no register {name}")
        return value

    def __setitem__(self, name: str, value: int) -> None:
        if name == PC:
            self._machine.write_pc(self._hart, value)
        elif name in _GENERAL:
            self._machine.write_x(self._hart, _GENERAL[name], value)
        elif name not in _CSRS or not self._machine.write_csr(self._hart, _CSRS[name], value):
            raise KeyError(f"{HART_NAMES[self._hart]} has no register {name} that can be written")

    def __delitem__(self, name: str) -> None:
        raise TypeError("a register cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter((*NAMES, PC))

    def __len__(self) -> int:
        return len(NAMES) + 1


class Hart:
    """A hart of a tile. `program` is its ELF, or None."""

    def __init__(self, machine: Machine, number: int) -> None:
        self.number = number
        self.name = HART_NAMES[number]
        self.program: Program | None = None
        self.registers = Registers(machine, number)
        self._machine = machine

    def __repr__(self) -> str:
        return f"<hart {self.name}, pc {self.pc:#010x}>"

    # State

    @property
    def pc(self) -> int:
        """The address of the next instruction."""
        return self._machine.read_pc(self.number)

    @property
    def state(self) -> str:
        """The state of the hart, in a few words: running, in reset, paused at ..."""
        return self._machine.hart_state(self.number)

    @property
    def instructions(self) -> int:
        """The number of instructions that it has executed."""
        return int(self._machine.S.hart.retired[self.number])

    def signed(self, register: str) -> int:
        """Return a register as a signed number."""
        value = self.registers[register]
        return value - (1 << 32) if value >> 31 else value

    # Memory

    def read(self, addr: int, length: int) -> bytes:
        """Memory as this hart sees it; LookupError where there is none or not all of it."""
        try:
            data = self._machine.peek(self.number, addr, length)
        except MemoryFault as problem:
            raise LookupError(str(problem)) from None
        if len(data) < length:
            raise LookupError(f"memory of {self.name} ends {len(data)} bytes after {addr:#010x}")
        return data

    def write(self, addr: int, data: bytes) -> None:
        """Write memory as this hart sees it; to a device, a store by the hart."""
        try:
            self._machine.poke(self.number, addr, data)
        except MemoryFault as problem:
            raise LookupError(str(problem)) from None

    def word(self, addr: int) -> int:
        """Return the 32-bit word at `addr`."""
        return int.from_bytes(self.read(addr, 4), "little")

    # Code

    def program_addresses(self, place: str | int) -> list[int]:
        """Return where `place` is in this hart's program."""
        return [] if self.program is None else self.program.addresses(place)

    def address(self, name: str) -> int:
        """Return the address of a function or variable."""
        symbol = None if self.program is None else self.program.image.symbol(name)
        if symbol is None:
            raise NoSuchPlace(f"{self.name} has no symbol {name}")
        return symbol

    # Frames and variables

    def frames(self) -> list[Frame]:
        """Return the frames, innermost first. Empty without debug information."""
        program = self.program
        if program is None:
            return []
        registers: dict[int, int | None] = {
            number: self._machine.read_x(self.number, number) for number in range(32)
        }

        def memory(addr: int, length: int) -> bytes | None:
            try:
                return self.read(addr, length)
            except LookupError:
                return None

        return unwind(
            lambda pc: program.info if program.info.lines.at(pc) else None,
            registers,
            self.pc,
            memory,
        )

    def frames_at(self, pc: int) -> list[Frame]:
        """Return the frames of an instruction, wherever the hart has got to since: its function,
        with what is inlined there; nothing is known of registers or callers."""
        program = self.program
        if program is None or program.info.lines.at(pc) is None:
            return []
        return unwind(lambda _: program.info, {}, pc, lambda addr, length: None)

    def frame(self, which: int | str = 0) -> Frame:
        """Return a frame by its number from the innermost, or the innermost one of a function."""
        frames = self.frames()
        if isinstance(which, int) and which < len(frames):
            return frames[which]
        selected = next((frame for frame in frames if frame.function == which), None)
        if selected is None:
            chain = " called by ".join(frame.function for frame in frames) or "nothing known"
            raise NoSuchPlace(f"{self.name} has no frame {which} here: it is in {chain}")
        return selected

    @property
    def function(self) -> str:
        """The function it is in; empty when that is not known."""
        frames = self.frames()
        return frames[0].function if frames else ""

    def variable(self, path: str, frame: int | str = 0) -> scope.Object:
        """Return the object of `path` in a frame: its type, its place, its value."""
        if self.program is None:
            raise NoSuchPlace(f"{self.name} has no program, so nothing is called {path}")
        frames = self.frames()
        if not frames and frame == 0:
            return scope.look_up(self._no_frame(self.program), path)
        return scope.look_up(self.frame(frame), path)

    def _no_frame(self, program: Program) -> Frame:
        """Return a frame for global variables, wherever the hart is."""

        def memory(addr: int, length: int) -> bytes | None:
            return self.read(addr, length)

        return Frame(self.pc, self.pc, {}, program.info, memory, None)

    def value(self, path: str, frame: int | str = 0) -> Any:
        """Return the value of what `path` names in a frame."""
        return self.variable(path, frame).value()

    def assign(self, path: str, value: Any, frame: int | str = 0) -> None:
        """Set what `path` names; a value in a caller's register cannot be set."""
        variable = self.variable(path, frame)

        def register(number: int, held: int) -> None:
            if frame != 0 and self.frame(frame).registers != self.frame(0).registers:
                raise scope.NoSuchName(f"{path} is in a register of a caller and cannot be set")
            self._machine.write_x(self.number, number, held)

        variable.assign(value, self.write, register)

    def __getitem__(self, path: str) -> Any:
        return self.value(path)

    def __setitem__(self, path: str, value: Any) -> None:
        self.assign(path, value)

    def locals(self, frame: int | str = 0) -> dict[str, Any]:
        """Variables and parameters of a frame by name; those that are optimized out are left out.

        Static variables of the function are among them.
        """
        chosen = self.frame(frame)
        values: dict[str, Any] = {}
        for variable in scope.variables(chosen):
            try:
                values[variable.name] = scope.object_of(chosen, variable).value()
            except scope.NoSuchName:
                continue
        return values
