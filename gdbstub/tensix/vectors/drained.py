# SPDX-License-Identifier: Apache-2.0
"""The tile as it will be when what a Tensix thread has been pushed has executed.

A hart runs ahead of the coprocessor: at a stop of it, some dozens of instructions may be under way,
and an LReg is not what the source says yet. So the tile runs on without its harts until the thread
has nothing left, is looked at, and is put back, as for the proof that nothing moves
(core/machine/deadlock.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tensix_gdb.core.arch.blackhole import HARTS, T0
from tensix_gdb.core.clock.polling_rows import OFF
from tensix_gdb.core.debug.kept_stop import KeptStop, put_stop_back, stop_rows
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.entries import RUN, RUN_TIMED, RUN_TIMED_CHECKED
from tensix_gdb.core.memory import streams
from tensix_gdb.core.record.layout import View
from tensix_gdb.core.riscv.reset import update_issuing
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.frontend.fifo import CAPACITIES, FIFOS
from tensix_gdb.core.tensix.in_flight import is_idle

LONGEST = 2_000  # cycles; one that waits for another thread may wait for ever


def count_under_way(S: View, thread: int) -> int:
    """Return how many instructions are before the gate of a thread; a MOP or a REPLAY is one."""
    fifos = sum(int(S.fifo.count[thread, fifo]) for fifo in range(FIFOS))
    return fifos + int(S.stream.count[T0 + thread, streams.PUSH])


def words_under_way(S: View, thread: int) -> Iterator[int]:
    """Yield these instructions, as far as they are no stores of several words."""
    for fifo, capacity in enumerate(CAPACITIES):
        for i in range(S.fifo.count[thread, fifo]):
            yield int(S.fifo.word[thread, fifo, (S.fifo.head[thread, fifo] + i) % capacity])
    for i in range(S.stream.count[T0 + thread, streams.PUSH]):
        yield int(S.stream.data[T0 + thread, streams.PUSH, i, 0])


@contextmanager
def drained(machine: Machine, thread: int) -> Iterator[bool]:
    """Look at the tile as it will be; False if the thread has not come to its end by then, and the
    tile is as it is now."""
    S = machine.S
    if is_idle(S, thread):
        yield True
        return
    record = machine.record
    kept, stop = record.snapshot(), stop_rows(S)
    try:
        ended = _drain(machine, thread)
        if not ended:
            _put_back(machine, kept, stop)
        yield ended
    finally:
        _put_back(machine, kept, stop)


def _drain(machine: Machine, thread: int) -> bool:
    S = machine.S
    timed = RUN_TIMED_CHECKED if S.hold.on else RUN_TIMED
    entry = (RUN if S.schedule.kind == Schedule.SC else timed).name
    S.stop.kind = StopKind.NONE
    machine.freeze(range(HARTS))
    for _ in range(LONGEST):
        if is_idle(S, thread):
            return True
        S.tile.stalled_cycles = S.tile.idle_cycles = 0
        machine.engine.call(entry, 1)
        if S.stop.kind != StopKind.NONE:
            return False
    return False


def _put_back(machine: Machine, kept: bytearray, stop: KeptStop) -> None:
    S = machine.S
    machine.record.restore(kept)
    machine.memory.forget_all()
    S.polling.state = OFF
    for hart in range(HARTS):
        update_issuing(S, hart)
    put_stop_back(S, stop)
