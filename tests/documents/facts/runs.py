# SPDX-License-Identifier: Apache-2.0
"""The facts' questions to the machine, on both engines: what passed, what is held, what is
latched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import parse as parse_litmus
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.gate.latch import NONE
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tests.core.tensix.vector_files import drive, put
from tests.documents.on_the_machine import LATER, after, held
from tests.vectors import both_engines

Program = Sequence[tuple[int, str | int]]
State = Mapping[str, int]

# Instructions that leave a mark, of a unit each. MISC is caught by B0 alone, SYNC by B1 alone,
# SCALAR by B0 and B5.
MISC, SYNC = "SETADC u0=1, new_value=7", "SEMPOST sem=S0"
SCALAR = "SETDMAREG new_value=7, result_half_reg=2"
# An instruction of the Matrix Unit, which B6 alone catches.
MATRIX = "INCRWC rwc_a=1"
UNPACKER_0: State = {"busy.unpacker[0,0]": 1}
MEMORY: State = {
    **{"thcon.requests": 1, "thcon.kind[0]": 1, "thcon.size[0]": 4, "thcon.when[0]": LATER},
}


def marks(record: Record, thread: int = 0) -> set[str]:
    """Which of the instructions that leave a mark have passed."""
    S = record.S
    found = {
        MISC: S.adc.value[thread, 0, 0, 0] == 7,
        SYNC: S.semaphore.value[0] == 1,
        SCALAR: S.gpr.word[thread * 64 + 1] == 7,
    }
    return {text for text, there in found.items() if there}


def passed(program: Program, state: State | None = None, thread: int = 0) -> set[str]:
    """The marks after so many cycles that what passes has passed."""
    return marks(after(30, program, state), thread)


def first_cycle(program: Program, mark: str, state: State | None = None) -> int:
    """The cycle after which T0 has made a mark."""
    return next(n for n in range(1, 40) if mark in marks(after(n, program, state)))


def more(record: Record, cycles: int, state: State | None = None) -> Record:
    """Change rows of the record and let it run on."""
    for path, value in (state or {}).items():
        name, _, index = path.partition("[")
        put(record, name, tuple(int(i) for i in index.rstrip("]").split(",") if i), value)
    both_engines(drive, record, cycles)
    return record


def is_latched(program: Program, state: State, thread: int = 0) -> bool:
    """True if a wait of the thread is still latched after some cycles."""
    return bool(after(6, program, state).S.latch.kind[thread] != NONE)


def is_held(word: int, block: int) -> bool:
    """True if a STALLWAIT with this block mask, never over, holds the instruction after it."""
    state = {**UNPACKER_0, **{f"mop_config.word[0,{i}]": 0x02000000 for i in range(2, 9)}}
    record = after(6, [(0, 0xA2000000 | block << 15 | 1 << 1), (0, word)], state)
    return held(record) is Held.LATCHED_WAIT


@cache
def _tile() -> Tile:
    return Tile("compiled")


def outcomes(statements: str, final: str, init: str = "") -> set[int]:
    """The values that a place can have after T0's program, over all its executions."""
    text = f"litmus a fact\npage x\nabout x\n{init}\nT0\n{statements}\nfinal {final}\nallowed 0\n"
    (test,) = parse_litmus(text)
    found = explore(_tile().prepare(test, Schedule.EXHAUSTIVE)).outcomes
    assert not any(outcome.ending for outcome in found)
    return {outcome.values[0] for outcome in found}
