# SPDX-License-Identifier: Apache-2.0
"""UNPACR_NOP that gives a bank away is not after the UNPACR that has filled it (tt-metal#43561)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Report
from tests.core.race.observed import races
from tests.core.race.programs import run
from tests.machines import observed_tile

UNPACK = "push UNPACR.Regular which_unpacker=0, multi_context_mode=1"
GIVE = "push UNPACR_NOP.Nop which_unpacker=0, clr_to1_fmt_ctrl=3"
FILL = "push UNPACR_NOP.ClearSrc which_unpacker=0, set_dvalid=1, stall_clr_cntrl=1"
WAIT = "push STALLWAIT block=B3, wait=C1"


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    with closing(observed_tile()) as tile:
        yield tile


def reports(tile: Tile, *lines: str) -> list[Report]:
    return races(run(tile, "ready unpacker 0", "T0", *lines))


@pytest.mark.parametrize("gives", [GIVE, FILL])
def test_it_needs_a_wait_for_the_unpacker(tile: Tile, gives: str) -> None:
    (found,) = reports(tile, UNPACK, gives)
    assert (found.earlier.instruction, found.later.instruction) == ("UNPACR", "UNPACR_NOP")
    assert found.place.name.startswith("src a")
    assert "tt-metal#43561" in found.reason
    assert found.fix is not None
    assert found.fix.text == "TTI_STALLWAIT(p_stall::STALL_UNPACK, p_stall::UNPACK0)"
    assert [spot.pc for spot in found.fix.spots] == [found.later.pc]
    assert reports(tile, UNPACK, WAIT, gives) == []


def test_one_that_gives_its_bank_itself_needs_none(tile: Tile) -> None:
    assert reports(tile, f"{UNPACK}, flip_src=1", GIVE) == []
    assert reports(tile, UNPACK, f"{UNPACK}, flip_src=1") == []


def test_a_wait_for_the_other_unpacker_is_none(tile: Tile) -> None:
    (found,) = reports(tile, UNPACK, WAIT.replace("C1", "C2"), GIVE)
    assert found.later.instruction == "UNPACR_NOP"
