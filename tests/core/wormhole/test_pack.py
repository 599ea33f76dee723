# SPDX-License-Identifier: Apache-2.0
"""The four packers of Wormhole: which datums of Dst, and where they go in L1 (Packers/)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tensix_gdb.core.arch.blackhole import SoftReset
from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.devices.wormhole.config_places import pieces
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import Space, config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.stop import Stop
from tensix_gdb.core.tensix.packer.four import images
from tests.core.tensix.drive import run
from tests.core.tensix.packer.packer import (
    BF16,
    BFP8,
    FP16,
    FP32,
    THREAD,
    bf16_row,
    counters,
    fp32_row,
    l1,
    x_end,
)
from tests.core.tensix.programs import ttinsn
from tests.core.wormhole.programs import words_of
from tests.machines import machine_on

FIELDS = config_fields(Arch.WORMHOLE)
SETS = ("THCON_SEC0_REG1", "THCON_SEC0_REG8", "THCON_SEC1_REG1", "THCON_SEC1_REG8")
LIMITS = ("SEC0_REG9_Pack_0_2", "SEC0_REG9_Pack_1_3", "SEC1_REG9_Pack_0_2", "SEC1_REG9_Pack_1_3")
FACE = 16  # rows
OUT = 0x20000  # where packer 0 writes; the others follow
APART = 0x1000


@pytest.fixture(
    params=[
        (engine, schedule)
        for engine in ("reference", "compiled")
        for schedule in (Schedule.SC, Schedule.LATENCY)
    ],
    ids=str,
)
def tile(request: pytest.FixtureRequest) -> Iterator[Machine]:
    machine = machine_on(*request.param, arch=Arch.WORMHOLE)
    yield machine
    machine.close()


def configure(machine: Machine, **values: int) -> None:
    """Set fields of Wormhole by name."""
    S = machine.record.S
    for name, value in values.items():
        field = FIELDS[name]
        assert value < 1 << field.width, name
        for start, run_ in pieces(field):
            bits = (value >> start << run_.at_low) & run_.mask
            if field.space is Space.THREAD:
                old = int(S.config.thread[THREAD, run_.at])
                S.config.thread[THREAD, run_.at] = (old & ~run_.mask) | bits
            else:
                for bank in range(2 if field.space is Space.GLOBAL else 1):
                    old = int(S.config.word[bank, run_.at])
                    S.config.word[bank, run_.at] = (old & ~run_.mask) | bits


def formats(machine: Machine, between: int, out: int) -> None:
    """All four packers alike, a face of 16 rows and a place in L1 for each."""
    configure(machine, ALU_FORMAT_SPEC_REG2_Dstacc=between)
    for i, section in enumerate(SETS):
        configure(
            machine,
            **{
                f"{section}_In_data_format": between,
                f"{section}_Out_data_format": out,
                f"{section}_Disable_zero_compress": 1,
                f"{section}_L1_Dest_addr": (OUT + APART * i) // 16 - 1,
                f"THCON_{LIMITS[i]}_limit_address": 0x1FFFF,
                f"PCK_EDGE_OFFSET_SEC{i}_mask": 0xFFFF,
                f"PACK_COUNTERS_SEC{i}_pack_reads_per_xy_plane": FACE,
                f"DEST_TARGET_REG_CFG_PACK_SEC{i}_Offset": FACE * i,
            },
        )
    size = 4 if between == FP32 else 2
    configure(
        machine,
        PCK0_ADDR_CTRL_XY_REG_0_Ystride=16 * size,
        PCK0_ADDR_CTRL_ZW_REG_0_Zstride=16 * 16 * size,
        ADDR_MOD_PACK_SEC0_YsrcIncr=1,
        ADDR_MOD_PACK_SEC1_YsrcClear=1,
        ADDR_MOD_PACK_SEC1_ZsrcIncr=1,
    )
    x_end(machine, 15)


def value(row: int, column: int) -> int:
    """A BF16 that says where it was."""
    return 0x3F80 + row * 16 + column


def rows(*numbers: int, columns: Sequence[int] = range(16)) -> list[int]:
    return [value(row, column) for row in numbers for column in columns]


@pytest.fixture
def bf16(tile: Machine) -> Machine:
    formats(tile, BF16, BF16)
    for row in range(4 * FACE):
        bf16_row(tile, row, [value(row, column) for column in range(16)])
    return tile


def stop_of(machine: Machine, *texts: str) -> Stop:
    stop = run(machine, {1 + THREAD: [ttinsn(word) for word in words_of(texts)]})
    assert stop is not None, "an instruction waits for ever"
    return stop


def pack(machine: Machine, *texts: str) -> None:
    stop = stop_of(machine, *texts)
    assert stop.kind.name == "ALL_PAUSED", stop.text
    S = machine.record.S
    assert not S.busy.packer[THREAD]
    assert S.pack.context == S.pack.planes == S.pack.running == 0


def packed(machine: Machine, count: int, size: int = 2) -> list[list[int]]:
    """Return what each packer has written."""
    return [l1(machine, size, count, OUT + APART * i) for i in range(images.PACKERS)]


@pytest.mark.parametrize(
    ("mask", "packers"),
    [(0, (0,)), (1, (0,)), (2, (1,)), (4, (2,)), (8, (3,)), (3, (0, 1)), (12, (2, 3)),
     (15, (0, 1, 2, 3))],
)  # fmt: skip
def test_a_mask_says_which_packers(bf16: Machine, mask: int, packers: tuple[int, ...]) -> None:
    pack(bf16, f"PACR packer_mask={mask:#x}, last=1")
    wanted = [rows(FACE * i) if i in packers else [0] * 16 for i in range(4)]
    assert packed(bf16, 16) == wanted


def test_a_tile_row_by_row(bf16: Machine) -> None:
    """As LLK packs: each packer a face, a row in each instruction, the last one ends the tile."""
    some = ["PACR packer_mask=0xf, addr_mod=0"] * (FACE - 1)
    pack(bf16, *some, "PACR packer_mask=0xf, addr_mod=ADDR_MOD_1, last=1")
    assert packed(bf16, 256) == [rows(*range(FACE * i, FACE * i + FACE)) for i in range(4)]
    S = bf16.record.S
    assert [int(S.adc.value[THREAD, 2, 0, axis]) for axis in (1, 2)] == [0, 1]


def test_one_instruction_for_a_face(bf16: Machine) -> None:
    x_end(bf16, 255)
    pack(bf16, "PACR packer_mask=0xf, last=1")
    assert packed(bf16, 256) == [rows(*range(FACE * i, FACE * i + FACE)) for i in range(4)]


def test_a_range_that_begins_within_a_row(bf16: Machine) -> None:
    x_end(bf16, 36, 5)
    pack(bf16, "PACR packer_mask=0xf, last=1")
    everything = [rows(*range(FACE * i, FACE * i + 3))[5:37] for i in range(4)]
    assert packed(bf16, 32) == everything


def test_each_packer_goes_on_with_its_streams(bf16: Machine) -> None:
    """Eight datums are half a block: they wait for the next ones of their own packer."""
    x_end(bf16, 3)
    pack(bf16, "PACR packer_mask=0x3", "PACR packer_mask=0x2, last=1", "PACR packer_mask=1, last=1")
    found = packed(bf16, 8)
    assert found[0] == rows(0, 2, columns=range(4))
    assert found[1] == rows(16, 17, columns=range(4))


def test_flush_writes_what_is_left(bf16: Machine) -> None:
    x_end(bf16, 3)
    pack(bf16, "PACR packer_mask=0xf", "PACR packer_mask=0xf, flush=1")
    assert packed(bf16, 8) == [rows(FACE * i, columns=range(4)) + [0] * 4 for i in range(4)]


def test_addresses_relative_to_packer_0(bf16: Machine) -> None:
    configure(bf16, THCON_SEC0_REG1_L1_Dest_addr=1 << 31 | OUT // 16 - 1)
    for i, section in enumerate(SETS[1:], 1):
        configure(bf16, **{f"{section}_L1_Dest_addr": APART * i // 16 - 1})
    pack(bf16, "PACR packer_mask=0xf, last=1")
    assert packed(bf16, 16) == [rows(FACE * i) for i in range(4)]


def test_a_packer_wraps_at_its_own_limit(bf16: Machine) -> None:
    configure(
        bf16,
        THCON_SEC1_REG9_Pack_0_2_limit_address=(OUT + APART) // 32,
        THCON_SEC1_REG9_Pack_0_2_fifo_size=APART // 32,
    )
    pack(bf16, "PACR packer_mask=0xc, last=1")
    assert l1(bf16, 2, 16, OUT + APART) == rows(FACE * 2)
    assert packed(bf16, 16)[3] == rows(FACE * 3)


def test_counters_of_another_thread(bf16: Machine) -> None:
    for section in SETS:
        configure(bf16, **{f"{section}_Addr_cnt_context": 1})
    bf16.record.S.adc.value[1, 2, 1, 0] = 15
    bf16.record.S.adc.value[1, 2, 0, 1] = 3
    pack(bf16, "PACR packer_mask=0xf, ovrd_thread_id=1, last=1")
    assert packed(bf16, 16) == [rows(FACE * i + 3) for i in range(4)]
    assert bf16.record.S.adc.value[1, 2, 0, 1] == 4
    assert bf16.record.S.adc.value[THREAD, 2, 0, 1] == 0


def test_edge_masks_by_packer(bf16: Machine) -> None:
    """Packers 1 and 3 have a row set in which every second row is masked but for one column."""
    configure(bf16, PCK_EDGE_OFFSET_SEC1_mask=1 << 15, PCK_EDGE_TILE_ROW_SET_SELECT_select=0x44)
    for y in range(1, 16, 2):
        configure(bf16, **{f"TILE_ROW_SET_MAPPING_1_row_set_mapping_{y}": 1})
    x_end(bf16, 63)
    pack(bf16, "PACR packer_mask=0xf, last=1")
    for i, found in enumerate(packed(bf16, 64)):
        wanted = rows(*range(FACE * i, FACE * i + 4))
        for at in range(64):
            if i % 2 and at // 16 % 2 and at % 16 != 15:
                wanted[at] = 0
        assert found == wanted


def test_block_float(tile: Machine) -> None:
    """Exponents first, in a section of each packer."""
    formats(tile, BF16, BFP8)
    for section in SETS:
        configure(tile, **{f"{section}_Exp_section_size": 1})
    for row in range(4 * FACE):
        bf16_row(tile, row, [0x3F80 + 0x80 * (row // FACE)] * 16)
    x_end(tile, 255)
    pack(tile, "PACR packer_mask=0xf, last=1")
    for i, found in enumerate(packed(tile, 32, 1)):
        assert found[:16] == [0x7F + i] * 16
        assert found[16:] == [0x40] * 16


def test_l1_accumulation(tile: Machine) -> None:
    formats(tile, FP32, FP32)
    configure(tile, PCK_DEST_RD_CTRL_Read_32b_data=1)
    for section in SETS:
        configure(tile, **{f"{section}_Pack_L1_Acc": 1})
    for row in range(4 * FACE):
        fp32_row(tile, row, [0x3F800000] * 16)
    for _ in range(3):
        counters(tile, 0, y=0)
        pack(tile, "PACR packer_mask=0xf, last=1")
    assert packed(tile, 16, 4) == [[0x40400000] * 16] * 4


def test_bf16_of_dst_is_widened_to_fp32(tile: Machine) -> None:
    """LLK's fast tilize of BF16 to FP32 packs so; Blackhole refuses (test_no_such_conversion)."""
    formats(tile, FP32, FP32)
    values = [0x3F80, 0xC0A0, 0x0001, 0x8000, 0x7F80, 0x7FC0, 0x4049, 0] * 2
    bf16_row(tile, 0, values)
    x_end(tile, 15)
    pack(tile, "PACR packer_mask=1, last=1")
    assert packed(tile, 16, 4)[0] == [value << 16 for value in values]


