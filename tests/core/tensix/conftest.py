# SPDX-License-Identifier: Apache-2.0
"""Tests of the coprocessor run on every engine and in every schedule."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.machines import ENGINES, machine_on

RUNS = [(e, s) for e in ENGINES for s in (Schedule.SC, Schedule.LATENCY, Schedule.RANDOM)]


@pytest.fixture(params=RUNS, ids=lambda p: f"{p[0]}-{p[1].name.lower()}")
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A machine."""
    machine = machine_on(*request.param)
    yield machine
    machine.close()
