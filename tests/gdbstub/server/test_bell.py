# SPDX-License-Identifier: Apache-2.0
"""A run that ends early when somebody speaks is the same run."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.machine import Machine
from tensix_gdb.gdbstub.target import Action, Do
from tensix_gdb.gdbstub.tensix.capabilities import interruptible as pieces
from tensix_gdb.gdbstub.tensix.target import tensix_target
from tests.gdbstub.tiles import loaded
from tests.machines import machine_on

ENGINES = ("reference", "compiled")


def ringing(times: list[int]) -> bool:
    """At the third look."""
    times.append(1)
    return len(times) >= 3


@pytest.mark.parametrize("engine", ENGINES)
def test_it_comes_back_at_the_end_of_a_piece(engine: str) -> None:
    machine = loaded(machine_on(engine))
    looks: list[int] = []
    assert pieces.run(machine, 1000, lambda: ringing(looks), 10) is None
    assert machine.S.tile.cycle == 30
    machine.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_whoever_rings_the_record_is_the_same(engine: str) -> None:
    alone = loaded(machine_on(engine))
    alone.run(700)
    machine = loaded(machine_on(engine))
    looks: list[int] = []
    while machine.S.tile.cycle < 700:
        looks.clear()
        pieces.run(machine, 700 - machine.S.tile.cycle, lambda: ringing(looks), 7)
    assert machine.hash() == alone.hash()
    for one in (alone, machine):
        one.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_stop_in_a_piece_is_not_lost(engine: str) -> None:
    machine = loaded(machine_on(engine))
    machine.step(B)
    stop = pieces.run(machine, 1000, lambda: False, 1)
    assert stop is not None
    assert stop.hart == B
    machine.close()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_engine_is_the_machines_own_again(engine: str) -> None:
    machine: Machine = loaded(machine_on(engine))
    before = machine.engine
    execution = tensix_target(machine).execution
    execution.resume({1: Action(Do.CONTINUE)})
    assert execution.advance(0.001, lambda: True) is None
    assert machine.engine is before
    machine.close()
