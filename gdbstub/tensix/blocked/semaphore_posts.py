# SPDX-License-Identifier: Apache-2.0
"""The places where programs make, post, get and wait for a semaphore.

What is seen are the instructions as `.ttinsn` in the code. What a store or a MOP pushes, and
posts by RISC-V loads and stores, are no words of the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tensix_gdb.core.arch.blackhole import HART_NAMES
from tensix_gdb.core.devices.semaphores import SEMAPHORES
from tensix_gdb.core.isa import opcodes
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.latch import SEMWAIT
from tensix_gdb.gdbstub.tensix.blocked.instructions import place
from tensix_gdb.gdbstub.tensix.blocked.posted_instead import GET, POST, done_instead, left_over

# A word of a program is rotated left by two: the opcodes, Wormhole's too, begin with TURNED, and
# their other bits are bits 31 to 26.
TURNED, IN_WORD = 2, 0x3F
_NAMES = {
    "SEMINIT": opcodes.SEMINIT & IN_WORD,
    "SEMPOST": opcodes.SEMPOST & IN_WORD,
    "SEMGET": opcodes.SEMGET & IN_WORD,
    "SEMWAIT": opcodes.SEMWAIT & IN_WORD,
}
FIRST_SEMAPHORE = 4  # bit of the mask, in such a word
MAX_SHOWN = 4


def who_should(machine: Machine, thread: int) -> Iterator[str]:
    """Yield what would end the latched wait of a thread for semaphores, and which code does it."""
    S = machine.S
    if S.latch.kind[thread] != SEMWAIT:
        return
    conditions = int(S.latch.conditions[thread])
    for i in range(SEMAPHORES):
        value = S.semaphore.value[i]
        if not S.latch.semaphores[thread] >> i & 1:
            continue
        if conditions & 1 and value == 0:
            yield from _who(machine, thread, i, POST)
        if conditions & 2 and value >= S.semaphore.max[i] > 0:
            yield from _who(machine, thread, i, GET)


def _who(machine: Machine, thread: int, semaphore: int, wanted: str) -> Iterator[str]:
    """Yield the code that would do it, and what was done in its place."""
    places = _places(machine, _NAMES[wanted], semaphore)
    yield _said(wanted, semaphore, places)
    instead = list(done_instead(machine, thread, semaphore, wanted))
    yield from instead
    if instead or places or wanted == GET:
        return
    for other in left_over(machine):
        posts = _places(machine, _NAMES["SEMPOST"], other)
        by = f"; programs post it at {_listed(posts)}" if posts else ""
        value = machine.S.semaphore.value[other]
        yield f"semaphore {other} is {value}, and no thread waits for it{by}"


def in_code(machine: Machine, semaphore: int) -> Iterator[tuple[str, str]]:
    """Yield which code is about a semaphore: instruction and places."""
    for name, opcode in _NAMES.items():
        yield name, _listed(_places(machine, opcode, semaphore)) or "in no program's code"


def _listed(places: Sequence[str]) -> str:
    more = f" and {len(places) - MAX_SHOWN} more" if len(places) > MAX_SHOWN else ""
    return ", ".join(places[:MAX_SHOWN]) + more


def _said(name: str, semaphore: int, places: Sequence[str]) -> str:
    what = f"{name} of semaphore {semaphore}"
    if not places:
        return f"no program has a {what} in its code; a store or a MOP might push one"
    return f"programs have {what} at {_listed(places)}"


def _places(machine: Machine, opcode: int, semaphore: int) -> list[str]:
    """`math.c:74 (T1)`, each line once."""
    places: dict[str, None] = {}
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
                    places[f"{line} ({HART_NAMES[hart]})"] = None
    return list(places)
