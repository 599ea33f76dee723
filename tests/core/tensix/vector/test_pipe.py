# SPDX-License-Identifier: Apache-2.0
"""When results are there, what waits for them, what should have, and C11 (SFPMAD.md, STALLWAIT.md).

On every engine and in every schedule; what takes a cycle, in `latency`.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.devices.soft_reset import set_soft_reset
from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.tensix.gate.wait_gate import c11
from tests.core.tensix.drive import ends, every_cycle, refused, start
from tests.core.tensix.vector.macros import datum
from tests.core.tensix.vector.pages import bits

MAD = "SFPMAD va=L1, vb=L2, vc=L9, vd=L0"
# Instructions that read LReg[0] through the field, and whether the hardware waits for it.
# fmt: off
SEEN = [
    "SFPADD va=L10, vb=L0, vc=L9, vd=L3", "SFPADDI imm16=0x3f80, vd=L0", "SFPNOT vc=L0, vd=L3",
    "SFPXOR vc=L4, vd=L0", "SFPSETCC vc=L0", "SFPLUT vd=L4",
    "SFPLOADI vd=L0, mod0=LOWER, imm16=1", "SFPTRANSP", "SFPGT vc=L4, vd=L0, mod1=SET_CC",
    "SFPMUL24 va=L4, vb=L0, vc=L9, vd=L5", "SFP_STOCH_RND vb=L0, vc=L4, vd=L5",
]
OVERLOOKED = [
    "SFPIADD vc=L4, vd=L0", "SFPSHFT vc=L4, vd=L0", "SFPAND vb=L0, vc=L4, vd=L5, mod1=USE_VB",
    "SFPOR vb=L0, vc=L4, vd=L5, mod1=USE_VB", "SFPCONFIG vd=L11",
    "SFPSWAP vc=L0, vd=L4, mod1=VEC_MIN_MAX", "SFPSHFT2 vc=L0, vd=L5, mod1=SUBVEC_SHFLROR1",
    "SFPSHFT2 vb=L0, vc=L4, vd=L5, mod1=SHFT_LREG",
]
UNRELATED = [
    "SFPNOP", "SFPNOT vc=L3, vd=L4", "SFPLOADI vd=L5, mod0=USHORT, imm16=1",
    "SFPSWAP vc=L0, vd=L4, mod1=SWAP",
]
# fmt: on


def set_up(machine: Machine) -> None:
    S = machine.record.S
    for lane in range(32):
        S.vector.lreg[1, lane] = bits(3.0)
        S.vector.lreg[2, lane] = bits(float(lane))


def cycles(machine: Machine, *texts: str) -> int:
    """Return how long after the first instruction the last one passes its gate; texts are one
    block."""
    set_up(machine)
    start(machine, "NOP", "NOP", *texts)
    seen = [int(machine.record.S.passed.count[0]) for _ in every_cycle(machine)]
    return seen.index(max(seen)) - seen.index(min(n for n in seen if n >= 3))


def test_results_are_there_for_who_asks(tile: Machine) -> None:
    set_up(tile)
    ends(tile, MAD, "SFPADD va=L10, vb=L0, vc=L0, vd=L3", "SFPNOT vc=L3, vd=L4")
    S = tile.record.S
    assert [int(S.vector.lreg[3, lane]) for lane in range(32)] == [bits(6.0 * i) for i in range(32)]
    assert S.vector.lreg[4, 1] == bits(6.0) ^ 0xFFFFFFFF


def test_later_in_program_order_wins(tile: Machine) -> None:
    set_up(tile)
    ends(tile, MAD, "SFPNOP", "SFPLOADI vd=L0, mod0=USHORT, imm16=7", "SFPNOP", "SFPNOP")
    assert tile.record.S.vector.lreg[0, 5] == 7


def test_indirect_results(tile: Machine) -> None:
    set_up(tile)
    S = tile.record.S
    for lane in range(32):
        S.vector.lreg[7, lane] = lane & 3
    ends(tile, "SFPMAD va=L1, vb=L2, vc=L9, vd=L0, mod1=INDIRECT_VD", "SFPNOP", "SFPNOP")
    assert [int(S.vector.lreg[3, lane]) for lane in (2, 3)] == [0, bits(9.0)]


@pytest.mark.parametrize("text", SEEN)
def test_who_waits_for_the_mad_sub_unit(timed: Machine, text: str) -> None:
    assert cycles(timed, MAD, text) == 2


STORE = "SFPSTORE vd=L0, mod0=FP32"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([STORE], 1),
        ([STORE, "INCRWC dst_inc=2"], 2),  # of another unit
        ([STORE, "SFPNOP"], 3),
        (["SFPNOP", STORE, "SFPNOP"], 3),  # nothing to wait for
        (["INCRWC dst_inc=2", STORE, "SFPNOP"], 3),
    ],
)
def test_a_store_waits_in_the_unit(timed: Machine, texts: list[str], expected: int) -> None:
    assert cycles(timed, MAD, *texts) == expected


def test_a_store_that_waits_has_the_result_and_its_place(tile: Machine) -> None:
    """In every schedule; what moves Dst on comes after it."""
    set_up(tile)
    ends(tile, MAD, STORE, "INCRWC dst_inc=2", "SFPLOADI vd=L0, mod0=USHORT, imm16=7")
    assert datum(tile, 0, 2) == bits(3.0)
    assert tile.record.S.rwc.dst[0] == 2
    assert tile.record.S.vector.lreg[0, 5] == 7


@pytest.mark.parametrize("text", UNRELATED)
def test_who_does_not(timed: Machine, text: str) -> None:
    assert cycles(timed, MAD, text) == 1


@pytest.mark.parametrize("text", OVERLOOKED)
def test_who_should_have(timed: Machine, text: str) -> None:
    set_up(timed)
    for lane in range(32):  # SFPSWAP compares it with what L0 is, or will be
        timed.record.S.vector.lreg[4, lane] = bits(1.0)
    stop = refused(timed, MAD, text)
    assert stop.code == Fault.VECTOR_HAZARD
    assert "SFPNOP" in stop.text


@pytest.mark.parametrize("text", OVERLOOKED)
def test_an_sfpnop_between_helps(timed: Machine, text: str) -> None:
    assert cycles(timed, MAD, "SFPNOP", text) == 2


def test_without_the_scoreboard_everything_is_a_hazard(timed: Machine) -> None:
    for bank in range(2):
        timed.record.S.config.word[bank, 222] = 1
    stop = refused(timed, MAD, SEEN[0])
    assert stop.code == Fault.VECTOR_HAZARD


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["SFPSWAP vc=L0, vd=L4", "SFPNOP"], 1),
        (["SFPSWAP vc=L0, vd=L4", "SFPNOT vc=L5, vd=L6"], 2),
        (["SFPSHFT2 vc=L0, vd=L4, mod1=SUBVEC_SHFLSHR1", "SFPNOT vc=L5, vd=L6"], 2),
        (["SFPSHFT2 mod1=COPY4", "SFPNOT vc=L5, vd=L6"], 1),
        (["SFPSWAP vc=L0, vd=L4", "STALLWAIT block=B1, wait=C9"], 1),
    ],
)
def test_two_cycles(timed: Machine, texts: list[str], expected: int) -> None:
    assert cycles(timed, *texts) == expected


def wait(first: str) -> list[str]:
    return [first, "STALLWAIT block=B1, wait=C11", "SEMPOST sem=1"]


@pytest.mark.parametrize(
    ("text", "expected"), [(MAD, 2), ("SFPNOT vc=L1, vd=L3", 1), ("SFPSWAP vc=L0, vd=L4", 2)]
)
def test_c11_is_as_long_as_the_instruction(timed: Machine, text: str, expected: int) -> None:
    start(timed, text)
    assert sum(c11(timed.record.S, 0) for _ in every_cycle(timed)) == expected
    assert [int(timed.record.S.busy.vector[thread]) for thread in range(3)] == [0, 0, 0]


def test_nothing_is_left_of_anything(tile: Machine) -> None:
    set_up(tile)
    ends(tile, *[MAD] * 5 + ["SFPSWAP vc=L0, vd=L4"] * 3 + wait(MAD))
    S = tile.record.S
    assert S.vector_late.pending == S.busy.vector[0] == S.vector_pipe.busy == 0


def test_soft_reset(tile: Machine) -> None:
    S = tile.record.S
    set_up(tile)
    S.vector.use_flags = 5
    before = int(S.tile_control.soft_reset)
    set_soft_reset(S, before | 1 << 10)
    set_soft_reset(S, before)
    assert (S.vector.lreg[2, 5], S.vector.lreg[11, 0], S.vector.use_flags) == (0, bits(-1.0), 0)
