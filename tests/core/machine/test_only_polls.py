# SPDX-License-Identifier: Apache-2.0
"""A tile alone in which only harts that poll are left stops by itself; one in which a loop can end
never does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.looks import FIRST_LOOK, next_look
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.polls.keeping import KEEPING
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, asm, image, li
from tests.core.polls import programs
from tests.core.polls.programs import FLAG, KEEPS_LINES, OTHER, X5, X7, X8, until
from tests.machines import machine_on

RUNS = [("compiled", schedule) for schedule in list(Schedule)[:3]]
RUNS.append(("reference", Schedule.LATENCY))
LONG = 40_000


@pytest.fixture(params=RUNS, ids=lambda p: f"{p[0]}-{p[1].name.lower()}")
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(*request.param)
    yield machine
    machine.close()


def load(machine: Machine, **words: Sequence[int]) -> None:
    for hart, name in ((B, "b"), (T0, "t0"), (T1, "t1"), (NC, "nc")):
        if name in words:
            machine.load(hart, image(list(words[name]), 0x1000 * (hart + 1)))


def end(machine: Machine, cycles: int = LONG, slice_: int = LONG) -> Stop | None:
    """Run past the ends of programs."""
    while machine.S.tile.cycle < cycles:
        stop = machine.run(min(slice_, cycles - machine.S.tile.cycle))
        if stop is not None and stop.kind is not StopKind.EBREAK:
            return stop
    return None


CIRCLE = {
    "t0": [*until("bne", 1)[:-1], *li(X5, OTHER), asm("sw", rs1=X5, rs2=X8), EBREAK],
    "t1": [*until("bne", 1, addr=OTHER)[:-1], *li(X5, FLAG), asm("sw", rs1=X5, rs2=X8), EBREAK],
}


@pytest.mark.parametrize(
    "words",
    [
        {"t0": until("bne", 1)},
        {"t0": until("bne", 1, asm("fence")), "b": [EBREAK]},
        CIRCLE,
        {"t0": programs.COUNTS, "nc": until("beq", 0)},
        {"t0": programs.COUNTS_ON_STACK},
        {"t0": programs.CALLS, "t1": [asm("jal")]},
        {"nc": until("bne", 1, addr=0xFFB48028)},
    ],
    ids=["one", "a fence", "a circle", "a count", "a count on the stack", "calls", "a stream"],
)
def test_only_polls_are_left(tile: Machine, words: dict[str, Sequence[int]]) -> None:
    load(tile, **words)
    stop = end(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    assert tile.S.tile.cycle == 1 << FIRST_LOOK
    again = tile.run(LONG)
    assert again is not None, "continuing finds the same"
    assert again.kind is StopKind.STANDSTILL


def test_what_is_changed_from_outside_ends_it(tile: Machine) -> None:
    load(tile, **CIRCLE)
    assert end(tile) is not None
    tile.poke(T0, FLAG, (1).to_bytes(4, "little"))
    stop = end(tile, 3 * LONG)
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED
    assert tile.peek(T0, OTHER, 1) == b"\1"


@pytest.mark.parametrize(
    "words",
    [
        {"t0": programs.TIMES_OUT},
        {"t0": programs.STORES},
        {"t0": [*li(2, programs.STACK), *programs.HEARTBEAT]},
        {"t0": [asm("jal")]},
        {"t0": until("bne", 1), "b": [*li(X8, LONG), asm("addi", rd=X7, rs1=X7, imm=1),
                                      asm("bne", rs1=X7, rs2=X8, imm=-4), EBREAK]},
    ],
    ids=["a count that ends it", "stores", "a variable", "no poll", "another hart counts"],
)  # fmt: skip
def test_what_may_move_is_not_stopped(tile: Machine, words: dict[str, Sequence[int]]) -> None:
    load(tile, **words)
    assert end(tile, LONG - 2000) is None


def test_with_a_host_nothing_is_proved(tile: Machine) -> None:
    load(tile, t0=until("bne", 1))
    tile.host.is_present = True
    assert end(tile) is None


@pytest.mark.parametrize("keeps", [True, False], ids=["lines stay", "periodic flush"])
def test_an_old_copy_in_the_l0_cache(keeps: bool) -> None:
    """B writes the flag, and T0 has an older line: for ever, unless a hit drops it."""
    machine = machine_on("compiled", Schedule.LATENCY)
    wait = [*li(X7, 300), asm("addi", rd=X7, rs1=X7, imm=-1), asm("bne", rs1=X7, imm=-4)]
    write = [*wait, *li(X5, FLAG), *li(X8, 1), asm("sw", rs1=X5, rs2=X8), EBREAK]
    load(machine, t0=[*(KEEPS_LINES if keeps else ()), *until("bne", 1)], b=write)
    stop = end(machine)
    assert stop is not None
    assert stop.kind is (StopKind.STANDSTILL if keeps else StopKind.ALL_PAUSED)
    machine.close()


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_the_same_cycle_on_both_engines_in_slices_of_any_size(schedule: Schedule) -> None:
    found = set()
    for engine, slice_ in (("compiled", LONG), ("compiled", 37), ("reference", 1000)):
        machine = machine_on(engine, schedule)
        load(machine, t0=programs.COUNTS, nc=until("beq", 0, asm("fence")))
        stop = end(machine, LONG, slice_)
        assert stop is not None
        found.add((stop.kind, int(machine.S.tile.cycle), machine.hash()))
        machine.close()
    assert len(found) == 1


def test_the_cycles_of_looks() -> None:
    looks, cycle = [], 0
    while cycle < 1 << 30:
        looks.append(cycle := next_look(cycle))
    assert looks[:2] == [1 << FIRST_LOOK, 2 << FIRST_LOOK]
    assert all(next_look(look - 1) == look for look in looks)
    assert len(looks) < 200
    assert all(later - look <= max(look / 4, 1 << FIRST_LOOK) for look, later in pairwise(looks))


def test_loads_of_streams_have_no_effect() -> None:
    from tensix_gdb.core.devices import overlay

    assert [register.name for register in overlay.REGISTERS if register.read is not None] == []
    assert Region.OVERLAY in KEEPING
