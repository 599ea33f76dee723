# SPDX-License-Identifier: Apache-2.0
"""SrcA and SrcB: whose their banks are, and who waits for them."""

from __future__ import annotations

import pytest

from tensix_gdb.core.machine import Machine
from tensix_gdb.core.schedule import Schedule
from tensix_gdb.core.tensix.gate.wait_gate import Held
from tensix_gdb.core.tensix.occupancy import MATRIX_OWNS, UNPACKERS_OWN
from tests.core.tensix.drive import ends, run_thread
from tests.machines import machine_on

M, U = MATRIX_OWNS, UNPACKERS_OWN


def banks(machine: Machine) -> list[tuple[list[int], int, int]]:
    """Of SrcA and SrcB: owners of the banks, the unpackers' bank, the Matrix Unit's bank."""
    busy = machine.record.S.busy
    return [
        ([busy.src_client[i, 0], busy.src_client[i, 1]], busy.unpack_bank[i], busy.matrix_bank[i])
        for i in range(2)
    ]


NOTHING = ([U, U], 0, 0)


def test_setdvalid_gives_and_goes_on_with_the_other_bank(tile: Machine) -> None:
    ends(tile, "SETC16 SRCA_SET_Base, 2", "SETC16 SRCB_SET_Base, 3", "SETDVALID flip_src_a=1")
    assert banks(tile) == [([M, U], 1, 0), NOTHING]
    assert tile.record.S.src.unpack_row[0, 0] == 32
    assert tile.record.S.src.unpack_row[1, 0] == 0
    ends(tile, "SETDVALID flip_src_a=1, flip_src_b=1", thread=2)
    assert banks(tile) == [([M, M], 0, 0), ([M, U], 1, 0)]
    assert [tile.record.S.src.unpack_row[0, i] for i in range(3)] == [32, 0, 0]


@pytest.mark.parametrize(
    ("flags", "a", "b"),
    [
        ("flip_src_a=1", ([U, M], 0, 1), ([M, M], 0, 0)),
        ("flip_src_b=1", ([M, M], 0, 0), ([U, M], 0, 1)),
        ("flip_src_b=1, flip_src_a=1", ([U, M], 0, 1), ([U, M], 0, 1)),
        ("flip_src_a=1, keep_reading_same_src=1", ([U, M], 0, 0), ([M, M], 0, 0)),
        ("reset=1", NOTHING, NOTHING),
    ],
)
def test_cleardvalid(
    tile: Machine, flags: str, a: tuple[list[int], int, int], b: tuple[list[int], int, int]
) -> None:
    both = "SETDVALID flip_src_b=1, flip_src_a=1"
    ends(tile, both, both, f"CLEARDVALID {flags}")
    assert banks(tile) == [a, b]


def test_reset_forgets_the_formats_of_all_banks(tile: Machine) -> None:
    """The newest CLEARDVALID.md has it of Blackhole."""
    S = tile.record.S
    for source in range(2):
        for bank in range(2):
            S.src.format[source, bank] = 5
    ends(tile, "CLEARDVALID flip_src_a=1, keep_reading_same_src=1")
    assert S.src.format[0, 0] == 5
    ends(tile, "CLEARDVALID reset=1")
    assert not any(S.src.format[source, bank] for source in range(2) for bank in range(2))


def test_gatesrcrst_changes_nothing_that_can_be_seen(tile: Machine) -> None:
    ends(tile, "SETDVALID flip_src_b=1", "GATESRCRST invalidate_src_b_cache=1")
    assert banks(tile) == [NOTHING, ([M, U], 1, 0)]


@pytest.mark.parametrize(
    ("condition", "block", "releases"),
    [
        ("C5", "B6", "CLEARDVALID flip_src_a=1, keep_reading_same_src=1"),
        ("C6", "B6", "CLEARDVALID flip_src_b=1, keep_reading_same_src=1"),
        ("C7", "B6", "SETDVALID flip_src_a=1"),
        ("C8", "B6", "SETDVALID flip_src_b=1"),
    ],
)
def test_c5_to_c8_wait_for_a_bank(condition: str, block: str, releases: str) -> None:
    for schedule in (Schedule.LATENCY, Schedule.RANDOM):
        machine = machine_on("compiled", schedule)
        if releases.startswith("CLEAR"):
            both = "SETDVALID flip_src_b=1, flip_src_a=1"
            ends(machine, both, both)
        wait = f"STALLWAIT block={block}, wait={condition}"
        stop = run_thread(machine, [wait, "GATESRCRST"])
        assert stop is None, "the wait continues"
        assert machine.record.S.gate.held[0] == Held.LATCHED_WAIT
        ends(machine, releases, thread=1)
        assert not machine.record.S.fifo.count[0, 2]
        machine.close()
