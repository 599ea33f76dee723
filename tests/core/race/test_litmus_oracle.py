# SPDX-License-Identifier: Apache-2.0
"""Litmus as the oracle: one observed run reports a race where exhaustive search finds several
outcomes, and nowhere else (tests/ordering proves that the rows are complete)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Verdict
from tensix_gdb.core.schedule import Schedule
from tests.core.race.exceptions import EXCEPTIONS
from tests.core.race.observed import observe, races
from tests.machines import observed_tile
from tests.ordering.litmus_files import TESTS


@pytest.fixture(scope="module")
def compiled() -> Iterator[Tile]:
    tile = observed_tile()
    yield tile
    tile.close()


@pytest.fixture(scope="module")
def reference() -> Iterator[Tile]:
    tile = observed_tile("reference")
    yield tile
    tile.close()


@pytest.mark.sample(6, "every litmus test")
@pytest.mark.parametrize("name", TESTS)
def test_a_race_is_more_than_one_outcome(compiled: Tile, name: str) -> None:
    test = TESTS[name]
    findings, _ = observe(compiled, test)
    assert findings.lost == 0
    found = races(findings)
    assert all(report.verdict is not Verdict.PROMISED for report in found)
    agrees = bool(found) is (len(test.kept) > 1)
    assert agrees is (test.name not in EXCEPTIONS), [
        (report.earlier.agent, report.later.agent, report.place.name) for report in found
    ]


def test_every_exception_is_a_test() -> None:
    assert set(EXCEPTIONS) <= {test.name for test in TESTS.values()}


@pytest.mark.sample(6, "every litmus test")
@pytest.mark.parametrize("name", TESTS)
def test_both_engines_find_the_same(compiled: Tile, reference: Tile, name: str) -> None:
    assert observe(reference, TESTS[name]) == observe(compiled, TESTS[name])
    for slot in compiled.machine.record.layout.slots.values():
        if slot.part == "race":
            mine, other = compiled.machine.record, reference.machine.record
            assert bytes(mine.row(slot)) == bytes(other.row(slot)), slot.path


@pytest.mark.parametrize(
    "name", [name for name in TESTS if "change of" in name and name.startswith("083")]
)
def test_what_a_unit_samples_late_is_not_called_a_race(compiled: Tile, name: str) -> None:
    findings, _ = observe(compiled, TESTS[name])
    sampling = findings.count(Verdict.SAMPLING)
    assert (sampling, findings.count(Verdict.RACE)) == (int(len(TESTS[name].kept) > 1), 0)


@pytest.mark.parametrize("name", [name for name, test in TESTS.items() if test.strict])
def test_what_a_promise_orders_is_counted(compiled: Tile, name: str) -> None:
    findings, _ = observe(compiled, TESTS[name])
    assert not races(findings)
    relied = {count.promise.name for count in findings.relied}
    assert relied
    if TESTS[name].name[:2] in ("P1", "P2", "P3"):
        assert relied == {TESTS[name].name.split()[0]}
    strict, _ = observe(compiled, TESTS[name], strict=True)
    assert strict.relied == findings.relied
    assert strict.count(Verdict.PROMISED) > 0
    assert all(report.verdict is not Verdict.RACE for report in races(strict))


@pytest.mark.sample(6, "every litmus test")
@pytest.mark.parametrize("name", TESTS)
def test_an_observed_run_is_the_same_run(compiled: Tile, name: str) -> None:
    test = TESTS[name]
    _, outcome = observe(compiled, test)
    record = compiled.machine.record
    observed = record.hash()
    prepared = compiled.prepare(test, Schedule.LATENCY)
    assert prepared.run() == outcome
    assert record.hash() == observed
