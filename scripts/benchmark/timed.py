# SPDX-License-Identifier: Apache-2.0
"""Speed in the schedule `latency`: a hart alone in its local RAM, all of the tile at work, and an
instruction of each Tensix thread in every cycle."""

from __future__ import annotations

import time
from pathlib import Path

from tensix_gdb.core.arch.blackhole import HART_NAMES, PUSH_BASE, THREADS
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.mop_config import MOP_CONFIG_BASE
from tensix_gdb.core.isa.architecture import Arch, Dialect
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image, li
from tests.programs.build import PLAIN_ARCH, PROGRAMS, build

CYCLES = 2_000_000
TIMES = 12  # as in the other measurements
FOR_EVER = 1 << 30  # rounds
PUSHED = (
    "SETDMAREG new_value=5, result_half_reg=2",
    "NOP",
    "ADDDMAREG result_reg=2, right_reg=0, left_reg=1",
)


def _best(machine: Machine) -> tuple[float, float]:
    """Million cycles and million instructions per second of the processor."""
    best = (0.0, 0.0)
    machine.run(1000)
    for _ in range(TIMES):
        retired = sum(machine.S.hart.retired[hart] for hart in range(len(HART_NAMES)))
        start = time.process_time()
        stop = machine.run(CYCLES)
        seconds = time.process_time() - start
        if stop is not None:
            raise RuntimeError(f"the program did not continue: {stop.text}")
        count = sum(machine.S.hart.retired[hart] for hart in range(len(HART_NAMES))) - retired
        best = max(best, (CYCLES / seconds / 1e6, count / seconds / 1e6))
    return best


def alone(folder: Path, arch: Arch = Arch.BLACKHOLE) -> float:
    """MIPS of one hart that stays in its local RAM."""
    elf = folder / "local.elf"
    build(
        PROGRAMS / "bench_local.c",
        "B",
        elf,
        optimize="-O2",
        arch=PLAIN_ARCH,
        defines=(f"ROUNDS={FOR_EVER}u",),
        chip=arch.chip,
    )
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY, arch=arch)
    machine.load(0, read_elf(elf))
    speed = _best(machine)[1]
    machine.close()
    return speed


def full_tile(folder: Path, arch: Arch = Arch.BLACKHOLE) -> float:
    """Million cycles per second: T0 to T2 push all the time, B and NC work in memory."""
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY, arch=arch)
    for hart in ("B", "NC"):
        elf = folder / f"busy-{hart}.elf"
        build(
            PROGRAMS / "bench_memory.c",
            hart,
            elf,
            optimize="-O2",
            arch=PLAIN_ARCH,
            defines=(f"ROUNDS={FOR_EVER}u",),
            shared_start=0x20000 if hart == "B" else 0x40000,
            chip=arch.chip,
        )
        machine.load(HART_NAMES.index(hart), read_elf(elf))
    words = [parse(text, Dialect(arch)) for text in PUSHED]
    body: list[int] = []
    for word in words:
        body += [(word << 2 | word >> 30) & 0xFFFFFFFF, asm("addi", rd=5, rs1=5, imm=1)]
        body += [asm("add", rd=6, rs1=6, rs2=5)]
    loop = [*body, asm("jal", imm=-4 * len(body))]
    for number, hart in enumerate(("T0", "T1", "T2")):
        machine.load(HART_NAMES.index(hart), image(loop, 0x6000 + 0x4000 * number))
    speed = _best(machine)[0]
    machine.close()
    return speed


def three_threads() -> float:
    """Million cycles per second: an instruction of each thread passes its gate in every cycle.

    Each T core pushes one MOP after the other, which become INCADCXY.
    """
    code = [*li(5, MOP_CONFIG_BASE), *li(6, parse("INCADCXY u0=1, x0_inc=1"))]
    code += [asm("sw", rs1=5, rs2=6, imm=4 * 3), *li(5, PUSH_BASE)]
    code += [*li(6, parse("MOP template=0, count1=127, mask_lo=0")), asm("sw", rs1=5, rs2=6)]
    code += [asm("jal", imm=-4)]
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    for number, hart in enumerate(("T0", "T1", "T2")):
        machine.load(HART_NAMES.index(hart), image(code, 0x6000 + 0x4000 * number))
    machine.run(1000)
    before = [machine.S.passed.count[thread] for thread in range(THREADS)]
    machine.run(CYCLES)
    passed = [machine.S.passed.count[thread] - before[thread] for thread in range(THREADS)]
    if passed != [CYCLES] * THREADS:
        raise RuntimeError(f"{passed} instructions have passed in {CYCLES} cycles")
    speed = _best(machine)[0]
    machine.close()
    return speed


def polling() -> float:
    """Million cycles per second of five harts that wait for a word in L1, as firmware does."""
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    head = [*li(5, 0x8), asm("csrrs", rs1=5, imm=0x7C0), *li(6, 0x20000)]
    for hart in range(len(HART_NAMES)):
        body = [asm("fence"), asm("lw", rd=7, rs1=6), *hart * [asm("addi", rd=8, rs1=7)]]
        loop = [*body, asm("beq", rs1=7, imm=-4 * len(body))]
        machine.load(hart, image([*head, *loop], 0x6000 * hart))
    speed = _best(machine)[0]
    machine.close()
    return speed


# Four that follow each other without waiting, so that there is one in every cycle.
VECTOR = {
    "SFPMAD": [f"SFPMAD va=L{i}, vb=L1, vc=L2, vd=L{4 + i}" for i in range(4)],
    "SFPLOAD": [f"SFPLOAD vd=L{i}, mod0=FP32, imm10={4 * i}" for i in range(4)],
    "SFPSTORE": [f"SFPSTORE vd=L{i}, mod0=FP32, imm10={4 * i}" for i in range(4)],
}


def vector_unit(texts: list[str], arch: Arch = Arch.BLACKHOLE) -> float:
    """Million instructions of the Vector Unit per second: one passes in almost every cycle."""
    words = [parse(text, Dialect(arch)) for text in texts * 2]
    body = [(word << 2 | word >> 30) & 0xFFFFFFFF for word in words]
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY, arch=arch)
    S = machine.S
    for number in range(8):
        for lane in range(32):
            S.vector.lreg[number, lane] = 0x3F800000 + 0x12345 * (number * 32 + lane)
    loop = image([*body, asm("jal", imm=-4 * len(body))], 0x6000)
    machine.load(HART_NAMES.index("T1"), loop)
    machine.run(1000)
    before = S.passed.count[1]
    machine.run(CYCLES)
    share = (S.passed.count[1] - before) / CYCLES
    speed = _best(machine)[0] * share
    machine.close()
    return speed
