# SPDX-License-Identifier: Apache-2.0
"""Random litmus tests: no schedule does what no execution of `exhaustive` does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, reject, settings

from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import Litmus, LitmusError
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.schedule import Schedule
from tests.forms import rounds
from tests.ordering.random_litmus import keeps_stale_lines, litmus_tests

SEEDS = range(1, 101)
EXAMPLES = settings(
    max_examples=rounds(3, 4),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def compiled() -> Iterator[Tile]:
    tile = Tile("compiled")
    yield tile
    tile.close()


@pytest.fixture(scope="module")
def reference() -> Iterator[Tile]:
    tile = Tile("reference")
    yield tile
    tile.close()


@EXAMPLES
@given(test=litmus_tests())
def test_every_schedule_is_within_exhaustive(compiled: Tile, test: Litmus) -> None:
    try:
        possible = set(explore(compiled.prepare(test, Schedule.EXHAUSTIVE)).outcomes)
    except LitmusError as problem:
        if "more than" not in str(problem):
            raise
        reject()
    for schedule, seeds in (
        (Schedule.SC, (1,)),
        (Schedule.LATENCY, (1,)),
        (Schedule.RANDOM, SEEDS),
    ):
        if schedule is Schedule.SC and keeps_stale_lines(test):
            continue
        prepared = compiled.prepare(test, schedule)
        assert {prepared.run(seed) for seed in seeds} <= possible


@EXAMPLES
@given(test=litmus_tests())
def test_a_seed_names_an_execution(compiled: Tile, reference: Tile, test: Litmus) -> None:
    for seed in (1, 2, 99):
        hashes = set()
        for tile in (compiled, reference, compiled):
            tile.prepare(test, Schedule.RANDOM).run(seed)
            hashes.add(tile.machine.hash())
        assert len(hashes) == 1
