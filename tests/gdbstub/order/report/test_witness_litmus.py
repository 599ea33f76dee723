# SPDX-License-Identifier: Apache-2.0
"""Witnesses of litmus tests: an execution with one access held is one of those that exhaustive
search finds, and where it finds several, no report is withdrawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tensix_gdb.core.litmus.tile import BUDGET, Prepared, Tile
from tensix_gdb.core.ordering import holds
from tensix_gdb.core.race import passed
from tensix_gdb.core.race.findings import Findings
from tensix_gdb.core.race.observer import Observer
from tensix_gdb.core.schedule import DEFAULT_SEED, Schedule, seed_state
from tensix_gdb.gdbstub.order.report.located import located
from tensix_gdb.gdbstub.order.report.witness import Outcome, Witness, run_to_cycle, witness
from tests.machines import observed_tile
from tests.ordering.litmus_files import TESTS

REPORTED = [name for name, test in TESTS.items() if len(test.kept) > 1]
MOST = 4  # reports of a test
CYCLES = 60  # in which requests of all harts meet


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    tile = observed_tile()
    yield tile
    tile.close()


def observed(tile: Tile, name: str) -> tuple[Prepared, Findings]:
    prepared = tile.prepare(TESTS[name], Schedule.LATENCY)
    prepared.record.restore(prepared.start)
    observer = Observer(prepared.record, local=True)
    tile.machine.engine.call("to_end", seed_state(DEFAULT_SEED), BUDGET)
    observer.stop()
    return prepared, observer.findings()


def witnesses(tile: Tile, name: str) -> Iterator[tuple[Prepared, Witness]]:
    prepared, findings = observed(tile, name)

    def to_cycle(cycle: int) -> bool:
        tile.machine.restore(prepared.start)
        tile.S.tensix.active = 1
        run_to_cycle(tile.machine, cycle)
        return bool(tile.S.tile.cycle == cycle)

    for one in located(findings, tile.machine.places)[:MOST]:
        yield prepared, witness(tile.machine, one, to_cycle)


@pytest.mark.sample(4, "every litmus test with a report")
@pytest.mark.parametrize("name", REPORTED)
def test_a_witness_is_an_execution_that_is_allowed(tile: Tile, name: str) -> None:
    for prepared, one in witnesses(tile, name):
        assert one.outcome is not Outcome.IMPOSSIBLE, one.reason
        if one.outcome is Outcome.POSSIBLE:
            assert tile.S.hold.on
            assert one.first < one.last == tile.S.tile.cycle
            ending = tile.machine.engine.call("to_end", seed_state(DEFAULT_SEED), BUDGET)
            assert not tile.S.hold.on
            assert prepared.outcome(ending) in TESTS[name].kept


def test_a_line_of_the_l0_data_cache_may_be_older(tile: Tile) -> None:
    """The last load needs the message and so the store, but what it reads may be from before."""
    (name,) = (
        name for name in REPORTED if name.endswith(": 10 signal by mailbox and a stale line")
    )
    first, last = (one for _, one in witnesses(tile, name))
    assert first.outcome is Outcome.POSSIBLE
    assert last.outcome is Outcome.SEEN
    assert "lw was answered by the L0 data cache" in last.reason


@pytest.mark.sample(4, "every litmus test with a report")
@pytest.mark.parametrize("name", REPORTED)
def test_to_count_what_is_awaited_changes_nothing(tile: Tile, name: str) -> None:
    prepared = tile.prepare(TESTS[name], Schedule.LATENCY)
    ends = []
    for counting in (False, True):
        tile.machine.restore(prepared.start)
        tile.S.tensix.active = 1
        if counting:
            tile.S.hold.at = holds.NOWHERE
            holds.begin_hold(tile.S, 1)
        run_to_cycle(tile.machine, CYCLES)
        holds.begin_hold(tile.S, 1)
        holds.end(tile.S)
        ends.append(tile.machine.hash())
    assert ends[0] == ends[1]


def test_the_machine_or_the_run_itself_answers_nearly_all(tile: Tile) -> None:
    counts = Counter(one.outcome for name in REPORTED for _, one in witnesses(tile, name))
    assert counts[Outcome.POSSIBLE] > 140
    assert counts[Outcome.SEEN] >= 8
    assert counts[Outcome.UNKNOWN] <= 20  # one of them: what the L0 data cache answers


@pytest.mark.sample(3, "every litmus test of two files")
@pytest.mark.parametrize("name", [name for name in REPORTED if name.startswith(("023", "049"))])
def test_both_engines_hold_alike(tile: Tile, name: str) -> None:
    other = observed_tile("reference")
    pairs = zip(witnesses(tile, name), witnesses(other, name), strict=True)
    for (_, mine), (_, theirs) in pairs:
        assert replace(mine, located=theirs.located) == theirs
        assert tile.machine.record.diff(other.machine.record) == []
    other.close()


def test_a_report_about_what_the_model_orders_is_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """STALLWAIT C10 holds the reader, but this observer does not know it."""
    monkeypatch.setattr(passed, "own_requests", lambda *_: 0)
    name = next(name for name in TESTS if name.endswith(": 15 STALLWAIT C10 between"))
    tile = observed_tile("reference")
    ((_, one),) = witnesses(tile, name)
    tile.close()
    assert one.outcome is Outcome.IMPOSSIBLE
    assert one.reason == (
        "while the sw is held nothing can move any more, so ADDDMAREG never comes first: something "
        "orders the two that the observer does not know"
    )
