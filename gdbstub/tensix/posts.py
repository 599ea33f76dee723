# SPDX-License-Identifier: Apache-2.0
"""Where programs post and get a semaphore, for who waits for one and asks who should have.

What is seen are SEMPOST and SEMGET as `.ttinsn` in the code. What a store or a MOP pushes, and
posts by RISC-V loads and stores, are no words of the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.arch.blackhole import HART_NAMES
from core.devices.semaphores import SEMAPHORES
from core.machine import Machine
from core.tensix.latch import SEMWAIT
from gdbstub.tensix.instructions import place

# Opcode 0xa4 and 0xa5, Wormhole's too, in a word that is rotated left by two.
TURNED, SEMPOST, SEMGET = 2, 0x24, 0x25
FIRST_SEMAPHORE = 4  # bit of the mask, in such a word
MOST_SHOWN = 4


def who_should(machine: Machine, thread: int) -> Iterator[str]:
    """What would end the latched wait of a thread for semaphores, and which code does it."""
    S = machine.S
    if S.latch.kind[thread] != SEMWAIT:
        return
    conditions = int(S.latch.conditions[thread])
    for i in range(SEMAPHORES):
        value = S.semaphore.value[i]
        if not S.latch.semaphores[thread] >> i & 1:
            continue
        if conditions & 1 and value == 0:
            yield _said("SEMPOST", i, _places(machine, SEMPOST, i))
        if conditions & 2 and value >= S.semaphore.max[i] > 0:
            yield _said("SEMGET", i, _places(machine, SEMGET, i))


def _said(name: str, semaphore: int, places: Sequence[str]) -> str:
    what = f"{name} of semaphore {semaphore}"
    if not places:
        return f"no program has a {what} in its code; a store or a MOP might push one"
    more = f" and {len(places) - MOST_SHOWN} more" if len(places) > MOST_SHOWN else ""
    return f"programs have {what} at {', '.join(places[:MOST_SHOWN])}{more}"


def _places(machine: Machine, opcode: int, semaphore: int) -> list[str]:
    """`T1: math.c:74`, each line once."""
    found: dict[str, None] = {}
    for image in machine.images:
        hart = image.hart
        if hart is None:
            continue
        for segment in image.code:
            words = memoryview(segment.data[: len(segment.data) & ~3]).cast("I")
            for at, word in enumerate(words):
                if (
                    word >> 26 == opcode
                    and word & 3 == TURNED
                    and word >> (FIRST_SEMAPHORE + semaphore) & 1
                ):
                    line = place(machine, hart, segment.addr + 4 * at)
                    found[f"{line} ({HART_NAMES[hart]})"] = None
    return list(found)
