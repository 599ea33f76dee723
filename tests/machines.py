# SPDX-License-Identifier: Apache-2.0
"""A machine on each engine, the compiled one also in the build that traps overflow.

The fixtures are known everywhere through tests/conftest.py.
"""

from collections.abc import Callable, Iterator

import pytest

from core.engine import open_engine
from core.entries import ENTRIES
from core.machine import Machine
from core.schedule import DEFAULT_SEED, Schedule

ENGINES = ("reference", "compiled", "checked")
Maker = Callable[[], Machine]


def machine_on(engine: str, schedule: Schedule = Schedule.SC, seed: int = DEFAULT_SEED) -> Machine:
    """A fresh machine on one of ENGINES."""
    if engine != "checked":
        return Machine(engine=engine, schedule=schedule, seed=seed)
    machine = Machine(engine="reference", schedule=schedule, seed=seed)
    machine.engine = open_engine("compiled", ENTRIES, machine.record, checked=True)
    return machine


@pytest.fixture(params=ENGINES)
def new_machine(request: pytest.FixtureRequest) -> Iterator[Maker]:
    """Makes machines that run on the engine under test."""
    made: list[Machine] = []

    def make() -> Machine:
        made.append(machine_on(request.param))
        return made[-1]

    yield make
    for machine in made:
        machine.close()


@pytest.fixture
def machine(new_machine: Maker) -> Machine:
    """One machine that runs on the engine under test."""
    return new_machine()


SCHEDULES = (Schedule.SC, Schedule.LATENCY)


@pytest.fixture(params=[(e, s) for e in ENGINES[:2] for s in SCHEDULES], ids=str)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A machine on each engine, with requests that take no time and with requests that do."""
    engine, schedule = request.param
    machine = machine_on(engine, schedule)
    yield machine
    machine.close()
