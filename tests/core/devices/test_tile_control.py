# SPDX-License-Identifier: Apache-2.0
"""Tile control registers that are no device of their own, and the debug bus."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import NC, T0, T1, T2, B
from tensix_gdb.core.devices.registers import Access
from tensix_gdb.core.devices.tile_control import BLOCK
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.assembler import asm
from tests.core.devices.scripts import PLACES, Load, Store, fault_of, run, start, until_pause

CONTROL = 0xFFB12000
CTRL0, CTRL1, STATUS = CONTROL + 0xA0, CONTROL + 0xA4, CONTROL + 0xA8
BUS, BUS_DATA = CONTROL + 0x54, CONTROL + 0x5C
PUSH = 0xFFE40000
NOP = 0x02000000
ENABLED, DAISY = 1 << 29, 7 << 16


# BabyRISCV/PushTensixInstruction.md


@pytest.mark.parametrize(("hart", "window", "thread"), [
    (B, 0, 0), (B, 1, 1), (B, 2, 2), (T0, 0, 0), (T1, 0, 1), (T2, 0, 2),
])  # fmt: skip
def test_who_pushes_where(tile: Machine, hart: int, window: int, thread: int) -> None:
    run(tile, hart, Store(PUSH + 0x10000 * window, NOP))
    assert [int(tile.S.push.count[i]) for i in range(3)] == [int(i == thread) for i in range(3)]


def test_the_debug_bus_pushes_on_a_rising_edge(tile: Machine) -> None:
    steps = [
        *(Store(CTRL1, NOP), Store(CTRL0, 0x11), Store(CTRL0, 0x11), Store(CTRL0, 0x01)),
        *(Store(CTRL0, 0x11), Store(CTRL0, 0x01), Store(PUSH, NOP), Load(CTRL0)),
    ]
    assert run(tile, B, *steps) == [1]
    assert tile.S.push.count[0] == 2, "two edges; while the bus has control B's push is lost"
    assert tile.S.push.count[1] == 0


def test_without_control_no_push(tile: Machine) -> None:
    run(tile, B, Store(CTRL1, NOP), Store(CTRL0, 0x20), Store(PUSH, NOP))
    assert [int(tile.S.push.count[i]) for i in range(3)] == [1, 0, 0]


def test_nc_has_no_push_window(tile: Machine) -> None:
    assert fault_of(tile, NC, Store(PUSH, NOP))[0] is Fault.STORE_UNMAPPED


# WormholeB0 DebugDaisychain.md; the numbers are those of tt-exalens for Blackhole


@pytest.mark.parametrize(("hart", "signal"), [(T0, 12), (T1, 14), (T2, 16), (NC, 24)])
def test_the_pc_over_the_debug_bus(tile: Machine, hart: int, signal: int) -> None:
    start(tile, {hart: [asm("jal")]})
    tile.run(50)
    retired, frontend = ENABLED | DAISY | signal, ENABLED | DAISY | 1 << 25 | signal + 1
    steps = [
        *(Store(BUS, retired), Load(BUS_DATA), Store(BUS, frontend), Load(BUS_DATA)),
        *(Store(BUS, frontend & ~ENABLED), Load(BUS_DATA), Load(BUS)),
    ]
    found = until_pause(tile, B, *steps)
    assert [found[0], found[1] & 0x3FFFFFFF] == [PLACES[hart]] * 2
    assert found[2:] == [0, frontend & ~ENABLED]


# tensix.h


def test_registers_that_are_storage(tile: Machine) -> None:
    for name in ("DEST_CG_CTRL", "CG_CTRL_HYST0", "DBG_FEATURE_DISABLE"):
        at = next(offset for offset, row, _ in BLOCK if row.name == name)
        tile.reset()
        assert run(tile, NC, Store(CONTROL + at, 0x12345678), Load(CONTROL + at)) == [0x12345678]
        tile.images.clear()


MISSING = [(offset, row.title(i)) for offset, row, i in BLOCK if row.access is Access.MISSING]


@pytest.mark.parametrize(("offset", "name"), MISSING[::4])
def test_registers_that_are_known_by_name_only(machine: Machine, offset: int, name: str) -> None:
    code, text = fault_of(machine, B, Load(CONTROL + offset))
    assert code is Fault.UNIMPLEMENTED_REGISTER
    assert f"access to {name} at {CONTROL + offset:#010x}" in text


def test_no_register(tile: Machine) -> None:
    assert fault_of(tile, B, Store(CONTROL + 0xFFC, 1))[0] is Fault.UNKNOWN_REGISTER


def test_every_register_can_be_looked_at(machine: Machine) -> None:
    for offset, row, _ in BLOCK:
        if row.access is not Access.MISSING:
            assert len(machine.peek(B, CONTROL + offset, 4)) == 4


def test_full_and_empty(tile: Machine) -> None:
    assert run(tile, B, Load(STATUS)) == [0x77]
    assert fault_of(tile, T0, Store(STATUS, 0))[0] is Fault.STORE_READ_ONLY
