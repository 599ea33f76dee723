# SPDX-License-Identifier: Apache-2.0
"""A machine on each engine."""

from collections.abc import Callable, Iterator

import pytest

from core.machine import Machine

Maker = Callable[[], Machine]


@pytest.fixture(params=["reference", "compiled"])
def new_machine(request: pytest.FixtureRequest) -> Iterator[Maker]:
    """Makes machines that run on the engine under test."""
    made: list[Machine] = []

    def make() -> Machine:
        made.append(Machine(engine=request.param))
        return made[-1]

    yield make
    for machine in made:
        machine.close()


@pytest.fixture
def machine(new_machine: Maker) -> Machine:
    """One machine that runs on the engine under test."""
    return new_machine()
