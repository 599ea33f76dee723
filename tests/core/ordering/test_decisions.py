# SPDX-License-Identifier: Apache-2.0
"""Decisions of `random` that are kept one by one, and requests that are late at a place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tensix_gdb.core.arch.blackhole import T0, T1, T2, B
from tensix_gdb.core.debug.named_pauses import NamedPause
from tensix_gdb.core.decisions import NAMES
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.machine.executions import noted
from tensix_gdb.core.record.layout import Tag
from tensix_gdb.core.schedule import Schedule
from tests.assembler import asm, image, li
from tests.machines import machine_on

CODE = 0x6000
CONFIG = 0xFFEF0000 + 4 * 76
# A store to configuration, and a RDCFG of the same word that is pushed right after it.
RDCFG = 0xB104004C
PROGRAM = [
    *li(10, CONFIG),
    *li(11, 0x2000),
    asm("sw", rs2=11, rs1=10, imm=0),
    ((RDCFG << 2) | (RDCFG >> 30)) & 0xFFFFFFFF,
    *[asm("addi", rd=0, rs1=0, imm=0)] * 40,
    asm("ebreak"),
]
STORE_AT = CODE + 4 * (len(li(10, CONFIG)) + len(li(11, 0x2000)))
GPR = 4


@pytest.fixture(params=["compiled", "reference"])
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A tile with the program."""
    machine = machine_on(request.param, Schedule.RANDOM)
    machine.load(T0, image(PROGRAM, CODE))
    yield machine
    machine.close()


def run_on(tile: Machine) -> None:
    """Run for 2,000 cycles, also after one hart has come to its end."""
    for _ in range(3):
        tile.run(2000 - int(tile.S.tile.cycle))


def runs(tile: Machine, execution: Execution) -> int:
    """Return what RDCFG has read."""
    tile.reschedule(execution)
    tile.reset()
    run_on(tile)
    return int(tile.S.gpr.word[GPR])


def wrong_seed(tile: Machine) -> Execution:
    seeds = (Execution(Schedule.RANDOM, seed) for seed in range(1, 60))
    return next(each for each in seeds if runs(tile, each) == 0)


def what_is_decided(tile: Machine, execution: Execution) -> tuple[Execution, str]:
    """The execution as a plan, and the hash of what it ends with."""
    start = fresh(tile)
    tile.begin_here(start, execution, note=True)
    run_on(tile)
    seen = noted(tile.S)
    assert seen is not None
    delays = tuple(sorted(one for one in seen if not one.is_pause))
    pauses = tuple(sorted(one for one in seen if one.is_pause))
    plan = Execution(Schedule.RANDOM, execution.seed, delays=delays, kept_pauses=pauses)
    return plan, tile.record.hash(Tag.ARCHITECTURAL)


def fresh(tile: Machine) -> bytearray:
    tile.reset()
    return tile.record.snapshot()


def test_a_plan_of_all_decisions_is_the_seed_itself_and_an_empty_one_latency(
    tile: Machine,
) -> None:
    execution = wrong_seed(tile)
    runs(tile, execution)
    plain = tile.record.hash(Tag.ARCHITECTURAL)
    plan, wanted = what_is_decided(tile, execution)
    assert wanted == plain  # noting changes nothing
    assert plan.delays
    assert Execution.parse(str(plan)) == plan
    assert runs(tile, plan) == 0
    assert tile.record.hash(Tag.ARCHITECTURAL) == wanted
    none = Execution(Schedule.RANDOM, execution.seed, delays=(), kept_pauses=())
    assert runs(tile, none) == 0x2000
    assert tile.S.pause.count == 0


def test_one_decision_is_enough(tile: Machine) -> None:
    plan, _ = what_is_decided(tile, wrong_seed(tile))
    alone = [
        one
        for one in plan.delays or ()
        if runs(tile, Execution.parse(f"random:1,delays={one},pauses=none")) == 0
    ]
    assert [NAMES[one.agent] for one in alone] == ["T0.store"]


