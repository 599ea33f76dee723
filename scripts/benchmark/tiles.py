# SPDX-License-Identifier: Apache-2.0
"""Whole tiles in the schedule `latency`: unpacked, packed, and multiplied by a kernel.

T0 unpacks a tile and takes it out of SrcA again, or T2 packs one, for ever; the time of a tile is
what the simulation of everything takes in which it is done, the pushing thread's among it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tensix_gdb.core.arch.blackhole import T0, T2, THREADS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import asm, image
from tests.core.tensix.packer.packer import BF16, BFP8, FP32, bf16_row, formats
from tests.core.tensix.programs import push_all
from tests.core.tensix.unpacker.unpack_model import Unpack, arrange
from tests.programs.build import PROGRAMS, build
from tests.programs.data_path import LEFT, RIGHT, defines, prepare, put

CYCLES = 100_000
TIMES = 6
PHASES = 24  # as many MVMUL as make a kernel of a usual size
UNPACKED = ("BF16", "FP32", "BFP8", "BFP4", "INT8")
WANTED = {"FP32": "BF16"}  # others keep their format
PACKED = {"BF16": BF16, "FP32": FP32, "BFP8": BFP8}
ROWS_IN_DST = 64


def _microseconds(machine: Machine, hart: int, texts: Sequence[str], last: int) -> float:
    """Of a round of `texts`, of which `last` pass the gate."""
    body = push_all(texts)
    machine.load(hart, image([*body, asm("jal", imm=-4 * len(body))], 0x6000))
    machine.run(5000)
    best = float("inf")
    for _ in range(TIMES):
        before, start = int(machine.S.passed.count[hart - T0]), time.process_time()
        stop = machine.run(CYCLES)
        if stop is not None:
            raise RuntimeError(f"the program did not continue: {stop.text}")
        seconds = time.process_time() - start
        rounds = (int(machine.S.passed.count[hart - T0]) - before) / last
        best = min(best, 1e6 * seconds / rounds)
    machine.close()
    return best


def unpack(given: str) -> float:
    """Microseconds of a tile to SrcA."""
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    tile = Unpack(
        given=given,
        wanted=WANTED.get(given, given),
        dims=(1024, 1, 1, 1),
        out_counters=(1023, 0, 0, 0),
    )
    arrange(machine.S, tile)
    return _microseconds(machine, T0, [tile.text(), "CLEARDVALID flip_src_a=1"], 2)


def pack(out: str) -> float:
    """Microseconds of a tile from Dst."""
    machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
    formats(machine, BF16, PACKED[out])
    for row in range(ROWS_IN_DST):
        bf16_row(machine, row, [0x3F80 + row] * 16)
    texts = ["PACR"] * 15 + ["PACR last=1"]
    return _microseconds(machine, T2, texts, len(texts))


@dataclass(frozen=True)
class Kernel:
    """The duration and size of a kernel."""

    milliseconds: float
    riscv: int
    tensix: int


def kernel(folder: Path) -> Kernel:
    """Two tiles are unpacked, multiplied in many phases and packed by C programs on T0 to T2."""
    elfs = []
    for number, hart in enumerate(("T0", "T1", "T2"), 1):
        line = defines(number, phases=PHASES)
        elfs.append(build(PROGRAMS / "data_path.c", hart, folder / f"{hart}.elf", defines=line))
    best = Kernel(float("inf"), 0, 0)
    for _ in range(TIMES):
        machine = Machine(engine="compiled", schedule=Schedule.LATENCY)
        prepare(machine.poke, BF16, fp32=False)
        for addr in (LEFT, RIGHT):
            put(machine.poke, addr, [[1.0] * 32 for _ in range(32)])
        for hart, elf in enumerate(elfs, T0):
            machine.load(hart, read_elf(elf))
        machine.images.clear()  # so that no stop looks for its line in the source
        start, stop = time.process_time(), None
        while stop is None or stop.kind is StopKind.EBREAK:
            stop = machine.run(CYCLES)
        taken = 1e3 * (time.process_time() - start)
        if stop.kind is not StopKind.ALL_PAUSED:
            raise RuntimeError(f"the kernel did not end: {stop.text}")
        S = machine.S
        riscv = sum(int(S.hart.retired[hart]) for hart in range(T0, T0 + THREADS))
        tensix = sum(int(S.passed.count[thread]) for thread in range(THREADS))
        if taken < best.milliseconds:
            best = Kernel(taken, riscv, tensix)
        machine.close()
    return best
