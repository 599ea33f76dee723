# SPDX-License-Identifier: Apache-2.0
"""Devices of Wormhole that are not Blackhole's: configuration, tile control, PIC, NIUs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tensix_gdb.core.arch.blackhole import NC, SOFT_RESET_HARTS, T0, B
from tensix_gdb.core.arch.chips import WORMHOLE
from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.devices.blocks import register_name
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import DIALECTS, Arch
from tensix_gdb.core.machine import Machine
from tests.core.devices.scripts import Load, Store, fault_of, run
from tests.core.tensix.programs import ttinsn
from tests.machines import ENGINES, SCHEDULES, machine_on

CONFIG, CONTROL, PIC, NOC0 = 0xFFEF0000, 0xFFB12000, 0xFFB13000, 0xFFB20000
BANK, THREADS = 4 * 188, 2 * 4 * 188  # bytes


@pytest.fixture(params=[(e, s) for e in ENGINES[:2] for s in SCHEDULES], ids=str)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    engine, schedule = request.param
    machine = machine_on(engine, schedule, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def fault(tile: Machine, hart: int, *steps: Store | Load | int) -> Fault:
    """The fault of a program on the tile after a reset."""
    tile.images.clear()
    tile.reset()
    return fault_of(tile, hart, *steps)[0]


def test_the_window_onto_the_configuration(tile: Machine) -> None:
    """BackendConfiguration.md: two banks of 188 words; those from 152 on are one."""
    steps = [Store(CONFIG + 4 * 60, 1), Store(CONFIG + BANK + 4 * 60, 2)]
    steps += [Store(CONFIG + BANK + 4 * 152, 3), Store(CONFIG + 4 * 151, 4)]
    loads = [Load(CONFIG + at + 4 * word) for word in (60, 151, 152) for at in (0, BANK)]
    assert run(tile, B, *steps, *loads) == [1, 2, 4, 0, 3, 3]
    assert fault(tile, B, Store(CONFIG + THREADS, 1)) is Fault.STORE_THREAD_CONFIG
    assert fault(tile, B, Load(CONFIG + THREADS + 3 * 57 * 16)) is Fault.UNKNOWN_REGISTER
    assert fault(tile, B, Store(CONFIG, 1, "sb")) is Fault.STORE_WIDTH


def test_a_word_of_thread_config_has_sixteen_bytes(tile: Machine) -> None:
    pushed = ttinsn(parse("SETC16 cfg_index=5, new_value=0x123", DIALECTS["wormhole"]))
    assert run(tile, T0, pushed, *[0x13] * 40, Load(CONFIG + THREADS + 5 * 16, "lhu")) == [0x123]
    assert run(tile, T0, Load(CONFIG + THREADS + 5 * 16 + 4)) == [0]


def test_state_reset_leaves_what_both_banks_share(tile: Machine) -> None:
    stores = [Store(CONFIG + 4 * word, 7) for word in (150, 152)]
    read = [Load(CONFIG + 4 * word) for word in (150, 152)]
    assert run(tile, B, *stores, Store(CONFIG + 4 * 4, 1), *read) == [0, 7]


def test_tile_control(tile: Machine) -> None:
    """Registers that are in neither a page nor tensix.h; bits of SOFT_RESET_0; CFGREG_RD_CNTL."""
    held = SOFT_RESET_HARTS & ~(1 << 18)
    reset = Store(CONTROL + 0x1B0, held | 1 << 23)
    assert run(tile, NC, reset, Load(CONTROL + 0x1B0)) == [held]
    read = [Store(CONTROL + 0x58, 188 + 9), Load(CONTROL + 0x78)]
    assert run(tile, B, Store(CONFIG + BANK + 4 * 9, 0x55), *read) == [0x55]
    assert run(tile, B, Load(CONTROL + 0x1F0)) != [0], "the wall clock is where it was"
    for offset in (0x224, 0x228, 0x23C, 0x244):
        assert fault(tile, NC, Store(CONTROL + offset, 1)) is Fault.UNKNOWN_REGISTER
        assert fault(tile, NC, Load(CONTROL + offset)) is Fault.UNKNOWN_REGISTER


def test_the_base_of_nc(tile: Machine) -> None:
    """TDMA-RISC.md: of XMOV_L1_BASE_ADDR there are four; NC reads that of T0, and has none."""
    assert run(tile, T0, Store(0xFFB1102C, 0x1230)) == []
    tile.images.clear()
    assert run(tile, NC, Load(0xFFB1102C)) == [tile.S.tdma.mover_base[T0]]
    assert fault(tile, NC, Store(0xFFB1102C, 7)) is Fault.UNIMPLEMENTED_REGISTER


def test_the_pic(tile: Machine) -> None:
    """PIC.md: reset values and kept bits. Nothing raises a request; what would need one stops."""
    stores = [Store(PIC + 0x8, 0x100FF), Store(PIC + 0x10, 0x1FF), Store(PIC + 0x18, 7)]
    stores += [Store(PIC, 0xFFFFFFFF), Store(PIC + 0xC, 0x101)]
    loads = [Load(PIC + at) for at in (0x0, 0x4, 0x8, 0xC, 0x10, 0x14, 0x18)]
    assert run(tile, NC, *loads) == [0, 0, 0, 0x10000, 3, 0, 0]
    assert run(tile, NC, *stores, *loads) == [0, 0, 0x100FF, 0x10101, 0x7F, 0, 3]
    for store in (Store(PIC + 0x8, 1 << 17), Store(PIC + 0xC, 1)):
        assert fault(tile, NC, store) is Fault.UNIMPLEMENTED_REGISTER
    assert fault(tile, B, Store(PIC + 0x8, 1, "sb")) is Fault.STORE_WIDTH
    assert fault(tile, B, Load(PIC + 0x34)) is Fault.UNKNOWN_REGISTER
    assert register_name(B, PIC + 0x18, WORMHOLE) == "PIC_STREAM_IRQ_TYPE[1]"


def test_an_niu_is_known_by_its_coordinates(tile: Machine) -> None:
    """NoC/MemoryMap.md: 10 by 12 tiles, this one at (1, 1), which NoC 1 calls (8, 10)."""
    ids = run(tile, B, Load(NOC0 + 0x2C), Load(NOC0 + 0x1042C))
    places = [(word & 63, word >> 6 & 63, word >> 12 & 127, word >> 19 & 127) for word in ids]
    assert places == [(1, 1, 10, 12), (8, 10, 10, 12)]
    assert run(tile, B, Load(NOC0 + 0x138), Load(NOC0 + 0x200)) == [1 | 1 << 6, 0]


@pytest.mark.parametrize(("mode", "first", "end"), [(2, 0, 512), (3, 0, 1024)])
def test_zeroacc_of_much(mode: int, first: int, end: int) -> None:
    machine = machine_on("reference", arch=Arch.WORMHOLE)
    for row in range(1024):
        machine.S.dst.undefined[row] = 0
    text = f"ZEROACC clear_mode={mode}"
    run(machine, T0, ttinsn(parse(text, DIALECTS["wormhole"])), *[0x13] * 8)
    rows = [row for row in range(1024) if machine.S.dst.undefined[row]]
    assert rows == list(range(first, end))
    machine.close()