def test_a_decision_keeps_its_name_when_another_hart_does_more(tile: Machine) -> None:
    plan, _ = what_is_decided(tile, wrong_seed(tile))
    late = next(one for one in plan.delays or () if NAMES[one.agent] == "T0.store")
    execution = Execution.parse(f"random:1,delays={late},pauses=none")
    polls = [*li(10, 0x21000), *[asm("lw", rd=11, rs1=10, imm=0)] * 60, asm("ebreak")]
    tile.load(B, image(polls, 0x4000))
    assert runs(tile, execution) == 0


def test_pauses_of_a_plan_come_at_the_same_events(tile: Machine) -> None:
    loads = [asm("lw", rd=11, rs1=10, imm=0)] * 1500
    tile.load(T1, image([*li(10, CONFIG), *loads, asm("ebreak")], 0x14000))
    tile.load(T2, image([*li(10, CONFIG), *loads, asm("ebreak")], 0x24000))
    seed = next(
        seed
        for seed in range(1, 100)
        if runs(tile, Execution(Schedule.RANDOM, seed)) >= 0 and tile.S.pause.count >= 2
    )
    plan, wanted = what_is_decided(tile, Execution(Schedule.RANDOM, seed))
    count = int(tile.S.pause.count)
    assert len(plan.kept_pauses or ()) == count
    runs(tile, plan)
    assert (tile.S.pause.count, tile.record.hash(Tag.ARCHITECTURAL)) == (count, wanted)
    one = replace(plan, kept_pauses=(plan.kept_pauses or ())[:1])
    runs(tile, one)
    assert tile.S.pause.count == 1


def test_a_plan_is_followed_after_going_back(tile: Machine) -> None:
    plan, wanted = what_is_decided(tile, wrong_seed(tile))
    tile.reschedule(plan)
    tile.reset()
    tile.run(20)
    kept = tile.snapshot()
    run_on(tile)
    assert tile.record.hash(Tag.ARCHITECTURAL) == wanted
    tile.restore(kept)
    run_on(tile)
    assert tile.record.hash(Tag.ARCHITECTURAL) == wanted


def test_a_late_request_is_overtaken_and_its_hart_is_not_late(tile: Machine) -> None:
    def late(cycles: int) -> int:
        tile.pauses.clear()
        tile.reschedule(Execution(Schedule.LATENCY))
        tile.reset()
        if cycles:
            tile.pauses.add(NamedPause(False, T0, STORE_AT, nth=1, cycles=cycles, of_request=True))
        tile.run(2000)
        return int(tile.S.gpr.word[GPR])

    assert late(0) == 0x2000
    assert late(40) == 0
    assert str(NamedPause(False, T0, STORE_AT, cycles=40, of_request=True)) == (
        f"late.T0@{STORE_AT:#010x}:40"
    )


@pytest.mark.parametrize(
    "text",
    [
        "random:7,delays=T0.store.41=37+T0.store.97=1",
        "random:7,strict,delays=B.load.0=3+pack.scalar.2=1+order.7=2",
        "random:7,strict,no-pauses,delays=none",
        "random:7,pauses=T0.0=2000+math.12=40after",
        "random:7,delays=none,pauses=none",
    ],
)
def test_the_text_of_an_execution_says_all_of_it(text: str) -> None:
    assert str(Execution.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "latency,delays=T0.store.1=1",
        "random:1,delays=",
        "random:1,delays=5",
        "random:1,delays=T0.store.1=0",
        "random:1,delays=T0.store.1=2001",
        "random:1,delays=T0.store.1=2+T0.store.1=3",
        "random:1,delays=T0.1=3",
        "random:1,pauses=T0.store.1=3",
        "random:1,pauses=T0.1=3after",
        "random:1,only",
    ],
)
def test_what_names_no_decisions(text: str) -> None:
    with pytest.raises(ValueError, match=r"delays|pauses|option"):
        Execution.parse(text)
