# SPDX-License-Identifier: Apache-2.0
"""Whole programs on the machine against unicorn: random instruction streams, and compiled C.

A stream ends at a breakpoint, where with schedules that take time stores are queued and loads under
way: what is compared is the view in program order that a debugger has.

unicorn has RV32IM with A; programs keep to I, M and AMOs here. C with Zba and Zbb, which unicorn
lacks, has to give the result that the same C gives without them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from unicorn import UC_ARCH_RISCV, UC_MODE_RISCV32, Uc
from unicorn.riscv_const import UC_RISCV_REG_PC, UC_RISCV_REG_X0, UC_RISCV_REG_X10

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import asm, image
from tests.core.riscv.random_streams import DATA, MEMORY, POINTER, START, state, stream
from tests.forms import rounds
from tests.machines import ENGINES, machine_on
from tests.programs import build

RUNS = (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)
pytestmark = pytest.mark.oracle


@pytest.fixture(scope="module")
def machines() -> Iterator[list[Machine]]:
    made = [machine_on(kind, schedule) for kind in ENGINES for schedule in RUNS]
    yield made
    for machine in made:
        machine.close()


@settings(max_examples=rounds(30, 60), deadline=None)
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
    """Return what `main` returns under unicorn: a0 at the ebreak after it."""
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
@pytest.mark.parametrize(
    ("engine", "schedule"),
    [
        ("reference", Schedule.SC),
        *[(engine, schedule) for engine in ("compiled", "checked") for schedule in RUNS],
    ],
)
def test_compiled_c(oracle_elf: Builder, engine: str, schedule: Schedule, optimize: str) -> None:
    plain = oracle_elf(optimize, "rv32im_zicsr")
    expected = unicorn_result(plain)
    for path in (plain, oracle_elf(optimize, "rv32im_zicsr_zba_zbb")):
        machine = machine_on(engine, schedule)
        machine.load(B, read_elf(path))
        stop = machine.run(30_000_000)
        assert stop is not None
        assert stop.kind is StopKind.EBREAK, stop.text
        assert machine.read_x(B, 10) == expected
        machine.close()
