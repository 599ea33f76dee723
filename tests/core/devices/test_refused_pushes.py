# SPDX-License-Identifier: Apache-2.0
"""Stores that a push window refuses: a fault of the store, in every schedule."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import HART_NAMES, T0, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import StopKind
from tests.assembler import EBREAK, asm, image, li
from tests.core.tensix.programs import PUSH_BASE, stored
from tests.machines import ENGINES, machine_on

BASE = 0x1000
RUNS = [(engine, schedule) for engine in ENGINES[:2] for schedule in list(Schedule)[:3]]


@pytest.fixture(params=RUNS, ids=lambda run: f"{run[0]}-{run[1].name.lower()}")
def tile(request: pytest.FixtureRequest) -> object:
    machine = machine_on(*request.param)
    yield machine
    machine.close()


@pytest.mark.parametrize("hart", [B, T0, T0 + 2], ids=lambda hart: HART_NAMES[hart])
@pytest.mark.parametrize(
    ("name", "offset"), [("sb", 0), ("sb", 3), ("sh", 0), ("sh", 2), ("fsh", 0), ("sb", 0x10000)]
)
def test_the_store_is_to_blame(tile: Machine, hart: int, name: str, offset: int) -> None:
    before = [*li(8, PUSH_BASE + offset), *li(9, 0x02)]
    tile.load(hart, image([*before, asm(name, rs1=8, rs2=9), *[asm("addi")] * 40, EBREAK], BASE))
    stop = tile.run(500)
    assert stop is not None
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.STORE_WIDTH), stop.text
    assert (stop.hart, stop.pc, stop.addr) == (hart, BASE + 4 * len(before), PUSH_BASE + offset)
    assert list(tile.S.push.count.raw) == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "addr", "value"),
    [("sh", PUSH_BASE, 0), ("sw", PUSH_BASE, 0xFFFFFFFF), ("sw", PUSH_BASE + 0x10000, 0)],
    ids=["half a word", "no instruction", "another thread's window"],
)
def test_pushes_go_on_when_it_is_skipped(tile: Machine, name: str, addr: int, value: int) -> None:
    """Nothing of a store that the window refuses stays in the tracker of pushes."""
    tile.faults.set("all=count")
    refused = [*li(8, addr), *li(9, value), asm(name, rs1=8, rs2=9)]
    tile.load(T0, image([*refused, *stored(["SEMPOST sem=1"] * 3), EBREAK], BASE))
    while (stop := tile.run(2000)) is not None and stop.kind is StopKind.EBREAK:
        pass
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    S = tile.S
    assert (S.push.count[0], S.passed.count[0]) == (3, 3)
    assert (S.tracker.count[0], S.tracker.entering[0]) == (0, 0)
