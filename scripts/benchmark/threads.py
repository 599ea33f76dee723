# SPDX-License-Identifier: Apache-2.0
"""Two tiles in two threads of one process, beside one after the other."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tests.programs.build import PLAIN_ARCH, PROGRAMS, build

TILES = 2
CYCLES = 10_000_000
TIMES = 6
FOR_EVER = 1 << 30  # rounds


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
