# SPDX-License-Identifier: Apache-2.0
"""A machine's registers and memory between two runs: looking has no side effects, changing has
those that the hart's own access would have."""

from __future__ import annotations

from tensix_gdb.core.debug import registers
from tensix_gdb.core.debug.memory import Access
from tensix_gdb.core.explain.stop import Places, hart_state
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv import csrs
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK, update_issuing


class Looking:
    """The part of `Machine` (core/machine/machine.py) that debuggers and tests look through."""

    S: View
    memory: Access
    places: Places

    def idle(self) -> bool:
        """Can no hart issue? Then running would only pass time."""
        return bool(self.S.tile.issuing == 0)

    def hart_state(self, hart: int) -> str:
        """What a hart is doing, in a few words."""
        return hart_state(self.S, hart, self.places)

    def peek(self, hart: int, addr: int, length: int) -> bytes:
        """Read memory as `hart` sees it, as far as it can be read; no side effects."""
        return self.memory.peek(hart, addr, length)

    def poke(self, hart: int, addr: int, data: bytes) -> None:
        """Write memory as `hart` sees it; to a device, a store by the hart."""
        # A load under way comes before this write in program order, whenever it is processed.
        for load, value in list(self.memory.awaited(hart)):
            if value is not None and addr - 4 < load.addr < addr + len(data):
                self.write_x(hart, load.register, value)
        self.memory.poke(hart, addr, data)

    def read_pc(self, hart: int) -> int:
        """The address of the next instruction."""
        return int(self.S.hart.pc[hart])

    def write_pc(self, hart: int, pc: int) -> None:
        """Set the pc. A hart paused at an ebreak that is sent elsewhere is no longer paused."""
        if self.S.hart.paused[hart] == PAUSED_AT_EBREAK and pc != self.read_pc(hart):
            self.S.hart.paused[hart] = 0
            update_issuing(self.S, hart)
        self.S.hart.pc[hart] = pc & 0xFFFFFFFF

    def read_x(self, hart: int, number: int) -> int:
        """An integer register in program order (core/debug/registers.py)."""
        return registers.read_x(self.S, self.memory, hart, number)

    def write_x(self, hart: int, number: int, value: int) -> None:
        """Set an integer register; x0 stays 0."""
        registers.write_x(self.S, hart, number, value)

    def read_csr(self, hart: int, number: int) -> int | None:
        """A CSR without its side effects; None when the hart has none of that number."""
        value = csrs.peek(self.S, hart, number)
        return None if value < 0 else value

    def write_csr(self, hart: int, number: int, value: int) -> bool:
        """Write a CSR as an instruction would; False when the hart has none of that number."""
        return registers.write_csr(self.S, hart, number, value)
