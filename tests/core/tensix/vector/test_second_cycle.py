# SPDX-License-Identifier: Apache-2.0
"""Instructions of two cycles, and what else is written in the second (SFPMAD.md, SFPSWAP.md).

Blocks of instructions come from the replay buffer, so that one passes in each cycle in every
schedule. In `sc` only what SFPLOADMACRO has scheduled takes time, and what comes while it does.
"""

from __future__ import annotations

import pytest

from tensix_gdb.core.faults.codes import Fault
from tensix_gdb.core.machine import Machine
from tensix_gdb.core.stop import Stop, StopKind
from tensix_gdb.core.tensix.vector.state import ENABLE_DEST_INDEX
from tests.core.tensix.drive import run_thread
from tests.core.tensix.programs import word
from tests.core.tensix.vector.pages import bits

MAD = "SFPMAD va=L1, vb=L2, vc=L9, vd=L5"  # 7 in every lane
SWAP = "SFPSWAP vc=L5, vd=L4, mod1=SWAP"
SEVEN, OLD_4, OLD_5 = bits(7.0), bits(4.0), bits(10.0)


def set_up(machine: Machine, **lregs: float) -> None:
    S = machine.record.S
    given = {"L1": 3.5, "L2": 2.0, "L4": 4.0, "L5": 10.0, **lregs}
    for name, value in given.items():
        for lane in range(32):
            S.vector.lreg[int(name[1:]), lane] = bits(value)


def back_to_back(machine: Machine, *texts: str) -> Stop:
    """One instruction in each cycle."""
    for index, text in enumerate(texts):
        machine.record.S.replay.buffer[0, index] = word(text)
    stop = run_thread(machine, [f"REPLAY index=0, count={len(texts)}"])
    assert stop is not None
    return stop


def ends(machine: Machine, *texts: str) -> None:
    stop = back_to_back(machine, *texts)
    assert stop.kind is StopKind.ALL_PAUSED, stop.text


def races(machine: Machine, *texts: str) -> str:
    stop = back_to_back(machine, *texts)
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.VECTOR_WRITES), stop.text
    return stop.text


def lregs(machine: Machine, *numbers: int, lane: int = 3) -> list[int]:
    return [int(machine.record.S.vector.lreg[number, lane]) for number in numbers]


# -- SFPSWAP
@pytest.mark.parametrize("swap", [SWAP, "SFPSWAP vc=L4, vd=L5, mod1=SWAP"])
def test_a_swap_reads_in_its_second_cycle(tile: Machine, swap: str) -> None:
    set_up(tile)
    ends(tile, MAD, swap)
    assert lregs(tile, 4, 5) == [SEVEN, OLD_4]


def test_a_swap_of_some_lanes(tile: Machine) -> None:
    """Lanes are enabled, or not, in the first cycle."""
    set_up(tile)
    S = tile.record.S
    S.vector.use_flags, S.vector.flags = 0xFFFFFFFF, 0x0000FFFF
    ends(tile, MAD, SWAP)
    assert lregs(tile, 4, 5, lane=15) == [SEVEN, OLD_4]
    assert lregs(tile, 4, 5, lane=16) == [OLD_4, OLD_5]


def indexed(machine: Machine) -> None:
    for column in range(8):
        machine.record.S.vector.config[column] = 1 << ENABLE_DEST_INDEX


def test_a_comparison_moves_the_index_too(tile: Machine) -> None:
    set_up(tile, L0=1.0, L1=3.5)
    indexed(tile)
    ends(tile, "SFPSWAP vc=L0, vd=L1, mod1=VEC_MIN_MAX")
    assert lregs(tile, 0, 1, 4, 5) == [bits(3.5), bits(1.0), OLD_5, OLD_4]


# -- erratum TEN-2932 (SFPCONFIG.md of Wormhole, commit 376743c; ttsim)
CORRUPT = [
    MAD,
    "SFPMAD va=L1, vb=L2, vc=L9, vd=L0, mod1=INDIRECT_VD",  # L7 names 4
    "SFPLUTFP32 vd=L4, mod1=FP32_3ENTRY_TABLE",
    "SFPMOV vc=L1, vd=L7, mod1=0",
    "SFPSHFT2 vc=L1, vd=L4, mod1=SUBVEC_SHFLROR1",
    "SFPIADD imm12=1, vc=L1, vd=L5, mod1=ARG_IMM",
    "SFPCAST vc=L1, vd=L5, mod1=0",
]


@pytest.mark.parametrize("text", CORRUPT)
def test_what_writes_an_index_while_it_is_enabled_stops(tile: Machine, text: str) -> None:
    set_up(tile)
    S = tile.record.S
    for lane in range(32):
        S.vector.lreg[7, lane] = 4
    ends(tile, text)
    indexed(tile)
    before = [lregs(tile, *range(8)), S.vector.flags]
    stop = back_to_back(tile, text)
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.VECTOR_INDEX), stop.text
    assert [lregs(tile, *range(8)), S.vector.flags] == before


def test_other_instructions_do_not_corrupt_an_index(tile: Machine) -> None:
    set_up(tile)
    indexed(tile)
    loads = ["SFPLOADI vd=L5, mod0=USHORT, imm16=7", "SFPTRANSP", SWAP, "SFPNOP"]
    ends(tile, *loads, MAD.replace("vd=L5", "vd=L3"), "SFPSETCC vc=L5, mod1=LREG_NE0")


