# SPDX-License-Identifier: Apache-2.0
"""Tiles in two threads of one process, beside one after the other: two that know nothing of each
other, and the busy ones of a chip, which wait for each other at the end of each quantum."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.chip.chip import Chip
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.host.simulator.grid import places_of
from tests.assembler import asm, image
from tests.programs.build import PLAIN_ARCH, PROGRAMS, build

TILES = 2
CYCLES = 10_000_000
TIMES = 6
FOR_EVER = 1 << 30  # rounds
# Of a chip: so short that both threads have a processor in some runs, whatever else is at work.
CHIP_CYCLES = 4_000
BUSY = (16, 140)
CHIP_TIMES = 40


def faster(folder: Path) -> float:
    """Return how many times as fast both are in threads, by the clock; 0 with too few
    processors."""
    if len(os.sched_getaffinity(0)) < TILES:
        return 0.0
    elf = folder / "threads.elf"
    rounds = (f"ROUNDS={FOR_EVER}u",)
    build(PROGRAMS / "bench_memory.c", "B", elf, optimize="-O2", arch=PLAIN_ARCH, defines=rounds)
    machines = [Machine(engine="compiled", schedule=Schedule.LATENCY) for _ in range(TILES)]
    for machine in machines:
        machine.load(0, read_elf(elf))
        machine.run(1000)
    in_turn, at_once = [], []
    for _ in range(TIMES):
        start = time.perf_counter()
        for machine in machines:
            machine.run(CYCLES)
        in_turn.append(time.perf_counter() - start)
        threads = [threading.Thread(target=one.run, args=(CYCLES,)) for one in machines]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        at_once.append(time.perf_counter() - start)
    for machine in machines:
        machine.close()
    return min(in_turn) / min(at_once)


def faster_chip(busy: int) -> float:
    """Return the same of a chip of 140 tiles of which so many have a hart that loads, adds and
    stores."""
    if len(os.sched_getaffinity(0)) < TILES:
        return 0.0
    chips = [_chip(busy, threads) for threads in (1, TILES)]
    best = [float("inf")] * len(chips)
    for _ in range(CHIP_TIMES):
        for number, chip in enumerate(chips):
            start = time.perf_counter()
            chip.run(CHIP_CYCLES * BUSY[0] // busy, lazy=True)
            best[number] = min(best[number], time.perf_counter() - start)
    for chip in chips:
        chip.close()
    return best[0] / best[1]


def _chip(busy: int, threads: int) -> Chip:
    loop = [
        asm("lw", rd=11, rs1=10),
        asm("addi", rd=11, rs1=11, imm=1),
        asm("sw", rs1=10, rs2=11),
    ]
    program = [asm("addi", rd=10, imm=0x700), *loop, asm("jal", imm=-12)]
    chip = Chip(places_of("14x10"), engine="compiled", schedule=Schedule.LATENCY, threads=threads)
    for machine in list(chip.tiles.values())[:busy]:
        machine.load(B, image(program, 0))
    chip.run(CHIP_CYCLES, lazy=True)
    return chip
