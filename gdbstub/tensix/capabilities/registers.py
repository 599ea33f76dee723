# SPDX-License-Identifier: Apache-2.0
"""Registers by the numbers of the target description (documents/description.py).

A Tensix thread has a pc, which cannot be written, and its own ones (tensix_registers.py); x0 to x31
and CSRs are a hart's.
"""

from __future__ import annotations

from collections.abc import Mapping

from tensix_gdb.core.arch.blackhole import T2
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.riscv.csrs import CSRS
from tensix_gdb.gdbstub.protocol.target import TargetError
from tensix_gdb.gdbstub.tensix.capabilities import tensix_registers
from tensix_gdb.gdbstub.tensix.capabilities.threads import (
    IN_RESET,
    hart_of,
    name_of,
    pc_of,
    tensix_of,
)

# fmt: off
NAMES = (
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "fp", "s1", "a0", "a1", "a2", "a3", "a4",
    "a5", "a6", "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4",
    "t5", "t6",
)
# fmt: on
PC = 32
NOTHING = bytes(PC)  # under way to x0 to x31
EXPEDITED = (1, 2, 8)  # ra, sp, fp
REGISTERS = 64  # columns of hart.x: x0 to x31, f0 to f31
ACCOUNTS = 96  # columns of pipeline.writers: the same and v0 to v31
# As in GDB's own numbering: f0 is register 33, CSR n is register 65 + n.
F0 = 33
FIRST_CSR = 65
# v0 to v31, of T2 alone.
FIRST_VECTOR = FIRST_CSR + 0x1200
VECTOR_BYTES = 16
CSR_NAMES = dict(CSRS)
FIRST_TENSIX_REGISTER = FIRST_CSR + 0x1000
_IN_RESET = IN_RESET.to_bytes(4, "little")
TENSIX_REGISTERS = dict(enumerate(tensix_registers.REGISTERS, FIRST_TENSIX_REGISTER))


