# SPDX-License-Identifier: Apache-2.0
"""A debugger between `.ttinsn` that are one store: the execution stays the same."""

from __future__ import annotations

from itertools import combinations

import pytest

from tensix_gdb.core.arch.blackhole import T1, B
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.history import begin_history
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import asm, image
from tests.machines import machine_on

PUSHED = [parse(f"SETDMAREG new_value={n}, result_half_reg={n}") for n in range(7)]
CODE = [
    asm("addi", rd=5, rs1=5, imm=1),
    *((word << 2 | word >> 30) & 0xFFFFFFFF for word in PUSHED),
    asm("addi", rd=6, rs1=6, imm=1),
    asm("jal", imm=-4 * (len(PUSHED) + 2)),
]
START = 0xA000
PLACES = range(START, START + 4 * len(CODE), 4)
CYCLES = 90
LONGEST = 130  # cycles that a step may take in `random`


@pytest.fixture(params=[(e, s) for e in ("reference", "compiled") for s in (1, 2)], ids=str)
def pushing(request: pytest.FixtureRequest) -> Machine:
    engine, schedule = request.param
    machine = machine_on(engine, Schedule(schedule), 5)
    machine.load(T1, image(CODE, START))
    machine.load(B, image([asm("addi", rd=5, rs1=5, imm=1), asm("jal", imm=-4)]))
    return machine


def undisturbed(machine: Machine) -> dict[int, str]:
    """The hash at the start of each cycle; the machine is as before."""
    kept, hashes = machine.snapshot(), {}
    for _ in range(CYCLES + LONGEST):
        machine.run(1)
        hashes[int(machine.S.tile.cycle)] = machine.hash()
    machine.restore(kept)
    return hashes


def check(machine: Machine, hashes: dict[int, str]) -> None:
    if not machine.S.tile.next_hart and not machine.S.schedule.cycle_phase:
        assert machine.hash() == hashes.get(machine.S.tile.cycle, machine.hash())


def test_breakpoints_between_them(pushing: Machine) -> None:
    hashes = undisturbed(pushing)
    start = pushing.snapshot()
    for places in (*combinations(PLACES[1:9], 1), *combinations(PLACES[1:9], 2), (*PLACES,)):
        pushing.restore(start)
        for place in places:
            pushing.add_break(place, T1)
        hit: list[int] = []
        while pushing.S.tile.cycle < CYCLES:
            stop = pushing.run(CYCLES - pushing.S.tile.cycle)
            if stop is None:
                break
            assert stop.kind is StopKind.BREAK
            assert pushing.read_pc(T1) == stop.pc
            hit.append(stop.pc)
            pushing.resume_from(T1)
            check(pushing, hashes)
        assert set(hit) == set(places)
        # Each of them in each round, and none twice.
        assert hit == [sorted(places)[i % len(places)] for i in range(len(hit))]
        assert pushing.hash() == hashes[CYCLES]
        for place in places:
            pushing.remove_break(place, T1)
    pushing.close()


@pytest.mark.parametrize("unarmed", [False, True], ids=["stepped", "then let go"])
def test_steps_through_them(pushing: Machine, unarmed: bool) -> None:
    hashes = undisturbed(pushing)
    pcs = [pushing.read_pc(T1)]
    for number in range(60):
        if pushing.S.tile.cycle >= CYCLES - 10:
            break
        pushing.step(T1)
        stop = pushing.run(CYCLES)
        assert stop is not None
        assert stop.kind is StopKind.STEP
        pcs.append(pushing.read_pc(T1))
        check(pushing, hashes)
        if unarmed and number % 3 == 2:
            # Nobody looks for a while, so that what was cut continues in the loops without checks.
            pushing.disarm()
            pushing.run(1)
            check(pushing, hashes)
            pcs[-1] = pushing.read_pc(T1)
    if not unarmed:
        assert pcs == [PLACES[i % len(PLACES)] for i in range(len(pcs))]
    pushing.disarm()
    pushing.run(CYCLES + LONGEST - pushing.S.tile.cycle)
    assert pushing.hash() == hashes[CYCLES + LONGEST]
    pushing.close()


def test_back_through_them(pushing: Machine) -> None:
    history = begin_history(pushing)
    history.resume()
    seen = []
    for _ in range(25):
        pushing.step(T1)
        pushing.run(100)
        history.suspend()
        seen.append(pushing.hash())
        history.resume()
    history.suspend()
    back = [pushing.hash()]
    for _ in range(24):
        *_, found = history.step_back(T1)
        assert found
        back.append(pushing.hash())
    assert back == seen[::-1]
    pushing.close()