def test_lanes_that_are_off_corrupt_no_index(tile: Machine) -> None:
    set_up(tile)
    tile.record.S.vector.config[3] = 1 << ENABLE_DEST_INDEX
    tile.record.S.vector.use_flags, tile.record.S.vector.flags = 0xFFFFFFFF, 0xF7F7F7F7
    ends(tile, MAD)
    assert lregs(tile, 5, lane=2) == [SEVEN]


def test_one_swap_after_another(tile: Machine) -> None:
    set_up(tile)
    ends(tile, MAD, SWAP, "SFPSWAP vc=L4, vd=L6, mod1=SWAP", "SFPNOT vc=L6, vd=L0")
    assert lregs(tile, 0, 4, 5, 6) == [SEVEN ^ 0xFFFFFFFF, 0, OLD_4, SEVEN]


def test_nothing_of_a_swap_is_left(tile: Machine) -> None:
    set_up(tile)
    ends(tile, MAD, SWAP, "STALLWAIT block=B1, wait=C11", "SEMPOST sem=1")
    S = tile.record.S
    assert S.vector_late.pending == S.vector_late.swaps == S.vector_pipe.busy == 0


def test_a_swap_of_nothing(tile: Machine) -> None:
    """Of constants, or of no lane: it is over after two cycles all the same."""
    set_up(tile)
    ends(tile, "SFPSWAP vc=L9, vd=L10, mod1=SWAP", "SFPSWAP vc=L5, vd=L4, mod1=VEC_MIN_MAX")
    assert lregs(tile, 4, 5, 10) == [OLD_4, OLD_5, bits(1.0)]
    assert tile.record.S.vector_late.pending == tile.record.S.vector_late.swaps == 0


def test_without_the_scoreboard_a_swap_has_to_be_waited_for(timed: Machine) -> None:
    set_up(timed)
    for bank in range(2):
        timed.record.S.config.word[bank, 222] = 1
    ends(timed, SWAP, "SFPNOP", "SFPNOT vc=L4, vd=L6")
    assert lregs(timed, 6) == [OLD_5 ^ 0xFFFFFFFF]
    stop = back_to_back(timed, SWAP, "SFPNOT vc=L4, vd=L6")
    assert (stop.kind, stop.code) == (StopKind.FAULT, Fault.VECTOR_HAZARD)


# -- two writes in one cycle
@pytest.mark.parametrize(
    "text",
    [
        "SFPLOADI vd=L5, mod0=USHORT, imm16=7", "SFPMOV vc=L4, vd=L5", "SFPLOAD vd=L5, mod0=FP32",
        "SFP_STOCH_RND vb=0, vc=L4, vd=L5, mod1=FP32_TO_INT16", "SFPLOADMACRO vd_lo=1, vd_hi=1",
    ],
)  # fmt: skip
def test_a_write_in_the_cycle_of_a_result_stays(tile: Machine, text: str) -> None:
    """One cycle after SFPMAD, which takes two: both write when the cycle ends, in all schedules."""
    set_up(tile)
    alone = lregs(tile, 5)
    ends(tile, text, "SFPNOP")
    wanted = lregs(tile, 5)
    assert wanted not in (alone, [SEVEN])
    set_up(tile)
    ends(tile, MAD, text, "SFPNOP")
    assert lregs(tile, 5) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "SFPLOADI vd=L6, mod0=USHORT, imm16=7", "SFPSTORE vd=L4, mod0=FP32", "SFPENCC",
        "SFPGT vc=L4, vd=L2, mod1=SET_CC", "SFPMAD va=L1, vb=L1, vc=L9, vd=L5",
        "SFPSHFT2 vc=L4, vd=L5, mod1=SUBVEC_SHFLROR1", "SFPNOP",
    ],
)  # fmt: skip
def test_what_writes_no_result_in_that_cycle(timed: Machine, text: str) -> None:
    set_up(timed)
    ends(timed, MAD, text)


def test_lanes_that_the_later_one_leaves_alone_get_the_result(tile: Machine) -> None:
    """SFPMOV to all lanes does not care which are enabled, SFPMAD and SFPLOADI do."""
    set_up(tile)
    S = tile.record.S
    S.vector.use_flags, S.vector.flags = 0xFFFFFFFF, 1
    ends(tile, MAD, "SFPMOV vc=L4, vd=L5, mod1=ALL_LANES_ENABLED")
    assert lregs(tile, 5, lane=0) == lregs(tile, 5) == [OLD_4]
    set_up(tile)
    S.vector.flags = 2
    ends(tile, MAD, "SFPLOADI vd=L5, mod0=USHORT, imm16=9")
    assert lregs(tile, 5, lane=1) == [9]
    assert lregs(tile, 5) == [OLD_5]


def test_results_of_named_lregs_are_written_over_lane_by_lane(tile: Machine) -> None:
    set_up(tile, L3=1.0)
    for lane in range(32):
        tile.record.S.vector.lreg[7, lane] = lane & 3
    mad = "SFPMAD va=L1, vb=L2, vc=L9, vd=L0, mod1=INDIRECT_VD"
    ends(tile, mad, "SFPLOADI vd=L3, mod0=USHORT, imm16=7")
    assert lregs(tile, 2, 3) == [bits(2.0), 7]
    assert lregs(tile, 2, 3, lane=2) == [SEVEN, 7]
