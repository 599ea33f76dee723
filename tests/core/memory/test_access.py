# SPDX-License-Identifier: Apache-2.0
"""`memory.access` does what loads and stores of a hart do, in every schedule."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, B
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.memory import access
from tensix_gdb.core.schedule import Schedule
from tests.core.devices.scripts import Load, Store, until_pause
from tests.machines import machine_on

# fmt: off
PLACES = {
    "L1":               (B, 0x8000, (1, 2, 4)),
    "local RAM":        (B, 0xFFB00100, (1, 2, 4)),
    "slow local RAM":   (B, 0xFFB18100, (1, 2, 4)),  # that of T0
    "a mailbox":        (B, 0xFFEC0000, (4,)),  # to itself
    "a GPR":            (T0, 0xFFE00010, (4,)),
}
# fmt: on
STORES = {1: "sb", 2: "sh", 4: "sw"}
LOADS = {1: "lbu", 2: "lhu", 4: "lw"}
VALUE = 0x89ABCDEF
CASES = [
    pytest.param(hart, addr + offset, size, id=f"{size} bytes at {offset} of {name}")
    for name, (hart, addr, sizes) in PLACES.items()
    for size in sizes
    for offset in range(0, 4, size)
]


def memories(tile: Machine) -> list[bytes]:
    rows = (tile.record.layout.slot(part, "word") for part in ("l1", "local", "gpr"))
    l1, *others = (bytes(tile.record.row(row)) for row in rows)
    return [l1[0x8000:], *others]


@pytest.mark.parametrize(("hart", "addr", "size"), CASES)
@pytest.mark.parametrize("schedule", [Schedule.SC, Schedule.LATENCY])
def test_it_is_the_load_and_the_store_of_a_hart(
    hart: int, addr: int, size: int, schedule: Schedule
) -> None:
    by_hart, at_once = machine_on("reference", schedule), machine_on("reference", schedule)
    loaded = until_pause(by_hart, hart, Store(addr, VALUE, STORES[size]), Load(addr, LOADS[size]))
    assert loaded == [VALUE & ((1 << 8 * size) - 1)]
    S = at_once.S
    assert access.store(S, hart, addr, size, loaded[0], 0) == 0
    assert access.load(S, hart, addr, size, 0) == loaded[0]
    assert memories(by_hart) == memories(at_once)
