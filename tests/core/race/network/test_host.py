# SPDX-License-Identifier: Apache-2.0
"""The host that drives a tile: its accesses, and the words with which both sides wait."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.arch.blackhole import L1_BYTES, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.race.findings import Report
from tensix_gdb.core.schedule import Schedule
from tests.assembler import SPIN, image
from tests.core.chip.programs import DATA, RESULT, SEMAPHORE, copy_word, store, wait_for

GO, DONE = SEMAPHORE, SEMAPHORE + 4
SOME, ENOUGH = 300, 2000


def tile_with(words: Sequence[int]) -> Machine:
    machine = Machine(schedule=Schedule.LATENCY)
    machine.load(B, image([*words, SPIN], 0))
    machine.observe_races(checks=())
    return machine


def write(machine: Machine, addr: int, data: bytes) -> None:
    """As the simulator does it."""
    machine.note_host(addr, len(data), writes=True)
    machine.poke(B, addr, data)


def races(machine: Machine) -> tuple[Report, ...]:
    machine.run(ENOUGH)
    found = machine.races().reports
    machine.close()
    return found


@pytest.mark.parametrize("waits", [False, True])
def test_arguments_and_a_go_word(waits: bool) -> None:
    machine = tile_with([*(wait_for(GO, 1) if waits else ()), *copy_word(DATA, RESULT)])
    machine.run(SOME)
    write(machine, DATA, bytes(64))
    write(machine, GO, b"\1\0\0\0")
    reports = races(machine)
    assert bool(reports) is not waits
    for report in reports:
        assert (report.earlier.agent, report.later.agent) == ("B", "host")
        assert (report.later.outside, report.later.instruction) == ("the host", "a write")
        assert report.fix is not None


def test_what_the_host_has_written_before_a_core_leaves_reset() -> None:
    machine = tile_with(copy_word(DATA, RESULT))
    held = machine.S.hart.in_reset[B]
    machine.S.hart.in_reset[B] = 1
    write(machine, DATA, bytes(64))
    machine.S.hart.in_reset[B] = held
    assert races(machine) == ()


@pytest.mark.parametrize("waits", [False, True])
def test_results_and_a_done_word(waits: bool) -> None:
    machine = tile_with([*store(RESULT, 5), *store(DONE, 1)])
    machine.run(SOME)
    if waits:
        machine.note_host(DONE, 4, writes=False)
    machine.note_host(RESULT, 16, writes=False)
    reports = races(machine)
    assert bool(reports) is not waits
    for report in reports:
        assert (report.earlier.agent, report.later.agent) == ("B", "host")
        assert report.words == "write, then read"


def test_registers_and_the_end_of_l1_are_no_access() -> None:
    machine = tile_with([])
    write(machine, L1_BYTES - 2, b"\1\2")
    machine.note_host(0xFFB121B0, 4, writes=True)
    machine.note_host(L1_BYTES - 2, 4, writes=False)
    assert races(machine) == ()


def test_a_host_that_nothing_observes() -> None:
    machine = Machine(schedule=Schedule.LATENCY)
    machine.note_host(DATA, 16, writes=True)
    assert machine.S.race.host_made == 0
    machine.close()
