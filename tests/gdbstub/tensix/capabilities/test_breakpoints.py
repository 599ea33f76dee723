# SPDX-License-Identifier: Apache-2.0
"""Where watchpoints can be, and how much the coprocessor's changes are watched for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.target import TargetError, Watch
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
        (65, Watch.WRITE, 0),
        (1, Watch.READ, 0),
    ],
)
def test_what_the_coprocessor_is_watched_for(
    machine: Machine, words: int, kind: Watch, watched: int
) -> None:
    """Changes of up to 64 words; of a longer piece only what harts do."""
    points = HartBreakpoints(machine)
    points.add_watchpoint(B_THREAD, kind, L1, 4 * words)
    assert len(machine.gates.watches) == watched
    points.remove_watchpoint(B_THREAD, kind, L1, 4 * words)
    assert (len(machine.gates.watches), machine.S.debug.watches) == (0, 0)