def test_what_blackhole_has_besides_is_refused(tile: Machine) -> None:
    formats(tile, FP16, FP16)
    configure(tile, PCK_DEST_RD_CTRL_Read_32b_data=1, PCK_DEST_RD_CTRL_Round_10b_mant=1)
    assert stop_of(tile, "PACR packer_mask=1, last=1").code == Fault.PACR_FORMATS


def test_one_field_says_it_of_all_packers(bf16: Machine) -> None:
    """Compression, as All_pack_disable_zero_compress has it for each packer."""
    for section in SETS:
        configure(bf16, **{f"{section}_Disable_zero_compress": 0})
    configure(
        bf16,
        THCON_SEC0_REG1_All_pack_disable_zero_compress=0xF,
        THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd=1,
    )
    pack(bf16, "PACR packer_mask=0xf, last=1")
    assert packed(bf16, 16) == [rows(FACE * i) for i in range(4)]


def test_soft_reset_forgets_all_four(bf16: Machine) -> None:
    x_end(bf16, 3)
    pack(bf16, "PACR packer_mask=0xf")
    S = bf16.record.S
    before = int(S.tile_control.soft_reset)
    set_soft_reset(S, before | 0xF * SoftReset.PACKER)
    set_soft_reset(S, before)
    pack(bf16, "PACR packer_mask=0xf, flush=1")
    assert packed(bf16, 8) == [[0] * 8] * 4


@pytest.mark.parametrize("packer", range(4))
def test_nothing_is_packed_in_reset(bf16: Machine, packer: int) -> None:
    """SoftReset.md, bits 2 to 5: a PACR does not start."""
    S = bf16.record.S
    set_soft_reset(S, int(S.tile_control.soft_reset) | SoftReset.PACKER << packer)
    assert run(bf16, {THREAD + 1: list(map(ttinsn, words_of(["PACR packer_mask=0xf"])))}) is None
    assert not S.busy.packer[THREAD]


def test_relu_looks_at_the_sign_in_every_row(tile: Machine) -> None:
    """Before the late conversion to FP16, which has its sign in bit 15: of FP32 that is a bit of
    the mantissa."""
    formats(tile, FP32, FP16)
    configure(tile, PCK_DEST_RD_CTRL_Read_32b_data=1, STACC_RELU_ApplyRelu=1)
    for row in range(4 * FACE):
        fp32_row(tile, row, [0x3F80A000 if column % 2 else 0xBF80A000 for column in range(16)])
    x_end(tile, 255)
    pack(tile, "PACR packer_mask=0xf, last=1")
    assert packed(tile, 256) == [[0, 0x3C05] * 128] * 4
