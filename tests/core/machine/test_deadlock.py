# SPDX-License-Identifier: Apache-2.0
"""A dead tile stops by itself, one in which anything can still move never does.

Thread 1 waits for semaphore 1 in all of them; what differs is what the harts do meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, B
from tensix_gdb.core.devices import niu
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.deadlock import is_dead
from tensix_gdb.core.memory.map import Region
from tensix_gdb.core.polls.keeping import KEEPING
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop, StopKind
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.programs import push_all, ttinsn
from tests.machines import machine_on

SEMAPHORE_1, WALL_CLOCK, FLAG = 0xFFE80024, 0xFFB121F0, 0x10000
HELD = push_all(["SEMINIT new_max=3, new_value=0, sem=S1", "SEMWAIT block=ALL, sem=S1, wait=C0",
                 "SETDMAREG.Immediate new_value=7, result_half_reg=G4_lo"])  # fmt: skip
SPIN = [asm("jal", imm=0)]
X5, X6, X7, X8 = 5, 6, 7, 8
LONG = 60_000  # cycles: many times the patience of the first look

# Loops that change nothing and see nothing new.
SPINNING: dict[str, Sequence[int]] = {
    "paused": [EBREAK],
    "one instruction": SPIN,
    "L1": [*li(X5, FLAG), asm("lw", rd=X6, rs1=X5), asm("beq", rs1=X6, imm=-4), EBREAK],
    "L1, in three loads": [
        *li(X5, FLAG),
        *(asm("lw", rd=X6 + i, rs1=X5, imm=64 * i) for i in range(3)),
        asm("add", rd=X6, rs1=X6, rs2=X7),
        asm("beq", rs1=X6, imm=-16),
        EBREAK,
    ],
    "a semaphore": [
        *li(X5, SEMAPHORE_1),
        asm("lw", rd=X6, rs1=X5),
        asm("beq", rs1=X6, imm=-4),
        EBREAK,
    ],
    "a GPR": [*li(X5, 0xFFE00010), asm("lw", rd=X6, rs1=X5), asm("beq", rs1=X6, imm=-4), EBREAK],
    "local RAM": [
        *li(X5, 0xFFB00100),
        asm("lw", rd=X6, rs1=X5),
        asm("beq", rs1=X6, imm=-4),
        EBREAK,
    ],
    "a NoC counter": [
        *li(X5, 0xFFB20208),
        asm("lw", rd=X6, rs1=X5),
        asm("beq", rs1=X6, imm=-4),
        EBREAK,
    ],
    "with calls": [
        asm("jal", rd=1, imm=12),
        asm("addi", rd=X5, rs1=X5, imm=0),
        asm("jal", imm=-8),
        asm("addi", rd=X6, imm=3),
        asm("jalr", rs1=1),
    ],
    "a status register": [0xBC0022F3, asm("jal", imm=-4)],  # csrr x5, tt_cfg_qstatus
}

POST = [*li(X8, SEMAPHORE_1), asm("sw", rs1=X8), EBREAK]
# What comes to its end some day, and posts semaphore 1.
MOVING: dict[str, Sequence[int]] = {
    "counts in a register": [
        *li(X5, 8_000),
        asm("addi", rd=X5, rs1=X5, imm=-1),
        asm("bne", rs1=X5, imm=-4),
        *POST,
    ],
    "counts in memory": [
        *li(X5, FLAG),
        *li(X7, 700),
        asm("lw", rd=X6, rs1=X5, imm=16),
        asm("addi", rd=X6, rs1=X6, imm=1),
        asm("sw", rs1=X5, rs2=X6, imm=16),
        asm("bne", rs1=X6, rs2=X7, imm=-12),
        *POST,
    ],
    "waits for bit 13 of mcycle": [
        0xB00022F3,  # csrr x5, mcycle
        asm("srli", rd=X5, rs1=X5, imm=13),
        asm("beq", rs1=X5, imm=-8),
        *POST,
    ],
    "waits for a hart": [*SPINNING["L1"][:-1], *POST],
}


RUNS = [("compiled", schedule) for schedule in list(Schedule)[:3]]
RUNS.append(("reference", Schedule.LATENCY))


@pytest.fixture(params=RUNS, ids=lambda p: f"{p[0]}-{p[1].name.lower()}")
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(*request.param)
    yield machine
    machine.close()


def load(machine: Machine, **programs: Sequence[int]) -> None:
    """Programs of harts by name; T1 holds its thread."""
    for hart, name in ((B, "b"), (T0, "t0"), (T1, "t1"), (NC, "nc")):
        if name in programs:
            machine.load(hart, image(list(programs[name]), 0x1000 * (hart + 1)))


def end(machine: Machine, cycles: int = LONG, slice_: int = LONG) -> Stop | None:
    """Run past the ends of programs."""
    while machine.S.tile.cycle < cycles:
        stop = machine.run(min(slice_, cycles - machine.S.tile.cycle))
        if stop is not None and stop.kind is not StopKind.EBREAK:
            return stop
    return None


@pytest.mark.parametrize("way", SPINNING)
def test_dead_with_harts_that_spin(tile: Machine, way: str) -> None:
    load(tile, t0=SPINNING[way], t1=[*HELD, *SPINNING[way]])
    stop = end(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    assert stop.hart == T1
    assert tile.S.tile.cycle < 5000
    again = tile.run(LONG)
    assert again is not None, "continuing finds the same"
    assert again.kind is StopKind.STANDSTILL
    # And when somebody helps from outside, it continues.
    tile.S.semaphore.value[1] = 1
    end(tile, tile.S.tile.cycle + 500)
    assert tile.S.gpr.word[64 + 4] == 7


@pytest.mark.parametrize("way", MOVING)
def test_never_dead_while_something_can_move(way: str) -> None:
    count = MOVING["counts in a register"][:-4]
    release = [*count, *li(X5, FLAG), asm("sw", rs1=X5, rs2=X5), EBREAK]
    for schedule in list(Schedule)[:3]:
        machine = machine_on("compiled", schedule)
        load(machine, t0=MOVING[way], t1=[*HELD, EBREAK], nc=release)
        stop = end(machine)
        assert stop is None or stop.kind is StopKind.ALL_PAUSED
        assert machine.S.gpr.word[64 + 4] == 7
        machine.close()


def test_held_by_the_debugger_is_not_dead(tile: Machine) -> None:
    load(tile, t0=POST, t1=[*HELD, *SPIN])
    tile.freeze([T0])
    assert end(tile, 20_000) is None
    tile.freeze([])
    assert end(tile, 40_000) is None
    assert tile.S.gpr.word[64 + 4] == 7


def test_with_a_host_a_hart_that_spins_may_see_something(tile: Machine) -> None:
    """Who polls L1 may be waiting for the host; who waits for a device is not."""
    load(tile, t0=SPINNING["L1"], t1=[*HELD, EBREAK])
    tile.host.is_present = True
    assert end(tile, 5000) is None
    tile.host.is_present = False
    stop = tile.run(100_000)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    machine = machine_on("compiled", Schedule(tile.S.schedule.kind))
    load(machine, t1=[*HELD, EBREAK])
    machine.host.is_present = True
    stop = end(machine)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    machine.close()


def test_a_hart_that_waits_for_one_that_spins(tile: Machine) -> None:
    """B waits for a value in the mailbox from T0, which waits for a flag that nobody sets."""
    read = [*li(X5, 0xFFEC1000), asm("lw", rd=X6, rs1=X5), EBREAK]
    load(tile, b=read, t0=SPINNING["L1"])
    stop = end(tile)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    assert stop.hart == B
    assert "B waits for T0 to write to the mailbox from T0 to B" in stop.text


def test_a_loop_alone_is_no_deadlock(tile: Machine) -> None:
    """Nobody waits for anything that is not there."""
    load(tile, t0=SPINNING["one instruction"], t1=[ttinsn("NOP"), *SPIN])
    assert end(tile, 20_000) is None


@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY, Schedule.RANDOM])
def test_the_same_cycle_on_both_engines_in_slices_of_any_size(schedule: Schedule) -> None:
    found = set()
    for engine, slice_ in (("compiled", LONG), ("compiled", 37), ("reference", 1000)):
        machine = machine_on(engine, schedule)
        load(
            machine,
            t0=SPINNING["a semaphore"],
            t1=[*HELD, *SPIN],
            nc=MOVING["counts in memory"][:-4],
        )
        stop = end(machine, LONG, slice_)
        assert stop is not None
        found.add((stop.kind, int(machine.S.tile.cycle), machine.hash()))
        machine.close()
    assert len(found) == 1


def test_loads_that_keep_have_no_effect() -> None:
    """The loads that is_dead takes for harmless are what a debugger may look at."""
    assert [register.name for register in niu.REGISTERS if register.read is not None] == []
    assert {Region.NOC0, Region.NOC1, Region.CONFIG, Region.GPR} <= KEEPING


def test_looking_leaves_no_trace(tile: Machine) -> None:
    load(tile, t0=SPINNING["L1"], t1=[*HELD, *SPIN])
    tile.run(400)
    before = tile.record.state()
    assert is_dead(tile.engine, tile.record, tile.memory)
    assert tile.record.state() == before
    tile.S.gpr.word[0] = 1
    tile.S.tile.pending = 2
    assert not is_dead(tile.engine, tile.record, tile.memory), "an interrupt may come"


def test_with_a_host_a_dead_tile_is_not_proved_dead_for_each_message(
    tile: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host sends thousands of messages to a tile that hangs, and a few cycles pass after each."""
    proofs = []

    def counted(*arguments: Any, **options: Any) -> bool:
        proofs.append(is_dead(*arguments, **options))
        return bool(proofs[-1])

    monkeypatch.setattr("tensix_gdb.core.machine.runner.is_dead", counted)
    load(tile, t1=[*HELD, EBREAK])
    tile.host.is_present = True
    assert end(tile) is not None
    assert proofs == [True]
    stops = [tile.run(100) for _ in range(50)]
    assert stops == [None] * 50
    assert proofs == [True]
    stop = tile.run(40_000)
    assert stop is not None
    assert stop.kind is StopKind.STANDSTILL
    assert proofs == [True, True]
    tile.S.semaphore.value[1] = 1  # by the host: it continues, and the next one is found soon
    tile.run(500)
    assert tile.S.gpr.word[64 + 4] == 7
    assert tile.S.tile.backoff == 0
