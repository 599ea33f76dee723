# SPDX-License-Identifier: Apache-2.0
"""SFPLOADMACRO: what executes in one cycle reads what was there before, and what is written then.

In every schedule: blocks of instructions come from the replay buffer, so that one passes in each
cycle.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import StopKind
from tests.core.tensix.drive import ends, run_thread
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
    in_one_block,
    set_everywhere,
    step,
)
from tests.core.tensix.vector.pages import bits

NOT_, ROUNDED = "SFPNOT vc=0, vd=12", "SFP_STOCH_RND vb=0, vc=0, vd=14, mod1=FP32_TO_INT16"
TIMES_L4_AS_1 = TIMES_L4.replace("vd=12", "vd=13")


@pytest.mark.parametrize(("unit", "template"), [(SIMPLE, NOT_), (ROUND, ROUNDED)])
def test_mad_and_another_in_the_same_cycle(tile: Machine, unit: int, template: str) -> None:
    """Both read what was loaded. MAD's result comes a cycle later than the other's, and stays."""
    fill(tile)
    at = 4 + (int("SFPNOT" not in template) << 1)
    sequence = step(at, 0) << unit | step(5, 0, by_vb=True) << MAD | step(3, 1) << STORE
    ends(tile, *configure(tile, [template, TIMES_L4_AS_1], sequence), LOAD_0.format(1, 0))
    S = tile.record.S
    assert S.vector.lreg[1, 1] == bits(9.0)
    # What the store finds a cycle later is what the other has written: NOT, or a denormal's 0.
    assert datum(tile, 0, 2) == (bits(4.5) ^ 0xFFFFFFFF if unit == SIMPLE else 0)


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("unit", [SIMPLE, ROUND])
def test_what_is_read_before_mads_result_is_there(tile: Machine, unit: int, delay: int) -> None:
    """In the cycle in which MAD executes, and in the one at whose end its result is written."""
    fill(tile)
    at = 4 if unit == SIMPLE else 6
    sequence = step(at, delay, extra=True) << unit | step(5, 0, by_vb=True) << MAD
    ends(tile, *configure(tile, [NOT_, TIMES_L4_AS_1, ROUNDED], sequence), LOAD_0.format(1, 0))
    S = tile.record.S
    assert S.vector.lreg[1, 1] == bits(9.0)
    assert S.vector.lreg[16, 1] == (bits(4.5) ^ 0xFFFFFFFF if unit == SIMPLE else 5)


@pytest.mark.parametrize(("unit", "at"), [(SIMPLE, 4), (ROUND, 6)])
def test_a_write_in_the_cycle_of_mads_result(tile: Machine, unit: int, at: int) -> None:
    fill(tile)
    sequence = step(at, 1) << unit | step(5, 0, by_vb=True) << MAD
    program = configure(tile, [NOT_, TIMES_L4_AS_1, ROUNDED], sequence)
    stop = run_thread(tile, [*program, LOAD_0.format(1, 0), "NOP", "NOP"])
    assert stop is not None
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.VECTOR_WRITES)
    assert "Sequence" in stop.text
    ends(tile, "NOP")
    assert tile.record.S.vector.lreg[1, 1] == bits(9.0)


def test_a_load_in_the_cycle_of_mad(tile: Machine) -> None:
    """The load is written first, then MAD's result, which has read what was there before."""
    fill(tile)
    ends(tile, *configure(tile, [TIMES_L4], step(4, 0, by_vb=True) << MAD))
    stop = in_one_block(tile, LOAD_0.format(1, 0), "SFPLOADI vd=L1, mod0=USHORT, imm16=7", "SFPNOP")
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    assert tile.record.S.vector.lreg[1, 1] == bits(9.0)


@pytest.mark.parametrize("text", ["SFPLOADI vd=L1, mod0=USHORT, imm16=7", "SFPNOT vc=L4, vd=L1"])
def test_the_gates_write_in_the_cycle_of_mads_result(tile: Machine, text: str) -> None:
    fill(tile)
    ends(tile, *configure(tile, [TIMES_L4], step(4, 0, by_vb=True) << MAD))
    stop = in_one_block(tile, LOAD_0.format(1, 0), "SFPNOP", text)
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.VECTOR_WRITES), stop.text


ROUNDED_AS_0 = ROUNDED.replace("vd=14", "vd=12")


def test_the_gates_write_in_the_cycle_of_anothers(tile: Machine) -> None:
    fill(tile)
    ends(tile, *configure(tile, [ROUNDED_AS_0], step(4, 0) << ROUND))
    stop = in_one_block(tile, LOAD_0.format(3, 0), "SFPNOT vc=L4, vd=L3")
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.VECTOR_WRITES), stop.text


