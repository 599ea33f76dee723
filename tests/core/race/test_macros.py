# SPDX-License-Identifier: Apache-2.0
"""Stores that SFPLOADMACRO has scheduled: rows of Dst that are written when they are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from tensix_gdb.core.litmus.tile import Tile
from tensix_gdb.core.race.findings import Report
from tests.core.race.observed import races
from tests.core.race.programs import run
from tests.core.tensix.vector.macros import FP32, STORE, step
from tests.machines import observed_tile

BY_INSTRUCTIONS = 1 << 11  # of Misc: what stores counts instructions
MACRO = "push SFPLOADMACRO macro_index=0, vd_lo=1, mod0=FP32, imm9=0"
WAIT, POST = "push STALLWAIT block=B1, wait=C11", "push SEMPOST sem=1"
NOP = "push SFPNOP"


@pytest.fixture(scope="module")
def tile() -> Iterator[Tile]:
    with closing(observed_tile()) as tile:
        yield tile


def reports(tile: Tile, sequence: int, misc: int, *lines: str) -> list[Report]:
    """Races of T0, which configures the macro, runs `lines` with a post, and loads row 0."""
    return races(
        run(
            tile,
            "ready matrix",
            "init semaphore.max[0] = 15",
            "T0",
            f"push SFPLOADI vd=L0, mod0=UPPER, imm16={sequence >> 16:#x}",
            f"push SFPLOADI vd=L0, mod0=LOWER, imm16={sequence & 0xFFFF:#x}",
            "push SFPCONFIG vd=SEQUENCE0",
            f"push SFPCONFIG imm16={misc:#x}, vd=MISC, mod1=IMM16_IS_VALUE",
            *lines,
            "wait: lw a1, SEM[0]",
            "beqz a1, wait",
            "lw a0, DST",
        )
    )


def test_a_macro_that_stores_nothing_writes_nothing(tile: Tile) -> None:
    assert reports(tile, 0, FP32, MACRO, POST) == []


def test_its_store_is_a_write_of_the_macro(tile: Tile) -> None:
    (found,) = reports(tile, step(3, 2) << STORE, FP32, MACRO, POST)
    assert {found.earlier.instruction, found.later.instruction} == {"SFPLOADMACRO", "lw"}
    assert found.place.name.startswith("dst 0")


def test_c11_waits_for_a_store_that_counts_cycles(tile: Tile) -> None:
    assert reports(tile, step(3, 5) << STORE, FP32, MACRO, WAIT, POST) == []


@pytest.mark.parametrize("nops", [0, 6])
def test_one_that_counts_instructions_needs_them_before_the_wait(tile: Tile, nops: int) -> None:
    found = reports(
        tile,
        step(3, 5) << STORE,
        FP32 | BY_INSTRUCTIONS,
        *(MACRO, *[NOP] * nops, WAIT, POST, *[NOP] * (6 - nops)),
    )
    assert [report.earlier.instruction for report in found] == ([] if nops else ["SFPLOADMACRO"])


@pytest.mark.parametrize("same", [False, True])
def test_a_store_that_counts_cycles_meets_what_is_at_its_place(tile: Tile, same: bool) -> None:
    """Of a block of rows the shadow has all reads as one; LLK's exponential has four such macros
    one after the other in each. Only one at the same rows and columns may meet the store."""
    four = [MACRO.replace("imm9=0", f"imm9={place}") for place in ([0] * 4 if same else range(4))]
    lines = (*four, *[NOP] * 8, *four, *[NOP] * 8, WAIT, POST)
    found = reports(tile, step(3, 5) << STORE, FP32, *lines)
    assert bool(found) is same
