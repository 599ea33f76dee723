# SPDX-License-Identifier: Apache-2.0
"""What Wormhole's four packers know of their tiles, and PACR_SETREG (their pages)."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.devices import tdma
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.assembler import asm, li
from tests.core.tensix.drive import run
from tests.core.tensix.packer.packer import BF16, FP16, FP32, THREAD, bf16_row, counters, x_end
from tests.core.tensix.packer.test_pack_metadata import special
from tests.core.tensix.programs import ttinsn
from tests.core.wormhole.programs import words_of
from tests.core.wormhole.test_pack import (
    FACE,
    SETS,
    bf16,
    configure,
    formats,
    pack,
    packed,
    rows,
    stop_of,
    tile,
)

__all__ = ["bf16", "tile"]  # fixtures
TDMA = tdma.TDMA_BASE
SRC, DST = TDMA, TDMA + 4  # XMOV_SRC_ADDR and XMOV_DST_ADDR: they hold what is written


def gprs(machine: Machine, first: int = 4) -> list[int]:
    return [int(machine.record.S.gpr.word[THREAD * 64 + first + i]) for i in range(4)]


def store(machine: Machine, addr: int, value: int) -> None:
    stop = run(machine, {T0: [*li(5, addr), *li(6, value), asm("sw", rs1=5, rs2=6)]})
    assert stop is not None
    assert stop.kind is StopKind.ALL_PAUSED, stop.text


@pytest.fixture
def sizes(bf16: Machine) -> Machine:
    """Packer 0 has packed tiles of 2 and of 4 blocks, packer 2 one of 4."""
    pack(bf16, "PACR packer_mask=0x1, last=1")
    x_end(bf16, 31)
    pack(bf16, "PACR packer_mask=0x5, last=1")
    return bf16


def test_each_packer_counts_its_own_tiles(sizes: Machine) -> None:
    pack(sizes, special(0))
    assert gprs(sizes) == [6 << 16 | 4, 0, 4 << 16 | 4, 0]
    pack(sizes, special(0, size=1, half=4, result=21))
    assert gprs(sizes, 10)[0] == 4 << 16 | 4
    pack(sizes, special(0, size=0, half=5, result=23))
    assert gprs(sizes, 11)[0] == 4 << 16


def test_the_last_tile_is_one_of_the_thread(sizes: Machine) -> None:
    """Another thread has packed none."""
    words = words_of([special(0)])
    run(sizes, {T0: [ttinsn(word) for word in words]})
    assert [int(sizes.record.S.gpr.word[4 + i]) for i in range(4)] == [0] * 4


def test_a_header_of_each_packer(sizes: Machine) -> None:
    configure(sizes, THCON_SEC1_REG1_Out_data_format=BF16, THCON_SEC1_REG8_Out_data_format=FP16)
    pack(sizes, special(4))
    assert gprs(sizes) == [5, BF16 << 16 | 1 << 20, 0, 0]
    pack(sizes, special(5))
    assert gprs(sizes) == [1, FP16 << 16 | 1 << 20, 0, 0]
    configure(
        sizes,
        THCON_SEC0_REG1_All_pack_disable_zero_compress=0b0111,
        THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd=1,
    )
    pack(sizes, special(5), special(2, result=16))
    assert gprs(sizes) == [1, FP16 << 16, 0, 0]
    assert gprs(sizes, 8) == [5, BF16 << 16 | 1 << 20, 0, 0]


def test_sums_begin_anew_by_mask(sizes: Machine) -> None:
    pack(sizes, special(8, which=0b0100), special(0))
    assert gprs(sizes) == [6 << 16 | 4, 0, 4, 0]
    store(sizes, TDMA + 0x01C, 1 << 16 | 1 << 17 | 2)
    pack(sizes, special(0))
    assert gprs(sizes) == [4, 0, 4, 0]


def test_the_offset_of_a_packer(bf16: Machine) -> None:
    """What is stored with bit 17 is added to the addresses of packer 1."""
    for section in SETS:
        configure(bf16, **{f"{section}_Add_l1_dest_addr_offset": 1})
    store(bf16, TDMA + 0x01C, 1 << 17 | 2)
    pack(bf16, "PACR packer_mask=0x3, last=1")
    found = packed(bf16, 32)
    assert found[0][:16] == rows(0)
    assert found[1] == [0] * 16 + rows(FACE)


def test_all_zero_flags_of_each_packer(tile: Machine) -> None:
    formats(tile, BF16, BF16)
    for section in SETS:
        configure(
            tile,
            **{f"{section}_Disable_zero_compress": 0, f"{section}_Row_start_section_size": 1},
        )
    for row in range(4 * FACE):
        bf16_row(tile, row, [0 if row in (FACE, FACE * 3) else 0x3F80] * 16)
    pack(tile, "PACR packer_mask=0xf, last=1", special(1), special(8, result=16))
    assert gprs(tile) == [0, 1, 0, 1]
    assert gprs(tile, 8) == [0b1010, 0, 0, 0]


def test_a_histogram_of_each_packer(bf16: Machine) -> None:
    configure(bf16, ENABLE_ACC_STATS_Enable=1)
    for column in range(16):
        bf16.record.S.dst.bits[FACE * 2, column] = 0
    bf16_row(bf16, FACE * 2, [0x4000] * 16)
    wait = "STALLWAIT block=B5, wait=C3|C4|C5|C6"
    pack(bf16, "PACR packer_mask=0x5, last=1", wait, special(7), special(6, which=2, result=16))
    assert gprs(bf16)[3] == 16 << 24
    assert gprs(bf16, 8) == [16, 0, 0, 0]


# -- PACR_SETREG
def setreg(machine: Machine, addr: int, value: int, which: int = 0) -> None:
    low = addr - 0xFFB00000
    base = (low >> 18) << (20 + 2 * which) | ((low >> 2) & 0x3FF) << (10 * which)
    store(machine, TDMA + 0x038, base)
    text = f"PACR_SETREG addr_sel={which}, value10={value}, addr_mid={(low >> 12) & 63:#x}"
    pack(machine, text)


def word(machine: Machine, addr: int) -> int:
    return int(machine.record.S.tdma.word[tdma.SLOT[(addr & 0xFFF) >> 2]])


def test_a_store_in_order_with_the_packers(bf16: Machine) -> None:
    setreg(bf16, DST, 0x123)
    assert word(bf16, DST) == 0x123
    setreg(bf16, SRC, 0x3FF, which=1)
    assert word(bf16, SRC) == 0x3FF


def test_what_is_left_goes_to_l1_first(bf16: Machine) -> None:
    """As a PACR with Flush, for all four packers."""
    x_end(bf16, 3)
    store(bf16, TDMA + 0x038, (TDMA & 0xFFF | 4) >> 2)
    pack(bf16, "PACR packer_mask=0xf", "PACR_SETREG addr_sel=0, value10=7, addr_mid=0x11")
    assert packed(bf16, 8) == [rows(FACE * i, columns=range(4)) + [0] * 4 for i in range(4)]
    assert word(bf16, DST) == 7


@pytest.mark.parametrize("form", [FP32, 1, 2, 15])
def test_the_format_of_packer_0_chooses_a_scaler(bf16: Machine, form: int) -> None:
    scalers = 0x1FF, 0x101, 0x0FF, 0x1A5
    store(bf16, TDMA + 0x03C, scalers[0] | scalers[1] << 9 | scalers[2] << 18)
    store(bf16, TDMA + 0x028, scalers[3] << 16)
    configure(bf16, THCON_SEC0_REG1_Out_data_format=form)
    setreg(bf16, DST, 0x3FF)
    assert word(bf16, DST) == 0x3FF + ((0x3FF * scalers[form & 3] & 0x1FFFF) << 12)


def test_addresses_outside_the_devices(bf16: Machine) -> None:
    store(bf16, TDMA + 0x038, 3 << 20)
    pack(bf16, "PACR_SETREG addr_sel=0, value10=1, addr_mid=0")  # 0xFFBC0000: nothing happens
    store(bf16, TDMA + 0x038, 0)
    stop = stop_of(bf16, "PACR_SETREG addr_sel=0, value10=1, addr_mid=0x10")
    assert stop.code == Fault.PACR_SETREG_BASE
    assert "RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS" in stop.text


def test_many_wait_for_room_in_the_queue(bf16: Machine) -> None:
    store(bf16, TDMA + 0x038, 1)
    counters(bf16, 0, y=0)
    texts = [f"PACR_SETREG addr_sel=0, value10={i}, addr_mid=0x11" for i in range(1, 60)]
    pack(bf16, *texts)
    assert word(bf16, DST) == 59


def test_each_packer_is_busy_with_it(bf16: Machine) -> None:
    """C6 alone waits for it."""
    store(bf16, TDMA + 0x038, 1)
    pack(
        bf16,
        "PACR_SETREG addr_sel=0, value10=9, addr_mid=0x11",
        "STALLWAIT block=B5, wait=C6",
        "SETDMAREG new_value=1, result_half_reg=8",
    )
    assert word(bf16, DST) == 9
