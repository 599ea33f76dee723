# SPDX-License-Identifier: Apache-2.0
"""SFPLOADMACRO: its sequences, delays and sub-units, as its page has them."""

from __future__ import annotations

import struct

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.isa.architecture import Arch
from tensix_gdb.core.isa.config_words import config_fields
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.wait_gate import c11
from tests.core.tensix.drive import ends, every_cycle, refused, start
from tests.core.tensix.programs import word
from tests.core.tensix.vector.macros import (
    FP32,
    LOAD_0,
    MAD,
    ROUND,
    SIMPLE,
    STORE,
    TIMES_L4,
    configure,
    datum,
    fill,
    step,
)
from tests.core.tensix.vector.pages import bits


def test_load_multiply_store_at_one_a_cycle(tile: Machine) -> None:
    """The store comes when the product is there: MAD at once, the store two cycles behind it."""
    fill(tile)
    sequence = step(4, 0, by_vb=True) << MAD | step(3, 2) << STORE
    ends(
        tile,
        *configure(tile, [TIMES_L4], sequence),
        *(LOAD_0.format(i, 2 * i) for i in range(4)),
        "SFPNOP",
    )
    for row in range(16):
        for column in range(16):
            times = 2 if column % 2 == 0 else 1
            assert datum(tile, row, column) == bits(1.5 * times * (row * 16 + column + 1))


def test_a_store_that_comes_too_early_stores_what_was_loaded(timed: Machine) -> None:
    fill(timed)
    sequence = step(4, 0, by_vb=True) << MAD | step(3, 1) << STORE
    ends(timed, *configure(timed, [TIMES_L4], sequence), LOAD_0.format(1, 0))
    assert datum(timed, 0, 2) == bits(4.5)
    assert timed.record.S.vector.lreg[1, 1] == bits(9.0)


@pytest.mark.parametrize("extra", [False, True])
def test_all_sub_units(timed: Machine, extra: bool) -> None:
    """|x| to LReg 16 or VD, 2 * x to VD, the larger mantissa rounded away, and a store."""
    fill(timed, -1.5)
    templates = ["SFPABS vc=0, vd=13, mod1=FLOAT", TIMES_L4]
    sequence = step(5, 0, extra=extra) << SIMPLE | step(3, 1, extra=extra) << STORE
    ends(timed, *configure(timed, templates, sequence), LOAD_0.format(2, 0))
    S = timed.record.S
    assert datum(timed, 0, 4) == bits(7.5)
    assert S.vector.lreg[2, 2] == bits(-7.5 if extra else 7.5)
    assert S.vector.lreg[16, 2] == (bits(7.5) if extra else 0)


def test_round_and_simple_in_the_same_cycle(timed: Machine) -> None:
    """Both read what was loaded, whatever the other writes; one of them has VD 16."""
    fill(timed)
    templates = ["SFPNOT vc=0, vd=12", "SFP_STOCH_RND vb=0, vc=0, vd=13, mod1=FP32_TO_INT16"]
    sequence = step(4, 0) << SIMPLE | step(5, 0, extra=True) << ROUND
    sequence |= step(3, 1, extra=True) << STORE
    ends(timed, *configure(timed, templates, sequence), LOAD_0.format(3, 0))
    S = timed.record.S
    assert S.vector.lreg[3, 0] == bits(1.5) ^ 0xFFFFFFFF
    assert S.vector.lreg[16, 1] == 5  # 4.5, ties away from zero
    assert datum(timed, 0, 2) == 0  # a denormal is flushed by a store of FP32


def test_two_writers(timed: Machine) -> None:
    templates = ["SFPNOT vc=0, vd=12", "SFPSHFT2 vb=0, vc=0, vd=13, mod1=SHFT_LREG"]
    sequence = step(4, 0) << SIMPLE | step(5, 0) << ROUND
    stop = refused(timed, *configure(timed, templates, sequence), LOAD_0.format(3, 0), "NOP")
    assert stop.code == Fault.VECTOR_MACRO


@pytest.mark.parametrize(
    "sequence",
    [step(1, 0) << SIMPLE, step(2, 0) << STORE, step(4, 0) << STORE],
    ids=["reserved", "nop to store", "not to store"],
)
def test_what_cannot_be_scheduled(timed: Machine, sequence: int) -> None:
    program = [*configure(timed, ["SFPNOT vc=0, vd=12"], sequence), LOAD_0.format(3, 0)]
    stop = refused(timed, *program)
    assert stop.code == Fault.VECTOR_MACRO


