# SPDX-License-Identifier: Apache-2.0
"""The debug daisychain and the debug interface of Wormhole (DebugDaisychain.md, DebugInterface.md):
signals at Wormhole's places, and what only Blackhole's interface does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tensix_gdb.core.arch.blackhole import LOCAL_BASE, T0, T1, T2, TILE_CONTROL_BASE, B
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS
from tests.assembler import SPIN, image
from tests.core.devices.test_debug_bus import reads
from tests.core.devices.test_risc_debug import (
    PAUSE,
    PC,
    READ_MEMORY,
    STEP,
    WRITE_MEMORY,
    command,
    counting,
    debug,
    read,
    register,
)
from tests.core.tensix.programs import ttinsn
from tests.core.wormhole.programs import words_of
from tests.machines import machine_on

Field = Callable[[int, int, int, int], int]


@pytest.fixture(params=["reference", "compiled"])
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(request.param, Schedule.LATENCY, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


@pytest.fixture
def bits(tile: Machine) -> Field:
    """Read bits of a group: DaisySel, SignalSel, first bit, width."""
    word = reads(tile)

    def read_bits(daisy: int, signal: int, first: int, width: int) -> int:
        whole = sum(word(daisy, signal, number) << 32 * number for number in range(4))
        return whole >> first & (1 << width) - 1

    return read_bits


def test_row_counters(tile: Machine, bits: Field) -> None:
    rwc = tile.S.rwc
    for i in range(3):
        rwc.src_a[i], rwc.src_a_cr[i], rwc.src_b[i], rwc.src_b_cr[i] = range(i + 10, i + 50, 10)
        rwc.dst[i], rwc.dst_cr[i], rwc.fidelity[i] = 0x2A0 + i, 0x150 + i, 3 - i
    for i in range(3):
        sources = [bits(3, 2, first + 16 * i, 6) for first in (0, 8, 48, 56)]
        assert sources == [i + 10, i + 20, i + 30, i + 40]
        signal, first = (2, 96) if i == 0 else (3, 32 * i - 32)
        assert bits(3, signal, first, 10) == 0x2A0 + i
        assert bits(3, signal, first + 16, 10) == 0x150 + i
        assert bits(3, 4, 62 + 2 * i, 2) == 3 - i


def test_what_a_wait_gate_holds(tile: Machine, bits: Field) -> None:
    words = words_of(["SEMWAIT block=ALL, sem=S1, wait=C0", "SETDMAREG 0, 5, 0, 4", *["NOP"] * 4])
    tile.load(T1, image([*map(ttinsn, words), SPIN], 0x6000))
    tile.run(400)
    assert bits(1, 8, 55, 32) == words[1]
    assert (bits(1, 8, 87, 1), bits(1, 12, 87, 1)) == (0, 1)
    assert bits(1, 12, 55, 32) == 0
    assert (bits(1, 8, 90, 1), bits(1, 12, 90, 1)) == (0, 1)


def test_who_has_the_source_banks(tile: Machine, bits: Field) -> None:
    busy = tile.S.busy
    busy.src_client[0, 1] = MATRIX_OWNS
    busy.unpack_bank[0] = 1
    busy.src_client[1, 0] = MATRIX_OWNS
    assert [bits(6, 9, at, 1) for at in (84, 85, 90, 91, 92, 94)] == [0, 0, 1, 0, 0, 1]
    assert [bits(6, 9, at, 1) for at in (100, 101, 106, 107, 108, 110)] == [0, 1, 0, 1, 0, 0]


def test_enabled_lanes(tile: Machine, bits: Field) -> None:
    assert bits(7, 28, 0, 32) == 0xFFFFFFFF
    tile.S.vector.use_flags = 0xFFFFFFFF
    tile.S.vector.flags = 1 << 8 | 1 << 1 | 1 << 31
    assert bits(7, 28, 0, 32) == 1 << 1 | 1 << 4 | 1 << 31


def test_the_self_test(bits: Field) -> None:
    assert bits(6, 255, 0, 64) == 0xA5A5A5A5 << 32 | 6


def test_one_command_is_one_step(tile: Machine) -> None:
    """Of Blackhole it takes two (tt-exalens)."""
    counting(tile, T0)
    steps = [command(T0, PAUSE), register(T0, PC), command(T0, STEP), register(T0, PC)]
    first, second = debug(tile, *steps)
    assert first != second


def test_t2_reads_all_of_its_local_ram(tile: Machine) -> None:
    """A fault that tt-exalens avoids on Blackhole is none of Wormhole's."""
    counting(tile, T2)
    tile.run(50)
    steps = [command(T2, PAUSE)]
    for at in range(0, 16, 4):
        steps += [command(T2, WRITE_MEMORY, LOCAL_BASE + at, 0x10 + at)]
    for at in range(0, 16, 4):
        steps += [command(T2, READ_MEMORY, LOCAL_BASE + at) + read(T2, 4)]
    assert debug(tile, *steps) == [0x10, 0x14, 0x18, 0x1C]


def test_registers_are_at_the_same_place(tile: Machine) -> None:
    """A hart selects and loads as a debugger does."""
    tile.poke(B, TILE_CONTROL_BASE + 0x54, (1 << 29 | 7 << 16 | 255).to_bytes(4, "little"))
    assert int.from_bytes(tile.peek(B, TILE_CONTROL_BASE + 0x5C, 4), "little") == 7
