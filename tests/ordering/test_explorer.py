# SPDX-License-Identifier: Apache-2.0
"""The explorer, held against one that keeps whole records and knows nothing of pieces."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.litmus import cycles
from tensix_gdb.core.litmus.explore import explore
from tensix_gdb.core.litmus.text import HANGS, Outcome, parse
from tensix_gdb.core.litmus.tile import Prepared, Tile
from tensix_gdb.core.litmus.timeline import Timeline
from tensix_gdb.core.record.layout import Mark, Tag
from tensix_gdb.core.riscv.pipeline.pipeline import NEVER
from tensix_gdb.core.schedule import Schedule
from tests.ordering.litmus_files import TESTS

SMALL = (
    "001-own-stores: 1 own stores merge",
    "004-mailbox-from-the-future: 5 mailbox read from the future over seven nops",
    "011-store-buffering: 11 store buffering with fences",
    "012-message-passing: 12 message passing with a warm line",
    "014-gpr-before-push: 15 STALLWAIT C10 between",
    "027-mop: 31 MOP configuration after a MOP",
    "039-scalar-unit: 39 a load by the Scalar Unit and its consumer",
    "042-configuration-unit: 44 STREAMWRCFG overtaken",
    "058-auto-ttsync: 64 Auto TTSync: a store and a MOP declared to touch nothing",
)


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    tile = Tile("compiled")
    yield tile
    tile.close()


def normal(prepared: Prepared) -> bytearray:
    """The state of the record, without when it was reached."""
    record = prepared.record
    now = record.S.tile.cycle
    for slot in record.layout.storage(Tag.MONOTONE):
        record.row(slot)[:] = bytes(slot.field.size)
    for slot in record.layout.storage(Tag.TIMING):
        if slot.is_marked(Mark.FOR_PEOPLE):
            record.row(slot)[:] = bytes(slot.field.size)
        elif slot.field.kind == "i64":
            due = record.row(slot).cast("q")
            for i, value in enumerate(due):
                if value and value < NEVER:
                    due[i] = max(value - now + 1, 0)
    record.S.tile.cycle = 1
    return record.snapshot()


def tapes(prepared: Prepared, state: bytearray) -> Iterator[int]:
    """Run a cycle from `state` with every tape; what each call has returned."""
    schedule = prepared.S.schedule
    pending: list[tuple[int, ...]] = [()]
    while pending:
        tape = pending.pop()
        prepared.record.restore(state)
        for i, answer in enumerate(tape):
            schedule.tape[i] = answer
        code = prepared.machine.engine.call("one_cycle")
        # Every later choice was answered by 0: its other answers are tapes of their own.
        for at in range(len(tape), schedule.asked):
            before = tape + (0,) * (at - len(tape))
            pending += [(*before, answer) for answer in range(1, schedule.limit[at])]
        yield code


def whole_records(prepared: Prepared) -> set[Outcome]:
    """All outcomes, by keeping every state as it is."""
    prepared.record.restore(prepared.start)
    first = normal(prepared)
    after: dict[bytes, set[bytes]] = {}
    ending: set[bytes] = set()
    outcomes: set[Outcome] = set()
    left = [first]
    while left:
        state = left.pop()
        key = bytes(state)
        if key in after:
            continue
        after[key] = set()
        for code in tapes(prepared, state):
            if code == cycles.UNFINISHED:
                reached = normal(prepared)
                after[key].add(bytes(reached))
                left.append(reached)
            else:
                outcomes.add(prepared.outcome(code))
                ending.add(key)
    grown = True
    while grown:
        more = {key for key, reached in after.items() if reached & ending} - ending
        ending |= more
        grown = bool(more)
    for key in after.keys() - ending:
        if after[key] == {key}:
            prepared.record.restore(bytearray(key))
            outcomes.add(prepared.outcome(cycles.UNFINISHED))
    return outcomes


@pytest.mark.parametrize("name", SMALL)
def test_pieces_of_states_are_as_good_as_whole_records(tile: Tile, name: str) -> None:
    found = explore(tile.prepare(TESTS[name], Schedule.EXHAUSTIVE))
    assert set(found.outcomes) == whole_records(tile.prepare(TESTS[name], Schedule.EXHAUSTIVE))


@pytest.mark.parametrize("name", SMALL)
def test_the_tapes_of_an_outcome_lead_to_it(tile: Tile, name: str) -> None:
    prepared = tile.prepare(TESTS[name], Schedule.EXHAUSTIVE)
    found = explore(prepared)
    timeline = Timeline(prepared)
    for outcome in found.outcomes:
        assert list(timeline.of_tapes(found.tapes(outcome)))
        assert timeline.outcome() == outcome


@pytest.mark.parametrize("name", SMALL)
def test_a_search_for_two_outcomes_finds_two_or_all(tile: Tile, name: str) -> None:
    prepared = tile.prepare(TESTS[name], Schedule.EXHAUSTIVE)
    every = set(explore(prepared).outcomes)
    two = explore(prepared, enough=2)
    assert set(two.outcomes) <= every
    assert len(two.outcomes) >= min(2, len(every))


def test_one_exploration_leaves_nothing_for_the_next(tile: Tile) -> None:
    names = (SMALL[2], SMALL[4], SMALL[2])
    runs = [explore(tile.prepare(TESTS[name], Schedule.EXHAUSTIVE)) for name in names]
    assert (runs[0].states, runs[0].outcomes) == (runs[2].states, runs[2].outcomes)


def test_a_hart_that_polls_in_vain_hangs(tile: Tile) -> None:
    source = "litmus a\nT0\nwait: lw a0, X\nbeqz a0, wait\nfinal T0:a0\nallowed hangs\n"
    (test,) = parse(source)
    found = explore(tile.prepare(test, Schedule.EXHAUSTIVE))
    assert list(found.outcomes) == [Outcome(HANGS, ())]
