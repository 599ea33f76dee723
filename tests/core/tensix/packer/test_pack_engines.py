# SPDX-License-Identifier: Apache-2.0
"""Random packs, each step of the packer on both engines: the same bytes in the record."""

from __future__ import annotations

import random

import pytest

from tensix_gdb.core.assembly.tensix_read import parse
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.decode import decode_tensix
from tensix_gdb.core.tensix.dispatch import EXECUTE
from tensix_gdb.core.tensix.frontend.fifo import C
from tensix_gdb.core.tensix.packer import pipeline as pack_pipe
from tensix_gdb.core.tensix.packer.formats import (
    BF16_TO_FP32,
    BITS,
    READ_32B,
    early,
    late,
    names_it,
)
from tests.core.tensix.packer.packer import OUT, THREAD, configure, counters, formats, x_end
from tests.vectors import both_engines

# Every conversion that Blackhole has, as (PCK_DEST_RD_CTRL, intermediate, output, e4m3).
CONVERSIONS = [
    (control, between, out, four)
    for control in range(16)
    for between in range(16)
    for out in range(16)
    for four in (0, 1)
    if (conversion := early(between, control)) >= 0
    and conversion != BF16_TO_FP32
    and names_it(conversion, between, between)
    and late(between, out, four) >= 0
    and (four == 0 or out == 10)
]
STEPS = 60
PACR = decode_tensix(parse("PACR")) & 0xFF


def noise(machine: Machine, dice: random.Random) -> None:
    """Dst, with all kinds of numbers, and L1 where the packer adds to it."""
    S = machine.record.S
    for row in range(96):
        for column in range(16):
            S.dst.bits[row, column] = dice.choice((0, 0x8000, dice.getrandbits(16)))
        S.dst.undefined[row] = dice.choice((0, 0, 0, dice.getrandbits(16)))
    for i in range(-64, 512):
        S.l1.word[OUT // 4 + i] = dice.getrandbits(32)


def settle(machine: Machine, dice: random.Random) -> None:
    """Random fields that every conversion can have."""
    some = dice.random
    configure(
        machine,
        THCON_SEC0_REG1_Exp_section_size=dice.randrange(1, 4),
        THCON_SEC0_REG1_Downsample_mask=dice.choice((0, 0, 0xFFFF, dice.getrandbits(16))),
        THCON_SEC0_REG1_Exp_threshold_en=int(some() < 0.3),
        THCON_SEC0_REG1_Exp_threshold=dice.randrange(256),
        THCON_SEC0_REG1_Enable_out_fifo=dice.getrandbits(1),
        ALU_ROUNDING_MODE_Gasket_srnd_en=int(some() < 0.3),
        ALU_ROUNDING_MODE_Packer_srnd_en=int(some() < 0.3),
        PCK_EDGE_OFFSET_SEC0_mask=dice.choice((0xFFFF, 0xFFFF, dice.getrandbits(16))),
        PCK_EDGE_OFFSET_SEC1_mask=dice.getrandbits(16),
        TILE_ROW_SET_MAPPING_0_row_set_mapping_1=1,
        TILE_ROW_SET_MAPPING_0_row_set_mapping_5=1,
        STACC_RELU_ApplyRelu=dice.choice((0, 0, 1)),
        ENABLE_ACC_STATS_Enable=dice.getrandbits(1),
        ADDR_MOD_PACK_SEC0_YsrcIncr=4,
        ADDR_MOD_PACK_SEC1_YsrcCR=1,
        ADDR_MOD_PACK_SEC1_YsrcIncr=8,
        ADDR_MOD_PACK_SEC2_ZsrcIncr=1,
        ADDR_MOD_PACK_SEC3_YsrcClear=1,
        ADDR_MOD_PACK_SEC3_YdstIncr=1,
        PCK0_ADDR_CTRL_XY_REG_1_Ystride=64,
    )
    machine.record.S.pack.random = dice.getrandbits(32)


def instruction(dice: random.Random, last: int) -> str:
    pad = dice.choice((0, 0, 0, 1, 2, 5, 6, 7))
    select = dice.choice((0, 1, 3, 5, 10, 15))
    zero = int(dice.random() < 0.1 and select > 0)
    return (
        f"PACR addr_mod={dice.randrange(4)}, read_intf_sel={select}, zero_write={zero}, "
        f"row_pad_zero={pad}, concat={dice.getrandbits(1)}, last={last}"
    )


def at_gate(machine: Machine, text: str) -> int:
    """The instruction at the gate of the packer's thread; its word."""
    S = machine.record.S
    S.fifo.count[THREAD, C] = 1
    S.fifo.word[THREAD, C, S.fifo.head[THREAD, C]] = word = parse(text)
    return word


@pytest.mark.sample(3, "six seeds of one kind of test")
@pytest.mark.parametrize("seed", range(6))
def test_every_conversion_on_both_engines(seed: int) -> None:
    machine = Machine(engine="reference")
    S, dice = machine.record.S, random.Random(seed)
    blank = machine.record.snapshot()
    for control, between, out, four in CONVERSIONS[seed::6]:
        machine.record.restore(blank)
        noise(machine, dice)
        formats(machine, between, out, THCON_SEC0_REG1_Pac_LF8_4b_exp=four)
        configure(
            machine,
            PCK_DEST_RD_CTRL_Read_32b_data=control & 1,
            PCK_DEST_RD_CTRL_Read_unsigned=(control >> 1) & 1,
            PCK_DEST_RD_CTRL_Read_int8=(control >> 2) & 1,
            PCK_DEST_RD_CTRL_Round_10b_mant=(control >> 3) & 1,
        )
        settle(machine, dice)
        size = {0: 4, 1: 2}.get(between & 3, 1)
        configure(machine, PCK0_ADDR_CTRL_XY_REG_0_Ystride=16 * size)
        if BITS[out] >= 4 and dice.random() < 0.3:
            configure(machine, THCON_SEC0_REG1_Disable_zero_compress=0)
        elif out in (0, 1, 5, 8) and dice.random() < 0.5:
            configure(machine, THCON_SEC0_REG1_Pack_L1_Acc=1)
        first = dice.choice((0, 0, 0, 3))
        x_end(machine, dice.choice((15, 15, 9)), first)
        counters(machine, 0, y=4 * dice.randrange(3))
        for last in (0, 1):
            word = at_gate(machine, instruction(dice, last))
            assert both_engines(EXECUTE[PACR], machine.record, THREAD, word) == 0, (
                Fault(S.stop.code),
                control,
                between,
                out,
            )
            for _ in range(STEPS):
                if not both_engines(pack_pipe.step, machine.record):
                    break
            assert S.pack.out_count == 0
            assert S.busy.packer[THREAD] == 0
        assert not any(S.pack.fill)
    machine.close()


def test_there_are_all_of_them() -> None:
    """A change of the tables shows up here."""
    assert len(CONVERSIONS) == 912
    wide = {(between, out) for control, between, out, _ in CONVERSIONS if control & READ_32B}
    assert {(0, 0), (0, 1), (0, 10), (5, 6), (6, 7), (8, 8), (14, 14), (1, 10)} <= wide
