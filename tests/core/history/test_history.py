# SPDX-License-Identifier: Apache-2.0
"""Back in time with a tile, by an instruction: what is of a tile alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.engine import Engine
from tensix_gdb.core.history import MachineHistory, begin_history
from tensix_gdb.core.history.checkpoints import PAGE, capture, is_unchanged
from tensix_gdb.core.history.search import MAX_STOPS
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.core.timeline.tracer import RUN_TRACED, Change
from tests.assembler import EBREAK, image, li
from tests.core.history.subjects import CELL, COUNT, HARTS, STORE, racing_tile
from tests.gdbstub.tiles import loaded
from tests.machines import machine_on


@pytest.fixture(
    params=[(e, s) for e in ("reference", "compiled") for s in (0, 1, 2)],
    ids=lambda p: f"{p[0]}-{Schedule(p[1]).name}",
)
def racing(request: pytest.FixtureRequest) -> Iterator[Machine]:
    engine, schedule = request.param
    machine = racing_tile(engine, Schedule(schedule))
    yield machine
    machine.close()


def ran(machine: Machine, history: MachineHistory, cycles: int, slices: int = 10) -> None:
    """Run, with chances for checkpoints on the way."""
    history.resume()
    for _ in range(slices):
        machine.run(cycles // slices)
        history.add_checkpoint_if_due()
    history.suspend()


def finish(steps: Iterator[bool]) -> bool:
    *_, last = steps
    return last


def found(stops: Iterator[Stop | None]) -> Stop | None:
    return next((stop for stop in stops if stop is not None), None)


def step(machine: Machine, hart: int) -> None:
    machine.resume_from(hart)
    machine.step(hart)
    stop = machine.run(1000)
    assert stop is not None
    assert stop.kind is StopKind.STEP


def test_steps_go_back_the_way_they_came(racing: Machine) -> None:
    history = begin_history(racing)
    ran(racing, history, 200)
    seen = [racing.hash()]
    history.resume()
    for _ in range(12):
        step(racing, T0)
        seen.append(racing.hash())
    history.suspend()
    back = [seen.pop()]
    for _ in range(11):
        assert finish(history.step_back(T0))
        back.append(racing.hash())
    assert back[1:] == seen[:0:-1]


def test_the_store_that_wrote_it_is_found(racing: Machine) -> None:
    history = begin_history(racing)
    ran(racing, history, 300)
    for hart in HARTS:
        racing.add_watch(hart, CELL, 4, "write")
    was = racing.peek(B, CELL, 4)
    stop = found(history.last_stop(lambda stop: True))
    assert stop is not None
    assert stop.kind is StopKind.WATCH
    assert stop.pc == 0x100 * stop.hart + STORE
    assert racing.read_pc(stop.hart) == stop.pc + 4
    assert history.past
    history.resume()
    racing.armed._watches.clear()
    racing.armed._write_watches()
    racing.run(300 - racing.S.tile.cycle)
    assert racing.peek(B, CELL, 4) == was


def test_others_are_served_while_stops_are_passed_on_the_way_back(racing: Machine) -> None:
    """The server may look at each of them for long, to find out whether a client wants it."""
    history = begin_history(racing)
    ran(racing, history, 2000)
    for hart in HARTS:
        racing.add_break(0x100 * hart + STORE, hart)
    looks = longest = before = 0

    def early(_: Stop) -> bool:
        nonlocal looks
        looks += 1
        return bool(racing.S.tile.cycle < 50)

    for stop in history.last_stop(early):
        longest, before = max(longest, looks - before), looks
        if stop is not None:
            break
    assert stop is not None
    assert looks > 4 * MAX_STOPS
    assert longest <= 2 * MAX_STOPS


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
def test_a_tensix_thread_steps_back(schedule: Schedule) -> None:
    machine = loaded(machine_on("compiled", schedule))
    history = begin_history(machine)
    ran(machine, history, 300)
    passed = machine.S.passed.count[0]
    assert passed > 20
    for i in range(1, 4):
        assert finish(history.step_back(T0, 0))
        assert machine.S.passed.count[0] == passed - i
    history.resume()
    machine.run(300 - machine.S.tile.cycle)
    assert machine.S.passed.count[0] == passed
    machine.close()


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
def test_a_hart_goes_on_behind_its_ebreak_again(schedule: Schedule) -> None:
    machine = machine_on("compiled", schedule)
    machine.load(B, image([*li(8, CELL), EBREAK, *COUNT], 0))
    history = begin_history(machine)
    ran(machine, history, 100, 1)
    machine.resume_from(B)
    ran(machine, history, 100)
    end, cycle = machine.hash(), machine.S.tile.cycle
    machine.add_watch(B, CELL, 4, "write")
    stop = found(history.last_stop(lambda stop: True))
    assert stop is not None
    assert history.to_cycle(cycle)
    assert machine.hash() == end
    while machine.S.hart.retired[B] > 1:
        assert finish(history.step_back(B))
    machine.close()


def test_a_mark_shares_what_has_not_changed(racing: Machine) -> None:
    history = begin_history(racing)
    ran(racing, history, 100)
    first, second = history._segments[0].checkpoints[0], history._segments[0].checkpoints[-1]
    assert first is not second
    own = sum(a is not b for a, b in zip(first.pages, second.pages, strict=True))
    assert own < len(first.pages) // 4


def test_a_run_back_that_is_interrupted_goes_over_no_stop_that_it_has_not_seen(
    racing: Machine,
) -> None:
    """Where it stops it has seen all that comes after, and a second run finds what the first was
    looking for."""
    history = begin_history(racing, checkpoints=2)
    ran(racing, history, 100 * MAX_STOPS, 1)
    racing.add_break(0x100 + STORE)
    history.resume()
    wanted = found(history.last_stop(lambda stop: True))
    there, count = racing.hash(), racing.S.hart.retired[B]
    history.to_present()
    was = racing.hash()
    history.resume()
    back = history.last_stop(lambda stop: bool(racing.S.hart.retired[B] <= count))
    assert next(back) is None
    assert racing.hash() != was
    del back
    assert racing.hash() == was
    history.resume()
    assert found(history.last_stop(lambda stop: True)) == wanted
    assert racing.hash() == there


@pytest.mark.parametrize("goes_back", ["step", "to a stop"])
def test_going_back_traces_nothing_and_sees_what_is_written(
    racing: Machine, goes_back: str
) -> None:
    traced: list[Change] = []
    racing.trace(traced.extend)
    history = begin_history(racing)
    history.resume()
    racing.run(2000)
    history.add_checkpoint_if_due()
    racing.run(2000)
    history.suspend()
    before = len(traced)
    if goes_back == "step":
        assert finish(history.step_back(T0))
    else:
        back = history.last_stop(lambda stop: True)
        # It looks at what comes after the last mark, and goes there.
        assert [next(back), next(back)] == [None, None]
        del back
    assert len(traced) == before
    assert history.past
    racing.poke(B, CELL, b"\x11\x22\x33\x44")
    history.truncate_future()
    history.resume()
    assert not history.past  # what followed is no more


BACK: dict[str, Callable[[MachineHistory], object]] = {
    "to a cycle": lambda history: history.to_cycle(100),
    "to a stop": lambda history: next(history.last_stop(lambda stop: True)),
    "step": lambda history: finish(history.step_back(T0)),
}


class Calls:
    """An engine that notes which entries are called."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.kind, self.poll, self.close = engine.kind, engine.poll, engine.close
        self.names: list[str] = []

    def call(self, name: str, *args: int) -> int:
        self.names.append(name)
        return self._engine.call(name, *args)


