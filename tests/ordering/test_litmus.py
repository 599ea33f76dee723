# SPDX-License-Identifier: Apache-2.0
"""Every litmus file: exhaustive gives exactly the allowed outcomes, the other schedules some."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tensix_gdb.core.litmus.check import Verdict, judge
from tensix_gdb.core.litmus.text import HANGS
from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.schedule import Schedule
from tests.ordering.litmus_files import FILES, FOLDER, TESTS, operations

SEEDS = range(1, 201)
FEW_SEEDS = range(1, 4)
FEW_STATES = 20  # that the reference engine looks at one by one
MANY = 10_000


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


@pytest.fixture(scope="module")
def verdicts(compiled: Tile) -> dict[str, Verdict]:
    """Return the compiled engine's verdicts on the tests; filled as they are run."""
    return {}


def verdict_of(name: str, tile: Tile, known: dict[str, Verdict]) -> Verdict:
    if name not in known:
        known[name] = judge(tile, TESTS[name], seeds=SEEDS)
    return known[name]


def test_there_are_files() -> None:
    assert len(FILES) > 5
    assert len({test.name for test in TESTS.values()}) == len(TESTS)


@pytest.mark.sample(4, "every litmus test")
@pytest.mark.parametrize("name", TESTS)
def test_the_rows_are_what_happens(compiled: Tile, verdicts: dict[str, Verdict], name: str) -> None:
    assert verdict_of(name, compiled, verdicts).problems == []


@pytest.mark.sample(6, "every litmus test")
@pytest.mark.parametrize("name", sorted(TESTS, key=lambda name: operations(TESTS[name])))
def test_the_reference_engine_agrees(
    compiled: Tile, reference: Tile, verdicts: dict[str, Verdict], name: str
) -> None:
    exploration = verdict_of(name, compiled, verdicts).exploration
    assert exploration is not None
    schedules = [Schedule.LATENCY, Schedule.RANDOM]
    if exploration.states <= FEW_STATES:
        schedules.append(Schedule.EXHAUSTIVE)
    assert judge(reference, TESTS[name], schedules, FEW_SEEDS).problems == []


@pytest.mark.sample(6, "every small litmus test")
@pytest.mark.parametrize("name", [name for name in TESTS if operations(TESTS[name]) <= 4])
def test_random_reaches_every_allowed_outcome(compiled: Tile, name: str) -> None:
    test = TESTS[name]
    for strict, wanted in ((False, set(test.kept)), (True, set(test.strict))):
        prepared = compiled.prepare(test, Schedule.RANDOM, strict=strict)
        for seed in range(1, MANY + 1):
            if not wanted:
                break
            wanted.discard(prepared.run(seed))
        assert not wanted


@pytest.mark.parametrize("name", [name for name in TESTS if TESTS[name].strict])
def test_strict_is_within_what_is_allowed(compiled: Tile, name: str) -> None:
    prepared = compiled.prepare(TESTS[name], Schedule.RANDOM, strict=True)
    assert {prepared.run(seed) for seed in SEEDS} <= set(TESTS[name].allowed)


def test_some_tests_hang_and_some_do_not() -> None:
    endings = {outcome.ending for test in TESTS.values() for outcome in test.allowed}
    assert {"", HANGS} <= endings


def test_what_the_guide_names_is_there() -> None:
    guide = (FOLDER.parents[1] / "core" / "memory" / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\d+ [^`]+)`", guide)
    assert len(named) > 20
    assert set(named) <= {test.name for test in TESTS.values()}
