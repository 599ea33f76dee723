# SPDX-License-Identifier: Apache-2.0
"""The operation of every RV32 row: against unicorn and qemu-riscv32, and vectors by hand.

unicorn has I, M and A. For Zba, Zbb, pack and brev8 a program of one word after the other runs
under qemu-riscv32. grevi is in neither: its definition is written out bit by bit.
"""

from __future__ import annotations

import random
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import UC_RISCV_REG_A0, UC_RISCV_REG_A1, UC_RISCV_REG_A2, UC_RISCV_REG_PC

from tensix_gdb.core.engine.fields import ENGINE
from tensix_gdb.core.record.layout import Layout
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.riscv.rv32i import RV32I
from tensix_gdb.core.riscv.rv32m import RV32M
from tensix_gdb.core.riscv.table import FIRST, OPERATIONS, OPS, ROWS, Form
from tests.core.isa.oracles import assemble, tool
from tests.patience import HANG
from tests.vectors import both_engines

# fmt: off
CORNERS = (0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 33, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF,
           0x10000, 0x00FF00FF, 0x12345678, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001,
           0xDEADBEEF, 0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF)
# fmt: on
# Operations see no record; the smallest one there is keeps comparisons short.
RECORD = Record(Layout((ENGINE,)))
BASE = 0x10000
DATA = 0x20000


def pairs(seed: int) -> Iterator[tuple[int, int]]:
    """All corners with all corners, and random words."""
    yield from ((a, b) for a in CORNERS for b in CORNERS)
    dice = random.Random(seed)
    yield from ((dice.getrandbits(32), dice.getrandbits(32)) for _ in range(200))


def apply(name: str, *operands: int) -> int:
    """The result on both engines, which have to agree."""
    result = both_engines(OPERATIONS[OPS[name]], RECORD, *operands)
    assert 0 <= result <= 0xFFFFFFFF, f"{name}{operands} leaves the word: {result}"
    return result


def of_form(*forms: Form) -> list[str]:
    return [row.name for row in ROWS if row.form in forms]


def word(name: str, **fields: int) -> int:
    return ROWS[OPS[name] - FIRST].encoding.encode(**fields)


UNICORN_HAS = {row.name for group in (RV32I, RV32M) for row in group.rows}


class Emulator:
    """One instruction at BASE with a1 and a2 as its sources and a0 as its destination."""

    def __init__(self, instruction: int) -> None:
        self.uc = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
        self.uc.mem_map(BASE, 0x20000)
        self.uc.mem_write(BASE, instruction.to_bytes(4, "little"))

    def run(self, a1: int, a2: int) -> int:
        self.uc.reg_write(UC_RISCV_REG_A1, a1)
        self.uc.reg_write(UC_RISCV_REG_A2, a2)
        self.uc.emu_start(BASE, 0, count=1)
        return int(self.uc.reg_read(UC_RISCV_REG_A0))

    def pc(self) -> int:
        return int(self.uc.reg_read(UC_RISCV_REG_PC))


@pytest.mark.parametrize("name", [n for n in of_form(Form.ALU_RR) if n in UNICORN_HAS])
def test_alu_as_unicorn(name: str) -> None:
    emulator = Emulator(word(name, rd=10, rs1=11, rs2=12))
    for a, b in pairs(1):
        assert apply(name, a, b) == emulator.run(a, b), f"{name} {a:#x}, {b:#x}"


@pytest.mark.parametrize("name", [n for n in of_form(Form.ALU_RI) if n in UNICORN_HAS])
def test_alu_immediate_as_unicorn(name: str) -> None:
    imm_field = ROWS[OPS[name] - FIRST].encoding.fields["imm"]
    for imm in (-2048, -1, 0, 1, 5, 31, 2047):
        if not imm_field.signed and not 0 <= imm <= 31:
            continue
        emulator = Emulator(word(name, rd=10, rs1=11, imm=imm))
        for a in CORNERS:
            assert apply(name, a, imm & 0xFFFFFFFF) == emulator.run(a, 0), f"{name} {a:#x}, {imm}"


@pytest.mark.parametrize("name", of_form(Form.BRANCH))
def test_branch_as_unicorn(name: str) -> None:
    emulator = Emulator(word(name, rs1=11, rs2=12, imm=64))
    for a, b in pairs(2):
        emulator.run(a, b)
        assert emulator.pc() == BASE + (64 if apply(name, a, b) else 4), f"{name} {a:#x}, {b:#x}"


@pytest.mark.parametrize("name", of_form(Form.AMO))
def test_amo_as_unicorn(name: str) -> None:
    emulator = Emulator(word(name, rd=10, rs1=11, rs2=12, aq=0, rl=0))
    for old, operand in pairs(3):
        emulator.uc.mem_write(DATA, old.to_bytes(4, "little"))
        assert emulator.run(DATA, operand) == old
        new = int.from_bytes(emulator.uc.mem_read(DATA, 4), "little")
        assert apply(name, old, operand) == new, f"{name} {old:#x}, {operand:#x}"


