# SPDX-License-Identifier: Apache-2.0
"""Whole programs on the machine against unicorn: random instruction streams, and compiled C.

unicorn has RV32IM with A; programs keep to I, M and AMOs here. C with Zba and Zbb, which unicorn
lacks, has to give the result that the same C gives without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import UC_RISCV_REG_PC, UC_RISCV_REG_X0, UC_RISCV_REG_X10

from core.arch.blackhole import B
from core.loader import read_elf
from core.machine import Machine
from core.riscv.encoding import Form
from core.riscv.rv32i import RV32I
from core.riscv.rv32m import RV32M
from core.riscv.zaamo import ZAAMO
from core.stop import StopKind
from tests.assembler import asm, image
from tests.machines import ENGINES, Maker, machine_on
from tests.programs import build

pytestmark = pytest.mark.oracle

MEMORY = 0x20000
START, DATA, DATA_BYTES = 0x1000, 0x8000, 0x400
POINTER = 8  # x8 stays where the data is

_ROWS = [row for group in (RV32I, RV32M, ZAAMO) for row in group.rows]
_ALU = [row for row in _ROWS if row.form in (Form.ALU_RR, Form.ALU_RI, Form.LUI, Form.AUIPC)]
_MEMORY = [row for row in _ROWS if row.form in (Form.LOAD, Form.STORE)]
_AMO = [row for row in _ROWS if row.form is Form.AMO]
_BRANCHES = [row for row in _ROWS if row.form is Form.BRANCH]

any_register = st.integers(0, 31)
target = any_register.filter(lambda number: number != POINTER)


@st.composite
def instruction(draw: st.DrawFn, left: int) -> int:
    """One instruction; jumps go forward, at most to the end, which is `left` instructions away."""
    kind = draw(st.sampled_from("aaaaaammxbj"))
    rd, rs1, rs2 = draw(target), draw(any_register), draw(any_register)
    if kind == "a":
        row = draw(st.sampled_from(_ALU))
        values = {"rd": rd, "rs1": rs1, "rs2": rs2}
        if "imm" in row.encoding.fields:
            field = row.encoding.fields["imm"]
            low = -(1 << field.width - 1) if field.signed else 0
            step = field.coverage & -field.coverage
            values["imm"] = low + draw(st.integers(0, ((1 << field.width) - 1) // step)) * step
        return asm(row.name, **{name: values[name] for name in row.encoding.fields})
    if kind == "m":
        row = draw(st.sampled_from(_MEMORY))
        offset = draw(st.integers(0, DATA_BYTES // row.size - 1)) * row.size
        if row.form is Form.LOAD:
            return asm(row.name, rd=rd, rs1=POINTER, imm=offset)
        return asm(row.name, rs1=POINTER, rs2=rs2, imm=offset)
    if kind == "x":
        return asm(draw(st.sampled_from(_AMO)).name, rd=rd, rs1=POINTER, rs2=rs2)
    forward = 4 * draw(st.integers(1, min(left, 8)))
    if kind == "b":
        return asm(draw(st.sampled_from(_BRANCHES)).name, rs1=rs1, rs2=rs2, imm=forward)
    return asm("jal", rd=rd, imm=forward)


@st.composite
def stream(draw: st.DrawFn) -> list[int]:
    length = draw(st.integers(1, 60))
    return [draw(instruction(length - at)) for at in range(length)]


state = st.lists(st.one_of(st.integers(0, 0xFFFFFFFF), st.sampled_from([0, 1, 0x80000000])),
                 min_size=31, max_size=31)  # fmt: skip


@pytest.fixture(scope="module")
def machines() -> Iterator[list[Machine]]:
    made = [machine_on(kind) for kind in ENGINES]
    yield made
    for machine in made:
        machine.close()


@settings(max_examples=250, deadline=None)
@given(stream(), state)
def test_random_streams(machines: list[Machine], words: list[int], registers: list[int]) -> None:
    registers[POINTER - 1] = DATA
    end = START + 4 * len(words)
    oracle = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
    oracle.mem_map(0, MEMORY)
    oracle.mem_write(START, b"".join(word.to_bytes(4, "little") for word in words))
    for number, value in enumerate(registers, 1):
        oracle.reg_write(UC_RISCV_REG_X0 + number, value)
    oracle.emu_start(START, end)
    expected = [oracle.reg_read(UC_RISCV_REG_X0 + n) for n in range(32)]
    memory = bytes(oracle.mem_read(0, MEMORY))
    for machine in machines:
        machine.images.clear()
        machine.reset()
        machine.load(B, image(words, START))
        for number, value in enumerate(registers, 1):
            machine.write_x(B, number, value)
        machine.add_break(end)
        stop = machine.run(10_000)
        machine.remove_break(end)
        assert stop is not None
        assert (stop.kind, stop.pc) == (StopKind.BREAK, end), stop.text
        assert [machine.read_x(B, n) for n in range(32)] == expected
        assert machine.peek(B, 0, MEMORY) == memory


SOURCE = Path(__file__).with_name("oracle.c")


def unicorn_result(path: Path) -> int:
    """What `main` returns under unicorn: a0 at the ebreak behind it."""
    elf = read_elf(path)
    oracle = Uc(UC_ARCH_RISCV, UC_MODE_RISCV32)
    oracle.mem_map(0, 0x180000)
    oracle.mem_map(0xFFB00000, 0x2000)
    for segment in elf.segments:
        oracle.mem_write(segment.addr, segment.data)
    start = elf.symbols["_start"]
    code = next(s.data[elf.entry - s.addr :] for s in elf.segments if s.addr <= elf.entry < s.end)
    ebreak = elf.entry + code.index(asm("ebreak").to_bytes(4, "little"))
    assert start.addr == elf.entry
    oracle.emu_start(elf.entry, ebreak)
    assert oracle.reg_read(UC_RISCV_REG_PC) == ebreak
    return int(oracle.reg_read(UC_RISCV_REG_X10))


Builder = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def oracle_elf(tool: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """Build oracle.c for B: by optimisation level and architecture."""
    tool(build.GCC)
    folder = tmp_path_factory.mktemp("oracle")

    def elf(optimize: str, arch: str) -> Path:
        out = folder / f"{optimize}-{arch}.elf"
        return out if out.exists() else build.build(SOURCE, "B", out, optimize=optimize, arch=arch)

    return elf


@pytest.mark.parametrize("optimize", ["-O0", "-Og", "-Os", "-O2", "-O3"])
def test_compiled_c(new_machine: Maker, oracle_elf: Builder, optimize: str) -> None:
    plain = oracle_elf(optimize, "rv32im_zicsr")
    expected = unicorn_result(plain)
    for path in (plain, oracle_elf(optimize, "rv32im_zicsr_zba_zbb")):
        machine = new_machine()
        machine.load(B, read_elf(path))
        stop = machine.run(3_000_000)
        assert stop is not None
        assert stop.kind is StopKind.EBREAK, stop.text
        assert machine.read_x(B, 10) == expected
