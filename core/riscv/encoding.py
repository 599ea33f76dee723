# SPDX-License-Identifier: Apache-2.0
"""The six instruction formats of RV32, and what a row of the instruction table holds.

Formats are those of the RISC-V unprivileged manual, chapter "RV32I Base Integer Instruction Set";
the pieces of an immediate are named as its figures name them.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import field
from typing import TypeVar

from tensix_gdb.core.dataclass import dataclass
from tensix_gdb.core.isa.schema import Bits, Encoding, Fixed, Signed, word32

Operation = Callable[..., int]
F = TypeVar("F", bound=Operation)


class Form(enum.IntEnum):
    """The source of an instruction's operands and the target of its result (riscv/execute.py)."""

    NOT_DECODED = 0
    ILLEGAL = 1
    ALU_RR = 2
    ALU_RI = 3
    ALU_R1 = 4
    BRANCH = 5
    LOAD = 6
    STORE = 7
    AMO = 8
    CSR_R = 9
    CSR_I = 10
    LUI = 11
    AUIPC = 12
    JAL = 13
    JALR = 14
    FENCE = 15
    FENCE_I = 16
    EBREAK = 17
    ECALL = 18
    MRET = 19
    TTINSN = 20
    ALU_RRR = 21
    HALF_R1 = 22
    HALF_RR = 23
    HALF_RRR = 24
    VECTOR = 25
    VECTOR_LOAD = 26
    VECTOR_STORE = 27
    VSETVLI = 28
    VSETIVLI = 29
    VSETVL = 30


def no_operation() -> int:
    """Of instructions that their form describes completely."""
    return 0


@dataclass(frozen=True, slots=True)
class Instruction:
    """One row: a name as binutils prints it, its encoding, its form and its operation.

    `size` in bytes belongs to loads, stores and AMOs, `signed` to loads: 0 zeros above, 1 copies of
    the sign, 2 ones. Registers called frd, frs1, frs2 are floating-point ones.
    """

    name: str
    encoding: Encoding
    form: Form
    page: str
    operation: Operation
    size: int
    signed: int


@dataclass(slots=True)
class Group:
    """The rows of one extension, in the order in which they are declared."""

    page: str
    rows: list[Instruction] = field(default_factory=list)

    def row(
        self, name: str, encoding: Encoding, form: Form, size: int = 0, signed: int = 0
    ) -> None:
        """Declare an instruction that its form describes completely."""
        self.rows.append(Instruction(name, encoding, form, self.page, no_operation, size, signed))

    def instruction(
        self, name: str, encoding: Encoding, form: Form, size: int = 0
    ) -> Callable[[F], F]:
        """Declare an instruction with the decorated function as its operation."""

        def declare(operation: F) -> F:
            self.rows.append(Instruction(name, encoding, form, self.page, operation, size, 0))
            return operation

        return declare


# fmt: off
def r_type(opcode: int, funct3: int, funct7: int) -> Encoding:
    """funct7 | rs2 | rs1 | funct3 | rd | opcode"""
    return word32(Fixed(funct7, 7), "rs2" / Bits(5), "rs1" / Bits(5),
                  Fixed(funct3, 3), "rd" / Bits(5), Fixed(opcode, 7))


def r1_type(opcode: int, funct3: int, funct12: int) -> Encoding:
    """R-type with one register to read; the place of rs2 selects the operation too."""
    return word32(Fixed(funct12, 12), "rs1" / Bits(5),
                  Fixed(funct3, 3), "rd" / Bits(5), Fixed(opcode, 7))


def i_type(opcode: int, funct3: int) -> Encoding:
    """imm[11:0] | rs1 | funct3 | rd | opcode"""
    return word32("imm[11:0]" / Signed(12), "rs1" / Bits(5),
                  Fixed(funct3, 3), "rd" / Bits(5), Fixed(opcode, 7))


def shift_type(opcode: int, funct3: int, funct7: int) -> Encoding:
    """I-type with a shift amount below 32 as its immediate."""
    return word32(Fixed(funct7, 7), "imm" / Bits(5), "rs1" / Bits(5),
                  Fixed(funct3, 3), "rd" / Bits(5), Fixed(opcode, 7))


def s_type(opcode: int, funct3: int) -> Encoding:
    """imm[11:5] | rs2 | rs1 | funct3 | imm[4:0] | opcode"""
    return word32("imm[11:5]" / Signed(7), "rs2" / Bits(5), "rs1" / Bits(5),
                  Fixed(funct3, 3), "imm[4:0]" / Bits(5), Fixed(opcode, 7))


def b_type(opcode: int, funct3: int) -> Encoding:
    """imm[12|10:5] | rs2 | rs1 | funct3 | imm[4:1|11] | opcode"""
    return word32("imm[12|10:5]" / Signed(7), "rs2" / Bits(5), "rs1" / Bits(5),
                  Fixed(funct3, 3), "imm[4:1|11]" / Bits(5), Fixed(opcode, 7))


def u_type(opcode: int) -> Encoding:
    """imm[31:12] | rd | opcode"""
    return word32("imm[31:12]" / Signed(20), "rd" / Bits(5), Fixed(opcode, 7))