# What qemu-riscv32 runs, as (row, word with a1 and a2 as sources, second operand or None).
def qemu_words() -> list[tuple[str, int, int | None]]:
    words: list[tuple[str, int, int | None]] = []
    for row in ROWS:
        if {"frd", "frs1"} & row.encoding.fields.keys():
            continue  # test_float.py
        if row.form is Form.ALU_RR:
            words.append((row.name, row.encoding.encode(rd=10, rs1=11, rs2=12), None))
        elif row.form is Form.ALU_R1:
            words.append((row.name, row.encoding.encode(rd=10, rs1=11), None))
    words += [("rori", word("rori", rd=10, rs1=11, imm=n), n) for n in (0, 1, 13, 31)]
    words += [("grevi", word("grevi", rd=10, rs1=11, imm=n), n) for n in (7, 24)]
    return words


QEMU_PROGRAM = """
    .globl _start
_start:
    la s0, operands
    la s1, results
    la s2, operands_end
1:  lw a1, 0(s0)
    lw a2, 4(s0)
    addi s0, s0, 8
{body}
    bgeu s0, s2, 2f
    j 1b
2:
    li a7, 64
    li a0, 1
    la a1, results
    sub a2, s1, a1
    ecall
    li a7, 93
    li a0, 0
    ecall
    .data
operands:
{operands}
operands_end:
    .bss
results: .space {space}
"""


def test_all_alu_as_qemu(tmp_path: Path) -> None:
    words = qemu_words()
    operands = list(pairs(4))
    body = "\n".join(f"    .word {w:#x}\n    sw a0, 0(s1)\n    addi s1, s1, 4" for _, w, _ in words)
    source = QEMU_PROGRAM.format(
        body=body,
        operands="\n".join(f"    .word {a:#x}, {b:#x}" for a, b in operands),
        space=4 * len(words) * len(operands),
    )
    program = assemble(source, tmp_path, link=True)
    # Zba and Zbb are on by default, brev8 and pack are not.
    command = [tool("qemu-riscv32"), "-cpu", "rv32,zbkb=true", str(program)]
    done = subprocess.run(command, capture_output=True, timeout=HANG)
    assert done.returncode == 0, done.stderr
    results = struct.iter_unpack("<I", done.stdout)
    count = 0
    for a, b in operands:
        for (name, _, immediate), (theirs,) in zip(words, results, strict=False):
            if name in of_form(Form.ALU_R1):
                ours = apply(name, a)
            else:
                ours = apply(name, a, b if immediate is None else immediate)
            assert ours == theirs, f"{name} {a:#x}, {b:#x}, {immediate}"
            count += 1
    assert count == len(words) * len(operands)


@pytest.mark.parametrize("control", range(32))
def test_grevi_moves_bit_i_to_i_xor_control(control: int) -> None:
    """Bitmanip 0.94: every stage swaps neighbours, so bit i of the result is bit i ^ control."""
    for value in (*CORNERS, 0x9E3779B9, 0x01234567):
        expected = sum((value >> (i ^ control) & 1) << i for i in range(32))
        assert apply("grevi", value, control) == expected


# fmt: off
VECTORS = [
    ("grevi", (0x12345678, 24), 0x78563412),     # rev8
    ("grevi", (0x01020380, 7),  0x8040C001),     # brev8
    ("grevi", (0x80000000, 31), 0x00000001),     # rev
    ("grevi", (0x12345678, 16), 0x56781234),
    ("orc.b", (0x00100080,),    0x00FF00FF),
    ("pack",  (0xAAAA1234, 0xBBBB5678), 0x56781234),
    ("clz",   (0,),             32),
    ("ctz",   (0,),             32),
    ("cpop",  (0xFFFFFFFF,),    32),
    ("div",   (0x80000000, 0xFFFFFFFF), 0x80000000),
    ("rem",   (0x80000000, 0xFFFFFFFF), 0),
    ("div",   (7, 0),           0xFFFFFFFF),
    ("rem",   (0xFFFFFFF9, 2),  0xFFFFFFFF),
    ("mulhu", (0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFE),
    ("mulhsu", (0x80000000, 0xFFFFFFFF), 0x80000000),
    ("csrrw", (0x12, 0x34),     0x34),
    ("csrrs", (0x12, 0x34),     0x36),
    ("csrrc", (0x36, 0x34),     0x02),
    ("csrrci", (0xFFFFFFFF, 31), 0xFFFFFFE0),
]
# fmt: on


@pytest.mark.parametrize(("name", "operands", "expected"), VECTORS)
def test_by_hand(name: str, operands: tuple[int, ...], expected: int) -> None:
    assert apply(name, *operands) == expected
