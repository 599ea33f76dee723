# SPDX-License-Identifier: Apache-2.0
"""When the packer does things: C3, what is in flight, Dst's blocks, soft reset, late reads."""

from __future__ import annotations

import pytest

from tensix_gdb.core.arch.blackhole import T1, T2, B
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.numeric.prng import seeded
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.packer.hazard import reads_what_was_written
from tests.core.tensix.packer.packer import (
    BF16,
    FP32,
    OUT,
    THREAD,
    bf16_row,
    configure,
    counters,
    formats,
    fp32_row,
    l1,
    pack,
    refused,
    x_end,
)
from tests.core.tensix.programs import push_all, run, word
from tests.machines import machine_on
from tests.vectors import both_engines

SOFT_RESET = 0xFFB121B0


def four_rows(tile: Machine) -> Machine:
    formats(tile, BF16, BF16)
    for row in range(4):
        bf16_row(tile, row, [0x3F80 + row] * 16)
    return tile


ALL_ROWS = [0x3F80 + row for row in range(4) for _ in range(16)]


@pytest.fixture(params=["reference", "compiled"])
def timed(request: pytest.FixtureRequest) -> Machine:
    return four_rows(machine_on(request.param, Schedule.LATENCY))


def cycles(tile: Machine, texts: list[str]) -> int:
    """How long a program takes, its pushes among it."""
    begin = int(tile.record.S.tile.cycle)
    pack(tile, *texts)
    return int(tile.record.S.tile.cycle) - begin


@pytest.mark.parametrize(("wait", "expected"), [("C3", 0x3F803F80), ("C4", 0)])
def test_c3_waits_for_the_last_write(timed: Machine, wait: str, expected: int) -> None:
    S = timed.record.S
    S.gpr.word[2 * 64 + 1] = OUT // 16
    load = "LOADIND size=BITS_32, offset_half_reg=4, result_reg=9, addr_reg=1"
    pack(timed, "PACR last=1", f"STALLWAIT block=B5, wait={wait}", load)
    assert S.gpr.word[2 * 64 + 9] == expected


@pytest.mark.parametrize("kind", [BF16, FP32])
def test_a_tile_takes_as_many_cycles_as_it_has_rows_of_blocks(timed: Machine, kind: int) -> None:
    formats(timed, kind, kind, PCK_DEST_RD_CTRL_Read_32b_data=1 if kind == FP32 else 0)
    S = timed.record.S
    one = cycles(timed, ["PACR", "PACR last=1"])
    many = cycles(timed, [*["PACR"] * 63, "PACR last=1"])
    each = (many - one) / 62
    # Eight blocks of 16 bytes in a cycle: 64 datums of 16 bits in one, of 32 bits in two.
    assert each == pytest.approx(1 if kind == BF16 else 2, abs=0.3)
    assert S.pack.out_count == 0


