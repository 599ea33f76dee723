# SPDX-License-Identifier: Apache-2.0
"""The duration of `reverse-stepi` after 100 million cycles of history."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from scripts.benchmark.programs import programs
from scripts.benchmark.report import IN_TIME, Report
from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.program.elf import read_elf
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.gdbstub.protocol.target import Action, ResumeKind, Target
from tensix_gdb.gdbstub.tensix.target import tensix_target

CYCLES = 100_000_000
STEPS = 30
SLICE = 0.01  # seconds, as the server has them
MILLISECONDS = 20.0
THREADS = range(1, 9)
PROGRAM = "call"


def reverse(folder: Path, report: Report) -> list[tuple[str, ...]]:
    """Rows for the table; the first step back has farther to go than those behind it."""
    rows: list[tuple[str, ...]] = []
    program = next(one for one in programs(folder) if one.name == PROGRAM)
    for schedule in (Schedule.SC, Schedule.LATENCY):
        machine = Machine(engine="compiled", schedule=schedule)
        machine.load(B, read_elf(program.for_hart("B", 1 << 30)))
        target = tensix_target(machine, record=True)
        target.execution.resume({thread: Action(ResumeKind.CONTINUE) for thread in THREADS})
        while target.execution.clock() < CYCLES:
            target.execution.advance(SLICE)
        target.execution.interrupt(1)
        taken = [_step_back(target) for _ in range(STEPS)]
        machine.close()
        name = f"reverse-stepi after {CYCLES // 1_000_000} M cycles, {schedule.name.lower()}"
        typical, worst = statistics.median(taken), max(taken)
        report.add(name, f"{MILLISECONDS} ms", f"{worst:.1f} ms", worst <= MILLISECONDS, IN_TIME)
        rows.append((f"{name}: median, worst", "ms", f"{typical:.1f}, {worst:.1f}", "", ""))
    return rows


def _step_back(target: Target) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    target.execution.resume({1: Action(ResumeKind.REVERSE_STEP)})
    while target.execution.advance(SLICE) is None:
        pass
    return 1e3 * (time.perf_counter() - start)
