# SPDX-License-Identifier: Apache-2.0
"""One past for a tile, in every schedule and on both engines, and for a chip: to cycles, to stops,
by an instruction, and forward again through what a client has changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import B
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tests.core.history.subjects import Subject, subject_of

SLICES = 12
TILES = [("tile", e, Schedule(s)) for e in ("reference", "compiled") for s in (0, 1, 2)]
CHIPS = [("chip", "compiled", schedule) for schedule in (Schedule.LATENCY, Schedule.RANDOM)]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Machine(engine="compiled").engine


@pytest.fixture(params=TILES + CHIPS, ids=lambda p: f"{p[0]}-{p[1]}-{p[2].name}")
def subject(request: pytest.FixtureRequest, engine: Engine) -> Iterator[Subject]:
    kind, on, schedule = request.param
    with subject_of(kind, engine if kind == "chip" else on, schedule) as made:
        yield made


def test_a_cycle_is_reached_again_and_forward_it_is_the_same(subject: Subject) -> None:
    history = subject.begin(5)
    hashes = {0: subject.hash()}
    for _ in range(SLICES):
        assert history.run(subject.slice) is None
        hashes[subject.whole.cycle] = subject.hash()
    end = SLICES * subject.slice
    assert history.count() <= 5
    for number in (11, 10, 4, 1, 0, 12, 7):
        cycle = number * subject.slice
        assert history.to_cycle(cycle)
        assert (subject.whole.cycle, subject.hash()) == (cycle, hashes[cycle])
    assert history.past
    assert not history.to_cycle(end + 1)
    assert history.run(3 * subject.slice) is None
    assert (history.past, subject.hash()) == (True, hashes[10 * subject.slice])
    history.to_present()
    assert (history.past, subject.whole.cycle, subject.hash()) == (False, end, hashes[end])
    assert history.to_cycle(end - 10)
    assert history.run(20) is None
    assert (history.past, subject.whole.cycle) == (False, end + 10)


def test_what_was_changed_meanwhile_is_changed_again(subject: Subject) -> None:
    """Writes, a hart that is held, memory outside, and two inputs in one cycle."""
    history, machine = subject.begin(), subject.machines[0]
    hashes = {}
    for number in range(4):
        subject.poke(bytes([number + 1]))
        history.note_inputs()
        machine.outside.dram[0].write(0, b"new" if number else b"old")
        machine.freeze([B] if number == 2 else [])
        assert history.run(subject.slice + number) is None
        hashes[subject.whole.cycle] = subject.hash()
    cycles = list(hashes)
    for cycle in (cycles[2], cycles[0], cycles[3], cycles[1]):
        assert history.to_cycle(cycle - 1)
        assert subject.peek()[0] == cycles.index(cycle) + 1
        assert machine.outside.dram[0].read(0, 3) == (b"new" if cycle != cycles[0] else b"old")
    assert history.to_cycle(0)
    for cycle, state in hashes.items():
        assert history.run(cycle - subject.whole.cycle) is None
        assert subject.hash() == state
    assert not history.past
    assert not machine.S.hart.held[B]


def test_a_change_in_the_past_makes_another_future(subject: Subject) -> None:
    history = subject.begin()
    for _ in range(4):
        subject.poke(b"\1")
        assert history.run(subject.slice) is None
    back = 3 * subject.slice // 2
    assert history.to_cycle(back)
    subject.poke(b"\2")
    assert history.run(20) is None
    assert not history.past
    assert history.last_cycle == back + 20
    changed = subject.hash()
    assert not history.to_cycle(back + 21)
    assert history.to_cycle(10)
    assert subject.peek() == b"\1"
    assert history.to_cycle(back + 20)
    assert (subject.peek(), subject.hash()) == (b"\2", changed)


def test_back_to_stops_and_at_last_to_the_start(subject: Subject) -> None:
    history, start = subject.begin(), subject.hash()
    subject.arm()
    stops: list[tuple[object, ...]] = []

    def seen(stop: object) -> tuple[object, ...]:
        tile, one = subject.whole.stop_of(stop)
        subject.machines[tile].resume_from(one.hart)
        return tile, one.hart, one.pc, subject.whole.position().of(tile)

    while len(stops) < SLICES and (stop := history.run(5000)) is not None:
        stops.append(seen(stop))
    assert len(stops) > 2
    assert history.run(1) is None
    for wanted in reversed(stops):
        *_, found = history.last_stop(lambda stop: True)
        assert found is not None
        assert seen(found) == wanted
    assert list(history.last_stop(lambda stop: True))[-1:] in ([], [None])
    assert (subject.whole.cycle, subject.hash()) == (0, start)
    assert list(subject.step_back(history)) == [False]
    assert subject.hash() == start


def test_a_search_that_is_given_up_has_missed_nothing(subject: Subject) -> None:
    """A step back leaves all where it was; a run back goes no further than it has seen."""
    history = subject.begin(2)
    end = SLICES * subject.slice
    assert history.run(end) is None
    present = subject.hash()
    for at in (end, end - subject.slice):
        if at != end:
            assert history.to_cycle(at)
        was = subject.hash()
        step = subject.step_back(history)
        assert next(step)
        assert subject.hash() != was
        del step
        assert (subject.whole.cycle, subject.hash(), history.past) == (at, was, at != end)
    back = history.last_stop(lambda stop: True)
    assert next(back) is None
    cycle = subject.whole.cycle
    del back
    assert subject.whole.cycle >= cycle
    back = history.last_stop(lambda stop: True)
    seen = [next(back), next(back)]
    assert seen == [None, None]
    del back
    assert subject.whole.cycle <= cycle
    history.to_present()
    assert (subject.hash(), history.past) == (present, False)


def test_inputs_are_bounded(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more inputs than are kept the oldest go, and the history is shorter then."""
    monkeypatch.setattr("tensix_gdb.core.history.history.SEGMENTS", 3)
    history = subject.begin()
    for number in range(1, 8):
        assert history.run(10) is None
        subject.poke(bytes([number]))
        history.note_inputs()
    assert (history.first_cycle, history.last_cycle) == (50, 70)
    assert not history.to_cycle(40)
    assert history.to_cycle(70)
    assert subject.peek() == b"\7"