@pytest.mark.parametrize(("unit", "template"), [(SIMPLE, NOT_), (ROUND, ROUNDED_AS_0)])
def test_a_load_stays_over_what_simple_or_round_writes(
    tile: Machine, unit: int, template: str
) -> None:
    fill(tile)
    ends(tile, *configure(tile, [template], step(4, 0) << unit))
    for mod0, kept in (("USHORT", 0), ("LOWER", bits(1.5))):
        load = f"SFPLOADI vd=L3, mod0={mod0}, imm16=7"
        stop = in_one_block(tile, LOAD_0.format(3, 0), load, "SFPNOP")
        assert stop.kind is StopKind.ALL_PAUSED, stop.text
        assert tile.record.S.vector.lreg[3, 0] == kept | 7


def test_a_load_stays_over_what_a_swap_writes(tile: Machine) -> None:
    """The maximum of what was loaded and L4 goes to L4, while the next load fills VD."""
    fill(tile)
    S = tile.record.S
    set_everywhere(tile, ["SFPSWAP vc=L4, vd=0, mod1=VEC_MIN_MAX"], misc=FP32)
    for column in range(8):
        S.vector.sequence[0, column] = step(4, 0, by_vb=True) << SIMPLE
    again = "SFPLOAD vd=L1, mod0=FP32, imm10=4"
    stop = in_one_block(tile, LOAD_0.format(1, 0), "SFPNOP", again, "SFPNOP", "SFPNOP")
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    assert (S.vector.lreg[4, 0], S.vector.lreg[4, 1]) == (bits(2.0), bits(4.5))
    assert (S.vector.lreg[1, 0], S.vector.lreg[1, 1]) == (bits(97.5), bits(100.5))


def test_the_gates_mad_in_the_cycle_of_another(tile: Machine) -> None:
    """Its result is written a cycle later, also if it is what was there when the cycle began."""
    fill(tile)
    S = tile.record.S
    for lane in range(32):
        S.vector.lreg[4, lane] = bits(1.0)
    ends(tile, *configure(tile, [NOT_], step(4, 0) << SIMPLE))
    stop = in_one_block(tile, LOAD_0.format(3, 0), "SFPMUL va=L3, vb=L4, vc=L9, vd=L3", "SFPNOP")
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    assert S.vector.lreg[3, 1] == bits(4.5)


def test_columns_with_different_multiplications(tile: Machine) -> None:
    """Four instructions in each of two cycles, each with a result."""
    fill(tile)
    S = tile.record.S
    for column in range(8):
        for i in range(2):
            # L4, L5, L6 or L7 times VD, to VD or LReg 16.
            S.vector.template[i, column] = 0x86 << 24 | (4 + (column & 3)) << 16 | 9 << 8
        S.vector.sequence[0, column] = step(4, 0, by_vb=True, extra=column > 3) << MAD
        for number in range(4):
            S.vector.lreg[4 + number, column] = bits(2.0 + number)
    stop = in_one_block(tile, LOAD_0.format(1, 0), LOAD_0.format(2, 0), *["SFPNOP"] * 3)
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    for column in range(4):
        loaded = 1.5 * (2 * column + 1)
        for number in (1, 2):
            assert S.vector.lreg[number, column] == bits(loaded * (2 + column))
            assert S.vector.lreg[number, column + 4] == bits(1.5 * (2 * column + 9))
        assert S.vector.lreg[16, column + 4] == bits(1.5 * (2 * column + 9) * (2 + column))


def test_a_swap_that_is_scheduled(tile: Machine) -> None:
    """It reads again in its second cycle; who reads its LRegs then gets what they held before."""
    fill(tile)
    S = tile.record.S
    sequence = step(4, 0) << SIMPLE | step(2, 0) << MAD | step(3, 1) << STORE
    ends(tile, *configure(tile, ["SFPSWAP vc=0, vd=12, mod1=SWAP"], sequence))
    for column in range(8):
        S.vector.template[0, column] = 0x92 << 24 | 4 << 8
        S.vector.sequence[0, column] |= 0x80  # VC stays L4
    ends(tile, LOAD_0.format(1, 0))
    assert (S.vector.lreg[1, 1], S.vector.lreg[4, 1]) == (bits(2.0), bits(4.5))
    assert datum(tile, 0, 2) == bits(4.5)


