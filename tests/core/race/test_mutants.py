# SPDX-License-Identifier: Apache-2.0
"""Litmus tests with one wait removed: a race is reported if that allows more outcomes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import Litmus
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.schedule import Schedule
from tests.core.race.exceptions import EXCEPTIONS, MUTANTS
from tests.core.race.observed import observe, races
from tests.machines import observed_tile
from tests.ordering.litmus_files import TESTS

# Its polls multiply the states: six mutants took as long as the other 150 together.
MANY_STATES = "090-poll-of-several-values"
WAIT = re.compile(r"STALLWAIT|SEMWAIT|FLUSHDMA|ATGETM|TTSYNC|MOPSYNC|NOP|^(use|fence|nop|amo)\b")


def without(test: Litmus, hart: int, number: int) -> Litmus:
    """The test without one statement of a hart."""
    left = [each for i, each in enumerate(test.programs[hart]) if i != number]
    return replace(test, programs={**test.programs, hart: left})


def mutants() -> dict[str, Litmus]:
    """Of each test that forbids something, those without one of its waits."""
    return {
        f"{test.name} - {statement.text}": without(test, hart, number)
        for name, test in TESTS.items()
        if test.forbidden and test.name not in EXCEPTIONS and not name.startswith(MANY_STATES)
        for hart, statements in test.programs.items()
        for number, statement in enumerate(statements)
        if WAIT.search(statement.text) and not statement.labels
    }


CASES = mutants()


@pytest.fixture(scope="module")
def tiles() -> Iterator[tuple[Tile, Tile]]:
    plain, observed = Tile("compiled"), observed_tile()
    yield plain, observed
    plain.close()
    observed.close()


@pytest.mark.sample(8, "a random wait less in each litmus test")
@pytest.mark.parametrize("name", CASES)
def test_a_wait_that_is_missing(tiles: tuple[Tile, Tile], name: str) -> None:
    plain, observed = tiles
    outcomes = explore(plain.prepare(CASES[name], Schedule.EXHAUSTIVE)).outcomes
    findings, _ = observe(observed, CASES[name])
    agrees = bool(races(findings)) is (len(outcomes) > 1)
    assert agrees is (name not in MUTANTS), outcomes


def test_there_are_mutants_with_a_race() -> None:
    assert len(CASES) > 100
    assert set(MUTANTS) <= set(CASES)