def test_writes_come_in_order(tile: Machine) -> None:
    four_rows(tile)
    x_end(tile, 7)
    for i in range(512):
        tile.record.S.l1.half[OUT // 2 + i] = 0xEEEE
    stop = run(tile, {T2: push_all(["PACR"] * 8)})
    assert stop is not None
    found = l1(tile, 2, 256)
    assert found == [0x3F80 + row for _ in range(8) for row in range(4) for _ in range(8)]


def test_a_late_packer_sees_what_is_in_dst_by_then() -> None:
    """In `random`, a program that overwrites Dst without waiting for the packer is found out."""
    seen = set()
    for seed in range(24):
        tile = four_rows(machine_on("compiled", Schedule.RANDOM, seed))
        clear = push_all([*["NOP"] * 12, "ZEROACC clear_mode=ALL_OF_DST"])
        run(tile, {T1: clear, T2: push_all(["PACR last=1"])})
        seen.add(l1(tile, 2, 1)[0])
        tile.close()
    assert seen == {0, 0x3F80}


@pytest.mark.parametrize(
    ("text", "y", "block", "held"),
    [
        ("PACR", 0, 0, 1), ("PACR", 0, 1, 0), ("PACR", 8, 1, 1), ("PACR", 4, 1, 0),
        ("PACR read_intf_sel=R0", 7, 0, 1), ("PACR dst_access_mode=1", 3, 6, 1),
        ("PACR dst_access_mode=1", 3, 1, 0), ("PACR dst_access_mode=1, read_intf_sel=R0", 3, 2, 0),
        ("PACR zero_write=1", 0, 0, 0), ("PACR flush=1", 0, 0, 0),
        ("PACR ovrd_thread_id=1, addr_cnt_context=1", 0, 1, 1), ("PACR cfg_context=1", 0, 2, 1),
        ("PACR_SETREG.Write push=1, addr_sel=0, flush=1", 0, 0, 0),
    ],
)  # fmt: skip
def test_a_block_that_was_written_is_not_read_at_once(
    text: str, y: int, block: int, held: int
) -> None:
    """Dst.md: four cycles after a write, the gate keeps PACR from the same 8 rows."""
    tile = four_rows(machine_on("reference", Schedule.LATENCY))
    configure(
        tile,
        PCK0_ADDR_CTRL_XY_REG_0_Ystride=32,
        DEST_TARGET_REG_CFG_PACK_SEC1_Offset=16,
        THCON_SEC0_REG8_In_data_format=BF16,
    )
    counters(tile, 0, y=y)
    S = tile.record.S
    S.adc.value[1, 2, 0, 1] = 8
    for age in range(4):
        for i in range(4):
            S.fpu_pipe.written[i] = 1 + block if i == age else 0
        assert both_engines(reads_what_was_written, tile.record, THREAD, word(text)) == held
    tile.close()


def test_soft_reset(tile: Machine) -> None:
    four_rows(tile)
    S = tile.record.S
    x_end(tile, 2)
    S.pack.max_exponent = 9
    S.pack.offset = 7
    S.pack.random = 5
    pack(tile, "PACR last=1", "PACR read_intf_sel=R0")
    assert S.pack.fill[2] == 48
    assert S.pack.last_size == 2
    old = int.from_bytes(tile.peek(B, SOFT_RESET, 4), "little")
    tile.poke(B, SOFT_RESET, (old | 1 << 2 | 1 << 17).to_bytes(4, "little"))
    assert S.pack.fill[2] == 0
    assert (S.pack.open, S.pack.last_size, int(S.pack.acc_size[THREAD])) == (0, 0, 0)
    assert S.pack.max_exponent == 0
    assert S.pack.offset == 7
    tile.poke(B, SOFT_RESET, (old | 1 << 17).to_bytes(4, "little"))
    assert (S.pack.offset, S.pack.random) == (0, 5)
    assert refused(tile, "PACR last=1").code == Fault.PACR_IN_RESET
    tile.poke(B, SOFT_RESET, old.to_bytes(4, "little"))
    assert S.pack.random == 0


def test_seed(tile: Machine) -> None:
    tile.record.S.gpr.word[2 * 64 + 3] = 0x12345678
    pack(tile, "WRCFG input_reg=3, cfg_index=PRNG_SEED_Seed_Val")
    assert tile.record.S.pack.random == seeded(0x12345678, 0)


def test_two_threads_share_the_packer(tile: Machine) -> None:
    four_rows(tile)
    for axis in range(4):
        tile.record.S.adc.value[1, 2, 1, axis] = tile.record.S.adc.value[2, 2, 1, axis]
    run(tile, {T1: push_all(["PACR last=1"]), T2: push_all(["PACR last=1"])})
    S = tile.record.S
    assert l1(tile, 2, 64) == ALL_ROWS
    assert [int(S.busy.packer[i]) for i in range(3)] == [0, 0, 0]
    assert [int(S.pack.acc_size[i]) for i in range(3)] == [0, 8, 8]


def test_fp32_rows_of_the_second_half(tile: Machine) -> None:
    formats(tile, FP32, FP32, PCK_DEST_RD_CTRL_Read_32b_data=1)
    configure(tile, DEST_TARGET_REG_CFG_PACK_SEC0_Offset=512)
    fp32_row(tile, 512, range(16))
    pack(tile, "PACR read_intf_sel=R0, last=1")
    assert l1(tile, 4, 16) == list(range(16))
