# SPDX-License-Identifier: Apache-2.0
"""The end of a hart's program, which is no stop while other harts run.

A program ends at an ebreak or ecall after which the hart can only spin: the next instruction is a
jump to itself, or back. An ebreak with more code after it is a breakpoint that was compiled in. A
semihosting call ends a program too: with status 0 it is no stop of the machine while others run,
and with another status always one.
"""

from __future__ import annotations

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.arch.numbers import MASK32
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.machine import MemoryFault
from tensix_gdb.core.riscv.decode import decode
from tensix_gdb.core.riscv.reset import PAUSED_AT_EBREAK
from tensix_gdb.core.riscv.semihosting import is_call
from tensix_gdb.core.riscv.table import FIRST, ILLEGAL, ROWS, Form
from tensix_gdb.core.semihosting.calls import exits
from tensix_gdb.core.semihosting.console import OUT
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.gdbstub.tensix.capabilities.host_calls import ClientConsole


class ProgramEnds:
    """The ends of programs. With `stop` True each is a stop, as any ebreak is."""

    def __init__(self, machine: Machine, console: ClientConsole | None, *, stop: bool) -> None:
        self._machine, self._console = machine, console
        self._exited: set[int] = set()  # harts that were told of
        self.stop = stop or console is None

    def is_over(self, hart: int) -> bool:
        """True if the hart has paused at the end of its program: `continue` leaves it there."""
        S = self._machine.S
        return not self.stop and (
            S.hart.paused[hart] == PAUSED_AT_EBREAK and self._is_end(hart, S.hart.pc[hart])
        )

    def passes(self, stop: Stop) -> bool:
        """True if the tile continues after this stop, because a program has ended and other harts
        run; the client is told. False for all other stops."""
        text = "" if self.stop else self.text(stop)
        if not text or not any(self._machine.S.hart.issuing.raw):
            return False
        assert self._console is not None
        self._console.write(OUT, f"{text}; the others continue\n".encode())
        return True

    def tell_exits(self) -> None:
        """Tell of the programs that have ended by a call since the last time, while others run."""
        if not (self._exited or any(self._machine.S.semihosting.exited.raw)):
            return  # after every slice
        exited = {hart for hart, status in exits(self._machine.S) if not status}
        if self._console is not None and not self.stop and any(self._machine.S.hart.issuing.raw):
            for hart in sorted(exited - self._exited):
                text = f"{HART_NAMES[hart]} has ended with exit status 0; the others continue\n"
                self._console.write(OUT, text.encode())
        self._exited = exited

    def text(self, stop: Stop) -> str:
        """Say that a program has ended; empty if the stop is about anything else."""
        if stop.kind not in (StopKind.EBREAK, StopKind.ECALL):
            return ""
        if stop.kind is StopKind.EBREAK and is_call(self._machine.S, stop.pc):
            return ""
        if not self._is_end(stop.hart, stop.pc):
            return ""
        return f"{stop.text.partition(': ')[0]}: its program has ended"

    def _is_end(self, hart: int, pc: int) -> bool:
        """True if the hart would spin after the instruction at `pc`."""
        follows = (pc + 4) & MASK32
        target = self._jump(hart, follows)
        if target is None:
            return False
        return target in (pc, follows) or self._jump(hart, target) == target

    def _jump(self, hart: int, pc: int) -> int | None:
        """Return where the jump at an address goes to; None if it is no jump, or calls."""
        try:
            word = self._machine.peek(hart, pc, 4)
        except MemoryFault:
            return None
        packed = decode(int.from_bytes(word, "little")) if len(word) == 4 else ILLEGAL
        op = packed & 0xFF
        if op < FIRST or ROWS[op - FIRST].form is not Form.JAL or packed >> 8 & 31:
            return None
        return (pc + (packed >> 32)) & MASK32