class HartRegisters:
    """The `Registers` capability."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        # `g` and every stop reply read these: as bytes, which is many times faster than by number.
        layout = machine.record.layout
        self._x = machine.record.row(layout.slot("hart", "x"))
        self._pc = machine.record.row(layout.slot("hart", "pc"))
        self._in_reset = machine.record.row(layout.slot("hart", "in_reset"))
        self._v = machine.record.row(layout.slot("rvv", "word"))
        self._writers = machine.record.row(layout.slot("pipeline", "writers"))

    def _general(self, hart: int) -> bytes | bytearray | memoryview:
        """x0 to x31 in program order: with the answers of loads that are under way."""
        values = self._x[4 * REGISTERS * hart : 4 * (REGISTERS * hart + PC)]
        under_way = bytes(self._writers[ACCOUNTS * hart : ACCOUNTS * hart + PC])
        if under_way == NOTHING:
            return values
        data = bytearray(values)
        for number, count in enumerate(under_way):
            if count:
                data[4 * number : 4 * number + 4] = _bytes(self._machine.read_x(hart, number))
        return data

    def _pc_of(self, hart: int) -> bytes:
        return _IN_RESET if self._in_reset[hart] else bytes(self._pc[4 * hart : 4 * hart + 4])

    def absent(self, thread: int) -> int:
        if self._machine.unknown and f"registers of {name_of(thread)}" in self._machine.unknown:
            return 4 * PC
        return 0 if tensix_of(thread) is None else 4 * PC

    def read_general(self, thread: int) -> bytes:
        hart = hart_of(thread)
        if tensix_of(thread) is not None:
            return bytes(4 * PC) + _bytes(pc_of(self._machine, thread))
        return bytes(self._general(hart)) + self._pc_of(hart)

    def write_general(self, thread: int, data: bytes) -> None:
        if tensix_of(thread) is not None:
            raise TargetError(f"{name_of(thread)} has none of these registers: it is no hart")
        if len(data) != 4 * (PC + 1):
            raise TargetError(f"the registers are {4 * (PC + 1)} bytes, not {len(data)}")
        for number in range(PC + 1):
            self.write_register(thread, number, data[4 * number : 4 * number + 4])

    def read_register(self, thread: int, number: int) -> bytes | None:
        hart, own = hart_of(thread), tensix_of(thread)
        if self._machine.unknown and not self._is_known(thread, number):
            return None
        if number in TENSIX_REGISTERS:
            if own is None:
                return None
            return tensix_registers.read(self._machine.S, own, TENSIX_REGISTERS[number])
        if own is not None:
            if number == PC:
                return _bytes(pc_of(self._machine, thread))
            if number < F0 + 32 or number - FIRST_CSR in CSR_NAMES or number >= FIRST_VECTOR:
                return None
        if number < PC:
            return bytes(self._general(hart)[4 * number : 4 * number + 4])
        if number == PC:
            return self._pc_of(hart)
        if number < FIRST_CSR and self._machine.S.tile.chip:
            return None  # no F
        if F0 <= number < F0 + 32:
            return _bytes(self._machine.read_x(hart, number - F0 + 32))
        if FIRST_VECTOR <= number < FIRST_VECTOR + 32:
            has_vectors = hart == T2 and not self._machine.S.tile.chip
            return self._vector(number) if has_vectors else None
        if number - FIRST_CSR in CSR_NAMES:
            value = self._machine.read_csr(hart, number - FIRST_CSR)
            return None if value is None else _bytes(value)
        raise TargetError(f"there is no register number {number}")

    def _is_known(self, thread: int, number: int) -> bool:
        """True if a snapshot of a card has a register: pcs, those of halted cores, known GPRs."""
        own = tensix_of(thread)
        if number in TENSIX_REGISTERS and own is not None:
            return (
                TENSIX_REGISTERS[number].name == "gpr"
                and f"GPRs of T{own}" not in self._machine.unknown
            )
        return number == PC or (number < PC and own is None and not self.absent(thread))

    def write_register(self, thread: int, number: int, data: bytes) -> None:
        hart, own = hart_of(thread), tensix_of(thread)
        if number in TENSIX_REGISTERS:
            if own is None:
                raise TargetError(f"{name_of(thread)} has no ${TENSIX_REGISTERS[number].name}")
            tensix_registers.write(self._machine.S, own, TENSIX_REGISTERS[number], data)
            return
        if own is not None and number != PC:
            raise TargetError(f"{name_of(thread)} has no register {number}: it is no hart")
        if FIRST_VECTOR <= number < FIRST_VECTOR + 32:
            self._write_vector(thread, number, data)
            return
        if len(data) != 4:
            raise TargetError(f"a register is 4 bytes, not {len(data)}")
        value = int.from_bytes(data, "little")
        if number < PC:
            self._machine.write_x(hart, number, value)
        elif number == PC:
            self.write_pc(thread, value)
        elif F0 <= number < F0 + 32:
            self._machine.write_x(hart, number - F0 + 32, value)
        elif number - FIRST_CSR not in CSR_NAMES:
            raise TargetError(f"there is no register number {number}")
        elif not self._machine.write_csr(hart, number - FIRST_CSR, value):
            name = CSR_NAMES[number - FIRST_CSR]
            raise TargetError(f"{name} cannot be written on this hart")

    def _vector(self, number: int) -> bytes:
        at = VECTOR_BYTES * (number - FIRST_VECTOR)
        return bytes(self._v[at : at + VECTOR_BYTES])

    def _write_vector(self, thread: int, number: int, data: bytes) -> None:
        if hart_of(thread) != T2:
            raise TargetError(f"{name_of(thread)} has no vector registers: T2 has")
        if len(data) != VECTOR_BYTES:
            raise TargetError(f"a vector register is {VECTOR_BYTES} bytes, not {len(data)}")
        at = VECTOR_BYTES * (number - FIRST_VECTOR)
        self._v[at : at + VECTOR_BYTES] = data

    def read_pc(self, thread: int) -> int:
        return pc_of(self._machine, thread)

    def write_pc(self, thread: int, addr: int) -> None:
        if tensix_of(thread) is not None:
            # A client that writes all registers back changes nothing.
            if addr == pc_of(self._machine, thread):
                return
            raise TargetError(
                f"the pc of {name_of(thread)} cannot be written: it is where the instruction at "
                "its gate was pushed"
            )
        if addr & 3 or addr > 0xFFFFFFFF:
            raise TargetError(f"the pc cannot be {addr:#010x}: instructions are 4 bytes each")
        hart = hart_of(thread)
        if addr != IN_RESET or not self._in_reset[hart]:
            self._machine.write_pc(hart, addr)

    def expedited(self, thread: int) -> Mapping[int, bytes]:
        """Return the registers that GDB reads at every stop: the pc, and what finds the caller's
        frame."""
        if tensix_of(thread) is not None:
            return {PC: _bytes(pc_of(self._machine, thread))}
        hart = hart_of(thread)
        x, (ra, sp, fp) = self._general(hart), EXPEDITED
        return {
            ra: bytes(x[4 * ra : 4 * ra + 4]),
            sp: bytes(x[4 * sp : 4 * sp + 4]),
            fp: bytes(x[4 * fp : 4 * fp + 4]),
            PC: self._pc_of(hart),
        }


def _bytes(value: int) -> bytes:
    return value.to_bytes(4, "little")
