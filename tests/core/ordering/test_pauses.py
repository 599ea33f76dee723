# SPDX-License-Identifier: Apache-2.0
"""Pauses: what they find, that they are bounded, and that they are part of the execution."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, T0, THREADS
from tensix_gdb.core.debug.breakpoints import ArmedError
from tensix_gdb.core.debug.named_pauses import NamedPause
from tensix_gdb.core.explain.stop import hart_state
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.ordering.pauses import LONGEST, SHORTEST
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, NOP, asm, image, li
from tests.core.ordering import window
from tests.core.tensix.programs import push_all
from tests.machines import machine_on

SEEDS = range(1, 61)
CODE = 0x1000
X5, X6, X7 = 5, 6, 7


@pytest.fixture
def tile() -> Iterator[Machine]:
    """A tile with the program that goes wrong in a window."""
    machine = machine_on("compiled", Schedule.LATENCY)
    window.load(machine)
    yield machine
    machine.close()


def at_load(nth: int, cycles: int) -> NamedPause:
    return NamedPause(False, T0, window.LOAD_AT, nth=nth, cycles=cycles)


def test_seeds_find_the_window_and_without_pauses_none_does(tile: Machine) -> None:
    def wrong(options: str) -> list[int]:
        seeds = []
        for seed in SEEDS:
            window.again(tile, f"random:{seed}{options}")
            seeds += [seed] * window.goes_wrong(tile)
        return seeds

    assert len(wrong("")) >= 3
    assert not wrong(",no-pauses")


@pytest.mark.parametrize(
    ("cycles", "wrong"), [(1, False), (100, False), (160, True), (230, True), (300, False)]
)
def test_one_pause_that_is_named_finds_it(tile: Machine, cycles: int, wrong: bool) -> None:
    assert not window.goes_wrong(tile)
    length = tile.S.tile.cycle
    tile.pauses.add(at_load(7, cycles))
    tile.reset()
    assert window.goes_wrong(tile) is wrong
    assert [(seen, over) for _, seen, over in tile.pauses] == [(7, True)]
    assert length <= tile.S.tile.cycle <= length + cycles


def test_pauses_are_bounded(tile: Machine) -> None:
    """Of a third of all cycles, one hart or thread at a time, 10 to 2,000 cycles long."""
    S = tile.S
    window.again(tile, "random:15")
    lengths: dict[tuple[int, int], int] = {}
    paused = 0
    while (stop := tile.run(1)) is None or stop.kind is not StopKind.ALL_PAUSED:
        ends = [S.pause.hart[hart] for hart in range(HARTS)]
        ends += [S.pause.thread[thread] for thread in range(THREADS)]
        now = [(party, end) for party, end in enumerate(ends) if end > S.tile.cycle]
        assert len(now) <= 1
        paused += len(now)
        for key in now:
            lengths.setdefault(key, key[1] - S.tile.cycle + 1)
        assert 3 * paused <= S.tile.cycle
    assert len(lengths) == S.pause.count > 3
    assert all(SHORTEST <= cycles <= LONGEST for cycles in lengths.values())


def test_both_engines_pause_alike() -> None:
    hashes = set()
    for engine in ("reference", "compiled"):
        machine = machine_on(engine, Schedule.RANDOM)
        window.load(machine)
        window.again(machine, "random:15")
        machine.pauses.add(at_load(2, 333))
        machine.run(3000)
        assert machine.S.pause.count >= 2
        hashes.add(machine.hash())
        machine.close()
    assert len(hashes) == 1


def test_a_snapshot_and_the_history_have_them(tile: Machine) -> None:
    window.again(tile, "random:15")
    tile.run(500)
    history = begin_history(tile)
    tile.pauses.add(at_load(9, 777))
    history.resume()
    hashes = {}
    for _ in range(40):
        tile.run(100)
        hashes[tile.S.tile.cycle] = tile.hash()
    history.suspend()
    assert [over for _, _, over in tile.pauses] == [True]
    kept = tile.snapshot()
    for cycle in (4000, 700, 2300):
        assert history.to_cycle(cycle)
        assert tile.hash() == hashes[cycle]
    tile.restore(kept)
    assert tile.hash() == hashes[4500]


def test_a_pause_is_no_standstill(tile: Machine) -> None:
    """Not even of a hart that is alone, for longer than the watchdog waits."""
    machine = machine_on("compiled", Schedule.LATENCY)
    machine.load(T0, image([NOP, NOP, EBREAK], CODE))
    machine.pauses.add(NamedPause(False, T0, CODE + 4, cycles=100_000))
    machine.run(50_000)
    assert machine.S.tile.cycle == 50_000
    assert hart_state(machine.S, T0, machine.places) == (
        f"paused as asked for until cycle {machine.S.pause.hart[T0]}"
    )
    stop = machine.run(100_000)
    assert stop is not None
    assert stop.kind is StopKind.EBREAK
    assert 100_000 < machine.S.tile.cycle < 100_100
    machine.close()


@pytest.mark.parametrize("seed", range(1, 9))
def test_a_dead_tile_is_found_in_spite_of_them(seed: int) -> None:
    """A hart that polls for ever is paused now and then."""
    machine = machine_on("compiled", Schedule.RANDOM, seed)
    poll = [*li(X5, 0xFFE80024), asm("lw", rd=X6, rs1=X5), asm("beq", rs1=X6, imm=-4), EBREAK]
    held = push_all(["SEMINIT new_max=3, new_value=0, sem=S1", "SEMWAIT block=ALL, sem=S1, wait=C0",
                     "SETDMAREG.Immediate new_value=7, result_half_reg=G4_lo"])  # fmt: skip
    machine.load(T0, image([*held, *poll], CODE))
    stop = machine.run(200_000)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    machine.close()


def _ends(machine: Machine) -> int:
    while (stop := machine.run(100_000)) is None or stop.kind is not StopKind.ALL_PAUSED:
        pass
    return int(machine.S.tile.cycle)


PUSHES = push_all([f"SETDMAREG.Immediate new_value={i}, result_half_reg=G4_lo" for i in range(8)])


def test_at_the_gate_the_nth_instruction_of_a_push() -> None:
    """Four `.ttinsn` are one store; each is at the gate by itself."""
    machine = machine_on("compiled", Schedule.LATENCY)
    machine.load(T0, image([*PUSHES, EBREAK], CODE))
    length = _ends(machine)
    machine.pauses.add(NamedPause(True, 0, CODE + 4 * 5, cycles=400))
    machine.reset()
    while machine.run(200) is not None:
        pass
    assert machine.S.passed.count[0] == 5
    assert _ends(machine) >= length + 390
    assert [(seen, over) for _, seen, over in machine.pauses] == [(1, True)]
    machine.close()


def test_before_a_push_that_would_be_fused() -> None:
    """Those before it continue: they are a store of their own."""
    machine = machine_on("compiled", Schedule.LATENCY)
    machine.load(T0, image([*PUSHES, EBREAK], CODE))
    machine.pauses.add(NamedPause(False, T0, CODE + 4 * 2, cycles=400))
    machine.run(300)
    assert (machine.S.passed.count[0], machine.S.hart.retired[T0]) == (2, 2)
    _ends(machine)
    assert machine.S.passed.count[0] == 8
    machine.close()


def test_a_breakpoint_before_it_changes_nothing() -> None:
    hashes = set()
    for breaks in ((), (2,), (1, 2, 3)):
        machine = machine_on("compiled", Schedule.LATENCY)
        machine.load(T0, image([*PUSHES, EBREAK], CODE))
        machine.pauses.add(NamedPause(False, T0, CODE + 4 * 2, cycles=400))
        for i in breaks:
            machine.add_break(CODE + 4 * i, T0)
        while (stop := machine.run(100_000)) is not None and stop.kind is StopKind.BREAK:
            machine.resume_from(stop.hart)
        hashes.add(machine.hash())
        machine.close()
    assert len(hashes) == 1


def test_a_mark_is_where_the_schedule_may_pause(tile: Machine) -> None:
    """It finds the window in more seeds."""

    def wrong() -> int:
        found = 0
        for seed in SEEDS:
            window.again(tile, f"random:{seed}")
            found += window.goes_wrong(tile)
        return found

    without = wrong()
    window.again(tile, "random:1")
    tile.pauses.add(NamedPause(False, T0, window.LOAD_AT, nth=0))
    assert wrong() > without


def test_where_no_pause_can_be() -> None:
    machine = machine_on("reference", Schedule.SC)
    with pytest.raises(ArmedError, match="schedule sc: choose latency"):
        machine.pauses.add(at_load(1, 5))
    machine.close()
    machine = machine_on("reference", Schedule.LATENCY)
    with pytest.raises(ArmedError, match="only the schedule random draws pauses"):
        machine.pauses.add(at_load(0, 0))
    for _ in range(16):
        machine.pauses.add(at_load(1, 5))
    with pytest.raises(ArmedError, match="no more than 16 pauses"):
        machine.pauses.add(at_load(1, 5))
    machine.pauses.clear()
    machine.pauses.add(at_load(1, 5))
    machine.close()