def test_a_load_goes_by_the_flags_that_were_there_before(tile: Machine) -> None:
    """A selection in three instructions: the condition, what is wanted where it is not 0, and where
    it is. SFPSETCC executes with the second load, SFPENCC with the third, which has the flags of
    SFPSETCC; the result replaces the condition."""
    fill(tile)
    S = tile.record.S
    for i in range(8):
        for row in range(4):
            if (i + row) & 1:
                S.dst.bits[row, 2 * i] = S.dst.bits[row + 8, 2 * i] = 0
    set_everywhere(tile, ["SFPSETCC vc=0, mod1=LREG_EQ0", "SFPENCC"], misc=FP32 | 7 << 8)
    for column in range(8):
        S.vector.sequence[0, column] = step(4, 0) << SIMPLE | step(3, 2) << STORE
        S.vector.sequence[1, column] = step(5, 0) << SIMPLE
    S.vector.use_flags = 0xFFFFFFFF
    S.vector.flags = 0xFFFFFFFF
    second = "SFPLOADMACRO macro_index=1, vd_lo=0, mod0=FP32, imm9=2"
    block = [LOAD_0.format(0, 0), second, "SFPLOAD vd=L0, mod0=FP32, imm10=8", *["SFPNOP"] * 3]
    stop = in_one_block(tile, *block)
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    for i in range(8):
        for row in range(4):
            source = row + (8 if (i + row) & 1 else 4)
            assert datum(tile, row, 2 * i) == bits(1.5 * (source * 16 + 2 * i + 1))


def test_an_earlier_cycles_sub_unit_is_free_again(tile: Machine) -> None:
    """Nothing passes a gate in the cycle in which the scheduled SFPABS executes."""
    fill(tile)
    program = configure(tile, ["SFPABS vc=0, vd=12"], step(4, 3) << SIMPLE)
    ends(tile, *program, LOAD_0.format(3, 0), *["NOP"] * 9, "SFPNOT vc=L4, vd=L6")
    assert tile.record.S.vector.lreg[6, 0] == bits(2.0) ^ 0xFFFFFFFF


@pytest.mark.parametrize(
    "load", ["SFPLOADI vd=L1, mod0=FLOATB, imm16=0x40c0", "SFPNOT vc=L4, vd=L1"]
)
@pytest.mark.parametrize(
    ("delay", "between", "overwritten"),
    [
        (0, ["SFPSWAP vc=L5, vd=L6, mod1=SWAP"], True),
        (1, ["SFPMUL va=L4, vb=L4, vc=L9, vd=L5", "SFPMOV vc=L5, vd=L6"], True),
        (1, ["SFPNOP"], False),
    ],
)
def test_what_waits_between_the_load_macro_and_another_load(
    tile: Machine, load: str, delay: int, between: list[str], overwritten: bool
) -> None:
    """Hardware waits for one cycle after SFPSWAP, and for SFPMUL's result, so that the last
    instruction comes when the scheduled result has been written. `sc` has the same cycles."""
    fill(tile)
    ends(tile, *configure(tile, [TIMES_L4], step(4, delay, by_vb=True) << MAD))
    stop = in_one_block(tile, LOAD_0.format(1, 0), *between, load, *["SFPNOP"] * 4)
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    wanted = bits(6.0) if "SFPLOADI" in load else bits(2.0) ^ 0xFFFFFFFF
    # One cycle earlier, SFPMUL reads what this one writes: the product comes last.
    found = int(tile.record.S.vector.lreg[1, 1])
    assert (found == wanted) == overwritten


def test_a_swap_with_a_constant(tile: Machine) -> None:
    """LLK's fast exp keeps the larger of what it loads and L14 so: VC and VD are the loaded LReg,
    and the template's VD is VB (tt-metal's softmax of -inf)."""
    S = tile.record.S
    fill(tile, -20.0)
    for lane in range(32):
        S.vector.lreg[14, lane] = bits(-88.5)
    set_everywhere(tile, ["SFPSWAP vc=0, vd=14, mod1=VEC_MIN_MAX"], misc=FP32)
    for column in range(8):
        S.vector.sequence[0, column] = step(4, 0) << SIMPLE | step(3, 2) << STORE
    stop = in_one_block(tile, LOAD_0.format(1, 0), "SFPNOP", "SFPNOP", "SFPNOP", "SFPNOP")
    assert stop.kind is StopKind.ALL_PAUSED, stop.text
    assert [datum(tile, 0, column) for column in (0, 2, 4, 6)] == [
        bits(-20.0),
        bits(-60.0),
        bits(-88.5),
        bits(-88.5),
    ]
    assert S.vector.lreg[14, 0] == bits(-88.5)
