# SPDX-License-Identifier: Apache-2.0
"""The part of a `Machine` that a debugger drives: hold and step harts, breakpoints and watches,
registers and memory as a hart sees them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tensix_gdb.core.debug import registers
from tensix_gdb.core.debug.breakpoints import Armed
from tensix_gdb.core.debug.gate_breakpoints import GateArmed
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.debug.resume import StepOver
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.machine.entries import DISARM, FREEZE


class Debugging:
    """Debug a machine; what that needs of it is named here."""

    S: Any
    engine: Engine
    memory: Access
    armed: Armed
    gates: GateArmed
    step_over: StepOver
    _frozen: memoryview

    # Harts

    def freeze(self, harts: Collection[int]) -> None:
        """Let exactly these harts not issue; the rest of the tile runs."""
        if harts or any(self._frozen):
            self.engine.call(FREEZE.name, sum(1 << hart for hart in set(harts)))

    def step(self, hart: int, lo: int = 0, hi: int = 0) -> None:
        """Arm a stop of `hart` when its pc leaves [lo, hi), or after one instruction."""
        debug = self.S.debug
        debug.step_lo[hart], debug.step_hi[hart] = lo, hi
        debug.stepping[hart] = 1

    def disarm(self) -> None:
        """Forget armed steps and what harts step over."""
        self.gates.disarm()
        self.step_over.disarm()
        if self.armed.steps():
            self.engine.call(DISARM.name)

    def resume_from(self, hart: int) -> None:
        """Let the next instruction of `hart` step over what was reported at its pc already.

        A hart paused at an ebreak or ecall resumes after it; one that is paused by the debug
        interface stays so.
        """
        self.step_over.resume_from(hart)

    # Breakpoints and watches

    def add_break(
        self, addr: int, hart: int | None = None, conditions: tuple[bytes, ...] = ()
    ) -> None:
        """Stop a hart (all of them when none is named) before the instruction at `addr`, unless
        all conditions (core/debug/conditions.py) are false."""
        self.armed.add_break(addr, hart, conditions)

    def remove_break(
        self, addr: int, hart: int | None = None, conditions: tuple[bytes, ...] = ()
    ) -> None:
        """Take back one `add_break`."""
        self.armed.remove_breaks(((addr, hart, conditions),))

    def add_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """Stop before a "write", "read" or any "access" to the bytes that `hart` sees there."""
        self.armed.add_watch(hart, addr, length, kind)

    def remove_watch(self, hart: int, addr: int, length: int, kind: str) -> None:
        """Take back one `add_watch`."""
        self.armed.remove_watch(hart, addr, length, kind)

    # Registers and memory

    def peek(self, hart: int, addr: int, length: int) -> bytes:
        """Read memory as `hart` sees it, as far as it can be read; no side effects."""
        return self.memory.peek(hart, addr, length)

    def poke(self, hart: int, addr: int, data: bytes) -> None:
        """Write memory as `hart` sees it; to a device, a store by the hart."""
        registers.poke(self.S, self.memory, hart, addr, data)

    def read_pc(self, hart: int) -> int:
        """Return the address of the next instruction."""
        return int(self.S.hart.pc[hart])

    def write_pc(self, hart: int, pc: int) -> None:
        """Set the pc. A hart paused at an ebreak that is sent elsewhere is no longer paused."""
        registers.write_pc(self.S, hart, pc)

    def read_x(self, hart: int, number: int) -> int:
        """Return an integer register in program order (core/debug/registers.py)."""
        return registers.read_x(self.S, self.memory, hart, number)

    def write_x(self, hart: int, number: int, value: int) -> None:
        """Set an integer register; x0 stays 0."""
        registers.write_x(self.S, hart, number, value)

    def read_csr(self, hart: int, number: int) -> int | None:
        """Return a CSR without its side effects; None when the hart has none of that number."""
        return registers.read_csr(self.S, hart, number)

    def write_csr(self, hart: int, number: int, value: int) -> bool:
        """Write a CSR as an instruction would; False when the hart has none of that number."""
        return registers.write_csr(self.S, hart, number, value)