@pytest.mark.parametrize("goes_back", BACK.values(), ids=BACK)
def test_what_was_traced_is_not_traced_again(
    racing: Machine, goes_back: Callable[[MachineHistory], object]
) -> None:
    racing.trace(lambda changes: None)
    racing.engine = calls = Calls(racing.engine)
    history = begin_history(racing)
    history.resume()
    racing.run(200)
    history.suspend()
    assert calls.names == [RUN_TRACED.name]
    racing.add_break(0x108)  # which the way to a stop finds
    goes_back(history)
    history.to_present()
    assert len(calls.names) > 1
    assert calls.names.count(RUN_TRACED.name) == 1


def test_a_step_back_reads_no_lines_and_copies_the_state_once_for_each_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No client sees a stop on the way, so it is not put into words, and states are compared page
    by page with those that are kept."""
    machine = machine_on("reference", Schedule.SC, 7)
    machine.load(B, image(COUNT, 0x100))
    history = begin_history(machine)
    ran(machine, history, 60)
    copies, words = list[object](), list[object]()
    snapshot, at = machine.record.snapshot, machine.places.at

    def copied(into: bytearray | None = None) -> bytearray:
        copies.append(into)
        return snapshot(into)

    def noted(hart: int, pc: int) -> str:
        words.append((hart, pc))
        return at(hart, pc)

    monkeypatch.setattr(machine.record, "snapshot", copied)
    monkeypatch.setattr(machine.places, "at", noted)
    was = machine.S.hart.retired[B]
    assert finish(history.step_back(B))
    assert machine.S.hart.retired[B] == was - 1
    assert words == []
    # Was the present changed, and where it has come to: no memory is asked of the system.
    assert len(copies) == 2
    assert all(copy is machine.record.scratch for copy in copies)
    machine.close()


@pytest.mark.parametrize("place", [0, PAGE - 1, PAGE, -PAGE, -1])
def test_one_changed_byte_is_seen_and_its_page_alone_is_copied(place: int) -> None:
    machine = machine_on("reference", Schedule.SC, 7)
    kept = capture(machine)
    assert is_unchanged(machine, kept)
    state = machine.record.raw_state()
    state[place] ^= 1
    assert not is_unchanged(machine, kept)
    now = capture(machine, kept)
    differing = [i for i, (a, b) in enumerate(zip(kept.pages, now.pages, strict=True)) if a != b]
    assert differing == [(place % len(state)) // PAGE]
    assert all(a is b for a, b in zip(kept.pages, now.pages, strict=True) if a == b)
    assert b"".join(now.pages) == bytes(state)
    machine.close()


def test_copies_with_and_without_the_clocks_of_an_observer() -> None:
    """Each is like the one before it, which has more pages or fewer, and another last page."""
    machine = machine_on("reference", Schedule.LATENCY, 7)
    kept = [capture(machine)]
    machine.observe_races()
    kept.append(capture(machine, kept[-1]))
    assert machine.runner.races is not None
    machine.runner.races.stop()
    kept.append(capture(machine, kept[-1]))
    assert len(kept[1].pages) > len(kept[0].pages) == len(kept[2].pages)
    for copy, wanted in zip(kept, (capture(machine), None, capture(machine)), strict=True):
        assert wanted is None or b"".join(copy.pages) == b"".join(wanted.pages)
    assert any(a is b for a, b in zip(kept[1].pages, kept[2].pages, strict=False))
    machine.close()