def j_type(opcode: int) -> Encoding:
    """imm[20|10:1|11|19:12] | rd | opcode"""
    return word32("imm[20|10:1|11|19:12]" / Signed(20), "rd" / Bits(5), Fixed(opcode, 7))


def csr_type(funct3: int) -> Encoding:
    """csr | rs1 or zimm | funct3 | rd | SYSTEM"""
    return word32("imm" / Bits(12), "rs1" / Bits(5),
                  Fixed(funct3, 3), "rd" / Bits(5), Fixed(0x73, 7))


def amo_type(funct5: int) -> Encoding:
    """funct5 | aq | rl | rs2 | rs1 | 010 | rd | AMO"""
    return word32(Fixed(funct5, 5), "aq" / Bits(1), "rl" / Bits(1),
                  "rs2" / Bits(5), "rs1" / Bits(5),
                  Fixed(2, 3), "rd" / Bits(5), Fixed(0x2F, 7))


def fence_type(funct3: int) -> Encoding:
    """fm | pred | succ | rs1 | funct3 | rd | MISC-MEM: fields that every hart ignores."""
    return word32("fm" / Bits(4), "pred" / Bits(4), "succ" / Bits(4), "rs1" / Bits(5),
                  Fixed(funct3, 3), "rd" / Bits(5), Fixed(0x0F, 7))


def f_load_type(funct3: int) -> Encoding:
    """I-type of LOAD-FP"""
    return word32("imm[11:0]" / Signed(12), "rs1" / Bits(5),
                  Fixed(funct3, 3), "frd" / Bits(5), Fixed(0x07, 7))


def f_store_type(funct3: int) -> Encoding:
    """S-type of STORE-FP"""
    return word32("imm[11:5]" / Signed(7), "frs2" / Bits(5), "rs1" / Bits(5),
                  Fixed(funct3, 3), "imm[4:0]" / Bits(5), Fixed(0x27, 7))


def f4_type(opcode: int, fmt: int) -> Encoding:
    """rs3 | fmt | rs2 | rs1 | rm | rd | opcode; the third operand is the immediate of the word."""
    return word32("imm" / Bits(5), Fixed(fmt, 2), "frs2" / Bits(5), "frs1" / Bits(5),
                  "rm" / Bits(3), "frd" / Bits(5), Fixed(opcode, 7))


def fround_type(funct5: int, fmt: int) -> Encoding:
    """funct5 | fmt | rs2 | rs1 | rm | rd | OP-FP; every hart ignores its rounding mode."""
    return word32(Fixed(funct5, 5), Fixed(fmt, 2), "frs2" / Bits(5), "frs1" / Bits(5),
                  "rm" / Bits(3), "frd" / Bits(5), Fixed(0x53, 7))


def f_type(funct5: int, fmt: int, funct3: int) -> Encoding:
    """funct5 | fmt | rs2 | rs1 | funct3 | rd | OP-FP"""
    return word32(Fixed(funct5, 5), Fixed(fmt, 2), "frs2" / Bits(5), "frs1" / Bits(5),
                  Fixed(funct3, 3), "frd" / Bits(5), Fixed(0x53, 7))


def fcompare_type(fmt: int, funct3: int) -> Encoding:
    """FCMP | fmt | rs2 | rs1 | funct3 | rd | OP-FP, with an integer register for the result."""
    return word32(Fixed(0x14, 5), Fixed(fmt, 2), "frs2" / Bits(5), "frs1" / Bits(5),
                  Fixed(funct3, 3), "rd" / Bits(5), Fixed(0x53, 7))


def f1_type(funct5: int, fmt: int, rs2: int) -> Encoding:
    """funct5 | fmt | what it is converted from | rs1 | rm | rd | OP-FP"""
    return word32(Fixed(funct5, 5), Fixed(fmt, 2), Fixed(rs2, 5), "frs1" / Bits(5),
                  "rm" / Bits(3), "frd" / Bits(5), Fixed(0x53, 7))


def f_to_x_type(funct5: int, fmt: int, rs2: int, funct3: int) -> Encoding:
    """Encode as f1_type, to an integer register; `funct3` -1 is a rounding mode."""
    third = "rm" / Bits(3) if funct3 < 0 else Fixed(funct3, 3)
    return word32(Fixed(funct5, 5), Fixed(fmt, 2), Fixed(rs2, 5), "frs1" / Bits(5),
                  third, "rd" / Bits(5), Fixed(0x53, 7))


def x_to_f_type(funct5: int, fmt: int, rs2: int, funct3: int) -> Encoding:
    """Encode as f1_type, from an integer register; `funct3` -1 is a rounding mode."""
    third = "rm" / Bits(3) if funct3 < 0 else Fixed(funct3, 3)
    return word32(Fixed(funct5, 5), Fixed(fmt, 2), Fixed(rs2, 5), "rs1" / Bits(5),
                  third, "frd" / Bits(5), Fixed(0x53, 7))


def system_type(funct12: int) -> Encoding:
    """A SYSTEM word without operands."""
    return word32(Fixed(funct12, 12), Fixed(0, 5), Fixed(0, 3), Fixed(0, 5), Fixed(0x73, 7))
# fmt: on
