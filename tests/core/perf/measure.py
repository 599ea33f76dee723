# SPDX-License-Identifier: Apache-2.0
"""Software that measures, as LLK's perf_counters/hw.h does: start, work, stop, select and read."""

from __future__ import annotations

from collections.abc import Sequence

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.perf.control import OFFSETS, OUTPUTS
from tensix_gdb.core.perf.fields import BANKS
from tests.assembler import asm
from tests.core.devices.scripts import Load, Step, Store, run
from tests.core.tensix.programs import ttinsn

BASE = 0xFFB12000
ALL, MUX = BASE + 0x3C, BASE + 0x218
START, STOP = 1, 2
IDLE = [asm("addi")] * 200


def bank(number: int, which: int) -> int:
    """The address of a register of a bank."""
    return BASE + OFFSETS[number] + 4 * which


def output(number: int, high: int) -> int:
    """The address of OUT_L or OUT_H."""
    return BASE + 0x100 + 8 * OUTPUTS.index(number) + 4 * high


def started(number: int) -> list[Step]:
    """Configure and start a bank."""
    return [
        *(Store(bank(number, 0), 0xFFFFFFFF), Store(bank(number, 1), 0)),
        *(Store(bank(number, 2), 0), Store(bank(number, 2), START)),
    ]


def stopped(number: int) -> list[Step]:
    """Stop a bank."""
    return [Store(bank(number, 2), 0), Store(bank(number, 2), STOP)]


def read(number: int, select: int) -> list[Step]:
    """Select a counter and read it."""
    return [Store(bank(number, 1), select << 8), Load(output(number, 1))]


def around(texts: Sequence[str], thread: int) -> list[Step]:
    """Count in all banks while a thread executes instructions, and come to rest again."""
    steps = [step for number in range(BANKS) for step in started(number)]
    steps += [*map(ttinsn, texts), *IDLE]
    return steps + [step for number in range(BANKS) for step in stopped(number)]


def measure(
    machine: Machine, texts: Sequence[str], selects: Sequence[tuple[int, int]], thread: int = 1
) -> list[int]:
    """Return the counts (bank, select) of instructions of one thread."""
    hart = T0 + thread
    run(machine, hart, *around(texts, thread))
    found = []
    for number, select in selects:
        found += run(machine, hart, *read(number, select))
    return found
