# SPDX-License-Identifier: Apache-2.0
"""Registers of a hart by the numbers of the target description (description.py)."""

from __future__ import annotations

from collections.abc import Mapping

from core.machine import Machine
from core.riscv.csrs import CSRS
from gdbstub.target import TargetError
from gdbstub.tensix.threads import hart_of

# fmt: off
NAMES = (
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
)
# fmt: on
RA, SP, FP = 1, 2, 8
PC = 32
FIRST_CSR = 65  # as in GDB's own numbering: CSR n is register 65 + n
CSR_NAMES = dict(CSRS)


class HartRegisters:
    """The `Registers` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def read_general(self, thread: int) -> bytes:
        hart = hart_of(thread)
        machine = self._machine
        values = [machine.read_x(hart, number) for number in range(PC)]
        return b"".join(_bytes(value) for value in (*values, machine.read_pc(hart)))

    def write_general(self, thread: int, data: bytes) -> None:
        if len(data) != 4 * (PC + 1):
            raise TargetError(f"the registers are {4 * (PC + 1)} bytes, not {len(data)}")
        for number in range(PC + 1):
            self.write_register(thread, number, data[4 * number : 4 * number + 4])

    def read_register(self, thread: int, number: int) -> bytes | None:
        hart = hart_of(thread)
        if number < PC:
            return _bytes(self._machine.read_x(hart, number))
        if number == PC:
            return _bytes(self._machine.read_pc(hart))
        if number - FIRST_CSR in CSR_NAMES:
            value = self._machine.read_csr(hart, number - FIRST_CSR)
            return None if value is None else _bytes(value)
        raise TargetError(f"there is no register number {number}")

    def write_register(self, thread: int, number: int, data: bytes) -> None:
        hart = hart_of(thread)
        if len(data) != 4:
            raise TargetError(f"a register is 4 bytes, not {len(data)}")
        value = int.from_bytes(data, "little")
        if number < PC:
            self._machine.write_x(hart, number, value)
        elif number == PC:
            if value & 3:
                raise TargetError(f"the pc cannot be {value:#010x}: instructions are 4 bytes each")
            self._machine.write_pc(hart, value)
        elif number - FIRST_CSR not in CSR_NAMES:
            raise TargetError(f"there is no register number {number}")
        elif not self._machine.write_csr(hart, number - FIRST_CSR, value):
            name = CSR_NAMES[number - FIRST_CSR]
            raise TargetError(f"{name} cannot be written on this hart")

    def expedited(self, thread: int) -> Mapping[int, bytes]:
        """What GDB reads at every stop: the pc, and what finds the caller's frame."""
        hart = hart_of(thread)
        wanted = {number: _bytes(self._machine.read_x(hart, number)) for number in (RA, SP, FP)}
        return {**wanted, PC: _bytes(self._machine.read_pc(hart))}


def _bytes(value: int) -> bytes:
    return value.to_bytes(4, "little")
