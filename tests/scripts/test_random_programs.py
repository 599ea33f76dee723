# SPDX-License-Identifier: Apache-2.0
"""scripts/random_programs: a seed gives one program, which leaves one state in every schedule."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from scripts.random_programs.__main__ import line
from scripts.random_programs.draw import KINDS, Program
from scripts.random_programs.run import WAIT, Result, case, pushed, run
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.machines import machine_on

SEEDS = range(30)
# SFPMAD.md lists readers that the hardware does not hold back, and no page says which of two
# writes in one cycle stays. Both stop, where instructions take time.
ONLY_IN_TIME = {"VECTOR_HAZARD", "VECTOR_WRITES"}


@pytest.fixture(scope="module")
def machines() -> Iterator[dict[Schedule, Machine]]:
    made = {
        schedule: machine_on("compiled", schedule)
        for schedule in (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)
    }
    yield made
    for machine in made.values():
        machine.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_schedule_leaves_the_same_state(machines: dict[Schedule, Machine], seed: int) -> None:
    found = case(machines[Schedule.SC], seed)
    for schedule in (Schedule.LATENCY, Schedule.RANDOM):
        late = run(machines[schedule], found.before, found.program)
        assert late == Result(found.after) or late.stopped in ONLY_IN_TIME, schedule


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_one_line(machines: dict[Schedule, Machine], kind: str) -> None:
    text = line(7, case(machines[Schedule.SC], 7, kind))
    assert text == line(7, case(machines[Schedule.SC], 7, kind))
    written = json.loads(text)
    assert written["kind"] == kind
    assert all(parse(shown) == word for _, word, shown in written["program"])
    assert written["after"].keys() <= written["before"].keys()


def test_an_instruction_that_stops_is_left_out(machines: dict[Schedule, Machine]) -> None:
    """Of many seeds some have one, and the program runs without it."""
    found = [case(machines[Schedule.SC], seed, "scalar") for seed in SEEDS[:12]]
    left_out = [why for one in found for _, why in one.left_out]
    assert "TENSIX_MODE" in left_out
    assert all(one.after for one in found)


def test_a_wait_stands_where_order_is_not_certain() -> None:
    nop, add, scalar = (parse(text) for text in ("SFPNOP", "SFPADD va=L10", "DMANOP"))
    assert pushed([nop, add, scalar, scalar]) == [nop, add, WAIT, scalar, WAIT, scalar]


def test_threads_take_turns() -> None:
    drawn = Program("all", ((0, 1), (0, 2), (2, 3), (0, 4)))
    assert list(drawn.segments()) == [(0, [1, 2]), (2, [3]), (0, [4])]
    assert drawn.without(2).words == ((0, 1), (0, 2), (0, 4))
