# SPDX-License-Identifier: Apache-2.0
"""Where watchpoints can be, and how much the coprocessor's changes are watched for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.devices.backend_config import CONFIG_BASE
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.protocol.target import TargetError, Watch
from tensix_gdb.gdbstub.tensix.capabilities.breakpoints import HartBreakpoints
from tests.machines import machine_on

B_THREAD, L1, LAST = 1, 0x10000, 0xFFFFFFFC


@pytest.fixture
def machine() -> Iterator[Machine]:
    made = machine_on("reference")
    yield made
    made.close()


def test_a_watchpoint_may_end_where_the_address_space_ends(machine: Machine) -> None:
    points = HartBreakpoints(machine)
    points.add_watchpoint(B_THREAD, Watch.WRITE, LAST, 4)
    assert machine.S.debug.watches == 1
    with pytest.raises(TargetError, match="the address space ends before it"):
        points.add_watchpoint(B_THREAD, Watch.WRITE, LAST, 5)


@pytest.mark.parametrize(
    ("words", "kind", "watched"),
    [
        (1, Watch.WRITE, 1),
        (64, Watch.ACCESS, 1),
        (0x10000, Watch.WRITE, 1),
        (1, Watch.READ, 1),
    ],
)
def test_what_the_coprocessor_is_watched_for(
    machine: Machine, words: int, kind: Watch, watched: int
) -> None:
    """The coprocessor's accesses to L1, of any length, are watched."""
    points = HartBreakpoints(machine)
    points.add_watchpoint(B_THREAD, kind, L1, 4 * words)
    assert len(machine.gates.watches) == watched
    points.remove_watchpoint(B_THREAD, kind, L1, 4 * words)
    assert (len(machine.gates.watches), machine.S.debug.watches) == (0, 0)


def test_registers_that_are_too_many_are_refused(machine: Machine) -> None:
    points = HartBreakpoints(machine)
    points.add_watchpoint(B_THREAD, Watch.WRITE, CONFIG_BASE, 4 * 64)
    points.remove_watchpoint(B_THREAD, Watch.WRITE, CONFIG_BASE, 4 * 64)
    with pytest.raises(TargetError, match="no more than 64 registers can be watched"):
        points.add_watchpoint(B_THREAD, Watch.WRITE, CONFIG_BASE, 4 * 65)
    assert (len(machine.gates.watches), machine.S.debug.watches) == (0, 0), "nothing is left of it"


@pytest.mark.parametrize("kind", list(Watch))
def test_each_kind_is_taken_away_alone(machine: Machine, kind: Watch) -> None:
    points = HartBreakpoints(machine)
    for one in Watch:
        points.add_watchpoint(B_THREAD, one, L1, 2048)
    points.remove_watchpoint(B_THREAD, kind, L1, 2048)
    assert machine.S.l1_watch.ranges == len(Watch) - 1
    for one in set(Watch) - {kind}:
        points.remove_watchpoint(B_THREAD, one, L1, 2048)
    assert machine.S.l1_watch.ranges == 0
    assert machine.memory.watched is None
