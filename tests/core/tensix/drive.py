# SPDX-License-Identifier: Apache-2.0
"""Run Tensix programs: to their end, to a fault, for some cycles, or cycle by cycle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, image
from tests.core.tensix.programs import push_all

WORST = 20000  # cycles


def start(machine: Machine, *texts: str | int, thread: int = 0) -> None:
    """Load a program that pushes Tensix instructions in one thread, and ends."""
    machine.load(T0 + thread, image([*push_all(texts), EBREAK], 0x2000 * (thread + 1)))


def run(machine: Machine, programs: Mapping[int, Sequence[int]]) -> Stop | None:
    """Run one program on each hart to their ends and let the coprocessor finish; the last stop.

    None if it does not end: within WORST cycles, or because nothing can move any more.
    """
    machine.images.clear()
    for hart, program in programs.items():
        machine.load(hart, image([*program, EBREAK], 0x1000 * (hart + 1)))
    while True:
        stop = machine.run(WORST)
        if stop is None or stop.kind is StopKind.STANDSTILL:
            return None
        if stop.kind not in (StopKind.EBREAK, StopKind.ALL_PAUSED):
            return stop
        if stop.kind is StopKind.ALL_PAUSED:
            return stop if not machine.record.S.tensix.active else None


def run_thread(machine: Machine, texts: Sequence[str | int], thread: int = 0) -> Stop | None:
    """Run Tensix instructions in one thread."""
    return run(machine, {T0 + thread: push_all(texts)})


def ends(machine: Machine, *texts: str | int, thread: int = 0) -> int:
    """Run instructions of one thread, all of which finish; the cycles that it took."""
    first = int(machine.record.S.tile.cycle)
    stop = run_thread(machine, texts, thread)
    assert stop is not None, "an instruction waits for ever"
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    return int(machine.record.S.tile.cycle) - first


def refused(machine: Machine, *texts: str | int, thread: int = 0) -> Stop:
    """Run instructions of which one is a fault; that stop."""
    stop = run_thread(machine, texts, thread)
    assert stop is not None, "an instruction waits for ever"
    assert stop.kind is StopKind.FAULT, stop.text
    return stop


def advance(machine: Machine, cycles: int) -> None:
    """Run for some cycles, through the ends of programs; less if nothing is left to run."""
    end = int(machine.record.S.tile.cycle) + cycles
    while (now := int(machine.record.S.tile.cycle)) < end:
        machine.run(end - now)
        if machine.record.S.tile.cycle == now:
            return


def every_cycle(machine: Machine) -> Iterator[None]:
    """Run what is loaded to its end, and give the caller a turn after each cycle."""
    for _ in range(WORST):
        stop = machine.run(1)
        if stop is not None and stop.kind is StopKind.ALL_PAUSED:
            return
        assert stop is None or stop.kind is StopKind.EBREAK, stop.text
        yield
    raise AssertionError(f"it has not ended after {WORST} cycles")


def fill_sources(S: Any, value: int = 0x1234) -> None:
    """Put `value` everywhere into SrcA and SrcB."""
    for bank in range(2):
        for row in range(64):
            for column in range(16):
                S.src.a[bank, row, column] = S.src.b[bank, row, column] = value
