# SPDX-License-Identifier: Apache-2.0
"""The tiles' facts in Wormhole's four packers, and PACR_SETREG (their pages)."""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.arch.blackhole import T0
from tensix_gdb.core.devices import tdma
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tensix_gdb.core.tensix.packer.four import images
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
    """A value that is stored with bit 17 is added to the addresses of packer 1."""
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


class Known:
    """The packers' facts, drawn at random, and SETDMAREG_Special.md over them."""

    def __init__(self, machine: Machine, rng: random.Random) -> None:
        self.size = [rng.getrandbits(16) for _ in range(4)]
        self.thread = [rng.choice((THREAD, 0)) for _ in range(4)]
        self.sum = [rng.getrandbits(16) for _ in range(4)]
        self.flags = [rng.getrandbits(32) for _ in range(4)]
        self.bins = [[rng.getrandbits(8) for _ in range(32)] for _ in range(4)]
        self.highest = rng.getrandbits(8)
        self.form = [rng.getrandbits(4) for _ in range(4)]
        self.plain = [rng.getrandbits(1) for _ in range(4)]
        self.all_plain, self.override = rng.getrandbits(4), rng.getrandbits(1)
        S = machine.record.S
        S.pack.last_thread, S.pack.last_size = self.thread[0] + 1, self.size[0]
        S.pack.acc_size[THREAD], S.pack.zero_flags = self.sum[0], self.flags[0]
        S.pack.max_exponent = self.highest
        for i in range(32):
            S.pack.bins[i] = self.bins[0][i]
        for packer in range(1, 4):
            at = images.PLACE + images.WORDS * packer
            S.local.word[at + images.LAST_THREAD_AT] = self.thread[packer] + 1
            S.local.word[at + images.LAST_SIZE_AT] = self.size[packer]
            S.local.word[at + images.ACC_SIZE_AT + THREAD] = self.sum[packer]
            S.local.word[at + images.ZERO_FLAGS_AT] = self.flags[packer]
            for i in range(32):
                S.local.word[at + images.BINS_AT + i] = self.bins[packer][i]
        for packer, section in enumerate(SETS):
            configure(
                machine,
                **{
                    f"{section}_Out_data_format": self.form[packer],
                    f"{section}_Disable_zero_compress": self.plain[packer],
                },
            )
        configure(
            machine,
            THCON_SEC0_REG1_All_pack_disable_zero_compress=self.all_plain,
            THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd=self.override,
        )

    def last(self, packer: int) -> int:
        return self.size[packer] if self.thread[packer] == THREAD else 0

    def values(self, source: int, which: int) -> list[int]:
        if source == 0:
            return [self.sum[i] << 16 | self.last(i) for i in range(4)]
        if source == 1:
            return self.flags
        if source <= 5:
            i = source - 2
            plain = self.all_plain >> i & 1 if self.override else self.plain[i]
            return [self.last(i) + 1 & 0xFFFF, self.form[i] << 16 | plain << 20, self.flags[i], 0]
        if source <= 7:
            half = bytes(self.bins[which & 3][16 * (source - 6) :][:16])
            return [int.from_bytes(half[i : i + 4], "little") for i in range(0, 16, 4)]
        if source == 8:
            for i in range(4):
                self.sum[i] = 0 if which >> i & 1 else self.sum[i]
            return [sum((self.flags[i] & 1) << i for i in range(4)), 0, 0, 0]
        return [self.highest if source == 9 else 0, 0, 0, 0]

    def execute(
        self, gprs: list[int], size: int, which: int, source: int, half: int, to: int
    ) -> None:
        values = self.values(source, which)
        if size == 0:
            part = values[half >> 1] >> 16 * (half & 1) & 0xFFFF
            old = gprs[to >> 1] & ~(0xFFFF << 16 * (to & 1))
            gprs[to >> 1] = old | part << 16 * (to & 1)
        elif size == 1:
            gprs[to >> 1] = values[half >> 1]
        else:
            first = to >> 1 & 0x3C
            for i, mask in enumerate((0xFFFF, 0xFF0000, 0xFFFFFFFF, 0) if size == 3 else [-1] * 4):
                gprs[first + i] = values[i] & mask | gprs[first + i] & ~mask


@pytest.mark.parametrize("seed", range(10))
def test_setdmareg_as_the_page_has_it(tile: Machine, seed: int) -> None:
    rng = random.Random(seed)
    known = Known(tile, rng)
    S = tile.record.S
    wanted = [rng.getrandbits(32) for _ in range(64)]
    for i in range(64):
        S.gpr.word[THREAD * 64 + i] = wanted[i]
    texts = []
    for _ in range(40):
        size, which, source = rng.randrange(4), rng.randrange(16), rng.randrange(16)
        half, to = rng.randrange(8), rng.randrange(128)
        texts.append(special(source, size=size, which=which, half=half, result=to))
        known.execute(wanted, size, which, source, half, to)
    pack(tile, *texts)
    assert [int(S.gpr.word[THREAD * 64 + i]) for i in range(64)] == wanted


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
