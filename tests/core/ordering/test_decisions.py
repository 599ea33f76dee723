# SPDX-License-Identifier: Apache-2.0
"""Decisions of `random` that are kept one by one, and requests that are late at a place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.debug.named_pauses import NamedPause
from tensix_gdb.core.execution import Execution
from tensix_gdb.core.machine import Machine
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
ALL = ((0, 1 << 31),)


@pytest.fixture(params=["compiled", "reference"])
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    """A tile with the program."""
    machine = machine_on(request.param, Schedule.RANDOM)
    machine.load(T0, image(PROGRAM, CODE))
    yield machine
    machine.close()


def runs(tile: Machine, execution: Execution) -> int:
    """What RDCFG has read, and the whole state."""
    tile.reschedule(execution)
    tile.reset()
    tile.run(2000)
    return int(tile.S.gpr.word[GPR])


def wrong_seed(tile: Machine) -> Execution:
    seeds = (Execution(Schedule.RANDOM, seed) for seed in range(1, 60))
    return next(each for each in seeds if runs(tile, each) == 0)


def test_all_decisions_are_the_seed_itself_and_none_is_no_delay(tile: Machine) -> None:
    execution = wrong_seed(tile)
    wanted = tile.record.row(tile.record.layout.slot("hart", "retired")).tobytes()
    kept = Execution(Schedule.RANDOM, execution.seed, delays=ALL, kept_pauses=ALL)
    assert runs(tile, kept) == 0
    assert tile.record.row(tile.record.layout.slot("hart", "retired")).tobytes() == wanted
    assert tile.S.schedule.drawn > 0
    none = Execution(Schedule.RANDOM, execution.seed, delays=(), kept_pauses=())
    assert runs(tile, none) == 0x2000


def test_one_decision_is_enough(tile: Machine) -> None:
    execution = wrong_seed(tile)
    runs(tile, Execution(Schedule.RANDOM, execution.seed, delays=ALL, kept_pauses=()))
    count = int(tile.S.schedule.drawn)
    alone = [
        number
        for number in range(count)
        if runs(tile, Execution.parse(f"random:{execution.seed},delays={number},pauses=none")) == 0
    ]
    assert alone


def test_pauses_that_are_not_made_leave_the_others(tile: Machine) -> None:
    tile.reschedule(Execution.parse("random:3,delays=none,pauses=none"))
    tile.reset()
    tile.run(2000)
    assert tile.S.pause.count == 0
    assert tile.S.pause.drawn >= 0


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
        "random:7,delays=41+97-99",
        "random:7,strict,no-pauses,delays=none",
        "random:7,pauses=0",
        "random:7,delays=none,pauses=none",
    ],
)
def test_the_text_of_an_execution_says_all_of_it(text: str) -> None:
    assert str(Execution.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "latency,delays=1",
        "random:1,delays=",
        "random:1,delays=5+3",
        "random:1,delays=x",
        "random:1,only",
    ],
)
def test_what_names_no_decisions(text: str) -> None:
    with pytest.raises(ValueError, match=r"delays|option"):
        Execution.parse(text)
