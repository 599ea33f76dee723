# SPDX-License-Identifier: Apache-2.0
"""Semaphores that were posted or taken in place of the one that a thread waits for.

Seen is the last instruction that each Tensix thread has given the Sync Unit; posts by RISC-V stores
leave no trace. Where no thread has posted any, a semaphore that has a value and no thread that
waits for it is the next best thing to name.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensix_gdb.core.arch.blackhole import THREAD_NAMES, THREADS
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.latch import SEMWAIT
from tensix_gdb.core.tensix.instruction import Unit
from tensix_gdb.gdbstub.tensix.blocked.instructions import Instruction, last_of, place
from tensix_gdb.gdbstub.tensix.blocked.wait_conditions import UNIT_NUMBERS

POST, GET = "SEMPOST", "SEMGET"
_DONE = {POST: "posted", GET: "taken"}
MASK_SHIFT, MASK_BITS = 2, 0xFF  # of SEMPOST and SEMGET


def done_instead(machine: Machine, thread: int, semaphore: int, wanted: str) -> Iterator[str]:
    """Yield which other semaphores threads have posted (SEMPOST) or taken (SEMGET), where `thread`
    waits for that to be done to this one."""
    since = int(machine.S.latch.since[thread])
    for other in range(THREADS):
        last = last_of(machine, other, UNIT_NUMBERS[Unit.SYNC])
        if last is None or last.name != wanted:
            continue
        numbers = _of(last)
        if semaphore not in numbers:
            when = "since then" if last.cycle >= since else "before that"
            yield (
                f"{when} {THREAD_NAMES[other]} has {_DONE[wanted]} {_named(machine, numbers)}"
                f" at {place(machine, last.hart, last.pc)} in cycle {last.cycle}"
            )


def left_over(machine: Machine) -> Iterator[int]:
    """Yield the semaphores that have a value, and no thread that waits for them."""
    for number in range(SEMAPHORES):
        if machine.S.semaphore.value[number] and not _is_awaited(machine, number):
            yield number


def _of(instruction: Instruction) -> list[int]:
    mask = instruction.word >> MASK_SHIFT & MASK_BITS
    return [number for number in range(SEMAPHORES) if mask >> number & 1]


def _named(machine: Machine, numbers: list[int]) -> str:
    """`semaphore 2, which is 4 and for which no thread waits`."""
    what = "semaphores " if len(numbers) > 1 else "semaphore "
    text = what + ", ".join(map(str, numbers))
    if len(numbers) == 1 and not _is_awaited(machine, numbers[0]):
        value = machine.S.semaphore.value[numbers[0]]
        return f"{text} (it is {value}, and no thread waits for it)"
    return text


def _is_awaited(machine: Machine, number: int) -> bool:
    latch = machine.S.latch
    return any(
        latch.kind[thread] == SEMWAIT and latch.semaphores[thread] >> number & 1
        for thread in range(THREADS)
    )
