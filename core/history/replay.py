# SPDX-License-Identifier: Apache-2.0
"""Run a tile again through what is recorded: to a cycle, by an instruction.

The tracer of the tile has seen it already; that of a copy (copy.py) wants to see it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tensix_gdb.core.arch.blackhole import NC, B
from tensix_gdb.core.history.checkpoints import (
    freeze,
    frozen_now,
    pauses_stepped_over,
    position,
    step_over_pauses,
)
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.run import RunLimits
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind

SLICE_CYCLES = 1 << 22  # of a replay, after which others get their turn
CAREFUL = 4  # instructions before the wanted one, from which on a hart goes step by step
# Cycles of one call of compiled code, in which Python handles no signal: a part of a second.
SIGNALS_WAIT = 1 << 18
AT_ONCE = 4  # .ttinsn are one store, at most; every other instruction has a cycle of its own
ARMED_BY_CLIENTS = (StopKind.BREAK, StopKind.WATCH, StopKind.STEP)
# After these the tile continues, and does not stop there again; two harts may pause in one cycle.
PASSED = (*ARMED_BY_CLIENTS, StopKind.EBREAK, StopKind.ECALL)


def run_again(
    machine: Machine,
    cycles: int,
    *,
    armed: bool = True,
    traced: bool = False,
    in_words: bool = True,
) -> Stop | None:
    """Run without the tracer, unless it is wanted; with `armed` False, whatever is armed."""
    limits = RunLimits(cycles, armed=armed, traced=traced, in_words=in_words)
    return machine.run_within(limits).stop


def run_to_cycle(machine: Machine, cycle: int, *, traced: bool = False) -> None:
    """Run to the start of a cycle, whatever is armed."""
    while machine.S.tile.cycle < cycle:
        was = position(machine)
        left = min(cycle - machine.S.tile.cycle, SIGNALS_WAIT)
        stop = run_again(machine, left, armed=False, traced=traced, in_words=False)
        if stop is not None:
            step_over(machine, stop)
            if stop.kind not in PASSED and position(machine) == was:
                break


def step_over(machine: Machine, stop: Stop) -> None:
    """Let a hart step over the breakpoint or access that it has stopped for."""
    if stop.kind in (StopKind.BREAK, StopKind.WATCH) and stop.thread is None and not stop.is_over:
        kept = pauses_stepped_over(machine)
        machine.resume_from(stop.hart)
        step_over_pauses(machine, kept)


def execute_one(machine: Machine, hart: int, tensix: int | None = None) -> bool:
    """Let the hart or Tensix thread execute one instruction, and the others what they do
    meanwhile. False when it cannot."""
    frozen = frozen_now(machine)
    counts = machine.S.hart.retired if tensix is None else machine.S.passed.count
    index = hart if tensix is None else tensix
    before = counts[index]
    if tensix is None:
        machine.step(hart)
    else:
        machine.gates.step(tensix, 0, 0)
    while counts[index] == before:
        was = position(machine)
        stop = run_again(machine, SLICE_CYCLES, in_words=False)
        if stop is not None:
            step_over(machine, stop)
            if stop.kind not in ARMED_BY_CLIENTS and position(machine) == was:
                break
    kept = pauses_stepped_over(machine)
    machine.disarm()
    # To disarm releases what the history holds, and forgets which harts step over their ebreak.
    step_over_pauses(machine, kept)
    freeze(machine, frozen)
    return bool(counts[index] != before)


def most_at_once(machine: Machine, hart: int, tensix: int | None) -> int:
    """Return the most instructions of the hart or Tensix thread that one cycle can execute."""
    in_order = machine.S.schedule.kind == Schedule.SC
    if tensix is not None:
        return 8 * CAREFUL if in_order else 1
    return 1 if in_order or hart in (B, NC) else AT_ONCE


@contextmanager
def nothing_counted(machine: Machine) -> Iterator[None]:
    """Meanwhile no hit of a breakpoint is counted or ignored: what is gone through again has been
    counted, and a search that counts would not find the same stops twice."""
    S = machine.S
    counters = S.condition.ignored_left.raw, S.gate_stop.ignored.raw, S.gate_stop.hits.raw
    rows = [memoryview(counter).cast("B") for counter in counters]
    kept = [bytes(row) for row in rows]
    for row in rows:
        row[:] = bytes(len(row))
    try:
        yield
    finally:
        for row, old in zip(rows, kept, strict=True):
            row[:] = old


@contextmanager
def steps_kept(machines: Sequence[Machine]) -> Iterator[None]:
    """Meanwhile states are restored, and the steps that are armed stay so."""
    parts = [machine.S.debug for machine in machines]
    rows = [row.raw for debug in parts for row in (debug.stepping, debug.step_lo, debug.step_hi)]
    armed = [bytes(row) for row in rows]
    yield
    for row, kept in zip(rows, armed, strict=True):
        memoryview(row).cast("B")[:] = kept
