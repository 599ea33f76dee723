# SPDX-License-Identifier: Apache-2.0
"""Documents held against the machine: arrange a state, push instructions, look, on both engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.machine.parts import LAYOUT
from tensix_gdb.core.record.record import Record
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tests.core.tensix.vector_files import drive, push, put
from tests.vectors import both_engines

LATER = 1 << 40  # a cycle that no test comes to


def after(
    cycles: int, program: Sequence[tuple[int, str | int]], state: Mapping[str, int] | None = None
) -> Record:
    """The record `cycles` cycles after threads were given instructions, in the schedule latency.

    `state` is what is there before, as `{"busy.packer[0]": 1}`.
    """
    record = Record(LAYOUT)
    record.S.schedule.kind = Schedule.LATENCY
    for path, value in (state or {}).items():
        name, _, index = path.partition("[")
        put(record, name, tuple(int(i) for i in index.rstrip("]").split(",") if i), value)
    push(record, [(thread, parse(t) if isinstance(t, str) else t) for thread, t in program])
    both_engines(drive, record, cycles)
    return record


def held(record: Record, thread: int = 0) -> Held:
    """Why the instruction at the thread's gate has not passed in the last cycle."""
    return Held(record.S.gate.held[thread])


def gpr(record: Record, reg: int, thread: int = 0) -> int:
    return int(record.S.gpr.word[thread * 64 + reg])
