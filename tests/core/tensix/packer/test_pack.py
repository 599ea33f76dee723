# SPDX-License-Identifier: Apache-2.0
"""PACR: which datums of Dst, and where they go in L1 (PACR.md, Packers/*AddressGenerator.md)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.packer.state import OUT as ROOM
from tensix_gdb.core.tensix.packer.state import SETREG_BLOCKS, takes
from tests.core.tensix.packer.packer import (
    BF16,
    BFP4,
    BFP8,
    FP8,
    FP16,
    FP32,
    INT32,
    OUT,
    bf16_row,
    configure,
    counters,
    dst16,
    formats,
    fp32_row,
    l1,
    pack,
    refused,
    x_end,
)

ROWS = 16


def value(row: int, column: int) -> int:
    """A BF16 that says where it was: 1.0 and above."""
    return 0x3F80 + row * 16 + column


def rows(*numbers: int, columns: Sequence[int] = range(16)) -> list[int]:
    return [value(row, column) for row in numbers for column in columns]


@pytest.fixture
def bf16(tile: Machine) -> Machine:
    """Rows 0 to 63 of BF16, a stride of a row for Y, of 16 rows for Z, of 32 for W."""
    formats(
        tile,
        BF16,
        BF16,
        PCK0_ADDR_CTRL_XY_REG_0_Ystride=32,
        PCK0_ADDR_CTRL_ZW_REG_0_Zstride=32 * 16,
        PCK0_ADDR_CTRL_ZW_REG_0_Wstride=32 * 32,
        ADDR_MOD_PACK_SEC0_YsrcIncr=4,
        ADDR_MOD_PACK_SEC1_YsrcClear=1,
        ADDR_MOD_PACK_SEC1_ZsrcIncr=1,
        ADDR_MOD_PACK_SEC2_YsrcIncr=1,
    )
    for row in range(64):
        bf16_row(tile, row, [value(row, column) for column in range(16)])
    return tile


@pytest.mark.parametrize(
    ("select", "read"),
    [
        (0, (0, 1, 2, 3)), (1, (0,)), (2, (1,)), (3, (0, 1)), (5, (0, 2)), (7, (0, 1, 2)),
        (8, (3,)), (10, (1, 3)), (15, (0, 1, 2, 3)),
    ],
)  # fmt: skip
def test_read_interfaces(bf16: Machine, select: int, read: tuple[int, ...]) -> None:
    pack(bf16, f"PACR read_intf_sel={select:#x}, last=1")
    found = l1(bf16, 2, 80)
    assert found == rows(*read) + [0] * (80 - 16 * len(read))


def test_interfaces_count_from_the_start_row(bf16: Machine) -> None:
    counters(bf16, 0, y=2)
    pack(bf16, "PACR read_intf_sel=R0|R1, last=1")
    assert l1(bf16, 2, 32) == rows(2, 3)


def test_interfaces_stay_in_a_group_of_four(bf16: Machine) -> None:
    counters(bf16, 0, y=2)
    stop = refused(bf16, "PACR read_intf_sel=R0|R1|R2, last=1")
    assert stop.code == Fault.PACR_ROWS, stop.text
    assert not bf16.record.S.busy.packer[2]


def test_a_tile_as_llk_packs_it(bf16: Machine) -> None:
    face = ["PACR"] * 3
    pack(bf16, *face, "PACR addr_mod=1", *face, "PACR addr_mod=1, last=1")
    assert l1(bf16, 2, 16 * 32 + 16) == rows(*range(32)) + [0] * 16
    S = bf16.record.S
    assert [int(S.adc.value[2, 2, 0, i]) for i in range(4)] == [0, 0, 2, 0]


def test_y_goes_back(bf16: Machine) -> None:
    configure(bf16, ADDR_MOD_PACK_SEC3_YsrcCR=1, ADDR_MOD_PACK_SEC3_YsrcIncr=8)
    pack(bf16, "PACR", "PACR addr_mod=3", "PACR last=1")
    assert l1(bf16, 2, 192) == rows(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    assert bf16.record.S.adc.cr[2, 2, 0, 1] == 8


def test_w_and_offset(bf16: Machine) -> None:
    counters(bf16, 0, w=1, z=1)
    configure(bf16, DEST_TARGET_REG_CFG_PACK_SEC0_Offset=4, PCK0_ADDR_BASE_REG_0_Base=8 * 32)
    pack(bf16, "PACR last=1")
    assert l1(bf16, 2, 64) == rows(60, 61, 62, 63)


def test_columns(bf16: Machine) -> None:
    x_end(bf16, 11, first=4)
    pack(bf16, "PACR read_intf_sel=R0|R1", "PACR last=1")
    assert l1(bf16, 2, 48) == rows(0, 1, 4, 5, 6, 7, columns=range(4, 12))


def test_a_part_of_a_block_waits(bf16: Machine) -> None:
    x_end(bf16, 2)
    pack(bf16, "PACR read_intf_sel=R0, addr_mod=2", "PACR read_intf_sel=R0, addr_mod=2")
    assert l1(bf16, 2, 8) == [0] * 8, "six datums are less than 16 bytes"
    pack(bf16, "PACR read_intf_sel=R0, addr_mod=2")
    assert l1(bf16, 2, 16) == rows(0, 1, 2, columns=range(3))[:8] + [0] * 8
    pack(bf16, "PACR flush=1")
    assert l1(bf16, 2, 16) == [*rows(0, 1, 2, columns=range(3)), *[0] * 7]


def test_a_flush_fills_a_block_with_zeros(bf16: Machine) -> None:
    bf16.record.S.l1.half[OUT // 2 + 7] = 0x1234
    bf16.record.S.l1.half[OUT // 2 + 8] = 0x1234
    x_end(bf16, 4)
    pack(bf16, "PACR read_intf_sel=R0, last=1")
    assert l1(bf16, 2, 9) == [*rows(0, columns=range(5)), 0, 0, 0, 0x1234]


def test_addresses_are_new_after_last_only(bf16: Machine) -> None:
    pack(bf16, "PACR")
    configure(bf16, THCON_SEC0_REG1_L1_Dest_addr=OUT // 16 + 99)
    pack(bf16, "PACR last=1", "PACR last=1")
    assert l1(bf16, 2, 128) == rows(*range(8))
    assert l1(bf16, 2, 64, OUT + 1600) == rows(8, 9, 10, 11)


def test_output_counters_are_in_bytes(bf16: Machine) -> None:
    counters(bf16, 1, y=3, z=1, w=2)
    configure(
        bf16,
        PCK0_ADDR_CTRL_XY_REG_1_Ystride=0x20,
        PCK0_ADDR_CTRL_ZW_REG_1_Zstride=0x100,
        PCK0_ADDR_CTRL_ZW_REG_1_Wstride=0x208,
        ADDR_MOD_PACK_SEC0_YdstIncr=2,
        ADDR_MOD_PACK_SEC0_ZdstClear=1,
    )
    pack(bf16, "PACR last=1")
    assert l1(bf16, 2, 64, OUT + 0x570) == rows(0, 1, 2, 3)
    S = bf16.record.S
    assert [int(S.adc.value[2, 2, 1, i]) for i in range(1, 4)] == [5, 0, 2]


def test_tile_header(bf16: Machine) -> None:
    configure(bf16, THCON_SEC0_REG1_Sub_l1_tile_header_size=1)
    pack(bf16, "PACR last=1")
    assert l1(bf16, 2, 64, OUT - 16) == rows(0, 1, 2, 3)


def test_fifo(bf16: Machine) -> None:
    configure(
        bf16,
        THCON_SEC0_REG9_Pack_0_2_limit_address=(OUT // 16 - 1) // 2,
        THCON_SEC0_REG9_Pack_0_2_fifo_size=0x80,
    )
    pack(bf16, "PACR last=1")
    assert l1(bf16, 2, 64, OUT - 0x1000) == rows(0, 1, 2, 3)


def test_offset_of_tdma(bf16: Machine) -> None:
    bf16.record.S.pack.offset = 0x10
    pack(bf16, "PACR last=1")
    configure(bf16, THCON_SEC0_REG1_Add_l1_dest_addr_offset=1)
    pack(bf16, "PACR last=1")
    assert l1(bf16, 2, 64) == rows(0, 1, 2, 3)
    assert l1(bf16, 2, 64, OUT + 0x100) == rows(4, 5, 6, 7)


def test_other_threads_counters(bf16: Machine) -> None:
    bf16.record.S.adc.value[1, 2, 0, 1] = 8
    bf16.record.S.adc.value[1, 2, 1, 0] = 15
    pack(bf16, "PACR addr_cnt_context=1, last=1")
    pack(bf16, "PACR ovrd_thread_id=1, addr_cnt_context=1, last=1")
    assert l1(bf16, 2, 64) == rows(8, 9, 10, 11)
    assert bf16.record.S.adc.value[1, 2, 0, 1] == 12


@pytest.mark.parametrize("context", range(4))
def test_contexts(bf16: Machine, context: int) -> None:
    name = ("SEC0_REG1", "SEC0_REG8", "SEC1_REG1", "SEC1_REG8")[context]
    configure(
        bf16,
        **{
            f"THCON_{name}_L1_Dest_addr": 0x3000 + 0x100 * context - 1,
            f"THCON_{name}_In_data_format": BF16,
            f"THCON_{name}_Out_data_format": BF16,
            f"THCON_{name}_Disable_zero_compress": 1,
            f"DEST_TARGET_REG_CFG_PACK_SEC{context}_Offset": 8 * context,
            f"PACK_COUNTERS_SEC{context}_pack_reads_per_xy_plane": 16,
        },
    )
    pack(bf16, f"PACR cfg_context={context}, last=1")
    first = 8 * context
    at = 0x30000 + 0x1000 * context
    assert l1(bf16, 2, 64, at) == rows(first, first + 1, first + 2, first + 3)


def test_tracked_context(bf16: Machine) -> None:
    S = bf16.record.S
    for _ in range(3):
        S.pack.context = 0
        pack(bf16, "PACR ctxt_ctrl=TRACKED", "PACR ctxt_ctrl=TRACKED, last=1")
    assert S.pack.context == 1
    S.pack.context = 0
    configure(bf16, PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt=2)
    pack(bf16, *["PACR ctxt_ctrl=TRACKED"] * 7)
    assert (S.pack.context, S.pack.planes) == (0, 1)
    pack(bf16, "PACR ctxt_ctrl=TRACKED")
    assert (S.pack.context, S.pack.planes) == (1, 0)
    pack(bf16, "PACR ctxt_ctrl=RESET, last=1")
    assert S.pack.context == 0
    assert S.pack.open, "nothing else happens"


def test_strided(bf16: Machine) -> None:
    stop = refused(bf16, "PACR dst_access_mode=1, last=1")
    assert stop.code == Fault.PACR_STRIDED


@pytest.mark.parametrize("wide", [0, 1])
def test_strided_remapped(tile: Machine, wide: int) -> None:
    formats(
        tile,
        FP32 if wide else BF16,
        FP32 if wide else BF16,
        PCK0_ADDR_CTRL_XY_REG_0_Ystride=64 if wide else 32,
        PCK_DEST_RD_CTRL_Read_32b_data=wide,
        DEST_ACCESS_CFG_remap_addrs=1,
        DEST_ACCESS_CFG_swizzle_32b=1,
        ADDR_MOD_PACK_SEC0_YsrcIncr=1,
    )
    write = fp32_row if wide else bf16_row
    for row in range(64):
        write(tile, row, [value(row, column) for column in range(16)])
    pack(tile, "PACR dst_access_mode=1, read_intf_sel=R0|R1", "PACR dst_access_mode=1, last=1")
    found = l1(tile, 4 if wide else 2, 96)
    assert found == rows(0, 16, 1, 17, 33, 49)


def test_undefined_rows_are_zero(bf16: Machine) -> None:
    bf16.record.S.dst.undefined[1] = 0xFFFF
    bf16.record.S.dst.undefined[2] = 0x00FF
    pack(bf16, "PACR last=1")
    assert l1(bf16, 2, 48) == rows(0) + [0] * 16 + [0] * 8 + rows(2, columns=range(8, 16))


def test_zero_write(bf16: Machine) -> None:
    for i in range(80):
        bf16.record.S.l1.half[OUT // 2 + i] = 0x1111
    pack(bf16, "PACR zero_write=1, read_intf_sel=R0|R2, last=1")
    assert l1(bf16, 2, 33) == [0] * 32 + [0x1111]


def test_zero_write_without_interfaces_counts_by_x(bf16: Machine) -> None:
    for i in range(400):
        bf16.record.S.l1.half[OUT // 2 + i] = 0x1111
    x_end(bf16, 16 * 20 - 1)
    pack(bf16, "PACR zero_write=1, last=1")
    assert l1(bf16, 2, 321) == [0] * 320 + [0x1111]
    x_end(bf16, 16 * 20)
    assert refused(bf16, "PACR zero_write=1, last=1").code == Fault.PACR_ROWS


@pytest.mark.parametrize(
    ("mode", "fields", "expected"),
    [
        (0, "", 24), (1, "", 64), (5, "", 32), (2, "", 64), (2, "concat=1", 24), (6, "", 32),
        (6, "concat=1", 24), (3, "last=1", 64), (3, "", 24), (7, "last=1", 32), (4, "", 24),
    ],
)  # fmt: skip
def test_row_padding(bf16: Machine, mode: int, fields: str, expected: int) -> None:
    x_end(bf16, 5)
    more = f", {fields}" if fields else ""
    pack(bf16, f"PACR row_pad_zero={mode}{more}")
    S = bf16.record.S
    assert S.pack.addr[2] - OUT == expected * 2
    parts = [rows(row, columns=range(6)) for row in range(4)]
    if expected == 64:
        data = [datum for part in parts for datum in [*part, *[0] * 10]]
    else:
        data = [datum for part in parts for datum in part] + [0] * (expected - 24)
    assert l1(bf16, 2, expected + 8) == data + [0] * 8


@pytest.mark.parametrize("mask", [0x5555, 0x1111, 0x8001, 0x0001, 0xFFFE])
def test_downsampling(bf16: Machine, mask: int) -> None:
    configure(bf16, THCON_SEC0_REG1_Downsample_mask=mask)
    pack(bf16, "PACR last=1")
    expected = [v for i, v in enumerate(rows(0, 1, 2, 3)) if (mask >> (i % 16)) & 1]
    assert l1(bf16, 2, 64) == expected + [0] * (64 - len(expected))


def test_downsampling_goes_on_in_the_next_row(bf16: Machine) -> None:
    x_end(bf16, 4)
    configure(bf16, THCON_SEC0_REG1_Downsample_mask=0x00F0)
    pack(bf16, "PACR last=1")
    datums = rows(0, 1, 2, 3, columns=range(5))
    assert l1(bf16, 2, 8) == [*datums[4:8], 0, 0, 0, 0]


@pytest.mark.parametrize(("out", "size"), [(FP8, 8), (FP16, 16), (FP32, 32)])
def test_end_of_l1(bf16: Machine, out: int, size: int) -> None:
    end = 0x180000
    configure(
        bf16,
        THCON_SEC0_REG1_Out_data_format=out,
        THCON_SEC0_REG1_L1_Dest_addr=(end - 64 * size // 8) // 16 - 1,
    )
    pack(bf16, "PACR last=1")
    assert l1(bf16, 1, 4, end - 4) != [0] * 4
    configure(bf16, THCON_SEC0_REG1_L1_Dest_addr=(end - 64 * size // 8) // 16)
    stop = refused(bf16, "PACR last=1")
    assert stop.code == Fault.PACR_OUTSIDE_L1
    assert "past the end of L1" in stop.text


def test_exponents_before_datums(bf16: Machine) -> None:
    configure(bf16, THCON_SEC0_REG1_Out_data_format=BFP8, THCON_SEC0_REG1_Exp_section_size=4)
    pack(bf16, "PACR", "PACR last=1")
    assert l1(bf16, 1, 10) == [0x7F] * 8 + [0] * 2
    assert l1(bf16, 1, 3, OUT + 64) == [0x40, 0x41, 0x41]


def test_48_datums_of_bfp4(bf16: Machine) -> None:
    configure(bf16, THCON_SEC0_REG1_Out_data_format=BFP4, THCON_SEC0_REG1_Exp_section_size=1)
    for i in range(64):
        bf16.record.S.l1.byte[OUT + i] = 0xEE
    pack(bf16, "PACR read_intf_sel=R0|R1|R2, last=1")
    assert l1(bf16, 1, 16) == [0x7F] * 3 + [0] * 13
    # From 1 + 31/128 on a datum rounds to 80/64 or more, of which three bits are left.
    assert l1(bf16, 1, 33, OUT + 16) == [0x44] * 15 + [0x54] + [0x55] * 8 + [0] * 8 + [0xEE]


def test_in_flight_until_written(bf16: Machine) -> None:
    pack(bf16, "PACR last=1", "STALLWAIT block=B2, wait=C3", "PACR last=1")
    S = bf16.record.S
    assert S.pack.out_count == 0
    assert S.pack.running == 0
    assert S.pack.last_thread == 3
    assert (S.pack.last_size, int(S.pack.acc_size[2])) == (8, 16)


def test_tile_sizes_with_header(bf16: Machine) -> None:
    configure(bf16, THCON_SEC0_REG1_Add_tile_header_size=1)
    pack(bf16, "PACR", "PACR last=1", "PACR flush=1")
    assert (bf16.record.S.pack.last_size, int(bf16.record.S.pack.acc_size[2])) == (16, 17)


@pytest.mark.parametrize(
    "field",
    [
        "pack_start_intf_pos", "pack_dis_y_pos_start_offset", "Downsample_rate",
    ],
)  # fmt: skip
def test_fields_without_a_page(bf16: Machine, field: str) -> None:
    configure(bf16, **{f"THCON_SEC0_REG1_{field}": 1})
    assert refused(bf16, "PACR last=1").code == Fault.PACR_CONFIG


def test_modes_without_meaning(bf16: Machine) -> None:
    assert refused(bf16, "PACR ctxt_ctrl=TRACKED_KEEP").code == Fault.PACR_CONTEXT


def test_wrong_counts(bf16: Machine) -> None:
    x_end(bf16, 16)
    assert refused(bf16, "PACR").code == Fault.PACR_ROWS


def test_x_backwards(bf16: Machine) -> None:
    x_end(bf16, 3, first=5)
    assert refused(bf16, "PACR").code == Fault.PACR_ROWS


def test_half_a_row(bf16: Machine) -> None:
    configure(bf16, PCK0_ADDR_BASE_REG_0_Base=16)
    assert refused(bf16, "PACR").code == Fault.PACR_ROWS


@pytest.mark.parametrize(
    ("given", "size", "kind", "datums"),
    [
        (FP32, 4, FP32, [0x3F800001, 0x7FC00000, 1]), (INT32, 4, INT32, [5, 0x80000001, 7]),
        (BF16, 2, FP32, [0x3F80, 0xC000, 0x7F7F]), (FP16, 2, FP16, [0x3C00, 0x8001, 0x7FFF]),
        (FP8, 1, FP16, [0x3C, 0x80, 0x7F]), (BFP8, 1, BF16, [0x85, 0x7F, 0]),
    ],
)  # fmt: skip
def test_from_l1(tile: Machine, given: int, size: int, kind: int, datums: list[int]) -> None:
    formats(
        tile,
        given,
        kind,
        THCON_SEC0_REG1_Source_interface_selection=1,
        THCON_SEC0_REG1_L1_source_addr=1,
        PCK0_ADDR_BASE_REG_0_Base=0x120,
    )
    x_end(tile, len(datums))
    memory = tile.record.S.l1.byte
    for i, datum in enumerate([0, *datums]):
        for k in range(size):
            memory[0x40120 + size * i + k] = (datum >> (8 * k)) & 0xFF
    pack(tile, "PACR read_intf_sel=R0, last=1")
    wide = {FP32: 4, INT32: 4, BF16: 2, FP16: 2}[kind]
    expected = {
        BF16: [datum << 16 for datum in datums],
        FP8: [datum << 8 for datum in datums],
        # The shared exponent is taken as 0.
        BFP8: [0x8005, 0x7F, 0],
    }.get(given, datums)
    assert l1(tile, wide, 4) == [0, *expected]


def test_setreg(tile: Machine) -> None:
    # The register that TDMA-RISC keeps at 0xFFB11028.
    configure(
        tile,
        THCON_SEC0_REG10_Packer_Reg_Wr_Addr=(0x28 >> 2) << 12,
        THCON_SEC0_REG1_Disable_zero_compress=1,
    )
    pack(
        tile,
        "PACR_SETREG.Prepare value16=0x5, high_half=0",
        "PACR_SETREG.Prepare value16=0x3, high_half=1",
        "PACR_SETREG.Write push=1, addr_sel=1, stream_id=0x11, flush=1",
    )
    assert l1(tile, 4, 1, 0xFFB11028) == [0x30005]
    stop = refused(tile, "PACR_SETREG.Write push=1, addr_sel=1, stream_id=0x10, flush=1")
    assert stop.code == Fault.PACR_SETREG_LOW


def test_setreg_flushes(bf16: Machine) -> None:
    x_end(bf16, 2)
    pack(bf16, "PACR read_intf_sel=R0", "PACR_SETREG.Write push=0, addr_sel=0, flush=1")
    assert l1(bf16, 2, 8) == [*rows(0, columns=range(3)), 0, 0, 0, 0, 0]
    assert not bf16.record.S.pack.open


def test_raw_rows(tile: Machine) -> None:
    formats(tile, 9, 9)
    dst16(tile, 0, range(0x8000, 0x8010))
    pack(tile, "PACR read_intf_sel=R0, last=1")
    assert l1(tile, 2, 16) == list(range(0x8000, 0x8010))


def test_setreg_waits_for_room_in_the_queue(tile: Machine) -> None:
    """It puts its blocks there itself; other instructions of the packer wait in the front stage."""
    S = tile.record.S
    setreg, pacr = map(parse, ("PACR_SETREG.Write push=1, addr_sel=1, flush=1", "PACR last=1"))
    for count, takes_setreg in ((0, 1), (ROOM - SETREG_BLOCKS, 1), (ROOM - SETREG_BLOCKS + 1, 0)):
        S.pack.out_count = count
        assert (takes(S, setreg), takes(S, pacr)) == (takes_setreg, 1)
