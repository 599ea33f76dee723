# SPDX-License-Identifier: Apache-2.0
"""The answers of TDMA-RISC and SETDMAREG about packed tiles (TDMA-RISC.md,
SETDMAREG_Special.md)."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0, T2
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.assembler import asm, li
from tests.core.tensix.drive import run
from tests.core.tensix.packer.packer import BF16, bf16_row, configure, formats, pack, refused
from tests.core.tensix.programs import push_all

TDMA = 0xFFB11000


@pytest.fixture
def packed(tile: Machine) -> Machine:
    """Two tiles, of 8 and 16 blocks."""
    formats(tile, BF16, BF16, THCON_SEC0_REG1_Enable_out_fifo=1)
    for row in range(4):
        bf16_row(tile, row, [0x3F80] * 16)
    pack(tile, "PACR last=1", "PACR", "PACR last=1")
    return tile


def gpr(tile: Machine, number: int) -> int:
    return int(tile.record.S.gpr.word[2 * 64 + number])


def special(source: int, *, size: int = 2, which: int = 0, half: int = 0, result: int = 8) -> str:
    return (
        f"SETDMAREG result_size={size}, which_packers={which}, input_source={source}, "
        f"input_half_reg={half}, result_half_reg={result}"
    )


def load(tile: Machine, *offsets: int, hart: int = T0) -> list[int]:
    """Return what a hart loads from TDMA-RISC."""
    program = []
    for i, offset in enumerate(offsets):
        program += [*li(5, TDMA + offset), asm("lw", rd=10 + i, rs1=5)]
    stop = run(tile, {hart: program})
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    return [int(tile.record.S.hart.x[hart, 10 + i]) for i in range(len(offsets))]


def test_sizes(packed: Machine) -> None:
    assert load(packed, 0x018, 0x058, 0x098, 0x01C, 0x09C) == [0, 0, 16, 0, 24]
    store = [*li(5, TDMA + 0x01C), *li(6, 0x10123), asm("sw", rs1=5, rs2=6)]
    run(packed, {T0: store})
    assert load(packed, 0x09C) == [0]
    assert packed.record.S.pack.offset == 0x123


def test_fifo(packed: Machine) -> None:
    assert load(packed, 0x038) == [0x54]
    assert load(packed, 0x030, 0x034, 0x030, 0x034, 0x038) == [8, 0, 16, 0, 0x55]
    for _ in range(9):
        pack(packed, "PACR last=1")
    assert load(packed, 0x038) == [0x56]
    assert load(packed, 0x030) == [8]


def test_a_load_waits_for_a_tile(packed: Machine) -> None:
    load(packed, 0x034, 0x034)
    program = [*li(5, TDMA + 0x030), asm("lw", rd=10, rs1=5)]
    stop = run(packed, {T0: program, T2: push_all(["PACR last=1"])})
    assert stop is not None
    assert packed.record.S.hart.x[T0, 10] == 8


def test_setdmareg_sizes_and_header(packed: Machine) -> None:
    packed.record.S.pack.zero_flags = 0x80000001
    pack(packed, special(0))
    assert [gpr(packed, 4 + i) for i in range(4)] == [24 << 16 | 16, 0, 0, 0]
    pack(packed, special(2))
    assert [gpr(packed, 4 + i) for i in range(4)] == [17, 0x00150000, 0x80000001, 0]
    pack(packed, special(1, size=1, result=21))
    assert gpr(packed, 10) == 0x80000001
    pack(packed, special(0, size=0, half=1, result=23))
    assert gpr(packed, 11) == 24 << 16
    pack(packed, special(8, which=1))
    assert gpr(packed, 4) == 1
    pack(packed, special(0))
    assert gpr(packed, 4) == 16
    pack(packed, special(11))
    assert [gpr(packed, 4 + i) for i in range(4)] == [0] * 4


def test_setdmareg_leaves_reserved_bits(packed: Machine) -> None:
    S = packed.record.S
    for i in range(4):
        S.gpr.word[128 + 4 + i] = 0xFFFFFFFF
    pack(packed, special(2, size=3))
    assert [gpr(packed, 4 + i) for i in range(4)] == [0xFFFF0011, 0xFF15FFFF, 0, 0xFFFFFFFF]


def test_setdmareg_histogram(packed: Machine) -> None:
    configure(packed, ENABLE_ACC_STATS_Enable=1)
    wait = "STALLWAIT block=B5, wait=C3"
    pack(packed, "PACR last=1", wait, special(7), special(9, size=1, result=20))
    assert gpr(packed, 7) == 64 << 24
    assert gpr(packed, 10) == 0x7F


@pytest.mark.parametrize(("source", "which"), [(3, 0), (5, 0), (6, 1), (7, 3)])
def test_packers_that_are_not_there(tile: Machine, source: int, which: int) -> None:
    assert refused(tile, special(source, which=which)).code == Fault.TENSIX_MODE