def test_another_sub_units_instruction_becomes_nothing(timed: Machine) -> None:
    fill(timed)
    ends(timed, *configure(timed, ["SFPNOT vc=0, vd=12"], step(4, 0) << MAD), LOAD_0.format(3, 0))
    assert timed.record.S.vector.lreg[3, 0] == bits(1.5)


def test_the_scheduled_one_goes_first(timed: Machine) -> None:
    """In its cycle the gate's instruction for the same sub-unit is silently discarded."""
    fill(timed)
    program = configure(timed, ["SFPABS vc=0, vd=12"], step(4, 0) << SIMPLE)
    ends(timed, *program, LOAD_0.format(3, 0), "SFPNOT vc=L4, vd=L5", "SFPNOT vc=L4, vd=L6")
    S = timed.record.S
    assert (S.vector.lreg[5, 0], S.vector.lreg[6, 0]) == (0, bits(2.0) ^ 0xFFFFFFFF)


def test_the_gate_reads_what_was_there_before(timed: Machine) -> None:
    """In the cycle of the scheduled SFPNOT, a multiplication reads the old LReg."""
    fill(timed)
    program = configure(timed, ["SFPNOT vc=0, vd=12"], step(4, 0) << SIMPLE)
    ends(timed, *program, LOAD_0.format(3, 0), "SFPMUL va=L3, vb=L4, vc=L9, vd=L5", "SFPNOP")
    S = timed.record.S
    assert (S.vector.lreg[5, 0], S.vector.lreg[3, 0]) == (bits(3.0), bits(1.5) ^ 0xFFFFFFFF)


def test_later_schedules_replace_earlier_ones(timed: Machine) -> None:
    """Delay 1, and delay 0 from the next instruction: the same cycle, the later one stays."""
    fill(timed)
    S = timed.record.S
    program = configure(timed, ["SFPNOT vc=0, vd=12"], step(4, 1) << SIMPLE)
    program += ["SFPLOADI vd=L0, mod0=USHORT, imm16=4", "SFPCONFIG vd=SEQUENCE1"]
    program += [LOAD_0.format(2, 0), "SFPLOADMACRO macro_index=1, vd_lo=3, mod0=FP32, imm9=0"]
    ends(timed, *program)
    inverted = bits(1.5) ^ 0xFFFFFFFF
    assert (S.vector.lreg[2, 0], S.vector.lreg[3, 0]) == (bits(1.5), inverted)


def test_what_schedules_nothing_replaces_nothing(timed: Machine) -> None:
    """A byte of 0 has delay 0 too."""
    fill(timed)
    S = timed.record.S
    program = configure(timed, ["SFPNOT vc=0, vd=12"], step(4, 1) << SIMPLE)
    program += ["SFPCONFIG vd=SEQUENCE1, mod1=IMM16_IS_VALUE"]
    program += [LOAD_0.format(2, 0), "SFPLOADMACRO macro_index=1, vd_lo=3, mod0=FP32, imm9=0"]
    ends(timed, *program, "SFPNOP")
    assert (S.vector.lreg[2, 0], S.vector.lreg[3, 0]) == (bits(1.5) ^ 0xFFFFFFFF, bits(1.5))


# Sequences of _calculate_reciprocal_fast_24b_5c_ of LLK: its loop has five instructions.
FAST_RECIPROCAL = (
    step(4, 0) << SIMPLE | step(3, 6, extra=True) << STORE,
    step(4, 0, extra=True) << SIMPLE | step(5, 2) << MAD | step(3, 2) << STORE,
    step(7, 2, by_vb=True) << SIMPLE | step(6, 0) << MAD,
    step(6, 1, by_vb=True) << MAD | step(3, 3) << STORE,
)
FAST_TEMPLATES = (
    "SFPARECIP vc=L0, vd=12, mod1=RECIP",
    "SFPMAD va=L0, vb=L0, vc=L0, vd=13",
    "SFPMAD va=L1, vb=L0, vc=L2, vd=14",
    "SFPSWAP vc=L10, vd=15, mod1=VEC_MIN_MAX",
)
FAST_LOOP = (
    "SFPLOADMACRO macro_index=0, vd_lo=3, mod0=FP32, imm9=0, addr_mod=7",
    "SFPLOADMACRO macro_index=2, vd_lo=1, mod0=FP32, imm9=0x1ff, addr_mod=7",
    "SFPLOADMACRO macro_index=1, vd_lo=0, mod0=FP32, imm9=0, addr_mod=7",
    "SFPMAD va=L0, vb=L3, vc=L10, vd=0, mod1=1",
    "SFPLOADMACRO macro_index=3, vd_lo=2, mod0=FP32, imm9=0x1ff, addr_mod=6",
)


