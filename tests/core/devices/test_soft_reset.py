# SPDX-License-Identifier: Apache-2.0
"""Soft reset, reset pcs and DISABLE_RESET, as SoftReset.md has them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import HARTS, LOCAL_BASE, NC, T0, T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tests.assembler import EBREAK, asm
from tests.core.devices.scripts import (
    Load,
    Store,
    fault_of,
    finish,
    loaded,
    run,
    start,
    until_pause,
)

SOFT_RESET_0, DISABLE_RESET = 0xFFB121B0, 0xFFB12224
TRISC_RESET_PC, TRISC_OVERRIDE = 0xFFB12228, 0xFFB12234
NC_RESET_PC, NC_OVERRIDE = 0xFFB12238, 0xFFB1223C
BIT = {B: 1 << 11, T0: 1 << 12, T1: 1 << 13, T2: 1 << 14, NC: 1 << 18}
ALL_BUT_B = BIT[T0] | BIT[T1] | BIT[T2] | BIT[NC]
FIXED = {T0: 0x6000, T1: 0xA000, T2: 0xE000, NC: 0x12000}
MARK = asm("addi", rd=5, imm=7)


def put(tile: Machine, addr: int, words: list[int]) -> None:
    tile.load_bytes(addr, b"".join(word.to_bytes(4, "little") for word in words))


@pytest.mark.parametrize("hart", FIXED)
def test_the_fixed_reset_pcs(tile: Machine, hart: int) -> None:
    put(tile, FIXED[hart], [MARK, EBREAK])
    assert run(tile, B, Store(SOFT_RESET_0, ALL_BUT_B & ~BIT[hart]), Load(SOFT_RESET_0)) == [
        ALL_BUT_B & ~BIT[hart]
    ]
    assert finish(tile) is None
    assert tile.read_pc(hart) == FIXED[hart] + 4
    assert [tile.read_x(other, 5) for other in FIXED] == [7 * (other == hart) for other in FIXED]


@pytest.mark.parametrize("hart", FIXED)
def test_the_overrides(tile: Machine, hart: int) -> None:
    put(tile, 0x3000, [MARK, EBREAK])
    pc = NC_RESET_PC if hart == NC else TRISC_RESET_PC + 4 * (hart - T0)
    override = (NC_OVERRIDE, 1) if hart == NC else (TRISC_OVERRIDE, 1 << (hart - T0))
    steps = [Store(pc, 0x3000), Store(*override), Store(SOFT_RESET_0, ALL_BUT_B & ~BIT[hart])]
    run(tile, B, *steps)
    assert finish(tile) is None
    assert tile.read_pc(hart) == 0x3004


def test_bits_that_have_no_effect(tile: Machine) -> None:
    steps = [
        *(Store(SOFT_RESET_0, 0xFF000000 | ALL_BUT_B), Load(SOFT_RESET_0)),
        *(Store(DISABLE_RESET, 0xFFFFFFFF), Load(DISABLE_RESET)),
        *(Store(TRISC_OVERRIDE, 0xFFFFFFFF), Load(TRISC_OVERRIDE)),
        *(Store(NC_OVERRIDE, 0xFFFFFFFF), Load(NC_OVERRIDE)),
    ]
    assert run(tile, B, *steps) == [ALL_BUT_B, 0x3FF, 7, 1]


@pytest.mark.parametrize("hart", FIXED)
def test_leaving_clears_registers_and_local_ram(tile: Machine, hart: int) -> None:
    start(tile, {hart: [Store(LOCAL_BASE + 0x10, 0x55), Load(LOCAL_BASE + 0x10)]})
    assert finish(tile) is None
    assert loaded(tile, hart, [Load(0)]) == [0x55]
    put(tile, FIXED[hart], [asm("jal")])
    tile.S.tile_control.trisc_override = 0
    tile.S.tile_control.ncrisc_override = 0
    steps = [Store(SOFT_RESET_0, ALL_BUT_B), Store(SOFT_RESET_0, ALL_BUT_B & ~BIT[hart])]
    until_pause(tile, B, *steps)
    assert not tile.S.hart.in_reset[hart]
    assert [tile.read_x(hart, i) for i in range(32)] == [0] * 32
    assert tile.peek(hart, LOCAL_BASE + 0x10, 4) == bytes(4)


@pytest.mark.parametrize("hart", FIXED)
def test_disable_reset_keeps_local_ram(tile: Machine, hart: int) -> None:
    start(tile, {hart: [Store(LOCAL_BASE + 0x10, 0x55)]})
    assert finish(tile) is None
    put(tile, FIXED[hart], [asm("jal")])
    bit = {T0: 0, T1: 2, T2: 4, NC: 8}[hart]
    steps = [
        Store(DISABLE_RESET, 1 << bit),
        *(Store(SOFT_RESET_0, ALL_BUT_B), Store(SOFT_RESET_0, ALL_BUT_B & ~BIT[hart])),
    ]
    until_pause(tile, B, *steps)
    assert tile.peek(hart, LOCAL_BASE + 0x10, 1) == b"\x55"


def test_entering_discards_what_the_core_has_written_to_mailboxes(tile: Machine) -> None:
    steps = [Store(0xFFEC0000, 1), Store(0xFFEC2000, 2)]
    start(tile, {T0: steps, T2: [Store(0xFFEC0000, 3)]})
    assert finish(tile) is None
    held = tile.S.mailbox.count
    assert [held[T0, B], held[T0, T1], held[T2, B]] == [1, 1, 1]
    run(tile, B, Store(SOFT_RESET_0, ALL_BUT_B & ~BIT[T2]))
    assert [held[T0, B], held[T0, T1], held[T2, B]] == [0, 0, 1]


def test_a_core_in_reset_starts_nothing(tile: Machine) -> None:
    start(tile, {T1: [asm("jal")]})
    tile.run(200)
    count = tile.S.hart.retired[T1]
    run(tile, B, Store(SOFT_RESET_0, ALL_BUT_B))
    tile.run(100)
    assert tile.S.hart.in_reset[T1]
    assert tile.S.hart.retired[T1] > count
    after = tile.S.hart.retired[T1]
    tile.run(500)
    assert tile.S.hart.retired[T1] == after


def test_b_can_put_itself_into_reset(tile: Machine) -> None:
    start(tile, {B: [Store(SOFT_RESET_0, ALL_BUT_B | BIT[B])]})
    assert finish(tile) is None
    assert tile.S.hart.in_reset[B]
    assert all(tile.S.hart.in_reset[hart] for hart in range(HARTS))


def test_words_only(tile: Machine) -> None:
    assert fault_of(tile, B, Store(SOFT_RESET_0, 0, "sb"))[0] is Fault.STORE_WIDTH


def test_bytes_can_be_read(tile: Machine) -> None:
    assert run(tile, B, Load(SOFT_RESET_0 + 1, "lbu"), Load(SOFT_RESET_0 + 2, "lhu")) == [
        ALL_BUT_B >> 8 & 0xFF,
        ALL_BUT_B >> 16,
    ]