def test_the_reciprocal_of_32_bits(timed: Machine) -> None:
    """Of softmax, and of each kernel with datums of 32 bits in Dst."""
    fill(timed, 0.37)
    S = timed.record.S
    program = list(FAST_TEMPLATES)
    for number, sequence in enumerate(FAST_RECIPROCAL):
        program.append(f"SFPLOADI vd=L0, mod0=UPPER, imm16={sequence >> 16:#x}")
        program.append(f"SFPLOADI vd=L0, mod0=LOWER, imm16={sequence & 0xFFFF:#x}")
        program.append(f"SFPCONFIG vd={4 + number}")
    program.append("SFPCONFIG imm16=0xff0, vd=MISC, mod1=IMM16_IS_VALUE")
    for index, text in enumerate(FAST_LOOP):
        S.replay.buffer[0, index] = word(text)
    by_two = config_fields(Arch.BLACKHOLE)["ADDR_MOD_DST_SEC6_DestIncr"]
    S.config.thread[0, by_two.word] = 2 * (by_two.mask & -by_two.mask)
    program += ["REPLAY index=0, count=4", "SFPLOAD vd=L7, mod0=SRCB, addr_mod=6"]
    program += ["REPLAY index=0, count=5"] * 3
    program += ["SFPNOP", "REPLAY index=1, count=1", "SFPNOP", "REPLAY index=3, count=2"]
    ends(timed, *program, *["SFPNOP"] * 4)
    for row in range(8):
        for column in range(16):
            (found,) = struct.unpack("<f", struct.pack("<I", datum(timed, row, column)))
            assert found * 0.37 * (row * 16 + column + 1) == pytest.approx(1, rel=1e-6)


def test_waiting_for_instructions(timed: Machine) -> None:
    """Two instructions have to come first; nothing waits for it meanwhile, C11 neither."""
    fill(timed)
    misc = FP32 | 1 << 8
    program = configure(timed, ["SFPNOT vc=0, vd=12"], step(4, 2) << SIMPLE, misc)
    S = timed.record.S
    ends(timed, *program, LOAD_0.format(3, 0), "SFPNOP")
    assert (S.vector.lreg[3, 0], S.macro.count, c11(S, 0)) == (bits(1.5), 1, 0)
    ends(timed, "SFPNOP", "NOP", "NOP")
    assert (S.vector.lreg[3, 0], S.macro.count) == (bits(1.5) ^ 0xFFFFFFFF, 0)


def test_c11_sees_what_is_scheduled(timed: Machine) -> None:
    fill(timed)
    program = configure(timed, ["SFPNOT vc=0, vd=12"], step(4, 5) << SIMPLE)
    ends(timed, *program)
    timed.images.clear()
    start(timed, LOAD_0.format(3, 0))
    busy = sum(c11(timed.record.S, 0) != 0 for _ in every_cycle(timed))
    assert busy == 6  # its own cycle and five of delay


def test_columns_may_differ(timed: Machine) -> None:
    fill(timed)
    S = timed.record.S
    for column in range(8):
        S.vector.template[0, column] = 0x80 << 24
        S.vector.template[1, column] = 0x7D << 24 | 1
        S.vector.sequence[0, column] = step(4 + (column & 1), 0)
    ends(timed, LOAD_0.format(3, 0), "SFPNOP")
    assert S.vector.lreg[3, 0] == bits(1.5) ^ 0xFFFFFFFF
    assert S.vector.lreg[3, 1] == bits(4.5)


def test_a_store_of_some_lanes(timed: Machine) -> None:
    timed.record.S.vector.sequence[0, 5] = step(3, 0) << STORE
    stop = refused(timed, LOAD_0.format(3, 0))
    assert stop.code == Fault.VECTOR_MACRO


def test_a_fault_of_what_is_scheduled(timed: Machine) -> None:
    """It names SFPLOADMACRO's origin, and continuing passes it."""
    program = configure(timed, ["SFPPOPC vd=12"], step(4, 0) << SIMPLE)
    stop = refused(timed, *program, LOAD_0.format(3, 0), "NOP", "NOP")
    assert stop.code == Fault.VECTOR_STACK
    assert timed.record.S.macro.count == 0
